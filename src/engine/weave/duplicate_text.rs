//! Texts that a producer writes twice, in records of two kinds: both become one row.

use std::collections::VecDeque;

use crate::kit::{Item, Part, What, word_of};
use traceloupe_core::model::{EventId, EventKind};

/// How many items back the same text is looked for.
const MAX_BACK: usize = 48;

/// The last items with text.
#[derive(Default)]
pub(super) struct Twins(VecDeque<Twin>);

struct Twin {
    what: What,
    is_again: bool,
    words: u64,
    event: EventId,
}

impl Twins {
    /// The event that already has the text of an item. One of the two must be marked as a repetition, because a user
    /// who writes the same text twice wrote two messages.
    pub(super) fn find(&mut self, item: &Item<'_>, words: &[u64]) -> Option<EventId> {
        if words.is_empty() {
            return None;
        }
        let at = self.0.iter().rposition(|twin| {
            twin.what == item.what()
                && twin.is_again != item.repeats.is_again
                && words.contains(&twin.words)
        })?;
        let event = self.0.get(at)?.event;
        // Each is the twin of only one other.
        self.0.retain(|twin| twin.event != event || !words.contains(&twin.words));
        Some(event)
    }

    /// Stores the text of an item.
    pub(super) fn remember(&mut self, item: &Item<'_>, words: &[u64], event: EventId) {
        for words in words.iter().copied() {
            let twin = Twin { what: item.what(), is_again: item.repeats.is_again, words, event };
            self.0.push_back(twin);
        }
        while self.0.len() > MAX_BACK {
            self.0.pop_front();
        }
    }
}

/// Whether the text of an item may repeat that of another one.
pub(super) fn has_words(item: &Item<'_>) -> bool {
    match item.what() {
        What::User | What::System | What::Model | What::Event(EventKind::Agent) => {
            item.parts.iter().any(|part| matches!(part, Part::Text(_) | Part::Thinking(_)))
        }
        What::Call => true,
        _ => false,
    }
}

/// The keys by which the texts of an item are compared. Empty if they are not compared.
pub(super) fn words_of(item: &Item<'_>) -> Vec<u64> {
    match has_words(item) {
        true => item.parts.iter().filter_map(word_of).collect(),
        false => Vec::new(),
    }
}
