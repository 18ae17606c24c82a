//! Each quirk in a few lines of JSON.

use super::INVARIANT;
use crate::testing::{Read, read, sniff};
use traceloupe_core::model::{
    Block, BlockRole, EventKind, Fact, FactKind, RunId, RunStatus, Status, Value,
};
use traceloupe_engine::{Format as _, Verdict};

const USER: &str = r#"{"role":"user","content":"hi"}"#;

/// A tool call by itself; the name is `f` and its id.
fn call(id: &str, arguments: &str) -> String {
    let name = id.trim_matches('"');
    format!(
        r#"{{"id":{id},"type":"function","function":{{"name":"f{name}","arguments":{arguments}}}}}"#
    )
}

fn titles(read: &Read) -> Vec<&str> {
    read.trace.runs().iter().map(|run| run.title.as_deref().unwrap_or("")).collect()
}

/// The details of all warnings about records that Explorer would refuse.
fn refusals(read: &Read) -> Vec<String> {
    let warnings = read.trace.warnings().as_slice().iter();
    let refused = warnings.filter(|it| it.code.word() == "explorer-refuses");
    refused.flat_map(|it| it.places.iter().map(|place| place.detail.clone())).collect()
}

#[test]
fn outputs_are_joined_by_id_and_then_by_order() {
    let calls = [call("1", "{\"a\":1}"), call("\"x\"", "{}"), call("3", "{}")].join(",");
    let records = [
        USER.to_owned(),
        format!(r#"{{"role":"assistant","content":"","tool_calls":[{calls}]}}"#),
        r#"{"role":"tool","tool_call_id":"x","content":"of x"}"#.to_owned(),
        r#"{"role":"tool","tool_call_id":1,"content":"of 1"}"#.to_owned(),
        r#"{"role":"tool","content":"of 3"}"#.to_owned(),
        r#"{"role":"tool","content":"of none"}"#.to_owned(),
        r#"{"role":"assistant","content":"done"}"#.to_owned(),
    ];
    let records: Vec<&str> = records.iter().map(String::as_str).collect();
    let read = read(&INVARIANT, &[&records]);
    let outline = [
        "user ",
        "llm-call ",
        " tool-call f1",
        " tool-call fx",
        " tool-call f3",
        "note tool",
        "llm-call ",
    ];
    assert_eq!(read.outline(), outline);
    let results: Vec<String> = (2..5)
        .map(|at| {
            let detail = read.detail(&INVARIANT, at);
            let result = detail.blocks.iter().find_map(|block| match block {
                Block::Result(Value::Json(span)) => Some(read.text(*span)),
                _ => None,
            });
            result.unwrap()
        })
        .collect();
    assert_eq!(results, ["\"of 1\"", "\"of x\"", "\"of 3\""]);
    assert_eq!(read.summary(1), "{\"a\":1}", "the calls say more than an empty text");
    let addressed = INVARIANT.addressed(&read.trace, RunId::from_index(0)).unwrap();
    let of: Vec<usize> = addressed.messages.iter().map(|(_, id)| id.index()).collect();
    assert_eq!(of, [0, 1, 3, 2, 4, 5, 6], "every message is counted, with its event");
    assert_eq!(addressed.inner.len(), 3);
}

#[test]
fn the_old_way_of_calling_and_thoughts_are_read() {
    let records = [
        r#"{"role":"assistant","content":null,"reasoning_content":"hm","function_call":{"name":"f","arguments":"{\"a\":1}"}}"#,
        r#"{"role":"function","name":"f","content":"done"}"#,
    ];
    let read = read(&INVARIANT, &[&records]);
    assert_eq!(read.outline(), ["llm-call ", " tool-call f"]);
    let shown = read.detail(&INVARIANT, 0).blocks;
    assert!(
        matches!(&shown[..], [Block::Thinking(_), Block::ToolUse(name, _)] if name == "f"),
        "{shown:?}"
    );
    let shown = read.detail(&INVARIANT, 1).blocks;
    assert!(matches!(&shown[..2], [Block::Arguments(Value::Escaped(_)), Block::Result(_)]));
}

#[test]
fn arguments_are_objects_strings_and_other_text() {
    let same = [call("1", r#"{"a": 1}"#), call("2", r#""{\"a\":1}""#), call("4", r#""no, json""#)];
    let records: Vec<&str> = same.iter().map(String::as_str).collect();
    let read = read(&INVARIANT, &[&records]);
    let events = read.trace.events();
    assert_eq!(events.get(0).unwrap().args_hash, events.get(1).unwrap().args_hash);
    assert!(events.iter().all(|event| event.status == Status::Missing));
    let shown: Vec<_> = (0..3).map(|at| read.detail(&INVARIANT, at).blocks.remove(0)).collect();
    assert!(matches!(shown[0], Block::Arguments(Value::Json(_))));
    assert!(matches!(shown[1], Block::Arguments(Value::Escaped(_))));
    assert!(matches!(shown[2], Block::Arguments(Value::Json(_))));
    assert_eq!(refusals(&read).len(), 2, "a call by itself must have an object");
}

#[test]
fn roles_of_any_name_are_shown() {
    let roles = ["system", "user2", "planner", "human", "assistant", "tool"];
    let records = roles.map(|role| format!(r#"{{"role":"{role}","content":null,"x":1}}"#));
    let records: Vec<&str> = records.iter().map(String::as_str).collect();
    let read = read(&INVARIANT, &[&records]);
    let outline = ["system ", "user user2", "note planner", "user human", "llm-call ", "note tool"];
    assert_eq!(read.outline(), outline);
    for at in 0..roles.len() {
        let detail = read.detail(&INVARIANT, at);
        assert!(
            matches!(&detail.blocks[..], [Block::Fields(BlockRole::OtherFields, _)]),
            "{detail:?}"
        );
    }
}

#[test]
fn data_sets_have_names_groups_facts_and_annotations() {
    let records = [
        r#"{"metadata":{"description":"d"}}"#,
        r#"{"index":5,"id":"abc","messages":[{"role":"user","content":"a"}],"metadata":{"success":true,"model":"m","hierarchy_path":["x","y"]},"annotations":[{"content":"c","address":"<root>"},{"content":":feedback:thumbs-up","address":"messages[0]"},{"content":"no address"}]}"#,
        r#"{"index":6,"name":"mine","messages":[],"metadata":{"error":"broke"}}"#,
    ];
    let read = read(&INVARIANT, &[&records]);
    assert_eq!(titles(&read), ["a", "mine"]);
    let [first, second] = read.trace.runs() else { panic!("two runs") };
    assert_eq!(first.groups, ["x", "y"]);
    assert_eq!((first.status, second.status), (RunStatus::Ok, RunStatus::Error));
    assert_eq!((first.annotations.all, first.annotations.comments), (2, 2));
    let description = FactKind::OfDataSet("description".to_owned());
    for (kind, text) in
        [(description, "d"), ("index".into(), "5"), ("id".into(), "abc"), ("model".into(), "m")]
    {
        let fact = Fact::new(kind, text.to_owned());
        assert!(first.facts.contains(&fact), "{fact:?}");
    }
    assert_eq!(refusals(&read), ["an annotation lacks its content or its address"]);
    let spans: Vec<_> = read.trace.annotations().iter().map(|it| read.text(it.span)).collect();
    assert!(spans[0].contains("<root>") && spans.len() == 2);
    assert_eq!(read.text(first.record.unwrap()), records[1]);
}

#[test]
fn lists_begin_with_their_metadata() {
    let list = format!(r#"[{{"metadata":{{"name":"n","hierarchy_path":["g"]}}}},{USER}]"#);
    let plain = format!("[{USER},{USER}]");
    let read = read(&INVARIANT, &[&[&list, &plain, "[]"]]);
    assert_eq!(titles(&read), ["n", "hi", "Run 2"]);
    assert_eq!(read.trace.events().len(), 3);
    assert_eq!(read.trace.runs()[0].groups, ["g"]);
    assert!(refusals(&read).is_empty());
}

#[test]
fn what_explorer_refuses_is_said_and_read() {
    let row = |index: &str| format!(r#"{{{index}"messages":[{USER}]}}"#);
    let (one, two, bad) = (row("\"index\":1,"), row(""), row("\"index\":\"a\","));
    let metadata = r#"{"metadata":{}}"#;
    let list = format!("[{USER}]");
    let records = [&one, &one, &two, &bad, metadata, metadata, &list, &list];
    let read = read(&INVARIANT, &[&records]);
    let expected = [
        "duplicate index 1",
        "`index` is found in some traces and missing in others",
        "invalid index \"a\": it must be an integer",
        "the metadata row must be the first row in the file",
        "the metadata row can appear at most once in the file",
        "the file contains both raw event lists and annotated event lists",
    ];
    assert_eq!(refusals(&read), expected);
    assert_eq!(read.trace.runs().len(), 6);
    assert_eq!(read.trace.events().len(), 6);
}

#[test]
fn images_are_named_and_never_fetched() {
    let contents = [
        r#""local_base64_img: iVBORw0KGgo=""#,
        r#"[{"type":"image_url","image_url":{"url":"data:image/jpeg;base64,/9j/"}}]"#,
        r#"[{"type":"text","text":"t"},{"type":"image_url","image_url":{"url":"https://x.test/y.png"}}]"#,
        r#""local_img_link: /srv/x.png""#,
    ];
    let records = contents.map(|content| format!(r#"{{"role":"user","content":{content}}}"#));
    let records: Vec<&str> = records.iter().map(String::as_str).collect();
    let read = read(&INVARIANT, &[&records]);
    let kinds: Vec<Vec<&str>> = (0..4)
        .map(|at| {
            let detail = read.detail(&INVARIANT, at);
            let kinds = detail.blocks.iter().map(|block| match block {
                Block::Media(media, _) if media == "image/png" => "png",
                Block::Media(media, _) if media == "image/jpeg" => "jpeg",
                Block::Note(_) => "note",
                Block::Text(..) => "text",
                _ => "?",
            });
            kinds.collect()
        })
        .collect();
    let expected: [&[&str]; 4] =
        [&["png"], &["jpeg"], &["text", "note", "text"], &["note", "text"]];
    assert_eq!(kinds, expected);
}

#[test]
fn hostile_records_become_rows() {
    let deep =
        format!(r#"{{"role":"user","content":{}1{}}}"#, "[".repeat(50_000), "]".repeat(50_000));
    let records = [
        r#"{"role":5}"#,
        r#"{"role":"assistant","tool_calls":{"a":1},"content":7}"#,
        r#"{"role":"assistant","tool_calls":[1,"x",null,{"function":5}]}"#,
        r#"{"role":"tool","tool_call_id":{"a":1},"content":{}}"#,
        r#"{"type":"function","function":{"name":7,"arguments":null}}"#,
        r#"{"role":"user","role":"assistant","content":"a","content":"b"}"#,
        r#"{"messages":5}"#,
        "{}",
        "[1,[2],null]",
        &deep,
    ];
    let read = read(&INVARIANT, &[&records]);
    for at in 0..read.trace.events().len() {
        read.detail(&INVARIANT, at);
    }
    let n = |kind| read.trace.events().iter().filter(|event| event.kind == kind).count();
    // The last three are items of `tool_calls` that are not calls.
    assert_eq!(n(EventKind::Record), 6 + 3);
    assert!(refusals(&read).len() >= 8, "{:?}", refusals(&read));
}

#[test]
fn ids_used_twice_answer_in_turn() {
    let records = [
        call("1", "{\"n\":1}"),
        call("1", "{\"n\":2}"),
        r#"{"role":"tool","tool_call_id":"1","content":"one"}"#.to_owned(),
        r#"{"role":"tool","tool_call_id":"1","content":"two"}"#.to_owned(),
        r#"{"role":"tool","tool_call_id":"1","content":"three"}"#.to_owned(),
    ];
    let records: Vec<&str> = records.iter().map(String::as_str).collect();
    let read = read(&INVARIANT, &[&records]);
    assert_eq!(read.outline(), ["tool-call f1", "tool-call f1"]);
    let n_records =
        [0, 1].map(|at| read.trace.places(read.trace.events().get(at).unwrap()).count());
    assert_eq!(n_records, [2, 3]);
}

#[test]
fn an_output_of_an_unknown_id_takes_no_waiting_call() {
    let records = [
        call("1", "{}"),
        r#"{"role":"tool","tool_call_id":"elsewhere","content":"of another"}"#.to_owned(),
        r#"{"role":"tool","tool_call_id":"1","content":"of 1"}"#.to_owned(),
    ];
    let records: Vec<&str> = records.iter().map(String::as_str).collect();
    let read = read(&INVARIANT, &[&records]);
    assert_eq!(read.outline(), ["tool-call f1", "tool-call "]);
    let results = [0, 1].map(|at| {
        let blocks = read.detail(&INVARIANT, at).blocks;
        let result = blocks.iter().find_map(|block| match block {
            Block::Result(Value::Json(span)) => Some(read.text(*span)),
            _ => None,
        });
        result.unwrap()
    });
    assert_eq!(results, ["\"of 1\"", "\"of another\""]);
    assert_eq!(read.trace.warnings().as_slice()[0].code.word(), "result-without-call");
}

#[test]
fn detection() {
    let sure = |records: &[&str]| match sniff(&INVARIANT, "x.jsonl", records) {
        Verdict::Certain(_) => 3,
        Verdict::Likely(_) => 2,
        Verdict::Maybe(_) => 1,
        Verdict::No => 0,
    };
    let list = format!("[{USER}]");
    let row = format!(r#"{{"messages":[{USER}]}}"#);
    assert_eq!(sure(&[r#"{"metadata":{}}"#, &list]), 3);
    assert_eq!(sure(&[&row.replace("}]", "}],\"annotations\":[]")]), 3);
    assert_eq!(sure(&[&row.replace("}]", "}],\"index\":1,\"metadata\":{}")]), 3);
    assert_eq!(sure(&[&format!(r#"[{{"metadata":{{}}}},{USER}]"#)]), 3);
    for records in [&[list.as_str()][..], &[&row], &[USER], &[USER, &call("1", "{}")]] {
        assert_eq!(sure(records), 1, "{records:?}");
    }
    for records in [
        &[r#"{"metadata":{}}"#][..],
        &[r#"{"role":"assistant","tool_calls":[{"tool":"t","input":{},"output":"o"}]}"#],
        &[r#"[{"type":"llm_request","messages":[]}]"#],
        &[r#"{"type":"user","message":{"role":"user","content":"x"}}"#],
        &["[1]"],
        &["{}"],
        &[],
    ] {
        assert_eq!(sure(records), 0, "{records:?}");
    }
}
