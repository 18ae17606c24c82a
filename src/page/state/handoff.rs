//! The state of the review of a file that is saved.

use leptos::prelude::*;
use web_sys::Blob;

use crate::reactive::RwSignal;
use traceloupe_core::number_set::NumberSet;
use traceloupe_protocol::redaction::{Kind, RedactionHit};

/// Files that may leave.
pub enum Passed {
    /// As they are.
    Unchanged,
    /// With other contents, and other names and texts, in the order in which they were given.
    Redacted(Vec<Blob>, Vec<String>),
}

impl Passed {
    /// The files and texts to use instead of these.
    pub fn or(self, files: Vec<Blob>, names: Vec<String>) -> (Vec<Blob>, Vec<String>) {
        match self {
            Self::Unchanged => (files, names),
            Self::Redacted(files, names) => (files, names),
        }
    }
}

/// Files before they leave, and what can be redacted in them.
pub struct Reviewed {
    /// The files.
    pub files: Vec<Blob>,
    /// Their names, the first of them as the title of all, and further texts that leave with them.
    pub names: Vec<String>,
    /// What is done with the result of the review.
    pub then: Box<dyn FnOnce(Passed)>,
    /// What was found. Not all of it is listed.
    pub hits: Vec<RedactionHit>,
    /// How many of each kind were found.
    pub counts: Vec<(Kind, u32)>,
}

/// The review.
#[derive(Clone, Copy)]
pub struct HandoffState {
    /// The file, while its review is open. A Blob belongs to one thread.
    pub reviewed: StoredValue<Option<Reviewed>, LocalStorage>,
    /// The kinds that stay.
    pub kept_kinds: RwSignal<Vec<Kind>>,
    /// The values that stay.
    pub kept: RwSignal<NumberSet>,
}

impl HandoffState {
    /// Without a file.
    pub fn new() -> Self {
        Self {
            reviewed: StoredValue::new_local(None),
            kept_kinds: RwSignal::new(Vec::new()),
            kept: RwSignal::default(),
        }
    }
}
