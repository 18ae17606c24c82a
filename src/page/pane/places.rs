//! Places in the open trace, for Back and Forward.

use leptos::prelude::*;

use crate::app::history::{self, Place};
use crate::app::pane::{Goal, Pane};
use crate::browser;
use traceloupe_protocol::route::Route;
use traceloupe_view::list::visible_lines::Line;
use traceloupe_view::scroll::Going;

/// Where the user is.
pub fn here(pane: Pane) -> Place {
    Place {
        choice: pane.choice.get_untracked(),
        tab: pane.tab.get_untracked(),
        selected: pane.selected.get_untracked(),
    }
}

/// The user is about to go elsewhere, and may want to come back.
pub fn leave(pane: Pane) {
    // A link is followed before anything has been seen.
    if pane.wanted.with_value(|wanted| wanted.is_empty()) {
        history::remember_place(|| here(pane));
    }
}

/// Shows a place again. The browser has restored its address.
pub fn return_to(pane: Pane, place: Place) {
    let line = place.selected;
    pane.choice.set(place.choice);
    pane.tab.set(place.tab);
    pane.selected.set(line);
    let going = if line.is_some() { Going::Jump } else { Going::default() };
    pane.goal.update(|goal| *goal = Goal { count: goal.count + 1, line, going });
    let mut route = Route::parse(&browser::fragment());
    route.sel = None;
    pane.page.route.set(route);
    if line.and_then(Line::row).is_some() {
        browser::focus_timeline();
    }
}
