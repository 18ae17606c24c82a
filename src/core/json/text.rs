//! Writes JSON as text: compact, quoted, or assembled from parts. Builds no value trees.

use super::{Repaired, TokenKind, Tokens, decode_string_bytes, repair};

/// A string as a JSON string literal.
#[must_use]
pub fn quoted(text: &str) -> String {
    // Writing a string into memory cannot fail.
    serde_json::to_string(text).unwrap_or_default()
}

/// Any text as one strict JSON value without white space: parts that are not JSON (`NaN`) become strings, and a value
/// that is cut off is closed. Empty text becomes `null`.
#[must_use]
#[inline(never)]
pub fn compact(raw: &str) -> String {
    let bytes = raw.as_bytes();
    let mut out = String::with_capacity(raw.len());
    // For each open bracket, whether it is an object's.
    let mut open: Vec<bool> = Vec::new();
    let mut needs_comma = false;
    let mut after_key = false;
    for token in Tokens::new(bytes) {
        let text = raw.get(token.start..token.end).unwrap_or_default();
        let closes = matches!(token.kind, TokenKind::ObjectEnd | TokenKind::ArrayEnd);
        if closes {
            if open.pop().is_none() {
                continue;
            }
            if std::mem::take(&mut after_key) {
                out.push_str("null");
            }
            out.push_str(text);
            needs_comma = true;
        } else {
            if std::mem::take(&mut after_key) {
                if token.kind == TokenKind::Key {
                    out.push_str("null,");
                }
            } else if needs_comma {
                out.push(',');
            }
            needs_comma = true;
            match token.kind {
                TokenKind::ObjectStart | TokenKind::ArrayStart => {
                    if open.last() == Some(&true) && out.ends_with(['{', ',']) {
                        out.push_str("\"\":");
                    }
                    open.push(token.kind == TokenKind::ObjectStart);
                    out.push_str(text);
                    needs_comma = false;
                }
                TokenKind::Key => {
                    out.push_str(&literal(text));
                    out.push(':');
                    after_key = true;
                }
                kind => {
                    if open.last() == Some(&true) && out.ends_with(['{', ',']) {
                        out.push_str("\"\":");
                    }
                    out.push_str(&word(kind, text));
                }
            }
        }
        if open.is_empty() && !after_key {
            // Only the first value counts; text after it is ignored.
            break;
        }
    }
    if after_key {
        out.push_str("null");
    }
    while let Some(is_object) = open.pop() {
        out.push(if is_object { '}' } else { ']' });
    }
    if out.is_empty() { "null".to_owned() } else { out }
}

/// A string literal as it is, or rewritten if it is not strict.
fn literal(text: &str) -> String {
    match repair(text.as_bytes()) {
        Repaired::Good { text, .. } => text.into_owned(),
        _ => quoted(&decode_string_bytes(text.as_bytes())),
    }
}

fn word(kind: TokenKind, text: &str) -> String {
    match kind {
        TokenKind::String => literal(text),
        TokenKind::Number | TokenKind::True | TokenKind::False | TokenKind::Null => text.to_owned(),
        // A bare word, or an unterminated string.
        _ => quoted(&decode_string_bytes(text.as_bytes())),
    }
}

/// An object that is written member by member, in order.
#[derive(Debug, Default)]
pub struct ObjectText(String);

impl ObjectText {
    /// An empty object.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a member whose value is already strict JSON.
    #[must_use]
    #[inline(never)]
    pub fn raw(mut self, key: &str, json: &str) -> Self {
        self.0.push(if self.0.is_empty() { '{' } else { ',' });
        self.0.push_str(&quoted(key));
        self.0.push(':');
        self.0.push_str(json);
        self
    }

    /// Adds a member with a text value.
    #[must_use]
    pub fn text(self, key: &str, text: &str) -> Self {
        self.raw(key, &quoted(text))
    }

    /// Adds a member with a text value, if there is one.
    #[must_use]
    pub fn maybe_text(self, key: &str, text: Option<&str>) -> Self {
        match text {
            Some(text) => self.text(key, text),
            None => self,
        }
    }

    /// Adds a member whose value is strict JSON, if there is one.
    #[must_use]
    pub fn maybe_raw(self, key: &str, json: Option<&str>) -> Self {
        match json {
            Some(json) => self.raw(key, json),
            None => self,
        }
    }

    /// Whether nothing has been added.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The object as JSON.
    #[must_use]
    pub fn end(self) -> String {
        if self.0.is_empty() { "{}".to_owned() } else { self.0 + "}" }
    }
}

/// A JSON list of values that are already strict JSON.
#[must_use]
pub fn list(items: &[String]) -> String {
    format!("[{}]", items.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_goes_and_digits_stay() {
        let raw =
            " { \"a\" : [ 1 , 2.50 , 12345678901234567890123 ] ,\n \"b\" : { } , \"a\" : null } ";
        assert_eq!(compact(raw), r#"{"a":[1,2.50,12345678901234567890123],"b":{},"a":null}"#);
        assert_eq!(compact("\"a b\""), "\"a b\"");
        assert_eq!(compact("1 2"), "1");
        assert_eq!(compact(""), "null");
    }

    #[test]
    fn anything_comes_out_as_strict_json() {
        let faults = [
            "{",
            "[",
            "[1,",
            "{\"a\"",
            "{\"a\":",
            "{\"a\":[",
            "NaN",
            "[NaN,-Infinity]",
            "\"cut",
            "{\"a\" \"b\"}",
            "{1:2}",
            "{[1]}",
            "]",
            "}{",
            "{\"a\":1,,}",
            "[1 2]",
            "{\"a\":}",
            "{\"a\":\"\\ud800\"}",
            "\"\u{1}\"",
            "undefined",
            "{a:1}",
            "[[[[",
            "\"\\x\"",
            "{\"k\":\"v",
            "{,1}",
            "{{}}",
        ];
        for raw in faults {
            let strict = compact(raw);
            assert!(crate::json::is_strict(&strict), "{raw} -> {strict}");
        }
        let deep = "[".repeat(100_000);
        assert!(crate::json::is_strict(&compact(&deep)));
    }

    #[test]
    fn objects_are_written_in_order() {
        let object = ObjectText::new().text("b", "x\"y").raw("a", "[1]").maybe_text("c", None);
        assert_eq!(object.end(), r#"{"b":"x\"y","a":[1]}"#);
        assert_eq!(ObjectText::new().end(), "{}");
        assert_eq!(list(&["1".to_owned(), "{}".to_owned()]), "[1,{}]");
    }
}
