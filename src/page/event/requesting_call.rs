//! A link from an opened call to the LLM call that requested it, which may have no line of its own.

use leptos::prelude::*;

use crate::app::pane::pane;
use crate::pane;
use traceloupe_core::model::EventKind;
use traceloupe_view::row_columns::NO_ROW;
use traceloupe_words::page::event as text;

/// A link to the LLM call that a tool call is nested in; nothing for other rows.
#[component]
pub fn AskedBy(row: u32) -> impl IntoView {
    let pane = pane();
    let asked = pane.trace.outline.with_untracked(|outline| {
        let (rows, asked) = (&outline.rows, outline.rows.parents.get(row));
        let is_call = rows.kinds.get(row) == EventKind::ToolCall as u8
            && asked != NO_ROW
            && rows.kinds.get(asked) == EventKind::LlmCall as u8;
        let first = outline.run_of(row).map_or(0, |(_, run)| run.first_row);
        is_call.then(|| (asked, asked - first + 1))
    });
    asked.map(|(asked, number)| {
        markup! {
            <button class="quiet asked__by" on:click=move |_| pane::actions::jump(pane, asked)>
                {text::asked_by(number)}
            </button>
        }
    })
}
