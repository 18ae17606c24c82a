//! Statistics: where time and tokens of a run went, how often each model, tool and agent was called, the calls of each
//! turn and of each file, and how runs differ.

use crate::words::counts;
use crate::words::filter as filter_words;
use crate::words::runs as text;
use leptos::prelude::*;

use crate::app::pane::{Pane, pane};
use crate::app::trace::Trace;
use crate::browser;
use crate::pane;
use crate::pane::filtering;
use crate::runs::context::ContextOverCalls;
use crate::runs::files::want_files;
use crate::runs::sort_head::{SortedBy, sort_head};
use crate::runs::spent::TimeSpent;
use crate::runs::steps::Slowest;
use crate::runs::summary::Summary;
use crate::runs::switch::switch;
use crate::shared::Shared;
use crate::timeline::previews::want_also;
use traceloupe::model::EventKind;
use traceloupe::view::page::calls_table::{
    CACHED, COST, CallsTable, N_COLUMNS, TIME, TOKENS_IN, TOKENS_OUT,
};
use traceloupe::view::page::files_touched::{CallRow, file_lines, may_name_files};
use traceloupe::view::page::look::look;
use traceloupe::view::page::prices::Sum;
use traceloupe::view::page::query::Key;
use traceloupe::view::page::statistics::{
    BY_AGENT, BY_FILE, BY_MODEL, BY_TOOL, BY_TURN, MEASURES, group, line_of_file, line_of_turn,
    over_runs, turns_of,
};
use traceloupe::view::wire::protocol::Request;
use traceloupe::view::wire::statistics::{CallsLine, PERCENTILES, ShownSpread};
use traceloupe::view::wire::turns::Turn;
use traceloupe::view::words;

/// The columns of the table beside the others.
const FEW_COLUMNS: &[usize] = &[0, TOKENS_IN, COST];

/// The columns of all other tables.
const ALL_COLUMNS: &[usize] = &[0, 1, 2, TIME, 4, 5, 6, 7, 8, TOKENS_IN, CACHED, TOKENS_OUT, COST];

/// The columns of turns: each is one, so that nothing spreads.
const TURN_COLUMNS: &[usize] = &[0, 1, TIME, TOKENS_IN, TOKENS_OUT, COST];

/// The length of the longest bar in pixels.
const BAR: f64 = 84.0;

/// The unit of lengths on the screen.
const PX: &str = "px";

/// Requests the statistics of a run, or of all runs. Those of the same are shown until the answer is there.
fn want_statistics(trace: Trace, run: Option<u32>) {
    if trace.statistics.asked_for.get_value() != run {
        trace.statistics.lines.set(None);
    }
    trace.statistics.asked_for.set_value(run);
    trace.send(&Request::Statistics(run));
}

/// Takes the statistics of a run, or of all runs, if they are still wanted.
pub fn take_statistics(trace: Trace, run: Option<u32>, lines: Vec<CallsLine>) {
    let state = trace.statistics;
    if run == state.asked_for.get_value() {
        let by = state.by.get_untracked();
        let has_turns = run.is_some_and(|run| {
            trace.outline.with_untracked(|outline| !turns_of(outline, run).is_empty())
        });
        let is_there = match by {
            BY_TURN => has_turns,
            BY_FILE => run.is_some_and(|run| has_files(trace, run)),
            by => lines.iter().any(|it| group(it) == by),
        };
        if let Some(first) = lines.first().filter(|_| !is_there) {
            state.by.set(group(first));
        }
        state.lines.set(Some(lines));
    }
}

/// The view.
#[component]
pub fn Statistics() -> impl IntoView {
    let pane = pane();
    let state = pane.trace.statistics;
    let n_runs = move || pane.trace.outline.with(|outline| outline.runs.len());
    let is_all = move || state.of_all.get() == 1 && n_runs() > 1;
    Effect::new(move |_| {
        // Asked again while a file is read, or grows.
        pane.around.track();
        want_statistics(pane.trace, (!is_all()).then(|| pane.run.get()));
    });
    Effect::new(move |_| {
        if state.by.get() == BY_FILE && !is_all() {
            pane.trace.outline.with(|it| it.complete);
            want_files(pane.trace, pane.run.get());
        }
    });
    let groups = move || {
        let lines = state.lines.get().unwrap_or_default();
        let all = [
            (BY_TOOL, filter_words::TOOL),
            (BY_MODEL, filter_words::MODEL),
            (BY_AGENT, filter_words::AGENT),
            (BY_TURN, text::TURN),
            (BY_FILE, filter_words::FILE),
        ];
        let has_turns =
            !is_all() && pane.around.with(|it| !turns_of(it, pane.run.get()).is_empty());
        let filled = |it: &(u8, &'static str)| match it.0 {
            BY_TURN => has_turns,
            BY_FILE => !is_all() && has_files(pane.trace, pane.run.get()),
            by => lines.iter().any(|line| group(line) == by),
        };
        let filled: Vec<_> = all.into_iter().filter(filled).collect();
        switch(state.by, text::CALLS_BY, &filled)
    };
    let calls = move || match state.by.get() {
        BY_TURN => calls_table(pane, BY_TURN, TURN_COLUMNS, state.sorted),
        by => calls_table(pane, by, ALL_COLUMNS, state.sorted),
    };
    let by_cost = SortedBy::new(Some((COST, false)));
    let models = move || calls_table(pane, BY_MODEL, FEW_COLUMNS, by_cost);
    markup! {
        <div class="stats" data-several=move || (n_runs() > 1).to_string()
            data-all=move || is_all().to_string()>
            {switch(state.of_all, text::RUNS_TO_COUNT, &[(0, text::THIS_RUN), (1, text::ALL_RUNS)])}
            <div class="stats__run"><TimeSpent/><ContextOverCalls/></div>
            <div class="stats__pair">
                <section class="stats__card">
                    <div class="stats__head"><h2>{text::CALLS_BY}</h2>{groups}</div>
                    {calls}
                </section>
                <div class="stats__side">
                    <section class="stats__card"><h2>{text::BY_MODEL}</h2>{models}</section>
                    <div class="stats__run"><Slowest/></div>
                </div>
            </div>
            {move || is_all().then(|| runs_table(n_runs()))}
            <Summary/>
        </div>
    }
}

fn heads(first: &[&'static str]) -> impl IntoView + use<> {
    let spread = [text::MEAN.to_owned()].into_iter().chain(PERCENTILES.map(|p| format!("P{p}")));
    let all = first.iter().map(|&head| head.to_owned()).chain(spread);
    all.map(|head| markup! { <th scope="col">{head}</th> }).collect_view()
}

fn number(text: String) -> impl IntoView {
    markup! { <td class="number">{text}</td> }
}

fn spread(spread: &ShownSpread, write: impl Fn(f64) -> String) -> impl IntoView {
    let values = [spread.mean].into_iter().chain(spread.percentiles);
    let n = spread.n;
    values.map(|value| number(if n == 0 { String::new() } else { write(value) })).collect_view()
}

/// The look of the calls of a line.
fn look_of(line: &CallsLine) -> &'static str {
    let kinds = [EventKind::ToolCall, EventKind::LlmCall, EventKind::Span];
    if group(line) == BY_TURN {
        return look(EventKind::UserMessage, "").1;
    }
    let kind = kinds.into_iter().find(|kind| words::plural(*kind) == line.kind);
    look(kind.unwrap_or(EventKind::Agent), &line.name).1
}

/// The number and the message of a turn, by its place among those of the run. They lead to it.
fn turn_named(pane: Pane, at: usize) -> AnyView {
    let turn = pane.around.with_untracked(|outline| {
        let turn = turns_of(outline, pane.run.get_untracked()).get(at)?;
        Some((turn.number, turn.row, outline.rows.ids.get(turn.row)))
    });
    let Some((number, row, id)) = turn else { return ().into_any() };
    want_also(pane.trace, id);
    let message = move || pane.trace.previews.text(id);
    markup! {
        <button class="quiet named stats__turn" title=message on:click=move |_| pane::actions::jump(pane, row)>
            <small class="stats__number">{number}</small>" "<bdi>{message}</bdi></button>
    }
    .into_any()
}

/// The name of a tool, a model or an agent, which shows only its calls.
fn called(pane: Pane, line: &CallsLine) -> impl IntoView + use<> {
    let is_tool = line.kind == words::plural(EventKind::ToolCall);
    let (key, kind) = match group(line) {
        BY_MODEL => (Key::Model, ""),
        BY_AGENT => (Key::Agent, ""),
        BY_FILE => (Key::File, ""),
        _ if is_tool => (Key::Tool, ""),
        // Others are told apart by their kind only.
        _ => (Key::Name, line.kind.as_str()),
    };
    let name = line.name.clone();
    let shown = match name.as_str() {
        "" => counts::NO_NAME.to_owned(),
        name if is_tool => words::tool_name(name),
        name => name.to_owned(),
    };
    let title = filter_words::filter_by(key.word(), &name);
    markup! {
        <button class="quiet named" title=title on:click=move |_| {
            filtering::show_only(pane, key, &name);
            browser::focus_timeline();
        }><code>{shown}</code></button>" "<small>{kind.to_owned()}</small>
    }
}

/// Whether calls of a run may name files.
fn has_files(trace: Trace, run: u32) -> bool {
    trace.outline.with(|outline| {
        let run = outline.runs.get(run as usize);
        run.is_some_and(|run| may_name_files(outline, run))
    })
}

/// The lines of a group, with what the calls of each cost.
fn lines_of(pane: Pane, by: u8) -> Option<(Vec<CallsLine>, Vec<Sum>)> {
    if by == BY_TURN {
        let outline = pane.around.get();
        let turns = turns_of(&outline, pane.run.get());
        let cost = |turn: &Turn| pane.trace.costs.with(|it| it.between(turn.row, turn.end));
        return Some(turns.iter().map(|turn| (line_of_turn(turn), cost(turn))).unzip());
    }
    if by == BY_FILE {
        let outline = pane.trace.outline.get();
        let found = pane.trace.statistics.files.get();
        let (files, _) = file_lines(&found, |id| CallRow::of(&outline, id));
        let lines: Vec<CallsLine> = files.iter().map(|file| line_of_file(&outline, file)).collect();
        let sums = vec![Sum::default(); lines.len()];
        return (found.done || !lines.is_empty()).then_some((lines, sums));
    }
    let mut lines = pane.trace.statistics.lines.get()?;
    lines.retain(|line| group(line) == by);
    let run = pane.trace.statistics.asked_for.get_value();
    let sums = lines.iter().map(|line| cost_of(pane.trace, run, line)).collect();
    Some((lines, sums))
}

/// What the calls of a line cost.
fn cost_of(trace: Trace, run: Option<u32>, line: &CallsLine) -> Sum {
    if group(line) != BY_MODEL {
        return Sum::default();
    }
    let outline = trace.outline.get();
    trace.costs.with(|costs| costs.of_model(&outline, run, &line.name))
}

/// Labels of the columns after the name, in the order of [`CallsTable`].
fn column_heads() -> Vec<String> {
    let first = [text::CALLS, text::FAILED, text::NO_RESULT, text::TIME_IN_ALL, text::MEAN];
    let percentiles = PERCENTILES.map(|p| format!("P{p}"));
    let last = [text::TOKENS_IN, text::CACHED, text::TOKENS_OUT, text::COST_HEAD];
    let words = |words: &str| words.to_owned();
    first.map(words).into_iter().chain(percentiles).chain(last.map(words)).collect()
}

/// The table of a group of calls, with these columns after the name, as far as they are filled.
fn calls_table(pane: Pane, by: u8, wanted: &[usize], sorted: SortedBy) -> AnyView {
    let Some((lines, sums)) = lines_of(pane, by) else {
        return markup! { <p>{text::COUNTING}</p> }.into_any();
    };
    if lines.is_empty() {
        return markup! { <p>{text::NO_CALLS}</p> }.into_any();
    }
    let is_inferred = lines.iter().any(|it| it.is_inferred);
    let is_unfinished = lines.iter().any(|it| it.is_unfinished);
    let is_estimate = sums.iter().any(Sum::is_estimate);
    let list = pane.page.list_of_prices();
    let table = Shared::new(CallsTable::new(&lines, &sums));
    let lines = Shared::new(lines);
    let heads = column_heads();
    let is_shown = |at: &usize| wanted.contains(at) && table.filled.get(*at) == Some(&true);
    let shown: Vec<usize> = (0..N_COLUMNS).filter(is_shown).collect();
    let has_means = shown.iter().any(|at| (TIME + 1..TOKENS_IN).contains(at));
    let columns: Vec<(usize, String)> =
        heads.into_iter().enumerate().filter(|(at, _)| shown.contains(at)).collect();
    let head = move |(at, words): (usize, String)| sort_head(sorted, at, words);
    let saved = (table.clone(), lines.clone());
    let total = shown
        .iter()
        .filter_map(|at| table.total.get(*at))
        .map(|cell| number(cell.words.clone()))
        .collect_view();
    let rows = move || {
        let row = |row: usize| {
            let (line, cells) = (lines.get(row)?, table.rows.get(row)?);
            let cells = shown.iter().filter_map(|at| Some((*at, cells.get(*at)?)));
            let cells = cells.map(|(at, cell)| {
                let share = cell.value / table.largest(at);
                let is_most = table.rows.len() > 1 && share >= 1.0;
                let bar = match at {
                    TIME if share > 0.0 => format!("{:.1}{PX} 6{PX}, {BAR}{PX} 6{PX}", share * BAR),
                    _ => String::new(),
                };
                markup! {
                    <td class="number" data-at=at.to_string() data-most=is_most.then_some("true")
                        style:background-size=bar>{cell.words.clone()}</td>
                }
            });
            Some(markup! {
                <tr data-look=look_of(line)>
                    <th scope="row">{match by {
                        BY_TURN => turn_named(pane, row),
                        _ => called(pane, line).into_any(),
                    }}</th>
                    {cells.collect_view()}
                </tr>
            })
        };
        table.order(sorted.get()).into_iter().map(row).collect_view()
    };
    let name = match by {
        _ if wanted == FEW_COLUMNS => text::BY_MODEL,
        BY_MODEL => text::CALLS_BY_MODEL,
        BY_AGENT => text::CALLS_BY_AGENT,
        BY_TURN => text::CALLS_BY_TURN,
        BY_FILE => text::CALLS_BY_FILE,
        _ => text::CALLS_BY_TOOL,
    };
    markup! {
        <div class="stats__wide" tabindex="0" role="region" aria-label=name>
            <table class="figures">
                <thead><tr>
                    <th scope="col">{text::NAME}</th>
                    {columns.into_iter().map(head).collect_view()}
                </tr></thead>
                <tbody>{rows}</tbody>
                <tfoot><tr><th scope="row">{text::TOTAL}</th>{total}</tr></tfoot>
            </table>
        </div>
        <div class="stats__about">
            <p>{has_means.then_some(text::ABOUT_MEANS)}
                {is_inferred.then_some(text::ABOUT_INFERRED)}
                {is_unfinished.then_some(text::ABOUT_UNFINISHED)}
                {is_estimate.then(|| text::about_costs(&list))}</p>
            <button on:click=move |_| {
                let (table, lines) = &saved;
                browser::save_text(&table.csv(lines), "text/csv", text::CSV_NAME);
            }>{text::SAVE_CSV}</button>
        </div>
    }
    .into_any()
}

fn runs_table(n_runs: usize) -> impl IntoView {
    let pane = pane();
    let rows = pane.trace.outline.with(|outline| {
        MEASURES
            .iter()
            .map(|measure| (measure.0, over_runs(&outline.runs, measure)))
            .collect::<Vec<_>>()
    });
    let rows = rows.into_iter().filter(|(_, it)| it.n > 0).map(|(name, it)| {
        markup! {
            <tr>
                <th scope="row">{name}</th>
                {number(text::known_for(it.n, n_runs as u64))}
                {spread(&it, |value| format!("{}", (value * 10.0).round() / 10.0))}
            </tr>
        }
    });
    markup! {
        <section class="stats__card">
        <h2>{text::ACROSS_ALL_RUNS}</h2>
        <div class="stats__wide" tabindex="0" role="region" aria-label=text::ACROSS_ALL_RUNS>
            <table class="figures">
                <thead><tr>{heads(&[text::MEASURE, text::KNOWN_FOR])}</tr></thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
        </section>
    }
}
