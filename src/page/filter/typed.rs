//! What is typed into the field: its text is searched for at once, its terms join the filter when they are entered.

use crate::app::pane::Pane;
use crate::pane::filtering::{add, set_faults};
use crate::search::actions;
use traceloupe_search::Query;
use traceloupe_view::query::parse::{Wrong, parse};
use traceloupe_view::query::split::split;

/// What the field shows: what is typed as long as there are terms in it, otherwise the text that is searched for.
pub fn field_text(pane: Pane) -> String {
    let typed = pane.filter.typed.get();
    if typed.is_empty() { pane.search.query.with(|query| query.text.clone()) } else { typed }
}

/// Takes what is typed. In a regular expression all of it is searched for.
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

/// Searches for all that is typed, also for what could be terms.
pub fn search_for(pane: Pane, text: String) {
    set_faults(pane, Vec::new());
    pane.filter.typed.set(String::new());
    let query = pane.search.query.get_untracked();
    actions::search(pane, Query { text, ..query });
}

/// Adds the terms that are typed to the filter; without any, goes to the next (`true`) or previous hit. What is
/// wrong stays in the field and changes nothing.
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

/// A text without hits may be meant as a term.
fn hint(pane: Pane) {
    let has_none =
        pane.search.found.with_untracked(|found| found.last.done && found.last.total == 0);
    if has_none {
        let mut faults = pane.search.query.with_untracked(|query| parse(&query.text).faults);
        faults.retain(|fault| matches!(fault.what, Wrong::Key(_, Some(_))));
        set_faults(pane, faults);
    }
}
