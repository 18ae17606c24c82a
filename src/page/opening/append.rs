//! Other windows that add to the trace they brought, as it is written.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use js_sys::Uint8Array;
use leptos::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::Blob;

use crate::app::state::{AppState, Phase};
use crate::app::worker;
use crate::opening::actions;
use crate::opening::live;
use crate::opening::openings;
use traceloupe::view::wire::protocol::Growth;

/// What is to be added.
enum Added {
    Bytes(Blob),
    End,
}

thread_local! {
    static ADDED: RefCell<VecDeque<Added>> = const { RefCell::new(VecDeque::new()) };
    /// The turn of the opening that grows by messages.
    static TURN: Cell<Option<u32>> = const { Cell::new(None) };
    static IS_ADDING: Cell<bool> = const { Cell::new(false) };
}

/// Adds to the open trace, and says that it has come to its end. The first time the trace is opened
/// once more, as one that grows. `false` if nothing is open that could grow.
pub fn append(state: AppState, piece: Option<Blob>, is_end: bool) -> bool {
    if TURN.get() != Some(openings::turn()) {
        let opening = openings::current().filter(|opening| opening.files.len() == 1);
        let is_ready = state.phase.get_untracked() == Phase::Ready;
        let Some(mut opening) = opening.filter(|_| is_ready) else { return false };
        opening.grows = Some(Growth { total_bytes: 0, is_live: true });
        actions::start(state, opening);
        TURN.set(Some(openings::turn()));
        ADDED.with_borrow_mut(VecDeque::clear);
    }
    ADDED.with_borrow_mut(|added| {
        added.extend(piece.map(Added::Bytes));
        added.extend(is_end.then_some(Added::End));
    });
    if !IS_ADDING.replace(true) {
        spawn_local(async move {
            add(state).await;
            IS_ADDING.set(false);
        });
    }
    true
}

/// Hands over what has come, in its order, until nothing is left.
async fn add(state: AppState) {
    while let Some(turn) = TURN.get()
        && live::begun(state).await
        && let Some(added) = ADDED.with_borrow_mut(VecDeque::pop_front)
    {
        match added {
            Added::Bytes(blob) => {
                let Ok(bytes) = JsFuture::from(blob.array_buffer()).await else { continue };
                if openings::turn() == turn {
                    worker::push(0, &Uint8Array::new(&bytes));
                }
            }
            Added::End => {
                TURN.set(None);
                live::push_end(0);
            }
        }
    }
}
