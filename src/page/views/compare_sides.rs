//! The two runs of a comparison: their names and outcomes, and their numbers side by side.

use leptos::prelude::*;

use crate::app::pane::Pane;
use crate::event::change::lines_changed;
use crate::glyph::glyph;
use crate::pane::tabs::compare_two;
use crate::reactive::{Memo, live};
use crate::runs::outcome::outcome_badge;
use traceloupe_protocol::outline::RunLine;
use traceloupe_protocol::run_comparison::FilePair;
use traceloupe_view::compared_figures::{NumberRow, calls_of_both, numbers_of_both};
use traceloupe_view::run_models::models_of;
use traceloupe_view::run_pairs::by_likeness;
use traceloupe_view::shared_turns::{SharedPart, until};
use traceloupe_view::short_names::{NARROW, telling_names};
use traceloupe_words as words;
use traceloupe_words::page::compare as text;
use traceloupe_words::page::statistics::CALLS_BY_TOOL;

/// How many runs can be chosen from.
const MAX_RUNS: usize = 1_000;

/// One of the two runs, as a choice, with its outcome, model and start.
pub fn run_head(pane: Pane, runs: Memo<(u32, u32)>, is_first: bool) -> AnyView {
    let own = move || if is_first { runs.get().0 } else { runs.get().1 };
    let options = live(move || {
        // The order of the choices for the first run does not depend on the current choice.
        let first = if is_first { None } else { Some(runs.get().0) };
        pane.trace.outline.with(|outline| {
            let order = match first {
                Some(first) => by_likeness(&outline.runs, first),
                None => (0..).take(outline.runs.len()).collect(),
            };
            let order = order.into_iter().take(MAX_RUNS);
            let others = order.filter_map(|at| Some((at, outline.runs.get(at as usize)?)));
            let others = others.filter(|(_, run)| outline.is_listed(run));
            let names = telling_names(outline.runs.iter().map(|run| run.title.as_str()), NARROW);
            let option = |(at, run): (u32, &RunLine)| {
                let words = text::run(at, names.get(run.title.as_str()).unwrap_or(&run.title));
                markup! { <option value=at.to_string() prop:selected=move || own() == at>{words}</option> }
            };
            others.map(option).collect_view()
        })
    });
    let facts = move || {
        let (outline, at) = (pane.trace.outline.get(), own());
        let run = outline.runs.get(at as usize)?;
        let has_loops = outline.findings.iter().any(|it| it.run == at && it.is_loud());
        let (model, start) = (models_of(&outline, run), words::stamp_of_minute(run.start_ms));
        let facts = |start: &str| text::joined(&model, start);
        let (said, title) = (facts(start.get(..10).unwrap_or_default()), facts(&start));
        Some(markup! {
            {outcome_badge(run, has_loops, outline.is_live)}<span class="pairs__facts" title=title>{said}</span>
        })
    };
    let choose = move |event| {
        let Ok(chosen) = event_target_value(&event).parse::<u32>() else { return };
        let (first, second) = runs.get_untracked();
        match is_first {
            // The user has chosen the other run for this side, so the two runs swap places.
            true => compare_two(pane, (chosen, if chosen == second { first } else { second })),
            false => pane.trace.statistics.compared_with.set(Some(chosen)),
        }
    };
    let (letter, label) = if is_first { ("A", text::FIRST_RUN) } else { ("B", text::OTHER_RUN) };
    markup! {
        <div class="pairs__run" data-run=if is_first { "1" } else { "2" }>
            <b>{letter}</b><select aria-label=label on:change=choose>{options}</select>{facts}
        </div>
    }
    .into_any()
}

/// The numbers of both runs, how often each called its tools, and what they did to files. If one run continues after
/// the last turn that both have, only the common part is counted, until the user requests the whole runs.
pub fn numbers(
    pane: Pane,
    runs: (u32, u32),
    known: Option<(Option<SharedPart>, Vec<FilePair>)>,
) -> AnyView {
    let outline = pane.trace.outline.get();
    let (part, files) = known.unwrap_or_default();
    let is_whole = pane.trace.statistics.compares_whole.get();
    let run = |at: u32| outline.runs.get(at as usize);
    let Some((first, second)) = run(runs.0).zip(run(runs.1)) else { return ().into_any() };
    let cut = part.filter(|_| !is_whole).map(|it| {
        [(first, it.ends[0]), (second, it.ends[1])].map(|(run, end)| until(&outline, run, end))
    });
    let both = cut.as_ref().map_or([first, second], |[one, other]| [one, other]);
    let numbers = pane.trace.costs.with(|costs| numbers_of_both(&outline, both, costs));
    let calls = calls_of_both(&outline, both);
    let counted = part.map(|part| {
        let (said, act) = match is_whole {
            true => (text::COUNTED_WHOLE.to_owned(), text::COUNT_SHARED),
            false => (text::counted_to(part.turn, part.first_stops), text::COUNT_WHOLE),
        };
        markup! {
            <p class="pairs__counted">{said}" "
                <button class="quiet" on:click=move |_| pane.trace.statistics.compares_whole.set(!is_whole)>{act}</button></p>
        }
    });
    let signs: Vec<AnyView> = text::signs()
        .into_iter()
        .map(|(sign, said)| markup! { <dt>{sign}</dt><dd>{said}</dd> }.into_any())
        .collect();
    markup! {
        <div class="pairs__numbers">
            {table(text::DIFFERENCES, numbers, false)}
            {counted}
            <dl class="pairs__signs" aria-label=text::SIGNS>{signs}</dl>
            {(!calls.is_empty()).then(|| table(CALLS_BY_TOOL, calls, true))}
            {(!files.is_empty()).then(|| files_table(&files))}
        </div>
    }
    .into_any()
}

/// How many files are listed.
const MAX_FILES: usize = 12;

/// The files that the runs have changed, with the net number of changed lines for each run.
fn files_table(files: &[FilePair]) -> AnyView {
    let line = |file: &FilePair| {
        let lines = file.both.map(|both| match both {
            Some((added, removed)) => {
                let lines = lines_changed(added as usize, removed as usize);
                markup! { <span class="row__lines">{lines}</span> }.into_any()
            }
            None => "–".into_any(),
        });
        let (sign, said) = match file.is_same {
            Some(true) => ("=", text::SAME_LINES),
            Some(false) => ("≠", text::OTHER_LINES),
            None => ("", ""),
        };
        let (folder, name) = words::folder_and_name(&file.path);
        let (folder, name, title) = (folder.to_owned(), name.to_owned(), file.path.clone());
        let [one, other] = lines;
        markup! {
            <tr><th scope="row" title=title><span class="pairs__file"><bdi><span class="row__folder">{folder}</span>{name}</bdi></span></th>
                <td>{one}</td><td>{other}</td><td title=said data-sign=sign>{sign}</td></tr>
        }
        .into_any()
    };
    let lines: Vec<AnyView> = files.iter().take(MAX_FILES).map(line).collect();
    let n_more = files.len().saturating_sub(MAX_FILES);
    markup! {
        <table class="pairs__files" title=text::FILES_TITLE>
            <caption>{text::FILES_AT_THE_END}</caption>
            <thead class="sr"><tr><td></td><th scope="col">"A"</th><th scope="col">"B"</th><td></td></tr></thead>
            <tbody>{lines}</tbody>
        </table>
        {(n_more > 0).then(|| markup! { <p class="pairs__counted">{text::more(n_more)}</p> })}
    }
    .into_any()
}

/// A table of numbers. A table below another one with the same columns shows no column headings.
fn table(caption: &'static str, rows: Vec<NumberRow>, is_below: bool) -> AnyView {
    let mut lines: Vec<AnyView> = Vec::with_capacity(rows.len());
    for row in rows {
        let NumberRow { label, look, both: [one, other], change, is_better } = row;
        let look = look.map(|(icon, look)| markup! { <i data-look=look>{glyph(icon.path())}</i> });
        let change = if change.is_empty() && one == other { "=".to_owned() } else { change };
        let tone = is_better.map(|it| if it { "better" } else { "worse" });
        let line = markup! {
            <tr><th scope="row"><span>{look}{label}</span></th><td>{one}</td><td>{other}</td>
                <td data-tone=tone>{change}</td></tr>
        };
        lines.push(line.into_any());
    }
    markup! {
        <table>
            <caption>{caption}</caption>
            <thead class=is_below.then_some("sr")><tr><td></td><th scope="col">"A"</th><th scope="col">"B"</th><th scope="col">{text::CHANGE}</th></tr></thead>
            <tbody>{lines}</tbody>
        </table>
    }
    .into_any()
}
