//! Quirks of archi's streams and stored traces, each on a few events.

use super::{ARCHI, STILL_RUNNING};
use crate::testing::{Read, read, sniff, title_of};
use traceloupe_core::model::{
    Block, ErrorLabel, FactKind, Flags, RunId, RunStatus, Status, Value, fact_text,
};
use traceloupe_engine::{Format as _, Verdict};
use traceloupe_input::SplitAt;

const META: &str = r#"{"type":"meta","event":"stream_started","padding":"    "}"#;

fn thinking_start(id: &str, s: u32) -> String {
    format!(
        r#"{{"type":"thinking_start","step_id":"{id}","timestamp":"2026-11-20T08:00:{s:02}.000000+00:00","conversation_id":42}}"#
    )
}

fn thinking_end(id: &str, ms: u32, words: &str) -> String {
    format!(
        r#"{{"type":"thinking_end","step_id":"{id}","duration_ms":{ms},"thinking_content":"{words}","timestamp":"2026-11-20T08:00:09.000000+00:00","conversation_id":42}}"#
    )
}

fn chunk(words: &str) -> String {
    format!(r#"{{"type":"chunk","content":"{words}","accumulated":true,"conversation_id":42}}"#)
}

fn tool_start(id: &str, tool: &str, args: &str) -> String {
    format!(
        r#"{{"type":"tool_start","tool_call_id":"{id}","tool_name":"{tool}","tool_args":{args},"timestamp":"2026-11-20T08:00:10.000000+00:00","conversation_id":42}}"#
    )
}

fn tool_output(id: &str, output: &str) -> String {
    format!(
        r#"{{"type":"tool_output","tool_call_id":"{id}","output":"{output}","truncated":false,"full_length":null,"timestamp":"2026-11-20T08:00:10.000000+00:00","conversation_id":42}}"#
    )
}

const FINAL: &str = r#"{"type":"final","response":"Let me see.It is \"up\".","conversation_id":42,"archi_msg_id":102,"message_id":102,"user_message_id":101,"trace_id":"t-1","final_response_msg_ts":1795162853.5,"usage":{"prompt_tokens":900,"completion_tokens":40,"total_tokens":940,"context_window":0},"model":"m-1"}"#;

/// A whole answer with one call.
fn answer() -> Vec<String> {
    vec![
        META.to_owned(),
        thinking_start("s1", 1),
        chunk("Let me"),
        chunk("Let me see."),
        thinking_end("s1", 6, "I should look"),
        tool_start("c1", "search", r#"{"query":"x"}"#),
        tool_output("c1", "found"),
        thinking_start("s2", 11),
        chunk("Let me see.It is"),
        chunk(r#"Let me see.It is \"up\"."#),
        thinking_end("s2", 22, ""),
        FINAL.to_owned(),
    ]
}

fn read_lines(lines: &[String]) -> Read {
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    read(&ARCHI, &[&lines])
}

fn texts(read: &Read, at: usize) -> Vec<String> {
    let text = |value: Value| match value {
        Value::Json(span) => read.text(span),
        Value::Text(text) | Value::OwnedJson(text) => text,
        Value::JsonInString(span) | Value::Escaped(span) => read.text(span),
    };
    let blocks = read.detail(&ARCHI, at).blocks.into_iter();
    let blocks = blocks.filter_map(|block| match block {
        Block::Text(title, value) | Block::Json(title, value) => {
            Some(format!("{}: {}", title_of(title), text(value)))
        }
        Block::Thinking(value) => Some(format!("thinking: {}", text(value))),
        Block::Arguments(value) => Some(format!("arguments: {}", text(value))),
        Block::Result(value) => Some(format!("result: {}", text(value))),
        Block::Error { kind, message, .. } => {
            let kind = match kind {
                ErrorLabel::None => String::new(),
                ErrorLabel::Type(kind) => kind,
                other => format!("{other:?}"),
            };
            Some(format!("error {kind}: {}", message.map(text).unwrap_or_default()))
        }
        Block::Note(words) => Some(words),
        _ => None,
    });
    blocks.collect()
}

#[test]
fn cumulative_text_is_told_once() {
    let read = read_lines(&answer());
    assert_eq!(
        read.outline(),
        ["run-start ", "llm-call m-1", " tool-call search", "llm-call m-1", "run-end completed"]
    );
    assert_eq!(read.summary(1), "\"Let me see.\"");
    assert_eq!(read.summary(3), r#"It is \"up\".""#, "from the middle of a string on");
    let flags = |at: usize| read.trace.events().get(at).unwrap().flags;
    assert!(flags(3).has(Flags::MID_STRING) && flags(3).has(Flags::ANSWER));
    assert!(!flags(1).has(Flags::MID_STRING) && flags(1).has(Flags::ANSWER));
    assert_eq!(texts(&read, 1), ["thinking: \"I should look\"", "Response: \"Let me see.\""]);
    assert_eq!(texts(&read, 3), ["Response: It is \"up\"."]);
    // The chunk in between has nothing that the last one does not have.
    let places = |at: usize| read.trace.places(read.trace.events().get(at).unwrap()).count();
    // The last call has its token counts from the end of the stream.
    assert_eq!((places(1), places(3)), (3, 4));
}

#[test]
fn what_is_not_known_is_blank() {
    let read = read_lines(&answer());
    let events = read.trace.events();
    let durations: Vec<_> = events.iter().map(|it| it.duration.get()).collect();
    assert_eq!(durations, [None, Some(6_000_000), None, Some(22_000_000), None]);
    assert_eq!(events.get(2).unwrap().status, Status::Ok);
    let [run] = read.trace.runs() else { panic!() };
    assert_eq!((run.status, run.context_window, run.notes.len()), (RunStatus::Ok, None, 0));
    let totals = read.trace.totals(RunId::from_index(0));
    assert_eq!((totals.usage.input, totals.usage.output), (Some(900), Some(40)));
    assert_eq!(read.trace.usage(events.get(3).unwrap()).unwrap().input, Some(900));
    let fact = |kind: FactKind| fact_text(&run.facts, &kind);
    assert_eq!(
        (fact(FactKind::Model), fact("Trace".into()), fact("Conversation".into())),
        (Some("m-1"), Some("t-1"), Some("42"))
    );
}

#[test]
fn a_stream_that_stops_says_so() {
    let lines = answer();
    let read = read_lines(&lines[..6]);
    let [run] = read.trace.runs() else { panic!() };
    assert_eq!(
        (run.status, run.no_end),
        (RunStatus::Running, Some(traceloupe_core::model::NoEnd::FinalEvent))
    );
    assert_eq!(read.trace.events().get(2).unwrap().status, Status::Missing);
    assert_eq!(texts(&read, 2).last().unwrap(), "The result of this call is not in the file");
    let cut = read_lines(&lines[..4]);
    assert_eq!(cut.trace.events().get(1).unwrap().status, Status::Unknown, "its words are there");
    assert!(cut.trace.events().get(1).unwrap().flags.has(Flags::ANSWER));
}

#[test]
fn errors_and_cancelling_end_a_run() {
    let error =
        r#"{"type":"error","status":500,"message":"server error; see chat logs for message"}"#;
    let mut lines = answer()[..7].to_vec();
    lines.push(error.to_owned());
    let read = read_lines(&lines);
    assert_eq!(read.outline().last().unwrap(), "error 500");
    assert_eq!(read.trace.runs()[0].status, RunStatus::Error);
    assert!(read.trace.runs()[0].no_end.is_none());
    assert_eq!(texts(&read, 3), ["error 500: \"server error; see chat logs for message\""]);
    let seed = r#"{"type":"error","error_code":"E42","error_message":"no","conversation_id":1}"#;
    assert_eq!(read_lines(&[seed.to_owned()]).outline(), ["error E42"]);

    let mut lines = answer()[..6].to_vec();
    lines.push(r#"{"type":"cancelled","reason":"user","partial_message_id":7}"#.to_owned());
    let read = read_lines(&lines);
    assert_eq!(read.outline().last().unwrap(), "run-end cancelled");
    assert_eq!(read.trace.runs()[0].status, RunStatus::Cancelled);
    assert_eq!(read.trace.events().get(2).unwrap().status, Status::Cancelled);
    assert_eq!(read.summary(3), "\"user\"");
}

#[test]
fn deltas_are_put_together() {
    let delta = |words: &str| {
        format!(r#"{{"type":"text","content":"{words}","delta":true,"conversation_id":1}}"#)
    };
    let legacy =
        |words: &str| format!(r#"{{"type":"chunk","content":"{words}","conversation_id":1}}"#);
    for piece in [&delta as &dyn Fn(&str) -> String, &legacy] {
        let lines = [piece("Hel"), piece("lo "), piece("you")];
        let read = read_lines(&lines);
        assert_eq!(read.outline(), ["llm-call "]);
        assert_eq!(texts(&read, 0)[0], "Response: Hello you");
        assert_eq!(read.summary(0), "\"Hel\"");
    }
    let lines = [
        r#"{"type":"thinking","content":"Hm","conversation_id":1,"timestamp":"2026-01-01T00:00:00Z"}"#.to_owned(),
        r#"{"type":"text","content":"Whole","delta":false,"conversation_id":1}"#.to_owned(),
        r#"{"type":"final","message_id":1,"user_message_id":2,"trace_id":"t"}"#.to_owned(),
    ];
    let read = read_lines(&lines);
    assert_eq!(read.outline(), ["llm-call ", "run-end completed"]);
    assert_eq!(texts(&read, 0), ["thinking: \"Hm\"", "Response: \"Whole\""]);
    assert!(!read.trace.events().get(0).unwrap().flags.has(Flags::THINKING));
}

#[test]
fn the_ends_of_calls_tell_status_and_duration() {
    let end = |id: &str, rest: &str| {
        format!(r#"{{"type":"tool_end","tool_call_id":"{id}",{rest},"conversation_id":1}}"#)
    };
    let late = r#"{"type":"tool_output","tool_call_id":"b","output":"out","truncated":true,"full_length":4523,"timestamp":"2026-11-20T08:00:12.500Z"}"#;
    let lines = [
        tool_start("a", "one", "{}"),
        tool_start("b", "two", r#"{"_raw_arguments":"{broken"}"#),
        tool_output("a", "A"),
        late.to_owned(),
        end("b", r#""status":"success","duration_ms":null"#),
        end("a", r#""status":"error","duration_ms":1333,"error_message":"it broke""#),
    ];
    let read = read_lines(&lines);
    assert_eq!(read.outline(), ["tool-call one", "tool-call two"]);
    let events: Vec<_> = read.trace.events().iter().collect();
    assert_eq!((events[0].status, events[0].duration.get()), (Status::Failed, Some(1_333_000_000)));
    assert_eq!((events[1].status, events[1].duration.get()), (Status::Ok, Some(2_500_000_000)));
    assert!(events[1].flags.has(Flags::INFERRED_TIME) && events[1].flags.has(Flags::TRUNCATED));
    assert_eq!(texts(&read, 0), ["error : \"it broke\"", "arguments: {}", "result: \"A\""]);
    let cut = "Showing 3 of 4,523 characters: the producer cut the rest";
    assert_eq!(texts(&read, 1)[..3], ["arguments: \"{broken\"", "result: \"out\"", cut]);
}

#[test]
fn outputs_without_ids_go_to_the_oldest_call() {
    let lines = [
        r#"{"type":"step","step_type":"tool_call","tool_name":"one","tool_args":{"a":1},"content":"Calling one"}"#.to_owned(),
        r#"{"type":"step","step_type":"tool_call","tool_name":"two","tool_args":{"a":2},"content":"Calling two"}"#.to_owned(),
        r#"{"type":"step","step_type":"tool_result","content":"first"}"#.to_owned(),
        r#"{"type":"step","step_type":"tool_result","content":"second"}"#.to_owned(),
        r#"{"type":"step","step_type":"tool_result","content":"nobody's"}"#.to_owned(),
        r#"{"type":"step","step_type":"agent","content":"Done"}"#.to_owned(),
    ];
    let read = read_lines(&lines);
    assert_eq!(read.outline(), ["tool-call one", "tool-call two", "tool-call ", "llm-call "]);
    assert_eq!(texts(&read, 0), ["arguments: {\"a\":1}", "result: \"first\""]);
    assert_eq!(texts(&read, 1)[1], "result: \"second\"");
    assert_eq!(texts(&read, 3), ["Response: \"Done\""]);
}

#[test]
fn two_answers_in_one_stream_are_two_runs() {
    let mut lines = answer();
    lines.extend(answer());
    let read = read_lines(&lines);
    let keys: Vec<_> = read.trace.runs().iter().map(|run| run.key.as_str()).collect();
    assert_eq!(keys, ["source 0", "source 0, run 2"]);
    assert_eq!(read.trace.order(RunId::from_index(1)).len(), 5);
    let titles: Vec<_> = read.trace.runs().iter().map(|run| run.title.as_deref()).collect();
    assert_eq!(titles, [None, Some("Answer 2")]);
    // An error does not begin another answer, and later events do not undo it.
    let error = r#"{"type":"error","status":500,"message":"no"}"#.to_owned();
    let mut lines = answer();
    lines.insert(7, error);
    let read = read_lines(&lines);
    assert_eq!((read.trace.runs().len(), read.trace.runs()[0].status), (1, RunStatus::Error));
}

#[test]
fn the_arms_of_a_comparison_are_lanes() {
    let arm = |arm: &str, words: &str| {
        format!(r#"{{"type":"chunk","content":"{words}","accumulated":true,"arm":"{arm}"}}"#)
    };
    let end = |arm: &str| format!(r#"{{"type":"final","arm":"{arm}","response":"x"}}"#);
    let lines = [arm("a", "A"), arm("b", "B"), arm("a", "A1"), end("a"), arm("b", "B1"), end("b")];
    let read = read_lines(&lines);
    assert_eq!(read.trace.runs().len(), 1);
    let lanes: std::collections::BTreeSet<_> =
        read.trace.events().iter().map(|event| event.lane).collect();
    let lanes = lanes.into_iter().map(|lane| read.trace.lane(lane).unwrap().key.as_str());
    assert_eq!(lanes.collect::<Vec<_>>(), ["a", "b"]);
    let calls = read.outline().iter().filter(|it| it.starts_with("llm")).count();
    assert_eq!(calls, 4, "two streamed, and two other words at the end");
}

fn stored(status: &str) -> String {
    let events = [
        thinking_start("s1", 1),
        r#"{"type":"text","content":"Let me","timestamp":"2026-11-20T08:00:02+00:00"}"#.to_owned(),
        thinking_end("s1", 6, ""),
        tool_start("c1", "search", "{}"),
        r#"{"type":"usage","prompt_tokens":10,"completion_tokens":2,"total_tokens":12,"context_window":8000,"timestamp":"2026-11-20T08:00:12+00:00"}"#.to_owned(),
    ];
    format!(
        r#"{{"trace_id":"t-9","conversation_id":42,"message_id":null,"pipeline_name":"P","events":[{}],"started_at":"2026-11-20T08:00:00.500000","completed_at":"2026-11-20T08:00:12","status":"{status}","total_tool_calls":1,"total_tokens_used":0,"total_duration_ms":11500,"cancelled_by":"user","cancellation_reason":"why"}}"#,
        events.join(",")
    )
}

#[test]
fn stored_traces_know_how_they_ended() {
    let answered = format!(r#"{{"success":true,"trace":{}}}"#, stored("cancelled"));
    let read = read_lines(&[answered, stored("error"), stored("running")]);
    let statuses: Vec<_> = read.trace.runs().iter().map(|run| run.status).collect();
    assert_eq!(statuses, [RunStatus::Cancelled, RunStatus::Error, RunStatus::Running]);
    let notes: Vec<_> = read.trace.runs().iter().flat_map(|run| run.notes.clone()).collect();
    let told = ["Cancelled by user: why", "Failed: why", "Cancelled by user: why", STILL_RUNNING];
    assert_eq!(notes, told);
    let run = &read.trace.runs()[0];
    assert_eq!(run.key, "t-9");
    assert_eq!((run.context_window, run.duration.get()), (Some(8_000), Some(11_500_000_000)));
    assert_eq!(run.start.get().unwrap() % 1_000_000_000, 500_000_000);
    assert_eq!(read.outline(), ["llm-call ", " tool-call search"]);
    assert_eq!(read.trace.events().get(1).unwrap().status, Status::Cancelled);
    assert_eq!(read.trace.events().get(3).unwrap().status, Status::Missing);
}

#[test]
fn bare_events_have_no_status() {
    let events = r#"{"events":[{"type":"tool_start","tool_call_id":"tc_001","tool_name":"grep_search","tool_args":{"query":"TODO"},"timestamp":"2026-01-22T10:30:00.123Z"},{"type":"tool_output","tool_call_id":"tc_001","output":"Found","truncated":true,"full_length":4523,"timestamp":"2026-01-22T10:30:01.456Z"},{"type":"tool_end","tool_call_id":"tc_001","status":"success","duration_ms":1333,"timestamp":"2026-01-22T10:30:01.456Z"},{"type":"text","content":"Here","delta":false,"timestamp":"2026-01-22T10:30:05.789Z"}]}"#;
    let read = read_lines(&[events.to_owned()]);
    assert_eq!(read.outline(), ["tool-call grep_search", "llm-call "]);
    assert_eq!(read.trace.events().get(0).unwrap().duration.get(), Some(1_333_000_000));
    assert_eq!(read.trace.runs()[0].status, RunStatus::Unknown);
    assert!(read.trace.runs()[0].no_end.is_none());
}

#[test]
fn an_answer_of_a_conversation_is_a_run_with_its_question() {
    let ask = |words: &str| format!(r#"{{"sender":"User","content":"{words}","message_id":1}}"#);
    let conversation = format!(
        r#"{{"conversation_id":42,"messages":[{},{{"sender":"archi","content":"Let me","message_id":102,"trace":{}}},{},{{"sender":"archi","content":"Plain","message_id":104,"trace":null}},{}]}}"#,
        ask("One?"),
        stored("completed"),
        ask("Two?"),
        ask("Three?")
    );
    let read = read_lines(&[conversation]);
    let keys: Vec<_> = read.trace.runs().iter().map(|run| run.key.as_str()).collect();
    assert_eq!(keys, ["t-9", "message 104", "source 0, run 3"]);
    assert_eq!(read.outline(), ["user ", "llm-call ", " tool-call search"]);
    let kinds: Vec<_> = read.trace.events().iter().map(|it| it.kind.word()).collect();
    assert_eq!(kinds, ["user", "llm-call", "tool-call", "user", "llm-call", "user"]);
    let titles: Vec<_> = read.trace.runs().iter().map(|run| run.title.as_deref()).collect();
    assert_eq!(titles, [Some("One?"), Some("Two?"), Some("Three?")]);
    assert_eq!(read.summary(4), "\"Plain\"");
    assert_eq!(texts(&read, 4)[0], "Response: \"Plain\"");
}

#[test]
fn what_is_certain_and_what_is_not() {
    let verdict = |record: &str| sniff(&ARCHI, "x.json", &[record]);
    let certain = [
        META.to_owned(),
        thinking_start("s", 1),
        chunk("x"),
        tool_start("a", "b", "{}"),
        FINAL.to_owned(),
        stored("running"),
        format!(r#"{{"success":true,"trace":{}}}"#, stored("error")),
        format!(r#"{{"events":[{}]}}"#, tool_start("a", "b", "{}")),
        format!(
            r#"{{"messages":[{{"sender":"archi","content":"","trace":{}}}]}}"#,
            stored("error")
        ),
    ];
    for record in certain {
        assert!(matches!(verdict(&record), Verdict::Certain(_)), "{record}");
    }
    let likely = r#"{"type":"text","content":"x","delta":true,"conversation_id":1}"#;
    assert!(matches!(verdict(likely), Verdict::Likely(_)));
    let maybe = r#"{"type":"tool_call","name":"x","args":{}}"#;
    assert!(matches!(verdict(maybe), Verdict::Maybe(_)));
    let others = [
        r#"{"type":"tool_call","tool_name":"x","arguments":{}}"#,
        r#"{"type":"tool_call","name":"x","input":{},"timestamp":"2024-01-01T10:00:00Z"}"#,
        r#"{"type":"text","text":"x"}"#,
        r#"{"role":"user","content":"x"}"#,
        r#"{"events":[{"event_type":"TOOL_CALL"}],"run_id":"x"}"#,
        r#"{"messages":[{"role":"user","content":"x"}]}"#,
        "{}",
    ];
    for record in others {
        assert_eq!(verdict(record), Verdict::No, "{record}");
    }
}

#[test]
fn long_documents_are_split_where_it_fits() {
    let split = |text: &str| {
        let source = traceloupe_core::model::SourceId::from_index(0);
        let record =
            traceloupe_engine::Record::new(traceloupe_core::json::Json::new(text), source, 0, 1);
        ARCHI.split(&traceloupe_engine::ProbeRecord::new(&record))
    };
    assert_eq!(split(&stored("running")), SplitAt::List("events".into()));
    assert_eq!(
        split(&format!(r#"{{"success":true,"trace":{}}}"#, stored("error"))),
        SplitAt::Never
    );
    let messages = r#"{"messages":[{"sender":"User","content":"x","message_id":1,"trace":null}]}"#;
    assert_eq!(split(messages), SplitAt::List("messages".into()));
}

#[test]
fn an_endless_answer_is_read() {
    let piece = r#"{"type":"chunk","content":"x"}"#.to_owned();
    let read = read_lines(&vec![piece; 10_000]);
    let parts = read.trace.events().iter().map(|event| read.trace.places(event).count());
    assert_eq!(parts.collect::<Vec<_>>(), [10_000]);
    assert_eq!(texts(&read, 0), [format!("Response: {}", "x".repeat(10_000))]);
    let finals = vec![r#"{"type":"final","response":"","model":"m"}"#.to_owned(); 50_000];
    let starts: Vec<_> = (0..50_000).map(|n| thinking_start(&n.to_string(), 1)).collect();
    assert_eq!(read_lines(&[starts, finals].concat()).trace.events().len(), 100_000);
}

#[test]
fn hostile_events_are_rows() {
    let deep = format!("{}{}", "[".repeat(50_000), "]".repeat(50_000));
    let hostile = [
        r#"{"type":"tool_start","tool_call_id":[],"tool_name":{},"tool_args":"x","timestamp":{}}"#
            .to_owned(),
        r#"{"type":"tool_output","tool_call_id":null,"output":null,"truncated":"yes"}"#.to_owned(),
        r#"{"type":"tool_end","tool_call_id":9,"duration_ms":-4,"status":7}"#.to_owned(),
        r#"{"type":"chunk","content":7}"#.to_owned(),
        r#"{"type":"chunk"}"#.to_owned(),
        r#"{"type":"text","content":""}"#.to_owned(),
        r#"{"type":"thinking_end"}"#.to_owned(),
        r#"{"type":"thinking_end","step_id":"never","thinking_content":[1]}"#.to_owned(),
        r#"{"type":"usage","prompt_tokens":"many"}"#.to_owned(),
        r#"{"type":"usage","prompt_tokens":1,"prompt_tokens":2}"#.to_owned(),
        r#"{"type":"final","response":[],"usage":[],"model":{}}"#.to_owned(),
        r#"{"type":"done"}"#.to_owned(),
        r#"{"type":"warning","message":"careful"}"#.to_owned(),
        r#"{"type":"step"}"#.to_owned(),
        r#"{"type":"unheard_of","x":1}"#.to_owned(),
        r#"{"type":7}"#.to_owned(),
        r#"{"trace":{"events":7}}"#.to_owned(),
        r#"{"events":[1,[],{}],"trace_id":[]}"#.to_owned(),
        r#"{"messages":[7,{}]}"#.to_owned(),
        format!(r#"{{"type":"tool_start","tool_args":{deep}}}"#),
        "{}".to_owned(),
        "[]".to_owned(),
    ];
    let read = read_lines(&hostile);
    for at in 0..read.trace.events().len() {
        assert!(!read.detail(&ARCHI, at).blocks.is_empty(), "event {at} of {:?}", read.outline());
    }
    let warning = &read.trace.warnings().as_slice()[0];
    assert_eq!((warning.code.word(), warning.count), ("unknown-record", 10));
}
