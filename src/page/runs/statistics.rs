//! Statistics: where the time and tokens of a run went, how often each model, tool and agent was called, the calls of
//! each turn and of each file, and how runs differ.

use crate::reactive::{Show, effect, live};
use leptos::prelude::*;

use crate::app::handoff;
use crate::app::notice;
use crate::app::pane::{Pane, pane};
use crate::app::trace::Trace;
use crate::browser;
use crate::glyph::glyph;
use crate::pane;
use crate::pane::filtering;
use crate::runs::context::ContextOverCalls;
use crate::runs::files::want_files;
use crate::runs::sort_head::{SortedBy, sort_head};
use crate::runs::spent::{TimeSpent, spent_lines};
use crate::runs::steps::Slowest;
use crate::runs::summary::Summary;
use crate::runs::switch::switch;
use crate::shared::Shared;
use crate::timeline::previews::want_also;
use traceloupe_core::model::{CostSum, EventKind};
use traceloupe_core::number::shortest;
use traceloupe_protocol::messages::Request;
use traceloupe_protocol::outline::RunLine;
use traceloupe_protocol::statistics::{CallsLine, CallsOf, PERCENTILES, ShownSpread};
use traceloupe_view::calls_table::{COST, TIME, calls_table};
use traceloupe_view::files_touched::{CallRow, file_lines, may_name_files};
use traceloupe_view::icon::Icon;
use traceloupe_view::list::line_view::short_model;
use traceloupe_view::look::look;
use traceloupe_view::outline::Outline;
use traceloupe_view::query::Key;
use traceloupe_view::row_kind::SHELL_WORD;
use traceloupe_view::statistics::{
    BY_AGENT, BY_COMMAND, BY_FILE, BY_MODEL, BY_TOOL, BY_TURN, MEASURES, group, line_of_file,
    line_of_turn, lines_of_commands, may_run_commands, over_runs, turns_of,
};
use traceloupe_view::table::{Layout, Sort};
use traceloupe_view::turns::Turn;
use traceloupe_words as words;
use traceloupe_words::column_headings;
use traceloupe_words::counts;
use traceloupe_words::page::filter as filter_words;
use traceloupe_words::page::statistics as text;

/// The length of the longest bar in pixels.
const BAR: f64 = 84.0;

/// How many rows of a table are drawn at once: a trace may have calls of thousands of names.
const ROWS_STEP: usize = 200;

/// The unit of lengths on the screen.
const PX: &str = "px";

/// Requests the statistics of a run or of all runs. If they are for the same runs as before, the old ones are shown
/// until the response arrives.
fn want_statistics(trace: Trace, run: Option<u32>) {
    if trace.statistics.asked_for.get_value() != run {
        trace.statistics.lines.set(None);
    }
    trace.statistics.asked_for.set_value(run);
    trace.send(&Request::Statistics(run));
}

/// Takes the statistics of a run or of all runs, if they are still wanted.
pub fn take_statistics(trace: Trace, run: Option<u32>, lines: Vec<CallsLine>) {
    let state = trace.statistics;
    if run == state.asked_for.get_value() {
        let by = state.by.get_untracked();
        let has_turns = run.is_some_and(|run| {
            trace.outline.with_untracked(|outline| !turns_of(outline, run).is_empty())
        });
        let is_there = match by {
            BY_TURN => has_turns,
            BY_FILE => run.is_some_and(|run| is_so(trace, run, may_name_files)),
            BY_COMMAND => run.is_some_and(|run| is_so(trace, run, may_run_commands)),
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
    effect(move || {
        // Requested again while a file is being read or is growing.
        pane.around.track();
        want_statistics(pane.trace, (!is_all()).then(|| pane.run.get()));
    });
    effect(move || {
        if [BY_FILE, BY_COMMAND].contains(&state.by.get()) && !is_all() {
            pane.trace.outline.with(|it| it.complete);
            want_files(pane.trace, pane.run.get());
        }
    });
    let groups = live(move || {
        let lines = state.lines.get().unwrap_or_default();
        let all = [
            (BY_TOOL, filter_words::TOOL),
            (BY_COMMAND, text::COMMAND),
            (BY_MODEL, filter_words::MODEL),
            (BY_AGENT, filter_words::AGENT),
            (BY_TURN, text::TURN),
            (BY_FILE, filter_words::FILE),
        ];
        let has_turns =
            !is_all() && pane.around.with(|it| !turns_of(it, pane.run.get()).is_empty());
        let filled = |it: &(u8, &'static str)| match it.0 {
            BY_TURN => has_turns,
            BY_FILE => !is_all() && is_so(pane.trace, pane.run.get(), may_name_files),
            BY_COMMAND => !is_all() && is_so(pane.trace, pane.run.get(), may_run_commands),
            by => lines.iter().any(|line| group(line) == by),
        };
        let filled: Vec<_> = all.into_iter().filter(filled).collect();
        switch(state.by, text::CALLS_BY, &filled)
    });
    let calls = move || {
        let by = state.by.get();
        table_of_calls(pane, by, layout_of(by), state.sorted)
    };
    let by_cost = SortedBy::new(Some(Sort::by(COST)));
    let models = live(move || table_of_calls(pane, BY_MODEL, Layout::Narrow, by_cost));
    markup! {
        <div class="stats" data-several=move || (n_runs() > 1).to_string()
            data-all=move || is_all().to_string()>
            <div class="stats__top">
                <h2>{text::STATISTICS}</h2>
                {switch(state.of_all, text::RUNS_TO_COUNT, &[(0, text::THIS_RUN), (1, text::ALL_RUNS)])}
                <span class="spacer"></span>
                <button title=text::COPY_MARKDOWN_TITLE on:click=move |_| copy_markdown(pane, is_all())>{text::COPY_MARKDOWN}</button>
                <button title=text::SAVE_CSV_TITLE on:click=move |_| save_csv(pane)>{text::SAVE_CSV}</button>
            </div>
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
            {move || is_all().then(|| across_runs(n_runs()))}
            <Summary/>
        </div>
    }
}

fn spread_heads(first: &[&'static str]) -> impl IntoView + use<> {
    let spread =
        [column_headings::MEAN.to_owned()].into_iter().chain(PERCENTILES.map(|p| format!("P{p}")));
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

/// The icon and the look of a line of calls.
fn look_of(line: &CallsLine) -> (Icon, &'static str) {
    let kind = match line.of {
        CallsOf::Turn => EventKind::UserMessage,
        CallsOf::File => return (Icon::Read, "read"),
        CallsOf::Command => return (Icon::Shell, "shell"),
        CallsOf::Kind(kind @ (EventKind::ToolCall | EventKind::LlmCall | EventKind::Span)) => kind,
        CallsOf::Kind(_) | CallsOf::Agent => EventKind::Agent,
    };
    let (icon, look) = look(kind, &line.name);
    (icon, look)
}

/// The layout of the table of a group. Each turn is a single thing, so columns about distribution make no sense.
fn layout_of(by: u8) -> Layout {
    if by == BY_TURN { Layout::Single } else { Layout::Full }
}

/// The displayed name of a line.
fn shown_name(line: &CallsLine) -> String {
    match line.name.as_str() {
        "" => counts::NO_NAME.to_owned(),
        name if line.of == CallsOf::Kind(EventKind::ToolCall) => words::tool_name(name),
        name => name.to_owned(),
    }
}

/// Copies where the time went, and the chosen table of calls.
fn copy_markdown(pane: Pane, is_all: bool) {
    let state = pane.trace.statistics;
    let by = state.by.get_untracked();
    let Some((lines, sums)) = lines_of(pane, by) else { return };
    let table = calls_table(&lines, &sums);
    let mut words = pane.around.with_untracked(|outline| {
        let run = outline.runs.get(pane.run.get_untracked() as usize).filter(|_| !is_all);
        let spent = run.map(|run| (run.title.as_str(), spent_lines(outline, run)));
        let (title, spent) = spent.unwrap_or((text::ALL_RUNS, String::new()));
        let spent =
            if spent.is_empty() { spent } else { format!("{}:\n\n{spent}\n", text::TIME_SPENT) };
        format!("## {}: {title}\n\n{spent}", text::STATISTICS)
    });
    let names: Vec<String> = lines.iter().map(shown_name).collect();
    let columns = table.shown(layout_of(by));
    let sorted = state.sorted.get_untracked();
    words.push_str(&table.markdown((name_of(by), text::TOTAL), &names, &columns, sorted));
    notice::copy(pane.page, &words, text::STATISTICS_COPIED);
}

/// Saves the chosen table of calls.
fn save_csv(pane: Pane) {
    if let Some((lines, sums)) = lines_of(pane, pane.trace.statistics.by.get_untracked()) {
        let csv = calls_table(&lines, &sums).csv();
        handoff::save_text(pane.page, &csv, "text/csv", text::CSV_NAME);
    }
}

/// The title of the table of a group.
fn name_of(by: u8) -> &'static str {
    match by {
        BY_MODEL => text::CALLS_BY_MODEL,
        BY_AGENT => text::CALLS_BY_AGENT,
        BY_TURN => text::CALLS_BY_TURN,
        BY_FILE => text::CALLS_BY_FILE,
        BY_COMMAND => text::CALLS_BY_COMMAND,
        _ => text::CALLS_BY_TOOL,
    }
}

/// The number and the message of a turn, given its index among the turns of the run. A click goes to the turn.
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

/// The name of a tool, a model or an agent. A click shows only its calls.
fn called(pane: Pane, line: &CallsLine, is_short: bool) -> impl IntoView + use<> {
    let (key, kind) = match line.of {
        CallsOf::Kind(EventKind::LlmCall) => (Key::Model, ""),
        CallsOf::Kind(EventKind::ToolCall) => (Key::Tool, ""),
        CallsOf::Agent => (Key::Agent, ""),
        CallsOf::File => (Key::File, ""),
        CallsOf::Command => (Key::Kind, ""),
        // Others are told apart by their kind only.
        of @ (CallsOf::Kind(_) | CallsOf::Turn) => (Key::Name, words::calls_of(of)),
    };
    let is_command = line.of == CallsOf::Command;
    let name = line.name.clone();
    let mut shown = shown_name(line);
    if is_short {
        shown.truncate(short_model(&shown).len());
    }
    let title = match is_command {
        true => filter_words::filter_by(key.word(), &format!("{SHELL_WORD} {name}")),
        false => filter_words::filter_by(key.word(), &name),
    };
    markup! {
        <button class="quiet named" title=title on:click=move |_| {
            match is_command {
                true => filtering::show_only_command(pane, &name),
                false => filtering::show_only(pane, key, &name),
            }
            browser::focus_timeline();
        }><code>{shown}</code></button>" "<small>{kind}</small>
    }
}

/// Whether a condition holds for a run.
fn is_so(trace: Trace, run: u32, test: fn(&Outline, &RunLine) -> bool) -> bool {
    trace
        .outline
        .with(|outline| outline.runs.get(run as usize).is_some_and(|run| test(outline, run)))
}

/// The lines of a group, with the cost of the calls of each.
fn lines_of(pane: Pane, by: u8) -> Option<(Vec<CallsLine>, Vec<CostSum>)> {
    if by == BY_TURN {
        let outline = pane.around.get();
        let turns = turns_of(&outline, pane.run.get());
        let cost = |turn: &Turn| pane.trace.costs.with(|it| it.between(turn.row, turn.end));
        return Some(turns.iter().map(|turn| (line_of_turn(turn), cost(turn))).unzip());
    }
    if by == BY_FILE || by == BY_COMMAND {
        let outline = pane.trace.outline.get();
        let found = pane.trace.statistics.files.get();
        let lines: Vec<CallsLine> = match by {
            BY_COMMAND => lines_of_commands(&outline, &found),
            _ => {
                let (files, _) = file_lines(&found, |id| CallRow::of(&outline, id));
                files.iter().map(|file| line_of_file(&outline, file)).collect()
            }
        };
        let sums = vec![CostSum::default(); lines.len()];
        return (found.done || !lines.is_empty()).then_some((lines, sums));
    }
    let mut lines = pane.trace.statistics.lines.get()?;
    lines.retain(|line| group(line) == by);
    let run = pane.trace.statistics.asked_for.get_value();
    let sums = lines.iter().map(|line| cost_of(pane.trace, run, line)).collect();
    Some((lines, sums))
}

/// The cost of the calls of a line.
fn cost_of(trace: Trace, run: Option<u32>, line: &CallsLine) -> CostSum {
    if group(line) != BY_MODEL {
        return CostSum::default();
    }
    let outline = trace.outline.get();
    trace.costs.with(|costs| costs.of_model(&outline, run, &line.name))
}

/// The table of a group of calls.
fn table_of_calls(pane: Pane, by: u8, layout: Layout, sorted: SortedBy) -> AnyView {
    let Some((lines, sums)) = lines_of(pane, by) else {
        return markup! { <p>{text::COUNTING}</p> }.into_any();
    };
    if lines.is_empty() {
        return markup! { <p>{text::NO_CALLS}</p> }.into_any();
    }
    let is_inferred = lines.iter().any(|it| it.is_inferred);
    let is_unfinished = lines.iter().any(|it| it.is_unfinished);
    let is_estimate = sums.iter().any(CostSum::is_estimate);
    let list = pane.page.list_of_prices();
    let table = Shared::new(calls_table(&lines, &sums));
    let lines = Shared::new(lines);
    let shown = table.shown(layout);
    let is_few = layout == Layout::Narrow;
    let shown_heads = || shown.iter().filter_map(|at| table.heads.get(*at).copied());
    let has_means = shown_heads().any(|head| head.is_explained);
    let heads = shown_heads().map(|head| sort_head(sorted, head, layout)).collect_view();
    let total = shown.iter().filter_map(|at| Some((table.heads.get(*at)?, table.total.get(*at)?)));
    let total = total.map(|(head, cell)| {
        markup! { <td class=head.class data-column=head.id>{cell.words.clone()}</td> }
    });
    let total = total.collect_view();
    let n_rows = table.rows.len();
    let (n_drawn, draw) = signal(ROWS_STEP);
    let rest = move || n_rows.saturating_sub(n_drawn.get());
    let rows = move || {
        // If the table is not sorted, bars show the time.
        let barred = sorted.get().map_or(TIME, |it| it.column);
        let row = |row: usize| {
            let (line, cells) = (lines.get(row)?, table.rows.get(row)?);
            let cells =
                shown.iter().filter_map(|at| Some((*at, table.heads.get(*at)?, cells.get(*at)?)));
            let cells = cells.map(|(at, head, cell)| {
                let share = cell.value.number() / table.largest(at);
                let is_most = table.rows.len() > 1 && share >= 1.0;
                let is_barred = head.id == barred && !is_few;
                let bar = match share {
                    share if is_barred && share > 0.0 => {
                        format!("{} 8{PX}, {} 8{PX}", words::css_px(share * BAR), words::css_px(BAR))
                    }
                    _ => String::new(),
                };
                markup! {
                    <td class=head.class data-column=head.id data-most=is_most.then_some("true")
                        data-bar=is_barred.then_some("true") style:background-size=bar>{cell.words.clone()}</td>
                }
            });
            let (icon, look) = look_of(line);
            Some(markup! {
                <tr data-look=look>
                    <th scope="row"><span class="stats__name">{glyph(icon.path())}{match by {
                        BY_TURN => turn_named(pane, row),
                        _ => called(pane, line, is_few).into_any(),
                    }}</span></th>
                    {cells.collect_view()}
                </tr>
            })
        };
        table.order(sorted.get()).into_iter().take(n_drawn.get()).map(row).collect_view()
    };
    let name = if is_few { text::BY_MODEL } else { name_of(by) };
    markup! {
        <div class="stats__wide" tabindex="0" role="region" aria-label=name>
            <table class="figures">
                <thead><tr>
                    <th scope="col">{text::NAME}</th>
                    {heads}
                </tr></thead>
                <tbody>{rows}</tbody>
                <tfoot><tr><th scope="row">{text::TOTAL}</th>{total}</tr></tfoot>
            </table>
        </div>
        <Show when=move || { rest() > 0 }>
            <button class="quiet" on:click=move |_| draw.update(|n| *n += ROWS_STEP)>
                {move || counts::show_more(rest().min(ROWS_STEP))}
            </button>
        </Show>
        <div class="stats__about">
            <p>{has_means.then_some(text::ABOUT_MEANS)}
                {is_inferred.then_some(text::ABOUT_INFERRED)}
                {is_unfinished.then_some(text::ABOUT_UNFINISHED)}
                {is_estimate.then(|| text::about_costs(&list))}</p>
        </div>
    }
    .into_any()
}

fn across_runs(n_runs: usize) -> impl IntoView {
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
                {spread(&it, |value| shortest((value * 10.0).round() / 10.0))}
            </tr>
        }
    });
    markup! {
        <section class="stats__card">
        <h2>{text::ACROSS_ALL_RUNS}</h2>
        <div class="stats__wide" tabindex="0" role="region" aria-label=text::ACROSS_ALL_RUNS>
            <table class="figures">
                <thead><tr>{spread_heads(&[text::MEASURE, text::KNOWN_FOR])}</tr></thead>
                <tbody>{rows.collect_view()}</tbody>
            </table>
        </div>
        </section>
    }
}
