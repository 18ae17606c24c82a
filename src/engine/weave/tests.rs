//! The engines with records in awkward orders.

mod cumulative_text;
mod files;
mod repeated_data;
mod requested_calls;

use super::super::testing::{Read, read};
use super::super::{Format as _, Record};
use crate::described::test_format::TEST;
use traceloupe_core::json::Json;
use traceloupe_core::model::{
    BlockRole, ErrorLabel, EventId, EventKind, Flags, SourceId, Status, TraceBuilder,
};

/// Kinds, names, statuses and nesting of the rows of the first run.
fn rows(files: &[&[&str]]) -> Vec<String> {
    let read = read(&TEST, files);
    let run = traceloupe_core::model::RunId::from_index(0);
    let rows = read.trace.order(run).iter().zip(read.trace.depths(run));
    rows.map(|(id, depth)| {
        let event = read.trace.event(*id).unwrap();
        let records = read.trace.places(event).count();
        format!(
            "{}{} {} {} ×{records}",
            " ".repeat(usize::from(*depth)),
            event.kind.word(),
            read.trace.name(event.name),
            event.status.word(),
        )
    })
    .collect()
}

fn event(read: &Read, at: usize) -> &traceloupe_core::model::Event {
    read.trace.event(EventId::from_index(at)).unwrap()
}

#[test]
fn results_find_their_calls_by_id_in_any_order() {
    let call = r#"{"k":"call","run":"r","id":"1","name":"a","args":{"x":1}}"#;
    let result = r#"{"k":"result","run":"r","id":"1","value":"done"}"#;
    for files in [
        &[&[call, result][..]][..],
        &[&[result, call]],
        &[&[call], &[result]],
        &[&[result], &[call]],
    ] {
        assert_eq!(rows(files), ["tool-call a unknown ×2"], "{files:?}");
        let read = read(&TEST, files);
        let id = read.trace.order(traceloupe_core::model::RunId::from_index(0))[0];
        let event = read.trace.event(id).unwrap();
        assert!(event.args_hash != 0 && event.result_hash != 0, "{files:?}");
    }
}

#[test]
fn an_id_that_is_used_twice_has_two_calls_with_a_result_each() {
    let call = |n: u8| format!(r#"{{"k":"call","id":"1","name":"a","args":{n}}}"#);
    let result = |n: u8| format!(r#"{{"k":"result","id":"1","value":{n}}}"#);
    let both = [call(1), call(2), result(7), result(8)];
    let turns = [call(1), result(7), call(2), result(8)];
    for records in [both, turns] {
        let records: Vec<&str> = records.iter().map(String::as_str).collect();
        let read = read(&TEST, &[&records]);
        let hashes: Vec<u64> = read.trace.events().iter().map(|event| event.result_hash).collect();
        assert_eq!(hashes, [Json::new("7").fingerprint(), Json::new("8").fingerprint()]);
        let args: Vec<u64> = read.trace.events().iter().map(|event| event.args_hash).collect();
        assert_eq!(args, [Json::new("1").fingerprint(), Json::new("2").fingerprint()]);
    }
}

#[test]
fn without_ids_the_oldest_waiting_call_of_that_name_gets_the_result() {
    let records = [
        r#"{"k":"call","name":"a","args":1}"#,
        r#"{"k":"call","name":"b","args":2}"#,
        r#"{"k":"call","id":"7","name":"b","args":3}"#,
        r#"{"k":"result","name":"b","value":"of b"}"#,
        r#"{"k":"result","value":"of a"}"#,
    ];
    let expected = ["tool-call a unknown ×2", "tool-call b unknown ×2", "tool-call b no-result ×1"];
    assert_eq!(rows(&[&records]), expected);
}

#[test]
fn a_result_of_an_unknown_id_takes_no_other_call() {
    let records = [
        r#"{"k":"call","name":"a","args":1}"#,
        r#"{"k":"call","id":"1","name":"a","args":1}"#,
        r#"{"k":"result","id":"2","value":"x"}"#,
    ];
    let expected =
        ["tool-call a no-result ×1", "tool-call a no-result ×1", "tool-call  unknown ×1"];
    assert_eq!(rows(&[&records]), expected);
}

#[test]
fn a_result_without_an_id_takes_the_oldest_waiting_call() {
    let lines = [
        r#"{"k":"call","id":"a","name":"f"}"#,
        r#"{"k":"call","id":"b","name":"f"}"#,
        r#"{"k":"call","name":"f"}"#,
        r#"{"k":"result","id":"a","value":"of a"}"#,
        r#"{"k":"result","name":"f","value":"of the one without an id"}"#,
        r#"{"k":"result","name":"f","value":"of b"}"#,
    ];
    let read = read(&TEST, &[&lines]);
    let results = [0, 1, 2].map(|at| {
        let places = read.trace.places(event(&read, at));
        places.map(|place| place.line).collect::<Vec<_>>()
    });
    assert_eq!(results, [[1, 4], [2, 6], [3, 5]]);
}

#[test]
fn a_call_without_an_id_waits_until_the_next_message_of_a_person() {
    let records = [
        r#"{"k":"call","name":"a","args":1}"#,
        r#"{"k":"user","text":"go on"}"#,
        r#"{"k":"call","name":"a","args":2}"#,
        r#"{"k":"result","name":"a","value":"x"}"#,
    ];
    let expected = ["tool-call a no-result ×1", "user  unknown ×1", "tool-call a unknown ×2"];
    assert_eq!(rows(&[&records]), expected);
}

#[test]
fn agents_do_not_take_each_others_results() {
    let records = [
        r#"{"k":"call","name":"a","args":1}"#,
        r#"{"k":"call","agent":"two","name":"a","args":2}"#,
        r#"{"k":"result","agent":"two","value":"x"}"#,
    ];
    assert_eq!(rows(&[&records]), ["tool-call a no-result ×1", "tool-call a unknown ×2"]);
}

#[test]
fn updates_add_to_the_call_before_and_after_its_result() {
    let records = [
        r#"{"k":"call","id":"1","name":"a","args":1}"#,
        r#"{"k":"result","id":"1","value":"x"}"#,
        r#"{"k":"update","id":"1","exit":2}"#,
        r#"{"k":"update","id":"9","name":"lost"}"#,
    ];
    assert_eq!(rows(&[&records]), ["tool-call a error ×3", "note  unknown ×1"]);
    let read = read(&TEST, &[&records]);
    assert_eq!(read.trace.error(event(&read, 0).error), ErrorLabel::ExitCode(2));
}

#[test]
fn neighbouring_pieces_are_one_llm_call_until_its_usage_or_a_result() {
    let records = [
        r#"{"k":"user","text":"do it","t":"2026-01-01T00:00:00Z"}"#,
        r#"{"k":"thinking","text":"hm","t":"2026-01-01T00:00:02Z"}"#,
        r#"{"k":"ask","id":"1","name":"a","args":{},"t":"2026-01-01T00:00:03Z"}"#,
        r#"{"k":"result","id":"1","value":"x","t":"2026-01-01T00:00:04Z"}"#,
        r#"{"k":"usage","usage":{"input_tokens":5,"output_tokens":2}}"#,
        r#"{"k":"model","text":"done"}"#,
        r#"{"k":"usage","usage":{"input_tokens":9,"output_tokens":3}}"#,
        r#"{"k":"model","text":"more"}"#,
    ];
    let expected = [
        "user  unknown ×1",
        "llm-call  unknown ×3",
        " tool-call a unknown ×2",
        "llm-call  unknown ×2",
        "llm-call  unknown ×1",
    ];
    assert_eq!(rows(&[&records]), expected);
    let read = read(&TEST, &[&records]);
    let totals = read.trace.totals(traceloupe_core::model::RunId::from_index(0));
    assert_eq!((totals.usage.input, totals.usage.output), (Some(14), Some(5)));
    let call = event(&read, 1);
    assert_eq!(call.duration.get(), Some(3_000_000_000));
    assert!(call.flags.has(Flags::INFERRED_TIME) && event(&read, 2).duration.is_known());
}

#[test]
fn usage_that_is_written_again_counts_once() {
    let usage = |total: u32| {
        format!(r#"{{"k":"usage","total":{total},"usage":{{"input_tokens":5,"output_tokens":2}}}}"#)
    };
    let model = r#"{"k":"model","text":"x"}"#;
    let records =
        [model.to_owned(), usage(7), usage(7), model.to_owned(), usage(7), usage(14), usage(21)];
    let records: Vec<&str> = records.iter().map(String::as_str).collect();
    let read = read(&TEST, &[&records]);
    let totals = read.trace.totals(traceloupe_core::model::RunId::from_index(0));
    assert_eq!((totals.llm_calls, totals.usage.input), (3, Some(15)));
}

#[test]
fn pieces_with_an_id_are_one_call_wherever_they_stand() {
    let records = [
        r#"{"k":"piece","id":"m1","text":"one"}"#,
        r#"{"k":"piece","id":"m2","text":"two"}"#,
        r#"{"k":"result","id":"9","value":"x"}"#,
        r#"{"k":"piece","id":"m1","text":"three"}"#,
    ];
    let expected = ["llm-call  unknown ×2", "llm-call  unknown ×1", "tool-call  unknown ×1"];
    assert_eq!(rows(&[&records]), expected);
}

#[test]
fn the_first_pieces_of_a_call_may_lack_its_id() {
    let read = read(
        &TEST,
        &[&[
            r#"{"run":"r","k":"thinking","text":"Both."}"#,
            r#"{"run":"r","k":"named","id":"m1","text":"one"}"#,
            r#"{"run":"r","k":"result","id":"c","value":1}"#,
            r#"{"run":"r","k":"named","id":"m1","text":"two"}"#,
            r#"{"run":"r","k":"named","id":"m2","text":"three"}"#,
        ]],
    );
    let llm = read.trace.events().iter().filter(|it| it.kind == EventKind::LlmCall);
    assert_eq!(llm.count(), 2, "{:?}", read.outline());
}

#[test]
fn counts_that_are_set_again_replace_those_before() {
    let counts = |id: u32, input: u32| {
        format!(r#"{{"run":"r","k":"counts","id":{id},"usage":{{"prompt_tokens":{input}}}}}"#)
    };
    let said = r#"{"run":"r","k":"model","text":"one"}"#;
    let (user, result) =
        (r#"{"run":"r","k":"user","text":"x"}"#, r#"{"run":"r","k":"result","id":"c","value":1}"#);
    let lines =
        [said, &counts(0, 10), result, &counts(0, 30), said, user, &counts(1, 5), &counts(1, 7)];
    let read = read(&TEST, &[&lines]);
    let events = read.trace.events();
    let usage = events.iter().filter_map(|event| read.trace.usage(event)?.input);
    assert_eq!(usage.collect::<Vec<_>>(), [30, 7], "{:?}", read.outline());
}

#[test]
fn a_call_that_is_asked_for_again_is_of_its_llm_call() {
    let asks = |id: &str| format!(r#"{{"run":"r","k":"ask-known","id":"{id}","name":"look"}}"#);
    let result = |id: &str| format!(r#"{{"run":"r","k":"result","id":"{id}","value":1}}"#);
    let lines = [asks("a"), asks("b"), asks("a"), result("a"), asks("b"), result("b"), asks("c")];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let calls = ["llm-call ", " tool-call look", " tool-call look", "llm-call ", " tool-call look"];
    assert_eq!(read(&TEST, &[&lines]).outline(), calls);
}

#[test]
fn words_that_are_written_twice_are_one_row_and_shown_once() {
    let records = [
        r#"{"k":"user","text":"hello"}"#,
        r#"{"k":"user-again","text":"hello"}"#,
        r#"{"k":"model-again","text":"well"}"#,
        r#"{"k":"model","text":"well"}"#,
        r#"{"k":"user-again","text":"hello"}"#,
        r#"{"k":"user","text":"other"}"#,
        r#"{"k":"user","text":"other"}"#,
    ];
    let expected = [
        "user  unknown ×2",
        "llm-call  unknown ×2",
        "user  unknown ×1",
        "user  unknown ×1",
        "user  unknown ×1",
    ];
    assert_eq!(rows(&[&records]), expected);
    let read = read(&TEST, &[&records]);
    for at in [0, 1, 2] {
        let detail = read.detail(&TEST, at);
        let n = detail
            .blocks
            .iter()
            .filter(|it| matches!(it, traceloupe_core::model::Block::Text(..)))
            .count();
        assert_eq!(n, 1, "row {at}");
    }
}

#[test]
fn spans_are_nested_wherever_their_parents_stand() {
    let root = r#"{"k":"span","run":"r","span":"r","name":"root"}"#;
    let middle = r#"{"k":"span","run":"r","span":"m","parent":"r","name":"middle"}"#;
    let leaf = r#"{"k":"call","run":"r","span":"l","parent":"m","name":"leaf","args":1}"#;
    let orders: [&[&[&str]]; 4] = [
        &[&[root, middle, leaf]],
        &[&[leaf, middle, root]],
        &[&[leaf], &[root], &[middle]],
        &[&[middle], &[leaf, root]],
    ];
    for files in orders {
        let expected =
            ["agent root unknown ×1", " agent middle unknown ×1", "  tool-call leaf no-result ×1"];
        assert_eq!(rows(files), expected, "{files:?}");
    }
    let read = read(&TEST, &[&[middle]]);
    assert_eq!(read.trace.runs()[0].notes, [traceloupe_core::model::RunNote::ParentsNotOpened(1)]);
}

#[test]
fn deep_spans_and_circles_of_parents_do_no_harm() {
    let mut records: Vec<String> = (0..100_000)
        .map(|at| format!(r#"{{"k":"span","span":"{at}","parent":"{}"}}"#, at + 1))
        .collect();
    records.push(r#"{"k":"span","span":"100000","parent":"0"}"#.to_owned());
    let records: Vec<&str> = records.iter().map(String::as_str).collect();
    let read = read(&TEST, &[&records]);
    assert_eq!(read.trace.order(traceloupe_core::model::RunId::from_index(0)).len(), 100_001);
}

#[test]
fn usage_on_spans_around_a_call_does_not_count_again() {
    let usage = r#""usage":{"input_tokens":10,"output_tokens":1}"#;
    let outer = format!(r#"{{"k":"llm","span":"o",{usage}}}"#);
    let inner = format!(r#"{{"k":"llm","span":"i","parent":"o",{usage}}}"#);
    for records in [[&outer, &inner], [&inner, &outer]] {
        let records: Vec<&str> = records.iter().map(|it| it.as_str()).collect();
        let read = read(&TEST, &[&records]);
        let totals = read.trace.totals(traceloupe_core::model::RunId::from_index(0));
        // The outer one is a step around the call.
        assert_eq!((totals.llm_calls, totals.usage.input), (1, Some(10)));
    }
    let tool = r#"{"k":"call","span":"t","parent":"o","name":"ask","args":1}"#;
    let inner = inner.replace("\"parent\":\"o\"", "\"parent\":\"t\"");
    let read = read(&TEST, &[&[outer.as_str(), tool, inner.as_str()]]);
    let totals = read.trace.totals(traceloupe_core::model::RunId::from_index(0));
    assert_eq!((totals.llm_calls, totals.usage.input), (2, Some(20)));
}

#[test]
fn spans_are_shown_in_order_of_their_start() {
    let span = |id: &str, parent: &str, time: u64| {
        format!(
            r#"{{"k":"span","span":"{id}","parent":"{parent}","name":"{id}","t":179516232{time}}}"#
        )
    };
    let records = [
        span("late", "root", 3),
        span("inner", "early", 4),
        span("early", "root", 2),
        span("root", "", 1),
    ];
    let records: Vec<&str> = records.iter().map(String::as_str).collect();
    let names: Vec<String> = rows(&[&records])
        .iter()
        .map(|row| row.split_whitespace().nth(1).unwrap().to_owned())
        .collect();
    assert_eq!(names, ["root", "early", "inner", "late"]);
}

#[test]
fn runs_of_spans_without_agents_say_so() {
    let plain = r#"{"k":"plain","run":"r","span":"p","name":"GET"}"#;
    let llm = r#"{"k":"llm","run":"r","span":"l","parent":"p"}"#;
    let notes = |files: &[&[&str]]| read(&TEST, files).trace.runs()[0].notes.len();
    assert_eq!(
        (notes(&[&[plain]]), notes(&[&[plain, llm]]), notes(&[&[llm], &[plain]])),
        (1, 0, 0)
    );
}

#[test]
fn what_stands_around_many_lists_is_shown_once() {
    let line = |text: &str| {
        format!(r#"{{"run":"r","note":"same","list":[{{"k":"user","text":"{text}"}}]}}"#)
    };
    let records = [line("one"), line("two")];
    let records: Vec<&str> = records.iter().map(String::as_str).collect();
    let expected = ["run-start  unknown ×1", "user  unknown ×1", "user  unknown ×1"];
    assert_eq!(rows(&[&records]), expected);
}

#[test]
fn what_a_split_document_has_after_its_list_is_a_row() {
    let mut out = TraceBuilder::new();
    let source = SourceId::from_index(0);
    let mut reader = TEST.reader(source);
    let tail = Json::new(r#"{"after":"the list"}"#);
    reader.part(&Record::new(tail, source, 0, 1), &mut out);
    reader.finish(&mut out);
    let trace = out.finish();
    let kinds: Vec<_> = trace.events().iter().map(|event| event.kind).collect();
    assert_eq!(kinds, [EventKind::Record]);
}

#[test]
fn items_of_nested_lists_are_records_and_the_rest_is_shown_around_them() {
    let document = r#"{"run":"r1","extra":{"a":1},"groups":[{"list":[{"k":"user","text":"one"}]},{"list":[{"k":"user","text":"two"},{"k":"odd","z":5}]}]}"#;
    let read = read(&TEST, &[&[document]]);
    assert_eq!(read.trace.runs()[0].key, "r1");
    let summaries: Vec<_> = (0..read.trace.events().len()).map(|at| read.summary(at)).collect();
    assert_eq!(summaries[1..], [r#""one""#, r#""two""#, r#"{"k":"odd","z":5}"#]);
    let detail = read.detail(&TEST, 3);
    assert!(matches!(
        detail.blocks.as_slice(),
        [traceloupe_core::model::Block::Json(BlockRole::Record, _)]
    ));
    assert_eq!(event(&read, 3).status, Status::Unknown);
}

#[test]
fn a_call_that_ran_is_the_one_that_was_asked_for() {
    let ask = r#"{"k":"ask","run":"r","id":"1","name":"a","args":{"x":1}}"#;
    let ran = r#"{"k":"ran","id":"1","name":"a","args":{"x":1},"value":"done","parent":"s"}"#;
    let span = r#"{"k":"span","span":"s","name":"solver"}"#;
    let expected = ["llm-call  unknown ×1", " tool-call a unknown ×2"];
    assert_eq!(rows(&[&[ask, ran]]), expected);
    // If no call waits, it is a call of its own, at the place of its span.
    let alone = rows(&[&[r#"{"run":"r"}"#, span, ran]]);
    assert_eq!(alone[1..], ["agent solver unknown ×1", " tool-call a unknown ×1"]);
    // The same id again, after its result, is another call.
    assert_eq!(rows(&[&[ask, ran, ran]]).len(), 3);
}

#[test]
fn a_result_that_is_told_again_counts_if_there_is_no_other() {
    let call = r#"{"k":"call","run":"r","id":"1","name":"a","args":{"x":1}}"#;
    let result = r#"{"k":"result","id":"1","value":"done"}"#;
    let again = r#"{"k":"again","run":"r","id":"1","value":"done"}"#;
    assert_eq!(rows(&[&[call, again, again]]), ["tool-call a unknown ×2"]);
    assert_eq!(rows(&[&[call, result, again]]), ["tool-call a unknown ×2"]);
    assert_eq!(rows(&[&[again, call]]), ["tool-call a unknown ×2"]);
    // If the document around the calls contains it, it comes after them.
    let document =
        format!(r#"{{"run":"r","late":[{{"id":"1","value":"done"}}],"inside":[{call}]}}"#);
    assert_eq!(rows(&[&[&document]]), ["tool-call a unknown ×2"]);
}

#[test]
fn the_span_of_a_call_is_found_by_its_name() {
    let ask =
        |id: &str| format!(r#"{{"k":"ask","run":"r","id":"{id}","name":"a","args":{{"x":{id}}}}}"#);
    let span = |id: &str| format!(r#"{{"k":"call-span","span":"{id}","name":"a"}}"#);
    let inner = |id: &str| format!(r#"{{"k":"open","name":"in {id}","parent":"{id}"}}"#);
    let lines = [ask("1"), ask("2"), span("s1"), span("s2"), inner("s2"), inner("s1"), span("s3")];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    assert_eq!(
        rows(&[&lines]),
        [
            "llm-call  unknown ×2",
            " tool-call a no-result ×2",
            "  agent in s1 unknown ×1",
            "   span a unknown ×1",
            " tool-call a no-result ×2",
            "  agent in s2 unknown ×1",
        ]
    );
}

#[test]
fn what_is_between_a_beginning_and_its_end_is_nested() {
    let lines = [
        r#"{"k":"open","run":"r","name":"one","t":1795162322}"#,
        r#"{"k":"open","name":"two","t":1795162323}"#,
        r#"{"k":"user","text":"hello","t":1795162324}"#,
        r#"{"k":"end","name":"one","t":1795162325}"#,
        r#"{"k":"user","text":"more"}"#,
        r#"{"k":"end","name":"two"}"#,
        r#"{"k":"end","name":"two"}"#,
        r#"{"k":"end","name":"three"}"#,
    ];
    // The end of the outer one also ends the inner one. An end without a beginning is a row, with a warning.
    let expected = [
        "agent one unknown ×2",
        " agent two unknown ×2",
        "  user  unknown ×1",
        "user  unknown ×1",
        "record  unknown ×1",
        "record  unknown ×1",
    ];
    assert_eq!(rows(&[&lines]), expected);
    let read = read(&TEST, &[&lines]);
    assert_eq!(event(&read, 0).duration.get(), Some(3_000_000_000));
}

#[test]
fn documents_in_documents_are_nested_in_their_rows() {
    let user = r#"{"k":"user","text":"hello"}"#;
    let inner = format!(r#"{{"k":"box","name":"inner","inside":[{user},{user}]}}"#);
    let outer =
        format!(r#"{{"k":"box","run":"r","name":"outer","inside":[{user},{inner},{user}]}}"#);
    assert_eq!(
        rows(&[&[&outer]]),
        [
            "agent outer unknown ×1",
            " user  unknown ×1",
            " agent inner unknown ×1",
            "  user  unknown ×1",
            "  user  unknown ×1",
            " user  unknown ×1",
        ]
    );
    // Documents that are nested deeper than any producer writes are records.
    let deep = (0..40).fold(user.to_owned(), |inner, _| {
        format!(r#"{{"k":"box","run":"r","name":"x","inside":[{inner}]}}"#)
    });
    assert_eq!(rows(&[&[&deep]]).len(), 33);
    // Items of other lists are never documents.
    let flat = format!(r#"{{"run":"r","list":[{inner}]}}"#);
    assert_eq!(rows(&[&[&flat]]), ["agent inner unknown ×1"]);
}

#[test]
fn values_are_found_by_the_names_of_their_anchors() {
    let lines = [
        r#"{"k":"user","run":"r","text":"ref:b"}"#,
        r#"{"k":"request","refs":["ref:a","ref:c"]}"#,
        r#"{"k":"call","id":"1","name":"x","args":{"deep":["ref:b"]}}"#,
        r#"{"k":"user","text":"x","anchors":{"a":{"role":"user","content":"ref:b"},"b":"words"}}"#,
        r#"{"k":"user","run":"other","text":"ref:b"}"#,
    ];
    let read = read(&TEST, &[&lines]);
    assert_eq!(read.summary(0), "\"words\"");
    let shown = |at| format!("{:?}", read.detail(&TEST, at).blocks);
    let place = lines[..3].iter().map(|line| line.len() + 1).sum::<usize>()
        + lines[3].find("\"words\"").unwrap();
    assert!(shown(0).contains(&format!("start: {place}, ")), "{}", shown(0));
    let request = shown(1);
    assert!(
        request.contains("role: \"user\"") && request.contains(&format!("start: {place}, ")),
        "{request}"
    );
    assert!(request.contains("Note(MessagesNotOpened(1))"), "{request}");
    // An object is shown with the values to which it refers.
    assert!(shown(2).contains(r#"OwnedJson("{\"deep\":[\"words\"]}")"#), "{}", shown(2));
    // The names are those of one run.
    assert_eq!(read.summary(4), "");
}
