//! Decides when the elements around the rows are drawn: overview, turns, facets.
//!
//! Drawing all of them takes longer than reading a piece of a file. So it waits until the rows have been drawn. It is
//! done once if the file is read quickly, and only now and then while a long file is being read.

use std::time::Duration;

use leptos::prelude::*;

use crate::app::trace::Trace;
use crate::browser;

/// Most files have been read completely within this time after their first rows. The elements around the rows are then
/// drawn only once, with the complete data.
const FIRST_AFTER: Duration = Duration::from_millis(400);

/// While a file is being read, they are drawn again at this interval, in milliseconds.
const AGAIN_AFTER_MS: f64 = 1_000.0;

/// Reacts to a new outline, which may be the first one.
pub(crate) fn follow(trace: Trace, is_first: bool) {
    let (is_complete, is_live) = trace.outline.with_untracked(|it| (it.complete, it.is_live));
    if is_first && is_complete || is_live {
        // A small file is drawn at once, and so is each small addition to a file.
        draw(trace);
    } else if is_complete {
        after_frame(trace, Duration::ZERO);
    } else if is_first {
        after_frame(trace, FIRST_AFTER);
    } else if browser::now_ms() >= trace.opening.around_drawn_ms.get_value() + AGAIN_AFTER_MS {
        draw(trace);
    }
}

/// Draws the elements some time after the rows have been drawn.
fn after_frame(trace: Trace, after: Duration) {
    let act = move || {
        if trace.is_open() {
            draw(trace);
        }
    };
    request_animation_frame(move || set_timeout(act, after));
}

fn draw(trace: Trace) {
    trace.opening.around_drawn_ms.set_value(browser::now_ms());
    let outline = trace.outline.get_untracked();
    if trace.around.with_untracked(|drawn| *drawn != outline) {
        trace.around.set(outline);
    }
    if !trace.rows_are_drawn.get_untracked() {
        trace.rows_are_drawn.set(true);
    }
}
