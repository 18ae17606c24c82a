//! Filtering the rows.

use std::sync::Arc;

use leptos::prelude::*;

use crate::app::pane::Pane;
use crate::pane::actions::renamed;
use crate::pane::tabs::show_list;
use traceloupe_core::model::EventKind;
use traceloupe_protocol::matches::MatchBatch;
use traceloupe_protocol::messages::Request;
use traceloupe_protocol::route::STATISTICS;
use traceloupe_view::list::visible_lines::Choice;
use traceloupe_view::query::amount::Range;
use traceloupe_view::query::parse::{Fault, YES};
use traceloupe_view::query::texts::{Texts, needles};
use traceloupe_view::query::{Key, Measure, RowFilter, Term, Test, link};
use traceloupe_view::row_kind::SHELL_WORD;

/// Shows only rows that have a word under a key, or all rows again.
pub fn toggle(pane: Pane, key: Key, word: &str) {
    change(pane, |query| query.toggle(key, word));
}

/// Shows only rows of a kind, or all rows again.
pub fn toggle_kind(pane: Pane, kind: EventKind) {
    toggle(pane, Key::Kind, kind.word());
}

/// Shows only failed rows, or all rows again.
pub fn toggle_errors(pane: Pane) {
    toggle(pane, Key::Status, traceloupe_core::model::CallOutcome::Failed.word());
}

/// Shows only rows of possible loops, or all rows again.
pub fn toggle_loops(pane: Pane) {
    toggle(pane, Key::Loop, YES);
}

/// Shows only rows whose duration is in a range, or all rows again.
pub fn toggle_duration(pane: Pane, range: Range) {
    change(pane, |query| query.toggle_range(Measure::Duration, range));
}

/// Shows only rows that have a word under a key, regardless of the previous filter.
pub fn show_only(pane: Pane, key: Key, word: &str) {
    change(pane, |query| {
        *query = RowFilter::default();
        query.toggle(key, word);
    });
}

/// Shows only shell calls whose line has all words of a command, regardless of the previous filter.
pub fn show_only_command(pane: Pane, command: &str) {
    change(pane, |query| {
        *query = RowFilter::default();
        query.toggle(Key::Kind, SHELL_WORD);
        for word in command.split(' ') {
            query.add(Term { is_not: false, test: Test::Text(word.to_owned()) });
        }
    });
}

/// Removes a term from the filter.
pub fn remove(pane: Pane, at: usize) {
    change(pane, |query| {
        query.remove(at);
    });
}

/// Adds terms.
pub fn add(pane: Pane, terms: RowFilter) {
    change(pane, |query| query.extend(terms));
}

/// Shows what is wrong with the typed filter.
pub fn set_faults(pane: Pane, faults: Vec<Fault>) {
    if pane.filter.faults.with_untracked(|old| *old != faults) {
        pane.filter.faults.set(faults);
    }
}

/// Dims rows that do not match, or hides them.
pub fn set_dims(pane: Pane, dims: bool) {
    pane.choice.update(|choice| choice.dims = dims);
    name_filter(pane);
}

/// Shows all rows again.
pub fn clear_filter(pane: Pane) {
    pane.filter.typed.set(String::new());
    pane.filter.faults.set(Vec::new());
    pane.choice.update(Choice::clear_filter);
    look_for_texts(pane);
    name_filter(pane);
}

/// Sets the filter named in a link. If part of it cannot be parsed, that part goes into the field and all rows are
/// shown.
pub(crate) fn filter_as_linked(pane: Pane, text: &str, dims: bool) {
    let parsed = link::read(text);
    let is_wrong = !parsed.faults.is_empty();
    pane.filter.typed.set(if is_wrong { text.to_owned() } else { String::new() });
    pane.filter.faults.set(parsed.faults);
    pane.choice.update(|choice| {
        choice.query = if is_wrong { RowFilter::default() } else { parsed.query };
        choice.dims = dims;
    });
    look_for_texts(pane);
}

fn change(pane: Pane, act: impl FnOnce(&mut RowFilter)) {
    // All other views are filtered too.
    if pane.tab.with_untracked(|tab| tab == STATISTICS) {
        show_list(pane);
    }
    pane.choice.update(|choice| act(&mut choice.query));
    look_for_texts(pane);
    name_filter(pane);
}

/// Requests the texts in the filter from the worker, if they have changed.
fn look_for_texts(pane: Pane) {
    let wanted = pane.choice.with_untracked(|choice| needles(&choice.query));
    let is_known = pane.choice.with_untracked(|choice| choice.texts.needles().eq(wanted.iter()));
    if is_known {
        return;
    }
    let generation = pane.filter.generation.get_value().wrapping_add(1);
    pane.filter.generation.set_value(generation);
    pane.choice.update(|choice| choice.texts = Arc::new(Texts::of(&wanted)));
    pane.trace.send(&Request::Match(wanted, generation));
}

/// Takes the events whose summaries contain the texts in the filter.
pub fn take_matches(pane: Pane, batch: &MatchBatch) {
    if batch.generation == pane.filter.generation.get_value() {
        pane.choice.update(|choice| Arc::make_mut(&mut choice.texts).add(batch));
    }
}

/// Puts the filter into the link.
pub(super) fn name_filter(pane: Pane) {
    let (filter, dims) = pane.choice.with_untracked(|choice| (choice.query.print(), choice.dims));
    let fragment = pane.page.route.with_untracked(|route| route.with_filter(&filter, dims));
    renamed(pane, &fragment);
}
