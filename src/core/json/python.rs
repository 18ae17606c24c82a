//! Converts Python's `repr` to JSON, for producers that write `str(arguments)`.

use std::fmt::Write as _;

use crate::number;

/// Deeper nesting than this is not converted.
const MAX_DEPTH: usize = 200;

/// Converts a Python `repr` of dicts, lists, tuples, strings, bytes, numbers, `None`, `True` and `False` to JSON.
/// Tuples become arrays, bytes become strings with one character per byte, and keys that are not strings, `nan` and
/// `inf` become strings. Returns `None` if the whole text is not such a `repr`, or if it is nested deeper than 200
/// levels.
#[must_use]
pub fn python_repr_to_json(text: &str) -> Option<String> {
    let mut reader = Reader { text, at: 0, out: String::with_capacity(text.len()) };
    reader.read()?;
    Some(reader.out)
}

/// An open bracket.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Dict,
    List,
    Tuple,
}

/// What may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// A value must come.
    Value,
    /// An item or the closing bracket.
    ItemOrEnd,
    /// A comma or the closing bracket.
    CommaOrEnd,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    out: String,
}

impl<'a> Reader<'a> {
    fn read(&mut self) -> Option<()> {
        let mut open: Vec<(Open, usize)> = Vec::new();
        let mut next = Next::Value;
        loop {
            self.skip_space();
            let Some(byte) = self.peek() else {
                return (open.is_empty() && next == Next::CommaOrEnd).then_some(());
            };
            if next == Next::CommaOrEnd {
                let (kind, items) = open.last_mut()?;
                *items += 1;
                let (kind, items) = (*kind, *items);
                if byte == b',' {
                    self.at += 1;
                    next = Next::ItemOrEnd;
                    self.out.push(',');
                    continue;
                }
                // `(1)` is not a tuple, and no `repr` writes it.
                if kind == Open::Tuple && items == 1 {
                    return None;
                }
                self.close(kind, byte)?;
                open.pop();
                continue;
            }
            if next == Next::ItemOrEnd
                && let Some(&(kind, items)) = open.last()
                && matches!(byte, b'}' | b']' | b')')
            {
                // Only a tuple with one item may close after a comma.
                if items > 0 {
                    if kind != Open::Tuple || items != 1 {
                        return None;
                    }
                    self.out.pop();
                }
                self.close(kind, byte)?;
                open.pop();
                next = Next::CommaOrEnd;
                continue;
            }
            if next == Next::ItemOrEnd && matches!(open.last(), Some((Open::Dict, _))) {
                self.key()?;
                next = Next::Value;
                continue;
            }
            let opened = match byte {
                b'{' => Some((Open::Dict, '{')),
                b'[' => Some((Open::List, '[')),
                b'(' => Some((Open::Tuple, '[')),
                _ => None,
            };
            if let Some((kind, bracket)) = opened {
                if open.len() >= MAX_DEPTH {
                    return None;
                }
                self.at += 1;
                self.out.push(bracket);
                open.push((kind, 0));
                next = Next::ItemOrEnd;
            } else {
                self.scalar()?;
                next = Next::CommaOrEnd;
            }
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn close(&mut self, kind: Open, byte: u8) -> Option<()> {
        let (expected, bracket) = match kind {
            Open::Dict => (b'}', '}'),
            Open::List => (b']', ']'),
            Open::Tuple => (b')', ']'),
        };
        if byte != expected {
            return None;
        }
        self.at += 1;
        self.out.push(bracket);
        Some(())
    }

    /// A key and its colon. A tuple as a key is not converted.
    fn key(&mut self) -> Option<()> {
        let start = self.out.len();
        self.scalar()?;
        if !self.out.get(start..)?.starts_with('"') {
            self.out.insert(start, '"');
            self.out.push('"');
        }
        self.skip_space();
        if self.peek() != Some(b':') {
            return None;
        }
        self.at += 1;
        self.out.push(':');
        Some(())
    }

    fn scalar(&mut self) -> Option<()> {
        let rest = self.text.get(self.at..)?;
        let body = rest.strip_prefix('b').unwrap_or(rest);
        if let Some(quote @ ('"' | '\'')) = body.chars().next() {
            self.at += rest.len() - body.len() + 1;
            return self.string(quote);
        }
        let len = rest
            .find(|it: char| !it.is_ascii_alphanumeric() && !matches!(it, '+' | '-' | '.'))
            .unwrap_or(rest.len());
        let word = rest.get(..len)?;
        self.at += len;
        match word {
            "None" => self.out.push_str("null"),
            "True" => self.out.push_str("true"),
            "False" => self.out.push_str("false"),
            "nan" | "inf" | "-inf" => write!(self.out, "\"{word}\"").ok()?,
            run if number::is_number(run.as_bytes()) => self.out.push_str(run),
            _ => return None,
        }
        Some(())
    }

    /// The rest of a string whose opening quote has been read.
    fn string(&mut self, quote: char) -> Option<()> {
        self.out.push('"');
        loop {
            let mut rest = self.text.get(self.at..)?.chars();
            let read = rest.next()?;
            self.at += read.len_utf8();
            match read {
                _ if read == quote => break,
                '\\' => self.escape()?,
                // A `repr` is a single line.
                '\n' => return None,
                other => self.push(other),
            }
        }
        self.out.push('"');
        Some(())
    }

    /// The rest of an escape whose backslash has been read.
    fn escape(&mut self) -> Option<()> {
        let kind = self.text.get(self.at..)?.chars().next()?;
        self.at += kind.len_utf8();
        let digits = match kind {
            'n' => return self.pushed('\n'),
            'r' => return self.pushed('\r'),
            't' => return self.pushed('\t'),
            'a' => return self.pushed('\u{7}'),
            'b' => return self.pushed('\u{8}'),
            'f' => return self.pushed('\u{c}'),
            'v' => return self.pushed('\u{b}'),
            '0' => return self.pushed('\0'),
            '\\' | '\'' | '"' => return self.pushed(kind),
            'x' => 2,
            'u' => 4,
            'U' => 8,
            _ => return None,
        };
        let hex = self.text.get(self.at..self.at + digits)?;
        let code = u32::from_str_radix(hex, 16).ok()?;
        self.at += digits;
        self.pushed(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn pushed(&mut self, read: char) -> Option<()> {
        self.push(read);
        Some(())
    }

    fn push(&mut self, read: char) {
        match read {
            '"' => self.out.push_str("\\\""),
            '\\' => self.out.push_str("\\\\"),
            '\n' => self.out.push_str("\\n"),
            '\r' => self.out.push_str("\\r"),
            '\t' => self.out.push_str("\\t"),
            '\0'..'\u{20}' => self.out.push_str(&format!("\\u{:04x}", u32::from(read))),
            other => self.out.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repr_becomes_json() {
        for (repr, json) in [
            ("{'a': 1, 'b': [True, None]}", r#"{"a":1,"b":[true,null]}"#),
            ("{'it': \"it's\", 'q': 'say \"hi\"'}", r#"{"it":"it's","q":"say \"hi\""}"#),
            ("('x',)", r#"["x"]"#),
            ("(1, 2)", "[1,2]"),
            ("()", "[]"),
            ("{}", "{}"),
            (r"b'\x00\xff\n'", "\"\\u0000ÿ\\n\""),
            ("{1: 'one', None: -1.5e-07}", r#"{"1":"one","null":-1.5e-07}"#),
            (r"'caf\xe9 \u65e5 \U0001f600 \\'", "\"café 日 😀 \\\\\""),
            ("[nan, inf, -inf]", r#"["nan","inf","-inf"]"#),
            ("[[], {}, ()]", "[[],{},[]]"),
        ] {
            assert_eq!(python_repr_to_json(repr).as_deref(), Some(json), "{repr}");
            assert!(super::super::is_strict(json));
        }
    }

    #[test]
    fn nothing_else_is_converted() {
        for text in [
            "",
            "hello",
            "{'a': 1",
            "{'a' 1}",
            "[1,]",
            "[,]",
            "(1)",
            "{'a': 1} x",
            "true",
            "[1 2]",
            "datetime(2026, 1, 1)",
            "{'a': }",
            "'cut",
            "{(1, 2): 3}",
            "{'a', 'b'}",
            "]",
            "[)",
            "1,",
        ] {
            assert_eq!(python_repr_to_json(text), None, "{text}");
        }
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(python_repr_to_json(&nested(200)).is_some());
        assert_eq!(python_repr_to_json(&nested(201)), None);
        assert_eq!(python_repr_to_json(&"[".repeat(1_000_000)), None);
    }
}
