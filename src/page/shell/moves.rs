//! Moving through the rows with the keyboard.

use crate::app::notice::tell;
use crate::app::pane::Pane;
use crate::browser;
use crate::pane;
use traceloupe_view::jump_targets::{self, cause_of, has_failed};
use traceloupe_view::list::scope::card;
use traceloupe_view::list::visible_lines::{Line, ancestors, index_of, is_expanded};
use traceloupe_words::page::shell as text;

/// Index of the selected line (`Ok`), or the index where it would be if it is hidden (`Err`).
fn here(pane: Pane) -> Option<Result<u32, u32>> {
    let selected = pane.selected.get_untracked()?;
    let outline = pane.trace.outline.get_untracked();
    Some(pane.lines.with_untracked(|lines| index_of(&outline, lines, selected)))
}

/// Selects the line `by` lines further on.
pub fn step(pane: Pane, by: i32) {
    let lines = pane.lines.get_untracked();
    let last = u32::try_from(lines.len().saturating_sub(1)).unwrap_or(u32::MAX);
    let next = match here(pane) {
        Some(Ok(at)) => at.saturating_add_signed(by),
        // Between two lines, the next one is already a step forward.
        Some(Err(at)) => at.saturating_add_signed(if by > 0 { by - 1 } else { by }),
        None => 0,
    };
    if let Some(line) = lines.get(next.min(last) as usize) {
        pane::actions::select(pane, *line);
    }
}

/// Selects the first or the last line.
pub fn edge(pane: Pane, last: bool) {
    let lines = pane.lines.get_untracked();
    if let Some(line) = if last { lines.last() } else { lines.first() } {
        pane::actions::select(pane, *line);
    }
}

fn selected_row(pane: Pane) -> Option<u32> {
    pane.selected.get_untracked().and_then(Line::row)
}

/// Shows the rows nested in the selected row, or goes to the first of them.
pub fn expand(pane: Pane) {
    match pane.selected.get_untracked() {
        Some(line @ (Line::Fold(_) | Line::Notes(_) | Line::Misses(..))) => {
            pane::actions::toggle_line(pane, line)
        }
        Some(Line::Row(row)) => {
            let outline = pane.trace.outline.get_untracked();
            if outline.rows.nested.get(row) == 0 {
                pane::actions::open_in_sight(pane, row);
            } else if is_expanded(&outline, &pane.choice.get_untracked(), row) {
                step(pane, 1);
            } else {
                pane::actions::toggle_nested(pane, row);
            }
        }
        None => step(pane, 1),
    }
}

/// Closes the selected row, hides its nested rows, or goes to its parent row.
pub fn collapse(pane: Pane) {
    let Some(row) = selected_row(pane) else { return };
    let outline = pane.trace.outline.get_untracked();
    let has_nested = outline.rows.nested.get(row) > 0;
    if pane.opened.with_untracked(|opened| opened.has(row)) {
        pane::actions::toggle_body(pane, row);
    } else if has_nested && is_expanded(&outline, &pane.choice.get_untracked(), row) {
        pane::actions::toggle_nested(pane, row);
    } else if pane.within.get_untracked() != Some(row) {
        let around = ancestors(&outline, row);
        let nearest = pane.lines.with_untracked(|lines| {
            let is_shown = |it: &u32| index_of(&outline, lines, Line::Row(*it)).is_ok();
            around.iter().copied().rev().find(is_shown)
        });
        if let Some(nearest) = nearest {
            pane::actions::select(pane, Line::Row(nearest));
        }
    }
}

/// Whether a row is the card of a sub-agent and its body is closed.
fn is_closed_card(pane: Pane, row: u32) -> bool {
    let outline = pane.trace.outline.get_untracked();
    if pane.opened.with_untracked(|opened| opened.has(row)) {
        return false;
    }
    pane.choice.with_untracked(|choice| card(&outline, choice, row).is_some())
}

/// Opens the selected row and moves into it.
pub fn enter(pane: Pane) {
    match pane.selected.get_untracked() {
        Some(line @ (Line::Fold(_) | Line::Notes(_) | Line::Misses(..))) => {
            pane::actions::toggle_line(pane, line)
        }
        Some(Line::Row(row)) if is_closed_card(pane, row) => {
            pane::agents::enter(pane, row);
        }
        Some(Line::Row(row)) => {
            pane::actions::open_in_sight(pane, row);
            leptos::task::spawn_local(async move {
                // The body is drawn a moment later.
                gloo_timers::future::TimeoutFuture::new(30).await;
                browser::focus_beginning(&format!("body-{row}"));
            });
        }
        None => step(pane, 1),
    }
}

/// Opens or closes the selected line.
pub fn toggle(pane: Pane) {
    match pane.selected.get_untracked() {
        Some(line) => pane::actions::toggle_line(pane, line),
        None => step(pane, 1),
    }
}

/// Goes to the next turn, or to the next row at this level in a run without turns.
pub fn turn(pane: Pane, forward: bool) {
    let outline = pane.trace.outline.get_untracked();
    let run = outline.runs.get(pane.run.get_untracked() as usize);
    let is_whole = pane.choice.with_untracked(|choice| choice.within.is_none());
    match run.filter(|_| is_whole).map(|run| outline.turns.of(run)).unwrap_or_default() {
        [] | [_] => sibling(pane, forward),
        turns => {
            let rows = turns.iter().map(|turn| turn.row);
            pane::actions::go_in(pane, rows, forward, "turn");
        }
    }
}

fn sibling(pane: Pane, forward: bool) {
    let Some(row) = selected_row(pane) else { return step(pane, 1) };
    let outline = pane.trace.outline.get_untracked();
    let depth = outline.rows.depths.get(row);
    let lines = pane.lines.get_untracked();
    let at = index_of(&outline, &lines, Line::Row(row)).unwrap_or_else(|at| at) as usize;
    let (before, behind) = lines.split_at(at.min(lines.len()));
    let beside = |other: &u32| *other != row && outline.rows.depths.get(*other) <= depth;
    let next = if forward {
        behind.iter().filter_map(|line| line.row()).find(beside)
    } else {
        before.iter().rev().filter_map(|line| line.row()).find(beside)
    };
    if let Some(next) = next {
        pane::actions::select(pane, Line::Row(next));
    }
}

/// Goes to the next or the previous possible loop.
pub fn finding(pane: Pane, forward: bool) {
    let run = pane.choice.with_untracked(|choice| choice.run);
    let rows = crate::runs::facts::loop_rows(&pane.trace.outline.get_untracked(), run);
    pane::actions::go_in(pane, rows.into_iter(), forward, text::POSSIBLE_LOOP);
}

/// Goes to the next or the previous error.
pub fn error(pane: Pane, forward: bool) {
    let outline = pane.trace.outline.get_untracked();
    let run = pane.choice.with_untracked(|choice| choice.run);
    let Some(run) = outline.runs.get(run as usize) else { return };
    let rows = run.first_row..run.first_row + run.n_rows;
    let rows = rows.filter(|row| has_failed(&outline, *row));
    pane::actions::go_in(pane, rows, forward, "error");
}

/// Opens the cause of the selected row's failure, or the nearest failed row before it.
pub fn cause(pane: Pane) {
    let outline = pane.trace.outline.get_untracked();
    let first = outline.runs.get(pane.run.get_untracked() as usize).map_or(0, |run| run.first_row);
    let here = pane.selected.get_untracked().map_or(first, |line| line.first_row(&outline));
    let inside = cause_of(&outline, here);
    let failed = (first..=inside).rev().find(|row| has_failed(&outline, *row));
    match failed {
        Some(row) => pane::actions::read(pane, cause_of(&outline, row)),
        None => tell(pane.page, text::NO_ERROR_HERE),
    }
}

/// Opens the last answer of the run.
pub fn last_answer(pane: Pane) {
    let outline = pane.trace.outline.get_untracked();
    let run = outline.runs.get(pane.run.get_untracked() as usize);
    match run.and_then(|run| jump_targets::last_answer(&outline, run)) {
        Some(row) => pane::actions::read(pane, row),
        None => tell(pane.page, text::NO_ANSWER),
    }
}
