//! Texts that a record contains as JSON strings: decoded once, and traceable to their bytes.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::ops::Range;

use bumpalo::Bump;

use traceloupe_core::json::{Inspector, Json, Structure, escaped_range};

/// JSON in strings has a tape from this length on, because it may be a request with all of its messages.
const TAPE_FROM_BYTES: usize = 128;

/// A record as a cursor with a tape. Without a tape each lookup scans the text again, and a chat session is one record
/// of megabytes.
pub(crate) fn on_tape<'r>(record: &'r str, inspector: &'r mut Inspector) -> Json<'r> {
    // Text that is not strict JSON has no tape.
    inspector.inspect(record).map_or_else(|| Json::new(record), |found| found.json)
}

/// Memory for the decoded texts of a record.
#[derive(Default, Debug)]
pub struct Room {
    bump: Bump,
    tapes: OnceCell<Box<Taped>>,
}

/// The tape of a decoded text, and those of the following texts.
#[derive(Debug)]
struct Taped {
    tape: Inspector,
    next: OnceCell<Box<Self>>,
}

impl Room {
    /// Drops all texts.
    pub fn clear(&mut self) {
        self.bump.reset();
        // One by one, because there may be too many for nested drops.
        let mut tape = self.tapes.take();
        while let Some(mut last) = tape {
            tape = last.next.take();
        }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        self.clear();
    }
}

/// The decoded texts of one record.
#[derive(Debug)]
pub struct Texts<'a> {
    record: &'a str,
    bump: &'a Bump,
    /// The cell for the next tape.
    tapes: &'a OnceCell<Box<Taped>>,
    /// Keyed by the addresses of the texts, which do not overlap. A tree, because a record may have very many of them.
    origins: BTreeMap<usize, Origin<'a>>,
}

/// A decoded text, and the string literal that it was decoded from.
#[derive(Clone, Copy, Debug)]
struct Origin<'a> {
    text: &'a str,
    literal: &'a str,
}

/// The place of a value in a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Located {
    /// At these bytes.
    Direct(Range<usize>),
    /// At these bytes inside a JSON string; the value is the bytes without the string's escapes.
    Escaped(Range<usize>),
    /// Nowhere in this form.
    Nowhere,
}

impl<'a> Texts<'a> {
    /// No texts yet.
    #[must_use]
    pub fn new(record: &'a str, room: &'a Room) -> Self {
        let mut tapes = &room.tapes;
        while let Some(tape) = tapes.get() {
            tapes = &tape.next;
        }
        Self { record, bump: &room.bump, tapes, origins: BTreeMap::new() }
    }

    /// The JSON inside a string. Any other value is returned unchanged, and so is a string whose text does not begin
    /// like an object or a list, or continues after it.
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
        if !is_json(inner) {
            return value;
        }
        if inner.len() >= TAPE_FROM_BYTES
            && let Some(json) = self.taped(inner)
        {
            return json;
        }
        if is_alone(inner) { Json::new(inner) } else { value }
    }

    /// The value of a decoded text, with a tape. `None` if it is not strict JSON.
    fn taped(&mut self, text: &'a str) -> Option<Json<'a>> {
        let mut tape = Inspector::default();
        tape.inspect(text)?;
        let taped = self.tapes.get_or_init(|| Box::new(Taped { tape, next: OnceCell::new() }));
        self.tapes = &taped.next;
        Some(taped.tape.json(text))
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
        let text: &'a str = self.bump.alloc_str(&traceloupe_core::json::decode_string(raw));
        self.origins.insert(text.as_ptr() as usize, Origin { text, literal: raw });
        text
    }

    /// Keeps a text that no record contains.
    #[inline(never)]
    pub fn keep(&self, text: &str) -> &'a str {
        self.bump.alloc_str(text)
    }

    /// The place of a slice of the record or of a decoded text.
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

/// Whether a text begins like an object or a list. Python's notation of these is not JSON.
#[must_use]
pub fn is_json(text: &str) -> bool {
    let mut text = text.trim_start();
    // For a list of objects or lists, the first of them decides.
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

/// Whether nothing follows the object or list at the beginning of a text. It may be cut.
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
        let room = Room::default();
        let mut texts = Texts::new(record, &room);
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
        let room = Room::default();
        let mut texts = Texts::new(&record, &room);
        let outer = texts.unpack(Json::new(&record).get("x"));
        let value = texts.unpack(outer.get("y")).get("a");
        assert_eq!(value.text().as_deref(), Some("é\n1"));
        assert_eq!(texts.locate(value.raw()), Located::Nowhere);
        assert!(matches!(texts.locate(outer.get("y").raw()), Located::Escaped(_)));
    }

    #[test]
    fn long_packed_json_has_a_tape_of_its_own() {
        let long = |word: &str| format!(r#"{{"pad":"{}","word":"{word}"}}"#, "-".repeat(600));
        let cut = long("c").replace('}', "");
        let packed: Vec<String> = [long("a"), long("b"), cut].iter().map(|it| quoted(it)).collect();
        let record = format!("[{}]", packed.join(","));
        let mut room = Room::default();
        for _ in 0..2 {
            let (one, other) = (Texts::new(&record, &room), Texts::new(&record, &room));
            for mut texts in [one, other] {
                let mut word = |at| texts.unpack(Json::new(&record).item(at)).get("word");
                assert!(word(0).has_tape() && word(0).is("a") && word(1).is("b"));
                assert!(!word(2).has_tape() && word(2).is_absent());
                let start = record.find(r#"\"b\""#).unwrap();
                let b = texts.unpack(Json::new(&record).item(1)).get("word").raw();
                assert_eq!(texts.locate(b), Located::Escaped(start..start + 5));
            }
            room.clear();
        }
        let many = format!("[{}0]", format!("{},", packed[0]).repeat(20_000));
        let mut texts = Texts::new(&many, &room);
        assert!(Json::new(&many).items().take(20_000).all(|it| texts.unpack(it).has_tape()));
    }

    fn quoted(text: &str) -> String {
        traceloupe_core::json::text::quoted(text)
    }
}
