//! Iterates over the values directly inside an object or an array.
//!
//! With a tape, its tokens are read. Without one, the text is read: whole values are skipped, strings by their quotes
//! and others by their brackets, so only faults between the values are noticed.

use std::borrow::Cow;

use super::cursor::Json;
use super::lexer::{Escapes, Structure, run_end, skip_space, string_scan};

/// The values that are directly inside another one. In an object, keys and values alternate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inside<'a> {
    outer: Json<'a>,
    /// With a tape, the index of the next token; otherwise the offset of the next value in the raw text.
    next: usize,
    /// The index or offset at which there are no more values.
    end: usize,
}

impl<'a> Inside<'a> {
    /// For any value; scalars have nothing inside.
    #[inline]
    pub fn new(outer: Json<'a>) -> Self {
        if let Some(tokens) = outer.tokens() {
            return Self { outer, next: tokens.start, end: tokens.end };
        }
        let raw = outer.raw().as_bytes();
        let first = skip_space(raw, 1);
        let next = match (raw.first(), raw.get(first)) {
            (Some(b'{'), Some(b'}')) | (Some(b'['), Some(b']')) => raw.len(),
            (Some(b'{' | b'['), _) => first,
            _ => raw.len(),
        };
        Self { outer, next, end: raw.len() }
    }

    /// The next value or key on the tape. `None` without a tape.
    #[inline]
    pub fn token(&mut self) -> Option<Json<'a>> {
        if self.next >= self.end {
            return None;
        }
        let (value, next) = self.outer.token(self.next)?;
        self.next = next;
        Some(value)
    }

    /// Ends the iteration at a fault.
    fn or_end<T>(&mut self, found: Option<T>) -> Option<T> {
        if found.is_none() {
            self.next = self.end;
        }
        found
    }

    #[inline(never)]
    pub fn item(&mut self) -> Option<Json<'a>> {
        if self.outer.has_tape() {
            return self.token();
        }
        if self.next >= self.end {
            return None;
        }
        let found = self.read_value(self.next, b']').and_then(|slot| self.value(slot));
        self.or_end(found)
    }

    /// The next key, and the place of its value.
    #[inline]
    pub fn member(&mut self) -> Option<(Key<'a>, Slot)> {
        if self.next >= self.end {
            return None;
        }
        if self.outer.has_tape() {
            let key = self.outer.key(self.next)?;
            let at = self.next + 1;
            self.next = self.outer.next_token(at)?;
            return Some((key, Slot { at, end: self.next }));
        }
        let found = self.read_member();
        self.or_end(found)
    }

    /// The value that [`Inside::member`] found.
    #[inline]
    pub fn value(&self, slot: Slot) -> Option<Json<'a>> {
        if self.outer.has_tape() {
            return Some(self.outer.token(slot.at)?.0);
        }
        self.outer.part(slot.at..slot.end)
    }

    // The functions below read the text.

    // Kept out of the loops over tapes, which should be short.
    #[inline(never)]
    fn read_member(&mut self) -> Option<(Key<'a>, Slot)> {
        let text = self.outer.raw();
        let bytes = text.as_bytes();
        if *bytes.get(self.next)? != b'"' {
            return None;
        }
        let (end, escapes) = string_scan(bytes, self.next + 1)?;
        let key = Key { raw: text.get(self.next..end)?, escapes: Some(escapes) };
        let colon = skip_space(bytes, end);
        if *bytes.get(colon)? != b':' {
            return None;
        }
        let value = self.read_value(skip_space(bytes, colon + 1), b'}')?;
        Some((key, value))
    }

    /// Reads the value at an offset and what follows it: a comma and another value, or the closing
    /// bracket.
    fn read_value(&mut self, at: usize, close: u8) -> Option<Slot> {
        let bytes = self.outer.raw().as_bytes();
        let end = value_end(bytes, at)?;
        let after = skip_space(bytes, end);
        self.next = match *bytes.get(after)? {
            b',' => Some(skip_space(bytes, after + 1)).filter(|next| *next < bytes.len())?,
            byte if byte == close => bytes.len(),
            _ => return None,
        };
        Some(Slot { at, end })
    }
}

/// The place of a value: with a tape, the index of its token and of the next one; otherwise its range in the raw text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    at: usize,
    end: usize,
}

/// The offset after a value. Brackets are counted, not matched.
#[inline]
fn value_end(bytes: &[u8], start: usize) -> Option<usize> {
    match *bytes.get(start)? {
        b'"' => string_scan(bytes, start + 1).map(|(end, _)| end),
        b'{' | b'[' => Structure::default().close(bytes.get(start..)?).map(|len| start + len),
        _ => Some(run_end(bytes, start)).filter(|end| *end > start),
    }
}

/// A string as written, with its quotes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key<'a> {
    pub raw: &'a str,
    /// Which escapes it contains, if known.
    pub escapes: Option<Escapes>,
}

/// Iterates over the items of an array. Ends at the first fault.
#[derive(Clone, Copy, Debug)]
pub struct Items<'a>(Inside<'a>);

impl<'a> Items<'a> {
    pub(super) fn new(array: Json<'a>) -> Self {
        let is_array = array.raw().starts_with('[');
        Self(Inside::new(if is_array { array } else { Json::ABSENT }))
    }
}

impl<'a> Iterator for Items<'a> {
    type Item = Json<'a>;

    #[inline(never)]
    fn next(&mut self) -> Option<Json<'a>> {
        self.0.item()
    }
}

/// Iterates over the members of an object: decoded keys and values. Ends at the first fault.
#[derive(Clone, Copy, Debug)]
pub struct Members<'a>(Inside<'a>);

impl<'a> Members<'a> {
    pub(super) fn new(object: Json<'a>) -> Self {
        let is_object = object.raw().starts_with('{');
        Self(Inside::new(if is_object { object } else { Json::ABSENT }))
    }

    /// The underlying iterator.
    pub(super) fn into_inside(self) -> Inside<'a> {
        self.0
    }
}

impl<'a> Iterator for Members<'a> {
    type Item = (Cow<'a, str>, Json<'a>);

    #[inline(never)]
    fn next(&mut self) -> Option<Self::Item> {
        let (key, slot) = self.0.member()?;
        Some((key.text(), self.0.value(slot)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members(text: &str) -> Vec<(String, &str)> {
        Json::new(text).members().map(|(key, value)| (key.into_owned(), value.raw())).collect()
    }

    fn items(text: &str) -> Vec<&str> {
        Json::new(text).items().map(Json::raw).collect()
    }

    #[test]
    fn members_and_items_are_given_as_they_are_written() {
        let text = r#" {"a" : 1 ,"b\"":{"c":["}"]}, "a":"]\\"} "#;
        let expected = [("a", "1"), ("b\"", r#"{"c":["}"]}"#), ("a", r#""]\\""#)];
        assert_eq!(members(text), expected.map(|(key, value)| (key.to_owned(), value)));
        assert_eq!(items(r#"[ true,[[]], "," ,-1e5]"#), ["true", "[[]]", "\",\"", "-1e5"]);
        assert_eq!((members("{ }"), items(" [\n]")), (vec![], vec![]));
    }

    #[test]
    fn iteration_ends_at_a_fault() {
        for text in ["", "[", "{", "null", "[\"a\",1]", "{\"a\"}", "{\"a\":}", "{\"a\":1]", "{a:1}"]
        {
            assert_eq!(members(text), [], "{text}");
        }
        assert_eq!(members("{\"a\":1,\"b\"}"), [("a".to_owned(), "1")]);
        for text in ["", "[", "{}", "{\"a\":1}", "[1", "[,1]", "[1}", "[\"]", "[{]"] {
            assert_eq!(items(text), [""; 0], "{text}");
        }
        assert_eq!(items("[1,]"), ["1"]);
        assert_eq!(items("[1, {\"a\": 2}, 3"), ["1", "{\"a\": 2}"]);
        assert_eq!(members(&format!("{{\"a\":{}", "[".repeat(1_000_000))), []);
    }
}
