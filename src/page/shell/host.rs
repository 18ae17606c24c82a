//! Tells the page around this one what it needs to show it well: the height of the contents, and the selected event. Only
//! the window that sent the trace is told (see docs/messages.md).

use std::time::Duration;

use leptos::prelude::*;

use crate::app::App;
use crate::app::pane::Pane;
use crate::browser;
use crate::event::actions::detail_of;
use crate::opening::other_windows::tell;
use crate::reactive::{effect, memo};
use traceloupe_view::list::visible_lines::Line;

/// The list is drawn and measured by then.
const AFTER_DRAWING: Duration = Duration::from_millis(200);

/// Starts telling.
pub fn listen(app: App) {
    let selected = memo(move || {
        let pane = app.pane();
        pane.trace.opening.brought_by.with_value(Option::is_some).then_some(())?;
        let row = pane.selected.get().and_then(Line::row)?;
        Some(pane.trace.outline.with(|outline| outline.rows.ids.get(row)))
    });
    effect(move || {
        let Some(id) = selected.get() else { return };
        let pane = app.pane_untracked();
        let detail = detail_of(pane.trace, id);
        effect(move || {
            if let Some(detail) = detail.get() {
                tell(pane.trace, "selection", &[("sel", detail.sel.as_str().into())]);
            }
        });
    });
    effect(move || {
        let pane = app.pane();
        if app.page.is_embedded() {
            pane.lines.track();
            pane.opened.track();
            pane.tab.track();
            set_timeout(move || tell_height(pane), AFTER_DRAWING);
        }
    });
}

/// Tells the height at which nothing has to be scrolled.
fn tell_height(pane: Pane) {
    if let Some(height_px) = browser::whole_height_px().filter(|_| pane.trace.is_open()) {
        tell(pane.trace, "resize", &[("height", height_px.into())]);
    }
}
