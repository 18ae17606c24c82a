//! An artificial trace that is drawn out of sight while the page is empty. Browsers compile code when it first runs,
//! which would otherwise delay the first file.

use std::iter::repeat_n;
use std::time::Duration;

use leptos::mount::mount_to;
use leptos::prelude::*;

use crate::app::App;
use crate::app::pane::{Kept, Pane};
use crate::app::trace::Phase;
use crate::boot;
use crate::browser;
use crate::shared::Shared;
use crate::shell::app::Content;
use traceloupe_core::model::EventKind;
use traceloupe_protocol::outline::OutlineHead;
use traceloupe_protocol::outline::RunLine;
use traceloupe_protocol::row_columns::RowSlice;
use traceloupe_view::assembly::Assembly;
use traceloupe_view::list::form::ListForm;
use traceloupe_view::outline::Outline;

/// How long after the page is ready, and how long between steps, so that no step blocks the user for long.
const AFTER: Duration = Duration::from_millis(150);

/// The number of the trace, which no opened trace ever has.
const NUMBER: u32 = u32::MAX;

/// Draws the artificial trace. Stops as soon as a file is being opened.
pub fn rehearse_soon(app: App) {
    set_timeout(move || rehearse(app, is_empty, ROUNDS), AFTER);
}

/// Draws a small artificial trace while the worker's program is still arriving and the first trace waits for it.
pub fn rehearse_while_waiting(app: App) {
    const FEW: u32 = 20;
    set_timeout(move || rehearse(app, |_| !boot::is_completed(), FEW), Duration::ZERO);
}

fn is_empty(app: App) -> bool {
    app.trace_untracked().phase.get_untracked() == Phase::Empty
}

fn rehearse(app: App, has_time: fn(App) -> bool, rounds: u32) {
    let Some(stage) = browser::detached().filter(|_| has_time(app)) else { return };
    let pane = Pane::of_new_trace(app.page, NUMBER, Kept::default());
    let outline = Shared::new(made_up(rounds));
    pane.trace.outline.set(outline.clone());
    pane.tab.set(ListForm::Transcript.id().to_owned());
    let mounted = mount_to(stage, move || {
        provide_context(app);
        provide_context(pane);
        markup! { <Content/> }
    });
    let end = move || {
        drop(mounted);
        // Effects of the components may still be pending.
        set_timeout(move || pane.trace.dispose(), Duration::ZERO);
    };
    let draw_all = move || {
        if has_time(app) {
            pane.tab.set(ListForm::Timeline.id().to_owned());
            pane.trace.around.set(outline);
            pane.trace.rows_are_drawn.set(true);
        }
        set_timeout(end, AFTER);
    };
    set_timeout(draw_all, AFTER);
}

/// How many rows of each kind are drawn on the empty page. Code that visits all rows must run often enough to be
/// optimised.
const ROUNDS: u32 = 700;

/// Rows of the common kinds, alternating.
fn made_up(rounds: u32) -> Outline {
    let kinds = [EventKind::UserMessage, EventKind::LlmCall, EventKind::ToolCall];
    let kinds = kinds.map(|kind| kind as u8);
    let n_rows = 3 * rounds;
    let run = RunLine {
        n_rows,
        n_roots: n_rows,
        kinds: kinds.iter().map(|kind| (*kind, rounds.into())).collect(),
        ..RunLine::default()
    };
    let mut assembly =
        Assembly::new(OutlineHead { runs: vec![run], n_rows, ..OutlineHead::default() });
    let n = n_rows as usize;
    assembly.append(&RowSlice {
        ids: (0..n_rows).collect(),
        kinds: kinds.into_iter().cycle().take(n).collect(),
        statuses: repeat_n(0, n).collect(),
        flags: repeat_n(0, n).collect(),
        depths: repeat_n(0, n).collect(),
        lanes: repeat_n(0, n).collect(),
        names: repeat_n(0, n).collect(),
        errors: repeat_n(0, n).collect(),
        starts_ms: (0..n_rows).map(f64::from).collect(),
        durations_ms: repeat_n(1.0, n).collect(),
        tokens_in: repeat_n(1.0, n).collect(),
        tokens_out: repeat_n(1.0, n).collect(),
        ..RowSlice::default()
    });
    assembly.finish()
}
