//! Statistics: how often each model and tool was called, how long calls took, and how runs differ.

use crate::words::counts;
use crate::words::filter as filter_words;
use crate::words::runs as text;
use leptos::prelude::*;

use crate::app::pane::pane;
use crate::app::trace::Trace;
use crate::browser;
use crate::pane::filtering;
use crate::runs::context::ContextOverCalls;
use crate::runs::sort_head::{SortedBy, sort_head};
use crate::runs::spent::TimeSpent;
use crate::runs::summary::Summary;
use crate::shared::Shared;
use traceloupe::model::EventKind;
use traceloupe::view::page::calls_table::CallsTable;
use traceloupe::view::page::prices::Sum;
use traceloupe::view::page::query::Key;
use traceloupe::view::page::statistics::{MEASURES, over_runs};
use traceloupe::view::wire::protocol::Request;
use traceloupe::view::wire::statistics::{CallsLine, PERCENTILES, ShownSpread};
use traceloupe::view::words;

/// Requests the statistics of a run, or of all runs.
fn want_statistics(trace: Trace, run: Option<u32>) {
    trace.statistics.asked_for.set_value(run);
    trace.statistics.lines.set(None);
    trace.send(&Request::Statistics(run));
}

/// Takes the statistics of a run, or of all runs, if they are still wanted.
pub fn take_statistics(trace: Trace, run: Option<u32>, lines: Vec<CallsLine>) {
    if run == trace.statistics.asked_for.get_value() {
        trace.statistics.lines.set(Some(lines));
    }
}

/// The dialog.
#[component]
pub fn Statistics() -> impl IntoView {
    let pane = pane();
    let n_runs = Memo::new(move |_| pane.trace.outline.with(|outline| outline.runs.len()));
    let (of_all, set_of_all) = signal(false);
    Effect::new(move |_| {
        let run = pane.run.get();
        want_statistics(pane.trace, (!of_all.get()).then_some(run));
    });
    let choice = move |value: bool, words: &'static str| {
        markup! {
            <button aria-pressed=move || (of_all.get() == value).to_string()
                on:click=move |_| set_of_all.set(value)>{words}</button>
        }
    };
    markup! {
        <Show when=move || { n_runs.get() > 1 }>
            <div class="seg" role="group" aria-label=text::RUNS_TO_COUNT>
                {choice(false, text::THIS_RUN)}{choice(true, text::ALL_RUNS)}
            </div>
        </Show>
        <Show when=move || !of_all.get()><TimeSpent/><ContextOverCalls/><h3>{text::CALLS_BY_NAME}</h3></Show>
        {move || match pane.trace.statistics.lines.get() {
            None => markup! { <p>{text::COUNTING}</p> }.into_any(),
            Some(lines) if lines.is_empty() => {
                markup! { <p>{text::NO_CALLS}</p> }.into_any()
            }
            Some(lines) => {
                let run = (!of_all.get()).then(|| pane.run.get());
                let sums = lines.iter().map(|line| cost_of(pane.trace, run, line)).collect();
                calls_table(&lines, sums).into_any()
            }
        }}
        <Show when=move || { n_runs.get() > 1 && of_all.get() }>
            <h3>{text::ACROSS_ALL_RUNS}</h3>
            {move || runs_table(n_runs.get())}
        </Show>
        <Summary/>
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

/// The name of a tool or a model, which shows only its calls.
fn called(line: &CallsLine) -> AnyView {
    let pane = pane();
    let shown = match line.name.as_str() {
        "" => counts::NO_NAME.to_owned(),
        name if line.kind == words::plural(EventKind::ToolCall) => words::tool_name(name),
        name => name.to_owned(),
    };
    let kinds = [(EventKind::ToolCall, Key::Tool), (EventKind::LlmCall, Key::Model)];
    let key = kinds.into_iter().find(|(kind, _)| words::plural(*kind) == line.kind);
    let Some((_, key)) = key else { return markup! { <code>{shown}</code> }.into_any() };
    let title = filter_words::filter_by(key.word(), &line.name);
    let name = line.name.clone();
    markup! {
        <button class="quiet named" title=title on:click=move |_| {
            pane.page.dialog.set(None);
            filtering::show_only(pane, key, &name);
        }><code>{shown}</code></button>
    }
    .into_any()
}

/// What the calls of a line cost.
fn cost_of(trace: Trace, run: Option<u32>, line: &CallsLine) -> Sum {
    if line.kind != words::plural(EventKind::LlmCall) {
        return Sum::default();
    }
    let outline = trace.outline.get();
    trace.costs.with(|costs| costs.of_model(&outline, run, &line.name))
}

/// Labels of the columns after the name, in the order of [`CallsTable`].
fn column_heads() -> Vec<String> {
    let first = [text::CALLS, text::FAILED, text::NO_RESULT, text::TIME_IN_ALL, text::MEAN];
    let percentiles = PERCENTILES.map(|p| format!("P{p}"));
    let last = [text::TOKENS_IN, text::TOKENS_OUT, text::COST_HEAD];
    let words = |words: &str| words.to_owned();
    first.map(words).into_iter().chain(percentiles).chain(last.map(words)).collect()
}

fn calls_table(lines: &[CallsLine], sums: Vec<Sum>) -> impl IntoView + use<> {
    let pane = pane();
    let is_inferred = lines.iter().any(|it| it.is_inferred);
    let is_unfinished = lines.iter().any(|it| it.is_unfinished);
    let is_estimate = sums.iter().any(Sum::is_estimate);
    let list = pane.page.list_of_prices();
    let table = Shared::new(CallsTable::new(lines, &sums));
    let lines = Shared::new(lines.to_vec());
    let columns: Vec<(usize, String)> = column_heads()
        .into_iter()
        .enumerate()
        .filter(|(at, _)| table.filled.get(*at) == Some(&true))
        .collect();
    let shown: Vec<usize> = columns.iter().map(|(at, _)| *at).collect();
    let by = SortedBy::new(None);
    let head = move |(at, words): (usize, String)| sort_head(by, at, words);
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
                let is_most = table.rows.len() > 1 && cell.value > 0.0 && cell.value >= table.largest(at);
                markup! { <td class="number" data-most=is_most.then_some("true")>{cell.words.clone()}</td> }
            });
            Some(markup! {
                <tr>
                    <th scope="row">{called(line)}" "<small>{line.kind.clone()}</small></th>
                    {cells.collect_view()}
                </tr>
            })
        };
        table.order(by.get()).into_iter().map(row).collect_view()
    };
    markup! {
        <div class="dialog__wide" tabindex="0" role="region" aria-label=text::CALLS_BY_NAME>
            <table class="figures">
                <thead><tr>
                    <th scope="col">{text::NAME}</th>
                    {columns.into_iter().map(head).collect_view()}
                </tr></thead>
                <tbody>{rows}</tbody>
                <tfoot><tr><th scope="row">{text::TOTAL}</th>{total}</tr></tfoot>
            </table>
        </div>
        <p>{text::ABOUT_MEANS}
            {is_inferred.then_some(text::ABOUT_INFERRED)}
            {is_unfinished.then_some(text::ABOUT_UNFINISHED)}
            {is_estimate.then(|| text::about_costs(&list))}</p>
        <p><button on:click=move |_| {
            let (table, lines) = &saved;
            browser::save_text(&table.csv(lines), "text/csv", text::CSV_NAME);
        }>{text::SAVE_CSV}</button></p>
    }
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
        <div class="dialog__wide" tabindex="0" role="region" aria-label=text::ACROSS_ALL_RUNS>
            <table class="figures">
                <thead><tr>{heads(&[text::MEASURE, text::KNOWN_FOR])}</tr></thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
    }
}
