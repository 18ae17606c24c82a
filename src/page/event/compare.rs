//! The changes from an earlier event, either the default one or the one that the user chose.

use leptos::prelude::*;

use crate::app::notice::say;
use crate::app::pane::{Pane, pane};
use crate::app::trace::Trace;
use crate::event::body::{block_view, cutting};
use crate::event::values::{Cutting, Waiting};
use crate::pane::actions::{go_to, open_body};
use crate::reactive::{Memo, Show, effect, memo};
use crate::shared::Shared;
use traceloupe_core::text::patch::near_changes;
use traceloupe_protocol::comparison::{CompareRequest, Comparison};
use traceloupe_protocol::detail::ShownBlock;
use traceloupe_protocol::messages::Request;
use traceloupe_words::page::event as text;

/// How many lines around a change are shown beside a table of events.
const AROUND: usize = 2;

/// How many comparisons are kept.
const MAX_KEPT: usize = 50;

/// Opens a row with its changes.
pub fn show_changes(pane: Pane, row: u32) {
    open_body(pane, row);
    pane.trace.contents.wants_changes.set(Some(row));
}

/// Compares the event of a row with that of an earlier row.
pub fn compare_rows(pane: Pane, row: u32, with: u32) {
    let id = pane.trace.outline.with_untracked(|outline| outline.rows.ids.get(with));
    pane.trace.contents.chosen.set(Some(id));
    go_to(pane, row);
    show_changes(pane, row);
}

/// The changes from the event of one row to the event of another.
pub fn difference(pane: Pane, row: u32, before: u32) -> AnyView {
    let ids = pane.trace.outline.with_untracked(|it| [row, before].map(|row| it.rows.ids.get(row)));
    let request = CompareRequest { id: ids[0], with: Some(ids[1]) };
    let known = answer(pane, memo(move || request));
    let cutting = cutting(pane);
    let view = move || match known.get() {
        None => markup! { <Waiting/> }.into_any(),
        Some(comparison) => {
            // The table of events already contains the duration of each.
            let says_more = |block: &&ShownBlock| !matches!(block, ShownBlock::Grid(_, _, rows) if rows.len() == 1);
            let closely = |block: &ShownBlock| match block {
                ShownBlock::Diff(role, lines) => {
                    ShownBlock::Diff(role.clone(), near_changes(lines, AROUND))
                }
                block => block.clone(),
            };
            let blocks = comparison.blocks.iter().filter(says_more).map(closely).collect();
            blocks_view(&Comparison { blocks, ..Comparison::clone(&comparison) }, cutting)
        }
    };
    markup! { <div class="body__blocks">{view}</div> }.into_any()
}

/// The response to a request, which is sent if the response is not available.
fn answer(pane: Pane, request: Memo<CompareRequest>) -> Memo<Option<Shared<Comparison>>> {
    let contents = pane.trace.contents;
    let known = memo(move || contents.comparisons.with(|it| it.get(&request.get()).cloned()));
    effect(move || {
        if known.with(Option::is_none) {
            pane.trace.send(&Request::Compare(request.get()));
        }
    });
    known
}

fn blocks_view(comparison: &Comparison, cutting: Cutting) -> AnyView {
    let blocks = comparison.blocks.iter().map(|block| block_view(block, cutting)).collect_view();
    let is_same = comparison.blocks.is_empty();
    let same = is_same.then(|| markup! { <p class="body__wait">{text::NOTHING_DIFFERS}</p> });
    markup! { {blocks}{same} }.into_any()
}

/// Chooses the row that other rows are compared with.
pub fn choose(pane: Pane, row: u32) {
    let id = pane.trace.outline.with_untracked(|outline| outline.rows.ids.get(row));
    pane.trace.contents.chosen.set(Some(id));
    say(pane.page, text::CHOSEN_TO_COMPARE);
}

/// Takes the differences between two events.
pub fn take_comparison(trace: Trace, comparison: Comparison) {
    trace.contents.comparisons.update(|known| {
        if known.len() >= MAX_KEPT {
            known.clear();
        }
        known.insert(comparison.request, Shared::new(comparison));
    });
}

/// The changes between an event and the one that it is compared with.
#[component]
pub fn Changes(
    /// The row of the event.
    row: u32,
    /// Its id.
    id: u32,
) -> impl IntoView {
    let pane = pane();
    let contents = pane.trace.contents;
    let request = memo(move || {
        let with = contents.chosen.get().filter(|chosen| *chosen != id);
        CompareRequest { id, with }
    });
    let known = answer(pane, request);
    let is_chosen = move || contents.chosen.get() == Some(id);
    markup! {
        <div class="body__blocks">
            {move || match known.get() {
                None => markup! { <Waiting/> }.into_any(),
                Some(comparison) => comparison_view(pane, id, &comparison),
            }}
            <p class="compare__choose">
                <Show when=move || contents.chosen.get().is_none()>
                    <button class="quiet" on:click=move |_| choose(pane, row)>{text::COMPARE_OTHERS}</button>
                </Show>
                <Show when=move || contents.chosen.get().is_some()>
                    <span>{move || is_chosen().then_some(text::IS_COMPARED_WITH)}</span>
                    <button class="quiet" on:click=move |_| contents.chosen.set(None)>{text::COMPARE_AS_BEFORE}</button>
                </Show>
            </p>
        </div>
    }
}

fn comparison_view(pane: Pane, id: u32, comparison: &Comparison) -> AnyView {
    let Some(before) = comparison.before else {
        return markup! { <p class="body__wait">{text::NOTHING_TO_COMPARE}</p> }.into_any();
    };
    let other = if before == id { comparison.after } else { before };
    let (words, other_row) = pane.trace.outline.with_untracked(|outline| {
        let row = outline.row_of(other);
        let name = row.map(|row| outline.name(outline.rows.names.get(row)).to_owned());
        let number =
            row.map_or(0, |row| row - outline.run_of(row).map_or(0, |(_, run)| run.first_row) + 1);
        (text::event_by_number(number, &name.unwrap_or_default()), row)
    });
    let reason = text::reason(comparison.reason, before != id);
    markup! {
        <p class="compare__with">
            {text::COMPARED_WITH}
            <button class="quiet" on:click=move |_| if let Some(row) = other_row { go_to(pane, row) }>{words}</button>
            <span class="compare__why">{reason}</span>
        </p>
        {blocks_view(comparison, cutting(pane))}
    }
    .into_any()
}
