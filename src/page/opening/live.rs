//! Files that grow while they are open: what comes of them goes to the worker as it comes.

use std::cell::RefCell;

use web_sys::Blob;

use gloo_timers::future::TimeoutFuture;
use leptos::prelude::*;

use crate::app::state::{AppState, Phase};
use crate::app::worker::send;
use crate::opening::boot::Source;
use crate::opening::openings;
use traceloupe::view::wire::protocol::Request;

/// So much may wait for the reader; what brings the bytes waits for it.
const MAX_AHEAD_BYTES: u64 = 32 << 20;

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
pub(crate) fn give_up() {
    READ.take().iter().for_each(Source::cancel);
}

/// Waits until the reader of what was just opened has begun. Whether it has.
pub async fn begun(state: AppState) -> bool {
    let turn = openings::turn();
    while !state.is_reading.get_untracked() {
        // It begins in the next turn, if it begins at all.
        if openings::turn() != turn || matches!(state.phase.get_untracked(), Phase::Failed(_)) {
            return false;
        }
        TimeoutFuture::new(0).await;
    }
    true
}

/// Waits until the reader has come near to what was handed to it.
pub async fn keep_pace(state: AppState, pushed_bytes: u64) {
    let turn = openings::turn();
    while let Phase::Loading(loading) = state.phase.get_untracked()
        && pushed_bytes.saturating_sub(loading.bytes) > MAX_AHEAD_BYTES
        && openings::turn() == turn
    {
        TimeoutFuture::new(20).await;
    }
}

/// No more of a file will come.
pub fn push_end(index: u32) {
    send(&Request::End(index));
}

/// All bytes of a file are here, and can be opened again.
pub(crate) fn grown(index: u32, blob: &Blob) {
    if let Some(opening) = openings::grown(index, blob) {
        openings::remember(&opening);
    }
}
