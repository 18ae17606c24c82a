//! The shape of a value: its structure with types in place of values.

use std::borrow::Cow;

use super::decode::decode_string_bytes;
use super::tokens::{TokenKind, Tokens};

/// Values at this depth or deeper are written as `...`.
const MAX_DEPTH: usize = 4;

/// How many items of a list are read.
const MAX_ITEMS: usize = 3;

/// The shape of a JSON value in the notation of Maida 0.5 (`maida/loopdetect.py`): `{key:shape,…}` with sorted keys,
/// `[a|b,...]` with the different shapes of the first three items and `,...` if there are more, `int`, `float`, `str`,
/// `bool`, `null`, and `...` from the fourth level on.
#[must_use]
pub fn shape(raw: &str) -> String {
    let bytes = raw.as_bytes();
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut root = String::new();
    for token in Tokens::new(bytes) {
        let depth = token.depth as usize;
        let text = bytes.get(token.start..token.end).unwrap_or_default();
        // At the deepest level shown, only the beginning of a value matters.
        if depth > MAX_DEPTH || (depth == MAX_DEPTH && is_end(token.kind)) {
            continue;
        }
        let done = match token.kind {
            TokenKind::Key => {
                if let Some(Open::Object { key, .. }) = open.last_mut() {
                    *key = decode_string_bytes(text);
                }
                continue;
            }
            _ if depth == MAX_DEPTH => String::from("..."),
            TokenKind::ObjectStart => {
                open.push(Open::Object { key: Cow::Borrowed(""), fields: Vec::new() });
                continue;
            }
            TokenKind::ArrayStart => {
                open.push(Open::Array { shapes: Vec::new(), len: 0 });
                continue;
            }
            TokenKind::ObjectEnd | TokenKind::ArrayEnd => {
                open.pop().map(Open::finish).unwrap_or_default()
            }
            kind => String::from(scalar(kind, text)),
        };
        match open.last_mut() {
            Some(outer) => outer.add(done),
            None => root = done,
        }
    }
    while let Some(inner) = open.pop() {
        let done = inner.finish();
        match open.last_mut() {
            Some(outer) => outer.add(done),
            None => root = done,
        }
    }
    root
}

enum Open<'a> {
    Object { key: Cow<'a, str>, fields: Vec<(Cow<'a, str>, String)> },
    Array { shapes: Vec<String>, len: usize },
}

impl Open<'_> {
    fn add(&mut self, shape: String) {
        match self {
            Self::Object { key, fields } => fields.push((std::mem::take(key), shape)),
            Self::Array { shapes, len } => {
                *len += 1;
                if *len <= MAX_ITEMS && !shapes.contains(&shape) {
                    shapes.push(shape);
                }
            }
        }
    }

    fn finish(self) -> String {
        match self {
            Self::Object { mut fields, .. } => {
                // After reversing and a stable sort, the last of several equal keys comes first and wins.
                fields.reverse();
                crate::sorting::sort_by(&mut fields, |one, two| one.0.cmp(&two.0));
                fields.dedup_by(|two, one| one.0 == two.0);
                let fields: Vec<String> =
                    fields.iter().map(|(key, shape)| format!("{key}:{shape}")).collect();
                format!("{{{}}}", fields.join(","))
            }
            Self::Array { shapes, len } => {
                let more = if len > MAX_ITEMS { ",..." } else { "" };
                format!("[{}{more}]", shapes.join("|"))
            }
        }
    }
}

fn is_end(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::ObjectEnd | TokenKind::ArrayEnd)
}

fn scalar(kind: TokenKind, text: &[u8]) -> &'static str {
    match kind {
        TokenKind::True | TokenKind::False => "bool",
        TokenKind::Null => "null",
        TokenKind::Number if text.iter().all(|byte| !matches!(byte, b'.' | b'e' | b'E')) => "int",
        // Python reads NaN and the infinities as floats.
        TokenKind::Number | TokenKind::Odd => "float",
        _ => "str",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_those_of_the_producer() {
        for (raw, expected) in [
            (r#"{"path":"a","n":1}"#, "{n:int,path:str}"),
            ("{}", "{}"),
            ("[]", "[]"),
            ("null", "null"),
            (r#"[1,2.0,true,"x"]"#, "[int|float|bool,...]"),
            (r#"[1,2,3]"#, "[int]"),
            (r#"{"a":{"b":{"c":{"d":{"e":1}}}}}"#, "{a:{b:{c:{d:...}}}}"),
            (r#"{"a":{"b":{"c":{}}}}"#, "{a:{b:{c:{}}}}"),
            (r#"{"a":{"b":{"c":[[1],2]}}}"#, "{a:{b:{c:[...]}}}"),
            (r#"{"x":NaN,"x":"last"}"#, "{x:str}"),
        ] {
            assert_eq!(shape(raw), expected, "{raw}");
        }
    }

    #[test]
    fn the_patterns_of_a_real_run_are_met() {
        let run = "traces/agentdbg/maida-0.5.3-loop-shapes/spans.jsonl";
        let Some(path) = crate::shared::shared(run) else { return };
        let spans = std::fs::read_to_string(path).unwrap();
        // Every shape that the producer wrote into a warning must be the shape of some real arguments.
        let mut wanted: Vec<String> = Vec::new();
        let mut found: Vec<String> = Vec::new();
        for line in spans.lines() {
            let mut keys = (String::new(), false);
            for token in Tokens::new(line.as_bytes()) {
                let raw = line.get(token.start..token.end).unwrap();
                match token.kind {
                    TokenKind::Key => keys = (decode(raw), false),
                    TokenKind::String if !keys.1 => {
                        let value = decode(raw);
                        if value.contains(" args:") {
                            let shapes =
                                value.split(" -> ").filter_map(|it| it.split_once(" args:"));
                            wanted.extend(shapes.map(|(_, shape)| shape.to_owned()));
                        }
                        if value.starts_with('{') {
                            let json = super::super::python_repr_to_json(&value).unwrap_or(value);
                            found.push(shape(&json));
                        }
                        keys.1 = true;
                    }
                    _ => {}
                }
            }
        }
        assert!(wanted.len() > 5, "{wanted:?}");
        for shape in wanted {
            assert!(found.contains(&shape), "{shape} is not in {found:?}");
        }
    }

    fn decode(raw: &str) -> String {
        super::super::decode_string(raw).into_owned()
    }
}
