//! JSON as it is really found: a tolerant tokenizer, repairs that keep every byte in its place, and
//! fingerprints. Knows nobody; nothing in here recurses over the data.

mod fingerprint;

pub use fingerprint::{decode_string, fingerprint};
