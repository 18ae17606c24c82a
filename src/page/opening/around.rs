//! When what stands around the rows is drawn: overview, turns, facets.
//!
//! Drawing all of that takes longer than reading a piece of a file. So it waits until the rows are on the screen, is
//! drawn once if the file is read quickly, and only now and then while a long one is read.

use std::time::Duration;

use leptos::prelude::*;

use crate::app::trace::Trace;
use crate::browser;

/// Most files have been read so long after their first rows. What stands around them is then drawn once, with all that
/// there is.
const FIRST_AFTER: Duration = Duration::from_millis(400);

/// While a file is read, it is drawn again after so many milliseconds.
const AGAIN_AFTER_MS: f64 = 1_000.0;

/// There is a new outline, perhaps the first one.
pub(crate) fn follow(trace: Trace, is_first: bool) {
    let (is_complete, is_live) = trace.outline.with_untracked(|it| (it.complete, it.is_live));
    if is_first && is_complete || is_live {
        // A small file is drawn at once, and so is each small piece that is added to a file.
        draw(trace);
    } else if is_complete {
        after_frame(trace, Duration::ZERO);
    } else if is_first {
        after_frame(trace, FIRST_AFTER);
    } else if browser::now_ms() >= trace.opening.around_drawn_ms.get_value() + AGAIN_AFTER_MS {
        draw(trace);
    }
}

/// Draws it so long after the rows are on the screen.
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
