//! The list of hits, and marks in text.

use crate::glyph::glyph;
use crate::reactive::{Item, Memo, Show, effect, kept_list, live, memo};
use leptos::attr::custom::custom_attribute;
use leptos::prelude::*;

use crate::app::pane::{Pane, pane};
use crate::search::actions;
use crate::shared::Shared;
use traceloupe_protocol::hits::HitLine;
use traceloupe_search::Pattern;
use traceloupe_view::hits::marked;
use traceloupe_view::icon;
use traceloupe_view::list::line_view::row_name;
use traceloupe_words as words;
use traceloupe_words::counts;
use traceloupe_words::page::search as text;
use traceloupe_words::suspicious_chars;

/// How many hits are listed at first, and how many more each time.
const LIST_STEP: usize = 100;

/// The list of hits.
#[component]
pub fn HitList() -> impl IntoView {
    let pane = pane();
    let found = pane.search.found;
    let is_shown = memo(move || {
        pane.search.list_is_open.get() && pane.search.query.with(|query| !query.is_empty())
    });
    let (n_drawn, draw) = signal(LIST_STEP);
    effect(move || {
        pane.search.query.track();
        draw.set(LIST_STEP);
    });
    let n_listed = memo(move || found.with(|found| found.lines.len()));
    let generation = memo(move || found.with(|found| found.last.generation));
    let lines = move || {
        let generation = generation.get();
        let n = n_drawn.get().min(n_listed.get());
        let item = |at| Item::new((generation, at), move || markup! { <HitItem at/> });
        (0..n).map(item).collect()
    };
    let rest = move || n_listed.get().saturating_sub(n_drawn.get());
    let more = move || counts::show_more(rest().min(LIST_STEP));
    let cut = move || {
        found.with(|found| {
            let listed = found.lines.len() as u64;
            let total = found.last.total;
            (total > listed && rest() == 0).then(|| text::first_listed(listed, total))
        })
    };
    markup! {
        <Show when=move || is_shown.get()>
            <aside class="hits" aria-label=text::HITS>
                <header class="hits__head">
                    <h2>{move || found.with(actions::hits_in_words)}</h2>
                    <button class="quiet" aria-label=text::CLOSE_LIST on:click=move |_| actions::toggle_hits(pane)>{glyph(icon::CLOSE)}</button>
                </header>
                <ol class="hits__list" role="list">
                    {kept_list(lines)}
                </ol>
                <Show when=move || { rest() > 0 }>
                    <button class="quiet hits__more" on:click=move |_| draw.update(|n| *n += LIST_STEP)>{more}</button>
                </Show>
                <p class="hits__cut">{cut}</p>
            </aside>
        </Show>
    }
}

#[component]
fn HitItem(at: usize) -> impl IntoView {
    let pane = pane();
    let line = memo(move || {
        pane.search.found.with(|found| found.lines.get(at).cloned().unwrap_or_default())
    });
    let row = memo(move || {
        let id = line.with(|line| line.id)?;
        pane.trace.outline.with(|outline| outline.rows.row_of(id))
    });
    let is_current = move || {
        let selected =
            pane.selected.get().and_then(traceloupe_view::list::visible_lines::Line::row);
        (row.get().is_some() && selected == row.get()).then_some("true")
    };
    let place = move || match row.get() {
        Some(row) => pane.trace.outline.with(|outline| {
            let first = outline.run_of(row).map_or(0, |(_, run)| run.first_row);
            let number = words::count(u64::from(row - first) + 1);
            format!("{number} · {}", row_name(outline, row))
        }),
        None => {
            let HitLine { byte, .. } = line.get();
            text::no_event(byte)
        }
    };
    let text = move || {
        let [before, hit, after] = line.get().text;
        markup! { {before}<mark>{hit}</mark>{after} }
    };
    markup! {
        <li>
            <button class="hit" disabled=move || row.get().is_none() aria-current=is_current
                on:click=move |_| {
                    if let Some(row) = row.get_untracked() {
                        actions::show_listed(pane, row, at);
                    }
                }>
                <span class="hit__place">{place}</span>
                <bdi class="hit__text">{text}</bdi>
            </button>
        </li>
    }
}

/// A text with marks on hits while `marks` is true.
pub fn marked_text(
    pane: Pane,
    text: impl Fn() -> String + Send + Sync + 'static,
    marks: impl Fn() -> bool + Send + Sync + 'static,
) -> impl IntoView {
    live(move || match pane.search.pattern.get().filter(|_| marks()) {
        Some(pattern) => pieces(&text(), &pattern),
        None => text().into_any(),
    })
}

/// A text with marks on hits and on invisible characters.
pub fn text_pieces(text: &str, pattern: Option<&Shared<Pattern>>) -> AnyView {
    match pattern {
        Some(pattern) => pieces(text, pattern),
        None => visible(text),
    }
}

/// A text with marks on hits.
pub fn pieces(text: &str, pattern: &Shared<Pattern>) -> AnyView {
    let pieces = marked(text, pattern).into_iter().map(|(is_hit, text)| match is_hit {
        true => markup! { <mark>{visible(&text)}</mark> }.into_any(),
        false => visible(&text),
    });
    pieces.collect::<Vec<_>>().into_any()
}

/// A text with marks on characters that are invisible or that reorder others. The characters stay in the text, so that
/// a copy is exact. Each is isolated, so that it reorders nothing.
fn visible(text: &str) -> AnyView {
    let Some(pieces) = suspicious_chars::pieces(text) else { return text.to_owned().into_any() };
    let pieces = pieces.into_iter().map(|(name, text)| {
        let text = text.into_owned();
        match name {
            None => text.into_any(),
            Some(name) => {
                let code = name.split(' ').next().unwrap_or_default().to_owned();
                markup! {
                    <span class="odd-char" title={name} {..custom_attribute("data-code", code)}>{text}</span>
                }
                .into_any()
            }
        }
    });
    pieces.collect::<Vec<_>>().into_any()
}

/// The number of hits in a row and in the rows that it hides.
#[component]
pub fn RowHits(
    /// The event.
    id: u32,
    /// Its row.
    row: u32,
    /// Whether the rows nested in it are hidden.
    hides_nested: bool,
) -> impl IntoView {
    let pane = pane();
    let own = row_hits(pane, id);
    let inside = memo(move || {
        if !hides_nested {
            return 0;
        }
        let nested = pane.trace.outline.with(|outline| outline.rows.nested.get(row));
        pane.search.found.with(|found| found.n_rows_in(row + 1..row + 1 + nested))
    });
    live(move || {
        let mut said = Vec::new();
        if own.get() > 0 {
            said.push(counts::matches(u64::from(own.get())));
        }
        if inside.get() > 0 {
            said.push(text::inside(inside.get()));
        }
        hit_badge(&said)
    })
}

/// The number of hits in an event.
pub fn row_hits(pane: Pane, id: u32) -> Memo<u32> {
    memo(move || pane.search.found.with(|found| found.of_event(id)))
}

/// The number of hits in the rows that a fold line hides.
#[component]
pub fn FoldHits(
    /// The finding of the fold line.
    finding: u32,
) -> impl IntoView {
    let pane = pane();
    let inside = memo(move || {
        pane.trace.outline.with(|outline| {
            let folded = outline.findings.get(finding as usize).map(|it| it.folded.as_slice());
            pane.search.found.with(|found| {
                let rows = folded.filter(|_| !found.rows().is_empty()).unwrap_or_default();
                let of = |row: &u32| found.n_rows_in(*row..row + 1 + outline.rows.nested.get(*row));
                rows.iter().map(of).sum::<usize>()
            })
        })
    });
    live(move || {
        let n = inside.get();
        let said = (n > 0).then(|| counts::events_with_hits(n as u64));
        hit_badge(&Vec::from_iter(said))
    })
}

/// The number of hits in the rows that a line represents: notes, or a turn.
#[component]
pub fn RangeHits(
    /// The first row.
    first: u32,
    /// The row after the last one.
    end: u32,
) -> impl IntoView {
    let pane = pane();
    let inside = memo(move || pane.search.found.with(|found| found.n_rows_in(first..end)));
    live(move || {
        let n = inside.get();
        let said = (n > 0).then(|| counts::events_with_hits(n as u64));
        hit_badge(&Vec::from_iter(said))
    })
}

fn hit_badge(said: &[String]) -> Option<impl IntoView + use<>> {
    let words = said.join(", ");
    (!words.is_empty()).then(|| markup! { <span class="badge" data-tone="hit">{words}</span> })
}
