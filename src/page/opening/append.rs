//! Other windows that append to a trace that they have sent, while it is being written.

use std::collections::VecDeque;

use js_sys::Uint8Array;
use leptos::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::Blob;

use crate::app::App;
use crate::app::trace::{Phase, Trace};
use crate::opening::actions;
use crate::opening::live;
use crate::state::opening::Added;
use traceloupe_protocol::messages::Growth;

/// Appends bytes to the open trace, or ends it. The first addition opens the trace again, as a growing one. Returns
/// `false` unless exactly one file is open.
pub fn append(app: App, piece: Option<Blob>, is_end: bool) -> bool {
    let mut trace = app.trace_untracked();
    if !trace.opening.is_added_to.get_value() {
        let opening = trace.opening.whole().filter(|opening| opening.files.len() == 1);
        let is_ready = trace.phase.get_untracked() == Phase::Ready;
        let Some(mut opening) = opening.filter(|_| is_ready) else { return false };
        opening.grows = Some(Growth { total_bytes: 0, is_live: true });
        trace = actions::start(app, opening);
        trace.opening.is_added_to.set_value(true);
    }
    trace.opening.added.update_value(|added| {
        added.extend(piece.map(Added::Bytes));
        added.extend(is_end.then_some(Added::End));
    });
    if !trace.opening.is_adding.get_value() {
        trace.opening.is_adding.set_value(true);
        spawn_local(async move {
            hand_over(trace).await;
            if trace.is_open() {
                trace.opening.is_adding.set_value(false);
            }
        });
    }
    true
}

/// Passes the additions to the worker in order, until none are left.
async fn hand_over(trace: Trace) {
    while live::begun(trace).await
        && trace.opening.is_added_to.get_value()
        && let Some(added) = trace.opening.added.try_update_value(VecDeque::pop_front).flatten()
    {
        match added {
            Added::Bytes(blob) => {
                let Ok(bytes) = JsFuture::from(blob.array_buffer()).await else { continue };
                trace.push(0, &Uint8Array::new(&bytes));
            }
            Added::End => {
                trace.opening.is_added_to.set_value(false);
                live::push_end(trace, 0);
            }
        }
    }
}
