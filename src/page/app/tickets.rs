//! Tickets: numbers that match answers of the worker to requests.

use std::collections::HashSet;

use leptos::prelude::*;

/// The tickets of a trace: handles only.
#[derive(Clone, Copy, Default)]
pub struct Tickets {
    last: StoredValue<u32>,
    /// Tickets of files to save.
    saving: StoredValue<HashSet<u32>>,
}

impl Tickets {
    /// A ticket that no other request of this trace has.
    pub fn next(&self) -> u32 {
        self.last.update_value(|last| *last = last.wrapping_add(1));
        self.last.get_value()
    }

    /// A ticket for a file to save.
    pub fn next_saved(&self) -> u32 {
        let ticket = self.next();
        self.saving.update_value(|saving| {
            saving.insert(ticket);
        });
        ticket
    }

    /// Whether a ticket is that of a file to save. It is no longer awaited after this.
    pub fn take_saved(&self, ticket: u32) -> bool {
        self.saving.try_update_value(|saving| saving.remove(&ticket)).unwrap_or(false)
    }
}
