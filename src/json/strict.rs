//! One walk over a JSON text that says whether it is strict, and what else there is to say of it.

use super::decode::unicode_unit;
use super::inspect::Keys;
use super::nesting::Nesting;
use super::scan::{find_mark, has_control, is_number, run_end, skip_space};

/// Whether a text is one strict JSON value (lone surrogate escapes and any depth pass).
#[must_use]
pub fn is_strict(text: &str) -> bool {
    Walk::new(text, None).run().is_some()
}

/// What was met on the way: offsets of the first of each.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Met {
    /// A `\uXXXX` that names half a character.
    pub lone_surrogate: Option<usize>,
    /// A bracket with so many others open around it as were allowed.
    pub too_deep: Option<usize>,
}

/// A walk over one text.
pub(super) struct Walk<'a, 'k> {
    bytes: &'a [u8],
    /// Where the keys are noted, if they are wanted.
    keys: Option<&'k mut Keys>,
    nesting: Nesting,
    met: Met,
    /// Whether a control character is anywhere. Where none is, and that is nearly everywhere, none
    /// has to be looked for in any string.
    has_control: bool,
}

impl<'a, 'k> Walk<'a, 'k> {
    pub fn new(text: &'a str, keys: Option<&'k mut Keys>) -> Self {
        let bytes = text.as_bytes();
        let has_control = has_control(bytes);
        Self { bytes, keys, nesting: Nesting::default(), met: Met::default(), has_control }
    }

    /// Walks to the end. `None` as soon as the text is not strict.
    pub fn run(mut self) -> Option<Met> {
        let mut at = skip_space(self.bytes, 0);
        loop {
            let (end, is_open) = self.value(at)?;
            at = skip_space(self.bytes, end);
            if is_open {
                continue;
            }
            // After a value: the brackets that end here, then the next value.
            loop {
                let Some(is_object) = self.nesting.top() else {
                    return (at == self.bytes.len()).then_some(self.met);
                };
                match (*self.bytes.get(at)?, is_object) {
                    (b',', true) => {
                        at = self.key(skip_space(self.bytes, at + 1))?;
                        break;
                    }
                    (b',', false) => {
                        at = skip_space(self.bytes, at + 1);
                        break;
                    }
                    (b'}', true) | (b']', false) => self.close(is_object),
                    _ => return None,
                }
                at = skip_space(self.bytes, at + 1);
            }
        }
    }

    /// Reads a scalar, or the beginning of an object or array up to its first value. Gives the
    /// offset after it, and whether a value is to follow inside.
    fn value(&mut self, at: usize) -> Option<(usize, bool)> {
        let end = match *self.bytes.get(at)? {
            b'"' => self.string(at + 1)?.0,
            byte @ (b'{' | b'[') => {
                let is_object = byte == b'{';
                self.open(is_object, at);
                let inner = skip_space(self.bytes, at + 1);
                match (*self.bytes.get(inner)?, is_object) {
                    (b'}', true) | (b']', false) => self.close(is_object),
                    (_, true) => return Some((self.key(inner)?, true)),
                    (_, false) => return Some((inner, true)),
                }
                inner + 1
            }
            _ => {
                let end = run_end(self.bytes, at);
                let run = self.bytes.get(at..end)?;
                if !matches!(run, b"true" | b"false" | b"null") && !is_number(run) {
                    return None;
                }
                end
            }
        };
        Some((end, false))
    }

    /// Reads a key and its colon; gives the offset of the value.
    fn key(&mut self, at: usize) -> Option<usize> {
        if *self.bytes.get(at)? != b'"' {
            return None;
        }
        let (end, has_escapes) = self.string(at + 1)?;
        if let Some(keys) = &mut self.keys {
            keys.add(at, end, has_escapes, self.bytes);
        }
        let colon = skip_space(self.bytes, end);
        (*self.bytes.get(colon)? == b':').then(|| skip_space(self.bytes, colon + 1))
    }

    /// The offset after the closing quote, and whether there are escapes.
    #[inline]
    fn string(&mut self, from: usize) -> Option<(usize, bool)> {
        let mut at = from;
        let mut has_escapes = false;
        loop {
            let hit = find_mark(self.bytes, at)?;
            if self.has_control && has_control(self.bytes.get(at..hit)?) {
                return None;
            }
            if self.bytes.get(hit) == Some(&b'"') {
                return Some((hit + 1, has_escapes));
            }
            has_escapes = true;
            at = match self.bytes.get(hit + 1)? {
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => hit + 2,
                b'u' => self.unicode_escape(hit)?,
                _ => return None,
            };
        }
    }

    fn unicode_escape(&mut self, at: usize) -> Option<usize> {
        let unit = |at: usize| self.bytes.get(at..).and_then(unicode_unit);
        match unit(at)? {
            0xd800..=0xdbff if matches!(unit(at + 6), Some(0xdc00..=0xdfff)) => Some(at + 12),
            0xd800..=0xdfff => {
                self.met.lone_surrogate.get_or_insert(at);
                Some(at + 6)
            }
            _ => Some(at + 6),
        }
    }

    fn open(&mut self, is_object: bool, at: usize) {
        if self.nesting.depth() >= super::MAX_DEPTH {
            self.met.too_deep.get_or_insert(at);
        }
        self.nesting.push(is_object);
        if is_object && let Some(keys) = &mut self.keys {
            keys.open();
        }
    }

    fn close(&mut self, is_object: bool) {
        self.nesting.pop();
        if is_object && let Some(keys) = &mut self.keys {
            keys.close(self.bytes);
        }
    }
}
