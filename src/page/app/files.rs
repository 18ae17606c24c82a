//! Numbers that answers of the worker come under, and files that are saved as downloads.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;

use leptos::prelude::*;

use crate::app::notice::say;
use crate::app::state::AppState;
use crate::browser;
use traceloupe::view::wire::protocol::MadeFile;
use traceloupe::view::words;

thread_local! {
    static TICKETS: Cell<u32> = const { Cell::new(0) };
    /// Tickets of files that are to be saved.
    static SAVING: RefCell<HashSet<u32>> = RefCell::default();
}

/// A number that no other request of this page has.
pub fn ticket() -> u32 {
    let ticket = TICKETS.get().wrapping_add(1);
    TICKETS.set(ticket);
    ticket
}

/// A ticket of a file that is to be kept.
pub fn saved_ticket() -> u32 {
    let ticket = ticket();
    SAVING.with_borrow_mut(|saving| saving.insert(ticket));
    ticket
}

/// Whether a ticket is that of a file to save; it is no longer waited for after this.
pub fn take_saved(ticket: u32) -> bool {
    SAVING.with_borrow_mut(|saving| saving.remove(&ticket))
}

/// Waits for no file any more.
pub fn forget() {
    SAVING.with_borrow_mut(HashSet::clear);
}

/// A download has been made: says so, with what could not be taken along.
pub fn saved(state: AppState, file: &MadeFile, blob: &web_sys::Blob) {
    browser::save(blob, &file.name);
    let mut said = vec![format!("{} saved as {}", words::bytes(file.len), file.name)];
    said.extend(file.notes.iter().cloned());
    say(state, &said.join(". "));
    state.export_notes.set(said);
}
