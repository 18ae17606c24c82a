//! Conversations that every request repeats: only new messages get rows.

use rustc_hash::FxHashSet;

use crate::kit::What;

/// The messages of earlier requests, by position and content.
#[derive(Default)]
pub(super) struct History {
    seen: FxHashSet<u64>,
    /// Whether a model has answered in this file. From then on, its messages in requests repeat those answers.
    has_answers: bool,
}

impl History {
    /// Records that a model has answered.
    pub(super) fn answered(&mut self) {
        self.has_answers = true;
    }

    /// Whether an item was in no earlier request, and is not one of the answers.
    pub(super) fn is_new(&mut self, key: u64, what: What) -> bool {
        self.seen.insert(key) && !(self.has_answers && matches!(what, What::Model | What::Call))
    }
}
