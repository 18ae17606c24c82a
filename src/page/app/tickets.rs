//! Tickets: numbers that match the worker's responses to requests.

use std::collections::HashSet;

use leptos::prelude::*;

/// The tickets of a trace, which consist of handles only.
#[derive(Clone, Copy, Default)]
pub struct Tickets {
    last: StoredValue<u32>,
    /// Tickets of files to save.
    saving: StoredValue<HashSet<u32>>,
}

impl Tickets {
    /// A ticket that differs from those of all other requests of this trace.
    pub fn next(&self) -> u32 {
        self.last.update_value(|last| *last = last.wrapping_add(1));
        self.last.get_value()
    }

    /// A ticket for a file that will be saved.
    pub fn next_saved(&self) -> u32 {
        let ticket = self.next();
        self.saving.update_value(|saving| {
            saving.insert(ticket);
        });
        ticket
    }

    /// Whether a ticket belongs to a file that will be saved. The ticket is removed.
    pub fn take_saved(&self, ticket: u32) -> bool {
        self.saving.try_update_value(|saving| saving.remove(&ticket)).unwrap_or(false)
    }
}
