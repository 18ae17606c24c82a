//! Fingerprints and plain strings of JSON values.

use std::borrow::Cow;
use std::hash::Hasher as _;

use rustc_hash::FxHasher;

/// A fingerprint of a JSON value; never 0.
#[must_use]
pub fn fingerprint(raw: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(raw.as_bytes());
    hasher.finish().max(1)
}

/// The text of a JSON string with its quotes; what is no string is given back as it is.
#[must_use]
pub fn decode_string(raw: &str) -> Cow<'_, str> {
    match raw.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(inner) if !inner.contains('\\') => Cow::Borrowed(inner),
        Some(_) => serde_json::from_str(raw).map_or(Cow::Borrowed(raw), Cow::Owned),
        None => Cow::Borrowed(raw),
    }
}
