//! Finds the last change of the prompt: going back from the selected row, LLM calls are compared with the call before
//! them, until one has a different prompt.

use leptos::prelude::*;

use crate::app::notice::tell;
use crate::app::pane::Pane;
use crate::event::compare::show_changes;
use crate::pane::actions::read;
use traceloupe_protocol::comparison::{CompareRequest, Comparison};
use traceloupe_protocol::messages::Request;
use traceloupe_view::jump_targets::{calls_before, changes_prompt};
use traceloupe_words::page::event as text;

/// The most LLM calls that are compared.
const MOST: usize = 400;

/// Goes to the last LLM call before the selected row that was sent a different prompt than the call before it, and
/// shows the change.
pub fn find(pane: Pane) {
    let outline = pane.trace.outline.get_untracked();
    let run = outline.runs.get(pane.run.get_untracked() as usize);
    let Some(run) = run.filter(|run| run.n_rows > 0) else { return };
    let selected = pane.selected.get_untracked().map(|line| line.first_row(&outline));
    let from = match selected {
        // If a change is already shown, continue with the one before it.
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

/// Requests the comparison of the next LLM call, or reports that there is none.
fn ask_next(pane: Pane) {
    let next = pane.trace.contents.sought.with_value(|ids| ids.last().copied());
    match next {
        Some(id) => pane.trace.send(&Request::Compare(CompareRequest { id, with: None })),
        None => tell(pane.page, text::NO_CHANGE_OF_THE_PROMPT),
    }
}

/// Continues with a response, if it is the expected one.
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
            // A row that the user chose to compare with would hide the change.
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
