//! Fingerprints: equal values have equal hashes, whichever way they are written.

use std::cell::RefCell;
use std::ops::Range;

use memchr::memchr;

use super::cursor::Json;
use super::decode::{decode_escape, decode_string_bytes};
use super::hash::{PiecesHash, hash_bytes, mix};
use super::lexer::{Escapes, is_short_escape};
use super::strict::is_strict;
use super::tape::RawToken;
use super::tokens::{TokenKind, Tokens};

/// How many levels of JSON inside strings are hashed as values.
const STRING_LEVELS: u8 = 3;

/// A hash of a JSON value, never 0. The order of keys, white space and the spelling of escapes do not matter. Numbers
/// are hashed as written. A string that contains a JSON object or array has the hash of that value. The hash is the
/// same in every build, so it may be stored.
#[must_use]
pub fn fingerprint(raw: &str) -> u64 {
    hash_values(raw.as_bytes(), STRING_LEVELS, &mut Aside::default()).max(1)
}

/// The role of an argument of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgumentRole {
    /// It is the path of the file that the call is about.
    File,
    /// Something else that the call acts on: a command, a query.
    Target,
    /// Information about the call: a description, a time limit.
    Aside,
    /// Anything else.
    Other,
}

/// Returns the role of an argument for its key, which is as written in the file, without quotes.
pub type RoleOfKey = fn(&[u8]) -> ArgumentRole;

/// The hashes of the arguments of a call, never 0 if it has any.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ArgumentHashes {
    /// The [`fingerprint`] of the arguments.
    pub exact: u64,
    /// The same without arguments that only give information about the call ([`ArgumentRole::Aside`]), provided that
    /// another argument is the file or target. Otherwise the same as `exact`.
    pub alike: u64,
    /// The hash of the path of the file that the call is about; 0 if the arguments name no file, or several.
    pub file: u64,
}

/// The [`ArgumentHashes`] of the value at a cursor.
pub(super) fn of_arguments(value: Json<'_>, role: RoleOfKey) -> ArgumentHashes {
    let mut aside = Aside { role: Some(role), ..Aside::default() };
    let raw = value.raw().as_bytes();
    let packed = match raw.first() {
        Some(b'"') => hash_json_inside(raw, STRING_LEVELS, &mut aside),
        _ => None,
    };
    let exact = packed.unwrap_or_else(|| match value.has_tape() {
        true => of_value_aside(value, &mut aside),
        false => hash_values(raw, STRING_LEVELS, &mut aside),
    });
    let exact = exact.max(1);
    let alike = aside.rest().map_or(exact, |hash| hash.max(1));
    ArgumentHashes { exact, alike, file: aside.file.unwrap_or_default() }
}

/// The [`fingerprint`] of the value at a cursor.
pub(super) fn of_value(value: Json<'_>) -> u64 {
    if !value.has_tape() {
        return fingerprint(value.raw());
    }
    of_value_aside(value, &mut Aside::default()).max(1)
}

#[inline(never)]
fn of_value_aside(value: Json<'_>, aside: &mut Aside) -> u64 {
    OUTER.with_borrow_mut(|outer| {
        outer.clear();
        let hash = hash_on_tape(value, outer, aside);
        // Deeply nested values are rare, so their memory is freed.
        outer.shrink_to(ROOM_FRAMES);
        hash
    })
}

/// The members of the outermost object that only give information about a call, and the file that the call is about.
#[derive(Default)]
struct Aside {
    /// If `None`, nothing is looked for.
    role: Option<RoleOfKey>,
    /// The role of the next value.
    next: Option<ArgumentRole>,
    has_target: bool,
    /// What the members with the role [`ArgumentRole::Aside`] add to the hash of the object.
    sum: u64,
    /// The hash of the path; 0 if there are several different paths.
    file: Option<u64>,
    /// The hash of all members of the object.
    all: Option<u64>,
}

impl Aside {
    /// A key of the outermost object, with its quotes.
    fn key(&mut self, raw: &[u8]) {
        let Some(role) = self.role else { return };
        let role = role(inside_of(raw));
        self.next = Some(role);
        self.has_target |= matches!(role, ArgumentRole::File | ArgumentRole::Target);
    }

    /// A value of the outermost object, with the hash of its key.
    fn value(&mut self, key: u64, value: u64) {
        match self.next.take() {
            Some(ArgumentRole::Aside) => self.sum = self.sum.wrapping_add(mix(key, value)),
            Some(ArgumentRole::File) => {
                let is_other = self.file.is_some_and(|file| file != value);
                self.file = Some(if is_other { 0 } else { value });
            }
            _ => {}
        }
    }

    /// The hash of the outermost object without members that only give information about the call, if there are any and
    /// another member is the file or target.
    fn rest(&self) -> Option<u64> {
        let all = self.all.filter(|_| self.has_target && self.sum != 0)?;
        Some(mix(all.wrapping_sub(self.sum), tag::OBJECT))
    }
}

/// Like [`hash_values`] for a value that is on a tape: goes through its tokens once. `outer` is the memory for the
/// objects and arrays around the innermost one.
fn hash_on_tape(value: Json<'_>, outer: &mut Vec<Frame>, aside: &mut Aside) -> u64 {
    let mut frame = Frame::default();
    let mut tokens = value.raw_tokens();
    loop {
        if frame.is_object {
            let Some(key) = tokens.next() else { return frame.finish() };
            frame.key = hash_string_on_tape(value, &key, 0);
            if outer.len() == 1 {
                aside.key(key.raw);
            }
        }
        let Some(token) = tokens.next() else { return frame.finish() };
        let mut hash = match token.raw.first() {
            Some(bracket @ (b'{' | b'[')) => {
                let (is_object, end) = (*bracket == b'{', token.next);
                let inside = Frame { is_object, key: 0, hash: 0, end };
                if token.next > tokens.at() {
                    outer.push(std::mem::replace(&mut frame, inside));
                    continue;
                }
                inside.finish()
            }
            Some(b'"') => hash_string_on_tape(value, &token, STRING_LEVELS),
            _ => hash_bytes(tag::WORD, token.raw),
        };
        // The value ends, and so does every bracket whose last value it is.
        loop {
            let is_outermost = match outer.len() {
                0 => return hash,
                depth => depth == 1,
            };
            if is_outermost {
                aside.value(frame.key, hash);
            }
            frame.add(hash);
            if tokens.at() < frame.end {
                break;
            }
            if is_outermost {
                aside.all = Some(frame.hash);
            }
            hash = frame.finish();
            frame = outer.pop().unwrap_or_default();
        }
    }
}

/// An open object or array.
#[derive(Default)]
struct Frame {
    is_object: bool,
    key: u64,
    hash: u64,
    /// On a tape: the index of the token after the object or array.
    end: usize,
}

impl Frame {
    fn add(&mut self, value: u64) {
        if self.is_object {
            // A sum, because the order of the fields must not matter.
            self.hash = self.hash.wrapping_add(mix(self.key, value));
        } else {
            self.hash = mix(self.hash, value);
        }
    }

    fn finish(&self) -> u64 {
        mix(self.hash, if self.is_object { tag::OBJECT } else { tag::ARRAY })
    }
}

mod tag {
    pub const OBJECT: u64 = 0x6f62_6a65_6374_0001;
    pub const ARRAY: u64 = 0x6172_7261_7900_0002;
    pub const STRING: u64 = 0x7374_7269_6e67_0003;
    pub const WORD: u64 = 0x776f_7264_0000_0004;
}

#[inline(never)]
fn hash_values(bytes: &[u8], levels: u8, aside: &mut Aside) -> u64 {
    // The innermost open frame is kept separately, so that arguments of one level need no heap.
    let mut inner: Option<Frame> = None;
    let mut outer: Vec<Frame> = Vec::new();
    let mut root = None;
    let mut tokens = Tokens::new(bytes);
    while let Some(token) = tokens.next() {
        let raw = bytes.get(token.start..token.end).unwrap_or_default();
        let value = match token.kind {
            TokenKind::ObjectStart | TokenKind::ArrayStart => {
                let is_object = token.kind == TokenKind::ObjectStart;
                outer.extend(inner.replace(Frame { is_object, ..Frame::default() }));
                continue;
            }
            TokenKind::ObjectEnd | TokenKind::ArrayEnd => {
                let Some(frame) = inner.take() else { continue };
                if outer.is_empty() {
                    aside.all = Some(frame.hash);
                }
                inner = outer.pop();
                frame.finish()
            }
            TokenKind::Key => {
                if let Some(frame) = &mut inner {
                    frame.key = hash_string(raw, tokens.escapes(), 0);
                    if outer.is_empty() {
                        aside.key(raw);
                    }
                }
                continue;
            }
            TokenKind::String => hash_string(raw, tokens.escapes(), levels),
            _ => hash_bytes(tag::WORD, raw),
        };
        if let Some(frame) = inner.as_ref().filter(|_| outer.is_empty()) {
            aside.value(frame.key, value);
        }
        add(inner.as_mut(), &mut root, value);
    }
    while let Some(frame) = inner {
        inner = outer.pop();
        add(inner.as_mut(), &mut root, frame.finish());
    }
    root.unwrap_or_default()
}

fn add(frame: Option<&mut Frame>, root: &mut Option<u64>, value: u64) {
    match (frame, &root) {
        (Some(frame), _) => frame.add(value),
        (None, None) => *root = Some(value),
        (None, Some(before)) => *root = Some(mix(*before, value)),
    }
}

/// Like [`hash_string`] for a string inside a value that is on a tape.
fn hash_string_on_tape(value: Json<'_>, string: &RawToken<'_>, levels: u8) -> u64 {
    let inner = inside_of(string.raw);
    hash_json_inside(string.raw, levels, &mut Aside::default()).unwrap_or_else(|| {
        match string.escapes {
            Escapes::Other => hash_shortest(inner, &mut value.long_escapes_of(string)),
            _ => hash_bytes(tag::STRING, inner),
        }
    })
}

/// Hashes a string as if all its escapes were short ones; if they are, its bytes are hashed as written.
fn hash_string(raw: &[u8], escapes: Escapes, levels: u8) -> u64 {
    let inner = inside_of(raw);
    hash_json_inside(raw, levels, &mut Aside::default()).unwrap_or_else(|| match escapes {
        Escapes::Other => hash_shortest(inner, &mut long_escapes(inner)),
        _ => hash_bytes(tag::STRING, inner),
    })
}

fn inside_of(raw: &[u8]) -> &[u8] {
    raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default()
}

/// The hash of the object or array that a string contains as text.
#[inline]
fn hash_json_inside(raw: &[u8], levels: u8, aside: &mut Aside) -> Option<u64> {
    // Most strings are plain words, which their first letters show.
    let begins = matches!(raw, [_, b'{' | b'[' | b'\\' | b' ' | b'\t' | b'\n' | b'\r', ..]);
    if begins && levels > 0 { hash_packed(raw, levels, aside) } else { None }
}

fn hash_packed(raw: &[u8], levels: u8, aside: &mut Aside) -> Option<u64> {
    if !may_hold_json(inside_of(raw)) {
        return None;
    }
    let text = decode_string_bytes(raw);
    let trimmed = text.trim_matches([' ', '\t', '\n', '\r']);
    let holds_json = ((trimmed.starts_with('{') && trimmed.ends_with('}'))
        || (trimmed.starts_with('[') && trimmed.ends_with(']')))
        && is_strict(trimmed);
    // Recurses at most `STRING_LEVELS` deep, whatever the data.
    holds_json.then(|| hash_values(trimmed.as_bytes(), levels - 1, aside))
}

/// The hash of the inside of a string literal as if all its escapes were short ones. The literal is hashed in pieces,
/// from one long escape to the next, and is not copied.
fn hash_shortest(inner: &[u8], long_escapes: &mut dyn Iterator<Item = usize>) -> u64 {
    ESCAPES.with_borrow_mut(|escapes| {
        escapes.clear();
        let mut len_bytes = inner.len();
        let mut done = 0;
        for at in long_escapes {
            // The second half of a pair was already read with the first one.
            let Some(literal) = inner.get(at..).filter(|_| at >= done) else { continue };
            let (character, literal_len) = decode_escape(literal);
            let short = Shortest::of(character);
            len_bytes = (len_bytes + short.len).saturating_sub(literal_len);
            done = at + literal_len;
            escapes.push((at..done, short));
        }
        let mut hash = PiecesHash::new(tag::STRING, len_bytes);
        let mut done = 0;
        for (place, short) in escapes.iter() {
            hash.add(inner.get(done..place.start).unwrap_or_default());
            hash.add(short.bytes.get(..short.len).unwrap_or_default());
            done = place.end;
        }
        hash.add(inner.get(done..).unwrap_or_default());
        // Strings with many long escapes are rare, so their memory is freed.
        escapes.shrink_to(ROOM_ESCAPES);
        hash.finish()
    })
}

/// Whether the text of a string may be a JSON object or array: apart from white space and its escapes, it begins and
/// ends with brackets, or with `\u` escapes, which may be brackets.
fn may_hold_json(inner: &[u8]) -> bool {
    let mut rest = inner;
    while let [b' ' | b'\t' | b'\n' | b'\r', after @ ..] | [b'\\', b'n' | b't' | b'r', after @ ..] =
        rest
    {
        rest = after;
    }
    let begins = matches!(rest, [b'{' | b'[', ..] | [b'\\', b'u', ..]);
    if !begins {
        return false;
    }
    while let [before @ .., b' ' | b'\t' | b'\n' | b'\r']
    | [before @ .., b'\\', b'n' | b't' | b'r'] = rest
    {
        rest = before;
    }
    matches!(rest, [.., b'}' | b']'] | [.., b'\\', b'u', _, _, _, _])
}

const ROOM_ESCAPES: usize = 1 << 12;
const ROOM_FRAMES: usize = 1 << 10;

thread_local! {
    static OUTER: RefCell<Vec<Frame>> = const { RefCell::new(Vec::new()) };
    static ESCAPES: RefCell<Vec<(Range<usize>, Shortest)>> = const { RefCell::new(Vec::new()) };
}

/// The offsets of the backslashes in the inside of a string literal that do not begin a short escape.
fn long_escapes(inner: &[u8]) -> impl Iterator<Item = usize> {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let at = from + memchr(b'\\', inner.get(from..)?)?;
            if !is_short_escape(inner.get(at + 1)) {
                from = at + 1;
                return Some(at);
            }
            from = at + 2;
        }
    })
}

/// A character in its shortest spelling: by itself, or as an escape of two letters.
struct Shortest {
    bytes: [u8; 4],
    len: usize,
}

impl Shortest {
    /// The shortest spelling of the character of an escape. Without a character, the text has a backslash there.
    fn of(character: Option<char>) -> Self {
        let letter = match character {
            None => b'\\',
            Some(known @ ('"' | '\\')) => known as u8,
            Some('\n') => b'n',
            Some('\t') => b't',
            Some('\r') => b'r',
            Some('\u{8}') => b'b',
            Some('\u{c}') => b'f',
            Some(other) => {
                let mut bytes = [0; 4];
                let len = other.encode_utf8(&mut bytes).len();
                return Self { bytes, len };
            }
        };
        Self { bytes: [b'\\', letter, 0, 0], len: 2 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spelling_does_not_matter() {
        let one = fingerprint(r#"{"a":1,"b":["x",{"c":null}]}"#);
        assert_eq!(one, fingerprint("{ \"b\" : [\"\\u0078\", {\"c\":null}],\n \"a\":1 }"));
        assert_eq!(one, fingerprint(r#""{\"b\":[\"x\",{\"c\":null}],\"a\":1}""#));
        let in_string = fingerprint(r#"{"args":"{\"q\": 1}"}"#);
        assert_eq!(in_string, fingerprint(r#"{"args":{"q":1}}"#));
    }

    fn role(key: &[u8]) -> ArgumentRole {
        match key {
            b"command" => ArgumentRole::Target,
            b"path" | b"file" => ArgumentRole::File,
            b"timeout" | b"why" => ArgumentRole::Aside,
            _ => ArgumentRole::Other,
        }
    }

    #[test]
    fn arguments_are_alike_whatever_is_said_about_the_call() {
        let alike = |raw: &str| of_arguments(Json::new(raw), role).alike;
        let bare = alike(r#"{"command":["a","b"],"cwd":"/x"}"#);
        for raw in [
            r#"{"why":"first","command":["a","b"],"cwd":"/x"}"#,
            r#"{"command":["a", "b"],"cwd":"/x","timeout":{"s":1,"command":2}}"#,
            r#""{\"cwd\":\"/x\",\"timeout\":7,\"command\":[\"a\",\"b\"]}""#,
        ] {
            assert_eq!(alike(raw), bare, "{raw}");
            assert_ne!(of_arguments(Json::new(raw), role).exact, bare, "{raw}");
            assert_eq!(of_arguments(Json::new(raw), role).exact, fingerprint(raw), "{raw}");
            let mut inspector = crate::json::Inspector::default();
            let inspected = inspector.inspect(raw).unwrap();
            assert_eq!(
                of_arguments(inspected.json, role),
                of_arguments(Json::new(raw), role),
                "{raw}"
            );
        }
        for raw in [
            r#"{"command":["a","c"],"cwd":"/x"}"#,
            r#"{"command":["a","b"]}"#,
            r#"{"command":["a","b"],"cwd":{"/x":1,"timeout":2}}"#,
            r#"[{"command":["a","b"],"cwd":"/x"}]"#,
        ] {
            assert_ne!(alike(raw), bare, "{raw}");
        }
        for raw in
            [r#"{"why":"it is all there is"}"#, r#"{"why":"x","n":1}"#, r#""why""#, "{}", "7"]
        {
            let hashes = of_arguments(Json::new(raw), role);
            assert_eq!(hashes.alike, hashes.exact, "nothing else says what is done: {raw}");
        }
    }

    #[test]
    fn the_file_of_a_call_is_the_same_whatever_is_done_to_it() {
        let file = |raw: &str| of_arguments(Json::new(raw), role).file;
        let path = file(r#"{"path":"src/a.rs"}"#);
        assert_ne!(path, 0);
        for raw in [
            r#"{"old":"x","file":"src\/a.rs","new":{"path":"other"}}"#,
            r#"{"path":"src/a.rs","file":"src/a.rs","limit":7}"#,
            r#""{\"path\":\"src/a.rs\"}""#,
        ] {
            assert_eq!(file(raw), path, "{raw}");
        }
        for raw in [r#"{"path":"a","file":"b"}"#, r#"{"command":"a"}"#, r#"[{"path":"a"}]"#, "7"] {
            assert_eq!(file(raw), 0, "{raw}");
        }
        assert_ne!(file(r#"{"path":"src/b.rs"}"#), path);
    }

    #[test]
    fn long_escapes_are_made_short() {
        for (raw, shortest) in [
            (r"caf\u00e9 \/\u002f", "café //"),
            (r"\u000a\u0022\u005c\u0009\u000d\u0008\u000c", r#"\n\"\\\t\r\b\f"#),
            (r"\ud83d\ude00 \ud83d!", "😀 \u{fffd}!"),
            (r"a\qb\u12", r"a\\qb\\u12"),
            ("\\u0001\u{e9}", "\u{1}\u{e9}"),
            (r"\n\\n", r"\n\\n"),
        ] {
            let hash = hash_shortest(raw.as_bytes(), &mut long_escapes(raw.as_bytes()));
            assert_eq!(hash, hash_bytes(tag::STRING, shortest.as_bytes()), "{raw}");
        }
    }

    #[test]
    fn json_in_a_string_may_have_escaped_space_around_it() {
        let plain = fingerprint(r#"{"a":1}"#);
        for raw in [
            r#""{\"a\":1}""#,
            r#"" {\"a\":1}\n ""#,
            r#""\u000a\t{\"a\":1}""#,
            r#""\u007b\"a\":1\u007d""#,
            r#""{\"a\":1\u007d\u0020""#,
        ] {
            assert_eq!(fingerprint(raw), plain, "{raw}");
        }
        assert_ne!(fingerprint(r#""{\"a\":1} and more""#), plain);
    }

    #[test]
    fn different_values_differ() {
        let all = [
            "{}",
            "[]",
            "null",
            "\"\"",
            "0",
            "0.0",
            "\"0\"",
            "true",
            "false",
            "[[]]",
            "[{}]",
            "[1,2]",
            "[2,1]",
            r#"{"a":"b","c":"d"}"#,
            r#"{"a":"d","c":"b"}"#,
            r#"{"a":{"b":1}}"#,
            r#"{"a":1,"b":{}}"#,
            r#""\"a\"""#,
            r#""a""#,
            "\"{\"",
            "\"[1\"",
        ];
        let mut hashes: Vec<u64> = all.iter().map(|text| fingerprint(text)).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), all.len());
        assert!(!hashes.contains(&0));
    }

    #[test]
    fn it_is_the_same_in_every_build() {
        assert_eq!(
            fingerprint(r#"{"path":"src/main.rs"}"#),
            fingerprint("{\"path\" : \"src\\/main.rs\"}")
        );
        // Stored fingerprints would become meaningless if this number changed.
        assert_eq!(fingerprint(r#"{"path":"src/main.rs"}"#), 0x1c94_fc67_c70b_0b19);
        assert_eq!(fingerprint(""), 1);
        assert_ne!(fingerprint(&"[".repeat(1_000_000)), 0);
    }
}
