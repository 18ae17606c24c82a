//! Data that several records contain: agents and the calls that started them, repeated calls, facts, pieces in several
//! files.

use super::super::super::testing::read;
use super::{TEST, event, rows};
use traceloupe_core::model::{EventId, Fact, FactKind, Flags};
use traceloupe_core::warning_code::WarningCode;

#[test]
fn what_an_agent_of_the_same_run_does_is_nested_in_the_call_that_started_it() {
    let files: &[&str] = &[
        r#"{"k":"starts","run":"r","id":"a","name":"Task","args":{"who":"scout"}}"#,
        r#"{"k":"starts","run":"r","id":"b","name":"Task","args":{"who":"guard"}}"#,
        r#"{"k":"user","run":"r","agent":"b","text":"Watch."}"#,
        r#"{"k":"user","run":"r","agent":"a","text":"Look."}"#,
        r#"{"k":"starts","run":"r","agent":"a","id":"c","name":"Ask","args":{"who":"helper"}}"#,
        r#"{"k":"model","run":"r","agent":"c","text":"Done."}"#,
        r#"{"k":"result","run":"r","id":"b","value":1}"#,
    ];
    assert_eq!(
        rows(&[files]),
        [
            "tool-call Task no-result ×1",
            " user  unknown ×1",
            " tool-call Ask no-result ×1",
            "  llm-call  unknown ×1",
            "tool-call Task unknown ×2",
            " user  unknown ×1",
        ]
    );
    let read = read(&TEST, &[files]);
    let names: Vec<&str> = read.trace.lanes().iter().map(|it| read.trace.name(it.name)).collect();
    assert_eq!(names, ["", "guard", "scout", "helper"]);
}

#[test]
fn a_call_that_is_told_again_is_the_one_with_its_id() {
    let call = r#"{"k":"call","id":"1","name":"a"}"#;
    let again = r#"{"k":"call-again","id":"1","name":"a","args":{"x":1}}"#;
    let result = r#"{"k":"result","id":"1","value":2}"#;
    for records in [&[call, again, result][..], &[call, result, again]] {
        assert_eq!(rows(&[records]), ["tool-call a unknown ×3"]);
        assert!(event(&read(&TEST, &[records]), 0).args_hash != 0);
    }
    assert_eq!(rows(&[&[again, result]]), ["tool-call a unknown ×2"]);
    let words = r#"{"k":"model","text":"x"}"#;
    let known = r#"{"k":"call-known","id":"1","name":"a"}"#;
    let n_calls =
        |record| rows(&[&[known, words, record]]).iter().filter(|it| it.contains("tool")).count();
    assert_eq!((n_calls(known), n_calls(again)), (1, 2));
}

#[test]
fn a_call_without_an_id_is_one_that_a_model_asked_for() {
    let ask =
        |id: &str, x: u8| format!(r#"{{"k":"ask","id":"{id}","name":"a","args":{{"x":{x}}}}}"#);
    let words = r#"{"k":"user","text":"Go on."}"#;
    let known = |x: u8| format!(r#"{{"k":"call-known","name":"a","args":{{"x":{x}}}}}"#);
    let records = [ask("1", 1), ask("2", 2), known(2), known(7), known(7)];
    let records: Vec<&str> = records.iter().map(String::as_str).collect();
    let expected = [
        "llm-call  unknown ×2",
        " tool-call a no-result ×2",
        " tool-call a no-result ×2",
        " tool-call a no-result ×1",
    ];
    assert_eq!(rows(&[&records]), expected);
    let other = known(2).replace("\"a\"", "\"b\"");
    assert_eq!(rows(&[&[&ask("1", 2), words, &other]]).last().unwrap(), "tool-call b no-result ×1");
    // No model requested this call.
    let call = r#"{"k":"call","name":"a","args":{"x":2}}"#;
    assert_eq!(rows(&[&[call, &known(2)]]).len(), 2);
}

#[test]
fn agents_without_names_are_known_by_their_conversations() {
    let says = |text: &str, role: &str, called: &str| {
        format!(
            r#"{{"k":"llm","says":[{{"role":"{role}","content":"{text}"}}],"called":"{called}"}}"#
        )
    };
    let records = [
        says("one", "user", "x"),
        says("two", "user", "x"),
        says("one", "user", "renamed"),
        says("be", "system", "x"),
        r#"{"k":"call","name":"a"}"#.to_owned(),
        says("three", "user", "y"),
    ];
    let records: Vec<&str> = records.iter().map(String::as_str).collect();
    let read = read(&TEST, &[&records]);
    let lanes: Vec<_> = read.trace.events().iter().map(|it| it.lane.index()).collect();
    assert_eq!(lanes, [0, 0, 0, 1, 1, 2]);
    let names: Vec<&str> = read.trace.lanes().iter().map(|it| read.trace.name(it.name)).collect();
    assert_eq!(names, ["x", "x", "y"]);
    assert_eq!(read.trace.runs()[0].facts, [Fact::new("agents".into(), "3".to_owned())]);
}

#[test]
fn a_result_that_is_told_again_is_a_row_where_its_call_is_lost() {
    let words = r#"{"k":"user","text":"Go on."}"#;
    let again = r#"{"k":"again","id":"1","value":"done"}"#;
    let result = r#"{"k":"result","id":"1","value":"done"}"#;
    let nameless = r#"{"k":"again","value":"done"}"#;
    let lost = ["user  unknown ×1", "tool-call  unknown ×1"];
    for records in [&[words, again][..], &[words, again, again], &[words, result, again]] {
        assert_eq!(rows(&[records]), lost);
        let read = read(&TEST, &[records]);
        let codes: Vec<_> = read.trace.warnings().as_slice().iter().map(|it| it.code).collect();
        assert_eq!(codes, [WarningCode::ResultWithoutCall]);
    }
    assert_eq!(rows(&[&[words, again, result]]), ["user  unknown ×1", "tool-call  unknown ×2"]);
    assert_eq!(rows(&[&[words, nameless]]), lost);
}

#[test]
fn a_result_without_an_id_is_told_again_by_the_same_value() {
    let call = r#"{"k":"call","name":"a","args":{"x":1}}"#;
    let result = |value| format!(r#"{{"k":"result","value":{value}}}"#);
    let again = |value| format!(r#"{{"k":"again","value":{value}}}"#);
    let (one, two) = (result(1), result(2));
    let (one_again, two_again) = (again(1), again(2));
    assert_eq!(
        rows(&[&[call, call, &one, &two, &one_again, &two_again]]),
        ["tool-call a unknown ×3", "tool-call a unknown ×3"]
    );
    // No earlier record contains it.
    assert_eq!(rows(&[&[call, &one_again]]), ["tool-call a unknown ×2"]);
}

#[test]
fn a_response_ends_a_span_where_no_call_waits_for_it() {
    let span = r#"{"k":"span","run":"r","span":"1","name":"initialize"}"#;
    let call = r#"{"k":"call","run":"r","id":"1","name":"a"}"#;
    let response = r#"{"k":"response","id":"1","span":"1","value":{"x":1}}"#;
    assert_eq!(rows(&[&[span, response]]), ["agent initialize unknown ×2"]);
    assert_eq!(rows(&[&[call, response]]), ["tool-call a unknown ×2"]);
    // A response without a request.
    assert_eq!(rows(&[&[r#"{"run":"r","k":"user"}"#, response]])[1..], ["record  unknown ×1"]);
}

#[test]
fn records_before_the_first_one_that_names_its_run_may_be_of_that_run() {
    let words = r#"{"k":"user","text":"Hello"}"#;
    let named = r#"{"k":"model","run":"r","earlier":true,"text":"Hi"}"#;
    let read_two = read(&TEST, &[&[words, named], &[words, named]]);
    let keys: Vec<&str> = read_two.trace.runs().iter().map(|run| run.key.as_str()).collect();
    // Such a run already exists when the second file begins.
    assert_eq!(keys, ["r", "source 1"]);
    let other = r#"{"k":"model","run":"r","text":"Hi"}"#;
    assert_eq!(read(&TEST, &[&[words, other]]).trace.runs().len(), 2);
}

#[test]
fn the_last_total_of_a_run_counts_and_the_first_fact() {
    let records = [
        r#"{"k":"user","text":"a","cost":1,"facts":{"City":"Ghent"}}"#,
        r#"{"k":"user","text":"b","cost":2.5,"facts":{"City":"Bruges"}}"#,
        r#"{"k":"user","text":"c","cost":null}"#,
    ];
    let read = read(&TEST, &[&records]);
    let expected = [(FactKind::Cost, "2.5"), (FactKind::from("City"), "Ghent")];
    let expected = expected.map(|(kind, text)| Fact::new(kind, text.to_owned()));
    assert_eq!(read.trace.runs()[0].facts, expected);
}

#[test]
fn pieces_of_an_llm_call_find_each_other_in_several_files() {
    let words = r#"{"k":"piece","run":"r","id":"m","text":"Hello there"}"#;
    let thinking = r#"{"k":"thinking","run":"r","joins":"m","text":"Who is it?"}"#;
    for files in [&[&[thinking][..], &[words]][..], &[&[words], &[thinking]]] {
        assert_eq!(rows(files), ["llm-call  unknown ×2"]);
    }
    let read = read(&TEST, &[&[thinking], &[words]]);
    let summary = read.trace.own_summary(EventId::from_index(0));
    assert_eq!(summary, Some(r#""Hello there""#));
}

#[test]
fn thinking_is_the_summary_of_a_call_that_has_said_nothing_yet() {
    let lines = [r#"{"k":"asks","span":"m"}"#, r#"{"k":"thinking","joins":"m","text":"Hm"}"#];
    let read = read(&TEST, &[&lines]);
    assert_eq!(read.trace.events().len(), 1);
    assert_eq!(read.summary(0), "\"Hm\"");
    assert!(event(&read, 0).flags.has(Flags::THINKING));
}

#[test]
fn a_later_piece_says_how_long_its_call_took() {
    let lines = [r#"{"k":"asks","span":"m"}"#, r#"{"k":"asks","span":"m","took":900}"#];
    let read = read(&TEST, &[&lines]);
    assert_eq!((read.trace.events().len(), event(&read, 0).duration.get()), (1, Some(900)));
}
