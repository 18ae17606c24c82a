//! AgentV's files of all eras, our own and real ones, in whole sessions: their contents, counted independently of the
//! reader, and the files of a run joined.

use crate::harness;

use std::collections::BTreeMap;

use harness::claims::{check_event, check_outline};
use harness::dump::{assert_same, full};
use harness::{Opened, Opening, at_least, files_below, named, open, open_one, shared, traces};
use serde_json::Value;
use traceloupe_core::model::RunNote;
use traceloupe_core::model::{FactKind, fact_text};
use traceloupe_core::model::{RunStatus, RunVerdict};
use traceloupe_protocol::messages::OpenRequest;
use traceloupe_protocol::outline::RunLine;
use traceloupe_session::Session;
use traceloupe_session::store::MemoryStore;
use traceloupe_words::problems;

type Files = Vec<(String, Vec<u8>)>;

/// The files of AgentV: our own, named below `fixtures/agentv`, and the real ones.
#[track_caller]
fn agentv_files() -> Files {
    let mut files = traces();
    files.retain(|(name, _)| name.contains("agentv/"));
    files
}

/// The files of run folders: our own and the real one.
#[track_caller]
fn run_folders() -> Vec<Files> {
    let mut files = agentv_files();
    files.retain(|(name, _)| name.contains("/run-folder/") || name.contains("/npm-4.42.4-run/"));
    let (own, theirs) = files.into_iter().partition(|(name, _)| name.starts_with("fixtures/"));
    [own, theirs].into_iter().filter(|files: &Files| !files.is_empty()).collect()
}

fn open_all(files: &[(String, Vec<u8>)]) -> Opened {
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    open(&files, &Opening::default())
}

fn json(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap()
}

fn run<'a>(opened: &'a Opened, test: &str) -> &'a RunLine {
    let is = |run: &&RunLine| fact_text(&run.facts, &FactKind::Test) == Some(test);
    let found: Vec<_> = opened.outline().runs.iter().filter(is).collect();
    assert_eq!(found.len(), 1, "{test} is one run");
    found[0]
}

/// Numbers of LLM and tool calls in messages, counted with serde_json.
fn calls_of(messages: &Value) -> (u64, u64) {
    let list = messages.as_array().unwrap();
    let llm = list.iter().filter(|it| it["role"] == "assistant").count();
    let tools =
        list.iter().filter_map(|it| it["tool_calls"].as_array()).map(Vec::len).sum::<usize>();
    (llm as u64, tools as u64)
}

#[test]
fn spans_and_transcripts_have_every_call() {
    let mut n = 0;
    for (name, bytes) in &run_folders().concat() {
        let opened = open_one(name, bytes);
        let counts = |opened: &Opened| {
            let counts = opened.outline().runs[0].counts;
            (counts.llm_calls, counts.tool_calls)
        };
        if name.ends_with("trace.json") {
            let document = json(bytes);
            let of = |operation: &str| {
                let spans = document["trace"]["spans"].as_array().unwrap().iter();
                let is = |span: &&Value| span["attributes"]["gen_ai.operation.name"] == operation;
                spans.filter(is).count() as u64
            };
            assert_eq!(counts(&opened), (of("chat"), of("execute_tool")), "{name}");
            n += 1;
        } else if name.ends_with("transcript.jsonl") {
            let rows: Vec<Value> =
                bytes.split(|it| *it == b'\n').filter(|it| !it.is_empty()).map(json).collect();
            assert_eq!(counts(&opened), calls_of(&Value::Array(rows)), "{name}");
            n += 1;
        }
    }
    assert_eq!(n, 6 + at_least(8, 0));
}

#[test]
fn rows_and_fixtures_have_every_call_and_token() {
    let mut files = agentv_files();
    files.retain(|(path, _)| {
        let name = path.rsplit('/').next().unwrap();
        name.contains("results-rows") || name.starts_with("replay-fixture")
    });
    assert_eq!(files.len(), 2 + at_least(2, 0));
    let list = "output";
    for (name, bytes) in &files {
        let opened = open_one(name, bytes);
        let rows: Vec<Value> =
            bytes.split(|it| *it == b'\n').filter(|it| !it.is_empty()).map(json).collect();
        assert_eq!(opened.outline().runs.len(), rows.len());
        for (run, row) in opened.outline().runs.iter().zip(&rows) {
            let messages =
                if row[list].is_array() { row[list].clone() } else { Value::Array(Vec::new()) };
            assert_eq!(
                (run.counts.llm_calls, run.counts.tool_calls),
                calls_of(&messages),
                "{name}"
            );
            let sum = |key: &str| {
                let of = |message: &Value| message["token_usage"][key].as_u64();
                let list = messages.as_array().unwrap();
                let known: Vec<u64> = list.iter().filter_map(of).collect();
                let of_run =
                    row["token_usage"][key].as_u64().or(row["trace"]["token_usage"][key].as_u64());
                if known.is_empty() { of_run } else { Some(known.iter().sum()) }
            };
            assert_eq!(
                (run.usage.input, run.usage.output),
                (sum("input"), sum("output")),
                "{name}"
            );
            assert_eq!(run.score, row["score"].as_f64());
        }
    }
}

#[test]
fn the_files_of_a_run_folder_are_one_run_for_each_test() {
    run_folders().into_iter().for_each(check_run_folder);
}

fn check_run_folder(mut files: Files) {
    let mut opened = open_all(&files);
    check_outline(&opened);
    let (_, index) = files.iter().find(|(name, _)| name.ends_with("index.jsonl")).unwrap();
    let rows: Vec<Value> =
        index.split(|it| *it == b'\n').filter(|it| !it.is_empty()).map(json).collect();
    // One run per row, and one with the summary of all of them.
    assert_eq!(opened.outline().runs.len(), rows.len() + 1);
    assert!(opened.outline().sources.iter().all(|source| source.problem.is_none()));
    let alone: BTreeMap<String, Opened> =
        files.iter().map(|(name, bytes)| (name.clone(), open_one(name, bytes))).collect();
    for row in &rows {
        let test = row["test_id"].as_str().unwrap();
        let run = run(&opened, test);
        assert_eq!(run.score, row["score"].as_f64(), "{test}");
        let expected = match row["execution_status"].as_str().unwrap() {
            "execution_error" => ("error", ""),
            "quality_failure" => ("ok", "fail"),
            _ => ("ok", "pass"),
        };
        assert_eq!(
            (run.status.word(), run.verdict.map_or("", RunVerdict::word)),
            expected,
            "{test}"
        );
        let trace = alone.iter().find(|(name, _)| name.ends_with(&format!("{test}/trace.json")));
        let Some((_, trace)) = trace else {
            // An error is an event if the row states it.
            let errors = u64::from(row["error"].is_string());
            assert_eq!(run.counts.events, 1 + errors, "{test} has its grade alone");
            continue;
        };
        let trace = &trace.outline().runs[0];
        assert_eq!(
            (run.counts.llm_calls, run.counts.tool_calls),
            (trace.counts.llm_calls, trace.counts.tool_calls)
        );
        assert_eq!(run.counts.errors, trace.counts.errors, "{test}");
        // Only the grade may be missing in a trace.
        let grades = u64::from(trace.score.is_none());
        assert_eq!(run.counts.events, trace.counts.events + grades, "{test} has nothing twice");
        assert_eq!(
            (run.usage.input, run.usage.output),
            (trace.usage.input, trace.usage.output),
            "{test}"
        );
        let last = run.first_row + run.n_rows - 1;
        let rows = &opened.outline().rows;
        assert_eq!(opened.outline().name(rows.names.get(last)), "grading");
    }
    let ids: Vec<u32> = opened.outline().rows.ids.as_slice().to_vec();
    for id in ids {
        check_event(&mut opened, id);
    }
    let text = full(opened.outline());
    files.reverse();
    assert_same(&full(open_all(&files).outline()), &text);
    // In other folders, as the producer arranges them.
    let moved: Files = files
        .iter()
        .map(|(name, bytes)| {
            let name = name.replace("/trace.json", "/outputs/trace.json");
            let name = name.replace("/transcript.json", "/outputs/transcript.json");
            let name = name.replace("fixtures/agentv/run-folder", "runs/default/x");
            (name.replace("agentv/npm-4.42.4-run", "runs/default/x"), bytes.clone())
        })
        .collect();
    assert_same(&full(open_all(&moved).outline()), &text);
}

#[test]
fn a_folder_of_v5_is_one_run() {
    let Some(root) = shared("traces/agentv") else { return };
    let files: Files = files_below(&root).iter().map(|path| named(&root, path)).collect();
    let file = |name: &str| files.iter().find(|(path, _)| path.ends_with(name)).unwrap().1.clone();
    let folder = "run/host-env-ready--c5fb1a4ce2d7/sample-1";
    let own = vec![
        (format!("{folder}/grading.json"), file("v5-grading-pi-two-tools.json")),
        (format!("{folder}/metrics.json"), file("v5-metrics-pi-two-tools.json")),
        (format!("{folder}/transcript.json"), file("v5-normalized-transcript-pi-two-tools.json")),
    ];
    let opened = open_all(&own);
    check_outline(&opened);
    let [run] = opened.outline().runs.as_slice() else { panic!("one run") };
    assert_eq!(run.title, "host-environment-live-dogfood / host-env-ready · pi-host-env");
    assert_eq!(
        (run.score, run.verdict, run.status),
        (Some(1.0), Some(RunVerdict::Pass), RunStatus::Ok)
    );
    assert_eq!((run.counts.llm_calls, run.counts.tool_calls), (2, 2));
    assert_eq!(run.usage.input, Some(7621));
    // The same conversation in the raw and in the normalized transcript.
    let folder = "run/imported-codex-config-fix--5c742737f9ad/sample-1";
    let raw = (format!("{folder}/transcript-raw.jsonl"), file("v5-transcript-raw-codex.jsonl"));
    let normal = (format!("{folder}/transcript.json"), file("v5-normalized-transcript-codex.json"));
    let opened = open_all(&[raw.clone(), normal]);
    check_outline(&opened);
    let [run] = opened.outline().runs.as_slice() else { panic!("one run") };
    let alone = open_one(&raw.0, &raw.1);
    let alone = alone.outline().runs[0].counts;
    assert_eq!((run.counts.llm_calls, run.counts.tool_calls), (alone.llm_calls, alone.tool_calls));
    assert_eq!(run.counts.events, alone.events + 1, "the summary is the only thing more");
}

#[test]
fn a_trace_ref_finds_its_file() {
    let answer = br#"{"test_id":"t","target":"x","score":1,"output":"done","trace_ref":"traces/static.json"}"#;
    let trace =
        br#"[{"type":"tool_call","timestamp":"2024-01-01T10:00:00Z","name":"a","input":{}}]"#;
    let opened =
        open(&[("r/results.jsonl", answer), ("r/traces/static.json", trace)], &Opening::default());
    check_outline(&opened);
    let [run] = opened.outline().runs.as_slice() else { panic!("one run") };
    assert_eq!((run.title.as_str(), run.counts.tool_calls, run.score), ("t · x", 1, Some(1.0)));
    let alone = open_one("r/results.jsonl", answer);
    let notes = &alone.outline().runs[0].notes;
    assert_eq!(notes[..], [RunNote::TraceNotOpened("traces/static.json".to_owned())]);
    // Two files with that name: neither is used.
    let files: [(&str, &[u8]); 3] = [
        ("r/results.jsonl", answer),
        ("a/traces/static.json", trace),
        ("b/traces/static.json", trace),
    ];
    assert_eq!(open(&files, &Opening::default()).outline().runs.len(), 3);
}

/// The compact format as printed in AgentV's design, in flow and block style.
const COMPACT: &str = "- role: user\n  content: \"What is it like?\"\n- role: assistant\n  content: Let me look.\n  tool_calls:\n    - tool: getWeather\n      input: { city: \"NYC\" }  # Flow style\n      output: \"72°F\"\n    - tool: getTime\n      input:                   # Block style\n        timezone: \"EST\"\n        format: \"24h\"\n      output: \"14:30\"\n    - tool: getTraffic\n      input: { location: \"Manhattan\" }\n      output: \"Heavy\"\n";

fn names(opened: &Opened) -> Vec<String> {
    let rows = &opened.outline().rows;
    (0..rows.ids.len()).map(|row| opened.outline().name(rows.names.get(row)).to_owned()).collect()
}

#[test]
fn the_compact_form_in_yaml_is_a_trace() {
    let as_value = format!("output_messages:\n{COMPACT}");
    let crlf = COMPACT.replace('\n', "\r\n");
    for (name, text) in [
        ("messages.yaml", COMPACT),
        ("unknown", COMPACT),
        ("unknown", &as_value),
        ("unknown", &crlf),
        ("unknown.txt", &format!("\u{feff}# a comment\n---\n{COMPACT}")),
    ] {
        for bytes in [text.as_bytes().to_vec(), harness::gzip(text.as_bytes())] {
            let opening = Opening { slice_len: Some(7), ..Opening::default() };
            let mut opened = open(&[(name, &bytes)], &opening);
            check_outline(&opened);
            assert_eq!(opened.outline().runs[0].format, "agentv");
            assert_eq!(names(&opened), ["", "", "getWeather", "getTime", "getTraffic"], "{text}");
            assert_eq!(opened.codes(), ["from-yaml"]);
            for id in 0..5 {
                check_event(&mut opened, id);
            }
        }
    }
}

#[test]
fn rows_of_results_in_yaml() {
    let text = "---\ntest_id: a\ntarget: x\nscore: 0.5\noutput:\n  - role: assistant\n    content: hi\n    tool_calls: [{tool: t, input: {n: 1}, output: ok}]\n---\ntest_id: b\ntarget: x\nscore: 1\nhits: [yes it is]\n";
    let list = "- {test_id: a, target: x, score: 0.5, output: [{role: assistant, content: hi, tool_calls: [{tool: t, input: {n: 1}, output: ok}]}]}\n- {test_id: b, target: x, score: 1, hits: [yes it is]}\n";
    for text in [text, list] {
        let opened = open_one("results.yaml", text.as_bytes());
        check_outline(&opened);
        let scores: Vec<_> = opened.outline().runs.iter().map(|run| run.score).collect();
        assert_eq!(scores, [Some(0.5), Some(1.0)]);
        assert_eq!(opened.outline().runs[0].counts.tool_calls, 1);
    }
}

#[test]
fn broken_yaml_says_where() {
    let broken = format!("{COMPACT}- role: [user\n  x: }}\n");
    let opened = open_one("a.yaml", broken.as_bytes());
    check_outline(&opened);
    let warning =
        opened.outline().warnings.iter().find(|it| it.code.word() == "broken-yaml").unwrap();
    let (_, line, _, detail) = &warning.places[0];
    assert!(*line >= 17 && detail.starts_with("column "), "{warning:?}");
    assert_eq!(names(&opened)[2], "getWeather", "what stands before is there");
    let unnamed = open_one("a", broken.as_bytes());
    assert_eq!(names(&unnamed), names(&opened));
    let opened = open_one("a.yaml", b"a: *nobody\n");
    assert!(opened.codes().contains(&"broken-yaml".to_owned()), "{:?}", opened.codes());
    // If nothing could be read, the YAML error is the reason.
    let opened = open_one("a.yaml", b"\"a\": 'b\n");
    if let Some(problem) = opened.problem() {
        let what = problems::what_happened(problem);
        assert!(what.contains("line") && what.contains("column"), "{problem:?}");
    }
    let opened = open_one("a.yaml", b"a:\n\t- b: [c]\n");
    assert!(opened.codes().contains(&"broken-yaml".to_owned()), "{:?}", opened.codes());
}

#[test]
fn what_was_evaluated_stands_in_the_run() {
    let row = br#"{"test_id":"a","target":"x","score":1,"artifact_dir":"s/a"}"#;
    let eval = b"description: d\ntests:\n  - id: a\n    input: q\n";
    let targets = b"targets:\n  - name: x\n    provider: cli\n";
    let grading = br#"{"assertions":[{"text":"t","passed":true}],"summary":{"passed":1,"total":1},"graders":[]}"#;
    let files: [(&str, &[u8]); 4] = [
        ("run/index.jsonl", row),
        ("run/s/a/task/EVAL.yaml", eval),
        ("run/s/a/task/targets.yaml", targets),
        ("run/s/a/grading.json", grading),
    ];
    let opened = open(&files, &Opening::default());
    check_outline(&opened);
    assert_eq!(opened.outline().runs.len(), 1);
    let mut found = names(&opened);
    found.sort();
    assert_eq!(found, ["eval", "grading", "targets"]);
}

#[test]
fn the_order_of_reading_does_not_matter() {
    run_folders().iter().for_each(|files| check_order(files));
}

fn check_order(files: &[(String, Vec<u8>)]) {
    let counts = |files: &[(String, Vec<u8>)]| {
        let opened = in_order(files);
        let runs = opened.trace().runs().iter().enumerate();
        let mut counts: Vec<_> = runs
            .map(|(at, run)| {
                let totals = opened.trace().totals(traceloupe_core::model::RunId::from_index(at));
                let usage = if totals.usage.is_empty() { run.usage } else { totals.usage };
                (
                    run.title.clone(),
                    totals.events,
                    totals.llm_calls,
                    totals.tool_calls,
                    totals.errors,
                    usage.input,
                    run.score.map(f64::to_bits),
                    run.status,
                )
            })
            .map(|it| format!("{it:?}"))
            .collect();
        counts.sort();
        counts
    };
    let mut backward = files.to_vec();
    backward.reverse();
    assert_eq!(counts(files), counts(&backward));
}

/// Reads files in exactly the given order.
fn in_order(files: &[(String, Vec<u8>)]) -> Session<MemoryStore> {
    let mut store = MemoryStore::default();
    let handles: Vec<_> = files.iter().map(|(_, bytes)| store.add(bytes.clone())).collect();
    let mut session = Session::new(store, OpenRequest::default());
    for ((name, bytes), handle) in files.iter().zip(handles) {
        let source = session.begin(name, handle);
        session.push(source, bytes);
        session.end(source);
    }
    session.complete();
    session
}
