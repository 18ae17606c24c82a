//! Text that is repeated together with earlier text, and runs and models that no record names at first.

use super::super::super::testing::{Read, read};
use super::{TEST, event, rows};
use traceloupe_core::model::{Block, BlockRole, Flags, RunId, Value};

/// The response in the opened row of an LLM call.
fn response(read: &Read, at: usize) -> Vec<String> {
    let blocks = read.detail(&TEST, at).blocks.into_iter();
    let words = blocks.filter_map(|block| match block {
        Block::Text(BlockRole::Response, Value::Json(span)) => Some(read.text(span)),
        Block::Text(BlockRole::Response, Value::Text(text)) => Some(text),
        _ => None,
    });
    words.collect()
}

#[test]
fn of_all_words_so_far_a_call_keeps_the_last_record_and_shows_what_is_new() {
    let lines = [
        r#"{"k":"so-far","text":"Let me"}"#,
        r#"{"k":"so-far","text":"Let me see."}"#,
        r#"{"k":"call","id":"1","name":"look"}"#,
        r#"{"k":"result","id":"1","value":"up"}"#,
        r#"{"k":"so-far","text":"Let me see."}"#,
        r#"{"k":"so-far","text":"Let me see.It is"}"#,
        r#"{"k":"so-far","text":"Let me see.It is \"up\"."}"#,
        r#"{"k":"whole","text":"Let me see.It is \"up\"."}"#,
        r#"{"k":"whole","text":"Let me see.It is \"up\".Bye."}"#,
        r#"{"k":"whole","text":"Something else."}"#,
    ];
    let expected = [
        "llm-call  unknown ×1",
        " tool-call look unknown ×2",
        "llm-call  unknown ×1",
        "llm-call  unknown ×1",
        "llm-call  unknown ×1",
    ];
    assert_eq!(rows(&[&lines]), expected);
    let read = read(&TEST, &[&lines]);
    let is_mid = |at| event(&read, at).flags.has(Flags::MID_STRING);
    assert_eq!([0, 2, 3, 4].map(is_mid), [false, true, true, false]);
    assert!([0, 2, 3, 4].iter().all(|at| event(&read, *at).flags.has(Flags::ANSWER)));
    assert_eq!(read.summary(2), r#"It is \"up\".""#);
    let shown = [0, 2, 3, 4].map(|at| response(&read, at));
    assert_eq!(shown, [["\"Let me see.\""], ["It is \"up\"."], ["Bye."], ["\"Something else.\""]]);
}

#[test]
fn thinking_that_is_told_between_does_not_hide_words_so_far() {
    let lines = [
        r#"{"k":"so-far","text":"One"}"#,
        r#"{"k":"thinking","text":"Hm"}"#,
        r#"{"k":"so-far","text":"One two"}"#,
    ];
    assert_eq!(rows(&[&lines]), ["llm-call  unknown ×3"]);
    let read = read(&TEST, &[&lines]);
    assert_eq!(
        (read.summary(0), response(&read, 0)),
        (r#""One two""#.into(), vec![r#""One two""#.to_owned()])
    );
    assert!(matches!(read.detail(&TEST, 0).blocks[..], [Block::Thinking(_), Block::Text(..)]));
}

#[test]
fn pieces_that_are_told_again_as_a_whole_are_told_once() {
    let lines = [
        r#"{"k":"text-piece","text":"Hel","retold":1}"#,
        r#"{"k":"text-piece","text":"lo","retold":1}"#,
        r#"{"k":"whole","text":"Hello "}"#,
        r#"{"k":"whole","text":"Hello you"}"#,
    ];
    assert_eq!(rows(&[&lines]), ["llm-call  unknown ×2", "llm-call  unknown ×1"]);
    let read = read(&TEST, &[&lines]);
    assert_eq!(
        (response(&read, 0), response(&read, 1)),
        (vec!["Hello".to_owned()], vec![" you".to_owned()])
    );
}

#[test]
fn a_call_may_be_asked_for_by_an_llm_call_that_has_ended() {
    let lines = [
        r#"{"k":"model","text":"I look twice."}"#,
        r#"{"k":"call-of-last","id":"1","name":"one"}"#,
        r#"{"k":"result","id":"1","value":1}"#,
        r#"{"k":"call-of-last","id":"2","name":"two"}"#,
        r#"{"k":"call","id":"3","name":"three"}"#,
    ];
    assert_eq!(
        rows(&[&lines]),
        [
            "llm-call  unknown ×1",
            " tool-call one unknown ×2",
            " tool-call two no-result ×1",
            "tool-call three no-result ×1",
        ]
    );
}

#[test]
fn a_model_that_is_told_at_the_end_is_that_of_all_calls_without_one() {
    let lines = [
        r#"{"k":"model","text":"a"}"#,
        r#"{"k":"result","id":"1","value":1}"#,
        r#"{"k":"model","text":"b"}"#,
        r#"{"k":"model","agent":"other","text":"c"}"#,
        r#"{"k":"span","name":"end","of-model":"m-1"}"#,
    ];
    let rows = rows(&[&lines]);
    let named = ["llm-call m-1 unknown ×1", "llm-call  unknown ×1"]
        .map(|row| rows.iter().filter(|it| *it == row).count());
    assert_eq!(named, [2, 1], "{rows:?}");
}

#[test]
fn what_a_model_does_after_the_end_of_a_run_is_the_next_run() {
    let lines = [
        r#"{"k":"model","text":"a"}"#,
        r#"{"k":"span","name":"end","over":1}"#,
        r#"{"k":"span","name":"late"}"#,
        r#"{"k":"model","agent":"other","text":"b"}"#,
        r#"{"k":"model","text":"c","over":1}"#,
        r#"{"k":"call","id":"1","name":"look"}"#,
    ];
    let read = read(&TEST, &[&lines]);
    let runs = read.trace.runs().iter().enumerate();
    let runs: Vec<_> = runs
        .map(|(at, run)| (run.key.as_str(), read.trace.order(RunId::from_index(at)).len()))
        .collect();
    assert_eq!(runs, [("source 0", 4), ("source 0, run 2", 1), ("source 0, run 3", 1)]);
    let titles: Vec<_> = read.trace.runs().iter().map(|run| run.title.as_deref()).collect();
    assert_eq!(titles, [None, Some("Part 2"), None]);
}

#[test]
fn a_run_that_begins_again_under_the_same_id_is_another_run() {
    let begins = r#"{"k":"span","run":"r","next":1}"#;
    let more = r#"{"k":"span","run":"r"}"#;
    let read = read(&TEST, &[&[begins, more, begins], &[begins]]);
    let keys: Vec<_> = read.trace.runs().iter().map(|run| run.key.as_str()).collect();
    assert_eq!(keys, ["r", "r, run 2", "r of "]);
    assert_eq!(read.trace.order(RunId::from_index(0)).len(), 2);
}
