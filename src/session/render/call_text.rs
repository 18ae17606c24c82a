//! The texts of a call: its command, and its result.

use crate::render::arguments::WHOLE_KEYS;
use crate::render::detail::read_escaped;
use crate::render::gist::Node;
use crate::render::values::ReadSpan;
use traceloupe_analysis::CallText;
use traceloupe_core::json::{TokenKind, Tokens, decode_string_bytes};
use traceloupe_core::model::arguments::{COMMANDS, FILES};
use traceloupe_core::model::{Block, Detail, Value};

/// Longer values are not read: equal results of this length are equal as they are written.
const MAX_BYTES: u32 = 64 << 10;

/// Keys of what is typed into a running program.
const TYPED: [&str; 3] = ["keystrokes", "chars", "stdin"];
/// Keys of a running program. A call that names it and types nothing waits for its output.
const RUNNING: [&str; 2] = ["session_id", "shell_id"];

/// The texts of a call with these blocks.
#[must_use]
pub fn call_text(detail: &Detail, read: ReadSpan<'_>) -> CallText {
    let mut found = CallText::default();
    for block in &detail.blocks {
        match block {
            Block::Arguments(value) | Block::ToolUse(_, value) if found.command.is_none() => {
                if let Some(json) = json_of(value, read) {
                    (found.command, found.is_typed) = command(&json);
                    found.writes_file = writes_file(&json);
                }
            }
            Block::Result(value) | Block::Log(_, value) if found.result.is_none() => {
                found.result = json_of(value, read).map(|json| text_of(&json));
            }
            _ => {}
        }
    }
    found
}

/// The JSON or the text of a value; `None` if it is too long.
fn json_of(value: &Value, read: ReadSpan<'_>) -> Option<Vec<u8>> {
    match value {
        Value::Text(text) | Value::OwnedJson(text) => Some(text.clone().into_bytes()),
        Value::Json(span) | Value::JsonInString(span) | Value::Escaped(span)
            if span.len > MAX_BYTES =>
        {
            None
        }
        Value::Escaped(span) => Some(read_escaped(*span, read).ok()?.into_bytes()),
        Value::Json(span) | Value::JsonInString(span) => read(*span).ok(),
    }
}

/// The command in arguments, and whether it is typed into a program that runs.
fn command(json: &[u8]) -> (Option<String>, bool) {
    let node = match json.first() {
        Some(b'{' | b'[' | b'"') => Node::read(json),
        _ => return (Some(String::from_utf8_lossy(json).into_owned()), false),
    };
    if let Node::Text(text) = node {
        return (Some(text), false);
    }
    let has = |key: &str| node.members().iter().any(|it| it.0 == key);
    let is_typed = TYPED.into_iter().chain(RUNNING).any(has);
    match node.text(&COMMANDS) {
        Some(command) => (Some(command), false),
        None => (is_typed.then(|| node.text(&TYPED).unwrap_or_default()), is_typed),
    }
}

/// Whether arguments have the path of a file and its whole text.
fn writes_file(json: &[u8]) -> bool {
    json.first() == Some(&b'{') && {
        let node = Node::read(json);
        node.text(&FILES).is_some() && node.text(&WHOLE_KEYS).is_some()
    }
}

/// All that a value says, in order.
fn text_of(json: &[u8]) -> String {
    let mut text = String::new();
    if !matches!(json.first(), Some(b'{' | b'[' | b'"')) {
        return String::from_utf8_lossy(json).into_owned();
    }
    for token in Tokens::new(json) {
        let raw = json.get(token.start..token.end).unwrap_or_default();
        match token.kind {
            TokenKind::String | TokenKind::Key => text += &decode_string_bytes(raw),
            _ => text += &String::from_utf8_lossy(raw),
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(arguments: &str, result: &str) -> CallText {
        let blocks = vec![
            Block::Arguments(Value::OwnedJson(arguments.to_owned())),
            Block::Result(Value::OwnedJson(result.to_owned())),
        ];
        call_text(&Detail { blocks, ..Detail::default() }, &|_| Ok(Vec::new()))
    }

    #[test]
    fn the_command_of_a_call_is_what_it_runs_or_types() {
        let command = |arguments: &str| of(arguments, "null").command;
        assert_eq!(command(r#"{"command":"make","timeout":3}"#).as_deref(), Some("make"));
        assert_eq!(command(r#"{"cmd":["ls","-a"]}"#).as_deref(), Some("ls -a"));
        assert_eq!(command(r#"{"keystrokes":"ls\n","duration":1}"#).as_deref(), Some("ls\n"));
        assert_eq!(command(r#"{"keystrokes":"","duration":1}"#).as_deref(), Some(""));
        assert_eq!(command(r#"{"session_id":4,"yield_time_ms":9}"#).as_deref(), Some(""));
        assert_eq!(command(r#""goto 12""#).as_deref(), Some("goto 12"));
        assert_eq!(command(r#"{"query":"x"}"#), None);
        assert_eq!(command("{}"), None);
        let is_typed = |arguments: &str| of(arguments, "null").is_typed;
        assert!(is_typed(r#"{"keystrokes":"ls\n"}"#) && !is_typed(r#"{"command":"ls"}"#));
    }

    #[test]
    fn a_call_with_a_path_and_a_whole_text_writes_a_file() {
        let writes = |arguments: &str| of(arguments, "null").writes_file;
        assert!(writes(r#"{"file_path":"a.rs","content":"x"}"#));
        assert!(writes(r#"{"command":"create","path":"a.rs","file_text":"x"}"#));
        assert!(!writes(r#"{"file_path":"a.rs"}"#) && !writes(r#"{"content":"x"}"#));
        assert!(!writes(r#"{"file_path":"a.rs","old_string":"x","new_string":"y"}"#));
    }

    #[test]
    fn a_result_is_all_that_it_says() {
        let result = |json: &str| of("{}", json).result.unwrap();
        assert_eq!(result(r#""a\nb""#), "a\nb\n");
        assert_ne!(result(r#"{"n":1}"#), result(r#"{"n":2}"#));
        assert_ne!(result(r#"[[[[[[["a"]]]]]]]"#), result(r#"[[[[[[["b"]]]]]]]"#));
    }
}
