//! Moving through the open trace: selecting, opening, collapsing, jumping.

use crate::app::notice;
use crate::app::notice::say;
use crate::app::pane::{Goal, Pane};
use crate::browser;
use crate::pane::agents::name_agent;
use crate::pane::filtering::name_filter;
use crate::pane::places;
use crate::pane::tabs::{choose_tab, show_list};
use crate::shared::Shared;
use traceloupe_protocol::route::{Route, TIMELINE};
use traceloupe_view::list::folds::misses::rows_of_misses;
use traceloupe_view::list::form::{ListForm, has_words, is_left_out, is_speech};
use traceloupe_view::list::scope::ancestors_within;
use traceloupe_view::list::visible_lines::{Line, Mode, index_of, reveal};
use traceloupe_view::open_bodies::Opened;
use traceloupe_view::outline::Outline;
use traceloupe_view::scroll::Going;
use traceloupe_words::page::pane as text;

/// Selects a visible line, without scrolling.
pub fn select_here(pane: Pane, line: Line) {
    pane.selected.set(Some(line));
}

/// Selects a line and scrolls to it if it is not visible.
pub fn select(pane: Pane, line: Line) {
    aim(pane, line, Going::Step);
}

/// Selects a line and scrolls to it.
fn aim(pane: Pane, line: Line, going: Going) {
    show_list(pane);
    pane.selected.set(Some(line));
    pane.goal.update(|goal| *goal = Goal { count: goal.count + 1, line: Some(line), going });
}

/// Opens or closes the body of a row.
pub fn toggle_body(pane: Pane, row: u32) {
    if pane.opened.with_untracked(|opened| opened.has(row)) {
        return close_body(pane, row);
    }
    open_in_sight(pane, row);
}

/// Opens the body of a row where there is room for it. On a phone, the row moves to the top.
pub fn open_in_sight(pane: Pane, row: u32) {
    open_body(pane, row);
    if browser::is_narrow() && pane.form.get_untracked() != ListForm::Transcript {
        aim(pane, Line::Row(row), Going::Start);
    } else {
        look_at_body(pane, row);
    }
}

/// Opens the body of a row.
pub fn open_body(pane: Pane, row: u32) {
    // There is room for only one body beside the rows.
    let is_only = pane.is_beside.get_untracked();
    pane.opened.update(|opened| match is_only && !opened.all {
        true => *opened = Opened::one(row),
        false => opened.set(row, true),
    });
}

/// Closes the body of a row.
pub(crate) fn close_body(pane: Pane, row: u32) {
    pane.opened.update(|opened| opened.set(row, false));
}

/// Closes all bodies.
pub fn close_bodies(pane: Pane) {
    pane.opened.set(Opened::default());
}

/// Shows or hides the rows nested in a row.
pub fn toggle_nested(pane: Pane, row: u32) {
    pane.choice.update(|choice| {
        if !choice.toggled.remove(row) {
            choice.toggled.insert(row);
        }
    });
}

/// Expands or collapses everything.
pub fn set_all(pane: Pane, expanded: bool) {
    let outline = pane.trace.outline.get_untracked();
    let selected = pane.selected.get_untracked().and_then(Line::row);
    pane.choice.update(|choice| {
        choice.all = Some(expanded);
        choice.toggled.clear();
        choice.notes.clear();
        choice.unmerged.clear();
        if expanded {
            choice.unfolded = (0..u32::try_from(outline.findings.len()).unwrap_or(0)).collect();
        } else {
            choice.unfolded.clear();
        }
    });
    if !expanded {
        close_bodies(pane);
        // If the selected row is hidden now, select its outermost ancestor.
        let around = |row| pane.choice.with_untracked(|it| ancestors_within(&outline, it, row));
        if let Some(outermost) = selected.and_then(|row| around(row).first().copied()) {
            select(pane, Line::Row(outermost));
        }
    }
    say(pane.page, if expanded { text::EVERYTHING_EXPANDED } else { text::EVERYTHING_COLLAPSED });
}

/// Unfolds the repetitions of a finding, or folds them again.
pub fn toggle_fold(pane: Pane, finding: u32) {
    pane.choice.update(|choice| {
        if !choice.unfolded.remove(finding) {
            choice.unfolded.insert(finding);
        }
    });
    let outline = pane.trace.outline.get_untracked();
    let first = outline.findings.get(finding as usize).and_then(|it| it.folded.first());
    let is_folded = !pane.choice.with_untracked(|choice| choice.unfolded.contains(finding));
    match first {
        Some(row) if !is_folded => select(pane, Line::Row(row)),
        Some(_) => select(pane, Line::Fold(finding)),
        None => {}
    }
}

/// Shows the notes that a line replaces, or folds them again.
pub fn toggle_notes(pane: Pane, first: u32) {
    pane.choice.update(|choice| {
        if !choice.notes.remove(first) {
            choice.notes.insert(first);
        }
    });
    select(pane, Line::Notes(first));
}

/// Shows the rows without a hit that a line replaces.
fn show_misses(pane: Pane, first: u32) {
    let outline = pane.trace.outline.get_untracked();
    let rows = pane.lines.with_untracked(|lines| rows_of_misses(&outline, lines, first));
    let end = rows.end.min(outline.rows.ids.len());
    pane.choice.update(|choice| choice.shown.push(rows.start..end));
    select(pane, Line::Row(first));
}

/// Opens or closes the contents of a line: the body of a row, or the rows of a fold.
pub fn toggle_line(pane: Pane, line: Line) {
    match line {
        Line::Row(row) => toggle_body(pane, row),
        Line::Fold(finding) => toggle_fold(pane, finding),
        Line::Notes(first) => toggle_notes(pane, first),
        Line::Misses(first, _) => show_misses(pane, first),
    }
}

/// Selects a line near a row, without unfolding anything.
pub fn select_near(pane: Pane, row: u32) {
    let outline = pane.trace.outline.get_untracked();
    let line = pane.lines.with_untracked(|lines| {
        let at = index_of(&outline, lines, Line::Row(row));
        let at = at.unwrap_or_else(|at| at.saturating_sub(1));
        lines.get(at as usize).copied()
    });
    if let Some(line) = line {
        select(pane, line);
    }
}

/// Reveals, selects and opens a row.
pub fn jump(pane: Pane, row: u32) {
    go_to(pane, row);
    open_body(pane, row);
}

/// When to check an opened row: its content is drawn a moment later, and reaches its full height a moment after that.
const LOOKS_MS: [u32; 2] = [80, 220];

/// Opens a row so that its content is visible, even near the end of the list. A transcript already shows what is said.
pub fn read(pane: Pane, row: u32) {
    let is_said = pane.form.get_untracked() == ListForm::Transcript
        && pane.trace.outline.with_untracked(|it| is_speech(it, row) && has_words(it, row));
    if is_said {
        return go_to_start(pane, row);
    }
    jump(pane, row);
    look_at_body(pane, row);
}

/// Scrolls to the body of the selected row, which has just been opened.
fn look_at_body(pane: Pane, row: u32) {
    leptos::task::spawn_local(async move {
        for wait_ms in LOOKS_MS {
            gloo_timers::future::TimeoutFuture::new(wait_ms).await;
            let selected = pane.selected.try_get_untracked().flatten();
            if selected == Some(Line::Row(row)) {
                browser::show_body(&format!("body-{row}"));
            }
        }
    });
}

/// Reveals and selects a row.
pub fn go_to(pane: Pane, row: u32) {
    places::leave(pane);
    go(pane, row, Going::Jump);
}

/// Reveals and selects the first row of something that spans several rows.
pub fn go_to_start(pane: Pane, row: u32) {
    places::leave(pane);
    go(pane, row, Going::Start);
}

fn go(pane: Pane, row: u32, going: Going) {
    let outline = pane.trace.outline.get_untracked();
    let before = pane.choice.get_untracked();
    let mut choice = reveal(&outline, &before, row);
    let is_miss = |hits: &Shared<Vec<u32>>| hits.binary_search(&row).is_err();
    if pane.folds_misses.with_untracked(|hits| hits.as_ref().is_some_and(is_miss)) {
        choice.shown.push(row..row + 1);
    }
    let has_lost_filter = before.is_filtered() && !choice.is_filtered();
    let is_left = before.within.is_some() && choice.within.is_none();
    pane.choice.set(choice);
    if has_lost_filter {
        name_filter(pane);
    }
    if is_left {
        name_agent(pane, None);
    }
    // Rows that a transcript leaves out are shown in the timeline.
    if pane.form.get_untracked() == ListForm::Transcript && is_left_out(&outline, row) {
        pane.choice.update(|choice| choice.form = ListForm::Timeline);
        choose_tab(pane, TIMELINE);
    }
    aim(pane, Line::Row(row), going);
}

/// Goes to the next (`forward`) or previous of some rows, relative to the selected row, wrapping around. Visits no more
/// rows than necessary. `what` names the rows, for the message if there are none.
pub fn go_in<I>(pane: Pane, rows: I, forward: bool, what: &str)
where
    I: DoubleEndedIterator<Item = u32> + Clone,
{
    let here = pane.selected.get_untracked().and_then(Line::row);
    let mut behind = rows.clone().filter(|row| here.is_none_or(|here| *row > here));
    let mut before = rows.clone().rev().filter(|row| here.is_none_or(|here| *row < here));
    let next = match forward {
        true => behind.next().or_else(|| rows.clone().next()),
        false => before.next().or_else(|| rows.clone().next_back()),
    };
    match next {
        // One step of many, which Back need not go through.
        Some(row) => go(pane, row, Going::Jump),
        None => say(pane.page, &text::there_is_no(what)),
    }
}

/// Shows another run and puts it into the link.
pub fn choose_run(pane: Pane, run: u32) {
    places::leave(pane);
    show_run(pane, run);
    let key = pane.trace.outline.with_untracked(|outline| run_key(outline, run));
    if let Some(key) = key {
        name_run(pane, &key);
    }
}

/// Shows the run named in a link; `false` if there is none.
pub(crate) fn show_linked_run(pane: Pane, key: &str) -> bool {
    let found = pane.trace.outline.with_untracked(|outline| outline.run_by_key(key));
    if let Some(run) = found.filter(|run| *run != pane.run.get_untracked()) {
        show_run(pane, run);
    }
    found.is_some()
}

/// Puts a link to the displayed run into the address bar and the clipboard.
pub fn link_to_run(pane: Pane) {
    let run = pane.run.get_untracked();
    if let Some(key) = pane.trace.outline.with_untracked(|outline| run_key(outline, run)) {
        name_run(pane, &key);
        notice::copy_address(pane.page);
    }
}

fn run_key(outline: &Outline, run: u32) -> Option<String> {
    outline.runs.get(run as usize).map(|run| run.key.clone()).filter(|key| !key.is_empty())
}

fn name_run(pane: Pane, key: &str) {
    let fragment = pane.page.route.with_untracked(|route| route.with_run(Some(key)));
    renamed(pane, &fragment);
}

/// Changes the link without navigating to it.
pub(super) fn renamed(pane: Pane, fragment: &str) {
    browser::replace_fragment(fragment);
    let mut route = Route::parse(fragment);
    route.sel = None;
    pane.page.route.set(route);
}

/// Shows another run.
pub(crate) fn show_run(pane: Pane, run: u32) {
    pane.choice.update(|choice| {
        choice.run = run;
        choice.within = None;
        choice.clear_filter();
    });
    open_by_mode(pane);
    pane.selected.set(None);
    go_to_top(pane);
}

/// Scrolls to the first line.
pub(super) fn go_to_top(pane: Pane) {
    pane.goal.update(|goal| *goal = Goal { count: goal.count + 1, ..Goal::default() });
}

/// Changes how much is shown.
pub fn set_mode(pane: Pane, mode: Mode) {
    pane.choice.update(|choice| {
        choice.mode = mode;
        choice.all = None;
        choice.toggled.clear();
        choice.notes.clear();
        choice.unmerged.clear();
        choice.clear_filter();
    });
    name_filter(pane);
    browser::store("mode", mode.word());
    let selected = pane.selected.get_untracked().and_then(Line::row);
    pane.opened.update(|opened| *opened = opened.in_mode(mode == Mode::Verbose, selected));
    say(pane.page, &text::mode(mode.word()));
}

/// Verbose mode starts with every row open, other modes with every row closed. Only visible rows are read.
pub(crate) fn open_by_mode(pane: Pane) {
    let mode = pane.choice.with_untracked(|choice| choice.mode);
    pane.opened.set(Opened::every(mode == Mode::Verbose));
}
