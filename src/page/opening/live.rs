//! Files that grow while they are open. Their bytes go to the worker as they arrive.

use gloo_timers::future::TimeoutFuture;
use web_sys::Blob;

use crate::app::history;
use crate::app::trace::{Phase, Trace};
use traceloupe_protocol::messages::Request;

/// How many bytes may wait for the worker before the source has to wait.
const MAX_AHEAD_BYTES: u64 = 32 << 20;

/// Waits until the worker of a newly opened trace has started. Returns whether it has.
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

/// Waits until the worker has read nearly all bytes that were passed to it.
pub async fn keep_pace(trace: Trace, pushed_bytes: u64) {
    while trace.is_open()
        && let Phase::Loading(loading) = trace.phase.get_untracked()
        && pushed_bytes.saturating_sub(loading.bytes) > MAX_AHEAD_BYTES
    {
        TimeoutFuture::new(20).await;
    }
}

/// Tells the worker that a file is complete.
pub fn push_end(trace: Trace, index: u32) {
    trace.send(&Request::End(index));
}

/// Takes the final bytes of a file that has grown. From now on it can be opened again.
pub(crate) fn grown(trace: Trace, index: u32, blob: &Blob) {
    if let Some(opening) = trace.opening.grown(index, blob) {
        history::remember(&opening);
    }
}
