//! The outline of a trace, which is the only part of it that the page holds: runs, findings, warnings, and flat columns
//! with one entry per row ([`crate::row_columns`]).
//!
//! A *row* is the index of an event in display order across all runs; the rows of a run are contiguous. The text of
//! events is not included: the page requests previews of the rows that it shows.
//!
//! An outline is sent in pieces, so that neither side ever processes all rows at once: first everything except the rows
//! ([`OutlineHead`]), then the rows in slices.

use serde::{Deserialize, Serialize};

use crate::columns::Texts;
use crate::context_use::ContextUse;
use crate::exhibits::Exhibits;
use crate::file_selection::LeftOut;
pub use crate::finding::FindingLine;
use crate::problem::SourceFault;
use traceloupe_core::model::{
    AnnotationTally, ErrorLabel, EventKind, Fact, NameId, NoEnd, Reading, RunNote, RunStatus,
    RunVerdict, Usage,
};
use traceloupe_core::warning_code::WarningCode;

/// Everything in an outline except its rows.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct OutlineHead {
    /// Whether everything has been read.
    pub complete: bool,
    /// Whether more data may arrive at any moment, so that anything without an end counts as
    /// running.
    pub is_live: bool,
    /// Bytes read and total bytes (0 if unknown), if the user stopped reading.
    pub stopped: Option<(u64, u64)>,
    /// Interned names; index 0 is the empty name.
    pub names: Texts,
    /// What the file states about errors, with names as indices; index 0 stands for nothing.
    pub errors: Vec<ErrorLabel<u32>>,
    /// The runs, in order of first appearance.
    pub runs: Vec<RunLine>,
    /// The total number of rows of all runs.
    pub n_rows: u32,
    /// Whether the rows are the same as in the previous outline; if so they are not sent again.
    pub keeps_rows: bool,
    /// The findings, ordered by run and row.
    pub findings: Vec<FindingLine>,
    /// How many findings exceed the limit and were left out.
    pub findings_dropped: u32,
    /// What could not be read, or only after a repair.
    pub warnings: Vec<WarningLine>,
    /// The files, archive entries and addresses that were read.
    pub sources: Vec<SourceLine>,
    /// The contents of the definition and result tabs.
    pub exhibits: Exhibits,
    /// Events of earlier outlines that turned out to be part of another event: old id and id of the other event,
    /// sorted. All other events keep their ids.
    pub absorbed: Vec<(u32, u32)>,
}

impl OutlineHead {
    /// The text of an interned name; empty for an unknown index.
    #[must_use]
    pub fn name(&self, index: u32) -> &str {
        self.names.get(index)
    }

    /// The text of an interned name by its id in the trace.
    #[must_use]
    pub fn name_of(&self, id: NameId) -> &str {
        self.name(id.number())
    }

    /// The event that absorbed an event, or the event itself.
    #[must_use]
    pub fn present(&self, id: u32) -> u32 {
        let at = self.absorbed.binary_search_by_key(&id, |(gone, _)| *gone).ok();
        at.and_then(|at| self.absorbed.get(at)).map_or(id, |(_, into)| *into)
    }

    /// The run of a row, with its index.
    #[must_use]
    pub fn run_of(&self, row: u32) -> Option<(u32, &RunLine)> {
        // Runs without rows have the same first row as the next run.
        let at = self.runs.partition_point(|run| run.first_row + run.n_rows <= row);
        let run = self.runs.get(at).filter(|run| run.first_row <= row)?;
        Some((u32::try_from(at).unwrap_or(u32::MAX), run))
    }

    /// The run to show first: the first run that has more than notes, evaluations and its start or end, and has no
    /// exhibits of its own; otherwise the first run that is not empty.
    #[must_use]
    pub fn run_to_read(&self) -> u32 {
        let filled = (0..).zip(&self.runs).filter(|(_, run)| run.n_rows > 0);
        let mut agents = filled
            .clone()
            .filter(|(at, run)| !self.exhibits.runs.contains(at) && self.is_listed(run));
        let framing = [
            EventKind::Note,
            EventKind::Record,
            EventKind::RunStart,
            EventKind::RunEnd,
            EventKind::Evaluation,
        ];
        let is_telling = |kind: u8| !framing.contains(&EventKind::from_code(kind));
        let telling = agents.clone().find(|(_, run)| run.kinds.iter().any(|it| is_telling(it.0)));
        let found = telling.or_else(|| agents.next()).or_else(|| filled.clone().next());
        found.map_or(0, |(at, _)| at)
    }

    /// Whether a run is listed. What is only about other runs is not, unless there is nothing else.
    #[must_use]
    pub fn is_listed(&self, run: &RunLine) -> bool {
        !run.is_about_runs() || self.runs.iter().all(RunLine::is_about_runs)
    }

    /// The runs that are listed.
    pub fn listed(&self) -> impl Iterator<Item = &RunLine> {
        self.runs.iter().filter(|run| self.is_listed(run))
    }

    /// How many runs are listed.
    #[must_use]
    pub fn n_listed(&self) -> usize {
        self.listed().count()
    }

    /// What is about the listed runs as a whole, such as the evaluation that they are part of, each with its index.
    pub fn about_runs(&self) -> impl Iterator<Item = (u32, &RunLine)> {
        (0..).zip(&self.runs).filter(|(_, run)| !self.is_listed(run))
    }

    /// The run with this id, otherwise the first run whose id starts with it.
    #[must_use]
    pub fn run_by_key(&self, key: &str) -> Option<u32> {
        let exact = self.runs.iter().position(|run| run.key == key);
        let at = exact.or_else(|| self.runs.iter().position(|run| run.key.starts_with(key)));
        at.and_then(|at| u32::try_from(at).ok())
    }
}

/// The maximum number of tools listed per run; the most used ones are kept.
pub const MAX_TOOLS: usize = 15;

/// A run in the list of runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunLine {
    /// The producer's id.
    pub key: String,
    /// Its name, or its id if it has none.
    pub title: String,
    /// Id of its format.
    pub format: String,
    /// The outcome that the file states.
    pub status: RunStatus,
    /// Start in milliseconds since 1970; NaN if unknown.
    pub start_ms: f64,
    /// End of the last event in milliseconds since 1970; NaN if unknown.
    pub end_ms: f64,
    /// Duration in milliseconds; NaN if unknown.
    pub duration_ms: f64,
    /// Idle times: start and end in milliseconds since 1970, in order.
    pub idle_ms: Vec<(f64, f64)>,
    /// Its agents, in the order of their rows; those after [`MAX_LANES`] share the last entry.
    pub lanes: Vec<LaneLine>,
    /// Its first row.
    pub first_row: u32,
    /// The number of rows.
    pub n_rows: u32,
    /// How many of the rows are roots.
    pub n_roots: u32,
    /// Counts of its events.
    pub counts: Counts,
    /// Counts stated by the producer, if the events themselves are not in the files.
    pub given: Option<Counts>,
    /// Usage summed over all calls that report it.
    pub usage: Usage,
    /// How many LLM calls report usage.
    pub usage_known: u64,
    /// Context use at the fullest LLM call, if its tokens are known.
    pub context: Option<ContextUse>,
    /// Score from 0 to 1, if a grader gave one.
    pub score: Option<f64>,
    /// The verdict of its graders, if there are any.
    pub verdict: Option<RunVerdict>,
    /// Other facts about it.
    pub facts: Vec<Fact>,
    /// Notes on it: what the files lack, or how they were read.
    pub notes: Vec<RunNote>,
    /// The missing record, if the file has no end of the run. Not shown while it may still be running.
    pub no_end: Option<NoEnd>,
    /// The groups it belongs to, outermost first.
    pub groups: Vec<String>,
    /// How many annotations the file contains.
    pub annotations: AnnotationTally,
    /// Whether the last step of the main agent is an answer of its model.
    pub is_answered: bool,
    /// Row of the first failed event.
    pub first_error: Option<u32>,
    /// Number of rows per kind ([`traceloupe_core::model::EventKind`] code), sorted by code.
    pub kinds: Vec<(u8, u64)>,
    /// The most used tools: name index and number of calls, at most [`MAX_TOOLS`].
    pub tools: Vec<(u32, u64)>,
    /// Which columns its rows fill.
    pub columns: ColumnsShown,
}

impl RunLine {
    /// Whether nothing of the run describes an agent: its times are those of something else.
    #[must_use]
    pub fn has_no_agent(&self) -> bool {
        use RunNote::{NoAgentData, NoLlmTraffic, PlainRecords};
        self.notes.iter().any(|it| matches!(it, NoAgentData | NoLlmTraffic | PlainRecords))
    }

    /// Whether it is no run itself, but tells of the runs of an evaluation.
    #[must_use]
    pub fn is_about_runs(&self) -> bool {
        self.notes.contains(&RunNote::AboutRuns)
    }

    /// The active time in milliseconds; NaN if the duration is unknown, or if there is no agent.
    #[must_use]
    pub fn active_ms(&self) -> f64 {
        if self.has_no_agent() {
            return f64::NAN;
        }
        let idle: f64 = self.idle_ms.iter().map(|(from, to)| to - from).sum();
        // A duration stated by the producer may already exclude the idle times.
        if idle < self.duration_ms { self.duration_ms - idle } else { self.duration_ms }
    }

    /// The active time within a stretch of time, in milliseconds; NaN if one of its ends is unknown.
    #[must_use]
    pub fn active_between_ms(&self, from: f64, to: f64) -> f64 {
        let idle = self.idle_ms.get(self.idle_ms.partition_point(|it| it.1 <= from)..);
        let idle = idle.unwrap_or_default().iter().take_while(|it| it.0 < to);
        to - from - idle.map(|it| it.1.min(to) - it.0.max(from)).sum::<f64>()
    }

    /// The idle time directly before a time, in milliseconds. `None` if there is none.
    #[must_use]
    pub fn idle_before_ms(&self, start_ms: f64) -> Option<f64> {
        let is_before = |(from, to): &&(f64, f64)| *from < start_ms && (to - start_ms).abs() < 1e3;
        self.idle_ms.iter().find(is_before).map(|(from, to)| to - from)
    }

    /// Whether the format states which events are calls. Plain records do not, so they were not checked for loops and
    /// errors.
    #[must_use]
    pub fn knows_calls(&self) -> bool {
        self.kinds.is_empty() || self.kinds.iter().any(|(kind, _)| *kind != EventKind::Record as u8)
    }
}

/// The maximum number of agents of a run that are distinguished.
pub const MAX_LANES: usize = 64;

/// An agent of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaneLine {
    /// The index of the lane in the trace.
    pub lane: u32,
    /// Its name; empty for the main agent without a name.
    pub name: String,
    /// Whether it is the main agent.
    pub is_main: bool,
    /// The number of its rows.
    pub n_rows: u32,
}

/// Which columns at least one row of a run fills; empty columns are not shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ColumnsShown {
    /// Input and output tokens.
    pub tokens: bool,
    /// Durations.
    pub durations: bool,
    /// Bars on a time axis.
    pub bars: bool,
}

/// Counts of a run.
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

/// Warnings of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WarningLine {
    /// The kind of warning.
    pub code: WarningCode,
    /// How many there are.
    pub count: u64,
    /// The first places: source, line, byte, detail.
    pub places: Vec<(u32, u32, u64, String)>,
}

impl WarningLine {
    /// Whether it only states how the file was converted before reading: nothing is missing.
    #[must_use]
    pub fn is_remark(&self) -> bool {
        use WarningCode::{FromConsole, FromMarkdown, FromString, FromYaml, TranscodedUtf16};
        let remarks = [FromConsole, FromMarkdown, FromString, FromYaml, TranscodedUtf16];
        remarks.contains(&self.code)
    }
}

/// A source.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SourceLine {
    /// Its name, with the folders it was dropped in.
    pub path: String,
    /// Length in bytes, as far as read.
    pub len_bytes: u64,
    /// Id of the format with which it was read; empty if it could not be read.
    pub format: String,
    /// Why that format was chosen.
    pub why: String,
    /// Other formats that could read it: id, name, reason.
    pub others: Vec<(String, String, String)>,
    /// The mapping of its keys, if it has no known format.
    pub reading: Option<Reading>,
    /// Why nothing of it can be shown, or not all of it.
    pub problem: Option<SourceFault>,
    /// Whether it only contains other sources (an archive, a compressed file) and is not itself a
    /// trace.
    pub is_container: bool,
    /// Its entries that were not read, if it is an archive.
    pub left_out: LeftOut,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_was_made_of_is_no_problem() {
        let is_remark = |code| WarningLine { code, count: 1, places: Vec::new() }.is_remark();
        assert!(is_remark(WarningCode::FromYaml) && is_remark(WarningCode::TranscodedUtf16));
        assert!(!is_remark(WarningCode::BrokenYaml));
    }

    #[test]
    fn what_is_read_first_is_what_an_agent_did() {
        let run = |n_rows, kinds: &[EventKind]| RunLine {
            kinds: kinds.iter().map(|kind| (*kind as u8, 1)).collect(),
            n_rows,
            ..RunLine::default()
        };
        let evaluation = run(2, &[EventKind::RunStart, EventKind::Evaluation]);
        let sample = run(1, &[EventKind::UserMessage]);
        let outline = |runs: &[&RunLine]| OutlineHead {
            runs: runs.iter().map(|it| (*it).clone()).collect(),
            ..OutlineHead::default()
        };
        assert_eq!(outline(&[&evaluation, &sample]).run_to_read(), 1);
        assert_eq!(outline(&[&run(0, &[]), &evaluation, &evaluation]).run_to_read(), 1);
    }

    #[test]
    fn what_is_about_runs_is_listed_only_alone() {
        let run = |notes: &[RunNote]| RunLine { notes: notes.to_vec(), ..RunLine::default() };
        let (evaluation, sample) = (run(&[RunNote::AboutRuns]), run(&[]));
        let of = |runs: &[&RunLine]| OutlineHead {
            runs: runs.iter().map(|it| (*it).clone()).collect(),
            ..OutlineHead::default()
        };
        let outline = of(&[&evaluation, &sample]);
        assert_eq!((outline.n_listed(), outline.about_runs().map(|it| it.0).sum()), (1, 0));
        assert_eq!(outline.about_runs().count(), 1);
        let alone = of(&[&evaluation]);
        assert_eq!((alone.n_listed(), alone.about_runs().count()), (1, 0));
    }

    #[test]
    fn plain_records_know_no_calls() {
        let run = |kinds: &[EventKind]| RunLine {
            kinds: kinds.iter().map(|kind| (*kind as u8, 1)).collect(),
            ..RunLine::default()
        };
        assert!(!run(&[EventKind::Record]).knows_calls());
        assert!(run(&[EventKind::Record, EventKind::ToolCall]).knows_calls());
        assert!(run(&[EventKind::UserMessage]).knows_calls());
        assert!(run(&[]).knows_calls(), "a summary without events was checked by its producer");
    }
}
