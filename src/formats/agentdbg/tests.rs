//! Quirks of spec 0.1, each on a trace of a few events.

use proptest::prelude::*;

use super::AGENTDBG;
use crate::maida::MAIDA;
use crate::testing::{read, sniff, title_of};
use traceloupe_core::model::{
    Block, BlockRole, ErrorLabel, EventKind, Fact, Flags, RunStatus, Status, Usage, Value,
};
use traceloupe_engine::{Format, Verdict};

const RUN: &str = "11111111-2222-4333-8444-555555555555";

/// An event with some additional fields.
fn event(id: &str, kind: &str, fields: &str) -> String {
    format!(
        r#"{{"spec_version":"0.1","event_id":"{id}","run_id":"{RUN}","parent_id":null,"event_type":"{kind}","ts":"2026-11-20T08:12:02.584Z","duration_ms":null,"name":"n",{fields}}}"#
    )
}

fn payload(id: &str, kind: &str, payload: &str) -> String {
    event(id, kind, &format!(r#""payload":{payload},"meta":{{}}"#))
}

#[test]
fn wrong_types_and_repeated_keys_lose_nothing() {
    let lines = [
        payload("a", "TOOL_CALL", r#"{"tool_name":7,"args":[1],"status":true,"error":false}"#),
        payload("b", "LLM_CALL", r#""just a string""#),
        payload("c", "STATE_UPDATE", "null"),
        payload("d", "SOMETHING_NEW", r#"{"x":1}"#),
        r#"{"event_type":"ERROR","event_id":5,"run_id":null,"ts":12,"payload":{"error_type":"A","error_type":"B"},"payload":{"error_type":"C","message":["m"]}}"#.to_owned(),
        "[1,2]".to_owned(),
        r#"{"unrelated":true}"#.to_owned(),
    ];
    let lines: Vec<_> = lines.iter().map(String::as_str).collect();
    let read = read(&AGENTDBG, &[&lines]);
    let expected = [
        "tool-call 7",
        "llm-call n",
        "state n",
        "record SOMETHING_NEW",
        "error C",
        "record ",
        "record ",
    ];
    assert_eq!(read.outline(), expected);
    assert_eq!(read.trace.runs().len(), 1, "records without a run belong to the one before");
    assert_eq!(read.trace.events().get(0).unwrap().status, Status::Missing);
    let [warning] = read.trace.warnings().as_slice() else { panic!() };
    assert_eq!((warning.code.word(), warning.count), ("unknown-record", 2));
    for (at, line) in lines.iter().enumerate() {
        let place = read.trace.places(read.trace.events().get(at).unwrap()).next().unwrap();
        assert_eq!(read.text(place.span), *line);
        assert!(!read.detail(&AGENTDBG, at).blocks.is_empty(), "{line}");
    }
}

#[test]
fn errors_are_objects_or_strings() {
    let lines = [
        payload(
            "a",
            "TOOL_CALL",
            r#"{"status":"error","error":{"error_type":"E","message":"m","details":{"code":5},"stack":null,"more":1}}"#,
        ),
        payload("b", "TOOL_CALL", r#"{"status":"error","error":"ValueError: no such city"}"#),
        payload("c", "TOOL_CALL", r#"{"error":"it broke"}"#),
        payload("d", "TOOL_CALL", r#"{"status":"ok","error":null,"result":null}"#),
        payload("e", "TOOL_CALL", r#"{"status":"error","error":null,"result":null}"#),
    ];
    let lines: Vec<_> = lines.iter().map(String::as_str).collect();
    let read = read(&AGENTDBG, &[&lines]);
    let events = read.trace.events();
    let errors: Vec<_> = events.iter().map(|event| read.trace.error(event.error)).collect();
    let [one, other] = ["E", "ValueError"].map(ErrorLabel::Type);
    assert_eq!(errors, [one, other, ErrorLabel::None, ErrorLabel::None, ErrorLabel::None]);
    let failed: Vec<_> = events.iter().map(|event| event.status == Status::Failed).collect();
    assert_eq!(failed, [true, true, true, false, true]);
    // A tool that returned nothing has a result; one that failed has none.
    let has_result: Vec<_> = events.iter().map(|event| event.result_hash != 0).collect();
    assert_eq!(has_result, [false, false, false, true, false]);
    assert_eq!(read.summary(0), r#""m""#);
    assert_eq!(read.summary(1), r#""ValueError: no such city""#);
    let blocks = read.detail(&AGENTDBG, 0).blocks;
    let [
        Block::Error { kind, message: Some(Value::Json(message)), stack: None },
        Block::Fields(BlockRole::OtherFields, others),
    ] = blocks.as_slice()
    else {
        panic!("{blocks:?}");
    };
    assert_eq!((kind.as_str(), read.text(*message).as_str()), (ErrorLabel::Type("E"), r#""m""#));
    let labels: Vec<_> = others.iter().filter_map(|field| field.label.key()).collect();
    assert_eq!(labels, ["error.details", "error.more"]);
}

#[test]
fn redacted_counts_are_not_zero() {
    let lines = [
        r#"{"usage":{"prompt_tokens":"__REDACTED__","completion_tokens":"__REDACTED__","total_tokens":"__REDACTED__"}}"#,
        r#"{"usage":{"prompt_tokens":0,"completion_tokens":5,"total_tokens":5}}"#,
        r#"{"usage":{"input_tokens":3,"output_tokens":4.0,"cache_read_input_tokens":2}}"#,
        r#"{"usage":"__REDACTED__"}"#,
        r#"{"usage":null,"response":"cut__TRUNCATED__"}"#,
        r#"{"usage":{"prompt_tokens":-1,"completion_tokens":null}}"#,
    ];
    let lines: Vec<_> = lines.iter().map(|text| payload("", "LLM_CALL", text)).collect();
    let lines: Vec<_> = lines.iter().map(String::as_str).collect();
    let read = read(&AGENTDBG, &[&lines]);
    let usages: Vec<_> = read.trace.events().iter().map(|event| read.trace.usage(event)).collect();
    let redacted = Usage { redacted: true, ..Usage::default() };
    let none = Usage::default();
    let expected = [
        Some(redacted),
        Some(Usage { input: Some(0), output: Some(5), ..none }),
        Some(Usage { input: Some(3), output: Some(4), cache_read: Some(2), ..none }),
        Some(redacted),
        None,
        None,
    ];
    assert_eq!(usages, expected);
    let flags: Vec<_> = read.trace.events().iter().map(|event| event.flags).collect();
    assert!(flags[0].has(Flags::REDACTED) && !flags[0].has(Flags::TRUNCATED));
    assert_eq!(flags[1], Flags::NONE);
    assert!(flags[4].has(Flags::TRUNCATED) && !flags[4].has(Flags::REDACTED));
    assert!(matches!(read.detail(&AGENTDBG, 4).blocks.last(), Some(Block::Note(_))));
}

#[test]
fn events_after_run_end_stay_where_they_are() {
    let lines = [
        payload("a", "RUN_START", r#"{"run_name":"async","argv":["x.py","--n","1"]}"#),
        payload(
            "b",
            "RUN_END",
            r#"{"status":"ok","summary":{"llm_calls":0,"tool_calls":0,"errors":0,"duration_ms":3}}"#,
        ),
        payload("c", "TOOL_CALL", r#"{"tool_name":"late"}"#),
        payload("d", "LLM_CALL", r#"{"model":"later"}"#),
    ];
    let lines: Vec<_> = lines.iter().map(String::as_str).collect();
    let read = read(&AGENTDBG, &[&lines]);
    let expected = ["run-start n", "run-end ok", "tool-call late", "llm-call later"];
    assert_eq!(read.outline(), expected);
    let [run] = read.trace.runs() else { panic!() };
    assert_eq!(run.notes, ["2 events follow RUN_END, as agentdbg 0.1.0 wrote async runs"]);
    assert_eq!(run.status, RunStatus::Ok);
    assert_eq!(run.title.as_deref(), Some("async"));
    assert_eq!(run.duration.get(), Some(3_000_000));
    assert!(run.facts.contains(&Fact::new("Command".into(), "x.py --n 1".to_owned())));
}

#[test]
fn a_run_without_an_end_is_running() {
    let start = payload("a", "RUN_START", "{}");
    let read_alone = read(&AGENTDBG, &[&[&start]]);
    let [run] = read_alone.trace.runs() else { panic!() };
    assert_eq!((run.status, run.no_end.is_some()), (RunStatus::Running, true));

    // The process died after RUN_END and before run.json was written again.
    let end = payload("b", "RUN_END", r#"{"status":"error"}"#);
    let meta = format!(
        r#"{{"spec_version":"0.2.0","run_id":"{RUN}","run_name":null,"started_at":"2026-11-20T08:12:02.584Z","ended_at":null,"duration_ms":null,"status":"running","counts":{{"llm_calls":0,"tool_calls":0,"errors":0,"loop_warnings":0}},"last_event_ts":null,"paths":{{"run_json":"x"}}}}"#
    );
    for files in [[&[&*start, &end][..], &[&*meta]], [&[&*meta], &[&*start, &end]]] {
        let read = read(&AGENTDBG, &files);
        let [run] = read.trace.runs() else { panic!() };
        assert_eq!(run.status, RunStatus::Error);
        assert!(run.notes.is_empty());
    }
    // The compatibility layer of Maida writes its own version into files of spec 0.1.
    assert!(matches!(sniff(&AGENTDBG, "run.json", &[&meta]), Verdict::Certain(_)));
    assert_eq!(sniff(&MAIDA, "run.json", &[&meta]), Verdict::No);
}

#[test]
fn runs_may_be_interleaved() {
    let other = |line: String| line.replace(RUN, "99999999-2222-4333-8444-555555555555");
    let lines = [
        payload("a", "RUN_START", "{}"),
        other(payload("b", "RUN_START", "{}")),
        payload("c", "TOOL_CALL", "{}"),
        other(payload("d", "TOOL_CALL", "{}")),
        payload("e", "RUN_END", r#"{"status":"ok"}"#),
    ];
    let lines: Vec<_> = lines.iter().map(String::as_str).collect();
    let read = read(&AGENTDBG, &[&lines]);
    let runs: Vec<_> = read.trace.events().iter().map(|event| event.run.index()).collect();
    assert_eq!(runs, [0, 1, 0, 1, 0]);
    let statuses: Vec<_> = read.trace.runs().iter().map(|run| run.status).collect();
    assert_eq!(statuses, [RunStatus::Ok, RunStatus::Running]);
}

#[test]
fn spans_of_openai_agents_nest_and_last() {
    let span = |id: &str, parent: &str, from: u32, to: u32| {
        format!(
            r#""payload":{{"tool_name":"{id}"}},"meta":{{"openai_agents":{{"span_id":"{id}","parent_id":"{parent}","started_at":"2026-11-20T08:00:0{from}.5+00:00","ended_at":"2026-11-20T08:00:0{to}.5+00:00"}}}}"#
        )
    };
    let lines = [
        // An agent used as a tool: the calls inside it end before it does.
        event("a", "TOOL_CALL", &span("inner", "outer", 2, 3)),
        event("b", "TOOL_CALL", &span("outer", "nobody", 1, 4)),
        event("c", "TOOL_CALL", &span("itself", "itself", 5, 5)),
        event(
            "d",
            "TOOL_CALL",
            r#""payload":{"tool_name":"handoff","args":null},"meta":{"openai_agents":{"span_id":"h","handoff":{"from_agent":"A","to_agent":"B"}}}"#,
        ),
    ];
    let lines: Vec<_> = lines.iter().map(String::as_str).collect();
    let read = read(&AGENTDBG, &[&lines]);
    assert_eq!(
        read.outline(),
        ["tool-call outer", " tool-call inner", "tool-call itself", "tool-call handoff"]
    );
    let durations: Vec<_> = read.trace.events().iter().map(|it| it.duration.get()).collect();
    assert_eq!(durations, [Some(1_000_000_000), Some(3_000_000_000), Some(0), None]);
    assert!(
        read.trace.events().get(0).unwrap().start.get()
            > read.trace.events().get(1).unwrap().start.get()
    );
    assert_eq!(read.trace.warnings().total(), 0);
    assert_eq!(read.summary(3), r#"{"from_agent":"A","to_agent":"B"}"#);
    let blocks = read.detail(&AGENTDBG, 3).blocks;
    assert!(matches!(blocks[0], Block::Json(BlockRole::Named("Handoff"), Value::Json(_))));
}

#[test]
fn parents_and_durations_are_taken_where_they_are_given() {
    let with = |id: &str, parent: &str, duration: &str| {
        payload(id, "TOOL_CALL", &format!(r#"{{"tool_name":"{id}"}}"#))
            .replace(r#""parent_id":null"#, &format!(r#""parent_id":{parent}"#))
            .replace(r#""duration_ms":null"#, &format!(r#""duration_ms":{duration}"#))
    };
    let lines = [with("a", "\"b\"", "0"), with("b", "null", "12.5"), with("c", "\"gone\"", "-4")];
    let lines: Vec<_> = lines.iter().map(String::as_str).collect();
    let read = read(&AGENTDBG, &[&lines]);
    assert_eq!(read.outline(), ["tool-call b", " tool-call a", "tool-call c"]);
    let durations: Vec<_> = read.trace.events().iter().map(|it| it.duration.get()).collect();
    assert_eq!(durations, [Some(0), Some(12_500_000), None]);
}

#[test]
fn copies_in_other_files_are_parts_of_one_event() {
    let lines = [payload("a", "TOOL_CALL", "{}"), payload("a", "TOOL_CALL", "{}")];
    let lines: Vec<_> = lines.iter().map(String::as_str).collect();
    // Events that occur twice in one file are kept twice.
    assert_eq!(read(&AGENTDBG, &[&lines]).trace.events().len(), 2);
    let one = lines.get(..1).unwrap();
    let answer = format!(r#"{{"spec_version":"0.1","run_id":"{RUN}","events":[{}]}}"#, lines[0]);
    let both = read(&AGENTDBG, &[one, &[&answer]]);
    assert_eq!(both.trace.events().len(), 1);
    let event = both.trace.events().get(0).unwrap();
    assert_eq!(both.trace.places(event).count(), 2);
    assert_eq!(
        both.trace.runs()[0].notes.len() + usize::from(both.trace.runs()[0].no_end.is_some()),
        2
    );
}

#[test]
fn documents_of_every_kind_are_known() {
    let short = r#"{"event_type":"TOOL_CALL","event_id":"a","payload":{}}"#;
    let answer = format!(r#"{{"spec_version":"0.1","run_id":"{RUN}","events":[{short}, 5]}}"#);
    let read_answer = read(&AGENTDBG, &[&[&answer]]);
    assert_eq!(read_answer.outline(), ["tool-call ", "record "]);
    assert_eq!(read_answer.trace.runs()[0].key, RUN);

    let run =
        format!(r#"{{"run_id":"{RUN}","status":"ok","counts":{{"llm_calls":1,"tool_calls":2}}}}"#);
    let list = format!(r#"{{"spec_version":"0.1","runs":[{run}]}}"#);
    let read_list = read(&AGENTDBG, &[&[&list]]);
    let [listed] = read_list.trace.runs() else { panic!() };
    assert_eq!(listed.counts.tool_calls, Some(2));
    assert_eq!(listed.notes, ["Only the summary of this run was opened, not its events"]);

    let export = format!(r#"{{"spec_version":"0.1","run":{run},"events":[]}}"#);
    for text in [&answer, &run, &list, &export] {
        assert!(matches!(sniff(&AGENTDBG, "x.json", &[text]), Verdict::Certain(_)), "{text}");
        assert_eq!(sniff(&MAIDA, "x.json", &[text]), Verdict::No);
    }
    let line = payload("a", "TOOL_CALL", "{}");
    assert!(matches!(sniff(&AGENTDBG, "x", &["5", &line]), Verdict::Certain(_)));
    assert!(matches!(sniff(&AGENTDBG, "x", &[short]), Verdict::Likely(_)));
    // A file name can raise a verdict, and do no more.
    let bare = r#"{"event_type":"TOOL_CALL","payload":{}}"#;
    assert!(matches!(sniff(&AGENTDBG, "x", &[bare]), Verdict::Maybe(_)));
    assert!(matches!(sniff(&AGENTDBG, "events.jsonl", &[bare]), Verdict::Likely(_)));
    assert_eq!(sniff(&AGENTDBG, "events.jsonl", &[r#"{"type":"x"}"#]), Verdict::No);
}

#[test]
fn nothing_of_a_payload_vanishes() {
    let text = r#"{"model":"m","prompt":{"messages":[{"role":"user","content":"q"}],"tools":[1]},"response":{"role":"assistant","content":"a"},"usage":{"prompt_tokens":1,"odd":2},"provider":"p","temperature":"0.7","stop_reason":null,"status":"ok","error":null,"cost":5}"#;
    let line = event("a", "LLM_CALL", &format!(r#""payload":{text},"meta":{{"tag":1}}"#));
    let read = read(&AGENTDBG, &[&[&line]]);
    assert_eq!(read.summary(0), r#""a""#);
    let detail = read.detail(&AGENTDBG, 0);
    assert_eq!(detail.native_id.as_deref(), Some("a"));
    let titles: Vec<_> = detail
        .blocks
        .iter()
        .map(|block| match block {
            Block::Messages(title, ..)
            | Block::Fields(title, _)
            | Block::Json(title, _)
            | Block::Text(title, _) => title_of(*title),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(titles, ["Messages", "Response", "Meta", "Fields", "Usage", "OtherFields"]);
    let Some(Block::Fields(_, others)) = detail.blocks.last() else { panic!() };
    let labels: Vec<_> = others.iter().filter_map(|field| field.label.key()).collect();
    assert_eq!(labels, ["prompt.tools", "cost"]);
}

#[test]
fn arguments_that_are_json_in_a_string_are_shown_as_json() {
    let line = payload("a", "TOOL_CALL", r#"{"args":"{\"n\": 1}","result":"plain [text"}"#);
    let read = read(&AGENTDBG, &[&[&line]]);
    let blocks = read.detail(&AGENTDBG, 0).blocks;
    let [Block::Arguments(Value::Escaped(arguments)), Block::Result(Value::Json(_))] =
        blocks.as_slice()
    else {
        panic!("{blocks:?}");
    };
    assert_eq!(read.text(*arguments), r#"{\"n\": 1}"#);
    // As the LangChain handler writes arguments and results.
    let line = payload("a", "TOOL_CALL", r#"{"args":"{'n': [True, None]}","result":"[no data"}"#);
    let read = self::read(&AGENTDBG, &[&[&line]]);
    let blocks = read.detail(&AGENTDBG, 0).blocks;
    let json = Value::OwnedJson(r#"{"n":[true,null]}"#.to_owned());
    assert!(matches!(&blocks[0], Block::Arguments(shown) if *shown == json), "{blocks:?}");
    assert!(matches!(blocks[1], Block::Result(Value::Json(_))) && blocks.len() == 2);
}

#[test]
fn the_line_of_an_item_is_its_own() {
    let line = payload("a", "TOOL_CALL", "{}");
    let text =
        format!("{{\"spec_version\":\"0.1\",\n\"run\":{{}},\n\"events\":[\n{line},\n\n{line}]}}");
    let read = read(&AGENTDBG, &[&[&text]]);
    let lines: Vec<_> = read
        .trace
        .events()
        .iter()
        .map(|event| read.trace.places(event).next().unwrap().line)
        .collect();
    assert_eq!(lines, [4, 6]);
    assert!(read.trace.events().iter().all(|event| event.kind == EventKind::ToolCall));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Any record is kept, and none causes a panic.
    #[test]
    fn any_record_is_kept(
        key in "(event_type|payload|meta|events|runs|run|counts|run_id|spans|span_id|attributes)",
        value in r#"(null|[0-9]{1,25}|"[a-z_A-Z]{0,9}"|\[[0-9,"{}]{0,9}\]|\{"(name|status|args|events|error)":(null|\[\]|"")\})"#,
        kind in "(LLM_CALL|TOOL_CALL|ERROR|RUN_START|RUN_END|STATE_UPDATE|LOOP_WARNING|X)",
        cut in 0usize..60,
    ) {
        let whole = format!(r#"{{"event_type":"{kind}","event_id":"e","{key}":{value}}}"#);
        let short = format!(r#"{{"{key}":{value},"status":"ok"}}"#);
        let broken: String = whole.chars().take(cut).collect();
        for format in [&AGENTDBG as &dyn Format, &MAIDA] {
            let lines = [whole.as_str(), &short, &broken];
            let read = read(format, &[&lines]);
            prop_assert!(!read.trace.events().is_empty());
            for at in 0..read.trace.events().len() {
                read.detail(format, at);
            }
            sniff(format, "x", &lines);
        }
    }
}
