//! What the page knows of a trace: runs, findings, warnings, and flat columns with one entry a row.
//!
//! A *row* is the index of an event in display order over all runs; the rows of a run lie together.
//! Texts of events are not in here: the page asks for previews of the rows that it shows.

use serde::{Deserialize, Serialize};

use super::columns::Column;
use super::finding_words;
use crate::analysis::{Finding, Severity};
use crate::model::{Event, EventKind, MaybeNs, RunId, RunStatus, Trace, Usage};

/// The outline of a trace.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Outline {
    /// Whether everything has been read.
    pub complete: bool,
    /// Bytes read and bytes in all, where the person stopped the reading.
    pub stopped: Option<(u64, u64)>,
    /// Interned names; index 0 is the empty name.
    pub names: Vec<String>,
    /// The runs, in the order in which they came up.
    pub runs: Vec<RunLine>,
    /// The events.
    pub rows: Rows,
    /// The findings, ordered by run and row.
    pub findings: Vec<FindingLine>,
    /// How many findings were left out because there were too many.
    pub findings_dropped: u32,
    /// What could not be read, or only with a repair.
    pub warnings: Vec<WarningLine>,
    /// The files, archive entries and addresses that were read.
    pub sources: Vec<SourceLine>,
}

/// One entry a row.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Rows {
    /// Ids of the events, for requests to the worker.
    pub ids: Column<u32>,
    /// [`crate::model::EventKind`] codes.
    pub kinds: Column<u8>,
    /// [`crate::model::Status`] codes.
    pub statuses: Column<u8>,
    /// [`crate::model::Flags`] bits.
    pub flags: Column<u16>,
    /// Nesting depth, 0 for roots.
    pub depths: Column<u16>,
    /// How many rows right behind this one are nested in it.
    pub nested: Column<u32>,
    /// Index into the outline's names.
    pub names: Column<u32>,
    /// Index into the outline's names: the error type.
    pub errors: Column<u32>,
    /// Start in milliseconds since 1970; NaN where unknown.
    pub starts_ms: Column<f64>,
    /// Duration in milliseconds; NaN where unknown.
    pub durations_ms: Column<f64>,
    /// Tokens into the model, cached ones included; NaN where unknown.
    pub tokens_in: Column<f64>,
    /// Tokens out of the model; NaN where unknown.
    pub tokens_out: Column<f64>,
    /// The row that this one is nested in; [`NO_ROW`] for roots.
    pub parents: Column<u32>,
    /// Position among the rows of the same parent, from 1.
    pub positions: Column<u32>,
    /// How many rows are nested directly in this one.
    pub children: Column<u32>,
    /// How many of these are tool calls.
    pub tool_children: Column<u32>,
}

impl Outline {
    /// The run of a row, with its index.
    #[must_use]
    pub fn run_of(&self, row: u32) -> Option<(u32, &RunLine)> {
        // Runs without rows share their first row with the next run.
        let at = self.runs.partition_point(|run| run.first_row + run.n_rows <= row);
        let run = self.runs.get(at).filter(|run| run.first_row <= row)?;
        Some((index(at), run))
    }
}

impl Outline {
    /// The row of each event by its id; [`NO_ROW`] for those without one.
    #[must_use]
    pub fn rows_by_id(&self) -> Vec<u32> {
        let ids = self.rows.ids.as_slice();
        let mut rows = vec![NO_ROW; ids.iter().max().map_or(0, |id| *id as usize + 1)];
        for (row, id) in (0..).zip(ids) {
            if let Some(slot) = rows.get_mut(*id as usize) {
                *slot = row;
            }
        }
        rows
    }
}

/// Stands for no row.
pub const NO_ROW: u32 = u32::MAX;

/// A run in the list of runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunLine {
    /// The producer's id.
    pub key: String,
    /// Its name, or its id where it has none.
    pub title: String,
    /// Id of its format.
    pub format: String,
    /// [`RunStatus`] as its word.
    pub status: String,
    /// Start in milliseconds since 1970; NaN where unknown.
    pub start_ms: f64,
    /// End of the last event in milliseconds since 1970; NaN where unknown.
    pub end_ms: f64,
    /// Duration in milliseconds; NaN where unknown.
    pub duration_ms: f64,
    /// Its first row.
    pub first_row: u32,
    /// How many rows it has.
    pub n_rows: u32,
    /// How many of them are nested in no other.
    pub n_roots: u32,
    /// Counts of its events.
    pub counts: Counts,
    /// Counts that the producer wrote, where no events are in the files.
    pub given: Option<Counts>,
    /// Usage over all calls that report it.
    pub usage: Usage,
    /// How many LLM calls report usage.
    pub usage_known: u64,
    /// Facts as label and value.
    pub facts: Vec<(String, String)>,
    /// Sentences about the run.
    pub notes: Vec<String>,
    /// Row of the first failed event.
    pub first_error: Option<u32>,
}

/// Counts in the words of the glossary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Events.
    pub events: u64,
    /// LLM calls.
    pub llm_calls: u64,
    /// Tool calls.
    pub tool_calls: u64,
    /// Failed events.
    pub errors: u64,
    /// Loop warnings in the file.
    pub loop_warnings: u64,
}

/// A finding, ready to be shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FindingLine {
    /// The rule's id.
    pub rule: String,
    /// `info`, `warning` or `critical`.
    pub severity: String,
    /// Index of the run.
    pub run: u32,
    /// First row of the stretch.
    pub first: u32,
    /// The row that carries the badge and is jumped to: the first call of a tool, where the stretch
    /// has one, not the LLM call that asked for it.
    pub mark: u32,
    /// Last row of the stretch.
    pub last: u32,
    /// The true number of repetitions.
    pub repetitions: u32,
    /// A plain sentence.
    pub sentence: String,
    /// A few words for the badge on the first row.
    pub badge: String,
    /// The rows of all repetitions, in order.
    pub evidence: Vec<u32>,
    /// The rows of repetitions 2 to n that are folded away; empty for mere information.
    pub folded: Vec<u32>,
    /// What the fold line says.
    pub fold_words: String,
    /// How many calls make up one repetition.
    pub block_len: u32,
    /// Rows of warnings that the producer wrote about this stretch.
    pub reported: Vec<u32>,
}

/// Warnings of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WarningLine {
    /// The code.
    pub code: String,
    /// How often.
    pub count: u64,
    /// What it means, in a sentence.
    pub words: String,
    /// The first places: source, line, byte, detail.
    pub places: Vec<(u32, u32, u64, String)>,
}

/// A source.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SourceLine {
    /// Its name with the folders it was dropped in.
    pub path: String,
    /// Its length in bytes, as far as read.
    pub len_bytes: u64,
    /// Id of the format it was read as; empty where it could not be read.
    pub format: String,
    /// Why that format.
    pub why: String,
    /// Other formats that could read it: id, name, reason.
    pub others: Vec<(String, String, String)>,
    /// Why nothing of it can be shown: code and sentence.
    pub problem: Option<(String, String)>,
    /// Whether it is a step on the way (an archive, a compressed file) and no trace by itself.
    pub is_container: bool,
}

fn ms(value: MaybeNs) -> f64 {
    #[expect(clippy::cast_precision_loss)] // microseconds of today's dates fit a double
    value.get().map_or(f64::NAN, |ns| ns as f64 / 1e6)
}

#[expect(clippy::cast_precision_loss)]
fn tokens(value: Option<u64>) -> f64 {
    value.map_or(f64::NAN, |n| n as f64)
}

fn index(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// Makes the outline of a trace; `findings` as analysis found them.
#[must_use]
pub fn outline(trace: &Trace, findings: &[Finding], dropped: usize) -> Outline {
    let mut rows = Rows::default();
    let mut row_of = vec![u32::MAX; trace.events().len()];
    let mut runs = Vec::with_capacity(trace.runs().len());
    for at in 0..trace.runs().len() {
        let id = RunId::from_index(at);
        let first_row = rows.ids.len();
        push_rows(trace, id, &mut rows, &mut row_of);
        runs.push(run_line(trace, id, first_row, &rows));
    }
    let row = |id: crate::model::EventId| row_of.get(id.index()).copied().unwrap_or(0);
    let findings = findings.iter().map(|it| finding_line(trace, it, &row)).collect();
    Outline {
        stopped: None,
        complete: true,
        names: trace.names().iter().map(str::to_owned).collect(),
        runs,
        rows,
        findings,
        findings_dropped: index(dropped),
        warnings: trace.warnings().as_slice().iter().map(warning_line).collect(),
        sources: Vec::new(),
    }
}

fn push_rows(trace: &Trace, run: RunId, rows: &mut Rows, row_of: &mut [u32]) {
    let order = trace.order(run);
    let depths = trace.depths(run);
    let first_row = rows.ids.len();
    let mut open: Vec<(u16, u32)> = Vec::new();
    let mut n_roots = 0;
    for (at, id) in order.iter().enumerate() {
        let Some(event) = trace.event(*id) else { continue };
        let row = first_row + index(at);
        let depth = depths.get(at).copied().unwrap_or(0);
        while let Some((_, opener)) = open.pop_if(|(above, _)| *above >= depth) {
            rows.nested.set(opener, row - opener - 1);
        }
        let parent = open.last().map_or(NO_ROW, |(_, opener)| *opener);
        let is_tool = event.kind == EventKind::ToolCall;
        let position = if parent == NO_ROW {
            n_roots += 1;
            n_roots
        } else {
            rows.tool_children.set(parent, rows.tool_children.get(parent) + u32::from(is_tool));
            rows.children.set(parent, rows.children.get(parent) + 1);
            rows.children.get(parent)
        };
        open.push((depth, row));
        push_row(trace, event, index(id.index()), depth, rows);
        rows.parents.push(parent);
        rows.positions.push(position);
        if let Some(slot) = row_of.get_mut(id.index()) {
            *slot = row;
        }
    }
    let end = rows.ids.len();
    for (_, opener) in open {
        rows.nested.set(opener, end - opener - 1);
    }
}

fn push_row(trace: &Trace, event: &Event, id: u32, depth: u16, rows: &mut Rows) {
    let usage = trace.usage(event);
    rows.ids.push(id);
    rows.kinds.push(event.kind as u8);
    rows.statuses.push(event.status as u8);
    rows.flags.push(event.flags.bits());
    rows.depths.push(depth);
    rows.nested.push(0);
    rows.names.push(index(event.name.index()));
    rows.errors.push(index(event.error.index()));
    rows.starts_ms.push(ms(event.start));
    rows.durations_ms.push(ms(event.duration));
    rows.tokens_in.push(tokens(usage.and_then(Usage::total_input)));
    rows.tokens_out.push(tokens(usage.and_then(|usage| usage.output)));
    rows.children.push(0);
    rows.tool_children.push(0);
}

fn run_line(trace: &Trace, id: RunId, first_row: u32, rows: &Rows) -> RunLine {
    let Some(run) = trace.run(id) else { return RunLine::default() };
    let totals = trace.totals(id);
    let n_rows = rows.ids.len() - first_row;
    let in_run = first_row..first_row + n_rows;
    let failed = |row: &u32| trace.order(id).get((*row - first_row) as usize);
    let first_error = in_run
        .clone()
        .find(|row| failed(row).and_then(|id| trace.event(*id)).is_some_and(Event::is_error));
    let duration = run.duration.get().or_else(|| {
        // Of a run without an end only the time until its last record is known, not its duration;
        // of one with a single time nothing is.
        let (start, end) = (run.start.get()?, run.end.get()?);
        (end > start && run.status != RunStatus::Running).then_some(end.saturating_sub(start))
    });
    let given = (n_rows == 0).then_some(Counts {
        events: 0,
        llm_calls: run.counts.llm_calls.unwrap_or(0),
        tool_calls: run.counts.tool_calls.unwrap_or(0),
        errors: run.counts.errors.unwrap_or(0),
        loop_warnings: run.counts.loop_warnings.unwrap_or(0),
    });
    RunLine {
        key: run.key.clone(),
        title: run
            .title
            .clone()
            .filter(|title| !title.is_empty())
            .unwrap_or_else(|| run.key.clone()),
        format: run.format.to_owned(),
        status: run.status.word().to_owned(),
        start_ms: ms(run.start),
        end_ms: ms(run.end),
        duration_ms: ms(MaybeNs::from(duration)),
        first_row,
        n_rows,
        n_roots: in_run
            .clone()
            .filter(|row| rows.parents.get(*row) == NO_ROW)
            .fold(0, |n, _| n + 1),
        counts: Counts {
            events: totals.events,
            llm_calls: totals.llm_calls,
            tool_calls: totals.tool_calls,
            errors: totals.errors,
            loop_warnings: totals.loop_warnings,
        },
        given,
        usage: totals.usage,
        usage_known: totals.usage_known,
        facts: run.facts.clone(),
        notes: run.notes.clone(),
        first_error,
    }
}

fn finding_line(
    trace: &Trace,
    finding: &Finding,
    row: &dyn Fn(crate::model::EventId) -> u32,
) -> FindingLine {
    let rows = |ids: &[crate::model::EventId]| {
        let mut rows: Vec<u32> = ids.iter().map(|id| row(*id)).collect();
        rows.sort_unstable();
        rows
    };
    let folds = finding.severity > Severity::Info || finding.same_args;
    let evidence = rows(&finding.events);
    FindingLine {
        rule: finding.rule.to_owned(),
        severity: finding.severity.word().to_owned(),
        run: index(finding.run.index()),
        first: evidence.first().copied().unwrap_or_else(|| row(finding.first)),
        mark: row(first_call(trace, finding).unwrap_or(finding.first)),
        last: evidence.last().copied().unwrap_or_else(|| row(finding.last)),
        repetitions: finding.repetitions,
        sentence: finding_words::sentence(finding, trace.names()),
        badge: finding_words::badge(finding),
        folded: if folds { rows(&finding.repeats) } else { Vec::new() },
        fold_words: finding_words::fold(finding),
        evidence,
        block_len: index(finding.block_len),
        reported: rows(&finding.reported),
    }
}

/// The first event of a finding that is no LLM call.
fn first_call(trace: &Trace, finding: &Finding) -> Option<crate::model::EventId> {
    let is_call = |id: &&crate::model::EventId| {
        trace.event(**id).is_some_and(|event| event.kind != EventKind::LlmCall)
    };
    finding.events.iter().find(is_call).copied()
}

fn warning_line(warning: &crate::model::Warning) -> WarningLine {
    WarningLine {
        code: warning.code.to_owned(),
        count: warning.count,
        words: super::words::warning(warning.code).to_owned(),
        places: warning
            .places
            .iter()
            .map(|it| (index(it.source.index()), it.line, it.byte, it.detail.clone()))
            .collect(),
    }
}
