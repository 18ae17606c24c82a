//! Printing: all lines of the list are drawn, not just those in the window.
//!
//! The whole list is drawn, its texts are requested, and the browser's dialog opens once they have arrived. On paper
//! the lines follow each other (`print.css`), regardless of their positions on the screen.

use std::time::Duration;

use leptos::prelude::*;

use crate::app::App;
use crate::app::pane::Pane;
use crate::browser;
use crate::event;
use crate::event::heights;
use traceloupe_view::list::form::ListForm;
use traceloupe_words::page::timeline as text;

/// The most lines that are printed, about fifty pages of rows. The browser would take long to lay out more.
const MAX_LINES: usize = 2_000;

/// How often the page checks whether all texts have arrived. Texts that have arrived are drawn together at that time.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Contents that have not arrived after this many milliseconds are printed without their text.
const WAIT_MS: f64 = 20_000.0;

/// Selects placeholders for texts that have not arrived.
const WAITING: &str = ".said__beginning, .body__wait";

/// Returns to the window of the list when the dialog closes. A frame may lack permission to open the dialog, and no
/// event is sent then. In that case the next key press or click returns to the window.
pub fn listen(app: App) {
    let ended = move |_: web_sys::Event| {
        let pane = app.pane_untracked();
        // Contents are held until the dialog is opened.
        if !pane.trace.contents.are_held.get_value() {
            end(pane);
        }
    };
    let listeners = ["afterprint", "keydown", "pointerdown"]
        .map(|event| window_event_listener_untyped(event, ended));
    // They live as long as the page.
    std::mem::forget(listeners);
}

/// Prints the current view.
pub fn print(pane: Pane) {
    if pane.is_printing.get_untracked() {
        return;
    }
    // Views other than lists are always drawn in full.
    let is_list = pane.tab.with_untracked(|tab| tab.is_empty() || ListForm::from_id(tab).is_some());
    if is_list {
        heights::pause(pane, true);
        event::actions::hold_details(pane.trace, true);
        pane.is_printing.set(true);
    }
    print_when_ready(pane, browser::now_ms() + WAIT_MS);
}

/// Draws only the lines of the window again.
fn end(pane: Pane) {
    if pane.is_printing.get_untracked() {
        pane.is_printing.set(false);
        // The lines that were drawn only for printing have been removed by then.
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

/// The range of printed lines, in the form of the window of the list.
pub(super) fn window(pane: Pane) -> (u32, u32) {
    let n_lines = pane.lines.with(|lines| lines.len().min(MAX_LINES));
    (0, u32::try_from(n_lines).unwrap_or(u32::MAX))
}

/// The note about lines that are not printed.
pub(super) fn left_out(pane: Pane) -> Option<String> {
    let n_lines = pane.lines.with(|lines| lines.len());
    (pane.is_printing.get() && n_lines > MAX_LINES)
        .then(|| text::not_all_printed(MAX_LINES, n_lines))
}
