//! LLM calls, tool calls and their results.

use super::*;
use traceloupe_core::model::BlockRole;
use traceloupe_core::model::{EventId, WaitFor};

#[test]
fn records_of_one_message_are_one_call() {
    let lines = [
        user("u1", "", 0, "Fix it"),
        assistant("a1", 2, "msg", r#"{"type":"thinking","thinking":"Hm"}"#, 1),
        assistant("a2", 3, "msg", r#"{"type":"text","text":"I look"}"#, 1),
        assistant("a3", 4, "msg", &call("t1", "Bash", r#"{"command":"ls","n":1}"#), 90),
        result("u2", 9, "t1", "a b", ""),
        assistant("a4", 10, "msg2", r#"{"type":"text","text":"Done"}"#, 5),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let trace = read(&[&lines]);
    assert_eq!(
        rows(&trace),
        ["0 user  unknown", "0 llm-call m ok", "1 tool-call Bash ok", "0 llm-call m ok"]
    );
    let totals = trace.totals(RunId::from_index(0));
    assert_eq!((totals.usage.output, totals.usage_known), (Some(95), 2));

    let first = trace.events().get(1).unwrap();
    assert_eq!(summary(&trace, first, &lines), "\"I look\"");
    assert!(!first.flags.has(Flags::THINKING) && !first.flags.has(Flags::ANSWER));
    assert_eq!(first.duration.get(), Some(4_000_000_000), "from the message to the last piece");
    assert!(first.flags.has(Flags::INFERRED_TIME));
    assert_eq!(first.id_hash, key_hash(&["a1"]));
    assert!(trace.events().get(3).unwrap().flags.has(Flags::ANSWER));

    let tool = only(&trace, EventKind::ToolCall);
    assert_eq!(tool.duration.get(), Some(5_000_000_000));
    assert_eq!(summary(&trace, tool, &lines), r#"{"command":"ls","n":1}"#);
    assert!(tool.args_hash != 0 && tool.result_hash != 0);
    assert_eq!(trace.runs()[0].title.as_deref(), Some("Fix it"));

    let opened = detail(&trace, first, &lines);
    assert_eq!(opened.native_id.as_deref(), Some("a1"));
    assert!(matches!(
        opened.blocks[..],
        [
            Block::Thinking(_),
            Block::Text(..),
            Block::Fields(BlockRole::ToolCalls, _),
            Block::Fields(..)
        ]
    ));
    let opened = detail(&trace, tool, &lines);
    assert_eq!(opened.native_id.as_deref(), Some("t1"));
    assert!(matches!(opened.blocks[..], [Block::Arguments(_), Block::Result(_)]));
}

#[test]
fn a_blank_text_before_the_answer_is_no_summary() {
    let blank = r#"{"type":"text","text":"\n\n"}"#;
    let lines = [
        assistant("a1", 1, "m1", blank, 1),
        assistant("a2", 2, "m1", r#"{"type":"text","text":"\n\nSix knots."}"#, 2),
        assistant("a3", 3, "m2", blank, 1),
        assistant("a4", 4, "m2", &call("t1", "Bash", "{}"), 2),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let trace = read(&[&lines]);
    let calls: Vec<&Event> =
        trace.events().iter().filter(|it| it.kind == EventKind::LlmCall).collect();
    assert_eq!(summary(&trace, calls[0], &lines), r#""\n\nSix knots.""#);
    assert!(calls[1].flags.has(Flags::ONLY_CALLS));
}

#[test]
fn output_without_a_stop_reason_is_a_lower_bound() {
    let text = r#"{"type":"text","text":"Hi"}"#;
    let ended = |line: String| {
        line.replace(r#""role":"assistant""#, r#""role":"assistant","stop_reason":"end_turn""#)
    };
    let streaming = assistant("a1", 1, "m1", text, 3);
    let null = assistant("a4", 4, "m2", text, 8)
        .replace(r#""role":"assistant""#, r#""role":"assistant","stop_reason":null"#);
    let lines = [
        streaming,
        ended(assistant("a2", 2, "m1", text, 40)),
        assistant("a3", 3, "m1", text, 3),
        null,
        // A count that has grown is the final one of the stream, whether or not it is written again.
        assistant("a5", 5, "m3", text, 1),
        assistant("a6", 6, "m3", text, 1),
        assistant("a7", 7, "m3", text, 354),
        assistant("a8", 8, "m3", text, 354),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let trace = read(&[&lines]);
    let usages: Vec<_> = trace.events().iter().filter_map(|it| trace.usage(it)).collect();
    let told: Vec<_> = usages.iter().map(|it| (it.output, it.unfinished)).collect();
    assert_eq!(told, [(Some(40), false), (Some(8), true), (Some(354), false)]);
    let sum = trace.totals(RunId::from_index(0)).usage;
    assert_eq!((sum.output, sum.unfinished), (Some(402), true));
    assert!(!read(&[&lines[..3]]).totals(RunId::from_index(0)).usage.unfinished);
}

#[test]
fn of_long_arguments_the_one_that_says_most_is_the_summary() {
    let long = "x".repeat(20_000);
    let input = format!(r#"{{"content":"{long}","file_path":"/a"}}"#);
    let line = assistant("a1", 2, "msg", &call("t1", "Write", &input), 1);
    let lines = [line.as_str()];
    let trace = read(&[&lines]);
    assert_eq!(summary(&trace, only(&trace, EventKind::ToolCall), &lines), "\"/a\"");
}

#[test]
fn thinking_alone_is_the_summary_and_hidden_thinking_is_none() {
    let lines = [
        assistant("a1", 1, "m1", r#"{"type":"thinking","thinking":"Hm"}"#, 1),
        assistant("a2", 2, "m2", r#"{"type":"thinking","thinking":"","signature":"x"}"#, 1),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let trace = read(&[&lines]);
    assert_eq!(summary(&trace, trace.events().get(0).unwrap(), &lines), "\"Hm\"");
    assert!(trace.events().get(0).unwrap().flags.has(Flags::THINKING));
    assert_eq!(trace.summary_span(trace.events().get(1).unwrap()), None);
    let hidden = detail(&trace, trace.events().get(1).unwrap(), &lines);
    assert_eq!(hidden.blocks[0], Block::HiddenThinking);
}

#[test]
fn failed_refused_interrupted_and_lost_calls() {
    let calls = ["t1", "t2", "t3", "t4", "t5"].map(|id| call(id, "Bash", "{}")).join(",");
    let interrupted = envelope(
        "s",
        "u9",
        "",
        9,
        r#""type":"user","toolUseResult":{"stdout":"","interrupted":true},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t4","content":""}]}"#,
    );
    let lines = [
        assistant("a1", 1, "m1", &calls, 1),
        result("u1", 2, "t1", "Exit code 2\nno", r#","is_error":true"#),
        result("u2", 3, "t2", "The user doesn't want to proceed with this", r#","is_error":true"#),
        result("u3", 4, "t3", "fine", r#","is_error":false"#),
        interrupted,
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let trace = read(&[&lines]);
    let calls: Vec<_> =
        trace.events().iter().filter(|event| event.kind == EventKind::ToolCall).collect();
    let statuses: Vec<Status> = calls.iter().map(|event| event.status).collect();
    use Status::{Cancelled, Failed, Missing, Ok, Rejected};
    assert_eq!(statuses, [Failed, Rejected, Ok, Cancelled, Missing]);
    assert_eq!(trace.error(calls[0].error), ErrorLabel::ExitCode(2));
    assert!(detail(&trace, calls[0], &lines).blocks.iter().any(|block| matches!(
        block,
        Block::Error { kind, message: Some(_), .. } if *kind == ErrorLabel::ExitCode(2)
    )));

    let stop = user("u8", "", 8, "[Request interrupted by user for tool use]");
    let lines = [assistant("a1", 1, "m1", &call("t1", "Bash", "{}"), 1), stop];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let trace = read(&[&lines]);
    assert_eq!(
        rows(&trace),
        ["0 llm-call m ok", "1 tool-call Bash cancelled", "0 system interrupted cancelled"]
    );
}

#[test]
fn outcomes_of_searches_and_kinds_of_failures_are_told_apart() {
    let calls = [
        call("t1", "Bash", r#"{"command":"cd a && grep -rn lamp . | sort | grep wick"}"#),
        call("t2", "Bash", r#"{"command":"grep lamp a; make"}"#),
        call("t3", "Bash", r#"{"command":"diff a b"}"#),
        call("t4", "Bash", r#"{"command":"sleep 9"}"#),
        call("t5", "Lamp", "{}"),
    ];
    let stated = envelope(
        "s",
        "u3",
        "",
        4,
        r#""type":"user","toolUseResult":{"stdout":"","returnCodeInterpretation":"Files differ"},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t3","content":"1c1"}]}"#,
    );
    let failed = r#","is_error":true"#;
    let lines = [
        assistant("a1", 1, "m1", &calls.join(","), 1),
        result("u1", 2, "t1", "Exit code 1", failed),
        result("u2", 3, "t2", "Exit code 1", failed),
        stated,
        result("u4", 5, "t4", "Command timed out after 2m 0.0s", failed),
        result("u5", 6, "t5", "<tool_use_error>Error: No such tool available: Lamp", failed),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let trace = read(&[&lines]);
    let calls = trace.events().iter().filter(|event| event.kind == EventKind::ToolCall);
    let statuses: Vec<Status> = calls.map(|event| event.status).collect();
    use Status::{Failed, NoMatch, TimedOut, UnknownTool};
    assert_eq!(statuses, [NoMatch, Failed, NoMatch, TimedOut, UnknownTool]);
}

#[test]
fn a_result_before_its_call_finds_it() {
    let call = assistant("a1", 1, "m1", &call("t1", "Bash", "{}"), 1);
    let late = result("u1", 4, "t1", "x", "");
    let trace = read(&[&[&late], &[&call]]);
    assert_eq!(rows(&trace), ["0 llm-call m ok", "1 tool-call Bash ok"]);
    assert_eq!(only(&trace, EventKind::ToolCall).duration.get(), Some(3_000_000_000));
    assert_eq!(trace.warnings().total(), 0);
    let alone = read(&[&[&late]]);
    assert_eq!(rows(&alone), ["0 note tool-result ok"]);
    assert_eq!(alone.warnings().as_slice()[0].code.word(), "result-without-call");
}

#[test]
fn a_duration_too_long_to_be_counted_is_unknown() {
    let at = |line: &str, year: u32| line.replace("2026", &year.to_string());
    let call = at(&assistant("a1", 1, "m1", &call("t1", "Bash", "{}"), 1), 1700);
    let late = at(&result("u1", 4, "t1", "x", ""), 2262);
    let trace = read(&[&[&late], &[&call]]);
    let call = only(&trace, EventKind::ToolCall);
    assert!(call.start.is_known() && !call.duration.is_known());
}

#[test]
fn an_id_given_twice_is_two_calls_and_a_repeated_call_is_one() {
    let bash = |command: &str| call("t1", "Bash", &format!(r#"{{"command":"{command}"}}"#));
    let lines = [
        assistant("a1", 1, "m1", &bash("ls"), 1),
        assistant("a2", 2, "m2", &bash("ls"), 1),
        result("u1", 3, "t1", "one", ""),
        assistant("a3", 4, "m3", &bash("pwd"), 1),
        result("u2", 5, "t1", "two", r#","is_error":true"#),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let trace = read(&[&lines]);
    assert_eq!(
        rows(&trace),
        [
            "0 llm-call m ok",
            "1 tool-call Bash ok",
            "0 llm-call m ok",
            "0 llm-call m ok",
            "1 tool-call Bash error",
        ]
    );
}

#[test]
fn a_result_kept_in_a_file_is_marked_as_cut() {
    let lines = [
        assistant("a1", 1, "m1", &call("t1", "Bash", "{}"), 1),
        result("u1", 2, "t1", "<persisted-output>\nOutput too large", ""),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let trace = read(&[&lines]);
    let tool = only(&trace, EventKind::ToolCall);
    assert!(tool.flags.has(Flags::TRUNCATED));
    assert!(detail(&trace, tool, &lines).blocks.iter().any(|it| matches!(it, Block::Note(_))));
}

#[test]
fn times_that_the_producer_measured() {
    let lines = [
        user("u1", "", 1, "Hi"),
        assistant("a1", 9, "m1", &call("t1", "Glob", "{}"), 1)
            .replace(r#""uuid":"a1""#, r#""uuid":"a1","durationMs":2500,"costUSD":0.25"#),
        result("u2", 20, "t1", "x", "")
            .replace(r#""uuid":"u2""#, r#""uuid":"u2","toolUseResult":{"durationMs":12}"#),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let trace = read(&[&lines]);
    let llm = only(&trace, EventKind::LlmCall);
    assert_eq!(llm.duration.get(), Some(2_500_000_000));
    assert!(!llm.flags.has(Flags::INFERRED_TIME));
    assert_eq!(only(&trace, EventKind::ToolCall).duration.get(), Some(12_000_000));
}

/// The wait of a command that began at 0:00 and had its result at a time such as `06:00`, in seconds.
fn wait_of_command(name: &str, input: &str, end: &str) -> Option<i64> {
    let result = result("u1", 0, "t1", "ok", "").replace("T00:00:00", &format!("T00:{end}"));
    let trace = read(&[&[&assistant("a1", 0, "m1", &call("t1", name, input), 5), &result]]);
    let id = trace.events().iter().position(|it| it.kind == EventKind::ToolCall).unwrap();
    let wait = trace.wait(EventId::from_index(id))?;
    assert_eq!(wait.what, WaitFor::ApprovalProbably);
    Some((wait.to_ns - wait.from_ns) / 1_000_000_000)
}

#[test]
fn a_command_that_took_longer_than_its_limit_waited() {
    let of = |input, end| wait_of_command("Bash", input, end);
    assert_eq!(of(r#"{"command":"git log"}"#, "06:00"), Some(240), "two minutes, if none is given");
    assert_eq!(of(r#"{"command":"make","timeout":300000}"#, "06:00"), Some(60));
    assert_eq!(of(r#"{"command":"make","timeout":600000}"#, "06:00"), None);
    assert_eq!(of(r#"{"command":"make","timeout":20000}"#, "01:20"), Some(60));
    assert_eq!(of(r#"{"command":"make"}"#, "02:05"), None, "it ended at its limit");
    assert_eq!(wait_of_command("mcp__a__b", "{}", "06:00"), None, "no command");
}
