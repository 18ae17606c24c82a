//! Wrong types, duplicate keys, deep nesting, cycles, ids used twice: always a trace, never a panic.

use super::*;

#[test]
fn any_types_anywhere() {
    let values = [
        "null",
        "1",
        "-0.5",
        "\"\"",
        "\"x\"",
        "[]",
        "{}",
        "[[]]",
        "[null,1,\"a\",{}]",
        r#"{"a":[1]}"#,
        "1e999",
    ];
    let keys = [
        "schema_version",
        "score",
        "test_id",
        "target",
        "trace",
        "trace_summary",
        "output",
        "output_messages",
        "messages",
        "turns",
        "v",
        "agent",
        "type",
        "role",
        "content",
        "tool_calls",
        "scores",
        "assertions",
        "summary",
        "metrics",
        "events",
        "spans",
        "text",
        "trace_ref",
        "input",
        "error",
        "token_usage",
        "timestamp",
        "message",
        "toolCallId",
    ];
    let bases = [
        r#""test_id":"t","score":1"#,
        r#""schema_version":"agentv.trace.v1","trace":{"spans":[{"span_id":"a","parent_span_id":"a"}]}"#,
        r#""schema_version":"agentv.transcript.v1","role":"assistant""#,
        r#""schema_version":"agentv.normalized_transcript.v1""#,
        r#""schema_version":"agentv.replay_fixture.v1""#,
        r#""schema_version":"agentv.metrics.v1""#,
        r#""v":1,"agent":"a","type":"assistant""#,
        r#""text":"a","trace":[{"type":"tool_call","name":"x","input":1}]"#,
        r#""role":"assistant","tool_calls":[{"tool":"x"}]"#,
        r#""summary":{"passed":1,"total":1},"assertions":[1,{}]"#,
        r#""type":"message_end","message":{"role":"assistant"}"#,
    ];
    for base in bases {
        for key in keys {
            for value in values {
                let text = format!("{{{base},\"{key}\":{value}}}");
                let read = read(&AGENTV, &[&[&text, &text]]);
                let events = (0..).zip(read.trace.events());
                for (at, _) in events.filter(|(_, event)| !event.is_absorbed()) {
                    let detail = read.detail(&AGENTV, at);
                    assert!(!detail.blocks.is_empty(), "{text}");
                }
            }
        }
    }
}

#[test]
fn circles_of_spans_and_ids_used_twice() {
    let span = |id: &str, parent: &str| {
        format!(
            r#"{{"span_id":"{id}","parent_span_id":"{parent}","attributes":{{"gen_ai.operation.name":"execute_tool"}}}}"#
        )
    };
    let text = format!(
        r#"{{"schema_version":"agentv.trace.v1","trace":{{"trace_id":"t","spans":[{},{},{},{}]}}}}"#,
        span("a", "b"),
        span("b", "a"),
        span("c", "c"),
        span("a", "missing")
    );
    let read = read(&AGENTV, &[&[&text, &text]]);
    assert_eq!(read.trace.events().len(), read.outline().len());
    let call =
        r#"{"type":"tool_call","timestamp":"2024-01-01T10:00:02Z","id":"1","name":"a","input":{}}"#;
    let result = r#"{"type":"tool_result","timestamp":"2024-01-01T10:00:01Z","id":"1","name":"a","output":1}"#;
    let lines = [call, call, result, result, result];
    let read = super::read(&AGENTV, &[&lines]);
    // Each call has its result; the third result is added to the last one.
    assert_eq!(read.trace.events().len(), 2);
    assert!(read.trace.events().iter().all(|event| !event.duration.is_known()));
}

#[test]
fn depth_costs_no_stack() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for text in [
        format!(r#"{{"test_id":"t","score":1,"output":{deep},"scores":{deep},"trace":{deep}}}"#),
        format!(
            r#"{{"role":"assistant","content":{deep},"tool_calls":[{{"tool":"a","input":{deep},"output":{deep}}}]}}"#
        ),
    ] {
        let read = one(&text);
        assert!(!read.detail(&AGENTV, 0).blocks.is_empty());
    }
}
