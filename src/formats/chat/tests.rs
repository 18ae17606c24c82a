//! What conversations and requests are read as.

use super::*;
use crate::testing::read;
use traceloupe_core::model::{Block, EventId, EventKind, RunId, Value};
use traceloupe_engine::Format;

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
    let is_text = |it: &Block| matches!(it, Block::Text(BlockRole::Response, Value::Text(text)) if text == "Two checks.");
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
    let texts =
        blocks.iter().filter(|it| matches!(it, Block::Text(BlockRole::Response, _))).count();
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
    assert!(!shown.contains("(Content, "), "{shown}");
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

/// The rows of a conversation whose tool calls are in its text, and the content of the rows when opened.
fn said_in_words(lines: &[&str]) -> (Vec<String>, Vec<String>) {
    let read = read(&CHAT, &[lines]);
    let rows = 0..read.trace.events().len();
    let shown = rows.map(|at| format!("{:?}", read.detail(&CHAT, at).blocks));
    (read.outline(), shown.collect())
}

#[test]
fn functions_between_tags_are_calls_and_observations_are_their_results() {
    let lines = [
        r#"{"role":"user","content":"Read the tide table."}"#,
        r#"{"role":"assistant","content":"I look.\n\n<function=view>\n<parameter=path>tides.txt</parameter>\n<parameter=range>[1, 9]</parameter>\n</function>"}"#,
        r#"{"role":"user","content":[{"type":"text","text":"OBSERVATION:\nhigh at 9"}]}"#,
        r#"{"role":"assistant","content":"<tool_call>\n<function=run>\n<parameter=command>\ndate\n</parameter>"}"#,
        r#"{"role":"user","content":"EXECUTION RESULT of [run]:\nMonday"}"#,
        r#"{"role":"assistant","content":"<function=run>\n<parameter=command>touch a</parameter>\n</function>"}"#,
        r#"{"role":"user","content":"Your command ran successfully and did not produce any output."}"#,
        r#"{"role":"assistant","content":"Write <function=name> to call one."}"#,
    ];
    let (outline, shown) = said_in_words(&lines);
    assert_eq!(
        outline,
        [
            "user ",
            "llm-call ",
            " tool-call view",
            "llm-call ",
            " tool-call run",
            "llm-call ",
            " tool-call run",
            "llm-call ",
        ]
    );
    assert!(shown[6].contains("ran successfully"), "{shown:?}");
    assert!(shown[1].contains("\"I look.\"") && !shown[1].contains("parameter"), "{shown:?}");
    assert!(shown[2].contains("tides.txt") && shown[2].contains("[1, 9]"), "{shown:?}");
    assert!(shown[2].contains("high at 9") && !shown[2].contains("OBSERVATION"), "{shown:?}");
    assert!(shown[4].contains("date") && shown[4].contains("Monday"), "{shown:?}");
}

#[test]
fn responses_between_tags_are_the_results_of_their_calls() {
    let lines = [
        r#"{"role":"user","content":"How deep is it?"}"#,
        r#"{"role":"assistant","content":"<tool_call>\n{\"name\":\"sound\",\"arguments\":{\"at\":1}}\n</tool_call>\n<tool_call>\n{\"name\":\"chart\",\"arguments\":{\"at\":2}}\n</tool_call>"}"#,
        r#"{"role":"user","content":"<tool_response>\n{\"name\":\"chart\",\"content\":\"mud\"}\n</tool_response>\n<tool_response>\n9 m\n</tool_response>"}"#,
    ];
    let (outline, shown) = said_in_words(&lines);
    assert_eq!(outline, ["user ", "llm-call ", " tool-call sound", " tool-call chart"]);
    assert!(!shown[1].contains("tool_call"), "{shown:?}");
    assert!(shown[2].contains("9 m") && !shown[3].contains("9 m"), "{shown:?}");
}

#[test]
fn an_observation_without_a_call_is_no_turn_of_a_person() {
    let lines = [
        r#"{"role":"user","content":"Read it."}"#,
        r#"{"role":"user","content":"OBSERVATION:\nhigh at 9"}"#,
    ];
    let (outline, shown) = said_in_words(&lines);
    assert_eq!(outline, ["user ", "note observation"]);
    assert!(shown[1].contains("high at 9"), "{shown:?}");
}

#[test]
fn messages_before_they_were_put_into_words_count() {
    let record = r#"{"messages":[{"role":"user","content":"Here's a running example of how to perform a task.\nRow over."},{"role":"assistant","content":"I row.\n<function=row>\n<parameter=to>isle</parameter>\n</function>"},{"role":"user","content":"EXECUTION RESULT of [row]:\nthere"}],"raw_messages":[{"role":"user","content":"Row over."},{"role":"assistant","content":"I row.","tool_calls":[{"id":"c1","type":"function","function":{"name":"row","arguments":"{\"to\":\"isle\"}"}}]},{"role":"tool","tool_call_id":"c1","name":"row","content":"there"}],"response":{"model":"keel-1","choices":[{"message":{"role":"assistant","content":"I am there."}}]}}"#;
    let read = read(&CHAT, &[&[record]]);
    assert_eq!(read.trace.runs()[0].title.as_deref(), Some("Row over."));
    assert_eq!(read.outline(), ["user ", "llm-call ", " tool-call row", "llm-call keel-1"]);
}

#[test]
fn a_run_is_named_by_the_task_in_the_prompt_of_an_agent() {
    let prompts = [
        "Here's a running example.\\nUSER: Row.\\n----- END OF EXAMPLE -----\\n\\n----- NEW TASK DESCRIPTION -----\\nMend the net.\\n----- END OF NEW TASK DESCRIPTION -----\\n",
        "You solve tasks on a command line.\\n\\nTask Description:\\nMend the net.\\n\\nCurrent terminal state:\\n$",
        "<uploaded_files>\\n/net\\n</uploaded_files>\\nI've uploaded a repository.\\n\\n<pr_description>\\nMend the net.\\n</pr_description>\\n\\nCan you help me?",
        "I've uploaded a repository.\\n\\n<issue_description>\\nMend the net.\\nIt is torn.\\n</issue_description>",
    ];
    for prompt in prompts {
        let said = format!(r#"{{"role":"user","content":"{prompt}"}}"#);
        let read = read(&CHAT, &[&[&said]]);
        assert_eq!(read.trace.runs()[0].title.as_deref(), Some("Mend the net."), "{prompt}");
    }
}

#[test]
fn a_command_names_a_run_only_if_nothing_else_is_said() {
    let said = |words: &str| format!(r#"{{"role":"user","content":"{words}"}}"#);
    let title = |words: &[&str]| {
        let lines: Vec<_> = words.iter().map(|it| said(it)).collect();
        let lines: Vec<_> = lines.iter().map(String::as_str).collect();
        read(&CHAT, &[&lines]).trace.runs()[0].title.clone().unwrap()
    };
    assert_eq!(title(&["/model", "/clear", "Mend the net", "/clear"]), "Mend the net");
    assert_eq!(title(&["/init"]), "/init");
    assert_eq!(title(&["/srv/net.txt is torn", "Mend it"]), "/srv/net.txt is torn");
}

#[test]
fn a_role_may_be_an_object() {
    let said =
        r#"{"role":{"type":"role","value":"user"},"contents":[{"type":"text","text":"Ready?"}]}"#;
    let answered = r#"{"role":{"type":"role","value":"assistant"},"contents":[{"type":"text","text":"Aye."}]}"#;
    let read = read(&CHAT, &[&[said, answered]]);
    assert_eq!(read.outline(), ["user ", "llm-call "]);
}

#[test]
fn an_id_is_a_title_where_nothing_was_asked() {
    let title = |id: &str, role: &str| {
        let document =
            format!(r#"{{"id":"{id}","messages":[{{"role":"{role}","content":"Ready?"}}]}}"#);
        let read = read(&CHAT, &[&[&document]]);
        read.trace.runs()[0].title.clone()
    };
    let drawn = "5b0c2f1e-7d5a-4a55-9d0e-1f2a3b4c5d6e";
    assert_eq!(title(drawn, "user").as_deref(), Some("Ready?"));
    assert_eq!(title("reef__knot-7", "user").as_deref(), Some("Ready?"));
    assert_eq!(title("reef__knot-7", "assistant").as_deref(), Some("reef__knot-7"));
    assert_eq!(title(drawn, "assistant"), None);
}
