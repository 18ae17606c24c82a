//! The strict walk: one pass over a text that validates it and records its keys and the places of its values.

use super::decode::{Unicode, unicode_escape};
use super::lexer::{Escapes, run_end, skip_space};
use super::marks::{BLOCK_BYTES, Marks};
use super::nesting::Nesting;
use super::strict_notices::Keys;
use super::tape::Tape;
use crate::number;

/// Whether a text is one strict JSON value (lone surrogate escapes and any depth are accepted).
#[must_use]
pub fn is_strict(text: &str) -> bool {
    Walk::new(text, None).run().is_some()
}

/// Faults that strict JSON may have: the offset of the first one of each kind.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Met {
    /// A `\uXXXX` escape that is half of a surrogate pair.
    pub lone_surrogate: Option<usize>,
    /// A bracket that is nested deeper than [`super::MAX_DEPTH`].
    pub too_deep: Option<usize>,
}

/// What a walk records.
#[derive(Default, Debug)]
pub(super) struct Notes {
    /// The keys of the objects.
    pub keys: Keys,
    /// The places of the values.
    pub tape: Tape,
}

impl Notes {
    fn clear(&mut self, len_bytes: usize) {
        self.keys.clear();
        self.tape.clear(len_bytes);
    }
}

/// A walk over one text.
pub(super) struct Walk<'a, 'n> {
    bytes: &'a [u8],
    marks: Marks<'a>,
    /// Where to record keys and places; `None` if they are not needed.
    notes: Option<&'n mut Notes>,
    nesting: Nesting,
    met: Met,
}

impl<'a, 'n> Walk<'a, 'n> {
    pub fn new(text: &'a str, mut notes: Option<&'n mut Notes>) -> Self {
        let bytes = text.as_bytes();
        if let Some(notes) = &mut notes {
            notes.clear(bytes.len());
        }
        let (nesting, met) = (Nesting::default(), Met::default());
        Self { bytes, marks: Marks::new(bytes), notes, nesting, met }
    }

    /// Walks to the end. `None` if the text is not strict.
    pub fn run(mut self) -> Option<Met> {
        let mut at = skip_space(self.bytes, 0);
        let mut is_key = false;
        loop {
            if is_key {
                at = self.key(at)?;
            }
            let end = match *self.bytes.get(at)? {
                b'"' => {
                    let (end, escapes) = self.string(at + 1)?;
                    self.scalar(at, end, escapes);
                    end
                }
                byte @ (b'{' | b'[') => {
                    let is_object = byte == b'{';
                    self.open(is_object, at);
                    let inner = skip_space(self.bytes, at + 1);
                    if !matches!((*self.bytes.get(inner)?, is_object), (b'}', true) | (b']', false))
                    {
                        (at, is_key) = (inner, is_object);
                        continue;
                    }
                    self.close(is_object, inner);
                    inner + 1
                }
                _ => self.word(at)?,
            };
            at = skip_space(self.bytes, end);
            // After a value: closing brackets, then the next value.
            is_key = loop {
                let Some(is_object) = self.nesting.top() else {
                    return (at == self.bytes.len()).then_some(self.met);
                };
                let byte = *self.bytes.get(at)?;
                if byte != b',' {
                    if byte != if is_object { b'}' } else { b']' } {
                        return None;
                    }
                    self.close(is_object, at);
                }
                at = skip_space(self.bytes, at + 1);
                if byte == b',' {
                    break is_object;
                }
            };
        }
    }

    /// Reads a number or a literal. Returns the offset after it.
    fn word(&mut self, at: usize) -> Option<usize> {
        let end = run_end(self.bytes, at);
        let run = self.bytes.get(at..end)?;
        if !matches!(run, b"true" | b"false" | b"null") && !number::is_number(run) {
            return None;
        }
        self.scalar(at, end, Escapes::None);
        Some(end)
    }

    #[inline]
    fn scalar(&mut self, start: usize, end: usize, escapes: Escapes) {
        if let Some(notes) = &mut self.notes {
            notes.tape.scalar(start, end, escapes);
        }
    }

    /// Reads a key and its colon. Returns the offset of the value.
    fn key(&mut self, at: usize) -> Option<usize> {
        if *self.bytes.get(at)? != b'"' {
            return None;
        }
        let (end, escapes) = self.string(at + 1)?;
        if let Some(notes) = &mut self.notes {
            let hash = notes.keys.add(at, end, escapes != Escapes::None, self.bytes);
            notes.tape.key(at, end, escapes, hash);
        }
        let colon = skip_space(self.bytes, end);
        (*self.bytes.get(colon)? == b':').then(|| skip_space(self.bytes, colon + 1))
    }

    /// Reads the rest of a string. Returns the offset after its closing quote, and its escapes.
    #[inline]
    fn string(&mut self, from: usize) -> Option<(usize, Escapes)> {
        // Most strings end in the block where they begin, and have no escapes.
        if let Some(len) = self.marks.plain_len(from) {
            let end = from + len;
            if self.bytes.get(end) == Some(&b'"') {
                return Some((end + 1, Escapes::None));
            }
        }
        self.any_string(from)
    }

    /// Like [`Walk::string`], for strings of any length with any escapes.
    #[inline(never)]
    fn any_string(&mut self, from: usize) -> Option<(usize, Escapes)> {
        let mut escapes = Escapes::None;
        let mut block = from / BLOCK_BYTES;
        // The bits of the bytes that have not been read yet.
        let mut ahead = u64::MAX << (from % BLOCK_BYTES);
        loop {
            let bits = self.marks.block(block)?;
            let stops = bits.stops & ahead;
            if bits.escapes & ahead & (stops & stops.wrapping_neg()).wrapping_sub(1) != 0 {
                escapes = escapes.max(Escapes::Short);
            }
            if stops == 0 {
                block += 1;
                ahead = u64::MAX;
                continue;
            }
            let stop = block * BLOCK_BYTES + stops.trailing_zeros() as usize;
            let at = match self.bytes.get(stop)? {
                b'"' => return Some((stop + 1, escapes)),
                b'b' | b'f' | b'r' => stop + 1,
                letter @ (b'/' | b'u') => {
                    escapes = Escapes::Other;
                    if let Some(notes) = &mut self.notes {
                        notes.tape.long_escape(stop - 1);
                    }
                    if *letter == b'u' { self.unicode_escape(stop - 1)? } else { stop + 1 }
                }
                // A control character, or an escape that JSON does not have.
                _ => return None,
            };
            block = at / BLOCK_BYTES;
            ahead = u64::MAX << (at % BLOCK_BYTES);
        }
    }

    fn unicode_escape(&mut self, at: usize) -> Option<usize> {
        let (named, len) = unicode_escape(self.bytes.get(at..)?)?;
        if named == Unicode::LoneSurrogate {
            self.met.lone_surrogate.get_or_insert(at);
        }
        Some(at + len)
    }

    fn open(&mut self, is_object: bool, at: usize) {
        if self.nesting.depth() >= super::MAX_DEPTH {
            self.met.too_deep.get_or_insert(at);
        }
        self.nesting.push(is_object);
        if let Some(notes) = &mut self.notes {
            notes.tape.open(at);
            if is_object {
                notes.keys.open();
            }
        }
    }

    /// Closes the innermost bracket; `at` is the offset of the closing bracket.
    fn close(&mut self, is_object: bool, at: usize) {
        self.nesting.pop();
        if let Some(notes) = &mut self.notes {
            let keys = if is_object { notes.keys.close(self.bytes) } else { 0 };
            notes.tape.close(at + 1, keys);
        }
    }
}
