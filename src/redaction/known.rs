//! Where values that were found occur again: as written, and in the middle of base64 or hexadecimal digits.

use rustc_hash::FxHashMap;

use crate::bytes;
use crate::encodings::fragments;
use crate::finding::Spread;
use crate::secrets::{SecretId, Secrets};
use crate::values;

#[derive(Debug)]
struct Pattern {
    text: Vec<u8>,
    secret: SecretId,
    is_word: bool,
    /// Numbers are replaced only where they are not a number of JSON.
    is_numeric: bool,
}

/// The values that are searched for.
#[derive(Default, Debug)]
pub(crate) struct Known {
    patterns: Vec<Pattern>,
    /// The patterns by their first bytes, the longest first.
    by_start: FxHashMap<[u8; START_BYTES], Vec<u32>>,
    /// A bit for each pair of bytes that a pattern begins with.
    pairs: Vec<u64>,
}

/// So many first bytes choose the patterns that are compared.
const START_BYTES: usize = 4;
/// Shorter values are not searched for in the middle of encoded texts.
const MIN_FRAGMENT_BYTES: usize = 8;
/// Longer values are private keys and the like, which nobody encodes together with other things.
const MAX_FRAGMENT_BYTES: usize = 512;

impl Known {
    pub fn of(secrets: &Secrets) -> Self {
        let mut known = Self { pairs: vec![0; 1024], ..Self::default() };
        for (id, secret) in secrets.iter() {
            if secret.spread == Spread::Nowhere {
                continue;
            }
            let is_word = secret.spread == Spread::Words;
            known.add(secret.value.clone(), id, is_word);
            if !is_word && (MIN_FRAGMENT_BYTES..=MAX_FRAGMENT_BYTES).contains(&secret.value.len()) {
                for fragment in fragments(&secret.value) {
                    known.add(fragment, id, false);
                }
            }
        }
        let patterns = &known.patterns;
        for list in known.by_start.values_mut() {
            let len = |at: &u32| patterns.get(*at as usize).map_or(0, |it| it.text.len());
            list.sort_by_key(|at| std::cmp::Reverse(len(at)));
        }
        known
    }

    fn add(&mut self, text: Vec<u8>, secret: SecretId, is_word: bool) {
        let Some(start) = text.first_chunk::<START_BYTES>().copied() else { return };
        let pair = usize::from(u16::from_be_bytes([start[0], start[1]]));
        if let Some(word) = self.pairs.get_mut(pair / 64) {
            *word |= 1 << (pair % 64);
        }
        let index = u32::try_from(self.patterns.len()).unwrap_or(u32::MAX);
        self.by_start.entry(start).or_default().push(index);
        let is_numeric = values::is_numeric(&text);
        self.patterns.push(Pattern { text, secret, is_word, is_numeric });
    }

    /// Calls `each` with the ranges in which values occur.
    pub fn find(&self, text: &[u8], each: &mut impl FnMut(std::ops::Range<usize>, SecretId)) {
        if self.patterns.is_empty() {
            return;
        }
        let mut free = 0;
        for (at, window) in text.windows(START_BYTES).enumerate() {
            let Some(start) = window.first_chunk::<START_BYTES>() else { continue };
            let pair = usize::from(u16::from_be_bytes([start[0], start[1]]));
            let may_start =
                self.pairs.get(pair / 64).is_some_and(|word| word >> (pair % 64) & 1 == 1);
            if !may_start || at < free {
                continue;
            }
            let Some(list) = self.by_start.get(start) else { continue };
            let patterns = list.iter().filter_map(|index| self.patterns.get(*index as usize));
            if let Some(pattern) = patterns.into_iter().find(|it| it.is_at(text, at)) {
                free = at + pattern.text.len();
                each(at..free, pattern.secret);
            }
        }
    }
}

impl Pattern {
    fn is_at(&self, text: &[u8], at: usize) -> bool {
        let end = at + self.text.len();
        if bytes::of(text, at..end) != self.text || bytes::is_escaped(text, at) {
            return false;
        }
        let (before, after) = (bytes::before(text, at), bytes::at(text, end));
        if self.is_word && (bytes::is_name_byte(before) || bytes::is_name_byte(after)) {
            return false;
        }
        // A key of JSON names what a reader of the trace looks for.
        let is_key = self.is_word && before == b'"' && bytes::from(text, end).starts_with(b"\":");
        let is_number = self.is_numeric
            && (matches!(before, b':' | b',' | b'[' | b' ') || before.is_ascii_digit())
            && (matches!(after, b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | 0)
                || after.is_ascii_digit());
        !is_key && !is_number
    }
}
