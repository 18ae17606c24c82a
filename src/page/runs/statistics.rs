//! Statistics: how often each model and tool was called, how long calls took, and how runs differ.

use crate::words::counts;
use crate::words::filter as filter_words;
use crate::words::runs as text;
use leptos::prelude::*;

use crate::app::pane::pane;
use crate::app::trace::Trace;
use crate::pane::filtering;
use crate::runs::summary::Summary;
use traceloupe::model::EventKind;
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
    let shown = if line.name.is_empty() { counts::NO_NAME.to_owned() } else { line.name.clone() };
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

fn calls_table(lines: &[CallsLine], sums: Vec<Sum>) -> impl IntoView + use<> {
    #[expect(clippy::cast_precision_loss)] // counts of tokens
    let tokens = |n: Option<u64>| n.map_or(String::new(), |n| words::tokens(n as f64));
    let some = |n: u64| if n == 0 { String::new() } else { words::count(n) };
    let has_tokens = lines.iter().any(|it| it.tokens != (None, None));
    let is_inferred = lines.iter().any(|it| it.is_inferred);
    let is_unfinished = lines.iter().any(|it| it.is_unfinished);
    let has_costs = sums.iter().any(Sum::is_known);
    let is_estimate = sums.iter().any(Sum::is_estimate);
    let list = pane().page.list_of_prices();
    let rows = lines.iter().zip(sums).map(|(it, sum)| {
        let mark = if it.is_inferred { "≈ " } else { "" };
        markup! {
            <tr>
                <th scope="row">{called(it)}" "<small>{it.kind.clone()}</small></th>
                {number(words::count(it.n))}
                {number(some(it.errors))}
                {number(some(it.without_result))}
                {spread(&it.duration_ms, |ms| format!("{mark}{}", words::duration(ms)))}
                {has_tokens.then(|| (number(tokens(it.tokens.0)), number(words::at_least(tokens(it.tokens.1), it.is_unfinished))))}
                {has_costs.then(|| number(sum.words()))}
            </tr>
        }
    });
    let rows: Vec<_> = rows.collect();
    markup! {
        <div class="dialog__wide" tabindex="0" role="region" aria-label=text::CALLS_BY_NAME>
            <table class="figures">
                <thead><tr>
                    {heads(&[text::NAME, text::CALLS, text::FAILED, text::NO_RESULT])}
                    {has_tokens.then(|| markup! {
                        <th scope="col">{text::TOKENS_IN}</th><th scope="col">{text::TOKENS_OUT}</th>
                    })}
                    {has_costs.then(|| markup! { <th scope="col">{text::COST_HEAD}</th> })}
                </tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        <p>{text::ABOUT_MEANS}
            {is_inferred.then_some(text::ABOUT_INFERRED)}
            {is_unfinished.then_some(text::ABOUT_UNFINISHED)}
            {is_estimate.then(|| text::about_costs(&list))}</p>
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
