//! The tape: the start and end of every value of one text.
//!
//! The strict walk writes it while it validates a record, and the record's [`super::Json`] cursors read
//! it instead of going through the bytes again. It only saves time: each answer of a cursor is the same
//! without it.

use super::lexer::Escapes;

/// A text with more values than this has no tape, so that the tape stays small next to any text.
const MAX_TOKENS: usize = 1 << 20;

/// The tokens of one text, in the order in which they begin.
#[derive(Default, Debug)]
pub(super) struct Tape {
    tokens: Vec<Token>,
    /// The brackets that are open, as indices into the tokens.
    open: Vec<u32>,
    /// The offsets of the escapes that are not short ones: `\u0041` (a pair of surrogates counts as
    /// one), `\/`.
    long_escapes: Vec<u32>,
    is_full: bool,
}

/// A value, or the key of a member.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    start: u32,
    end: u32,
    /// Index of the token after this one and everything inside it. The two highest bits say which
    /// escapes a string contains.
    next: u32,
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
    pub fn clear(&mut self) {
        self.tokens.clear();
        self.open.clear();
        self.long_escapes.clear();
        self.is_full = false;
    }

    /// Whether all values of the text are on it.
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

    /// The offsets of the long escapes from an offset on.
    pub fn long_escapes_from(&self, start: u32) -> &[u32] {
        let first = self.long_escapes.partition_point(|at| *at < start);
        self.long_escapes.get(first..).unwrap_or_default()
    }

    /// Adds a string with its quotes, a number or a literal.
    #[inline]
    pub fn scalar(&mut self, start: usize, end: usize, escapes: Escapes) {
        if self.tokens.len() < MAX_TOKENS {
            let next = short(self.tokens.len() + 1) | (escapes as u32) << ESCAPES_SHIFT;
            self.tokens.push(Token { start: short(start), end: short(end), next });
        } else {
            self.is_full = true;
        }
    }

    /// Adds an escape of the string that is added next.
    #[inline]
    pub fn long_escape(&mut self, at: usize) {
        if self.long_escapes.len() < MAX_TOKENS {
            self.long_escapes.push(short(at));
        } else {
            self.is_full = true;
        }
    }

    /// An object or array begins.
    #[inline]
    pub fn open(&mut self, start: usize) {
        if self.tokens.len() < MAX_TOKENS {
            self.open.push(short(self.tokens.len()));
            self.tokens.push(Token { start: short(start), end: 0, next: 0 });
        } else {
            self.is_full = true;
        }
    }

    /// The innermost object or array ends.
    #[inline]
    pub fn close(&mut self, end: usize) {
        let next = short(self.tokens.len());
        if !self.is_full
            && let Some(at) = self.open.pop()
            && let Some(token) = self.tokens.get_mut(at as usize)
        {
            token.end = short(end);
            token.next = next;
        }
    }
}

/// An offset into a text. Records are no longer than 1 GiB.
#[inline]
pub(super) fn short(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
