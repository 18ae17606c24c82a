//! What chats become.

use super::*;
use crate::format::Format;
use crate::model::{Block, EventId, EventKind, RunId, Value};
use crate::testing::read;

#[test]
fn addresses_count_the_messages_and_not_the_document_around_them() {
    let document = r#"{"index":1,"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}"#;
    let read = read(&CHAT, &[&[document]]);
    assert_eq!(read.outline(), ["run-start conversation", "user ", "llm-call "]);
    let addressed = CHAT.addressed(&read.trace, RunId::from_index(0)).unwrap();
    let texts: Vec<_> = addressed.messages.iter().map(|(it, _)| read.text(it.span)).collect();
    assert_eq!(
        texts,
        [r#"{"role":"user","content":"a"}"#, r#"{"role":"assistant","content":"b"}"#]
    );
}

const CHUNKS: &str = include_str!("../../../tests/fixtures/chat/chunks.jsonl");

#[test]
fn pieces_are_one_text_and_whole_arguments() {
    let lines: Vec<&str> = CHUNKS.lines().collect();
    let whole = r#"{"role":"assistant","tool_calls":[{"id":"w","function":{"name":"pull","arguments":"{\"rope\":1}"}}]}"#;
    let streamed = read(&CHAT, &[&lines]);
    let events = streamed.trace.events();
    let at = |kind, nth| {
        let is_it = |at: &usize| events.get(*at).unwrap().kind == kind;
        (0..events.len()).filter(is_it).nth(nth).unwrap()
    };
    let (model, call) = (at(EventKind::LlmCall, 0), at(EventKind::ToolCall, 0));
    let blocks = streamed.detail(&CHAT, model).blocks;
    let is_text = |it: &Block| matches!(it, Block::Text("Response", Value::Text(text)) if text == "Two checks.");
    assert!(blocks.iter().any(is_text), "{blocks:?}");
    let is_thinking =
        |it: &Block| matches!(it, Block::Thinking(Value::Text(text)) if text == "Ropes first.");
    assert!(blocks.iter().any(is_thinking), "{blocks:?}");
    let summary = |at| streamed.trace.own_summary(EventId::from_index(at)).unwrap_or_default();
    assert_eq!((summary(model), summary(call)), ("\"Two checks.\"", "{\"rope\":1}"));
    let expected = read(&CHAT, &[&[whole]]);
    let other = expected.trace.events().get(1).unwrap();
    assert_eq!(events.get(call).unwrap().args_hash, other.args_hash);
}

#[test]
fn a_text_that_comes_as_a_whole_replaces_its_pieces() {
    let lines: Vec<&str> =
        include_str!("../../../tests/fixtures/chat/response-events.jsonl").lines().collect();
    let read = read(&CHAT, &[&lines]);
    let blocks = read.detail(&CHAT, 0).blocks;
    let texts = blocks.iter().filter(|it| matches!(it, Block::Text("Response", _))).count();
    let calls = blocks.iter().filter(|it| matches!(it, Block::ToolUse(..))).count();
    assert_eq!((texts, calls), (1, 1), "{blocks:?}");
}

#[test]
fn an_empty_item_of_a_list_has_no_row() {
    let said = r#"{"role":"user","content":"Hi"}"#;
    let document = format!(r#"{{"messages":[{said},"",{said},null]}}"#);
    let read = read(&CHAT, &[&[&document]]);
    let warned: Vec<_> = read.trace.warnings().as_slice().iter().map(|it| it.code.word()).collect();
    assert_eq!(warned, ["not-an-event", "unknown-record"]);
    assert_eq!(read.trace.events().len(), 3);
}

#[test]
fn summaries_and_fallbacks_are_named() {
    let asked = r#"{"role":"user","content":"Which boats are in?"}"#;
    let answer = r###"{"role":"assistant","content":[{"type":"compaction","content":"## So far\n\nTwo boats."},{"type":"fallback","from":{"model":"keel-2"},"to":{"model":"keel-1"}},{"type":"text","text":"Both."}]}"###;
    let read = read(&CHAT, &[&[asked, answer]]);
    let shown = format!("{:?}", read.detail(&CHAT, 1).blocks);
    assert!(shown.contains("Summary so far"), "{shown}");
    assert!(shown.contains("Fallback to"), "{shown}");
    assert!(!shown.contains("\"Content\""), "{shown}");
}

#[test]
fn what_a_program_adds_is_no_title() {
    let lines = [
        r#"{"role":"user","parts":[{"text":"<session_context>\nThe tide tables are in the folder.\n</session_context>"}]}"#,
        r#"{"role":"model","parts":[{"text":"I have read them."}]}"#,
        r#"{"role":"user","parts":[{"text":"When is high water?"}]}"#,
    ];
    let read = read(&CHAT, &[&lines]);
    assert_eq!(read.trace.runs()[0].title.as_deref(), Some("When is high water?"));
}
