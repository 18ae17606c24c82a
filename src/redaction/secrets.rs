//! The values that were found, each once, and their placeholders.

use rustc_hash::FxHashMap;

use crate::bytes;
use crate::finding::{Found, Kind, Spread};

/// A value that was found, wherever it occurs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct SecretId(pub u32);

/// What is known of a value.
#[derive(Debug)]
pub(crate) struct Secret {
    pub value: Vec<u8>,
    pub kind: Kind,
    pub label: &'static str,
    pub spread: Spread,
    /// `[redacted:github-token#1]`.
    pub placeholder: String,
}

/// All values, in the order in which they were found.
#[derive(Default, Debug)]
pub(crate) struct Secrets {
    list: Vec<Secret>,
    by_value: FxHashMap<Vec<u8>, SecretId>,
    /// How many placeholders have each label.
    counts: FxHashMap<&'static str, u32>,
}

impl Secrets {
    /// The id of a value. The first rule that finds a value names it.
    pub fn id_of(&mut self, value: &[u8], found: &Found) -> SecretId {
        if let Some(id) = self.by_value.get(value) {
            return *id;
        }
        let count = self.counts.entry(found.label).or_default();
        *count += 1;
        let id = SecretId(u32::try_from(self.list.len()).unwrap_or(u32::MAX));
        self.list.push(Secret {
            value: value.to_vec(),
            kind: found.kind,
            label: found.label,
            spread: found.spread,
            placeholder: format!("[redacted:{}#{count}]", found.label),
        });
        self.by_value.insert(value.to_vec(), id);
        id
    }

    pub fn get(&self, id: SecretId) -> Option<&Secret> {
        self.list.get(usize::try_from(id.0).ok()?)
    }

    pub fn iter(&self) -> impl Iterator<Item = (SecretId, &Secret)> {
        (0..).map(SecretId).zip(&self.list)
    }
}

/// What every placeholder begins with.
const PLACEHOLDER_START: &[u8] = b"[redacted:";
/// The longest placeholder, in bytes.
const MAX_PLACEHOLDER_BYTES: usize = 64;

/// The end of the placeholder that begins at an offset.
pub(crate) fn placeholder_end(text: &[u8], start: usize) -> Option<usize> {
    let rest = bytes::from(text, start);
    let name = rest.strip_prefix(PLACEHOLDER_START)?;
    let len = name.iter().take(MAX_PLACEHOLDER_BYTES).position(|byte| *byte == b']')?;
    let (label, number) = {
        let hash = name.get(..len)?.iter().position(|byte| *byte == b'#')?;
        (name.get(..hash)?, name.get(hash + 1..len)?)
    };
    let is_label = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-';
    let is_whole = label.iter().all(is_label) && number.iter().all(u8::is_ascii_digit);
    (is_whole && !label.is_empty() && !number.is_empty())
        .then_some(start + PLACEHOLDER_START.len() + len + 1)
}

/// Whether nothing is left of a text but placeholders, and the punctuation and scheme names around them.
pub(crate) fn is_placeholder(text: &[u8]) -> bool {
    let mut at = 0;
    let mut has_any = false;
    let mut letters = 0;
    while at < text.len() {
        if let Some(end) = placeholder_end(text, at) {
            has_any = true;
            at = end;
        } else {
            letters += usize::from(bytes::at(text, at).is_ascii_alphanumeric());
            at += 1;
        }
    }
    // `Bearer [redacted:…]`: the name of a scheme remains.
    const SCHEME_LETTERS: usize = 8;
    has_any && letters <= SCHEME_LETTERS
}
