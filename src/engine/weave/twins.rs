//! Words that a producer writes twice, in records of two kinds: one row for both.

use std::collections::VecDeque;

use crate::kit::{Item, Part, What, word_of};
use traceloupe_core::model::{EventId, EventKind};

/// How many items back the same words are looked for.
const MAX_BACK: usize = 48;

/// The last items with words.
#[derive(Default)]
pub(super) struct Twins(VecDeque<Twin>);

struct Twin {
    what: What,
    is_again: bool,
    words: u64,
    event: EventId,
}

impl Twins {
    /// The event that has the words of an item already. One of the two must be marked as a repetition:
    /// a person who writes the same twice wrote two messages.
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
        // Each is the twin of one other only.
        self.0.retain(|twin| twin.event != event || !words.contains(&twin.words));
        Some(event)
    }

    /// Remembers the words of an item.
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

/// Whether the words of an item may be those of another one.
pub(super) fn has_words(item: &Item<'_>) -> bool {
    match item.what() {
        What::User | What::System | What::Model | What::Event(EventKind::Agent) => {
            item.parts.iter().any(|part| matches!(part, Part::Text(_) | Part::Thinking(_)))
        }
        What::Call => true,
        _ => false,
    }
}

/// What the words of an item are compared by. Nothing if they are not compared.
pub(super) fn words_of(item: &Item<'_>) -> Vec<u64> {
    match has_words(item) {
        true => item.parts.iter().filter_map(word_of).collect(),
        false => Vec::new(),
    }
}
