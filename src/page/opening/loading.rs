//! What is shown between a click and the first rows.
//!
//! Most files have their first rows within a few milliseconds. Nobody would see a "Loading" message before them, and
//! drawing it would delay the rows. So an empty page stays as it is for a short time.

use std::time::Duration;

use leptos::prelude::*;

use crate::app::trace::{Loading, Phase, Trace};

/// Well below what is perceived as a delay.
const UNSEEN_FOR: Duration = Duration::from_millis(80);

/// Starts loading. If `may_wait`, it is shown a little later.
pub(crate) fn begin(trace: Trace, loading: Loading, may_wait: bool) {
    let is_unseen = may_wait && !loading.is_live;
    trace.is_unseen.set(is_unseen);
    trace.title.set(loading.what.clone());
    trace.phase.set(Phase::Loading(loading));
    if is_unseen {
        set_timeout(
            move || {
                if trace.is_open() {
                    show(trace);
                }
            },
            UNSEEN_FOR,
        );
    }
}

/// Shows that the trace is loading, if that is not shown yet.
pub(crate) fn show(trace: Trace) {
    if trace.is_unseen.get_untracked() {
        trace.is_unseen.set(false);
    }
}
