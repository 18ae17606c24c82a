//! One-line summaries. They are requested as rows come into view, one request at a time, so that fast
//! scrolling does not build up a queue.

use leptos::prelude::*;

use crate::app::trace::Trace;
use traceloupe_protocol::messages::Request;
use traceloupe_protocol::preview::Preview;

/// How many are requested at once, so that visible rows do not wait for others.
const MAX_ASKED: usize = 64;

/// How many summaries are kept. Summaries of rows that have been out of view for long are requested again when needed.
const MAX_KEPT: usize = 20_000;

/// Requests the summaries of events that have none yet, in this order.
pub fn want_previews(trace: Trace, ids: Vec<u32>) {
    trace.previews.asking.update_value(|asking| asking.wanted = ids);
    ask(trace);
}

/// Requests the summary of an event whose row is not near the window.
pub fn want_also(trace: Trace, id: u32) {
    trace.previews.asking.update_value(|asking| {
        if !asking.asked.contains(&id) {
            asking.also.push(id);
        }
    });
    ask(trace);
}

fn ask(trace: Trace) {
    let unknown = trace.previews.asking.try_update_value(|asking| {
        if asking.is_waiting {
            return Vec::new();
        }
        let wanted = asking.wanted.iter().chain(&asking.also).copied();
        let unknown = wanted.filter(|id| !asking.asked.contains(id));
        let unknown: Vec<u32> = unknown.take(MAX_ASKED).collect();
        asking.asked.extend(&unknown);
        asking.also.retain(|id| !asking.asked.contains(id));
        asking.is_waiting = !unknown.is_empty();
        unknown
    });
    if let Some(unknown) = unknown.filter(|unknown| !unknown.is_empty()) {
        trace.send(&Request::Previews(unknown));
    }
}

/// Takes summaries. Those of the first rows arrive without a request.
pub(crate) fn take_previews(trace: Trace, previews: Vec<(u32, Preview)>) {
    let ids: Vec<u32> = previews.iter().map(|(id, _)| *id).collect();
    trace.previews.lines.update(|known| known.extend(previews));
    let kept = trace.previews.asking.try_update_value(|asking| {
        asking.is_waiting = false;
        asking.asked.extend(ids);
        let is_full = asking.asked.len() > MAX_KEPT;
        is_full.then(|| {
            asking.asked = asking.wanted.iter().copied().collect();
            asking.asked.clone()
        })
    });
    if let Some(kept) = kept.flatten() {
        trace.previews.lines.update(|known| known.retain(|id, _| kept.contains(id)));
    }
    ask(trace);
}

/// Requests everything again. Existing summaries stay until the response has arrived.
pub(crate) fn ask_again(trace: Trace) {
    trace.previews.asking.update_value(|asking| asking.asked.clear());
}
