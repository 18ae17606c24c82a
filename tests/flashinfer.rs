//! Agent Inspector and FlashInfer-Bench: files of the producers and examples from their
//! documentation, alone and together, compared with independent counts.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::print_stdout)]

mod harness;

use harness::claims::{check_event, check_outline, check_raw};
use harness::dump::{assert_same, full};
use harness::{Opened, Opening, files_below, named, open, open_one, shared};
use serde_json::Value;
use traceloupe::model::{EventKind, Status};
use traceloupe::view::wire::detail::{ShownBlock, ShownDetail};
use traceloupe::view::wire::exhibits::{Exhibits, best};
use traceloupe::view::wire::protocol::{Request, Response};
use traceloupe::view::wire::value::Shown;

fn samples() -> Option<Vec<(String, Vec<u8>)>> {
    let root = shared("traces/flashinfer-bench")?;
    let files = files_below(&root).into_iter().filter(|path| !path.ends_with("SOURCES.md"));
    Some(files.map(|path| named(&root, &path)).collect())
}

fn sample(name: &str) -> Option<Vec<u8>> {
    Some(std::fs::read(shared("traces/flashinfer-bench")?.join(name)).unwrap())
}

/// The values of a file: the items of its array, its lines, or the one document. Trailing commas
/// are removed by plain replacement, since no string in these files contains one.
fn values(bytes: &[u8]) -> Vec<Value> {
    let text = String::from_utf8(bytes.to_vec()).unwrap();
    let mut repaired = String::new();
    for piece in text.split_inclusive(',') {
        let before: &str = repaired.trim_end_matches(',');
        let is_trailing = piece.trim_start().starts_with([']', '}']);
        let kept = if is_trailing { before.len() } else { repaired.len() };
        repaired.truncate(kept);
        repaired.push_str(piece);
    }
    match serde_json::from_str::<Value>(&repaired) {
        Ok(Value::Array(items)) => items,
        Ok(document) => vec![document],
        Err(_) => text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
    }
}

fn count(opened: &Opened, is: impl Fn(EventKind, Status) -> bool) -> usize {
    opened.session.trace().events().iter().filter(|it| is(it.kind, it.status)).count()
}

fn detail(opened: &mut Opened, id: u32) -> ShownDetail {
    match opened.ask(&Request::Detail(id)) {
        Response::Detail(detail) => *detail,
        other => panic!("{other:?}"),
    }
}

fn exhibits(opened: &Opened) -> &Exhibits {
    &opened.outline().exhibits
}

#[test]
fn every_element_is_an_event_of_its_kind() {
    let Some(files) = samples() else { return };
    let mut n_elements = 0;
    for (name, bytes) in files.iter().filter(|(name, _)| name.starts_with("agent-inspector")) {
        let elements = values(bytes);
        let of = |kind: &str| elements.iter().filter(|it| it["type"] == kind).count();
        let opened = open_one(name, bytes);
        check_outline(&opened);
        assert_eq!(opened.session.trace().events().len(), elements.len(), "{name}");
        assert_eq!(count(&opened, |kind, _| kind == EventKind::LlmCall), of("llm_request"));
        assert_eq!(count(&opened, |kind, _| kind == EventKind::ToolCall), of("tool_call"));
        assert!(exhibits(&opened).is_empty());
        n_elements += elements.len();
    }
    assert_eq!(n_elements, 8);
}

#[test]
fn the_printed_examples_open_and_say_where_they_were_repaired() {
    for (name, lines) in [
        ("agent-inspector-seed-example-1-simple-llm-request.as-printed.json", [12]),
        ("agent-inspector-seed-example-2-llm-request-with-tool-call.as-printed.json", [8]),
    ] {
        let Some(bytes) = sample(name) else { return };
        let opened = open_one(name, &bytes);
        let warnings = &opened.outline().warnings;
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert_eq!(warnings[0].code, "trailing-comma");
        let at: Vec<u32> = warnings[0].places.iter().map(|place| place.1).collect();
        assert_eq!(at, lines, "{name}");
        let fixed = sample(&name.replace(".as-printed", "")).unwrap();
        let rows = |opened: &Opened| opened.outline().rows.kinds.as_slice().to_vec();
        assert_eq!(rows(&opened), rows(&open_one("fixed", &fixed)));
    }
}

#[test]
fn a_call_is_found_by_the_id_that_the_request_gave_it() {
    let name = "agent-inspector-seed-example-2-llm-request-with-tool-call.json";
    let Some(bytes) = sample(name) else { return };
    let mut opened = open_one(name, &bytes);
    let found = opened.ask(&Request::Find("n:call_123".to_owned()));
    assert_eq!(found, Response::Found(Some(1), None));
    let shown = check_event(&mut opened, 1);
    check_raw(&mut opened, &shown, &bytes);
    assert_eq!((shown.sel.as_str(), shown.records.len()), ("n:call_123", 2));
}

#[test]
fn long_wrapped_traces_are_split_and_give_what_the_whole_gives() {
    let element = |at: usize| {
        format!(
            r#"{{"type":"llm_request","model":"m","conversation":[{{"role":"user","content":"{at} {}"}}],"response":"done"}}"#,
            "x".repeat(900)
        )
    };
    let elements: Vec<String> = (0..700).map(element).collect();
    for key in ["trace", "elements"] {
        let text =
            format!("{{\"name\":\"long\",\"{key}\":[\n{}\n],\"score\":1}}", elements.join(",\n"));
        let opened = open_one("long.json", text.as_bytes());
        assert_eq!(opened.outline().n_rows, 700);
        let facts: Vec<&str> =
            opened.outline().runs[0].facts.iter().map(|(label, _)| label.as_str()).collect();
        assert_eq!(facts, ["name", "score"]);
        let small = Opening { slice_len: Some(1000), ..Opening::default() };
        let again = open(&[("long.json", text.as_bytes())], &small);
        assert_same(&full(again.outline()), &full(opened.outline()));
        check_outline(&opened);
    }
}

#[test]
fn elements_as_lines_are_read_like_an_array() {
    let elements = [
        r#"{"type":"mcp","server":"x"}"#,
        r#"{"type":"llm_request","model":"m","conversation":[{"role":"user","content":"q"}],"llm_output":"a","tool_calls":[{"name":"f","arguments":{}}]}"#,
        r#"{"type":"tool_call","tool_name":"f","arguments":{},"result":"r"}"#,
    ];
    let lines = open_one("trace.jsonl", elements.join("\n").as_bytes());
    let array = open_one("trace.json", format!("[{}]", elements.join(",\n")).as_bytes());
    assert_eq!(lines.outline().sources[0].format, "agent-inspector");
    assert_same(&full(lines.outline()), &full(array.outline()));
    assert_eq!(lines.outline().n_rows, 3);
}

#[test]
fn every_trace_is_an_evaluation_with_its_status() {
    let Some(files) = samples() else { return };
    let mut n_traces = 0;
    for (name, bytes) in
        files.iter().filter(|(name, _)| name.contains("trace") && name.ends_with(".jsonl"))
    {
        let traces = values(bytes);
        let opened = open_one(name, bytes);
        let status = |it: &Value| it["evaluation"]["status"].as_str().map(str::to_owned);
        let with =
            |is: &dyn Fn(Option<String>) -> bool| traces.iter().filter(|it| is(status(it))).count();
        let evaluated = with(&|it| it.is_some());
        assert_eq!(count(&opened, |kind, _| kind == EventKind::Evaluation), traces.len(), "{name}");
        assert_eq!(count(&opened, |_, it| it == Status::NoResult), traces.len() - evaluated);
        let passed = with(&|it| it.as_deref() == Some("PASSED"));
        assert_eq!(count(&opened, |_, it| it == Status::Ok), passed);
        assert_eq!(count(&opened, |_, it| it == Status::Error), evaluated - passed);
        let lines = &exhibits(&opened).results;
        assert_eq!(lines.len(), evaluated);
        let evaluations = traces.iter().map(|it| &it["evaluation"]).filter(|it| it.is_object());
        for (line, evaluation) in lines.iter().zip(evaluations) {
            assert_eq!(line.status, evaluation["status"].as_str().unwrap());
            assert_eq!(line.speedup, evaluation["performance"]["speedup_factor"].as_f64());
            assert_eq!(line.latency_ms, evaluation["performance"]["latency_ms"].as_f64());
        }
        n_traces += traces.len();
    }
    assert!(n_traces > 30, "{n_traces}");
}

#[test]
fn generations_have_the_numbers_of_the_file() {
    let name = "2025-07-kernelllm-result-hingeloss.json";
    let Some(bytes) = sample(name) else { return };
    let document = &values(&bytes)[0];
    let generations = document["generations"].as_array().unwrap();
    let mut opened = open_one(name, &bytes);
    let lines = exhibits(&opened).results.clone();
    assert_eq!(lines.len(), generations.len());
    let mut fastest = 0.0_f64;
    for (line, generation) in lines.iter().zip(generations) {
        fastest = fastest.max(generation["speedup"].as_f64().unwrap());
        assert_eq!(line.name, format!("round {}", generation["round"]));
        assert_eq!(line.speedup, generation["speedup"].as_f64());
        assert_eq!(line.best_speedup, Some(fastest));
        assert_eq!(line.latency_ms, generation["runtime"].as_f64());
        assert_eq!(line.max_diff, generation["max_diff"].as_f64());
        assert_eq!(line.code, Some(line.event));
        let shown = detail(&mut opened, line.event);
        let code = shown.blocks.iter().find_map(|block| match block {
            ShownBlock::Code(_, language, Shown::Text(text, _)) => Some((language, text)),
            _ => None,
        });
        let (language, text) = code.unwrap();
        assert_eq!(
            (language.as_str(), text.as_str()),
            ("python", generation["generated_code"].as_str().unwrap())
        );
    }
    assert_eq!(document["max_speedup"].as_f64(), Some(fastest));
    assert_eq!(lines[best(&lines).unwrap()].speedup, Some(fastest));
}

#[test]
fn dropped_together_with_an_agents_trace() {
    let names = [
        "agent-inspector-seed-example-2-llm-request-with-tool-call.json",
        "definition-gemm_n4096_k4096.json",
        "solution-agent-written-cuda.json",
        "traces-all-statuses-produced.jsonl",
    ];
    let files: Option<Vec<_>> = names.iter().map(|name| sample(name)).collect();
    let Some(files) = files else { return };
    let mut given: Vec<(&str, &[u8])> =
        names.iter().copied().zip(files.iter().map(Vec::as_slice)).collect();
    let opened = open(&given, &Opening::default());
    given.reverse();
    let again = open(&given, &Opening::default());
    assert_same(&full(again.outline()), &full(opened.outline()));
    // Compared as text, because NaN does not equal itself.
    assert_eq!(format!("{:?}", exhibits(&again)), format!("{:?}", exhibits(&opened)));
    check_outline(&opened);
    let outline = opened.outline();
    let formats: Vec<_> = outline.runs.iter().map(|run| run.format.as_str()).collect();
    assert_eq!(formats, ["agent-inspector", "flashinfer-bench"]);
    let found = exhibits(&opened);
    assert_eq!((found.definitions.len(), found.results.len()), (1, 8));
    assert_eq!(found.runs, [1]);
    // The code of the only solution in the files, used by all of its evaluations.
    let with_code: Vec<_> =
        found.results.iter().filter(|it| it.code.is_some()).map(|it| it.name.as_str()).collect();
    assert_eq!(with_code, ["example_agent_solution"; 3]);
    let speeds: Vec<_> = found.results.iter().map(|it| it.speed()).collect();
    assert_eq!(speeds, ["12.00 µs", "", "", "", "", "", "", "timeout"]);
    let workloads: Vec<_> = found.results.iter().map(|it| it.workload.as_str()).collect();
    assert_eq!(workloads, ["M=4", "M=128", "M=128", "M=0", "M=7", "M=7", "M=7", "M=7"]);
    assert_eq!((found.run_beside(0), found.run_beside(1)), (None, Some(1)));
}

#[test]
fn a_log_is_shown_without_its_colours() {
    let Some(bytes) = sample("traces-all-statuses-produced.jsonl") else { return };
    let mut opened = open_one("traces.jsonl", &bytes);
    let shown = (0..9).map(|id| detail(&mut opened, id)).collect::<Vec<_>>();
    let logs: Vec<&str> = shown
        .iter()
        .flat_map(|detail| &detail.blocks)
        .filter_map(|block| match block {
            ShownBlock::Value(_, word, Shown::Text(text, _)) if word == "log" => {
                Some(text.as_str())
            }
            _ => None,
        })
        .collect();
    assert_eq!(logs.len(), 5);
    assert!(logs.iter().all(|log| !log.contains('\u{1b}')));
    assert!(logs.iter().any(|log| log.ends_with("ninja: build stopped\n")));
}

#[test]
fn a_solution_alone_is_a_result_that_nothing_evaluates() {
    let Some(bytes) = sample("solution-agent-written-cuda.json") else { return };
    let opened = open_one("solution.json", &bytes);
    let [line] = exhibits(&opened).results.as_slice() else { panic!() };
    assert_eq!((line.status.as_str(), line.code), ("", Some(line.event)));
    assert_eq!(best(&exhibits(&opened).results), Some(0));
}

#[test]
fn of_very_many_results_the_first_are_sent() {
    let line = |at: usize| {
        format!(
            "{{\"definition\":\"d\",\"workload\":{{\"uuid\":\"{at}\",\"axes\":{{}},\"inputs\":{{}}}},\"solution\":\"s\",\"evaluation\":{{\"status\":\"PASSED\",\"performance\":{{\"latency_ms\":1,\"speedup_factor\":{at}}}}}}}\n"
        )
    };
    let text: String = (0..5_000).map(line).collect();
    let opened = open_one("traces.jsonl", text.as_bytes());
    let found = exhibits(&opened);
    assert_eq!((found.results.len(), found.results_dropped), (2_000, 3_000));
    assert_eq!(found.results[1_999].best_speedup, Some(1_999.0));
}
