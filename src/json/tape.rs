//! The tape: where every value of the text at hand begins and ends.
//!
//! The strict walk has been through a whole record when a format gets it. It writes down where the
//! values stand, and while the format looks at the record the functions that pass over members and
//! items read them from there, in place of going through the bytes once more. The tape only saves
//! time: each of these functions finds the same by itself where there is none.

use std::cell::RefCell;

use super::lexer::Escapes;

/// A text with more values has no tape, so that it stays small beside any text.
const MAX_TOKENS: usize = 1 << 20;

/// The tokens of one text, in the order in which they begin. Keys are tokens of their own.
#[derive(Default, Debug)]
pub(super) struct Tape {
    tokens: Vec<Token>,
    /// The brackets that are open, as indices into the tokens.
    open: Vec<u32>,
    /// Where the escapes begin that are no short ones: `\u0041` (a pair of surrogates is one), `\/`.
    long_escapes: Vec<u32>,
    is_full: bool,
}

/// A value or a key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    start: u32,
    end: u32,
    /// Index of the token behind this one and all that is inside it; the upper bits are the escapes
    /// of a string.
    next: u32,
}

const ESCAPES_SHIFT: u32 = 30;

impl Token {
    fn next(self) -> usize {
        (self.next & ((1 << ESCAPES_SHIFT) - 1)) as usize
    }

    fn escapes(self) -> Escapes {
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

    /// A string (its quotes are part of it), a number or a word.
    #[inline]
    pub fn scalar(&mut self, start: usize, end: usize, escapes: Escapes) {
        if self.tokens.len() < MAX_TOKENS {
            let next = short(self.tokens.len() + 1) | (escapes as u32) << ESCAPES_SHIFT;
            self.tokens.push(Token { start: short(start), end: short(end), next });
        } else {
            self.is_full = true;
        }
    }

    #[inline]
    pub fn long_escape(&mut self, at: usize) {
        if self.long_escapes.len() < MAX_TOKENS {
            self.long_escapes.push(short(at));
        } else {
            self.is_full = true;
        }
    }

    #[inline]
    pub fn open(&mut self, start: usize) {
        if self.tokens.len() < MAX_TOKENS {
            self.open.push(short(self.tokens.len()));
            self.tokens.push(Token { start: short(start), end: 0, next: 0 });
        } else {
            self.is_full = true;
        }
    }

    #[inline]
    pub fn close(&mut self, end: usize) {
        let behind = short(self.tokens.len());
        if !self.is_full
            && let Some(at) = self.open.pop()
            && let Some(token) = self.tokens.get_mut(at as usize)
        {
            token.end = short(end);
            token.next = behind;
        }
    }
}

fn short(number: usize) -> u32 {
    // Records are no longer than 1 GiB.
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The text at hand: its address, its length, and its tape.
struct AtHand {
    address: usize,
    len: usize,
    tape: Tape,
}

thread_local! {
    static AT_HAND: RefCell<AtHand> = const {
        let tape = Tape {
            tokens: Vec::new(),
            open: Vec::new(),
            long_escapes: Vec::new(),
            is_full: false,
        };
        RefCell::new(AtHand { address: 0, len: 0, tape })
    };
}

/// Does something while the tape of `text` is at hand.
pub(super) fn with_tape_at_hand<T>(text: &str, tape: &mut Tape, act: impl FnOnce() -> T) -> T {
    if tape.is_full {
        return act();
    }
    swap(text.as_ptr() as usize, text.len(), tape);
    let done = act();
    // The text may be gone after this, and another one may come to stand where it stood.
    swap(0, 0, tape);
    done
}

fn swap(address: usize, len: usize, tape: &mut Tape) {
    AT_HAND.with_borrow_mut(|at_hand| {
        at_hand.address = address;
        at_hand.len = len;
        std::mem::swap(&mut at_hand.tape, tape);
    });
}

/// A value in the text at hand.
#[derive(Clone, Copy)]
pub(super) struct Known<'t> {
    /// Its token and those of all that is inside it, and whatever follows.
    tokens: &'t [Token],
    /// Index of the first of these in the whole tape.
    first: usize,
    /// Offset in the whole text of the part that offsets are given in.
    base: usize,
    /// The long escapes of the whole text.
    long_escapes: &'t [u32],
}

impl<'t> Known<'t> {
    fn token(self) -> Option<Token> {
        self.tokens.first().copied()
    }

    /// Offset of its first byte.
    pub fn start(self) -> usize {
        self.token().map_or(0, |token| token.start as usize - self.base)
    }

    /// Offset behind its last byte.
    pub fn end(self) -> usize {
        self.token().map_or(0, |token| token.end as usize - self.base)
    }

    /// What escapes there are in a string.
    pub fn escapes(self) -> Escapes {
        self.token().map_or(Escapes::None, Token::escapes)
    }

    /// Where the long escapes of a string begin, counted from behind its opening quote.
    pub fn long_escapes(self) -> impl Iterator<Item = usize> + 't {
        let (start, end) = self.token().map_or((0, 0), |token| (token.start, token.end));
        let first = self.long_escapes.partition_point(|at| *at < start);
        let ahead = self.long_escapes.get(first..).unwrap_or_default();
        ahead.iter().take_while(move |at| **at < end).map(move |at| (at - start - 1) as usize)
    }

    /// What is directly inside it: the items of an array; keys and values of an object in turn.
    pub fn children(self) -> Children<'t> {
        let len = self.token().map_or(0, |token| token.next() - self.first);
        let inside = self.tokens.get(1..len).unwrap_or_default();
        Children(Known { tokens: inside, first: self.first + 1, ..self })
    }
}

/// Values that stand side by side.
#[derive(Clone, Copy)]
pub(super) struct Children<'t>(Known<'t>);

impl<'t> Iterator for Children<'t> {
    type Item = Known<'t>;

    #[inline]
    fn next(&mut self) -> Option<Known<'t>> {
        let child = self.0;
        let len = child.token()?.next() - child.first;
        self.0.tokens = child.tokens.get(len..)?;
        self.0.first += len;
        Some(child)
    }
}

/// Looks at the value that begins with the first byte of `part`, if `part` is of the text at hand
/// and holds that value whole. Offsets are those in `part`.
#[inline]
pub(super) fn known<T>(part: &[u8], look: impl FnOnce(Known<'_>) -> T) -> Option<T> {
    AT_HAND.with(|at_hand| {
        let at_hand = at_hand.try_borrow().ok()?;
        let base = (part.as_ptr() as usize).checked_sub(at_hand.address)?;
        if base + part.len() > at_hand.len {
            return None;
        }
        let Tape { tokens, long_escapes, .. } = &at_hand.tape;
        let first = match base {
            0 => 0,
            _ => tokens.binary_search_by_key(&short(base), |token| token.start).ok()?,
        };
        let known = Known { tokens: tokens.get(first..)?, first, base, long_escapes };
        let token = known.token()?;
        let is_whole = token.start as usize == base && token.end as usize <= base + part.len();
        is_whole.then(|| look(known))
    })
}
