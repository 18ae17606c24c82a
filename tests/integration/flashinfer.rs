//! Agent Inspector and FlashInfer-Bench: our own fixtures, files of the producers and the printed examples, compared
//! with independent counts, alone and together.

use crate::harness;

use harness::claims::{check_event, check_outline, check_raw};
use harness::dump::{assert_same, full};
use harness::fixtures::{self, own_traces};
use harness::{Opened, Opening, at_least, files_below, named, open, open_one, shared, shared_also};
use serde_json::Value;
use traceloupe_core::model::{CallOutcome, EventKind};
use traceloupe_core::text::terminal;
use traceloupe_protocol::detail::{ShownBlock, ShownDetail, ValueForm};
use traceloupe_protocol::exhibits::{Exhibits, best};
use traceloupe_protocol::messages::{Request, Response};
use traceloupe_protocol::value::Shown;

/// Our own files and those of the producers, named by their folders.
#[track_caller]
fn samples() -> Vec<(String, Vec<u8>)> {
    let mut files = own_traces();
    files.retain(|(name, _)| {
        name.contains("/agent-inspector/") || name.contains("/flashinfer-bench/")
    });
    let Some(root) = shared_also("traces/flashinfer-bench") else { return files };
    let theirs = files_below(&root).into_iter().filter(|path| !path.ends_with("SOURCES.md"));
    files.extend(theirs.map(|path| named(&root, &path)));
    files
}

/// The first of two samples, which is our own, and the second, from `../shared`, if it is available.
#[track_caller]
fn both(own: &'static str, theirs: &'static str) -> Vec<(&'static str, Vec<u8>)> {
    let mut found = vec![(own, std::fs::read(fixtures::folder().join(own)).unwrap())];
    let path = shared_also("traces/flashinfer-bench").map(|root| root.join(theirs));
    found.extend(path.map(|path| (theirs, std::fs::read(path).unwrap())));
    found
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
        Ok(document) if document["trace"].is_array() => {
            document["trace"].as_array().unwrap().clone()
        }
        Ok(document) => vec![document],
        Err(_) => text.lines().map(|line| serde_json::from_str(line).unwrap()).collect(),
    }
}

fn count(opened: &Opened, is: impl Fn(EventKind, CallOutcome) -> bool) -> usize {
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
    let mut n_elements = 0;
    let files = samples();
    for (name, bytes) in files.iter().filter(|(name, _)| name.contains("agent-inspector")) {
        let elements = values(bytes);
        let of = |kind: &str| elements.iter().filter(|it| it["type"] == kind).count();
        let opened = open_one(name, bytes);
        check_outline(&opened);
        assert_eq!(opened.session.trace().events().len(), elements.len(), "{name}");
        assert_eq!(count(&opened, |kind, _| kind == EventKind::LlmCall), of("llm_request"));
        assert_eq!(
            count(&opened, |kind, _| kind == EventKind::ToolCall),
            of("tool_call") + of("mcp")
        );
        assert!(exhibits(&opened).is_empty());
        n_elements += elements.len();
    }
    assert_eq!(n_elements, 15 + at_least(8, 0));
}

#[test]
fn the_printed_examples_open_and_say_where_they_were_repaired() {
    let own = "agent-inspector/trailing-comma.json";
    let first = "agent-inspector-seed-example-1-simple-llm-request.as-printed.json";
    let second = "agent-inspector-seed-example-2-llm-request-with-tool-call.as-printed.json";
    let files = both(own, first).into_iter().chain(both(own, second));
    for (name, bytes) in files {
        let line = match name {
            _ if name == own => 24,
            _ if name == first => 12,
            _ => 8,
        };
        let opened = open_one(name, &bytes);
        let warnings = &opened.outline().warnings;
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert_eq!(warnings[0].code.word(), "trailing-comma");
        let at: Vec<u32> = warnings[0].places.iter().map(|place| place.1).collect();
        assert_eq!(at, [line], "{name}");
        let fixed = if name == own {
            std::fs::read(fixtures::folder().join("agent-inspector/one-request.json")).unwrap()
        } else {
            let name = format!("traces/flashinfer-bench/{}", name.replace(".as-printed", ""));
            std::fs::read(shared(&name).unwrap()).unwrap()
        };
        let rows = |opened: &Opened| opened.outline().rows.kinds.as_slice().to_vec();
        assert_eq!(rows(&opened), rows(&open_one("fixed", &fixed)));
    }
}

#[test]
fn a_call_is_found_by_the_id_that_the_request_gave_it() {
    let theirs = "agent-inspector-seed-example-2-llm-request-with-tool-call.json";
    for (name, bytes) in both("agent-inspector/call-by-id.json", theirs) {
        let link = if name == theirs { "n:call_123" } else { "n:call_paint_1" };
        let mut opened = open_one(name, &bytes);
        let found = opened.ask(&Request::Find(link.to_owned()));
        assert_eq!(found, Response::Found(Some(1), None));
        let shown = check_event(&mut opened, 1);
        check_raw(&mut opened, &shown, &bytes);
        assert_eq!((shown.sel.as_str(), shown.records.len()), (link, 2));
    }
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
        let facts: Vec<_> =
            opened.outline().runs[0].facts.iter().map(|fact| fact.kind.key()).collect();
        assert_eq!(facts, [Some("name"), Some("score")]);
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
    let mut n_traces = 0;
    let files = samples();
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
        assert_eq!(count(&opened, |_, it| it == CallOutcome::Missing), traces.len() - evaluated);
        let passed = with(&|it| it.as_deref() == Some("PASSED"));
        assert_eq!(count(&opened, |_, it| it == CallOutcome::Ok), passed);
        assert_eq!(count(&opened, |_, it| it.is_error()), evaluated - passed);
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
    assert!(n_traces > at_least(40, 11), "{n_traces}");
}

#[test]
fn generations_have_the_numbers_of_the_file() {
    let theirs = "2025-07-kernelllm-result-hingeloss.json";
    for (name, bytes) in both("flashinfer-bench/kernel-llm.json", theirs) {
        check_generations(name, &bytes);
    }
}

fn check_generations(name: &str, bytes: &[u8]) {
    let document = &values(bytes)[0];
    let generations = document["generations"].as_array().unwrap();
    let mut opened = open_one(name, bytes);
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
            ShownBlock::Code(_, language, Shown::Text(text, ..)) => Some((language, text)),
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
    let files: Vec<_> = [
        (
            "agent-inspector/call-by-id.json",
            "agent-inspector-seed-example-2-llm-request-with-tool-call.json",
        ),
        ("flashinfer-bench/definition.json", "definition-gemm_n4096_k4096.json"),
        ("flashinfer-bench/solution.json", "solution-agent-written-cuda.json"),
        ("flashinfer-bench/traces-of-every-status.jsonl", "traces-all-statuses-produced.jsonl"),
    ]
    .map(|(own, theirs)| both(own, theirs))
    .into();
    let own = Together {
        author: ["rowsum_by_kim"; 2].as_slice(),
        speeds: ["20.00 µs", "40.00 µs", "", "", "", "", "", "timeout"],
        workloads: ["M=4", "M=64", "M=64", "M=64", "M=7", "M=7", "M=7", "M=7"],
    };
    let theirs = Together {
        author: &["example_agent_solution"; 3],
        speeds: ["12.00 µs", "", "", "", "", "", "", "timeout"],
        workloads: ["M=4", "M=128", "M=128", "M=0", "M=7", "M=7", "M=7", "M=7"],
    };
    for (at, expected) in [own, theirs].iter().enumerate().take(files[0].len()) {
        let set: Vec<_> = files.iter().map(|pair| (pair[at].0, pair[at].1.as_slice())).collect();
        check_together(set, expected);
    }
}

/// The result of files that belong together: the evaluations that have code, each by the name of its author, and the
/// speeds and the workloads of all.
struct Together {
    author: &'static [&'static str],
    speeds: [&'static str; 8],
    workloads: [&'static str; 8],
}

fn check_together(mut given: Vec<(&str, &[u8])>, expected: &Together) {
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
    // The code of the only available solution belongs to all of its evaluations.
    let with_code: Vec<_> =
        found.results.iter().filter(|it| it.code.is_some()).map(|it| it.name.as_str()).collect();
    assert_eq!(with_code, expected.author);
    let speeds: Vec<_> = found.results.iter().map(|it| it.speed()).collect();
    assert_eq!(speeds, expected.speeds);
    let workloads: Vec<_> = found.results.iter().map(|it| it.workload.as_str()).collect();
    assert_eq!(workloads, expected.workloads);
    assert_eq!((found.exhibits_run(0), found.exhibits_run(1)), (None, Some(1)));
}

#[test]
fn a_log_keeps_its_colours_and_no_escape_is_drawn() {
    let own = "flashinfer-bench/traces-of-every-status.jsonl";
    for (name, bytes) in both(own, "traces-all-statuses-produced.jsonl") {
        check_logs(&bytes, if name == own { 3 } else { 5 });
    }
}

fn check_logs(bytes: &[u8], n_logs: usize) {
    let mut opened = open_one("traces.jsonl", bytes);
    let shown = (0..9).map(|id| detail(&mut opened, id)).collect::<Vec<_>>();
    let logs: Vec<&str> = shown
        .iter()
        .flat_map(|detail| &detail.blocks)
        .filter_map(|block| match block {
            ShownBlock::Value(_, ValueForm::Log, Shown::Text(text, ..)) => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(logs.len(), n_logs);
    // The page draws the colours.
    let plain = |log: &str| terminal::pieces(log).into_iter().map(|it| it.1).collect::<String>();
    assert!(logs.iter().any(|log| log.contains('\u{1b}')));
    let logs: Vec<String> = logs.into_iter().map(plain).collect();
    assert!(logs.iter().all(|log| !log.contains('\u{1b}')));
    assert!(logs.iter().any(|log| log.ends_with("ninja: build stopped\n")));
}

#[test]
fn a_solution_alone_is_a_result_that_nothing_evaluates() {
    for (_, bytes) in both("flashinfer-bench/solution.json", "solution-agent-written-cuda.json") {
        let opened = open_one("solution.json", &bytes);
        let [line] = exhibits(&opened).results.as_slice() else { panic!() };
        assert_eq!((line.status.as_str(), line.code), ("", Some(line.event)));
        assert_eq!(best(&exhibits(&opened).results), Some(0));
    }
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
