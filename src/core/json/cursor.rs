//! A cursor over JSON: one value, and access to the values inside it.

use std::borrow::Cow;
use std::ops::Range;

use super::decode::decode_string;
use super::inside::{Items, Key, Members};
use super::lexer::{Escapes, trim};
use super::strict_notices::key_hash;
use super::tape::{RawToken, RawTokens, Tape, Token, short};
use super::wanted::{KeySet, Wanted, is_same, len_bit};
use crate::number;

/// A value in a JSON text, or the absence of one.
///
/// A cursor is a position: it borrows the text, copies nothing, and is passed by value. Looking up a missing value, or
/// reading a value as another type, gives [`Json::ABSENT`] or `None`, so calls can be chained:
/// `record.get("payload.info").count()`.
///
/// # Text
///
/// The text should be strict JSON, as records are. Any other text does no harm: values are skipped by quotes and
/// brackets alone, and iteration ends at the first fault between two values. Nothing here recurses over the data.
///
/// # Tape
///
/// A cursor gives the same answers with and without a tape. The strict walk writes a tape while it validates a record
/// ([`super::Inspector`]): the start and end of every value. With a tape, skipping a value takes the same time whatever
/// its size; without one ([`Json::new`]), its bytes are read again.
///
/// # Keys
///
/// Keys are compared as text: `"\u0061"` is `a`. If a key is repeated, the last member counts, as in most parsers; only
/// [`Json::members`] returns all of them.
#[derive(Clone, Copy)]
pub struct Json<'a> {
    raw: &'a str,
    /// Offset of `raw` in the whole text.
    start: u32,
    /// Index of its token, if there is a tape.
    at: u32,
    tape: Option<&'a Tape>,
}

/// The type of a value, by its first byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Not there.
    Absent,
    /// `null`
    Null,
    /// `true` or `false`
    Bool,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
    /// Not JSON.
    Other,
}

impl<'a> Json<'a> {
    /// No value.
    pub const ABSENT: Self = Self { raw: "", start: 0, at: 0, tape: None };

    /// The value of a text, without a tape. White space around the value is not part of it; a text of white space is
    /// [`Json::ABSENT`].
    #[must_use]
    #[inline(never)]
    pub fn new(text: &'a str) -> Self {
        let range = trim(text.as_bytes());
        let start = short(range.start);
        Self { raw: text.get(range).unwrap_or_default(), start, at: 0, tape: None }
    }

    /// Like [`Json::new`], with the tape of this text.
    pub(super) fn with_tape(text: &'a str, tape: &'a Tape) -> Self {
        Self { tape: tape.is_whole().then_some(tape), ..Self::new(text) }
    }

    /// The value inside this one at a token.
    #[inline]
    pub(super) fn token(self, at: usize) -> Option<(Self, usize)> {
        let tape = self.tape?;
        let token = tape.token(at)?;
        let raw = self.raw.get(token.start() - self.offset()..token.end() - self.offset())?;
        Some((
            Self { raw, start: token.short_start(), at: short(at), tape: Some(tape) },
            token.next(),
        ))
    }

    /// The key at a token inside this value.
    #[inline]
    pub(super) fn key(self, at: usize) -> Option<Key<'a>> {
        self.key_of(self.tape?.token(at)?)
    }

    #[inline]
    fn key_of(self, token: Token) -> Option<Key<'a>> {
        let raw = self.raw.get(token.start() - self.offset()..token.end() - self.offset())?;
        Some(Key { raw, escapes: Some(token.escapes()) })
    }

    /// The index of the token after one and everything inside it.
    #[inline]
    pub(super) fn next_token(self, at: usize) -> Option<usize> {
        Some(self.tape?.token(at)?.next())
    }

    /// The value inside this one at a range of [`Json::raw`].
    #[inline]
    pub(super) fn part(self, range: Range<usize>) -> Option<Self> {
        let start = short(self.offset() + range.start);
        Some(Self { raw: self.raw.get(range)?, start, at: 0, tape: None })
    }

    fn offset(self) -> usize {
        self.start as usize
    }

    /// The indices of the tokens inside this value. `None` without a tape.
    #[inline]
    pub(super) fn tokens(self) -> Option<Range<usize>> {
        let at = self.at as usize;
        Some(at + 1..self.tape?.token(at)?.next())
    }

    /// Which escapes the string contains, if the tape has that information.
    #[inline]
    pub(super) fn known_escapes(self) -> Option<Escapes> {
        Some(self.tape?.token(self.at as usize)?.escapes())
    }

    /// The tokens of this value and of everything inside it. None without a tape.
    #[inline]
    pub(super) fn raw_tokens(self) -> RawTokens<'a> {
        let end = self.tokens().map_or(0, |inside| inside.end);
        RawTokens::new(self.raw.as_bytes(), self.offset(), self.tape, self.at as usize..end)
    }

    /// The offsets of the escapes other than [`Escapes::Short`] in a string inside this value, counted from after
    /// its opening quote. Empty without a tape.
    pub(super) fn long_escapes_of(self, string: &RawToken<'_>) -> impl Iterator<Item = usize> + 'a {
        let start = string.start;
        let ahead = self.tape.map(|tape| tape.long_escapes_from(start)).unwrap_or_default();
        let (inside, end) = (start as usize + 1, start as usize + string.raw.len());
        ahead
            .iter()
            .map(|at| *at as usize)
            .take_while(move |at| *at < end)
            .map(move |at| at - inside)
    }

    /// The value as written in the text. Empty if it is absent.
    #[must_use]
    pub fn raw(self) -> &'a str {
        self.raw
    }

    /// The byte range of the value in the text of the first cursor.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.offset()..self.offset() + self.raw.len()
    }

    /// The type of the value.
    #[must_use]
    pub fn kind(self) -> Kind {
        match self.raw.bytes().next() {
            None => Kind::Absent,
            Some(b'{') => Kind::Object,
            Some(b'[') => Kind::Array,
            Some(b'"') => Kind::String,
            Some(b'-' | b'0'..=b'9') => Kind::Number,
            Some(b't' | b'f') => Kind::Bool,
            Some(b'n') => Kind::Null,
            Some(_) => Kind::Other,
        }
    }

    /// Whether there is no value. `null` is a value: see [`Json::is_given`].
    #[must_use]
    pub fn is_absent(self) -> bool {
        self.raw.is_empty()
    }

    /// Whether there is a value other than `null`.
    #[must_use]
    pub fn is_given(self) -> bool {
        !self.is_absent() && self.raw != "null"
    }

    /// The value, unless it is absent; it may be `null`.
    #[must_use]
    pub fn present(self) -> Option<Self> {
        (!self.is_absent()).then_some(self)
    }

    /// The value, unless it is absent or `null`.
    #[must_use]
    pub fn given(self) -> Option<Self> {
        self.is_given().then_some(self)
    }

    /// The value at a path of keys separated by dots: `get("message.content")`. In an array, a key of digits is the
    /// index of an item: `get("choices.0.message")`. For a key that contains dots, see [`Json::field`].
    #[must_use]
    #[inline(never)]
    pub fn get(self, path: &str) -> Self {
        let (mut value, mut path) = (self, path);
        loop {
            // Most values on which this is called contain no other values.
            let first = *value.raw.as_bytes().first().unwrap_or(&0);
            if first != b'{' && first != b'[' {
                return Self::ABSENT;
            }
            let len = first_dot(path.as_bytes());
            let key = path.get(..len).unwrap_or(path);
            value = match value.tape {
                _ if first == b'[' => key.parse().map_or(Self::ABSENT, |index| value.item(index)),
                Some(tape) => value.member_on(tape, key),
                None => value.field(key),
            };
            match path.get(len + 1..) {
                Some(rest) => path = rest,
                None => return value,
            }
        }
    }

    /// The member of this object with a key, found on the tape.
    #[inline]
    fn member_on(self, tape: &'a Tape, key: &str) -> Self {
        let hash = key_hash(key.as_bytes());
        let found = tape.find(self.at as usize, hash, |name| self.is_name(name, key));
        found.and_then(|at| self.token(at)).map_or(Self::ABSENT, |(value, _)| value)
    }

    /// The first of several paths at which there is a value other than `null`.
    #[must_use]
    #[inline(never)]
    pub fn any(self, paths: &[&str]) -> Self {
        if !matches!(self.kind(), Kind::Object | Kind::Array) {
            return Self::ABSENT;
        }
        // Most of the keys are missing, and comparing lengths rules them out at less cost than hashes.
        let (mut lens, mut is_flat) = (u64::MAX, false);
        if let Some(members) = self.tape_members() {
            let mut n_tokens = 0;
            lens = members.fold(0, |lens, (name, _)| {
                n_tokens += 2;
                // The length of a key with escapes is not the length of its text.
                let is_plain = name.escapes() == Escapes::None;
                lens | if is_plain { len_bit(name_len(name)) } else { u64::MAX }
            });
            // If no member contains other values, a path can only match as a single key.
            is_flat = self.tokens().is_some_and(|inside| inside.len() == n_tokens);
        }
        let len = |path: &str| if is_flat { path.len() } else { first_dot(path.as_bytes()) };
        let mut likely = paths.iter().filter(|path| lens & len_bit(len(path)) != 0);
        let found = likely.find_map(|path| self.get(path).given());
        found.unwrap_or(Self::ABSENT)
    }

    /// The member with a key.
    #[must_use]
    #[inline(never)]
    pub fn field(self, key: &str) -> Self {
        if self.kind() != Kind::Object {
            return Self::ABSENT;
        }
        if let Some(tape) = self.tape {
            return self.member_on(tape, key);
        }
        let mut inside = self.members().into_inside();
        let mut found = None;
        while let Some((name, slot)) = inside.member() {
            if name.is(key) {
                found = Some(slot);
            }
        }
        found.and_then(|slot| inside.value(slot)).unwrap_or(Self::ABSENT)
    }

    /// The members with the given keys, found in one pass; missing ones are absent. `None` if the value is not an
    /// object.
    #[must_use]
    pub fn fields<const N: usize>(self, keys: &KeySet<'_, N>) -> Option<[Self; N]> {
        let mut found = [Self::ABSENT; N];
        self.fill(keys, &mut found).then_some(found)
    }

    /// Like [`Json::fields`], for many keys: stores each member at the place of its key. Returns whether the value is
    /// an object.
    #[must_use]
    pub fn fill<const N: usize>(self, keys: &KeySet<'_, N>, found: &mut [Self; N]) -> bool {
        let is_object = self.kind() == Kind::Object;
        if is_object {
            self.fill_in(keys.wanted(), found);
        }
        is_object
    }

    /// The keys of an object on its tape, each with the index of its value's token. `None` without a tape.
    #[inline]
    fn tape_members(self) -> Option<impl Iterator<Item = (Token, usize)> + 'a> {
        let tape = self.tape.filter(|_| self.kind() == Kind::Object)?;
        Some(tape.members(self.at as usize))
    }

    /// Whether a token is a given key of this object. Most are not, and their lengths already differ.
    #[inline]
    fn is_name(self, name: Token, key: &str) -> bool {
        match name.escapes() {
            Escapes::None => is_same(self.name_bytes(name), key.as_bytes()),
            _ => self.key_of(name).is_some_and(|found| found.is(key)),
        }
    }

    /// The bytes between the quotes of a key.
    #[inline]
    fn name_bytes(self, name: Token) -> &'a [u8] {
        let range = name.start() + 1 - self.offset()..name.end() - 1 - self.offset();
        self.raw.as_bytes().get(range).unwrap_or_default()
    }

    // Not generic, so that it is compiled only once.
    #[inline(never)]
    fn fill_in(self, wanted: Wanted<'_>, found: &mut [Self]) {
        if let Some(members) = self.tape_members() {
            for (name, at) in members {
                let place = match name.escapes() {
                    Escapes::None => wanted.find(self.name_bytes(name)),
                    _ => {
                        wanted.find(self.key_of(name).map(Key::text).unwrap_or_default().as_bytes())
                    }
                };
                if let Some(place) = place.and_then(|place| found.get_mut(place)) {
                    *place = self.token(at).map_or(Self::ABSENT, |(value, _)| value);
                }
            }
            return;
        }
        let mut inside = self.members().into_inside();
        while let Some((name, slot)) = inside.member() {
            let place = match name.plain() {
                Some(plain) => wanted.find(plain.as_bytes()),
                None => wanted.find(name.text().as_bytes()),
            };
            if let Some(place) = place.and_then(|place| found.get_mut(place)) {
                *place = inside.value(slot).unwrap_or(Self::ABSENT);
            }
        }
    }

    /// The members of an object in the order of the text, repeated keys included. None for any other
    /// value.
    #[must_use]
    #[inline(never)]
    pub fn members(self) -> Members<'a> {
        Members::new(self)
    }

    /// The items of an array. None for any other value.
    #[must_use]
    #[inline(never)]
    pub fn items(self) -> Items<'a> {
        Items::new(self)
    }

    /// The item of an array at an index.
    #[must_use]
    pub fn item(self, index: usize) -> Self {
        self.items().nth(index).unwrap_or(Self::ABSENT)
    }

    /// The text of a string. A lone surrogate becomes U+FFFD.
    #[must_use]
    #[inline(never)]
    pub fn text(self) -> Option<Cow<'a, str>> {
        let key = Key { raw: self.raw, escapes: self.known_escapes() };
        (self.kind() == Kind::String).then(|| key.text())
    }

    /// The text of a string that is not empty, or the digits of a number, as used for ids, names and labels.
    #[must_use]
    #[inline(never)]
    pub fn word(self) -> Option<Cow<'a, str>> {
        match self.kind() {
            Kind::String => self.text().filter(|text| !text.is_empty()),
            Kind::Number => Some(Cow::Borrowed(self.raw)),
            _ => None,
        }
    }

    /// The value, or another one if it is absent or `null`.
    #[must_use]
    #[inline(never)]
    pub fn or(self, other: Self) -> Self {
        if self.is_given() { self } else { other }
    }

    /// Whether the value is a string with this text.
    // Formats call it in hundreds of places.
    #[inline(never)]
    #[must_use]
    pub fn is(self, text: &str) -> bool {
        let key = Key { raw: self.raw, escapes: self.known_escapes() };
        self.kind() == Kind::String && key.is(text)
    }

    /// Whether the value is `true`.
    #[must_use]
    pub fn is_true(self) -> bool {
        self.raw == "true"
    }

    /// The value of `true` or `false`.
    #[must_use]
    pub fn bool(self) -> Option<bool> {
        match self.raw {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    /// A number, which may be written as a string: `1.5`, `"1.5"`. Always finite.
    #[must_use]
    pub fn number(self) -> Option<f64> {
        number::parse(&self.digits()?).filter(|number| number.is_finite())
    }

    /// A whole number of 0 or more, which may be written with a fraction or as a string: `12`, `12.0`, `"12"`.
    #[must_use]
    #[inline(never)]
    pub fn count(self) -> Option<u64> {
        let digits = self.digits()?;
        digits.parse().ok().or_else(|| u64::try_from(whole(&digits)?).ok())
    }

    /// A whole number with or without a sign, written in any way that [`Json::count`] accepts.
    #[must_use]
    pub fn integer(self) -> Option<i64> {
        let digits = self.digits()?;
        digits.parse().ok().or_else(|| whole(&digits))
    }

    /// The characters of a number, or of a string that may contain one.
    fn digits(self) -> Option<Cow<'a, str>> {
        match self.kind() {
            Kind::Number => Some(Cow::Borrowed(self.raw)),
            Kind::String => self.text(),
            _ => None,
        }
    }

    /// See [`super::fingerprint`]. 0, which means "not in the file", if the value is absent.
    #[must_use]
    #[inline(never)]
    pub fn fingerprint(self) -> u64 {
        if self.is_absent() { 0 } else { super::fingerprint::of_value(self) }
    }

    /// The hashes of the arguments of a call.
    #[must_use]
    pub fn argument_hashes(self, role: super::RoleOfKey) -> super::ArgumentHashes {
        super::fingerprint::of_arguments(self, role)
    }

    /// Whether skipping a value inside this one takes the same time whatever its size.
    #[must_use]
    pub fn has_tape(self) -> bool {
        self.tape.is_some()
    }
}

/// The length of the first key of a path.
#[inline]
fn first_dot(path: &[u8]) -> usize {
    const ONES: u64 = u64::MAX / 255;
    let mut at = 0;
    // Eight bytes at once: dots become zeros.
    while let Some(word) = path.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        let zeros = u64::from_le_bytes(*word) ^ (ONES * u64::from(b'.'));
        let dots = zeros.wrapping_sub(ONES) & !zeros & (ONES << 7);
        if dots != 0 {
            return at + dots.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    let rest = path.get(at..).unwrap_or_default();
    rest.iter().position(|byte| *byte == b'.').map_or(path.len(), |dot| at + dot)
}

/// A whole number that is written with a fraction or an exponent.
fn whole(digits: &str) -> Option<i64> {
    // From 2^53 on, a float cannot distinguish neighbouring whole numbers.
    const LIMIT: f64 = 9_007_199_254_740_992.0;
    let number = number::parse(digits)?;
    #[expect(clippy::cast_possible_truncation)]
    (number.fract() == 0.0 && number.abs() < LIMIT).then_some(number as i64)
}

impl Default for Json<'_> {
    fn default() -> Self {
        Self::ABSENT
    }
}

impl<'a> From<&'a str> for Json<'a> {
    fn from(text: &'a str) -> Self {
        Self::new(text)
    }
}

impl PartialEq for Json<'_> {
    /// Whether two values are written in the same way.
    fn eq(&self, other: &Self) -> bool {
        self.raw == other.raw
    }
}

impl PartialEq<&str> for Json<'_> {
    fn eq(&self, raw: &&str) -> bool {
        self.raw == *raw
    }
}

impl std::fmt::Debug for Json<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Json({:?} at {})", self.raw, self.start)
    }
}

impl<'a> Key<'a> {
    /// The text, if it has no escapes.
    #[inline]
    pub(super) fn plain(self) -> Option<&'a str> {
        match self.escapes {
            Some(Escapes::None) => self.raw.get(1..self.raw.len().saturating_sub(1)),
            _ => None,
        }
    }

    pub(super) fn text(self) -> Cow<'a, str> {
        self.plain().map_or_else(|| decode_string(self.raw), Cow::Borrowed)
    }

    #[inline]
    pub(super) fn is(self, text: &str) -> bool {
        match self.escapes {
            Some(Escapes::None) => {
                self.raw.len() == text.len() + 2
                    && self.plain().is_some_and(|plain| is_same(plain.as_bytes(), text.as_bytes()))
            }
            _ => self.text() == text,
        }
    }
}

/// The length of a key without its quotes.
#[inline]
fn name_len(name: Token) -> usize {
    (name.end() - name.start()).saturating_sub(2)
}
