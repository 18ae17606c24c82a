//! What travels between the page and the redactor: one request, with the files, and one response, with what they became.

use serde::{Deserialize, Serialize};

pub use traceloupe_redaction::Kind;

/// The kinds that stay unless the user says otherwise: without images, a trace shows something else.
pub const KEPT_AT_FIRST: [Kind; 1] = [Kind::Image];

/// A request to redact files, which come with it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct RedactionRequest {
    /// The names of the files, which are redacted too.
    pub names: Vec<String>,
    /// The kinds that stay.
    pub kept_kinds: Vec<Kind>,
    /// The values that stay, by the numbers of an earlier response for the same files.
    pub kept: Vec<u32>,
}

/// The answer of the redactor.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum RedactionResponse {
    /// The redacted files come with it.
    Redacted {
        /// The redacted names.
        names: Vec<String>,
        /// What was found, including what stays. At most [`MAX_LISTED`] of them.
        hits: Vec<RedactionHit>,
        /// How many of each kind were found.
        counts: Vec<(Kind, u32)>,
    },
    /// There is no file.
    Refused(RedactionFault),
}

/// As many hits are listed.
pub const MAX_LISTED: usize = 2_000;

/// Why a file was not redacted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum RedactionFault {
    /// Something is still found in the result.
    StillFound,
    /// The result would be broken JSON.
    Broken,
    /// The file is packed or no text, so that nothing can be found in it.
    NotText,
    /// The redactor has not been loaded.
    NotLoaded,
    /// The redactor failed, or the file could not be read.
    Failed,
}

/// One place where something was found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RedactionHit {
    /// The number of the value: the same for all its places.
    pub secret: u32,
    /// Its kind.
    pub kind: Kind,
    /// What replaces it.
    pub placeholder: String,
    /// The file, by its place in the request.
    pub file: u32,
    /// The first byte.
    pub offset: u64,
    /// The line, from 1.
    pub line: u32,
    /// The text before it.
    pub before: String,
    /// What is replaced, shortened.
    pub value: String,
    /// The text after it.
    pub after: String,
}
