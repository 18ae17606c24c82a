//! What the page knows of a trace: runs, findings, warnings, and flat columns with one entry a row.
//!
//! A *row* is the index of an event in display order over all runs; the rows of a run lie together.
//! Texts of events are not in here: the page asks for previews of the rows that it shows.
//!
//! An outline travels in pieces, so that neither end ever works on all rows at once: first all but
//! the rows, then the rows in slices ([`super::assembly`] puts them together).

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::model::{AnnotationTally, EventKind, Usage};
use crate::view::wire::columns::{Column, Texts};
use crate::view::wire::context_use::ContextUse;
use crate::view::wire::exhibits::Exhibits;
use crate::view::wire::loops::Loops;
use crate::view::wire::row_columns::Rows;

/// The outline of a trace.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Outline {
    /// Whether everything has been read.
    pub complete: bool,
    /// Whether more may come at any moment: what has no end yet is still running.
    pub is_live: bool,
    /// Bytes read and bytes in all (0 where not known), where the person stopped the reading.
    pub stopped: Option<(u64, u64)>,
    /// Interned names; index 0 is the empty name.
    pub names: Texts,
    /// The runs, in the order in which they came up.
    pub runs: Vec<RunLine>,
    /// How many rows all runs have together.
    pub n_rows: u32,
    /// Whether the rows are those of the outline before: then none are sent.
    pub keeps_rows: bool,
    /// The events. They travel on their own.
    #[serde(skip)]
    pub rows: Arc<Rows>,
    /// What the findings mean for single rows; worked out where the outline arrives.
    #[serde(skip)]
    pub loops: Arc<Loops>,
    /// The findings, ordered by run and row.
    pub findings: Vec<FindingLine>,
    /// How many findings were left out because there were too many.
    pub findings_dropped: u32,
    /// What could not be read, or only with a repair.
    pub warnings: Vec<WarningLine>,
    /// The files, archive entries and addresses that were read.
    pub sources: Vec<SourceLine>,
    /// What stands in tabs of its own beside the timeline.
    pub exhibits: Exhibits,
    /// Events of earlier outlines that turned out to be part of another event, and that event.
    /// Sorted. All others keep their ids.
    pub absorbed: Vec<(u32, u32)>,
}

impl Outline {
    /// The text of an interned name; empty for an unknown index.
    #[must_use]
    pub fn name(&self, index: u32) -> &str {
        self.names.get(index)
    }

    /// The row of an event, or of the event that absorbed it.
    #[must_use]
    pub fn row_of(&self, id: u32) -> Option<u32> {
        self.rows.row_of(self.present(id))
    }

    /// The event that absorbed an event, or the event itself.
    #[must_use]
    pub fn present(&self, id: u32) -> u32 {
        let at = self.absorbed.binary_search_by_key(&id, |(gone, _)| *gone).ok();
        at.and_then(|at| self.absorbed.get(at)).map_or(id, |(_, into)| *into)
    }

    /// The index that a run of an earlier outline has here: runs that turn out to be part of another
    /// one move all that follow. A run that is gone is the run that has its first event now.
    #[must_use]
    pub fn same_run(&self, old: &Self, run: u32) -> Option<u32> {
        let known = old.runs.get(run as usize)?;
        let is_same = |it: &RunLine| it.key == known.key && it.format == known.format;
        // Nothing has moved: the common case.
        if self.runs.get(run as usize).is_some_and(is_same) {
            return Some(run);
        }
        let found = self.runs.iter().position(is_same).and_then(|at| u32::try_from(at).ok());
        found.or_else(|| {
            let first = (known.n_rows > 0).then(|| old.rows.ids.get(known.first_row))?;
            Some(self.run_of(self.row_of(first)?)?.0)
        })
    }

    /// The run of a row, with its index.
    #[must_use]
    pub fn run_of(&self, row: u32) -> Option<(u32, &RunLine)> {
        // Runs without rows share their first row with the next run.
        let at = self.runs.partition_point(|run| run.first_row + run.n_rows <= row);
        let run = self.runs.get(at).filter(|run| run.first_row <= row)?;
        Some((u32::try_from(at).unwrap_or(u32::MAX), run))
    }

    /// The first run of an agent: one with more than notes that is not told in tabs of its own; else the
    /// first with anything in it.
    #[must_use]
    pub fn run_to_read(&self) -> u32 {
        let filled = (0..).zip(&self.runs).filter(|(_, run)| run.n_rows > 0);
        let mut agents = filled.clone().filter(|(at, _)| !self.exhibits.runs.contains(at));
        let is_telling =
            |kind: u8| ![EventKind::Note as u8, EventKind::Record as u8].contains(&kind);
        let telling = agents.clone().find(|(_, run)| run.kinds.iter().any(|it| is_telling(it.0)));
        let found = telling.or_else(|| agents.next()).or_else(|| filled.clone().next());
        found.map_or(0, |(at, _)| at)
    }

    /// The run with an id, or else the first whose id begins so.
    #[must_use]
    pub fn run_by_key(&self, key: &str) -> Option<u32> {
        let exact = self.runs.iter().position(|run| run.key == key);
        let at = exact.or_else(|| self.runs.iter().position(|run| run.key.starts_with(key)));
        at.and_then(|at| u32::try_from(at).ok())
    }
}

/// So many tools of a run are listed, the most used first.
pub const MAX_TOOLS: usize = 15;

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
    /// How full the context window was at the last LLM call, where its tokens are known.
    pub context: Option<ContextUse>,
    /// How well it did, from 0 to 1, where a grader says so.
    pub score: Option<f64>,
    /// `pass`, `borderline` or `fail`; empty where no grader says so.
    pub verdict: String,
    /// Facts as label and value.
    pub facts: Vec<(String, String)>,
    /// Sentences about the run.
    pub notes: Vec<String>,
    /// What to say of a run without an end, unless it may still be running.
    pub no_end: Option<String>,
    /// The groups that it belongs to, the widest first.
    pub groups: Vec<String>,
    /// The annotations in the file.
    pub annotations: AnnotationTally,
    /// Row of the first failed event.
    pub first_error: Option<u32>,
    /// How many rows there are of each kind ([`crate::model::EventKind`] codes), by code.
    pub kinds: Vec<(u8, u64)>,
    /// The most used tools: index of the name, number of calls; at most [`MAX_TOOLS`].
    pub tools: Vec<(u32, u64)>,
    /// Which columns its rows fill.
    pub columns: ColumnsShown,
}

/// Which columns any row of a run fills; a column that none fills is not shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ColumnsShown {
    /// Tokens in and out.
    pub tokens: bool,
    /// Durations.
    pub durations: bool,
    /// Bars on a time axis.
    pub bars: bool,
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
    pub evidence: Column<u32>,
    /// The rows of repetitions 2 to n that are folded away; empty for mere information.
    pub folded: Column<u32>,
    /// What the fold line says.
    pub fold_words: String,
    /// How many calls make up one repetition.
    pub block_len: u32,
    /// Rows of warnings that the producer wrote about this stretch.
    pub reported: Vec<u32>,
}

impl FindingLine {
    /// Whether it is a possible loop, not mere information.
    #[must_use]
    pub fn is_loud(&self) -> bool {
        self.severity != "info"
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::page::testing::with_ids;

    #[test]
    fn runs_and_events_are_found_again_in_a_later_outline() {
        let run = |key: &str, format: &str, first_row, n_rows| RunLine {
            key: key.to_owned(),
            format: format.to_owned(),
            first_row,
            n_rows,
            ..RunLine::default()
        };
        let mut old = with_ids(&[0; 6], &[0, 1, 2, 3, 4, 5]);
        old.runs = vec![run("a", "f", 0, 2), run("b", "f", 2, 2), run("a", "g", 4, 2)];
        // Event 2 became part of event 0, and its run part of the first one.
        let mut new = with_ids(&[0; 5], &[0, 1, 3, 4, 5]);
        new.runs = vec![run("a", "f", 0, 3), run("a", "g", 3, 2)];
        new.absorbed = vec![(2, 0)];
        let runs = [0, 1, 2, 3].map(|at| new.same_run(&old, at));
        assert_eq!(runs, [Some(0), Some(0), Some(1), None]);
        let rows = [0, 1, 2, 3, 6].map(|id| new.row_of(id));
        assert_eq!(rows, [Some(0), Some(1), Some(0), Some(2), None]);
    }
}
