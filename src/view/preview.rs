//! The one-line summary of a row, made from the first bytes of the value that the format named.

use crate::json::{TokenKind, Tokens, decode_string_bytes};

/// How many bytes of a value a preview looks at.
pub const LOOK_BYTES: u32 = 2_048;

/// The longest summary, in characters.
const MAX_CHARS: usize = 260;

/// The longest value inside a summary of an object, in characters.
const MAX_VALUE_CHARS: usize = 80;

/// Keys whose text says what a list of content blocks is about.
const TEXT_KEYS: [&str; 4] = ["text", "content", "thinking", "message"];

/// Makes the summary. `bytes` may be the cut beginning of a longer value.
#[must_use]
pub fn preview(bytes: &[u8]) -> String {
    let mut tokens = Tokens::new(bytes);
    let Some(first) = tokens.next() else { return String::new() };
    let text = match first.kind {
        TokenKind::ObjectStart => object(bytes),
        TokenKind::ArrayStart => array(bytes),
        TokenKind::String | TokenKind::Fault => {
            one_line(&decode_string_bytes(bytes.get(first.start..).unwrap_or_default()), MAX_CHARS)
        }
        TokenKind::Null => String::new(),
        _ => String::from_utf8_lossy(bytes.get(first.start..first.end).unwrap_or_default()).into(),
    };
    one_line(&text, MAX_CHARS)
}

/// Text as one line: every run of white space and control characters becomes one space.
#[must_use]
pub fn one_line(text: &str, max_chars: usize) -> String {
    let mut line = String::new();
    let mut chars = 0;
    let mut gap = false;
    for char in text.chars() {
        if char.is_whitespace() || char.is_control() {
            gap = !line.is_empty();
            continue;
        }
        if chars >= max_chars {
            line.push('…');
            break;
        }
        if std::mem::take(&mut gap) {
            line.push(' ');
            chars += 1;
        }
        line.push(char);
        chars += 1;
    }
    line
}

/// `key: value, key: value` of the top level; inner lists and objects as `[…]` and `{…}`.
fn object(bytes: &[u8]) -> String {
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
            // A string that does not end is one that the look has cut.
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

/// The text of the first content block that has one; else the first items.
fn array(bytes: &[u8]) -> String {
    let mut key_says_text = false;
    let mut items = Vec::new();
    for token in Tokens::new(bytes) {
        let text = bytes.get(token.start..token.end).unwrap_or_default();
        match token.kind {
            TokenKind::Key if token.depth == 2 => {
                let key = decode_string_bytes(text);
                key_says_text = TEXT_KEYS.contains(&key.as_ref());
                continue;
            }
            TokenKind::String | TokenKind::Fault if key_says_text && token.depth == 2 => {
                let words = one_line(&decode_string_bytes(text), MAX_CHARS);
                if !words.is_empty() {
                    return words;
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
        key_says_text = false;
        if items.len() > 20 {
            break;
        }
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
