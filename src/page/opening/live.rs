//! Files that grow while they are open: their bytes go to the worker as they arrive.

use gloo_timers::future::TimeoutFuture;
use web_sys::Blob;

use crate::app::trace::{Phase, Trace};
use crate::opening::history;
use traceloupe_protocol::messages::Request;

/// So much may wait for the worker before the source is made to wait.
const MAX_AHEAD_BYTES: u64 = 32 << 20;

/// Waits until the worker of a trace that was just opened has begun. Returns whether it has.
pub async fn begun(trace: Trace) -> bool {
    loop {
        if !trace.is_open() {
            return false;
        }
        if trace.is_reading.get_untracked() {
            return true;
        }
        if matches!(trace.phase.get_untracked(), Phase::Failed(_)) {
            return false;
        }
        TimeoutFuture::new(0).await;
    }
}

/// Waits until the worker has read nearly all that was handed to it.
pub async fn keep_pace(trace: Trace, pushed_bytes: u64) {
    while trace.is_open()
        && let Phase::Loading(loading) = trace.phase.get_untracked()
        && pushed_bytes.saturating_sub(loading.bytes) > MAX_AHEAD_BYTES
    {
        TimeoutFuture::new(20).await;
    }
}

/// Says that no more of a file will come.
pub fn push_end(trace: Trace, index: u32) {
    trace.send(&Request::End(index));
}

/// Takes the final bytes of a file that has grown: from now on it can be opened again.
pub(crate) fn grown(trace: Trace, index: u32, blob: &Blob) {
    if let Some(opening) = trace.opening.grown(index, blob) {
        history::remember(&opening);
    }
}
