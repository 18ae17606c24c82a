//! Links from an opened call to the other calls of its possible loop.

use leptos::prelude::*;

use crate::app::pane::pane;
use crate::pane;
use traceloupe_view::evidence::rows_of;
use traceloupe_words::counts;
use traceloupe_words::page::event as text;

/// The most repetitions that are linked.
const MAX_LINKS: usize = 8;

/// Links to the other repetitions of a call; nothing for a call that was not repeated.
#[component]
pub fn Repeats(row: u32) -> impl IntoView {
    let pane = pane();
    let (fails, others) = pane.trace.outline.with_untracked(|outline| {
        let has = |line: &&_| rows_of(line).any(|it| it == row);
        let found =
            outline.findings.iter().filter(|it| it.is_loud() && it.block_len() == 1).find(has);
        let others = found.into_iter().flat_map(rows_of).filter(|it| *it != row);
        let first = outline.run_of(row).map_or(0, |(_, run)| run.first_row);
        let others = others.map(|it| (it, it - first + 1)).collect::<Vec<_>>();
        (found.is_some_and(|it| it.fails()), others)
    });
    let n_more = others.len().saturating_sub(MAX_LINKS);
    let links = others.into_iter().take(MAX_LINKS).map(|(other, number)| {
        markup! { <button class="quiet" on:click=move |_| pane::actions::jump(pane, other)>{number}</button> }
    });
    let links = links.collect::<Vec<_>>();
    (!links.is_empty()).then(|| {
        let more = (n_more > 0).then(|| counts::and_more(n_more));
        markup! { <span class="asked__repeats">{text::repeats(fails)}{links}{more}</span> }
    })
}
