//! The state of the review of a file that is saved.

use std::collections::BTreeSet;

use leptos::prelude::*;
use web_sys::Blob;

use crate::reactive::RwSignal;
use traceloupe_protocol::redaction::{Kind, RedactionHit};

/// A file before it is saved, and what can be redacted in it.
#[derive(Clone, Debug)]
pub struct Reviewed {
    /// The file.
    pub blob: Blob,
    /// Its name.
    pub name: String,
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
    pub kept: RwSignal<BTreeSet<u32>>,
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
