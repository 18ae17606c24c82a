//! Printing: all lines of the list, and not only those of the window.
//!
//! The list is drawn as a whole, its texts are asked for, and the browser's dialog opens when they are there. On paper the
//! lines follow each other (`print.css`), whatever their places on the screen are.

use std::time::Duration;

use leptos::prelude::*;

use crate::app::App;
use crate::app::pane::Pane;
use crate::browser;
use crate::event;
use crate::event::heights;
use traceloupe_view::list_form::ListForm;
use traceloupe_words::page::timeline as text;

/// At most so many lines are printed, about fifty pages of rows. More would take the browser long to lay out.
const MAX_LINES: usize = 2_000;

/// How often it is looked whether all texts are there. Those that have come are drawn then, all together.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// What has not arrived after so many milliseconds is printed without its texts.
const WAIT_MS: f64 = 20_000.0;

/// What stands in the place of a text that has not arrived.
const WAITING: &str = ".said__beginning, .body__wait";

/// Goes back to the window of the list when the dialog is closed. A frame may not be allowed to open it, and is told
/// nothing: there the next key or click goes back.
pub fn listen(app: App) {
    let ended = move |_: web_sys::Event| {
        let pane = app.pane_untracked();
        // Before the dialog is asked for, contents are held.
        if !pane.trace.contents.are_held.get_value() {
            end(pane);
        }
    };
    let listeners = ["afterprint", "keydown", "pointerdown"]
        .map(|event| window_event_listener_untyped(event, ended));
    // They live as long as the page.
    std::mem::forget(listeners);
}

/// Prints what is shown.
pub fn print(pane: Pane) {
    if pane.is_printing.get_untracked() {
        return;
    }
    // Other views than lists are there as a whole.
    let is_list = pane.tab.with_untracked(|tab| tab.is_empty() || ListForm::from_id(tab).is_some());
    if is_list {
        heights::pause(pane, true);
        event::actions::hold_details(pane.trace, true);
        pane.is_printing.set(true);
    }
    print_when_ready(pane, browser::now_ms() + WAIT_MS);
}

/// Only the lines of the window are drawn again.
fn end(pane: Pane) {
    if pane.is_printing.get_untracked() {
        pane.is_printing.set(false);
        // The lines that are drawn only for paper are gone by then.
        set_timeout(move || heights::pause(pane, false), Duration::ZERO);
    }
}

fn print_when_ready(pane: Pane, until_ms: f64) {
    let look = move || {
        if !pane.trace.is_open() {
            return heights::pause(pane, false);
        }
        event::actions::show_arrived(pane.trace);
        let is_ready = !pane.trace.previews.is_waiting() && !browser::has(WAITING);
        if is_ready || browser::now_ms() > until_ms {
            event::actions::hold_details(pane.trace, false);
            browser::print();
        } else {
            print_when_ready(pane, until_ms);
        }
    };
    set_timeout(look, LOOK_EVERY);
}

/// The lines that are printed, as the window of the list has them.
pub(super) fn window(pane: Pane) -> (u32, u32) {
    let n_lines = pane.lines.with(|lines| lines.len().min(MAX_LINES));
    (0, u32::try_from(n_lines).unwrap_or(u32::MAX))
}

/// What is said of lines that are not printed.
pub(super) fn left_out(pane: Pane) -> Option<String> {
    let n_lines = pane.lines.with(|lines| lines.len());
    (pane.is_printing.get() && n_lines > MAX_LINES)
        .then(|| text::not_all_printed(MAX_LINES, n_lines))
}
