//! Asking for more of a value, and for values as files.

use std::collections::HashMap;

use leptos::prelude::*;
use web_sys::Blob;

use crate::app::files;
use crate::app::notice::{report, say};
use crate::app::state::{AppState, Shared};
use crate::app::worker::send;
use crate::browser;
use traceloupe::view::wire::detail::ShownDetail;
use traceloupe::view::wire::protocol::{MadeFile, Problem, Request};
use traceloupe::view::wire::value::{Cut, Form, Shown};
use traceloupe::view::words;

/// Asks for more of a cut value; the answer comes under the ticket that is given back.
pub fn want_more(state: AppState, cut: &Cut, max_bytes: u32) -> u32 {
    let ticket = files::ticket();
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

/// Asks for a whole value as a file, which the browser keeps where it keeps downloads.
pub fn save_value(state: AppState, cut: &Cut) {
    let ticket = files::saved_ticket();
    say(state, &format!("Preparing {}", words::bytes(u64::from(cut.len))));
    send(&Request::File(cut.clone(), ticket));
}

/// Asks for an image; its address comes under the ticket that is given back.
pub fn want_image(state: AppState, cut: &Cut) -> u32 {
    let ticket = files::ticket();
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
    if files::take_saved(ticket) {
        files::saved(state, file, blob);
    } else if state.images.with_untracked(|known| known.contains_key(&ticket)) {
        let address = browser::address_of(blob);
        state.images.update(|known| {
            known.insert(ticket, address);
        });
    }
}

/// A download, an export or an image failed: says so.
pub(crate) fn failed(state: AppState, ticket: u32, problem: Problem) {
    files::take_saved(ticket);
    report(state, problem);
}

/// Another trace is opened, or none: answers for the old one are of no use.
pub(crate) fn forget_all(state: AppState) {
    state.more.set(std::collections::HashMap::new());
    files::forget();
    let tickets: Vec<u32> = state.images.with_untracked(|known| known.keys().copied().collect());
    tickets.into_iter().for_each(|ticket| forget_image(state, ticket));
}

/// So many opened rows are kept; what others show is read again when they come into sight.
const MAX_DETAILS: usize = 300;

/// Asks what an opened row shows, unless it is known.
pub fn want_detail(state: AppState, id: u32) {
    if state.details.with_untracked(|known| !known.contains_key(&id)) {
        send(&Request::Detail(id));
    }
}

/// Forgets what opened rows show, but for those that are drawn, when there are too many.
pub fn keep_details(state: AppState, drawn: &[u32]) {
    if state.details.with_untracked(HashMap::len) > MAX_DETAILS {
        state.details.update(|known| known.retain(|id, _| drawn.contains(id)));
    }
}

/// Takes what an opened row shows.
pub fn take_detail(state: AppState, detail: ShownDetail) {
    state.details.update(|known| {
        known.insert(detail.id, Shared::new(detail));
    });
}
