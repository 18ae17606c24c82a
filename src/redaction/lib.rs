//! Redaction: finds secrets and personal data in the bytes of a trace, and replaces them by placeholders.
//!
//! The bytes are read as text, whatever their format. A text is searched as written, and then as what its escapes,
//! its percent-encoding, its base64 and its hexadecimal digits stand for, up to five encodings deep. What is found in a
//! decoded text is replaced where it is encoded, so all other bytes stay as they are, and JSON stays JSON.
//!
//! | Module | Contents |
//! | --- | --- |
//! | `redactor` | the two passes over the files of a trace, and the check of the result |
//! | `layers` | one text with everything that is encoded in it |
//! | `encodings` | the texts that are encoded in a text, and the way back |
//! | `edits` | replacements in a text, merged and applied |
//! | `secrets`, `known` | the values that were found, their placeholders, and where they occur again |
//! | `tokens` | tokens of vendors, by their published formats |
//! | `assigned`, `key_names`, `values` | values that a key names as secret |
//! | `private_keys`, `addresses`, `people` | keys in PEM, credentials in URLs and headers, e-mail addresses, home folders |
//!
//! **Invariant.** Any bytes are valid input. Time and memory are linear in the input. The placeholder of a value is
//! found by no rule.

mod addresses;
mod assigned;
mod bytes;
mod edits;
mod encodings;
mod finding;
mod key_names;
mod known;
mod layers;
mod people;
mod private_keys;
mod redactor;
mod secrets;
mod tokens;
mod values;

pub use edits::Encoding;
pub use finding::Kind;
pub use redactor::{Hit, Options, Redacted, Redactor, Refusal};
pub use secrets::SecretId;

#[cfg(test)]
mod tests;
