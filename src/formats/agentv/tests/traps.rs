//! The places where AgentV's files mislead.

use super::*;

fn span(id: &str, parent: &str, times: (u64, u64), attributes: &str) -> String {
    let parent = if parent.is_empty() { "null".to_owned() } else { format!("\"{parent}\"") };
    format!(
        r#"{{"trace_id":"t","span_id":"{id}","parent_span_id":{parent},"name":"n","start_time_unix_nano":"{}","end_time_unix_nano":"{}","status":{{"code":"OK"}},"attributes":{attributes},"events":[]}}"#,
        times.0, times.1
    )
}

fn document(spans: &[String]) -> String {
    format!(
        r#"{{"schema_version":"agentv.trace.v1","eval":{{"suite":"s","test_id":"c","target":"x","attempt":0}},"trace":{{"trace_id":"t","root_span_id":"r","spans":[{}]}}}}"#,
        spans.join(",\n")
    )
}

const START: u64 = 1_780_308_000_000_000_000;
const MS: u64 = 1_000_000;

#[test]
fn inherited_times_are_not_recorded() {
    let whole = (START, START + 2500 * MS);
    let text = document(&[
        span(
            "r",
            "",
            whole,
            r#"{"gen_ai.operation.name":"invoke_agent","agentv.trace.duration_ms":4321}"#,
        ),
        span("c", "r", whole, r#"{"gen_ai.operation.name":"chat"}"#),
        span("a", "c", whole, r#"{"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"a"}"#),
        span(
            "b",
            "c",
            (START, START + 350 * MS),
            r#"{"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"b"}"#,
        ),
        span(
            "d",
            "c",
            (START + MS, START + 3 * MS),
            r#"{"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"d"}"#,
        ),
    ]);
    let read = one(&text);
    let times = |at: usize| (event(&read, at).start.get(), event(&read, at).duration.get());
    assert_eq!((times(1), times(2)), ((None, None), (None, None)));
    assert_eq!(times(3).1, Some(350_000_000));
    assert!(event(&read, 3).flags.has(Flags::INFERRED_TIME));
    assert_eq!(times(4).1, Some(2_000_000));
    assert!(!event(&read, 4).flags.has(Flags::INFERRED_TIME));
    // The run's duration is that of the process; its start and end are those of the messages.
    let run = &read.trace.runs()[0];
    assert_eq!(run.duration.get(), Some(4_321_000_000));
    assert_eq!(run.end.get().unwrap() - run.start.get().unwrap(), 2_500_000_000);
}

#[test]
fn inherited_times_of_transcript_rows() {
    let row = |index: u32, more: &str| {
        format!(
            r#"{{"schema_version":"agentv.transcript.v1","test_id":"t","target":"x","message_index":{index},{more},"transcript_duration_ms":1200,"source":{{"timestamp":"2026-06-06T12:00:00.000Z"}}}}"#
        )
    };
    let call = |more: &str| {
        format!(r#""role":"assistant","tool_calls":[{{"tool":"a","input":1,"output":2,{more}}}]"#)
    };
    let inherited = r#""start_time":"2026-06-06T12:00:00.000Z","end_time":"2026-06-06T12:00:01.200Z","duration_ms":1200"#;
    let own = r#""start_time":"2026-06-06T12:00:00.100Z","duration_ms":1200"#;
    let lines =
        [row(0, r#""role":"user","content":"q""#), row(1, &call(inherited)), row(2, &call(own))];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let read = read(&AGENTV, &[&lines]);
    let calls: Vec<_> =
        read.trace.events().iter().filter(|it| it.kind == EventKind::ToolCall).collect();
    assert_eq!((calls[0].start.get(), calls[0].duration.get()), (None, None));
    assert_eq!(calls[1].duration.get(), Some(1_200_000_000));
}

#[test]
fn usage_on_root_and_leaf_counts_once() {
    let tokens = r#""gen_ai.usage.input_tokens":2400,"gen_ai.usage.output_tokens":300"#;
    let root = span(
        "r",
        "",
        (START, START + MS),
        &format!(r#"{{"gen_ai.operation.name":"invoke_agent",{tokens}}}"#),
    );
    let chat = |tokens: &str| {
        span(
            "c",
            "r",
            (START, START + MS),
            &format!(r#"{{"gen_ai.operation.name":"chat"{tokens}}}"#),
        )
    };
    let both = one(&document(&[root.clone(), chat(&format!(",{tokens}"))]));
    let total = both.trace.totals(traceloupe_core::model::RunId::from_index(0)).usage;
    assert_eq!((total.input, total.output), (Some(2400), Some(300)));
    assert!(both.trace.runs()[0].usage.is_empty());
    // Without a chat span that has the usage, it is the run's.
    let alone = one(&document(&[root, chat("")]));
    assert!(alone.trace.totals(traceloupe_core::model::RunId::from_index(0)).usage.is_empty());
    assert_eq!(alone.trace.runs()[0].usage.input, Some(2400));
}

#[test]
fn usage_on_every_row_counts_once() {
    let row = |test: &str, index: u32, role: &str| {
        format!(
            r#"{{"schema_version":"agentv.transcript.v1","test_id":"{test}","target":"x","message_index":{index},"role":"{role}","content":"c","transcript_token_usage":{{"input":900,"output":220}},"transcript_cost_usd":0.5}}"#
        )
    };
    let lines = [
        row("a", 0, "user"),
        row("a", 1, "assistant"),
        row("b", 0, "user"),
        row("a", 2, "assistant"),
        row("b", 1, "assistant"),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let read = read(&AGENTV, &[&lines]);
    let usages: Vec<_> =
        read.trace.runs().iter().map(|run| (run.usage.input, run.usage.output)).collect();
    assert_eq!(usages, [(Some(900), Some(220)); 2]);
    let rows: Vec<_> = (0..2)
        .map(|at| read.trace.order(traceloupe_core::model::RunId::from_index(at)).len())
        .collect();
    assert_eq!(rows, [3, 2]);
    assert!(read.trace.events().iter().all(|event| read.trace.usage(event).is_none()));
}

#[test]
fn tools_are_named_as_the_agent_names_them() {
    let row = |counts: &str| {
        format!(
            r#"{{"test_id":"t","score":1,"trace_summary":{{"tool_names":["documentRetrieve","knowledgeSearch"],"tool_calls_by_name":{counts}}}}}"#
        )
    };
    let read = one(&row(r#"{"knowledge_search":2,"document_retrieve":1,"other_tool":3}"#));
    assert_eq!(
        fact(&read, "Tools"),
        Some("knowledgeSearch ×2, documentRetrieve ×1, other_tool ×3")
    );
    assert_eq!(read.trace.runs()[0].counts.tool_calls, Some(6));
}

#[test]
fn the_text_before_calls_that_comes_again_is_shown_once() {
    let calls = r#"{"type":"tool_use","id":"1","tool_name":"shell","name":"Bash","input":{"command":"ls"},"result":{"status":"success","output":"o","duration_ms":3}}"#;
    let turn = |content: &str| {
        format!(r#"{{"v":1,"agent":"pi","type":"assistant","content":[{content}]}}"#)
    };
    let text = |text: &str| format!(r#"{{"type":"text","text":"{text}"}}"#);
    let lines = [turn(&format!("{},{calls}", text("READY"))), turn(&text("READY"))];
    let document = format!(
        r#"{{"schema_version":"agentv.normalized_transcript.v1","turns":[{}]}}"#,
        lines.join(",\n")
    );
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    for read in [one(&document), read(&AGENTV, &[&lines])] {
        assert_eq!(read.outline()[..3], ["llm-call ", " tool-call Bash", "llm-call "]);
        assert_eq!((read.summary(0), read.summary(2)), (String::new(), "\"READY\"".into()));
        assert!(
            !event(&read, 0).flags.has(Flags::ANSWER) && event(&read, 2).flags.has(Flags::ANSWER)
        );
        assert_eq!(event(&read, 1).duration.get(), Some(3_000_000));
        let told = read.detail(&AGENTV, 0).blocks;
        assert!(told.iter().any(|block| matches!(block, Block::Note(_))), "{told:?}");
    }
    // A different text is an answer of its own.
    let other = [turn(&format!("{},{calls}", text("Let me look"))), turn(&text("READY"))];
    let other: Vec<&str> = other.iter().map(String::as_str).collect();
    assert_eq!(read(&AGENTV, &[&other]).summary(0), "\"Let me look\"");
}

#[test]
fn a_crash_is_known_by_the_row_and_by_the_root_span() {
    let row = r#"{"test_id":"t","score":0,"execution_status":"execution_error","error":"boom (exit code 3)","failure_stage":"agent","failure_reason_code":"provider_error"}"#;
    let read = one(row);
    assert_eq!(read.outline(), ["error provider_error", "note grading"]);
    let run = &read.trace.runs()[0];
    assert_eq!((run.status, run.verdict), (RunStatus::Error, None));
    assert_eq!(fact(&read, "Failure stage"), Some("agent"));
    let root = span(
        "r",
        "",
        (START, START),
        r#"{"gen_ai.operation.name":"invoke_agent","agentv.execution_status":"execution_error"}"#,
    );
    let root = root.replace(
        r#""events":[]"#,
        r#""events":[{"name":"exception","attributes":{"exception.message":"boom"}}]"#,
    );
    let read = one(&document(&[root]));
    assert_eq!(read.trace.runs()[0].status, RunStatus::Error);
    assert_eq!(read.trace.totals(traceloupe_core::model::RunId::from_index(0)).errors, 1);
    assert!(!event(&read, 0).duration.is_known(), "a run that never began took no time");
}

#[test]
fn what_a_person_says_later_stands_where_it_was_said() {
    let said = |index: u32, role: &str| {
        format!(
            r#"{{"name":"agentv.transcript.message","attributes":{{"agentv.transcript.message.index":{index},"agentv.transcript.message":{{"role":"{role}","content":"{role} {index}"}}}}}}"#
        )
    };
    let root = span("r", "", (START, START), r#"{"gen_ai.operation.name":"invoke_agent"}"#);
    let events = [said(0, "user"), said(1, "assistant"), said(2, "user"), said(3, "assistant")];
    let root = root.replace(r#""events":[]"#, &format!(r#""events":[{}]"#, events.join(",")));
    let chat = |id: &str, index: u32| {
        let attributes = format!(
            r#"{{"gen_ai.operation.name":"chat","agentv.message.index":{index},"gen_ai.output.messages":"assistant {index}"}}"#
        );
        span(id, "r", (START, START), &attributes)
    };
    let read = one(&document(&[root, chat("a", 1), chat("b", 3)]));
    let expected = ["run-start n", " user ", " llm-call n", " user ", " llm-call n"];
    assert_eq!(read.outline(), expected);
    let rows: Vec<_> = read.trace.order(traceloupe_core::model::RunId::from_index(0)).to_vec();
    let said: Vec<_> = rows[1..].iter().map(|id| read.summary(id.index())).collect();
    assert_eq!(said, ["\"user 0\"", "\"assistant 1\"", "\"user 2\"", "\"assistant 3\""]);
}
