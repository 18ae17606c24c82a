//! The brief of a run, made of what the page shows elsewhere: the outline, the findings, the files, the costs and the texts
//! of a few events.

pub mod texts;

use std::sync::Arc;

use crate::causes::said_of;
use crate::evidence;
use crate::files_touched::{CallRow, FileLine, FilesTouched, file_lines};
use crate::finding_list::{Entry, FindingList, Part};
use crate::jump_targets::last_answer;
use crate::outline::Outline;
use crate::prices::{CostSplit, Costs, Prices, given_dollars};
use crate::run_models::models_of;
use crate::time_categories::Taker;
use crate::time_spent::time_spent;
use crate::waits::waited;
use traceloupe_core::catalog::format_name;
use traceloupe_core::model::{CallOutcome, CostSum, EventKind, RunOutcome, directory_of};
use traceloupe_core::text::directory::relative;
use traceloupe_protocol::causes::Causes;
use traceloupe_protocol::detail::ShownDetail;
use traceloupe_protocol::finding::Evidence;
use traceloupe_protocol::outline::RunLine;
use traceloupe_protocol::touched::Access;
use traceloupe_words::brief::{
    Brief, BriefFinding, ChangedFile, Commit, EventRef, EventRefs, Failures, Listed, Quote, TimeOn,
    TimeSplit,
};
use traceloupe_words::one_line;

pub use texts::text_of;
use texts::{answered_in, asked_in, commit_in};

/// The most bytes of what was asked, and of the last answer.
const ASKED_BYTES: usize = 1_200;
const ANSWER_BYTES: usize = 2_400;

/// The longest text in one line, in characters.
const LINE_CHARS: usize = 160;

/// How many things of one kind are listed.
const LISTED: usize = 12;
const FILES_LISTED: usize = 30;
/// What was fixed matters less.
const FIXED_LISTED: usize = 5;
/// As many later messages of the user are listed: what came of the run should be in view below them.
const MESSAGES_LISTED: usize = 5;

/// How many events of a line are named.
const EVENTS_NAMED: usize = 4;

/// Everything that a brief is made of.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// Index of the run.
    pub run: u32,
    /// Its findings.
    pub findings: &'a FindingList,
    /// What they are about.
    pub causes: &'a Causes,
    /// The files that its calls name.
    pub files: &'a FilesTouched,
    /// The costs of the trace.
    pub costs: &'a Costs,
    /// What was measured over all of its rows.
    pub measured: &'a Measured,
    /// The outcome of the run.
    pub outcome: RunOutcome,
    /// The content of an event, by its id, if it has arrived.
    pub detail: &'a dyn Fn(u32) -> Option<Arc<ShownDetail>>,
    /// The summary of an event, by its id; empty if it has not arrived.
    pub summary: &'a dyn Fn(u32) -> String,
}

/// What has to be measured over all rows of a run, once for all changes of its brief.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Measured {
    time: Option<TimeSplit>,
    split: Option<CostSplit>,
    /// The rows of the tool calls that the user rejected.
    rejected: Vec<u32>,
    /// The rows of the tool calls that were stopped.
    cancelled: Vec<u32>,
}

impl Measured {
    /// Measures a run with a list of prices.
    #[must_use]
    pub fn of_run(outline: &Outline, run: u32, prices: Option<&Prices>) -> Self {
        let Some(run) = outline.runs.get(run as usize) else { return Self::default() };
        let calls_with = |outcome: CallOutcome| {
            let is_one = |row: &u32| {
                outline.rows.kinds.get(*row) == EventKind::ToolCall as u8
                    && outline.rows.outcome(*row) == outcome
            };
            (run.first_row..run.first_row + run.n_rows).filter(is_one).collect()
        };
        Self {
            time: time(outline, run),
            split: CostSplit::of_run(outline, run, prices),
            rejected: calls_with(CallOutcome::Rejected),
            cancelled: calls_with(CallOutcome::Cancelled),
        }
    }
}

/// The events whose texts a brief contains.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// Ids of the events whose contents have to be requested.
    pub details: Vec<u32>,
    /// Ids of the events whose summaries have to be requested.
    pub summaries: Vec<u32>,
}

/// The texts to request for the brief of a run.
#[must_use]
pub fn wanted(outline: &Outline, run: u32, files: &FilesTouched) -> Wanted {
    let Some(line) = outline.runs.get(run as usize) else { return Wanted::default() };
    let id = |row: u32| outline.rows.ids.get(row);
    let rows = [asked_row(outline, line), last_answer(outline, line)];
    let commits = commit_calls(outline, run, files).into_iter().map(|call| id(call.row));
    let later = outline.turns.of(line).iter().skip(1).take(MESSAGES_LISTED);
    Wanted {
        details: rows.into_iter().flatten().map(id).chain(commits.take(LISTED)).collect(),
        summaries: later.map(|turn| id(turn.row)).collect(),
    }
}

/// The row that says what the run was asked: the message that begins its first turn, otherwise its first message or LLM
/// call.
fn asked_row(outline: &Outline, run: &RunLine) -> Option<u32> {
    let first = |kind: EventKind| {
        let mut rows = run.first_row..run.first_row + run.n_rows;
        rows.find(|row| outline.rows.kinds.get(*row) == kind as u8)
    };
    let turn = outline.turns.of(run).first().map(|turn| turn.row);
    turn.or_else(|| first(EventKind::UserMessage)).or_else(|| first(EventKind::LlmCall))
}

/// The calls that run `git commit` and did not fail.
fn commit_calls(outline: &Outline, run: u32, files: &FilesTouched) -> Vec<CallRow> {
    let calls = files.commits.iter().filter_map(|id| CallRow::of_run(outline, run, *id));
    calls.filter(|call| !call.has_no_effect).collect()
}

/// The brief of a run.
#[must_use]
pub fn brief(sources: &Sources<'_>) -> Brief {
    let outline = sources.findings.outline();
    let Some(run) = outline.runs.get(sources.run as usize) else { return Brief::default() };
    let counts = run.given.unwrap_or(run.counts);
    let cost = match given_dollars(run) {
        Some(dollars) => CostSum { dollars, n_known: 1, n_given: 1, ..CostSum::default() },
        None => sources.costs.of_run(run),
    };
    let split = sources.measured.split.filter(|_| cost.n_given == 0);
    let refers = Refers { outline, run };
    Brief {
        title: one_line(&run.title, LINE_CHARS),
        format: format_name(&run.format).to_owned(),
        models: models_of(outline, run),
        start_ms: run.start_ms,
        n_llm_calls: counts.llm_calls,
        n_tool_calls: counts.tool_calls,
        asked: asked_row(outline, run)
            .and_then(|row| sources.quote(&refers, row, asked_in, ASKED_BYTES)),
        later_messages: later_messages(sources, &refers),
        outcome: sources.outcome,
        no_end: run.no_end,
        grade: (run.score, run.verdict),
        answer: last_answer(outline, run)
            .and_then(|row| sources.quote(&refers, row, answered_in, ANSWER_BYTES)),
        files: sources.files.done.then(|| changed_files(sources, &refers)),
        commits: commits(sources, &refers),
        rejected: refers.events(&sources.measured.rejected),
        cancelled: refers.events(&sources.measured.cancelled),
        failures: failures(sources, &refers, counts.errors),
        loops: loops(sources, &refers),
        usage: run.usage,
        cost,
        cost_split: split.map(CostSplit::parts).unwrap_or_default(),
        time: sources.measured.time.clone(),
    }
}

/// Refers to events by their numbers in the run.
struct Refers<'a> {
    outline: &'a Outline,
    run: &'a RunLine,
}

impl Refers<'_> {
    fn event(&self, row: u32) -> EventRef {
        EventRef { row, number: row.saturating_sub(self.run.first_row) + 1 }
    }

    fn events(&self, rows: &[u32]) -> EventRefs {
        EventRefs {
            named: rows.iter().take(EVENTS_NAMED).map(|row| self.event(*row)).collect(),
            n_more: rows.len().saturating_sub(EVENTS_NAMED) as u64,
        }
    }
}

impl Sources<'_> {
    /// The beginning of a text of an event.
    fn quote(
        &self,
        refers: &Refers<'_>,
        row: u32,
        text_in: fn(&ShownDetail) -> (String, u64),
        max_bytes: usize,
    ) -> Option<Quote> {
        let detail = (self.detail)(refers.outline.rows.ids.get(row))?;
        let (text, n_missing) = text_in(&detail);
        let text = text.trim();
        let shown = beginning(text, max_bytes);
        let n_cut_bytes = (text.len() - shown.len()) as u64 + n_missing;
        let quote = Quote { event: refers.event(row), text: shown.to_owned(), n_cut_bytes };
        (!shown.is_empty()).then_some(quote)
    }
}

/// The beginning of a text, up to the end of a line or a word where one is near.
#[must_use]
pub fn beginning(text: &str, max_bytes: usize) -> &str {
    if text.len() <= max_bytes {
        return text;
    }
    let mut end = max_bytes;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let whole = text.get(..end).unwrap_or_default();
    let is_near = |at: &usize| at * 4 > whole.len() * 3;
    let end = whole.rfind('\n').filter(is_near).or_else(|| whole.rfind(' ').filter(is_near));
    end.and_then(|end| whole.get(..end)).unwrap_or(whole).trim_end()
}

fn later_messages(sources: &Sources<'_>, refers: &Refers<'_>) -> Listed<Quote> {
    let turns = refers.outline.turns.of(refers.run).get(1..).unwrap_or_default();
    let quote = |row: u32| {
        let text = (sources.summary)(refers.outline.rows.ids.get(row));
        Quote { event: refers.event(row), text: one_line(&text, LINE_CHARS), n_cut_bytes: 0 }
    };
    Listed {
        first: turns.iter().take(MESSAGES_LISTED).map(|turn| quote(turn.row)).collect(),
        n_more: turns.len().saturating_sub(MESSAGES_LISTED) as u64,
    }
}

fn changed_files(sources: &Sources<'_>, refers: &Refers<'_>) -> Listed<ChangedFile> {
    let call_of = |id| CallRow::of_run(refers.outline, sources.run, id);
    let (lines, _) = file_lines(sources.files, call_of);
    let directory = directory_of(&refers.run.facts);
    let file = |line: &FileLine| {
        let outcome = |row: u32| refers.outline.rows.outcome(row);
        let has_effect = |row: u32| !outcome(row).is_error() && !outcome(row).is_stopped();
        let changes = line.calls.iter().filter(|it| it.1.access != Access::Names);
        let changes: Vec<(u32, Access)> =
            changes.filter(|it| has_effect(it.0)).map(|it| (it.0, it.1.access)).collect();
        let rows: Vec<u32> = changes.iter().map(|it| it.0).collect();
        ChangedFile {
            path: relative(&line.path, directory).to_owned(),
            added: line.added,
            removed: line.removed,
            n_changes: line.n_changes,
            is_new: line.is_new,
            is_deleted: changes.last().is_some_and(|it| it.1 == Access::Deletes),
            events: refers.events(&rows),
        }
    };
    let changed = lines.iter().filter(|line| line.n_changes > 0);
    Listed::new(changed.map(file).collect(), FILES_LISTED)
}

/// The commits that git reported in the results of calls.
fn commits(sources: &Sources<'_>, refers: &Refers<'_>) -> Listed<Commit> {
    let calls = commit_calls(refers.outline, sources.run, sources.files);
    let commit = |call: &CallRow| {
        let detail = (sources.detail)(refers.outline.rows.ids.get(call.row))?;
        let (id, subject) = commit_in(&detail)?;
        let subject = one_line(&subject, LINE_CHARS);
        Some(Commit { event: refers.event(call.row), id, subject })
    };
    Listed {
        first: calls.iter().take(LISTED).filter_map(commit).collect(),
        n_more: calls.len().saturating_sub(LISTED) as u64,
    }
}

/// A finding of the list, with what it took.
fn finding(sources: &Sources<'_>, refers: &Refers<'_>, entry: &Entry) -> Option<BriefFinding> {
    let list = sources.findings;
    let lines = list.lines(entry);
    let evidence = evidence::of(refers.outline, &lines, sources.costs, sources.causes);
    let figures = evidence.figures.into_iter().map(|it| (it.value, it.label));
    Some(BriefFinding {
        said: said_of(refers.outline, lines.first()?, sources.causes, ""),
        figures: figures.collect(),
        events: refers.events(&list.rows(entry)),
    })
}

fn failures(sources: &Sources<'_>, refers: &Refers<'_>, n: u64) -> Failures {
    let list = sources.findings;
    let mut failures = Failures { n, ..Failures::default() };
    if sources.causes.run != sources.run || sources.causes.n_left_out > 0 {
        return failures;
    }
    let (mut never, mut fixed) = (Vec::new(), Vec::new());
    let mut n_listed = 0;
    for entry in list.entries().iter().filter(|entry| entry.part == Part::Errors) {
        let Some(Evidence::Failures(group)) = list.first(entry).map(|line| &line.evidence) else {
            continue;
        };
        n_listed += group.count;
        let (n_fixed, n_never) = match group.worked_in_the_end {
            true => (group.count, 0),
            false => (group.n_fixed, group.n_never_fixed),
        };
        failures.n_fixed += n_fixed;
        failures.n_never += n_never;
        let list = if n_never > 0 { &mut never } else { &mut fixed };
        if n_fixed + n_never > 0 && !entry.is_muted {
            list.extend(finding(sources, refers, entry));
        }
    }
    failures.n_in_loops = (sources.causes.failures.len() as u64).saturating_sub(n_listed);
    failures.never = Listed::new(never, LISTED);
    failures.fixed = Listed::new(fixed, FIXED_LISTED);
    failures
}

fn loops(sources: &Sources<'_>, refers: &Refers<'_>) -> Listed<BriefFinding> {
    let loops: Vec<&Entry> = sources.findings.loud();
    let listed = loops.iter().take(LISTED).filter_map(|entry| finding(sources, refers, entry));
    Listed { first: listed.collect(), n_more: loops.len().saturating_sub(LISTED) as u64 }
}

/// Where the time went, as in the statistics.
fn time(outline: &Outline, run: &RunLine) -> Option<TimeSplit> {
    if !run.columns.durations {
        return None;
    }
    let spent = time_spent(outline, run);
    let on = |taker: Taker| match taker {
        Taker::Models => TimeOn::Models,
        Taker::Shell | Taker::Files | Taker::Web | Taker::Agents | Taker::Tools => TimeOn::Tools,
        Taker::Others => TimeOn::Others,
        Taker::Person => TimeOn::BetweenTurns,
        Taker::Nothing => TimeOn::Nothing,
    };
    let sum = |it: TimeOn| spent.iter().filter(|share| on(share.taker) == it).map(|it| it.ms).sum();
    let shares = TimeOn::ALL.into_iter().map(|it| (it, sum(it)));
    Some(TimeSplit {
        // Rounding can leave fractions of a millisecond.
        shares: shares.filter(|(_, ms): &(TimeOn, f64)| *ms >= 1.0).collect(),
        idle_ms: run.idle_ms.iter().map(|(from, to)| to - from).sum(),
        waited: waited(outline, run),
        loop_ms: spent.iter().map(|share| share.loop_ms).sum(),
    })
}

#[cfg(test)]
mod tests;
