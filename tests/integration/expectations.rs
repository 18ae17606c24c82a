//! Expectations, summaries and exports in whole sessions, compared with results recorded by the real AgentV.

use crate::harness;

use std::fs;
use std::path::PathBuf;

use harness::{fixtures, open_one, shared, shared_also};
use serde_json::Value;
use traceloupe_protocol::messages::{
    ExportForm, ExportRequest, MadeFile, Report, Request, Response, Spelling, decode, encode,
};
use traceloupe_protocol::report::CheckNote;
use traceloupe_session::expectations::{CallValues, Checker, ToolCall, read};
use traceloupe_session::store::{Handle, Store};
use traceloupe_words::problems;

/// An AgentDbg event.
fn event(id: &str, kind: &str, name: &str, payload: &str) -> String {
    format!(
        r#"{{"spec_version":"0.1","event_id":"{id}","run_id":"r-1","parent_id":null,"event_type":"{kind}","ts":"2026-01-01T00:00:00.000Z","duration_ms":null,"name":"{name}","payload":{payload},"meta":{{}}}}"#
    )
}

fn call(id: &str, name: &str, args: &str, result: &str) -> String {
    let payload = format!(
        r#"{{"tool_name":"{name}","args":{args},"result":{result},"error":null,"status":"ok"}}"#
    );
    event(id, "TOOL_CALL", name, &payload)
}

/// A run in a format unrelated to AgentV.
fn run() -> String {
    let prompt = r#"{"model":"m-1","prompt":[{"role":"user","content":"Weather?"}],"response":"I look.","usage":null,"provider":"p"}"#;
    [
        event("e-1", "LLM_CALL", "m-1", prompt),
        call("e-2", "search", r#"{"q":"Graz","n":12345678901234567890}"#, r#"{"hits":[1]}"#),
        call("e-3", "search", r#"{"q":"Wien"}"#, r#""sunny""#),
        event(
            "e-4",
            "TOOL_CALL",
            "fetch",
            r#"{"tool_name":"fetch","args":{"url":"x"},"result":null,"error":{"error_type":"Timeout","message":"too late"},"status":"error"}"#,
        ),
    ]
    .join("\n")
}

/// Sends a request with the encoding that the page and the worker use.
fn ask(opened: &mut harness::Opened, request: &Request) -> Response {
    let request = decode(&encode(request)).unwrap();
    decode(&encode(&opened.ask(&request))).unwrap()
}

fn check(opened: &mut harness::Opened, run: u32, text: &str) -> Report {
    match ask(opened, &Request::Check(run, text.to_owned(), 5)) {
        Response::Checked(5, report) => *report,
        other => panic!("{other:?}"),
    }
}

fn export(opened: &mut harness::Opened, form: ExportForm, is_yaml: bool) -> (String, MadeFile) {
    let wanted = ExportRequest { run: 0, form, is_yaml };
    let Response::File(9, file) = ask(opened, &Request::ExportRun(wanted, 9)) else { panic!() };
    let len = usize::try_from(file.len).unwrap();
    let bytes = opened.session.store().read(Handle(file.handle), file.start, len).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let Response::ExportPreview(3, preview, is_whole) =
        ask(opened, &Request::ExportPreview(wanted, 3))
    else {
        panic!()
    };
    assert!(text.starts_with(&preview) && is_whole == (preview == text));
    (text, file)
}

#[test]
fn a_run_of_another_format_is_held_against_expectations() {
    let mut opened = open_one("events.jsonl", run().as_bytes());
    let text = r#"{"type":"tool_trajectory","mode":"exact","expected":[
        {"tool":"search","args":{"q":"Graz"},"args_match":"superset"},
        {"tool":"search","args":{"q":"Linz"}},
        {"tool":"fetch","max_duration_ms":5}]}"#;
    let report = check(&mut opened, 0, text);
    let checked = &report.tests[0].checks[0];
    let said: Vec<_> = checked
        .assertions
        .iter()
        .map(|it| (it.text.as_str(), it.passed, it.events.as_slice()))
        .collect();
    assert_eq!(
        said,
        [
            ("Position 0: search", true, &[1][..]),
            ("Position 1: search args mismatch", false, &[2]),
            ("Position 2: fetch", true, &[3]),
        ]
    );
    assert_eq!(checked.notes[0], CheckNote::NoDuration("fetch".to_owned()));
    assert_eq!(report.n_calls, 3);
    // An expected output is compared with the file's; an error message counts as output.
    let text = r#"{"expected_messages":[{"role":"assistant","tool_calls":[
        {"tool":"search","output":{"hits":[1]}},{"tool":"search","output":"rain"},
        {"tool":"fetch","output":"too late"}]}]}"#;
    let report = check(&mut opened, 0, text);
    let passed: Vec<_> = report.tests[0].checks[0].assertions.iter().map(|it| it.passed).collect();
    assert_eq!(passed, [true, false, true]);
    let asked = Request::Check(0, "{\"mode\":\"no\"}".to_owned(), 8);
    let Response::RequestFailed(8, problem) = ask(&mut opened, &asked) else { panic!() };
    let at = problems::details(&problem);
    assert_eq!((&*problem.code().word(), at.as_str()), ("expectation", "mode"));
    // A run that does not exist has no calls.
    assert_eq!(check(&mut opened, 7, r#"{"minimums":{"a":1}}"#).n_calls, 0);
}

#[test]
fn the_summary_of_a_run_of_another_format() {
    let mut opened = open_one("events.jsonl", run().as_bytes());
    let Response::Summary(0, summary) = ask(&mut opened, &Request::Summary(0)) else { panic!() };
    assert_eq!(
        summary.json(Spelling::Camel),
        r#"{"eventCount":4,"toolNames":["fetch","search"],"toolCallsByName":{"fetch":1,"search":2},"errorCount":1}"#
    );
}

#[test]
fn every_form_is_one_strict_document() {
    for form in ExportForm::ALL {
        let mut opened = open_one("events.jsonl", run().as_bytes());
        let (text, file) = export(&mut opened, form, false);
        let items: Vec<Value> = serde_json::from_str(&text).unwrap();
        assert!(!items.is_empty());
        assert!(text.contains("Graz") && text.contains("12345678901234567890"), "{text}");
        assert!(text.contains("too late") && text.contains("I look."), "{text}");
        assert_eq!(file.name, format!("r-1.{}.json", form.word()));
        // The prompt becomes a message in formats that have messages.
        assert_eq!(text.contains("Weather?"), form != ExportForm::AgentvEvents);
        let (yaml, file) = export(&mut opened, form, true);
        assert!(yaml.starts_with("- ") && file.name.ends_with(".yaml"));
    }
}

fn check_calls(calls: &[Value], text: &str) -> Report {
    let mut checker = Checker::new(read(text).unwrap(), &[]);
    for (event, call) in (0..).zip(calls) {
        let name = call["tool"].as_str().unwrap();
        let values = CallValues {
            arguments: call.get("input").map(Value::to_string),
            outcome: call.get("output").map(Value::to_string),
        };
        let duration_ms = call["duration_ms"].as_f64();
        checker.push(&ToolCall { event, name, duration_ms }, &values);
    }
    checker.finish()
}

/// Compares a report with what AgentV recorded for the same check.
fn assert_recorded(report: &Report, recorded: &Value) {
    let [test] = report.tests.as_slice() else { panic!("{report:?}") };
    let [check] = test.checks.as_slice() else { panic!("{report:?}") };
    assert_eq!(check.score, recorded["score"].as_f64().unwrap());
    assert_eq!(check.verdict.word(), recorded["verdict"]);
    let said: Vec<(&str, bool)> =
        check.assertions.iter().map(|it| (it.text.as_str(), it.passed)).collect();
    let theirs: Vec<(&str, bool)> = match recorded["assertions"].as_array() {
        Some(list) => list
            .iter()
            .map(|it| (it["text"].as_str().unwrap(), it["passed"].as_bool().unwrap()))
            .collect(),
        None => {
            let of = |key: &str, passed| {
                let list = recorded[key].as_array().unwrap();
                list.iter().map(move |it| (it.as_str().unwrap(), passed)).collect::<Vec<_>>()
            };
            [of("hits", true), of("misses", false)].concat()
        }
    };
    assert_eq!(said, theirs);
}

/// A run folder of AgentV 4: for each test with a recorded check, the folder of its calls, and the subject of the
/// check.
struct RunFolder {
    path: PathBuf,
    checks: &'static [(&'static str, &'static str, &'static str)],
}

/// Our own run folder. The sentences follow from the rules of AgentV.
const OWN: &[(&str, &str, &str)] = &[
    (
        "in-order",
        "in-order",
        r#"{"mode":"in_order","expected":[{"tool":"findPart","args":{"part":"cog"},"args_match":"superset","max_duration_ms":500},{"tool":"orderPart","args":"any"}]}"#,
    ),
    (
        "too-short",
        "in-order",
        r#"{"mode":"exact","expected":[{"tool":"findPart"},{"tool":"orderPart"}]}"#,
    ),
    ("allowed-only", "allowed-only", r#"{"mode":"subset","expected":[{"tool":"poll"}]}"#),
    ("tool-error", "tool-error", r#"{"mode":"superset","expected":[{"tool":"openGate"}]}"#),
];

/// The real run folder. The test file itself is not among the samples; two of the tests without a transcript were run
/// over the messages of a third.
const REAL: &[(&str, &str, &str)] = &[
    (
        "any-order-pass",
        "in-order-args",
        r#"{"mode":"any_order","minimums":{"knowledgeSearch":2,"documentRetrieve":1,"missingTool":1}}"#,
    ),
    (
        "in-order-args",
        "in-order-args",
        r#"{"mode":"in_order","expected":[{"tool":"knowledgeSearch","args":{"query":"REST"},"args_match":"superset","max_duration_ms":500},{"tool":"documentRetrieve","args":"any"}]}"#,
    ),
    (
        "exact-fail",
        "in-order-args",
        r#"{"mode":"exact","expected":[{"tool":"knowledgeSearch"},{"tool":"documentRetrieve"}]}"#,
    ),
    ("looping-agent", "looping-agent", r#"{"mode":"subset","expected":[{"tool":"search"}]}"#),
    ("tool-error", "tool-error", r#"{"mode":"superset","expected":[{"tool":"Read"}]}"#),
];

#[test]
fn scores_and_messages_that_agentv_4_recorded() {
    let own = RunFolder { path: fixtures::folder().join("agentv/run-folder"), checks: OWN };
    let real = shared_also("traces/agentv/npm-4.42.4-run");
    let real = real.map(|path| RunFolder { path, checks: REAL });
    for RunFolder { path, checks } in [Some(own), real].into_iter().flatten() {
        let index = fs::read_to_string(path.join("index.jsonl")).unwrap();
        let rows: Vec<Value> = index.lines().map(|it| serde_json::from_str(it).unwrap()).collect();
        let mut n_checked = 0;
        for row in &rows {
            let scores = row["scores"].as_array().cloned().unwrap_or_default();
            for recorded in scores.iter().filter(|it| it["type"] == "tool-trajectory") {
                let known = checks.iter().find(|(id, ..)| row["test_id"] == *id);
                let (_, case, text) = known.unwrap_or_else(|| panic!("{row}"));
                let text = text.replacen('{', r#"{"type":"tool-trajectory","#, 1);
                for file in ["transcript.jsonl", "trace.json"] {
                    let bytes = fs::read(path.join(case).join(file)).unwrap();
                    let mut opened = open_one(file, &bytes);
                    assert_recorded(&check(&mut opened, 0, &text), recorded);
                    n_checked += 1;
                }
            }
        }
        assert_eq!(n_checked, 2 * checks.len());
    }
}

/// Expectations of the rows recorded in January 2026, and the calls that the sentences in those
/// rows mention.
const OF_2026_01: [(&str, &str, &[&str]); 7] = [
    (
        "any-order-pass",
        r#"{"mode":"any_order","minimums":{"knowledgeSearch":2,"documentRetrieve":1}}"#,
        RESEARCH,
    ),
    (
        "exact-auth-flow",
        r#"{"mode":"exact","expected":["checkCredentials","generateToken","auditLog"]}"#,
        &["checkCredentials", "generateToken", "auditLog"],
    ),
    (
        "in-order-pass",
        r#"{"mode":"in_order","expected":["fetchData","validateSchema","transformData","saveResults"]}"#,
        &["fetchData", "validateSchema", "transformData", "saveResults"],
    ),
    (
        "metrics-check",
        r#"{"mode":"any_order","minimums":{"getCpuMetrics":1,"getMemoryMetrics":1}}"#,
        &["getCpuMetrics", "getMemoryMetrics"],
    ),
    (
        "partial-match",
        r#"{"mode":"any_order","minimums":{"knowledgeSearch":1,"documentRetrieve":1,"generateReport":1}}"#,
        RESEARCH,
    ),
    (
        "exact-args-match",
        r#"{"mode":"in_order","expected":["search","get_weather"]}"#,
        &["search", "get_weather"],
    ),
    (
        "skip-args-validation",
        r#"{"mode":"in_order","expected":[{"tool":"load_data","args":"any"},{"tool":"transform","args":"any"},{"tool":"save_data"}]}"#,
        &["load_data", "transform", "save_data"],
    ),
];

const RESEARCH: &[&str] = &["knowledgeSearch", "knowledgeSearch", "documentRetrieve"];

#[test]
fn scores_and_messages_that_agentv_recorded_in_january_2026() {
    let name = "traces/agentv/2026-01-results-trace_summary-tool-trajectory.jsonl";
    let Some(path) = shared(name) else { return };
    let text = fs::read_to_string(path).unwrap();
    let mut n_checked = 0;
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        for recorded in row["evaluator_results"].as_array().unwrap() {
            let (_, text, calls) =
                OF_2026_01.iter().find(|(id, ..)| row["eval_id"] == *id).unwrap();
            let text = text.replacen('{', r#"{"type":"tool_trajectory","#, 1);
            let calls: Vec<Value> =
                calls.iter().map(|name| serde_json::json!({"tool": name})).collect();
            // The number of calls matches the producer's count.
            let counted = row["trace_summary"]["event_count"].as_u64().unwrap();
            assert_eq!(calls.len() as u64, counted);
            assert_recorded(&check_calls(&calls, &text), recorded);
            n_checked += 1;
        }
    }
    assert_eq!(n_checked, OF_2026_01.len());
}
