//! Requests for the contents of rows: details, further parts of values, and values as files.

use crate::reactive::{Memo, effect, memo};
use std::collections::HashMap;

use leptos::prelude::*;
use web_sys::Blob;

use crate::app::files;
use crate::app::notice::{link_to, report, say};
use crate::app::trace::Trace;
use crate::browser;
use crate::shared::Shared;
use traceloupe_protocol::detail::ShownDetail;
use traceloupe_protocol::messages::{MadeFile, Problem, Request};
use traceloupe_protocol::value::{Cut, CutForm, Shown};
use traceloupe_words::page::event as text;

/// Requests more of a shortened value. Returns the ticket of the response.
pub fn want_more(trace: Trace, cut: &Cut, max_bytes: u32) -> u32 {
    ask(trace, |ticket| Request::More(cut.clone(), max_bytes, ticket))
}

/// Requests the decoded content of a string. Returns the ticket of the response, which arrives like that of
/// [`want_more`].
pub fn want_decoded(trace: Trace, string: &str) -> u32 {
    ask(trace, |ticket| Request::Decode(string.to_owned(), ticket))
}

/// Sends a request whose response is a value. Returns the ticket of the response.
fn ask(trace: Trace, request: impl FnOnce(u32) -> Request) -> u32 {
    let ticket = trace.tickets.next();
    trace.contents.more.try_update_untracked(|known| {
        known.insert(ticket, None);
    });
    trace.send(&request(ticket));
    ticket
}

/// The response to [`want_more`], once it has arrived.
pub fn more_of(trace: Trace, ticket: u32) -> Option<Shared<Shown>> {
    trace.contents.more.with(|known| known.get(&ticket).cloned().flatten())
}

/// Drops a response that is no longer shown.
pub fn forget_more(trace: Trace, ticket: u32) {
    // The trace may be gone before the view that sent the request.
    let _ = trace.contents.more.try_update_untracked(|known| known.remove(&ticket));
}

/// Takes a response to [`want_more`], if it is still needed.
pub(crate) fn take_more(trace: Trace, ticket: u32, shown: Shown) {
    if trace.contents.more.with_untracked(|known| known.contains_key(&ticket)) {
        trace.contents.more.update(|known| {
            known.insert(ticket, Some(Shared::new(shown)));
        });
    }
}

/// Requests a whole value as a download.
pub fn save_value(trace: Trace, cut: &Cut) {
    let ticket = trace.tickets.next_saved();
    say(trace.page, &text::preparing(u64::from(cut.len)));
    trace.send(&Request::File(cut.clone(), ticket));
}

/// Requests media. Returns the ticket of the response.
pub fn want_media(trace: Trace, cut: &Cut) -> u32 {
    let ticket = trace.tickets.next();
    trace.contents.media.update(|known| {
        known.insert(ticket, None);
    });
    trace.send(&Request::File(Cut { form: CutForm::Media, ..cut.clone() }, ticket));
    ticket
}

/// The URL of media, once they have arrived.
pub fn media_of(trace: Trace, ticket: u32) -> Option<String> {
    trace.contents.media.with(|known| known.get(&ticket).cloned().flatten())
}

/// Drops media that are no longer shown, and revokes their URL.
pub fn forget_media(trace: Trace, ticket: u32) {
    let address = trace.contents.media.try_update_untracked(|known| known.remove(&ticket));
    if let Some(address) = address.flatten().flatten() {
        browser::give_up_address(&address);
    }
}

/// Takes a requested file.
pub(crate) fn take_file(trace: Trace, ticket: u32, file: &MadeFile, blob: &Blob) {
    if trace.tickets.take_saved(ticket) {
        files::saved(trace, file, blob);
    } else if trace.contents.media.with_untracked(|known| known.contains_key(&ticket)) {
        let address = browser::address_of(blob);
        trace.contents.media.update(|known| {
            known.insert(ticket, address);
        });
    }
}

/// Reports that a download, an export or media failed.
pub(crate) fn failed(trace: Trace, ticket: u32, problem: Problem) {
    trace.tickets.take_saved(ticket);
    report(trace, problem);
}

/// How many rows have their contents kept. Other contents are requested again when their row comes into view.
const MAX_DETAILS: usize = 300;

/// Requests the content of an opened row, unless it is available.
pub fn want_detail(trace: Trace, id: u32) {
    if trace.contents.details.with_untracked(|known| !known.contains_key(&id)) {
        trace.send(&Request::Detail(id));
    }
}

/// The content of an event, requested now, and again if it has been dropped.
pub fn detail_of(trace: Trace, id: u32) -> Memo<Option<Shared<ShownDetail>>> {
    let detail = memo(move || trace.contents.details.with(|known| known.get(&id).cloned()));
    effect(move || {
        if detail.with(Option::is_none) {
            want_detail(trace, id);
        }
    });
    detail
}

/// Copies a link to an event once its content has arrived, because the content contains the link.
pub fn copy_link(trace: Trace, id: u32) {
    let sel = trace.contents.details.with_untracked(|known| Some(known.get(&id)?.sel.clone()));
    match sel {
        Some(sel) => link_to(trace.page, &sel),
        None => {
            trace.contents.wants_link.set_value(Some(id));
            trace.send(&Request::Detail(id));
        }
    }
}

/// Copies the requested link, if this is its event.
pub(crate) fn link_arrived(trace: Trace, detail: &ShownDetail) {
    if trace.contents.wants_link.get_value() == Some(detail.id) {
        trace.contents.wants_link.set_value(None);
        link_to(trace.page, &detail.sel);
    }
}

/// If there are too many contents, drops all except those of the drawn rows.
pub fn keep_details(trace: Trace, drawn: &[u32]) {
    if trace.contents.details.with_untracked(HashMap::len) > MAX_DETAILS {
        trace.contents.details.update(|known| known.retain(|id, _| drawn.contains(id)));
    }
}

/// Sets whether arriving contents are held back to be shown together, because each change of the contents affects all
/// drawn rows. Shows the held contents.
pub fn hold_details(trace: Trace, are_held: bool) {
    trace.contents.are_held.set_value(are_held);
    show_arrived(trace);
}

/// Shows the contents that have arrived.
pub fn show_arrived(trace: Trace) {
    let arrived = trace.contents.arrived.try_update_value(std::mem::take).unwrap_or_default();
    if !arrived.is_empty() {
        let arrived = arrived.into_iter().map(|detail| (detail.id, Shared::new(detail)));
        trace.contents.details.update(|known| known.extend(arrived));
    }
}

/// Takes the content of an opened row.
pub fn take_detail(trace: Trace, detail: ShownDetail) {
    trace.contents.arrived.update_value(|arrived| arrived.push(detail));
    if !trace.contents.are_held.get_value() {
        show_arrived(trace);
    }
}
