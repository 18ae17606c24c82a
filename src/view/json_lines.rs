//! JSON set in lines for reading: indented, short lists and objects kept on one line, long strings
//! and long documents cut with a word about how much is left out. Works on bytes as they are in the
//! file, so NaN, duplicate keys and broken ends are shown as written.

use serde::{Deserialize, Serialize};

use crate::json::{TokenKind, Tokens, decode_string_bytes};

/// What a piece of a line is, for its colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Class {
    /// Brackets, commas, colons.
    Mark,
    /// A key.
    Key,
    /// A string.
    Text,
    /// A number, as written.
    Number,
    /// true, false, null.
    Word,
    /// What JSON does not allow: NaN, bare words.
    Odd,
    /// A word of ours: what was left out.
    Note,
}

/// A piece of a line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Piece(pub Class, pub String);

/// A line.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct JsonLine {
    /// Indentation in steps, cut at [`MAX_INDENT`].
    pub indent: u16,
    /// Its pieces.
    pub pieces: Vec<Piece>,
}

/// A document in lines.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct JsonLines {
    /// The lines.
    pub lines: Vec<JsonLine>,
    /// Where in the bytes the showing stopped, if it did.
    pub stopped_at: Option<u32>,
}

/// Deeper lines are not indented further: a page must not grow with the depth of a file.
pub const MAX_INDENT: u16 = 40;

/// A list or object no wider than this stands on one line.
const ONE_LINE_CHARS: usize = 76;

/// Longest key shown, in characters.
const MAX_KEY_CHARS: usize = 200;

/// How much is set.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Lines.
    pub max_lines: usize,
    /// Characters of one string.
    pub max_string_chars: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_lines: 400, max_string_chars: 4_000 }
    }
}

/// Sets a JSON value in lines.
#[must_use]
pub fn json_lines(bytes: &[u8], limits: Limits) -> JsonLines {
    let mut setter = Setter { limits, lines: Vec::new(), open: Vec::new(), key_is_open: false };
    for token in Tokens::new(bytes) {
        if setter.lines.len() >= limits.max_lines {
            let stopped_at = u32::try_from(token.start).ok();
            return JsonLines { lines: setter.lines, stopped_at };
        }
        let text = bytes.get(token.start..token.end).unwrap_or_default();
        setter.take(token.kind, text);
    }
    JsonLines { lines: setter.lines, stopped_at: None }
}

struct Setter {
    limits: Limits,
    lines: Vec<JsonLine>,
    /// For each open list or object: index of the line it begins on, and whether an item came.
    open: Vec<(usize, bool)>,
    key_is_open: bool,
}

impl Setter {
    fn take(&mut self, kind: TokenKind, text: &[u8]) {
        match kind {
            TokenKind::Key => {
                self.begin_item();
                let key = cut(&decode_string_bytes(text), MAX_KEY_CHARS);
                self.add(Class::Key, key);
                self.add(Class::Mark, ": ".to_owned());
                self.key_is_open = true;
            }
            TokenKind::ObjectStart => self.open('{'),
            TokenKind::ArrayStart => self.open('['),
            TokenKind::ObjectEnd => self.close('}'),
            TokenKind::ArrayEnd => self.close(']'),
            // A string that does not end is one that was cut, by us or by the file's end.
            TokenKind::String | TokenKind::Fault if text.starts_with(b"\"") => {
                let decoded = decode_string_bytes(text);
                let shown = cut(&decoded, self.limits.max_string_chars);
                let rest = decoded.chars().count().saturating_sub(self.limits.max_string_chars);
                self.value(Class::Text, format!("\"{shown}\""));
                if rest > 0 {
                    self.add(Class::Note, format!(" … {rest} more characters"));
                }
            }
            TokenKind::Number => {
                self.value(Class::Number, String::from_utf8_lossy(text).into_owned())
            }
            TokenKind::True | TokenKind::False | TokenKind::Null => {
                self.value(Class::Word, String::from_utf8_lossy(text).into_owned());
            }
            _ => {
                let odd = String::from_utf8_lossy(text);
                self.value(Class::Odd, cut(&odd, self.limits.max_string_chars));
            }
        }
    }

    fn begin_item(&mut self) {
        if std::mem::take(&mut self.key_is_open) {
            return;
        }
        if self.open.last_mut().is_some_and(|(_, has_items)| std::mem::replace(has_items, true)) {
            self.add(Class::Mark, ",".to_owned());
        }
        let indent = u16::try_from(self.open.len()).unwrap_or(MAX_INDENT).min(MAX_INDENT);
        self.lines.push(JsonLine { indent, pieces: Vec::new() });
    }

    fn value(&mut self, class: Class, text: String) {
        self.begin_item();
        self.add(class, text);
    }

    fn add(&mut self, class: Class, text: String) {
        if let Some(line) = self.lines.last_mut() {
            line.pieces.push(Piece(class, text));
        }
    }

    fn open(&mut self, bracket: char) {
        self.begin_item();
        self.add(Class::Mark, bracket.to_string());
        self.open.push((self.lines.len().saturating_sub(1), false));
    }

    fn close(&mut self, bracket: char) {
        let Some((first, has_items)) = self.open.pop() else {
            return self.value(Class::Odd, bracket.to_string());
        };
        if !has_items {
            return self.add(Class::Mark, bracket.to_string());
        }
        let indent = u16::try_from(self.open.len()).unwrap_or(MAX_INDENT).min(MAX_INDENT);
        self.lines.push(JsonLine { indent, pieces: vec![Piece(Class::Mark, bracket.to_string())] });
        self.join_if_short(first);
    }

    /// Puts a list or object that has just been closed on one line, if it is short.
    fn join_if_short(&mut self, first: usize) {
        let Some(lines) = self.lines.get(first..) else { return };
        let mut chars = 0;
        for piece in lines.iter().flat_map(|line| &line.pieces) {
            chars += piece.1.chars().count() + 1;
            if chars > ONE_LINE_CHARS || piece.1.contains('\n') {
                return;
            }
        }
        let mut rest = self.lines.split_off(first + 1).into_iter();
        let last = rest.next_back();
        let Some(line) = self.lines.last_mut() else { return };
        for item in rest {
            line.pieces.push(Piece(Class::Mark, " ".to_owned()));
            line.pieces.extend(item.pieces);
        }
        if let Some(last) = last {
            line.pieces.push(Piece(Class::Mark, " ".to_owned()));
            line.pieces.extend(last.pieces);
        }
    }
}

fn cut(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        Some((at, _)) => text.get(..at).unwrap_or_default().to_owned(),
        None => text.to_owned(),
    }
}

/// The lines as plain text, for copying and tests.
#[must_use]
pub fn plain(lines: &[JsonLine]) -> String {
    let mut text = String::new();
    for line in lines {
        text.extend(std::iter::repeat_n("  ", usize::from(line.indent)));
        text.extend(line.pieces.iter().map(|piece| piece.1.as_str()));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(json: &str, expect: &str) {
        let set = json_lines(json.as_bytes(), Limits::default());
        assert_eq!(plain(&set.lines), expect);
        assert_eq!(set.stopped_at, None);
    }

    #[test]
    fn short_values_stand_on_one_line() {
        check(r#"{"city":"Graz","nights":3}"#, "{ city: \"Graz\", nights: 3 }\n");
        check("[]", "[]\n");
        check("[1,[2,3],{}]", "[ 1, [ 2, 3 ], {} ]\n");
        check("7", "7\n");
    }

    #[test]
    fn long_values_are_indented() {
        let long = "x".repeat(60);
        check(
            &format!(r#"{{"a":"{long}","b":[{{"c":1}},"{long}"]}}"#),
            &format!("{{\n  a: \"{long}\",\n  b: [\n    {{ c: 1 }},\n    \"{long}\"\n  ]\n}}\n"),
        );
    }

    #[test]
    fn odd_values_are_shown_as_written() {
        check("{\"a\":NaN,\"a\":1e400}", "{ a: NaN, a: 1e400 }\n");
        check("[123456789012345678901234567890]", "[ 123456789012345678901234567890 ]\n");
    }

    #[test]
    fn long_documents_and_strings_are_cut_and_say_so() {
        let json = format!("[{}]", vec!["\"yyyyyyyyyyyyyyyyyyyy\""; 1_000].join(","));
        let set = json_lines(json.as_bytes(), Limits { max_lines: 10, max_string_chars: 5 });
        assert_eq!(set.lines.len(), 10);
        assert!(set.stopped_at.is_some());
        assert!(plain(&set.lines).contains("\"yyyyy\" … 15 more characters"));
    }

    #[test]
    fn any_depth_is_set_without_recursion() {
        let deep = "[".repeat(100_000);
        let set = json_lines(deep.as_bytes(), Limits { max_lines: 1_000, max_string_chars: 10 });
        assert!(set.lines.iter().all(|line| line.indent <= MAX_INDENT));
    }
}
