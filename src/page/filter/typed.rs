//! The text typed into the field: search text takes effect at once, filter terms when Enter is pressed.

use crate::app::pane::Pane;
use crate::pane::filtering::{add, set_faults};
use crate::search::actions;
use traceloupe_search::Query;
use traceloupe_view::query::parse::{Wrong, parse};
use traceloupe_view::query::split::split;

/// The contents of the field: the typed text while it contains terms, otherwise the search text.
pub fn field_text(pane: Pane) -> String {
    let typed = pane.filter.typed.get();
    if typed.is_empty() { pane.search.query.with(|query| query.text.clone()) } else { typed }
}

/// Takes the typed text. A regular expression is always searched for as a whole.
pub fn set(pane: Pane, typed: String) {
    let is_regex = pane.search.query.with_untracked(|query| query.regex);
    let split = split(&typed);
    match is_regex || split.filter.is_empty() {
        true => search_for(pane, typed),
        false => {
            search_for(pane, split.search);
            pane.filter.typed.set(typed);
        }
    }
}

/// Searches for the whole typed text, even if parts of it could be terms.
pub fn search_for(pane: Pane, text: String) {
    set_faults(pane, Vec::new());
    pane.filter.typed.set(String::new());
    let query = pane.search.query.get_untracked();
    actions::search(pane, Query { text, ..query });
}

/// Adds the typed terms to the filter. Without any, goes to the next (`true`) or previous hit. Invalid terms stay in
/// the field and have no effect.
pub fn enter(pane: Pane, forward: bool) {
    let typed = pane.filter.typed.get_untracked();
    let split = split(&typed);
    if split.filter.is_empty() {
        if !typed.is_empty() {
            return search_for(pane, typed);
        }
        set_faults(pane, Vec::new());
        actions::next_hit(pane, forward);
        return hint(pane);
    }
    let parsed = parse(&split.filter);
    if parsed.faults.is_empty() {
        pane.filter.typed.set(String::new());
        add(pane, parsed.query);
    }
    set_faults(pane, parsed.faults);
}

/// A text without hits may have been meant as a term.
fn hint(pane: Pane) {
    let has_none =
        pane.search.found.with_untracked(|found| found.last.done && found.last.total == 0);
    if has_none {
        let mut faults = pane.search.query.with_untracked(|query| parse(&query.text).faults);
        faults.retain(|fault| matches!(fault.what, Wrong::Key(_, Some(_))));
        set_faults(pane, faults);
    }
}
