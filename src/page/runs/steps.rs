//! A list of steps of the run with amounts: the slowest steps, or those that added most to the context.

use leptos::prelude::*;

use crate::app::pane::{Pane, pane};
use crate::glyph::glyph;
use crate::pane;
use crate::reactive::live;
use crate::timeline::previews::want_also;
use traceloupe_core::model::EventKind;
use traceloupe_view::look::look;
use traceloupe_view::statistics::slowest;
use traceloupe_words as words;
use traceloupe_words::page::statistics as text;

/// How many of the slowest steps are listed.
const N_SLOWEST: usize = 8;

/// A list of rows with words and an amount. A click goes to the row.
pub fn step_list(pane: Pane, steps: Vec<(u32, String, String)>) -> AnyView {
    let step = |(row, said, amount): (u32, String, String)| {
        let (number, (icon, look)) = pane.around.with_untracked(|outline| {
            let rows = &outline.rows;
            let kind = EventKind::from_code(rows.kinds.get(row));
            let first = outline.run_of(row).map_or(0, |(_, run)| run.first_row);
            (row - first + 1, look(kind, outline.name(rows.names.get(row))))
        });
        let title = said.clone();
        markup! {
            <li data-look=look>
                <button class="quiet" title=title on:click=move |_| pane::actions::jump(pane, row)>
                    <small>{number}</small>{glyph(icon.path())}<span>{said}</span></button>
                <b>{amount}</b>
            </li>
        }
    };
    let steps = steps.into_iter().map(step).collect_view();
    markup! { <ol class="steps" role="list">{steps}</ol> }.into_any()
}

/// The steps that took longest.
#[component]
pub fn Slowest() -> impl IntoView {
    let pane = pane();
    live(move || {
        let outline = pane.around.get();
        let run = outline.runs.get(pane.run.get() as usize)?;
        let step = |row: u32| {
            let id = outline.rows.ids.get(row);
            want_also(pane.trace, id);
            let name = words::tool_name(outline.name(outline.rows.names.get(row)));
            let said = text::step(&name, &pane.trace.previews.text(id));
            (row, said, words::duration(outline.rows.durations_ms.get(row)))
        };
        let steps: Vec<_> = slowest(&outline, run, N_SLOWEST).into_iter().map(step).collect();
        if steps.is_empty() {
            return None;
        }
        let steps = step_list(pane, steps);
        Some(
            markup! { <section class="stats__card"><h2>{text::SLOWEST_STEPS}</h2>{steps}</section> },
        )
    })
}
