//! Quirks of spec 0.2, each on a trace of a few spans.

use super::MAIDA;
use crate::agentdbg::AGENTDBG;
use crate::testing::{read, sniff};
use traceloupe_core::model::{Block, BlockRole, ErrorLabel, EventKind, RunStatus, Status, Value};
use traceloupe_engine::Verdict;

const TRACE: &str = "0123456789abcdef0123456789abcdef";

/// A span from second 1 on, with its length in µs.
fn span(id: &str, parent: &str, micros: u32, rest: &str) -> String {
    format!(
        r#"{{"trace_id":"{TRACE}","span_id":"{id}","parent_span_id":{parent},"name":"n","kind":"INTERNAL","start_time":"2026-11-20T08:00:01.000000Z","end_time":"2026-11-20T08:00:01.{micros:06}Z","duration_ms":{},{rest},"status_description":""}}"#,
        micros / 1000
    )
}

fn tool(id: &str, parent: &str, micros: u32, args: &str) -> String {
    let rest = format!(
        r#""attributes":{{"maida.tool_name":"{id}","maida.status":"ok"}},"events":[{{"name":"maida.tool.args","attributes":{{"args":{args}}}}}],"status_code":"OK""#
    );
    span(id, parent, micros, &rest)
}

fn root(events: &str) -> String {
    let rest = format!(
        r#""attributes":{{"maida.run_name":"the run","maida.tool_calls":2}},"events":{events},"status_code":"ERROR""#
    );
    span("r", "null", 250_000, &rest)
}

#[test]
fn the_root_holds_what_was_written_before_it() {
    let lines = [tool("a", "\"r\"", 40, "\"1\""), tool("b", "\"a\"", 999, "\"2\""), root("[]")];
    let lines: Vec<_> = lines.iter().map(String::as_str).collect();
    let read = read(&MAIDA, &[&lines]);
    assert_eq!(read.outline(), ["run-start the run", " tool-call a", "  tool-call b"]);
    // Spans of less than a millisecond were opened when they were recorded.
    let durations: Vec<_> = read.trace.events().iter().map(|it| it.duration.get()).collect();
    assert_eq!(durations, [None, None, Some(250_000_000)]);
    let [run] = read.trace.runs() else { panic!() };
    assert_eq!((run.status, run.title.as_deref()), (RunStatus::Error, Some("the run")));
    assert_eq!(run.duration.get(), Some(250_000_000));
    assert_eq!(run.counts.tool_calls, Some(2));
    assert!(run.notes.is_empty());
    assert_eq!(read.trace.totals(traceloupe_core::model::RunId::from_index(0)).errors, 0);
}

#[test]
fn without_a_root_the_calls_stand_alone() {
    let lines = [tool("a", "\"r\"", 1_000, "\"1\""), tool("b", "\"r\"", 80_000, "\"2\"")];
    let lines: Vec<_> = lines.iter().map(String::as_str).collect();
    let read = read(&MAIDA, &[&lines]);
    assert_eq!(read.outline(), ["tool-call a", "tool-call b"]);
    let durations: Vec<_> = read.trace.events().iter().map(|it| it.duration.get()).collect();
    assert_eq!(durations, [Some(1_000_000), Some(80_000_000)]);
    let [run] = read.trace.runs() else { panic!() };
    assert_eq!((run.status, run.no_end.is_some()), (RunStatus::Running, true));
}

#[test]
fn what_stands_on_the_root_comes_after_the_calls() {
    let first = root(
        r#"[{"name":"exception","timestamp":"2026-11-20T08:00:02Z","attributes":{"maida.error_type":"Guard","maida.error_message":"stop","maida.error_stack":null,"maida.threshold":3}},{"name":"unknown","attributes":{}},{"name":"maida.loop.warning","timestamp":"2026-11-20T08:00:03Z","attributes":{"pattern":"P","repetitions":3,"evidence_event_ids":["a"]}},{"name":"state","timestamp":"2026-11-20T08:00:04Z","attributes":{"state":"{\"x\": 1}"}}]"#,
    );
    let lines = [first.as_str(), &tool("a", "\"r\"", 0, "\"1\"")];
    let read = read(&MAIDA, &[&lines]);
    let expected =
        ["run-start the run", " tool-call a", " error Guard", " loop-warning P", " state state"];
    assert_eq!(read.outline(), expected);
    let error = read.trace.events().get(1).unwrap();
    assert_eq!(error.status, Status::Failed);
    assert_eq!(read.trace.items(error).map(|(_, item)| item).collect::<Vec<_>>(), [1]);
    assert_eq!((read.summary(1).as_str(), read.summary(2).as_str()), ("\"stop\"", "\"P\""));
    let blocks = read.detail(&MAIDA, 1).blocks;
    let [Block::Error { kind, message: Some(_), stack: None }, Block::Fields(_, fields)] =
        blocks.as_slice()
    else {
        panic!("{blocks:?}");
    };
    assert_eq!(
        (kind.as_str(), fields[0].label.key()),
        (ErrorLabel::Type("Guard"), Some("maida.threshold"))
    );
    let blocks = read.detail(&MAIDA, 2).blocks;
    assert!(matches!(
        blocks.as_slice(),
        [Block::Json(BlockRole::Named("Evidence"), _), Block::Fields(..)]
    ));
    let blocks = read.detail(&MAIDA, 3).blocks;
    assert!(matches!(blocks.as_slice(), [Block::Json(BlockRole::State, Value::Escaped(_))]));
}

#[test]
fn a_loop_warning_without_evidence_says_so() {
    let line = span(
        "w",
        "\"r\"",
        0,
        r#""attributes":{"maida.event_type":"LOOP_WARNING"},"events":[{"name":"maida.loop.warning","attributes":{"pattern":"P","repetitions":3,"evidence_event_ids":"[\"__MISSING__\", \"__MISSING__\"]"}}],"status_code":"OK""#,
    );
    let read = read(&MAIDA, &[&[&line]]);
    assert_eq!(read.outline(), ["loop-warning P"]);
    let blocks = read.detail(&MAIDA, 0).blocks;
    assert!(matches!(blocks.as_slice(), [Block::Note(_), Block::Fields(..)]), "{blocks:?}");
}

#[test]
fn arguments_in_one_string_or_in_two() {
    let lines = [
        tool("once", "\"r\"", 0, r#""{\"x\": NaN}""#),
        tool("twice", "\"r\"", 0, r#""\"{\\\"x\\\": 1}\"""#),
        tool("text", "\"r\"", 0, r#""RJX 163|1 adult""#),
        tool("null", "\"r\"", 0, "null"),
    ];
    let lines: Vec<_> = lines.iter().map(String::as_str).collect();
    let read = read(&MAIDA, &[&lines]);
    let arguments: Vec<_> = (0..4)
        .map(|at| {
            read.detail(&MAIDA, at).blocks.into_iter().find_map(|block| match block {
                Block::Arguments(value) => Some(value),
                _ => None,
            })
        })
        .collect();
    assert!(matches!(arguments[0], Some(Value::Escaped(_))));
    assert_eq!(arguments[1], Some(Value::OwnedJson(r#"{"x": 1}"#.to_owned())));
    assert!(matches!(arguments[2], Some(Value::Json(_))));
    assert_eq!(arguments[3], None);
    let has_structure: Vec<_> = read
        .trace
        .events()
        .iter()
        .map(|it| !read.trace.name(read.trace.structure(it)).is_empty())
        .collect();
    assert_eq!(has_structure, [true, true, true, false]);
    let has_args: Vec<_> = read.trace.events().iter().map(|it| it.args_hash != 0).collect();
    assert_eq!(has_args, [true, true, true, false]);
}

#[test]
fn a_handoff_says_from_whom_to_whom() {
    let line = span(
        "h",
        "\"r\"",
        0,
        r#""attributes":{"maida.tool_name":"handoff","maida.meta":"{\"openai_agents\":{\"started_at\":\"2026-11-20T08:00:00Z\",\"ended_at\":\"2026-11-20T08:00:00.25Z\",\"handoff\":{\"from_agent\":\"A\",\"to_agent\":\"B\"}}}"},"events":[],"status_code":"OK""#,
    );
    let read = read(&MAIDA, &[&[&line]]);
    assert_eq!(read.trace.events().get(0).unwrap().duration.get(), Some(250_000_000));
    let blocks = read.detail(&MAIDA, 0).blocks;
    let [
        Block::Json(BlockRole::Named("Handoff"), Value::Escaped(handoff)),
        Block::Json(BlockRole::Meta, _),
    ] = blocks.as_slice()
    else {
        panic!("{blocks:?}");
    };
    assert!(read.text(*handoff).ends_with(r#"\"to_agent\":\"B\"}"#));
}

#[test]
fn kinds_of_spans_by_their_attributes() {
    let with = |attributes: &str| {
        span(
            "x",
            "\"r\"",
            0,
            &format!(r#""attributes":{attributes},"events":[],"status_code":"UNSET""#),
        )
    };
    for (attributes, kind) in [
        (r#"{"gen_ai.system":"openai","maida.tool_name":"t"}"#, EventKind::LlmCall),
        (r#"{"gen_ai.operation.name":"chat"}"#, EventKind::LlmCall),
        (r#"{"gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"t"}"#, EventKind::ToolCall),
        (r#"{"gen_ai.operation.name":"invoke_agent"}"#, EventKind::Agent),
        (r#"{"maida.tool_name":""}"#, EventKind::ToolCall),
        (r#"{"maida.error_type":"E","maida.error_message":"m"}"#, EventKind::Error),
        (r#"{"maida.event_type":"LOOP_WARNING"}"#, EventKind::LoopWarning),
        ("{}", EventKind::Agent),
        ("null", EventKind::Agent),
    ] {
        let line = with(attributes);
        let read = read(&MAIDA, &[&[&line]]);
        assert_eq!(read.trace.events().get(0).unwrap().kind, kind, "{attributes}");
        assert!(!read.detail(&MAIDA, 0).blocks.is_empty(), "{attributes}");
    }
    // A call without a parent is a call.
    let alone = tool("a", "null", 0, "\"1\"");
    assert_eq!(read(&MAIDA, &[&[&alone]]).outline(), ["tool-call a"]);
}

#[test]
fn an_answer_of_the_server_holds_every_event_once() {
    let event = format!(
        r#"{{"spec_version":"0.2.0","event_id":"a","run_id":"{TRACE}","event_type":"TOOL_CALL","payload":{{}}}}"#
    );
    let spans = [tool("a", "\"r\"", 0, "\"1\""), root("[]")].join(",\n");
    let answer = format!(
        "{{\"spec_version\":\"0.2.0\",\"trace_id\":\"{TRACE}\",\"events\":[{event}],\n\"spans\":[{spans}]}}"
    );
    let read_answer = read(&MAIDA, &[&[&answer]]);
    assert_eq!(read_answer.outline(), ["run-start the run", " tool-call a"]);
    let lines: Vec<_> = read_answer
        .trace
        .events()
        .iter()
        .map(|event| read_answer.trace.places(event).next().unwrap().line)
        .collect();
    assert_eq!(lines, [2, 3]);
    assert!(matches!(sniff(&MAIDA, "x", &[&answer]), Verdict::Certain(_)));
    assert_eq!(sniff(&AGENTDBG, "x", &[&answer]), Verdict::No);
}

#[test]
fn meta_json_without_a_version_is_known() {
    // maida 0.4.0
    let meta = format!(
        r#"{{"trace_id":"{TRACE}","run_name":"m","started_at":"2026-11-20T08:00:01Z","ended_at":null,"duration_ms":9,"status":"ok","counts":{{"llm_calls":0,"tool_calls":1,"errors":0,"loop_warnings":0}}}}"#
    );
    assert!(matches!(sniff(&MAIDA, "meta.json", &[&meta]), Verdict::Certain(_)));
    assert_eq!(sniff(&AGENTDBG, "meta.json", &[&meta]), Verdict::No);
    let line = root("[]");
    for files in [[&[&*line], &[&*meta]], [&[&*meta], &[&*line]]] {
        let read = read(&MAIDA, &[files[0], files[1]]);
        let [run] = read.trace.runs() else { panic!() };
        assert_eq!(run.title.as_deref(), Some("m"));
        assert_eq!(run.duration.get(), Some(9_000_000));
        assert_eq!(run.status, RunStatus::Ok);
    }
}

#[test]
fn detection_needs_more_than_open_telemetry() {
    let maida = tool("a", "\"r\"", 0, "\"1\"");
    assert!(matches!(sniff(&MAIDA, "x", &[&maida]), Verdict::Certain(_)));
    let fixture = span(
        "a",
        "\"r\"",
        0,
        r#""attributes":{"gen_ai.system":"x"},"events":[],"status_code":"OK""#,
    );
    assert!(matches!(sniff(&MAIDA, "x", &[&fixture]), Verdict::Likely(_)));
    let plain = r#"{"trace_id":"1","span_id":"2","parent_id":null,"attributes":{}}"#;
    assert_eq!(sniff(&MAIDA, "spans.jsonl", &[plain]), Verdict::No);
    // A file that mixes both dialects counts as one of them.
    let old =
        r#"{"spec_version":"0.1","event_id":"a","run_id":"1-2","event_type":"X","payload":{}}"#;
    let mixed = [maida.as_str(), old];
    assert!(matches!(sniff(&MAIDA, "x", &mixed), Verdict::Certain(_)));
    assert_eq!(sniff(&AGENTDBG, "x", &mixed), Verdict::No);
}
