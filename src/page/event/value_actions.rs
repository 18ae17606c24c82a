//! Asking for more of a value, and for values as files.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;

use leptos::prelude::*;
use web_sys::Blob;

use crate::browser;
use crate::shell::actions::say;
use crate::shell::actions::send;
use crate::shell::state::{AppState, Shared};
use traceloupe::view::wire::protocol::{MadeFile, Problem, Request};
use traceloupe::view::wire::value::{Cut, Form, Shown};
use traceloupe::view::words;

thread_local! {
    static TICKETS: Cell<u32> = const { Cell::new(0) };
    /// Tickets of files that are to be kept.
    static SAVING: RefCell<HashSet<u32>> = RefCell::default();
}

pub(crate) fn ticket() -> u32 {
    let ticket = TICKETS.get().wrapping_add(1);
    TICKETS.set(ticket);
    ticket
}

/// Asks for more of a cut value; the answer comes under the ticket that is given back.
pub fn want_more(state: AppState, cut: &Cut, max_bytes: u32) -> u32 {
    let ticket = ticket();
    state.more.update_untracked(|known| {
        known.insert(ticket, None);
    });
    send(&Request::More(cut.clone(), max_bytes, ticket));
    ticket
}

/// The answer to [`want_more`], when it is there.
pub fn more_of(state: AppState, ticket: u32) -> Option<Shared<Shown>> {
    state.more.with(|known| known.get(&ticket).cloned().flatten())
}

/// Gives an answer up: nobody shows it any more.
pub fn forget_more(state: AppState, ticket: u32) {
    state.more.update_untracked(|known| {
        known.remove(&ticket);
    });
}

/// Takes an answer to [`want_more`], if it is still waited for.
pub(crate) fn take_more(state: AppState, ticket: u32, shown: Shown) {
    if state.more.with_untracked(|known| known.contains_key(&ticket)) {
        state.more.update(|known| {
            known.insert(ticket, Some(Shared::new(shown)));
        });
    }
}

/// A ticket of a file that is to be kept.
pub(crate) fn saved_ticket() -> u32 {
    let ticket = ticket();
    SAVING.with_borrow_mut(|saving| saving.insert(ticket));
    ticket
}

/// Asks for a whole value as a file, which the browser keeps where it keeps downloads.
pub fn save_value(state: AppState, cut: &Cut) {
    let ticket = saved_ticket();
    say(state, &format!("Preparing {}", words::bytes(u64::from(cut.len))));
    send(&Request::File(cut.clone(), ticket));
}

/// Asks for an image; its address comes under the ticket that is given back.
pub fn want_image(state: AppState, cut: &Cut) -> u32 {
    let ticket = ticket();
    state.images.update(|known| {
        known.insert(ticket, None);
    });
    send(&Request::File(Cut { form: Form::Image, ..cut.clone() }, ticket));
    ticket
}

/// The address of an image, when it is there.
pub fn image_of(state: AppState, ticket: u32) -> Option<String> {
    state.images.with(|known| known.get(&ticket).cloned().flatten())
}

/// Gives an image up: nobody shows it any more.
pub fn forget_image(state: AppState, ticket: u32) {
    let address = state.images.try_update_untracked(|known| known.remove(&ticket));
    if let Some(address) = address.flatten().flatten() {
        browser::give_up_address(&address);
    }
}

/// Takes a file that was asked for.
pub(crate) fn take_file(state: AppState, ticket: u32, file: &MadeFile, blob: &Blob) {
    if SAVING.with_borrow_mut(|saving| saving.remove(&ticket)) {
        crate::checks::check_actions::saved(state, file, blob);
    } else if state.images.with_untracked(|known| known.contains_key(&ticket)) {
        let address = browser::address_of(blob);
        state.images.update(|known| {
            known.insert(ticket, address);
        });
    }
}

/// A check, a download, an export or an image failed: says so.
pub(crate) fn failed(state: AppState, ticket: u32, problem: Problem) {
    SAVING.with_borrow_mut(|saving| saving.remove(&ticket));
    if !crate::checks::check_actions::check_failed(state, ticket, &problem) {
        crate::shell::actions::report(state, problem);
    }
}

/// Another trace is opened, or none: answers for the old one are of no use.
pub(crate) fn forget_all(state: AppState) {
    state.more.set(std::collections::HashMap::new());
    SAVING.with_borrow_mut(HashSet::clear);
    let tickets: Vec<u32> = state.images.with_untracked(|known| known.keys().copied().collect());
    tickets.into_iter().for_each(|ticket| forget_image(state, ticket));
}
