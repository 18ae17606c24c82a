//! What is shown between a click and the first rows.
//!
//! Most files have their first rows within a blink. A frame that says "Loading" before that is seen by
//! nobody, and to draw it takes the time of the rows: so an empty page stays as it is for so long.

use std::cell::Cell;
use std::time::Duration;

use leptos::prelude::*;

use crate::app::state::{AppState, Loading, Phase};
use crate::opening::openings;

/// Well below what is felt as a delay.
const BLINK: Duration = Duration::from_millis(80);

thread_local! {
    /// Whether something is loading that the page does not show yet.
    static IS_UNSEEN: Cell<bool> = const { Cell::new(false) };
}

/// Something is loading from now on; where it may wait, it is shown in a blink.
pub(crate) fn enter(state: AppState, loading: Loading, may_wait: bool) {
    IS_UNSEEN.set(may_wait && !loading.is_live);
    state.title.update_untracked(|title| title.clone_from(&loading.what));
    go_on(state, loading);
    if !IS_UNSEEN.get() {
        state.title.notify();
        return;
    }
    let turn = openings::turn();
    set_timeout(
        move || {
            if openings::turn() == turn {
                show(state);
            }
        },
        BLINK,
    );
}

/// More has been read.
pub(crate) fn go_on(state: AppState, loading: Loading) {
    state.phase.update_untracked(|phase| *phase = Phase::Loading(loading));
    if !IS_UNSEEN.get() {
        state.phase.notify();
    }
}

/// Shows what there is to show of it.
pub(crate) fn show(state: AppState) {
    if IS_UNSEEN.take() {
        state.title.notify();
        state.phase.notify();
    }
}
