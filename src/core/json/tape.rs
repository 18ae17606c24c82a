//! The tape: the start and end of every value of one text.
//!
//! The strict walk writes it while it validates a record, and the record's [`super::Json`] cursors read it instead of
//! going through the bytes again. It only saves time: a cursor gives the same answers without it.

use std::ops::Range;

use super::lexer::Escapes;
use super::strict_notices::key_bit;

/// A text with more keys and values than this has no tape, so that the tape stays small compared with the text:
/// `TOKENS` in any text, one per `BYTES_PER_TOKEN` bytes in longer texts, and at most `MAX_TOKENS`.
const TOKENS: usize = 1 << 20;
const BYTES_PER_TOKEN: usize = 8;
const MAX_TOKENS: usize = 8 << 20;

/// The tokens of one text, in the order of their starts.
#[derive(Default, Debug)]
pub(super) struct Tape {
    tokens: Vec<Token>,
    /// The brackets that are open, as indices into the tokens.
    open: Vec<u32>,
    /// The offsets of escapes that are not short ones: `\u0041` (a pair of surrogates counts as one), `\/`.
    long_escapes: Vec<u32>,
    max_tokens: usize,
    is_full: bool,
    /// Whether no object has a key twice.
    is_unique: bool,
}

/// A value, or the key of a member.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    start: u32,
    end: u32,
    /// Index of the token after this one and everything inside it. The two highest bits encode which escapes a string
    /// contains.
    next: u32,
    /// The hash of a key; for an object, the bits of all its keys.
    keys: u32,
}

const ESCAPES_SHIFT: u32 = 30;

impl Token {
    /// Offset of its first byte.
    #[inline]
    pub fn start(self) -> usize {
        self.start as usize
    }

    pub fn short_start(self) -> u32 {
        self.start
    }

    /// Offset after its last byte.
    #[inline]
    pub fn end(self) -> usize {
        self.end as usize
    }

    /// Index of the token after this one and everything inside it.
    #[inline]
    pub fn next(self) -> usize {
        (self.next & ((1 << ESCAPES_SHIFT) - 1)) as usize
    }

    /// Which escapes a string contains.
    #[inline]
    pub fn escapes(self) -> Escapes {
        match self.next >> ESCAPES_SHIFT {
            0 => Escapes::None,
            1 => Escapes::Short,
            _ => Escapes::Other,
        }
    }
}

impl Tape {
    /// Starts the tape of a text.
    pub fn clear(&mut self, len_bytes: usize) {
        self.tokens.clear();
        self.open.clear();
        self.long_escapes.clear();
        self.max_tokens = (len_bytes / BYTES_PER_TOKEN).clamp(TOKENS, MAX_TOKENS);
        self.is_full = false;
        self.is_unique = false;
    }

    /// Sets whether no object has a key twice.
    pub fn set_unique(&mut self, is_unique: bool) {
        self.is_unique = is_unique;
    }

    /// Whether the tape contains all values of the text.
    pub fn is_whole(&self) -> bool {
        !self.is_full && !self.tokens.is_empty()
    }

    #[inline]
    pub fn token(&self, at: usize) -> Option<Token> {
        self.tokens.get(at).copied()
    }

    /// The keys of the object at an index, each with the index of its value.
    #[inline]
    pub fn members(&self, object: usize) -> impl Iterator<Item = (Token, usize)> + '_ {
        let end = self.token(object).map_or(0, Token::next);
        let tokens = self.tokens.get(..end).unwrap_or_default();
        let mut at = object + 1;
        std::iter::from_fn(move || {
            let (name, value) = (tokens.get(at)?, tokens.get(at + 1)?);
            let found = at + 1;
            at = value.next();
            Some((*name, found))
        })
    }

    /// The index of the value of the last key that has a hash and passes a test, in the object at an index.
    #[inline]
    pub fn find(&self, object: usize, hash: u32, is_it: impl Fn(Token) -> bool) -> Option<usize> {
        let found = self.token(object)?;
        if found.keys & key_bit(hash) == 0 {
            return None;
        }
        let (mut at, end, mut last) = (object + 1, found.next(), None);
        while at < end {
            let (name, value) = (self.tokens.get(at)?, self.tokens.get(at + 1)?);
            if name.keys == hash && is_it(*name) {
                last = Some(at + 1);
                if self.is_unique {
                    break;
                }
            }
            at = value.next();
        }
        last
    }

    /// The offsets of the long escapes from an offset on.
    pub fn long_escapes_from(&self, start: u32) -> &[u32] {
        let first = self.long_escapes.partition_point(|at| *at < start);
        self.long_escapes.get(first..).unwrap_or_default()
    }

    /// Adds a string with its quotes, a number or a literal.
    #[inline]
    pub fn scalar(&mut self, start: usize, end: usize, escapes: Escapes) {
        self.key(start, end, escapes, 0);
    }

    /// Adds a key with its quotes, and its hash.
    #[inline]
    pub fn key(&mut self, start: usize, end: usize, escapes: Escapes, hash: u32) {
        if self.tokens.len() < self.max_tokens {
            let next = short(self.tokens.len() + 1) | (escapes as u32) << ESCAPES_SHIFT;
            self.tokens.push(Token { start: short(start), end: short(end), next, keys: hash });
        } else {
            self.is_full = true;
        }
    }

    /// Adds an escape of the string that will be added next.
    #[inline]
    pub fn long_escape(&mut self, at: usize) {
        if self.long_escapes.len() < self.max_tokens {
            self.long_escapes.push(short(at));
        } else {
            self.is_full = true;
        }
    }

    /// Begins an object or array.
    #[inline]
    pub fn open(&mut self, start: usize) {
        if self.tokens.len() < self.max_tokens {
            self.open.push(short(self.tokens.len()));
            self.tokens.push(Token { start: short(start), end: 0, next: 0, keys: 0 });
        } else {
            self.is_full = true;
        }
    }

    /// Ends the innermost object or array. `keys` has the bits of all keys of an object.
    #[inline]
    pub fn close(&mut self, end: usize, keys: u32) {
        let next = short(self.tokens.len());
        if !self.is_full
            && let Some(at) = self.open.pop()
            && let Some(token) = self.tokens.get_mut(at as usize)
        {
            token.end = short(end);
            token.next = next;
            token.keys = keys;
        }
    }
}

/// A token with its bytes.
pub(super) struct RawToken<'a> {
    pub raw: &'a [u8],
    /// Offset of `raw` in the whole text.
    pub start: u32,
    /// The index of the token after this one and everything inside it.
    pub next: usize,
    pub escapes: Escapes,
}

/// Goes through all tokens of a value in order, including nested ones.
pub(super) struct RawTokens<'a> {
    /// The value as written, and its offset in the whole text.
    raw: &'a [u8],
    offset: usize,
    tokens: &'a [Token],
    at: usize,
}

impl<'a> RawTokens<'a> {
    /// The tokens at a range of indices of a tape, if there is one. `raw` is the text that contains them, and `offset`
    /// its place in the whole text.
    pub fn new(raw: &'a [u8], offset: usize, tape: Option<&'a Tape>, at: Range<usize>) -> Self {
        let tokens = tape.and_then(|tape| tape.tokens.get(..at.end)).unwrap_or_default();
        Self { raw, offset, tokens, at: at.start }
    }

    /// The index of the token that comes next.
    #[inline]
    pub fn at(&self) -> usize {
        self.at
    }
}

impl<'a> Iterator for RawTokens<'a> {
    type Item = RawToken<'a>;

    #[inline]
    fn next(&mut self) -> Option<RawToken<'a>> {
        let token = self.tokens.get(self.at)?;
        let raw = self.raw.get(token.start() - self.offset..token.end() - self.offset)?;
        self.at += 1;
        Some(RawToken { raw, start: token.start, next: token.next(), escapes: token.escapes() })
    }
}

/// An offset into a text. Records are at most 1 GiB long.
#[inline]
pub(super) fn short(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
