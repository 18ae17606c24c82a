//! The turns of a run: the current one at the top of the list, and all of them beside it.

use crate::glyph::glyph;
use crate::reactive::{Memo, Show, live, memo};
use leptos::prelude::*;

use crate::app::pane::{Pane, pane};
use crate::pane;
use crate::timeline::bars::axis_view;
use crate::timeline::scrolling::Scrolling;
use traceloupe_core::model::WaitFor;
use traceloupe_view::icon::Icon;
use traceloupe_view::list::form::ListForm;
use traceloupe_view::list::line_view::tokens_in_out;
use traceloupe_view::list::visible_lines::{Choice, Line, index_of};
use traceloupe_view::turn_axis::TurnAxis;
use traceloupe_view::turns::Turn;
use traceloupe_words as words;
use traceloupe_words::counts;
use traceloupe_words::page::timeline as text;

/// The most turns that are listed.
pub const MAX_LISTED: usize = 100;

/// The turn whose header has scrolled out of the list while its rows are still visible.
pub fn stuck(pane: Pane, scrolling: Scrolling) -> Memo<Option<Turn>> {
    memo(move || {
        let is_flat = pane.choice.with(Choice::leaves_out);
        scrolling.position.with(|it| {
            let layout = &it.placed.layout;
            // When the next header has come half-way up, it takes over.
            let at = layout.line_at(it.top_px + layout.line_px() / 2.0);
            let outline = &it.placed.outline;
            let row = it.placed.lines.get(at as usize)?.first_row(outline);
            let turn = outline.turns.around(row).filter(|_| !is_flat)?;
            let header = index_of(outline, &it.placed.lines, Line::Row(turn.row)).ok()?;
            (layout.top_px(header) < it.top_px - 0.5).then_some(*turn)
        })
    })
}

/// The summary of a turn's message.
fn message(pane: Pane, row: u32) -> impl Fn() -> String + Copy {
    move || {
        let id = pane.trace.outline.with(|outline| outline.rows.ids.get(row));
        pane.trace.previews.text(id)
    }
}

/// The header of the current turn, at the top of the list.
#[component]
pub fn TurnBar(turn: Memo<Option<Turn>>) -> impl IntoView {
    let pane = pane();
    let bar = move |turn: Turn| {
        let words = message(pane, turn.row);
        let start_ms = pane.trace.outline.with(|outline| outline.rows.starts_ms.get(turn.row));
        let cost = live(move || {
            pane.trace.costs.with(|costs| words::cost(&costs.between(turn.row, turn.end)))
        });
        let calls = (turn.n_calls > 0).then(|| {
            let words = words::counted(u64::from(turn.n_calls), "call", "calls");
            markup! { <span class="badge" data-tone="dim">{words}</span> }
        });
        let has_axis = pane.form.get_untracked() == ListForm::Timeline;
        let axis = TurnAxis::of(turn.duration_ms).map(|axis| axis_view(axis, true));
        // Uses the columns of the header that it replaces.
        markup! {
            <button class="turnbar" title=text::TURN_TITLE
                on:click=move |_| pane::actions::go_to(pane, turn.row)>
                <span class="row__what">
                    <span class="row__turn"><span class="sr">{text::TURN}</span>{turn.number}</span>
                    <bdi class="row__sum">{words}</bdi>
                    {calls}
                </span>
                <span class="row__at">{words::time_of_day(start_ms)}</span>
                <span class="row__tok">{tokens_in_out(turn.tokens_in, turn.tokens_out, turn.is_lower_bound)}</span>
                <span class="row__cost">{cost}</span>
                <span class="row__dur">{words::duration(turn.duration_ms)}</span>
                {has_axis.then(|| markup! { <span class="row__bar" aria-hidden="true">{axis}</span> })}
            </button>
        }
    };
    live(move || turn.get().map(bar))
}

/// The number of rows of a turn in which the search has found something.
fn hits(pane: Pane, turn: Turn) -> Option<AnyView> {
    let n = pane.search.found.with(|found| found.n_rows_in(turn.row..turn.end));
    let title = counts::events_with_hits(n as u64);
    (n > 0).then(|| {
        markup! { <span class="badge" data-tone="hit" title=title>{n}</span>" " }.into_any()
    })
}

/// All turns of the run, if there are several.
#[component]
pub fn TurnList() -> impl IntoView {
    let pane = pane();
    let turns = memo(move || {
        let run = pane.run.get();
        pane.around.with(|outline| {
            let run = outline.runs.get(run as usize);
            run.map_or_else(Vec::new, |run| outline.turns.of(run).to_vec())
        })
    });
    let current = memo(move || {
        let (first, last) = pane.visible.get();
        pane.around.with(|outline| {
            let turn = outline.turns.around(first).map(|turn| turn.row);
            // There may be other rows above the first turn.
            turn.or_else(|| {
                let next = turns.with(|turns| turns.first().map(|turn| turn.row));
                next.filter(|row| *row <= last)
            })
        })
    });
    let item = move |turn: Turn| {
        let words = message(pane, turn.row);
        let is_current = move || (current.get() == Some(turn.row)).then_some("true");
        let idle = pane.trace.outline.with_untracked(|outline| {
            let (_, run) = outline.run_of(turn.row)?;
            run.idle_before_ms(outline.rows.starts_ms.get(turn.row))
        });
        let idle = idle.map(|ms| {
            markup! { <span class="side__idle">{words::waited(WaitFor::User, ms)}</span> }
        });
        markup! {
            <li>
                {idle}
                <button class="side__turn" aria-current=is_current title=words on:click=move |_| {
                    pane::actions::go_to(pane, turn.row);
                    pane.shows_side.set(false);
                }>
                    <span class="side__number">{turn.number}</span>
                    <bdi class="side__message">{words}</bdi>
                    <span class="side__n">
                        {move || hits(pane, turn)}
                        {has_loop(pane, turn).then(|| markup! {
                            <span class="side__loops" title=text::POSSIBLE_LOOP>{glyph(Icon::Loop.path())}<span class="sr">{text::POSSIBLE_LOOP}</span></span>
                        })}
                        {(turn.n_errors > 0).then(|| markup! {
                            <span class="side__errors" title=text::errors(turn.n_errors)>{glyph(Icon::Error.path())}<span class="sr">{text::errors(turn.n_errors)}</span></span>
                        })}
                        <span title=words::duration(turn.duration_ms)>{words::minutes(turn.duration_ms)}</span>
                    </span>
                </button>
            </li>
        }
    };
    markup! {
        <Show when=move || turns.with(|turns| turns.len() > 1)>
            <details class="side__part" open>
            <summary><h2>{text::TURNS}</h2><span class="side__of" aria-hidden="true">{move || turns.with(Vec::len)}</span></summary>
            <ul class="side__list side__turns" role="list" aria-label=text::TURNS>
                {move || turns.get().into_iter().take(MAX_LISTED).map(item).collect_view()}
            </ul>
            <Show when=move || turns.with(|turns| turns.len() > MAX_LISTED)>
                <p class="side__none">{move || counts::and_more(turns.with(Vec::len) - MAX_LISTED)}</p>
            </Show>
            </details>
        </Show>
    }
}

/// Whether a possible loop begins in a turn.
fn has_loop(pane: Pane, turn: Turn) -> bool {
    pane.trace.outline.with(|outline| {
        let mut loops = outline.findings.iter().filter(|it| it.is_loud() && it.repetitions() > 1);
        loops.any(|it| (turn.row..turn.end).contains(&it.first))
    })
}
