//! One-line summaries: asked for as rows come into sight, one request at a time, so that fast
//! scrolling leaves no queue behind.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use leptos::prelude::*;

use crate::app::state::AppState;
use crate::app::worker::send;
use traceloupe::view::wire::protocol::Request;

/// So many are asked for at once: what is in sight does not wait for what is not.
const MAX_ASKED: usize = 64;

/// So many summaries are kept; those of rows long out of sight are asked for again.
const MAX_KEPT: usize = 20_000;

#[derive(Default)]
struct Asking {
    /// The events whose rows are near, those in sight first.
    wanted: Vec<u32>,
    /// Those that were asked for since everything was last read anew.
    asked: HashSet<u32>,
    /// Whether an answer is on its way.
    is_waiting: bool,
}

thread_local! {
    static ASKING: RefCell<Asking> = RefCell::default();
}

/// Asks for the summaries of events that have none yet.
pub fn want_previews(ids: Vec<u32>) {
    ASKING.with_borrow_mut(|asking| {
        asking.wanted = ids;
        ask(asking);
    });
}

fn ask(asking: &mut Asking) {
    if asking.is_waiting {
        return;
    }
    let unknown = asking.wanted.iter().copied().filter(|id| !asking.asked.contains(id));
    let unknown: Vec<u32> = unknown.take(MAX_ASKED).collect();
    if unknown.is_empty() {
        return;
    }
    asking.asked.extend(&unknown);
    asking.is_waiting = true;
    send(&Request::Previews(unknown));
}

/// An answer is here. Those of the first rows come unasked.
pub(crate) fn answered(state: AppState, previews: Vec<(u32, String)>) {
    ASKING.with_borrow_mut(|asking| asking.asked.extend(previews.iter().map(|(id, _)| *id)));
    state.previews.update(|known| known.extend(previews));
    ASKING.with_borrow_mut(|asking| {
        if asking.asked.len() > MAX_KEPT {
            asking.asked = asking.wanted.iter().copied().collect();
            state.previews.update(|known| known.retain(|id, _| asking.asked.contains(id)));
        }
        asking.is_waiting = false;
        ask(asking);
    });
}

/// Everything is asked for again; what is known stays until the answer is here.
pub(crate) fn ask_again() {
    ASKING.with_borrow_mut(|asking| asking.asked.clear());
}

/// Nothing is known and nothing asked.
pub(crate) fn forget(state: AppState) {
    ASKING.set(Asking::default());
    state.previews.set(HashMap::new());
}
