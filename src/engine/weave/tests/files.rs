//! One event in several files or from several tracers, and records of a run that take precedence over others.

use crate::described::test_format::CARD;
use crate::described::{Described, Entry};
use crate::kit::{Description, Joins, Part};
use crate::testing::read;
use traceloupe_core::model::{Block, BlockRole, EventKind, Flags, RunCounts, Value};

static TWICE: Described = Described { quiet: &["id", "t"], ..Described::new(&CARD, describe) };

/// A run, a span that several files may contain, or an LLM call whose prompt and answer are expanded late.
fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.at(record.get("t"));
    let run = out.run(record.get("run"));
    (run.titles.own, run.gives_way) = (record.get("title"), record.get("weak").is_true());
    run.totals.counts = RunCounts { errors: record.get("errors").count(), ..RunCounts::default() };
    let (prompt, answer) = (record.get("prompt"), record.get("answer"));
    let item = match prompt.is_given() {
        true => out.model(vec![Part::Prompt(prompt), Part::Answer(answer)], Joins::Nothing),
        false => out.event(EventKind::Agent, record.get("id").label()),
    };
    item.prompt(prompt).answer(answer).once().span(record.get("id"), record.get("parent"));
    item.span.second = Some(Box::new([record.get("other"), record.get("around")]));
    item.span.may_lack_parent = record.get("alone").is_true();
}

#[test]
fn an_event_of_several_files_is_one_row() {
    let [one, late] =
        [r#"{"run":"r","id":"a","t":1700000000}"#, r#"{"run":"r","id":"a","t":1700000009}"#];
    let n_events = |files: &[&[&str]]| read(&TWICE, files).trace.events().len();
    assert_eq!(n_events(&[&[one], &[one]]), 1);
    assert_eq!((n_events(&[&[one, one]]), n_events(&[&[one], &[late]])), (2, 2));
    let read = read(&TWICE, &[&[one], &[one]]);
    assert_eq!(read.trace.runs()[0].notes.len(), 1);
    assert_eq!(read.detail(&TWICE, 0).blocks.len(), 1, "only the first record is shown");
}

#[test]
fn a_parent_of_the_second_tracer_counts_more_if_it_is_there() {
    let outer = r#"{"id":"outer","other":"2","parent":"root"}"#;
    let inner = r#"{"id":"inner","parent":"root","around":"2"}"#;
    let lost = r#"{"id":"lost","parent":"root","around":"3"}"#;
    let root = r#"{"id":"root"}"#;
    for records in [[inner, lost, outer, root], [root, outer, inner, lost]] {
        let mut outline = read(&TWICE, &[&records]).outline();
        outline.sort();
        assert_eq!(outline, ["  agent inner", " agent lost", " agent outer", "agent root"]);
    }
}

#[test]
fn a_root_that_is_missing_is_told_of_unless_the_format_does() {
    let notes = |record: &str| read(&TWICE, &[&[record]]).trace.runs()[0].notes.len();
    assert_eq!(notes(r#"{"id":"a","parent":"gone"}"#), 1);
    assert_eq!(notes(r#"{"id":"a","parent":"gone","alone":true}"#), 0);
}

#[test]
fn records_that_give_way_do_so_in_any_order() {
    let weak = r#"{"id":"a","title":"weak","errors":1,"weak":true}"#;
    let strong = r#"{"id":"b","title":"strong","errors":2}"#;
    for records in [[weak, strong], [strong, weak]] {
        let read = read(&TWICE, &[&records]);
        let run = &read.trace.runs()[0];
        assert_eq!((run.title.as_deref(), run.counts.errors), (Some("strong"), Some(2)));
    }
}

#[test]
fn prompts_and_answers_are_taken_apart_when_they_are_shown() {
    let python = r#"{"prompt":"[{'role': 'user', 'content': 'hm'}]","answer":"{'role': 'assistant', 'tool_calls': [{'function': {'name': 'f', 'arguments': '{}'}}]}"}"#;
    let json = r#"{"prompt":{"messages":[{"role":"user","content":"hm"}],"more":1},"answer":{"choices":[{"message":{"role":"assistant","content":"yes"}}]}}"#;
    let words = r#"{"prompt":"hm","answer":"yes"}"#;
    let read = read(&TWICE, &[&[python, json, words]]);
    let is_answer: Vec<_> =
        read.trace.events().iter().map(|it| it.flags.has(Flags::ANSWER)).collect();
    assert_eq!(is_answer, [false, true, true]);
    assert!(read.trace.events().iter().all(|it| it.args_hash != 0 && it.result_hash != 0));
    let blocks = |at| read.detail(&TWICE, at).blocks;
    let [Block::Messages(BlockRole::Messages, messages, 0), Block::ToolUse(name, _)] =
        &blocks(0)[..]
    else {
        panic!("{:?}", blocks(0));
    };
    assert_eq!((messages[0].role.as_str(), name.as_str()), ("user", "f"));
    let [
        Block::Messages(..),
        Block::Text(BlockRole::Response, Value::Json(_)),
        Block::Fields(_, others),
    ] = &blocks(1)[..]
    else {
        panic!("{:?}", blocks(1));
    };
    assert_eq!((others.len(), others[0].label.key()), (1, Some("more")));
    let blocks = blocks(2);
    assert!(
        matches!(
            &blocks[..],
            [Block::Text(BlockRole::Prompt, _), Block::Text(BlockRole::Response, _)]
        ),
        "{blocks:?}"
    );
}
