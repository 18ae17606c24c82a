//! Texts that stand in a record as JSON strings: decoded once, and traced back to their bytes.

use std::collections::BTreeMap;
use std::ops::Range;

use bumpalo::Bump;

use crate::json::{Json, Structure, escaped_range};

/// The decoded texts of one record.
#[derive(Debug)]
pub struct Texts<'a> {
    record: &'a str,
    bump: &'a Bump,
    /// By the addresses of the texts, which do not overlap: a record may have very many.
    origins: BTreeMap<usize, Origin<'a>>,
}

/// A decoded text, and the string literal that it was decoded from.
#[derive(Clone, Copy, Debug)]
struct Origin<'a> {
    text: &'a str,
    literal: &'a str,
}

/// Where a value is in a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Located {
    /// At these bytes.
    Direct(Range<usize>),
    /// At these bytes, which are part of a JSON string: the value is what they are without the escapes.
    Escaped(Range<usize>),
    /// Nowhere in this form.
    Nowhere,
}

impl<'a> Texts<'a> {
    /// No texts yet.
    #[must_use]
    pub fn new(record: &'a str, bump: &'a Bump) -> Self {
        Self { record, bump, origins: BTreeMap::new() }
    }

    /// The JSON that a string holds. Any other value is given back as it is, and so is a string whose text
    /// does not begin like an object or a list, or goes on after it.
    #[inline(never)]
    pub fn unpack(&mut self, value: Json<'a>) -> Json<'a> {
        let raw = value.raw();
        let is_packed = raw.strip_prefix('"').is_some_and(|inner| {
            inner.trim_start_matches([' ', '\t']).starts_with(['{', '[', '\\', '"'])
        });
        if !is_packed {
            return value;
        }
        let inner = self.decode(value);
        if is_json(inner) && is_alone(inner) { Json::new(inner) } else { value }
    }

    /// The text of a string; empty for any other value.
    pub fn decode(&mut self, value: Json<'a>) -> &'a str {
        let raw = value.raw();
        let Some(inner) = raw.strip_prefix('"').and_then(|raw| raw.strip_suffix('"')) else {
            return "";
        };
        if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
            return inner;
        }
        let text: &'a str = self.bump.alloc_str(&crate::json::decode_string(raw));
        self.origins.insert(text.as_ptr() as usize, Origin { text, literal: raw });
        text
    }

    /// Keeps a text that is in no record.
    #[inline(never)]
    pub fn keep(&self, text: &str) -> &'a str {
        self.bump.alloc_str(text)
    }

    /// Where a slice of the record, or of a decoded text, is.
    #[must_use]
    #[inline(never)]
    pub fn locate(&self, slice: &str) -> Located {
        if let Some(range) = within(self.record, slice) {
            return Located::Direct(range);
        }
        let origin = self.origins.range(..=slice.as_ptr() as usize).next_back();
        let origin = origin.and_then(|(_, it)| Some((it, within(it.text, slice)?)));
        let Some((origin, range)) = origin else { return Located::Nowhere };
        let Some(literal) = within(self.record, origin.literal) else { return Located::Nowhere };
        let inside = escaped_range(origin.literal, range);
        Located::Escaped(literal.start + inside.start..literal.start + inside.end)
    }
}

/// Whether a text begins like an object or a list. Python's notation of them is no JSON.
#[must_use]
pub fn is_json(text: &str) -> bool {
    let mut text = text.trim_start();
    // In a list of objects or lists the first of these tells.
    while let Some(first) = text.strip_prefix('[').map(str::trim_start)
        && first.starts_with(['[', '{'])
    {
        text = first;
    }
    let inside = text.get(1..).unwrap_or_default().trim_start();
    match text.bytes().next() {
        Some(b'{') => inside.starts_with(['"', '}']),
        Some(b'[') => {
            let is_word = ["true", "false", "null"].iter().any(|word| inside.starts_with(word));
            is_word
                || inside.starts_with(|first: char| matches!(first, '"' | ']' | '-' | '0'..='9'))
        }
        _ => false,
    }
}

/// Whether nothing follows the object or list that a text begins with. It may be cut.
fn is_alone(text: &str) -> bool {
    let end = Structure::default().close(text.as_bytes());
    end.and_then(|end| text.get(end..)).is_none_or(|rest| rest.trim().is_empty())
}

/// The range of a slice in the text that it was borrowed from.
fn within(text: &str, slice: &str) -> Option<Range<usize>> {
    let start = (slice.as_ptr() as usize).checked_sub(text.as_ptr() as usize)?;
    let end = start + slice.len();
    (end <= text.len()).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_json_is_found_in_the_record() {
        let record = r#"{"a":"{\"b\":[1,\"x\\ny\"]}","c":"[2]","d":"plain","e":7,"g":"[1], [2]"}"#;
        let bump = Bump::new();
        let mut texts = Texts::new(record, &bump);
        let json = Json::new(record);
        let packed = texts.unpack(json.get("a"));
        let value = packed.get("b.1");
        assert_eq!(value.text().as_deref(), Some("x\ny"));
        let Located::Escaped(range) = texts.locate(value.raw()) else { panic!() };
        assert_eq!(record.get(range).unwrap(), r#"\"x\\ny\""#);
        let plain = texts.unpack(json.get("c"));
        let Located::Direct(range) = texts.locate(plain.item(0).raw()) else { panic!() };
        assert_eq!(record.get(range).unwrap(), "2");
        let lists = ["[[{'a': 1}]]", "[[ {\"a\": 1}]]", "[[]]", "[{}]"];
        let others = ["{'a': 1}", "[supervisor] x", "{}", " [ true]", "{\n\"a\":1}", "x"];
        for text in others.into_iter().chain(lists) {
            assert_eq!(is_json(text), !text.contains(['\'', 'x']), "{text}");
        }
        for (key, raw) in [("d", "\"plain\""), ("e", "7"), ("f", ""), ("g", "\"[1], [2]\"")] {
            assert_eq!(texts.unpack(json.get(key)).raw(), raw);
        }
        assert_eq!(texts.locate("elsewhere"), Located::Nowhere);
    }

    #[test]
    fn two_levels_of_packing_are_read_but_have_no_place() {
        let inner = r#"{"a":"é\n1"}"#;
        let record = format!("{{\"x\":{}}}", quoted(&format!("{{\"y\":{}}}", quoted(inner))));
        let bump = Bump::new();
        let mut texts = Texts::new(&record, &bump);
        let outer = texts.unpack(Json::new(&record).get("x"));
        let value = texts.unpack(outer.get("y")).get("a");
        assert_eq!(value.text().as_deref(), Some("é\n1"));
        assert_eq!(texts.locate(value.raw()), Located::Nowhere);
        assert!(matches!(texts.locate(outer.get("y").raw()), Located::Escaped(_)));
    }

    fn quoted(text: &str) -> String {
        crate::json::text::quoted(text)
    }
}
