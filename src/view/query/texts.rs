//! Texts that are searched for in the summaries of rows. The worker has the summaries and returns the events whose
//! summaries contain a text.

use super::{Key, RowFilter, Test};
use traceloupe_core::case::lowercase;
use traceloupe_protocol::matches::{MatchBatch, Needle};

/// A set of numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bits(Vec<u64>);

impl Bits {
    /// Adds a number.
    pub fn add(&mut self, at: u32) {
        let word = at as usize / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        if let Some(word) = self.0.get_mut(word) {
            *word |= 1 << (at % 64);
        }
    }

    /// Whether a number is in the set.
    #[must_use]
    pub fn has(&self, at: u32) -> bool {
        self.0.get(at as usize / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    /// How many numbers the set has.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }
}

/// Which events contain which texts in their summaries.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Texts {
    /// The texts, each with the ids of the events that contain it.
    found: Vec<(Needle, Bits)>,
    /// How many events have been searched, and how many there are.
    pub looked_at: (u32, u32),
    /// Whether all events have been searched.
    pub done: bool,
}

impl Texts {
    /// No results yet for these texts.
    #[must_use]
    pub fn of(needles: &[Needle]) -> Self {
        let found = needles.iter().map(|needle| (needle.clone(), Bits::default())).collect();
        Self { found, looked_at: (0, 0), done: needles.is_empty() }
    }

    /// The texts that are searched for.
    pub fn needles(&self) -> impl Iterator<Item = &Needle> {
        self.found.iter().map(|(needle, _)| needle)
    }

    /// Adds results from the worker.
    pub fn add(&mut self, batch: &MatchBatch) {
        for ((_, bits), ids) in self.found.iter_mut().zip(&batch.ids) {
            ids.as_slice().iter().for_each(|id| bits.add(*id));
        }
        self.looked_at = (batch.looked_at, batch.n_events);
        self.done = batch.done;
    }

    /// The ids of the events that contain a text.
    #[must_use]
    pub fn with(&self, needle: &Needle) -> Option<&Bits> {
        self.found.iter().find(|(known, _)| known == needle).map(|(_, bits)| bits)
    }
}

/// The pattern that a text is searched for as.
pub(super) fn needle(text: &str, is_path: bool) -> Needle {
    Needle { text: lowercase(text), is_path }
}

/// The texts of a filter that have to be searched for in summaries.
#[must_use]
pub fn needles(query: &RowFilter) -> Vec<Needle> {
    let mut needles: Vec<Needle> = Vec::new();
    for term in query.terms() {
        let found: Vec<Needle> = match &term.test {
            Test::Text(text) => vec![needle(text, false)],
            Test::Words(key @ (Key::Text | Key::File), texts) => {
                texts.iter().map(|text| needle(text, *key == Key::File)).collect()
            }
            _ => Vec::new(),
        };
        for needle in found {
            if !needles.contains(&needle) {
                needles.push(needle);
            }
        }
    }
    needles
}
