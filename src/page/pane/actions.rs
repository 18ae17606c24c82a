//! Moving about in the open trace: selecting, opening, collapsing, jumping, filtering.

use leptos::prelude::*;

use crate::app::notice;
use crate::app::notice::say;
use crate::app::state::AppState;
use crate::browser;
use crate::pane::tabs::choose_tab;
use traceloupe::model::EventKind;
use traceloupe::view::page::filter;
use traceloupe::view::page::opened::Opened;
use traceloupe::view::page::rows::{Choice, Line, Mode, ancestors, reveal};
use traceloupe::view::route::{Route, Tab};
use traceloupe::view::wire::outline::Outline;

/// Selects a line that is in sight, without scrolling.
pub fn select_here(state: AppState, line: Line) {
    state.selected.set(Some(line));
}

/// Selects a line and scrolls to it if it is out of sight.
pub fn select(state: AppState, line: Line) {
    choose_tab(state, Tab::Inspector);
    state.selected.set(Some(line));
    state.goal.update(|(count, goal)| {
        *count += 1;
        *goal = Some(line);
    });
}

/// Opens or closes the body of a row.
pub fn toggle_body(state: AppState, row: u32) {
    state.opened.update(|opened| opened.set(row, !opened.has(row)));
}

/// Opens the body of a row.
pub fn open_body(state: AppState, row: u32) {
    state.opened.update(|opened| opened.set(row, true));
}

/// Closes the body of a row.
pub(crate) fn close_body(state: AppState, row: u32) {
    state.opened.update(|opened| opened.set(row, false));
}

/// Closes all bodies.
pub fn close_bodies(state: AppState) {
    state.opened.set(Opened::default());
}

/// Shows or hides what is nested in a row.
pub fn toggle_nested(state: AppState, row: u32) {
    state.choice.update(|choice| {
        if !choice.toggled.remove(&row) {
            choice.toggled.insert(row);
        }
    });
}

/// Expands or collapses everything.
pub fn set_all(state: AppState, expanded: bool) {
    let outline = state.outline.get_untracked();
    let selected = state.selected.get_untracked().and_then(Line::row);
    state.choice.update(|choice| {
        choice.all = Some(expanded);
        choice.toggled.clear();
        if expanded {
            choice.unfolded = (0..u32::try_from(outline.findings.len()).unwrap_or(0)).collect();
        } else {
            choice.unfolded.clear();
        }
    });
    if !expanded {
        close_bodies(state);
        // What is selected may be hidden now: its outermost ancestor takes over.
        if let Some(outermost) = selected.and_then(|row| ancestors(&outline, row).first().copied())
        {
            select(state, Line::Row(outermost));
        }
    }
    say(state, if expanded { "Everything expanded" } else { "Everything collapsed" });
}

/// Unfolds the repeats of a finding, or folds them again.
pub fn toggle_fold(state: AppState, finding: u32) {
    state.choice.update(|choice| {
        if !choice.unfolded.remove(&finding) {
            choice.unfolded.insert(finding);
        }
    });
    let outline = state.outline.get_untracked();
    let first = outline.findings.get(finding as usize).and_then(|it| it.folded.first());
    let is_folded = !state.choice.with_untracked(|choice| choice.unfolded.contains(&finding));
    match first {
        Some(row) if !is_folded => select(state, Line::Row(row)),
        Some(_) => select(state, Line::Fold(finding)),
        None => {}
    }
}

/// Goes to a row, whatever hides it, and opens it.
pub fn jump(state: AppState, row: u32) {
    go_to(state, row);
    open_body(state, row);
}

/// Goes to a row, whatever hides it.
pub fn go_to(state: AppState, row: u32) {
    let outline = state.outline.get_untracked();
    let before = state.choice.get_untracked();
    let choice = reveal(&outline, &before, row);
    let has_lost_filter = before.is_filtered() && !choice.is_filtered();
    state.choice.set(choice);
    if has_lost_filter {
        name_filter(state);
    }
    select(state, Line::Row(row));
}

/// Goes to the next (`true`) or previous row of some rows in order, seen from the selected one;
/// around the end. No more rows are looked at than it takes.
pub fn go_in<I>(state: AppState, rows: I, forward: bool, what: &str)
where
    I: DoubleEndedIterator<Item = u32> + Clone,
{
    let here = state.selected.get_untracked().and_then(Line::row);
    let mut behind = rows.clone().filter(|row| here.is_none_or(|here| *row > here));
    let mut before = rows.clone().rev().filter(|row| here.is_none_or(|here| *row < here));
    let next = match forward {
        true => behind.next().or_else(|| rows.clone().next()),
        false => before.next().or_else(|| rows.clone().next_back()),
    };
    match next {
        Some(row) => go_to(state, row),
        None => say(state, &format!("There is no {what}")),
    }
}

/// Shows another run, which the address names from then on.
pub fn choose_run(state: AppState, run: u32) {
    show_run(state, run);
    let key = state.outline.with_untracked(|outline| run_key(outline, run));
    if let Some(key) = key {
        name_run(state, &key);
    }
}

/// Shows the run that a link names; `false` if it is not there.
pub(crate) fn show_linked_run(state: AppState, key: &str) -> bool {
    let found = state.outline.with_untracked(|outline| outline.run_by_key(key));
    if let Some(run) = found.filter(|run| *run != state.run.get_untracked()) {
        show_run(state, run);
    }
    found.is_some()
}

/// Puts a link to the run that is shown into the address bar and the clipboard.
pub fn link_to_run(state: AppState) {
    let run = state.run.get_untracked();
    if let Some(key) = state.outline.with_untracked(|outline| run_key(outline, run)) {
        name_run(state, &key);
        notice::copy_address(state);
    }
}

fn run_key(outline: &Outline, run: u32) -> Option<String> {
    outline.runs.get(run as usize).map(|run| run.key.clone()).filter(|key| !key.is_empty())
}

fn name_run(state: AppState, key: &str) {
    let fragment = state.route.with_untracked(|route| route.with_run(Some(key)));
    renamed(state, &fragment);
}

/// The address has been written by the page itself: nothing has to be gone to.
fn renamed(state: AppState, fragment: &str) {
    browser::replace_fragment(fragment);
    let mut route = Route::parse(fragment);
    route.sel = None;
    state.route.set(route);
}

/// Shows another run.
pub(crate) fn show_run(state: AppState, run: u32) {
    state.choice.update(|choice| {
        choice.run = run;
        choice.clear_filter();
    });
    open_by_mode(state);
    state.selected.set(None);
    state.goal.update(|(count, goal)| {
        *count += 1;
        *goal = None;
    });
}

/// Changes how much is shown.
pub fn set_mode(state: AppState, mode: Mode) {
    state.choice.update(|choice| {
        choice.mode = mode;
        choice.all = None;
        choice.toggled.clear();
        choice.clear_filter();
    });
    name_filter(state);
    browser::store("mode", mode.word());
    let selected = state.selected.get_untracked().and_then(Line::row);
    state.opened.update(|opened| *opened = opened.in_mode(mode == Mode::Verbose, selected));
    say(state, &format!("{} mode", mode.word()));
}

/// The verbose mode shows every row opened; the others begin with all of them closed. Only what comes
/// into sight is read.
pub(crate) fn open_by_mode(state: AppState) {
    let mode = state.choice.with_untracked(|choice| choice.mode);
    state.opened.set(Opened::every(mode == Mode::Verbose));
}

/// Shows only rows of a kind, or all again.
pub fn toggle_kind(state: AppState, kind: EventKind) {
    state.choice.update(|choice| match choice.kinds.iter().position(|it| *it == kind) {
        Some(at) => {
            choice.kinds.remove(at);
        }
        None => choice.kinds.push(kind),
    });
    name_filter(state);
}

/// Shows only rows with a name, or all again.
pub fn toggle_name(state: AppState, name: u32) {
    state.choice.update(|choice| match choice.names.iter().position(|it| *it == name) {
        Some(at) => {
            choice.names.remove(at);
        }
        None => choice.names.push(name),
    });
    name_filter(state);
}

/// Shows only failed rows, or all again.
pub fn toggle_errors(state: AppState) {
    state.choice.update(|choice| choice.errors_only = !choice.errors_only);
    name_filter(state);
}

/// Shows only rows of possible loops, or all again.
pub fn toggle_loops(state: AppState) {
    state.choice.update(|choice| choice.loops_only = !choice.loops_only);
    name_filter(state);
}

/// Shows all rows again.
pub fn clear_filter(state: AppState) {
    state.choice.update(Choice::clear_filter);
    name_filter(state);
}

/// Sets the filter that a link names.
pub(crate) fn filter_as_linked(state: AppState, text: &str) {
    let outline = state.outline.get_untracked();
    state.choice.update(|choice| filter::read(&outline, text, choice));
}

/// The address names the filter from then on.
fn name_filter(state: AppState) {
    let outline = state.outline.get_untracked();
    let filter = state.choice.with_untracked(|choice| filter::write(&outline, choice));
    let fragment = state.route.with_untracked(|route| route.with_filter(&filter));
    renamed(state, &fragment);
}
