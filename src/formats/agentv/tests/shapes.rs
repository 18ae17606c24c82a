//! What each shape is read as.

use super::*;
use traceloupe_core::model::{BlockRole, ErrorLabel, RunStatus, RunVerdict};

#[test]
fn trace_events_pair_by_id_and_then_by_name_in_order() {
    let text = r#"{"text":"done","trace":[
 {"type":"message","timestamp":"2024-01-01T10:00:00Z","text":"ask","metadata":{"role":"user"}},
 {"type":"model_step","timestamp":"2024-01-01T10:00:01Z","text":"think","metadata":{"model":"m"}},
 {"type":"tool_call","startTime":"2024-01-01T10:00:02Z","name":"a","input":{"n":1}},
 {"type":"tool_call","timestamp":"2024-01-01T10:00:02Z","name":"a","input":{"n":2}},
 {"type":"tool_call","timestamp":"2024-01-01T10:00:02Z","id":"x","name":"b"},
 {"type":"tool_result","timestamp":"2024-01-01T10:00:03Z","id":"x","name":"b","output":"B"},
 {"type":"tool_result","timestamp":"2024-01-01T10:00:04Z","name":"a","output":"first"},
 {"type":"tool_result","timestamp":"2024-01-01T10:00:05Z","name":"a","output":{"error":"ENOENT: gone"}},
 {"type":"tool_result","timestamp":"2024-01-01T10:00:05Z","id":"y","name":"c","output":1},
 {"type":"error","timestamp":"2024-01-01T10:00:06Z","text":"Boom: it broke"}]}"#;
    assert!(is_certain(text));
    let read = one(text);
    let expected = [
        "user ",
        "llm-call m",
        "tool-call a",
        "tool-call a",
        "tool-call b",
        "tool-call c",
        "error Boom",
        "llm-call ",
    ];
    assert_eq!(read.outline(), expected);
    let seconds: Vec<_> =
        (2..5).map(|at| event(&read, at).duration.get().unwrap() / 1_000_000_000).collect();
    assert_eq!(seconds, [2, 3, 1]);
    assert_eq!((event(&read, 2).status, event(&read, 3).status), (Status::Ok, Status::Failed));
    assert_eq!(read.trace.error(event(&read, 3).error), ErrorLabel::Type("ENOENT"));
    assert_eq!(read.summary(7), "\"done\"");
    assert!(event(&read, 7).flags.has(Flags::ANSWER));
    let blocks = read.detail(&AGENTV, 2).blocks;
    assert!(matches!(blocks.as_slice(), [Block::Arguments(_), Block::Result(_), ..]), "{blocks:?}");
    assert_eq!(read.trace.warnings().as_slice()[0].code.word(), "result-without-call");
}

#[test]
fn bare_events_are_one_run() {
    let lines = [
        r#"{"type":"tool_call","timestamp":"2024-01-01T10:00:02Z","name":"a","input":{}}"#,
        r#"{"type":"tool_result","timestamp":"2024-01-01T10:00:04Z","name":"a","output":"o"}"#,
        r#"{"type":"message","timestamp":"2024-01-01T10:00:05Z","text":"end"}"#,
    ];
    assert!(is_certain(lines[0]));
    let read = read(&AGENTV, &[&lines]);
    assert_eq!(read.outline(), ["tool-call a", "llm-call "]);
    assert_eq!(read.trace.runs()[0].key, "source 0");
}

#[test]
fn the_compact_form_as_document_list_and_lines() {
    let user = r#"{"role":"user","content":"q"}"#;
    let assistant = r#"{"role":"assistant","content":"Let me","tool_calls":[{"tool":"getWeather","input":{"city":"NYC"},"output":"72°F"},{"tool":"getTime","input":{"z":1}}]}"#;
    let answer = r#"{"role":"assistant","content":[{"type":"text","text":"It is"}]}"#;
    let expected =
        ["user ", "llm-call ", " tool-call getWeather", " tool-call getTime", "llm-call "];
    let lines = [user, assistant, answer];
    let by_line = read(&AGENTV, &[&lines]);
    assert_eq!(by_line.outline(), expected);
    assert!(matches!(sniff(&AGENTV, "x", &lines), Verdict::Certain(_)));
    for name in ["output_messages", "output", "messages", "outputMessages"] {
        let document = format!("{{\"{name}\":[{}]}}", lines.join(","));
        assert!(is_certain(&document), "{name}");
        let read = one(&document);
        assert_eq!(read.outline(), expected, "{name}");
        assert_eq!((event(&read, 2).status, event(&read, 3).status), (Status::Ok, Status::Missing));
        assert_eq!(read.summary(4), "\"It is\"");
    }
    // Messages without calls in the compact form may come from any producer.
    assert_eq!(sniff(&AGENTV, "x", &[user, answer]), Verdict::No);
    let openai = r#"{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]}"#;
    assert_eq!(sniff(&AGENTV, "x", &[openai]), Verdict::No);
    let blocks = by_line.detail(&AGENTV, 1).blocks;
    let [Block::Text(BlockRole::Response, _), calls @ ..] = blocks.as_slice() else {
        panic!("{blocks:?}")
    };
    assert!(matches!(calls, [Block::ToolUse(..), Block::ToolUse(..)]), "{blocks:?}");
}

#[test]
fn rows_of_every_era_in_both_cases() {
    let old = r#"{"timestamp":"t","eval_id":"e","dataset":"d","target":"x","score":0.5,"hits":["h"],"misses":["m"],"candidate_answer":"A","lm_provider_request":{"question":"Q?","guidelines":""},"evaluator_results":[{"name":"g","type":"tool_trajectory","score":0.5,"verdict":"fail","hits":["h"],"misses":["m"]}],"trace_summary":{"event_count":3,"tool_names":["knowledgeSearch"],"tool_calls_by_name":{"knowledge_search":2},"error_count":1,"duration_ms":41}}"#;
    let read = one(old);
    assert_eq!(read.outline(), ["user ", "llm-call ", "note grading"]);
    let run = &read.trace.runs()[0];
    assert_eq!((run.score, run.verdict), (Some(0.5), Some(RunVerdict::Fail)));
    assert_eq!(run.title.as_deref(), Some("d / e · x"));
    assert_eq!((run.counts.tool_calls, run.counts.errors), (Some(2), Some(1)));
    assert_eq!(
        (read.summary(0), read.summary(1), read.summary(2)),
        ("\"Q?\"".into(), "\"A\"".into(), "\"m\"".into())
    );
    let camel = r#"{"testId":"t","score":1,"target":"x","executionStatus":"quality_failure","durationMs":10,"costUsd":0.5,"tokenUsage":{"input":5,"output":6},"trace":{"messages":[{"role":"assistant","toolCalls":[{"tool":"a","input":1,"output":2,"durationMs":7}]}]},"attempt":2}"#;
    let read = one(camel);
    assert_eq!(read.outline(), ["llm-call ", " tool-call a", "note grading"]);
    let run = &read.trace.runs()[0];
    assert_eq!((run.status, run.verdict), (RunStatus::Ok, Some(RunVerdict::Fail)));
    assert_eq!(run.title.as_deref(), Some("t · x · attempt 2"));
    assert_eq!((run.usage.input, run.duration.get()), (Some(5), Some(10_000_000)));
    assert_eq!(event(&read, 1).duration.get(), Some(7_000_000));
    assert_eq!(
        facts_of(&read.trace.runs()[0].facts, &FactKind::Cost).next(),
        Some(&FactValue::Dollars(0.5))
    );
    let with_trace = r#"{"test_id":"t","score":1,"trace":[{"type":"tool_call","timestamp":"2024-01-01T10:00:02Z","name":"a","input":{}}],"output":"the end"}"#;
    assert_eq!(one(with_trace).outline(), ["tool-call a", "llm-call ", "note grading"]);
    // Test data is not a result.
    let case = r#"{"id":"c","input":"q","expected_output":"a"}"#;
    assert_eq!(sniff(&AGENTV, "x", &[case]), Verdict::No);
    assert_eq!(sniff(&AGENTV, "x", &[r#"{"score":1,"name":"n"}"#]), Verdict::No);
}

#[test]
fn a_grade_shows_each_assertion_with_its_mark() {
    let row = r#"{"test_id":"t","score":0.5,"scores":[{"name":"g","type":"llm","score":0.5,"verdict":"borderline","assertions":[{"text":"one","passed":true},{"text":"two","passed":false,"evidence":"why"}]}]}"#;
    let read = one(row);
    let blocks = read.detail(&AGENTV, 0).blocks;
    let labels: Vec<_> = blocks
        .iter()
        .filter_map(|block| match block {
            Block::Fields(BlockRole::Named("Assertions"), fields) => Some(fields),
            _ => None,
        })
        .flatten()
        .filter_map(|field| field.label.key())
        .collect();
    assert_eq!(labels, ["✓ passed", "✗ failed", "evidence"]);
    let Block::Fields(BlockRole::Named("Score"), fields) = &blocks[0] else { panic!("{blocks:?}") };
    assert_eq!(fields[0].value, Value::Text("0.500".to_owned()));
    assert_eq!(read.trace.runs()[0].verdict, Some(RunVerdict::Borderline));
}

#[test]
fn grading_timing_metrics_and_benchmark() {
    let grading = r#"{"assertions":[{"text":"a","passed":false,"evidence":""}],"summary":{"passed":0,"failed":1,"total":1},"execution_metrics":{"errors_encountered":1,"tool_calls":{}}}"#;
    let read = one(grading);
    assert_eq!(read.outline(), ["note grading"]);
    assert_eq!(read.trace.runs()[0].status, RunStatus::Error);
    let timing = r#"{"total_tokens":9,"duration_ms":7,"total_duration_seconds":0.007,"token_usage":{"input":4,"output":5}}"#;
    assert!(matches!(sniff(&AGENTV, "timing.json", &[timing]), Verdict::Likely(_)));
    assert_eq!(sniff(&AGENTV, "x.json", &[timing]), Verdict::No);
    let read = one(timing);
    assert_eq!(
        (read.outline(), read.trace.runs()[0].usage.output),
        (vec!["note timing".to_owned()], Some(5))
    );
    let metrics = r#"{"schema_version":"agentv.metrics.v1","test_id":"t","target":"x","metrics":{"tool_calls":{"A":1},"total_tool_calls":1},"duration":{"total_ms":5},"tokens":{"input":1,"output":2},"execution":{"status":"ok"}}"#;
    assert!(is_certain(metrics));
    let read = one(metrics);
    assert_eq!(read.trace.runs()[0].status, RunStatus::Ok);
    assert_eq!(fact(&read, "Tools"), Some("A ×1"));
    let benchmark = r#"{"metadata":{"eval_file":"e","targets":["x"]},"run_summary":{"x":{}}}"#;
    assert!(is_certain(benchmark));
    assert_eq!(one(benchmark).outline(), ["note benchmark"]);
}

#[test]
fn no_two_formats_are_certain_of_one_shape() {
    for record in [
        r#"{"text":"a","trace_ref":"trace.json"}"#,
        r#"{"v":1,"agent":"a","type":"user","content":[]}"#,
        r#"{"schema_version":"agentv.trace.v1","trace":{"spans":[]}}"#,
        r#"{"type":"tool_call","timestamp":"2024-01-01T10:00:02Z","name":"a","input":{}}"#,
    ] {
        let certain: Vec<_> = FORMATS
            .iter()
            .filter(|format| matches!(sniff(**format, "x", &[record]), Verdict::Certain(_)))
            .map(|format| format.id())
            .collect();
        assert_eq!(certain, ["agentv"], "{record}");
    }
}

#[test]
fn activities_and_transcripts_of_others_are_not_taken() {
    for record in [
        r#"{"type":"message","id":"1","timestamp":"2026-03-02T08:00:05Z","text":"a","from":{"id":"u","role":"user"}}"#,
        r#"{"type":"message","timestamp":"2026-03-02T08:00:05Z","text":"a","from":"u","channelId":"emulator"}"#,
        r#"{"v":1,"agent":"codex","cli_version":"0.5.1","type":"user","content":[{"text":"a"}]}"#,
    ] {
        assert!(matches!(sniff(&AGENTV, "x", &[record]), Verdict::No), "{record}");
    }
    // An event of AgentV itself, with neither.
    let event = r#"{"type":"message","timestamp":"2026-03-02T08:00:05Z","text":"a"}"#;
    assert!(matches!(sniff(&AGENTV, "x", &[event]), Verdict::Likely(_)));
}
