//! Formats JSON as lines: indented, with short lists and objects on one line. Long values are shortened first
//! ([`traceloupe_core::json::Shortener`]), with a remark wherever something was left out. It works on the bytes of the
//! file, so NaN, duplicate keys and broken ends are shown as written.

use crate::render::encoded::decoded;
use traceloupe_core::json::{Gap, GapKind, Short, TokenKind, Tokens, decode_string_bytes};
use traceloupe_protocol::json_line::{Class, JsonLine, MAX_INDENT, Piece};
use traceloupe_protocol::value::Cut;
use traceloupe_words as words;

/// The widest list or object that is put on one line.
const ONE_LINE_CHARS: usize = 76;

/// The longest key that is shown, in characters.
const MAX_KEY_CHARS: usize = 200;

/// A line that states what was left out.
#[must_use]
pub fn gap_line(kind: GapKind, more: Option<Cut>) -> JsonLine {
    JsonLine { pieces: vec![note(kind, 0)], more: more.map(Box::new), ..JsonLine::default() }
}

/// Returns what to request to see what was left out between two offsets of the whole value.
pub type AskFor<'a> = &'a dyn Fn(u64, u64, GapKind) -> Option<Cut>;

/// Formats a JSON value as lines.
#[must_use]
pub fn json_lines(short: &Short, ask: AskFor<'_>) -> Vec<JsonLine> {
    set(short, Tokens::new(&short.text), Vec::new(), ask)
}

/// Formats items of a list, or members of an object, without the surrounding brackets.
#[must_use]
pub fn item_lines(short: &Short, is_object: bool, ask: AskFor<'_>) -> Vec<JsonLine> {
    let mut lines = set(short, Tokens::inside(&short.text, is_object), vec![(0, false)], ask);
    for line in &mut lines {
        line.indent = line.indent.saturating_sub(1);
    }
    lines
}

fn set(
    short: &Short,
    tokens: Tokens<'_>,
    open: Vec<(usize, bool)>,
    ask: AskFor<'_>,
) -> Vec<JsonLine> {
    let mut setter = Setter { lines: Vec::new(), open, key_is_open: false };
    let mut gaps = short.gaps.as_slice().iter().peekable();
    for token in tokens {
        while let Some(gap) = gaps.next_if(|gap| gap.at <= token.start) {
            setter.gap(gap, ask(gap.start, gap.end, gap.kind));
        }
        let text = short.text.get(token.start..token.end).unwrap_or_default();
        setter.take(token.kind, text);
        if let Some(gap) = gaps.next_if(|gap| gap.at < token.end) {
            // Request the whole string, continuing at the offset where it was cut.
            let (start, end) = (short.gaps.start_of(token.start), short.gaps.end_of(token.end));
            let shown_bytes = u32::try_from(gap.start - start).unwrap_or(0);
            let more = ask(start, end, gap.kind).map(|cut| Cut { shown_bytes, ..cut });
            setter.rest_of_string(gap, more.filter(|_| token.kind != TokenKind::Key));
        }
    }
    for gap in gaps {
        setter.gap(gap, ask(gap.start, gap.end, gap.kind));
    }
    setter.lines
}

/// The remark about what was left out.
fn note(kind: GapKind, n_bytes: u64) -> Piece {
    let words = match kind {
        GapKind::String => format!(" … {} more", words::bytes(n_bytes)),
        GapKind::Items { count: 0, .. } => "… more".to_owned(),
        GapKind::Items { is_object: false, count } => {
            format!("… {}", words::counted(count, "more item", "more items"))
        }
        GapKind::Items { is_object: true, count } => {
            format!("… {}", words::counted(count, "more member", "more members"))
        }
        GapKind::Inside { .. } => "… deeper".to_owned(),
    };
    Piece(Class::Note, words)
}

struct Setter {
    lines: Vec<JsonLine>,
    /// For each open list or object: index of its first line, and whether it has any items.
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
            // An unterminated string was cut, either here or by the end of the file.
            TokenKind::String | TokenKind::Fault if text.starts_with(b"\"") => {
                let string = decode_string_bytes(text);
                self.value(Class::Text, format!("\"{string}\""));
                if let Some(line) = self.lines.last_mut() {
                    line.is_encoded |= decoded(&string).is_some();
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
                self.value(Class::Odd, cut(&odd, MAX_KEY_CHARS));
            }
        }
    }

    /// Omitted items, members or levels get a line of their own.
    fn gap(&mut self, gap: &Gap, more: Option<Cut>) {
        self.key_is_open = false;
        self.begin_item();
        if let Some(line) = self.lines.last_mut() {
            line.pieces.push(note(gap.kind, gap.end - gap.start));
            line.more = more.map(Box::new);
        }
    }

    fn rest_of_string(&mut self, gap: &Gap, more: Option<Cut>) {
        if let Some(line) = self.lines.last_mut() {
            line.pieces.push(note(gap.kind, gap.end - gap.start));
            line.more = more.map(Box::new);
            // Part of the string is missing, so it cannot be decoded.
            line.is_encoded = false;
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
        self.lines.push(JsonLine { indent, ..JsonLine::default() });
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
        let pieces = vec![Piece(Class::Mark, bracket.to_string())];
        self.lines.push(JsonLine { indent, pieces, ..JsonLine::default() });
        self.join_if_short(first);
    }

    /// Puts a list or object that was just closed on one line if it is short enough.
    fn join_if_short(&mut self, first: usize) {
        let Some(lines) = self.lines.get(first..) else { return };
        if lines.iter().any(|line| line.more.is_some() || line.is_encoded) {
            return;
        }
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

#[cfg(test)]
#[allow(clippy::string_slice)]
mod tests {
    use super::*;
    use traceloupe_core::json::{Keep, Shortener};
    use traceloupe_protocol::json_line::plain;

    #[track_caller]
    fn check(json: &str, expect: &str) {
        let lines = json_lines(&short(json, KEEP), &|_, _, _| panic!("nothing was left out"));
        assert_eq!(plain(&lines), expect);
    }

    #[test]
    fn short_values_are_on_one_line() {
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

    const KEEP: Keep = Keep {
        string_bytes: 200,
        items: 4,
        list_bytes: 1 << 20,
        all_items: 1_000,
        all_bytes: 1 << 20,
        depth: 8,
    };

    fn short(json: &str, keep: Keep) -> Short {
        let mut shortener = Shortener::new(keep);
        shortener.push(json.as_bytes());
        shortener.finish()
    }

    #[test]
    fn what_was_left_out_is_stated_at_its_place() {
        let json = format!("{{\"a\":[{}],\"b\":\"yyyyyyyy\"}}", vec!["7"; 1_000].join(","));
        let short = short(&json, Keep { string_bytes: 5, ..KEEP });
        let ask = |start: u64, end: u64, _| {
            let len = u32::try_from(end - start).unwrap();
            Some(Cut { start, len, ..Cut::default() })
        };
        let lines = json_lines(&short, &ask);
        let expected = "{\n  a: [\n    7,\n    7,\n    7,\n    7,\n    … 996 more items\n  ],\n  \
                        b: \"yyyyy\" … 3 B more\n}\n";
        assert_eq!(plain(&lines), expected);
        let cuts: Vec<_> = lines.iter().filter_map(|line| line.more.as_deref()).collect();
        let [items, string] = cuts.as_slice() else { panic!("{cuts:?}") };
        let at = |cut: &Cut| &json[cut.start as usize..(cut.start + u64::from(cut.len)) as usize];
        assert_eq!(at(items), vec!["7"; 996].join(","));
        assert_eq!((at(string), string.shown_bytes), ("\"yyyyyyyy\"", 6));
    }

    #[test]
    fn any_depth_is_set_without_recursion() {
        let deep = "[".repeat(100_000);
        let keep = Keep { depth: 1_000, ..KEEP };
        let lines = json_lines(&short(&deep, keep), &|_, _, _| None);
        assert!(lines.iter().all(|line| line.indent <= MAX_INDENT));
        assert!(plain(&lines).ends_with("… deeper\n"));
    }
}
