//! The one-line summary of a row, made from the first bytes of the value that the format chose.

use crate::json::{TokenKind, Tokens, decode_string_bytes, python_repr_to_json};
use crate::view::words::one_line;

/// How many bytes of a value are read for a summary.
pub const PREVIEW_BYTES: u32 = 2_048;

/// The summary of an event that cannot be read any more.
pub const UNREADABLE: &str = "Not readable: the file was changed or removed after it was opened";

/// The longest summary, in characters.
const MAX_CHARS: usize = 260;

/// The longest value inside a summary of an object, in characters.
const MAX_VALUE_CHARS: usize = 80;

/// Keys of the text in a list of content blocks.
const TEXT_KEYS: [&str; 4] = ["text", "content", "thinking", "message"];

/// Makes the summary of a JSON value. `bytes` may be cut.
#[must_use]
pub fn preview(bytes: &[u8]) -> String {
    let mut tokens = Tokens::new(bytes);
    let Some(first) = tokens.next() else { return String::new() };
    let text = match first.kind {
        TokenKind::ObjectStart => object(bytes),
        TokenKind::ArrayStart => array(bytes),
        TokenKind::String | TokenKind::Fault => {
            string(&decode_string_bytes(bytes.get(first.start..).unwrap_or_default()))
        }
        TokenKind::Null => String::new(),
        _ => String::from_utf8_lossy(bytes.get(first.start..first.end).unwrap_or_default()).into(),
    };
    one_line(&text, MAX_CHARS)
}

/// Makes the summary of bytes that begin inside a JSON string.
#[must_use]
pub fn text_preview(bytes: &[u8]) -> String {
    one_line(&decode_string_bytes(bytes), MAX_CHARS)
}

/// The text of a string. If the string contains JSON, or a dictionary as printed by Python, that
/// value is summarized instead.
fn string(text: &str) -> String {
    let trimmed = text.trim_start();
    let inner = match trimmed.as_bytes() {
        [b'{', b'\'', ..] | [b'[', b'{', b'\'', ..] => python_repr_to_json(trimmed),
        [b'{', b'"', ..] | [b'[', b'{', ..] => Some(trimmed.to_owned()),
        // Some producers encode arguments twice.
        [b'"', b'{', ..] => Some(decode_string_bytes(trimmed.as_bytes()).into_owned()),
        _ => None,
    };
    match inner.as_deref().map(str::as_bytes) {
        Some(inner @ [b'{', ..]) => object(inner),
        Some(inner @ [b'[', ..]) => array(inner),
        _ => one_line(text, MAX_CHARS),
    }
}

/// `key: value, key: value` for the top level; inner lists and objects become `[…]` and `{…}`.
fn object(bytes: &[u8]) -> String {
    if let Some(calls) = calls_of_message(bytes) {
        return calls;
    }
    let mut line = String::new();
    for token in Tokens::new(bytes) {
        let text = bytes.get(token.start..token.end).unwrap_or_default();
        match (token.kind, token.depth) {
            (TokenKind::Key, 1) => {
                if !line.is_empty() {
                    line.push_str(", ");
                }
                line.push_str(&one_line(&decode_string_bytes(text), MAX_VALUE_CHARS));
                line.push_str(": ");
            }
            // A string without an end was cut by the limit.
            (TokenKind::String | TokenKind::Fault, 1) => {
                let value = one_line(&decode_string_bytes(text), MAX_VALUE_CHARS);
                line.push_str(&format!("\"{value}\""));
            }
            (TokenKind::ObjectStart, 1) => line.push_str("{…}"),
            (TokenKind::ArrayStart, 1) => line.push_str("[…]"),
            (TokenKind::ObjectEnd | TokenKind::ArrayEnd | TokenKind::ObjectStart, _) => {}
            (TokenKind::ArrayStart | TokenKind::Key, _) => {}
            (_, 1) => line.push_str(&one_line(&String::from_utf8_lossy(text), MAX_VALUE_CHARS)),
            _ => {}
        }
        if line.len() > MAX_CHARS * 4 {
            break;
        }
    }
    line
}

/// The tool calls of a message without text: `→ search, → book`.
fn calls_of_message(bytes: &[u8]) -> Option<String> {
    let (mut field, mut key) = (String::new(), String::new());
    let (mut has_words, mut names) = (false, Vec::new());
    for token in Tokens::new(bytes) {
        let text = bytes.get(token.start..token.end).unwrap_or_default();
        match token.kind {
            TokenKind::Key => {
                key = decode_string_bytes(text).into_owned();
                if token.depth == 1 {
                    field.clone_from(&key);
                }
            }
            TokenKind::String if field == "content" => has_words |= text.len() > 2,
            TokenKind::String if field == "tool_calls" && key == "name" => {
                names.push(format!("→ {}", one_line(&decode_string_bytes(text), MAX_VALUE_CHARS)));
            }
            _ => {}
        }
    }
    (!has_words && !names.is_empty()).then(|| names.join(", "))
}

/// The text of the first content block that has text; else the first items.
fn array(bytes: &[u8]) -> String {
    let mut key = String::new();
    let (mut called, mut items) = ([String::new(), String::new()], Vec::new());
    for token in Tokens::new(bytes) {
        let text = bytes.get(token.start..token.end).unwrap_or_default();
        match token.kind {
            TokenKind::Key => {
                key = decode_string_bytes(text).into_owned();
                continue;
            }
            TokenKind::String | TokenKind::Fault if token.depth >= 2 => {
                let words = one_line(&decode_string_bytes(text), MAX_CHARS);
                let is_block = token.depth == 2 || token.depth == 4;
                if is_block && TEXT_KEYS.contains(&key.as_str()) && !words.is_empty() {
                    return words;
                }
                match key.as_str() {
                    "name" if token.depth == 2 => called[0] = words,
                    "arguments" if token.depth == 2 => called[1] = words,
                    _ => {}
                }
            }
            TokenKind::String if token.depth == 1 => {
                items
                    .push(format!("\"{}\"", one_line(&decode_string_bytes(text), MAX_VALUE_CHARS)));
            }
            TokenKind::ObjectStart if token.depth == 1 => items.push("{…}".to_owned()),
            TokenKind::ArrayStart if token.depth == 1 => items.push("[…]".to_owned()),
            TokenKind::Number | TokenKind::True | TokenKind::False | TokenKind::Null
                if token.depth == 1 =>
            {
                items.push(String::from_utf8_lossy(text).into_owned());
            }
            _ => {}
        }
        key.clear();
        if items.len() > 20 {
            break;
        }
    }
    let [name, arguments] = called;
    if !arguments.is_empty() {
        return format!("{name} {arguments}");
    }
    if items.is_empty() { "[]".to_owned() } else { format!("[{}]", items.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_shape_has_its_summary() {
        let cases = [
            (r#""two\nlines  here""#, "two lines here"),
            (
                r#"{"city":"Graz","n":3,"f":{"x":[1]},"ok":true}"#,
                "city: \"Graz\", n: 3, f: {…}, ok: true",
            ),
            (r#"[{"type":"text","text":"hello"}]"#, "hello"),
            (r#"[{"id":"m","content":[{"type":"output_text","text":"done"}]}]"#, "done"),
            (
                r#"[{"type":"function_call","name":"look","arguments":"{\"id\":1}"}]"#,
                "look {\"id\":1}",
            ),
            (r#""{\"city\":\"Graz\"}""#, "city: \"Graz\""),
            (r#""\"{\\\"city\\\": 1}\"""#, "city: 1"),
            (r#""[{'role': 'user', 'content': 'hi'}]""#, "hi"),
            (
                r#"{"role":"assistant","content":null,"tool_calls":[{"id":"1","function":{"name":"look","arguments":"{}"}}]}"#,
                "→ look",
            ),
            (r#"["a",1,{"b":2}]"#, "[\"a\", 1, {…}]"),
            ("null", ""),
            ("[]", "[]"),
            ("{}", ""),
            ("42", "42"),
            ("", ""),
        ];
        for (json, expect) in cases {
            assert_eq!(preview(json.as_bytes()), expect, "{json}");
        }
    }

    #[test]
    fn a_cut_value_gives_what_is_there() {
        assert_eq!(preview(br#""the beginning of"#), "the beginning of");
        assert_eq!(preview(br#"{"city":"Gr"#), "city: \"Gr\"");
        assert!(preview(format!("\"{}\"", "ab ".repeat(500)).as_bytes()).ends_with('…'));
    }
}
