//! Conversations that every request carries again: only what is new makes rows.

use rustc_hash::FxHashSet;

use crate::kit::What;

/// The messages that earlier requests had, by position and content.
#[derive(Default)]
pub(super) struct History {
    seen: FxHashSet<u64>,
    /// Whether a model has answered in this file. From then on its messages in requests are those answers.
    has_answers: bool,
}

impl History {
    /// A model has answered.
    pub(super) fn answered(&mut self) {
        self.has_answers = true;
    }

    /// Whether no earlier request had an item, and no answer was it.
    pub(super) fn is_new(&mut self, key: u64, what: What) -> bool {
        self.seen.insert(key) && !(self.has_answers && matches!(what, What::Model | What::Call))
    }
}
