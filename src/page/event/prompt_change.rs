//! The way to the last change of the prompt: LLM calls are compared with the one before them, back from the selected
//! row, until one was sent something else.

use leptos::prelude::*;

use crate::app::notice::tell;
use crate::app::pane::Pane;
use crate::event::compare::show_changes;
use crate::pane::actions::read;
use traceloupe_protocol::comparison::{CompareRequest, Comparison};
use traceloupe_protocol::messages::Request;
use traceloupe_view::signposts::{calls_before, changes_prompt};
use traceloupe_words::page::event as text;

/// So many LLM calls are looked at.
const MOST: usize = 400;

/// Goes to the last LLM call before the selected row that was sent another prompt than the call before it, and shows
/// what changed.
pub fn find(pane: Pane) {
    let outline = pane.trace.outline.get_untracked();
    let run = outline.runs.get(pane.run.get_untracked() as usize);
    let Some(run) = run.filter(|run| run.n_rows > 0) else { return };
    let selected = pane.selected.get_untracked().map(|line| line.first_row(&outline));
    let from = match selected {
        // From a change, the way leads to the one before it.
        Some(row) if row > run.first_row => row - 1,
        Some(row) => row,
        None => run.first_row + run.n_rows - 1,
    };
    let mut ids: Vec<u32> =
        calls_before(&outline, from).take(MOST).map(|row| outline.rows.ids.get(row)).collect();
    ids.reverse();
    pane.trace.contents.sought.set_value(ids);
    ask_next(pane);
}

/// Asks about the next LLM call, and says if there is none.
fn ask_next(pane: Pane) {
    let next = pane.trace.contents.sought.with_value(|ids| ids.last().copied());
    match next {
        Some(id) => pane.trace.send(&Request::Compare(CompareRequest { id, with: None })),
        None => tell(pane.page, text::NO_CHANGE_OF_THE_PROMPT),
    }
}

/// Goes on with an answer, if it is the one that is awaited.
pub fn arrived(pane: Pane, comparison: &Comparison) {
    let sought = pane.trace.contents.sought;
    let CompareRequest { id, with } = comparison.request;
    if with.is_some() || sought.with_value(|ids| ids.last() != Some(&id)) {
        return;
    }
    let row = pane.trace.outline.with_untracked(|outline| outline.row_of(id));
    match row.filter(|_| changes_prompt(comparison)) {
        Some(row) => {
            sought.update_value(Vec::clear);
            // A row that the reader chose to compare with would hide the change.
            pane.trace.contents.chosen.set(None);
            show_changes(pane, row);
            read(pane, row);
        }
        None => {
            sought.update_value(|ids| _ = ids.pop());
            ask_next(pane);
        }
    }
}
