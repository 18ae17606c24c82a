//! Files that grow while they are open: what comes of them goes to the worker as it comes.

use std::cell::RefCell;

use js_sys::Uint8Array;
use web_sys::Blob;

use super::{WORKER, send};
use crate::session::protocol::Request;
use crate::ui::boot::Source;
use crate::ui::openings;

thread_local! {
    /// The addresses whose answers are being read.
    static READ: RefCell<Vec<Source>> = const { RefCell::new(Vec::new()) };
}

/// Says which addresses are being read, so that they can be given up.
pub fn reads(sources: Vec<Source>) {
    READ.set(sources);
}

/// Whether they were given up by the person.
pub fn is_given_up() -> bool {
    READ.with_borrow(Vec::is_empty)
}

/// Gives up what is still being read from addresses.
pub(super) fn give_up() {
    READ.take().iter().for_each(Source::cancel);
}

/// The next bytes of a file are here.
pub fn push(index: u32, piece: &Uint8Array) {
    WORKER.with_borrow(|worker| {
        if let Some(worker) = worker {
            worker.push(index, piece);
        }
    });
}

/// No more of a file will come.
pub fn push_end(index: u32) {
    send(&Request::End(index));
}

/// All bytes of a file are here, and can be opened again.
pub(super) fn grown(index: u32, blob: &Blob) {
    if let Some(opening) = openings::grown(index, blob) {
        openings::remember(&opening);
    }
}
