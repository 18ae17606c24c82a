//! Builds the outline of a trace.

use rustc_hash::FxHashMap;

use crate::render::exhibits::exhibits;
use crate::render::lanes::{Busy, Lanes};
use traceloupe_analysis::Finding;
use traceloupe_core::model::{
    EventId, EventKind, Flags, MaybeNs, NameId, RunId, RunStatus, Trace, Usage, context_window,
};
use traceloupe_protocol::context_use::ContextUse;
use traceloupe_protocol::outline::{
    ColumnsShown, Counts, FindingLine, MAX_TOOLS, OutlineHead, RunLine, WarningLine,
};
use traceloupe_protocol::row_columns::{ONLY_CACHED, RowSlice, RowWait, SLICE_ROWS};

fn ms(value: MaybeNs) -> f64 {
    #[expect(clippy::cast_precision_loss)] // microseconds of current dates fit a double
    value.get().map_or(f64::NAN, |ns| ns as f64 / 1e6)
}

#[expect(clippy::cast_precision_loss)]
fn tokens(value: Option<u64>) -> f64 {
    value.map_or(f64::NAN, |n| n as f64)
}

fn index(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// Builds the outline of a trace without its rows, which come from [`row_slice`]. `findings` are the findings of the
/// analysis, and `dropped` is the number of findings that it left out.
#[must_use]
pub fn outline(trace: &Trace, findings: &[Finding], dropped: usize) -> OutlineHead {
    let mut row_of = vec![u32::MAX; trace.events().len()];
    let mut runs = Vec::with_capacity(trace.runs().len());
    let mut n_rows = 0;
    for at in 0..trace.runs().len() {
        let id = RunId::from_index(at);
        runs.push(run_line(trace, id, n_rows));
        for event in trace.order(id) {
            if let Some(slot) = row_of.get_mut(event.index()) {
                *slot = n_rows;
            }
            n_rows += 1;
        }
    }
    let ids = |(gone, into): &(EventId, EventId)| (index(gone.index()), index(into.index()));
    let row = |id: EventId| row_of.get(id.index()).copied().unwrap_or(0);
    let line = |it: &Finding| {
        let mark = first_call(trace, it).unwrap_or(it.place.first);
        FindingLine::new(it, mark, &row)
    };
    let findings = findings.iter().map(line).collect();
    OutlineHead {
        complete: true,
        names: trace.names().iter().collect(),
        errors: trace.errors().iter().map(|it| it.map(NameId::number)).collect(),
        runs,
        n_rows,
        findings,
        findings_dropped: index(dropped),
        exhibits: exhibits(trace),
        absorbed: trace.absorbed().iter().map(ids).collect(),
        warnings: trace.warnings().as_slice().iter().map(warning_line).collect(),
        ..OutlineHead::default()
    }
}

/// The rows of an outline starting at `first`, at most [`SLICE_ROWS`].
#[must_use]
pub fn row_slice(trace: &Trace, outline: &OutlineHead, first: u32) -> RowSlice {
    let mut slice = RowSlice::default();
    let mut row = first;
    let end = first.saturating_add(SLICE_ROWS).min(outline.n_rows);
    slice.reserve(end.saturating_sub(first) as usize);
    while row < end {
        let Some((at, run)) = outline.run_of(row) else { break };
        let id = RunId::from_index(at as usize);
        let from = (row - run.first_row) as usize;
        let to = (end.min(run.first_row + run.n_rows) - run.first_row) as usize;
        let order = trace.order(id).get(from..to).unwrap_or_default();
        let depths = trace.depths(id).get(from..to).unwrap_or_default();
        let lanes = Lanes::of(run);
        for ((id, depth), at) in order.iter().zip(depths).zip(row..) {
            push_row(trace, *id, *depth, &lanes, &mut slice);
            push_cost(trace, *id, at, &mut slice);
            push_wait(trace, *id, at, &mut slice);
        }
        row = run.first_row + run.n_rows;
    }
    slice
}

fn push_row(trace: &Trace, id: EventId, depth: u16, lanes: &Lanes, rows: &mut RowSlice) {
    let Some(event) = trace.event(id) else { return };
    let usage = trace.usage(event);
    rows.ids.push(index(id.index()));
    rows.kinds.push(event.kind as u8);
    rows.statuses.push(event.status as u8);
    let is_unfinished = usage.is_some_and(|usage| usage.unfinished);
    let unfinished = if is_unfinished { Flags::UNFINISHED_USAGE } else { Flags::NONE };
    rows.flags.push(event.flags.with(unfinished).bits());
    rows.depths.push(depth);
    rows.lanes.push(lanes.index(event.lane));
    rows.names.push(index(event.name.index()));
    rows.errors.push(index(event.error.index()));
    rows.starts_ms.push(ms(trace.work_start(id)));
    rows.durations_ms.push(ms(trace.work(id)));
    rows.tokens_in.push(tokens(usage.and_then(|usage| usage.total_input())));
    rows.tokens_out.push(tokens(usage.and_then(|usage| usage.output)));
}

/// The values that the cost of a call depends on, besides its input and output tokens.
fn push_cost(trace: &Trace, id: EventId, row: u32, rows: &mut RowSlice) {
    let Some(event) = trace.event(id).filter(|event| event.kind == EventKind::LlmCall) else {
        return;
    };
    if let Some(dollars) = trace.cost(id) {
        rows.given_rows.push(row);
        rows.given_dollars.push(dollars);
    }
    let Some(usage) = trace.usage(event) else { return };
    let fits =
        |count: Option<u64>| count.map_or(0, |n| u32::try_from(n).unwrap_or(ONLY_CACHED - 1));
    let [read, write, reasoning] = [usage.cache_read, usage.cache_write, usage.reasoning].map(fits);
    let read =
        if usage.input.is_none() && usage.total_input().is_some() { ONLY_CACHED } else { read };
    if (read, write, reasoning) != (0, 0, 0) {
        [row, read, write, reasoning].into_iter().for_each(|n| rows.shares.push(n));
    }
}

fn push_wait(trace: &Trace, id: EventId, row: u32, rows: &mut RowSlice) {
    let Some(wait) = trace.wait(id) else { return };
    let [from_ms, to_ms] = [wait.from_ns, wait.to_ns].map(|ns| ms(MaybeNs::new(ns)));
    rows.waits.push(RowWait { row, what: wait.what, from_ms, to_ms });
}

/// Totals collected in one pass over the rows of a run.
#[derive(Default)]
struct Looked {
    n_roots: u32,
    first_error: Option<u32>,
    /// Whether the last step of the main agent is an answer.
    is_answered: bool,
    /// The number of rows by [`EventKind`] code.
    kinds: Vec<u64>,
    tools: FxHashMap<NameId, u64>,
    columns: ColumnsShown,
    lanes: Lanes,
    busy: Busy,
    /// Input tokens and model name of the main agent's fullest LLM call. If the main agent has no LLM calls, the
    /// fullest one of any agent.
    fullest_call: Option<(u64, NameId)>,
}

fn look_at(trace: &Trace, run: RunId, first_row: u32) -> Looked {
    let mut looked = Looked::default();
    let mut main_told = false;
    let order = trace.order(run).iter().zip(trace.depths(run));
    for (row, (id, depth)) in (first_row..).zip(order) {
        let Some(event) = trace.event(*id) else { continue };
        looked.n_roots += u32::from(*depth == 0);
        looked.lanes.count(trace, event.lane);
        let is_main = trace.lane(event.lane).is_none_or(|lane| lane.key.is_empty());
        looked.busy.add(event, trace.wait(*id), is_main);
        let is_copy = event.flags.has(Flags::COPY);
        if looked.first_error.is_none() && event.is_error() && !is_copy {
            looked.first_error = Some(row);
        }
        let is_step = matches!(
            event.kind,
            EventKind::LlmCall | EventKind::ToolCall | EventKind::UserMessage | EventKind::Error
        );
        if is_step && is_main {
            looked.is_answered = event.flags.has(Flags::ANSWER) && !event.is_error();
        }
        // Events copied from another session are not counted again.
        if !is_copy {
            count(&mut looked.kinds, event.kind);
        }
        if event.kind == EventKind::ToolCall && !is_copy {
            *looked.tools.entry(event.name).or_default() += 1;
        }
        let usage = trace.usage(event);
        let tokens = usage.filter(|_| event.kind == EventKind::LlmCall);
        if let Some(tokens) = tokens.and_then(|usage| usage.total_input()) {
            let is_first_of_main = is_main && !main_told;
            let is_fullest = looked.fullest_call.is_none_or(|(most, _)| tokens >= most);
            if is_first_of_main || is_main == main_told && is_fullest {
                looked.fullest_call = Some((tokens, event.name));
            }
            main_told |= is_main;
        }
        looked.columns.tokens |= usage.is_some_and(|it| it.total_input().or(it.output).is_some());
        looked.columns.durations |= trace.work(*id).is_known();
        looked.columns.bars |= event.start.is_known();
    }
    looked
}

fn count(kinds: &mut Vec<u64>, kind: EventKind) {
    let at = kind as usize;
    if kinds.len() <= at {
        kinds.resize(at + 1, 0);
    }
    if let Some(n) = kinds.get_mut(at) {
        *n += 1;
    }
}

/// The most used tools; ties are sorted by name.
fn most_used(trace: &Trace, tools: FxHashMap<NameId, u64>) -> Vec<(u32, u64)> {
    let mut tools: Vec<(NameId, u64)> = tools.into_iter().collect();
    let by_use = |a: &(NameId, u64), b: &(NameId, u64)| {
        b.1.cmp(&a.1).then_with(|| trace.name(a.0).cmp(trace.name(b.0)))
    };
    traceloupe_core::sorting::sort_by(&mut tools, by_use);
    tools.truncate(MAX_TOOLS);
    tools.into_iter().map(|(name, n)| (index(name.index()), n)).collect()
}

fn run_line(trace: &Trace, id: RunId, first_row: u32) -> RunLine {
    let Some(run) = trace.run(id) else { return RunLine::default() };
    let totals = trace.totals(id);
    let n_rows = index(trace.order(id).len());
    let mut looked = look_at(trace, id, first_row);
    let pauses = std::mem::take(&mut looked.busy).pauses();
    // Notes written long before the first step do not count towards the run's time.
    let start = match (run.start.get(), pauses.begins_ns) {
        (Some(start), Some(begins)) => MaybeNs::new(start.max(begins)),
        _ => run.start,
    };
    // A negative duration, which results from wrong times, is ignored.
    let told = run.duration.get().filter(|ns| *ns >= 0);
    let duration = told.or_else(|| {
        // For a run without an end, only the time until its last record is known, which is not its duration. A single
        // time does not give a duration either.
        let (start, end) = (start.get()?, run.end.get()?);
        (end > start && run.status != RunStatus::Running).then_some(end.saturating_sub(start))
    });
    // If the files contain no calls, the producer's counts are the only ones.
    let calls_told = run.counts.llm_calls.unwrap_or(0) + run.counts.tool_calls.unwrap_or(0);
    let is_summary = n_rows == 0 || (totals.llm_calls + totals.tool_calls == 0 && calls_told > 0);
    let given = is_summary.then_some(Counts {
        events: 0,
        llm_calls: run.counts.llm_calls.unwrap_or(totals.llm_calls),
        tool_calls: run.counts.tool_calls.unwrap_or(totals.tool_calls),
        errors: run.counts.errors.unwrap_or(totals.errors),
        loop_warnings: run.counts.loop_warnings.unwrap_or(totals.loop_warnings),
    });
    RunLine {
        key: run.key.clone(),
        title: run
            .title
            .clone()
            .filter(|title| !title.is_empty())
            .unwrap_or_else(|| run.key.clone()),
        format: run.format.to_owned(),
        status: run.status,
        start_ms: ms(start),
        end_ms: ms(run.end),
        duration_ms: ms(MaybeNs::from(duration)),
        idle_ms: pauses.idle_ms,
        lanes: looked.lanes.lines(trace),
        first_row,
        n_rows,
        n_roots: looked.n_roots,
        counts: Counts {
            events: totals.events,
            llm_calls: totals.llm_calls,
            tool_calls: totals.tool_calls,
            errors: totals.errors,
            loop_warnings: totals.loop_warnings,
        },
        given,
        // The producer's total for the whole run is better than a lower bound.
        usage: match totals.usage.input {
            _ if totals.usage.is_empty() => run.usage,
            _ if totals.usage.unfinished && !run.usage.is_empty() => run.usage,
            // Some calls do not state their usage.
            _ if totals.usage_known < totals.llm_calls && exceeds(&run.usage, &totals.usage) => {
                run.usage
            }
            // LLM calls may state only their output, and not all of them do.
            None if run.usage.output > totals.usage.output => run.usage,
            None => totals.usage.or(run.usage),
            Some(_) => totals.usage,
        },
        usage_known: totals.usage_known,
        context: looked.fullest_call.map(|(tokens, model)| {
            let documented = context_window(trace.name(model));
            ContextUse::new(tokens, run.context_window, documented)
        }),
        score: run.score,
        verdict: run.verdict,
        facts: run.facts.clone(),
        notes: run.notes.clone(),
        no_end: run.no_end,
        groups: run.groups.clone(),
        annotations: run.annotations,
        first_error: looked.first_error,
        is_answered: looked.is_answered,
        kinds: (0..).zip(looked.kinds).filter(|(_, n)| *n > 0).collect(),
        tools: most_used(trace, looked.tools),
        columns: ColumnsShown {
            bars: looked.columns.bars && ms(run.end) > ms(start),
            ..looked.columns
        },
    }
}

/// Whether a total is no less than a sum in any count, and more in one.
fn exceeds(total: &Usage, sum: &Usage) -> bool {
    let counts = |usage: &Usage| (usage.total_input(), usage.output);
    let (total, sum) = (counts(total), counts(sum));
    total.0 >= sum.0 && total.1 >= sum.1 && total != sum
}

/// The first event of a finding that is not an LLM call.
fn first_call(trace: &Trace, finding: &Finding) -> Option<EventId> {
    let is_call =
        |id: &&EventId| trace.event(**id).is_some_and(|event| event.kind != EventKind::LlmCall);
    finding.place.events.iter().find(is_call).copied()
}

fn warning_line(warning: &traceloupe_core::model::Warning) -> WarningLine {
    WarningLine {
        code: warning.code,
        count: warning.count,
        places: warning
            .places
            .iter()
            .map(|it| (index(it.source.index()), it.line, it.byte, it.detail.clone()))
            .collect(),
    }
}
