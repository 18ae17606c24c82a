//! Two runs beside each other: what differs in numbers, and step by step.

use leptos::prelude::*;

use crate::app::pane::{Pane, pane};
use crate::app::trace::Trace;
use crate::event::compare::compare_rows;
use crate::glyph::glyph;
use crate::pane;
use crate::runs::outcome::outcome;
use crate::runs::parts::list_parts;
use crate::shared::Shared;
use crate::words::compare as text;
use crate::words::runs::short_outcome;
use traceloupe::model::EventKind;
use traceloupe::view::page::icon;
use traceloupe::view::page::look::look;
use traceloupe::view::page::run_pairs::{
    PairRow, Part, by_likeness, numbers_that_differ, pair_rows, stretches, telling,
};
use traceloupe::view::page::telling_names::{NARROW, telling_names};
use traceloupe::view::route::COMPARE;
use traceloupe::view::wire::outline::RunLine;
use traceloupe::view::wire::protocol::Request;
use traceloupe::view::wire::run_comparison::{Fate, PairLine, RunComparison};
use traceloupe::view::words;

/// So many lines are drawn at first, and so many more each time.
const AT_ONCE: usize = 400;

/// So many runs can be chosen from.
const MAX_RUNS: usize = 1_000;

/// Takes two aligned runs.
pub fn take_run_comparison(trace: Trace, comparison: RunComparison) {
    trace.statistics.compared.set(Some(Shared::new(comparison)));
}

/// The panel.
#[component]
pub fn Compare() -> impl IntoView {
    let pane = pane();
    let wanted = pane.trace.statistics.compared_with;
    let runs = Memo::new(move |_| {
        let first = pane.run.get();
        pane.trace.outline.with(|outline| {
            let is_there = |run: &u32| *run != first && (*run as usize) < outline.runs.len();
            let alike = || by_likeness(&outline.runs, first).first().copied().unwrap_or(0);
            (first, wanted.get().filter(is_there).unwrap_or_else(alike))
        })
    });
    let is_complete = Memo::new(move |_| pane.trace.outline.with(|it| it.complete));
    Effect::new(move |_| {
        let (first, second) = runs.get();
        if is_complete.get() {
            pane.trace.send(&Request::CompareRuns(first, second));
        }
    });
    let found = Memo::new(move |_| {
        let found = pane.trace.statistics.compared.get();
        found.filter(|found| found.runs == runs.get()).map(|found| {
            let lines = pane.trace.outline.with(|outline| telling(outline, &found.lines));
            Shared::new(RunComparison { lines, ..RunComparison::clone(&found) })
        })
    });
    let chosen = RwSignal::new(0_usize);
    let part = move || Part::ALL.get(chosen.get()).copied().unwrap_or_default();
    let parts = Memo::new(move |_| {
        let parts = found.get().map(|found| {
            let parts = (0..)
                .zip(Part::ALL)
                .map(|(at, part)| (at, text::part(part), part.count(&found.lines)));
            parts.filter(|it| it.2 > 0).collect::<Vec<_>>()
        });
        parts.unwrap_or_default()
    });
    let (n_drawn, set_n_drawn) = signal(AT_ONCE);
    let rows = Memo::new(move |_| {
        let rows = found.get().map(|found| pair_rows(&found.lines, part()));
        Shared::new(rows.unwrap_or_default())
    });
    let n_more = move || rows.with(|rows| rows.len()).saturating_sub(n_drawn.get());
    markup! {
        <div class="pairs">
            {choice(pane, runs)}
            {move || numbers(pane, runs.get())}
            <div class="pairs__bar">
                <span role="status">{move || match found.get() {
                    None => text::COMPARING.to_owned(),
                    Some(found) => text::said(&found.lines, found.n_left_out),
                }}</span>
                {list_parts(text::WHICH_STEPS, parts, chosen)}
            </div>
            {move || found.get().map(|found| strip(&found.lines))}
            <div class="pairs__head">
                {move || head(pane, "A", runs.get().0)}
                <span></span>
                {move || head(pane, "B", runs.get().1)}
            </div>
            <ol class="pairs__list" role="list" aria-label=text::STEPS>
                {move || {
                    let rows = rows.get();
                    let Some(found) = found.get() else { return Vec::new() };
                    rows.iter().take(n_drawn.get()).map(|row| row_view(pane, &found, *row)).collect()
                }}
            </ol>
            <Show when=move || { n_more() > 0 }>
                <button class="quiet block__more" on:click=move |_| set_n_drawn.update(|n| *n += AT_ONCE)>
                    {move || text::more(n_more())}
                </button>
            </Show>
        </div>
    }
}

/// The heading of a column: the letter and the title of its run.
fn head(pane: Pane, letter: &'static str, run: u32) -> impl IntoView {
    markup! {
        <div class="pairs__run"><b>{letter}</b><span class="pairs__title">{title(pane, run)}</span></div>
    }
}

/// The title of a run, without what all titles begin with.
fn title(pane: Pane, run: u32) -> Option<String> {
    pane.trace.outline.with(|it| {
        let names = telling_names(it.runs.iter().map(|run| run.title.as_str()), NARROW);
        let run = it.runs.get(run as usize)?;
        Some(names.get(run.title.as_str()).unwrap_or(&run.title).clone())
    })
}

/// All steps as a strip, coloured by how they differ.
fn strip(lines: &[PairLine]) -> impl IntoView + use<> {
    let pieces = stretches(lines).into_iter().map(|(fate, at, n)| {
        let piece = format!("M{at} 0h{n}v1h-{n}z");
        markup! { <path data-fate=text::fate(fate).0 d=piece></path> }
    });
    let view_box = format!("0 0 {} 1", lines.len().max(1));
    markup! {
        <svg class="pairs__strip" viewBox=view_box preserveAspectRatio="none" aria-hidden="true">{pieces.collect_view()}</svg>
    }
}

/// The two runs, the second of which can be chosen.
fn choice(pane: Pane, runs: Memo<(u32, u32)>) -> impl IntoView {
    let wanted = pane.trace.statistics.compared_with;
    let options = move || {
        let first = runs.get().0;
        pane.trace.outline.with(|outline| {
            let others = by_likeness(&outline.runs, first).into_iter();
            let others = others.filter_map(|at| Some((at, outline.runs.get(at as usize)?)));
            let names = telling_names(outline.runs.iter().map(|run| run.title.as_str()), NARROW);
            let option = |(at, run): (u32, &RunLine)| {
                let words = text::run(at, names.get(run.title.as_str()).unwrap_or(&run.title));
                markup! { <option value=at.to_string() prop:selected=move || runs.get().1 == at>{words}</option> }
            };
            others.take(MAX_RUNS).map(option).collect_view()
        })
    };
    let swap = move |_| {
        let (first, second) = runs.get_untracked();
        wanted.set(Some(first));
        pane::actions::choose_run(pane, second);
        pane::tabs::choose_tab(pane, COMPARE);
    };
    markup! {
        <div class="pairs__runs">
            <span class="pairs__run" data-run="1"><b>"A"</b><span class="pairs__title">{move || title(pane, runs.get().0)}</span></span>
            <button class="quiet" title=text::SWAP aria-label=text::SWAP on:click=swap>{glyph(icon::SWAP)}</button>
            <label class="pairs__run" data-run="2"><b>"B"</b><span class="sr">{text::OTHER_RUN}</span>
                <select on:change=move |event| wanted.set(event_target_value(&event).parse().ok())>{options}</select>
            </label>
        </div>
    }
}

/// The numbers in which two runs differ.
fn numbers(pane: Pane, (first, second): (u32, u32)) -> Option<impl IntoView> {
    pane.trace.outline.with(|outline| {
        let run = |at: u32| outline.runs.get(at as usize);
        let (first, second) = run(first).zip(run(second))?;
        let ended = |run: &RunLine| {
            let (status, words) = outcome(run, false);
            let short = short_outcome(status);
            if short.is_empty() { words } else { short }.to_owned()
        };
        let numbers = pane.trace.costs.with(|costs| numbers_that_differ(first, second, costs));
        let ended = (text::OUTCOME, ended(first), ended(second), String::new());
        let rows = std::iter::once(ended).chain(numbers);
        let rows = rows.map(|(label, one, other, change)| {
            markup! {
                <tr><th scope="row">{label}</th><td data-number="">{one}</td><td data-number="">{other}</td>
                    <td data-number="">{change}</td></tr>
            }
        });
        Some(markup! {
            <table class="grid pairs__numbers">
                <thead><tr><td></td><th scope="col">"A"</th><th scope="col">"B"</th>
                    <th scope="col">{text::DIFFERENCE}</th></tr></thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        })
    })
}

fn row_view(pane: Pane, found: &RunComparison, row: PairRow) -> AnyView {
    let at = match row {
        PairRow::Same(n) => {
            return markup! { <li class="pairs__gap">{text::the_same(n)}</li> }.into_any();
        }
        PairRow::Line(at) => at,
    };
    let Some(line) = found.lines.get(at as usize) else { return ().into_any() };
    let PairLine { first, second, fate, first_words, second_words } = line.clone();
    let second_words = if second_words.is_empty() { first_words.clone() } else { second_words };
    let rows = pane.trace.outline.with_untracked(|outline| {
        let row = |id: Option<u32>| id.and_then(|id| outline.row_of(id));
        (row(first), row(second))
    });
    let changes = rows.0.zip(rows.1).filter(|_| [Fate::Changed, Fate::OtherResult].contains(&fate));
    let (word, sign, said) = text::fate(fate);
    markup! {
        <li class="pairs__pair" data-fate=word>
            {side(pane, "1", rows.0, first_words)}
            <span class="pairs__fate">{match changes {
                None => markup! { <span title=said role="img" aria-label=said>{sign}</span> }.into_any(),
                Some((one, other)) => markup! {
                    <button class="quiet" title=text::SHOW_DIFFERENCE aria-label=said on:click=move |_| compare_rows(pane, other, one)>{sign}</button>
                }.into_any(),
            }}</span>
            {side(pane, "2", rows.1, second_words)}
        </li>
    }
    .into_any()
}

fn side(pane: Pane, which: &'static str, row: Option<u32>, said: String) -> impl IntoView {
    let step = row.map(|row| {
        let (number, (icon, look, _), duration) = pane.trace.outline.with_untracked(|outline| {
            let rows = &outline.rows;
            let kind = EventKind::from_code(rows.kinds.get(row));
            let number = row - outline.run_of(row).map_or(0, |(_, run)| run.first_row) + 1;
            let look = look(kind, outline.name(rows.names.get(row)));
            (number, look, words::duration(rows.durations_ms.get(row)))
        });
        // A tool call says its name first.
        let (name, said) = match said.split_once(" · ").filter(|_| look != "llm") {
            Some((name, said)) => (words::tool_name(name), said.to_owned()),
            None => (String::new(), said),
        };
        markup! {
            <button class="pairs__step" data-look=look on:click=move |_| pane::actions::jump(pane, row)>
                <span class="pairs__no">{number}</span>{glyph(icon.path())}
                <span class="pairs__words">{name}" "<span>{said}</span></span><span class="pairs__time">{duration}</span>
            </button>
        }
    });
    markup! { <div class="pairs__side" data-run=which>{step}</div> }
}
