//! Replacements in a text.

use std::ops::Range;

use crate::bytes;
use crate::secrets::SecretId;

/// An encoding in which a text is written inside another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Encoding {
    /// Escapes with a backslash, as in a string of JSON.
    Escapes,
    /// Percent-encoding, as in a URL.
    Percent,
    /// Base64, in either alphabet.
    Base64,
    /// Hexadecimal digits.
    Hex,
}

/// What an edit replaces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Replaced {
    pub secret: SecretId,
    /// The encodings in which the value was found, from the file inwards.
    pub path: Vec<Encoding>,
}

/// One replacement in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Edit {
    /// The bytes that are replaced.
    pub range: Range<usize>,
    /// What stands there afterwards.
    pub text: Vec<u8>,
    /// What is replaced: several values if a whole encoded text is written again.
    pub replaced: Vec<Replaced>,
}

/// Sorts edits and makes them disjoint. Of two edits that overlap the longer one stays, and covers both.
pub(crate) fn merge(mut edits: Vec<Edit>) -> Vec<Edit> {
    // Of equal ranges, the first stays: the rules of a text come before what is encoded in it.
    edits.sort_by(|a, b| {
        a.range.start.cmp(&b.range.start).then_with(|| b.range.end.cmp(&a.range.end))
    });
    let mut merged: Vec<Edit> = Vec::with_capacity(edits.len());
    for edit in edits {
        match merged.last_mut().filter(|last| edit.range.start < last.range.end) {
            None => merged.push(edit),
            Some(last) => {
                let range = last.range.start..last.range.end.max(edit.range.end);
                if edit.range.len() > last.range.len() {
                    *last = edit;
                }
                last.range = range;
            }
        }
    }
    merged
}

/// The text with disjoint, sorted edits applied.
pub(crate) fn apply(text: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut end = 0;
    for edit in edits {
        out.extend_from_slice(bytes::of(text, end..edit.range.start));
        out.extend_from_slice(&edit.text);
        end = edit.range.end;
    }
    out.extend_from_slice(bytes::from(text, end));
    out
}
