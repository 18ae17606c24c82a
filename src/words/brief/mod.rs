//! The brief of a run: what was asked, what came of it, what changed, what failed, and what it took. It is a value, so that
//! it is the same on the page, in HTML and in Markdown. Everything in it is shown elsewhere on the page, too; what is not
//! known is left out.

mod html;
mod markdown;
mod sections;
#[cfg(test)]
mod tests;

pub use html::{brief_html, brief_page, escape_html};
pub use markdown::{brief_markdown, code_span, fenced, sentence as sentence_markdown};
pub use sections::{Block, Line, Section, failure_counts, sections};

use traceloupe_core::model::{CostSum, NoEnd, RunOutcome, RunVerdict, Usage};

use crate::findings::Said;

/// An event to which a line of the brief leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EventRef {
    /// Its row in the outline.
    pub row: u32,
    /// Its number in the run, from 1.
    pub number: u32,
}

/// Some events, of which the first ones are named.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EventRefs {
    /// The first ones.
    pub named: Vec<EventRef>,
    /// How many more there are.
    pub n_more: u64,
}

impl EventRefs {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.named.len() as u64 + self.n_more
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl From<EventRef> for EventRefs {
    fn from(event: EventRef) -> Self {
        Self { named: vec![event], n_more: 0 }
    }
}

/// The beginning of a text of the trace.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Quote {
    /// The event that contains it.
    pub event: EventRef,
    /// The text.
    pub text: String,
    /// How many bytes of it are left out.
    pub n_cut_bytes: u64,
}

/// Several things, of which the first ones are listed.
#[derive(Clone, PartialEq, Debug)]
pub struct Listed<T> {
    /// The first ones.
    pub first: Vec<T>,
    /// How many more there are.
    pub n_more: u64,
}

impl<T> Default for Listed<T> {
    fn default() -> Self {
        Self { first: Vec::new(), n_more: 0 }
    }
}

impl<T> Listed<T> {
    /// Lists at most `n`.
    #[must_use]
    pub fn new(mut all: Vec<T>, n: usize) -> Self {
        let n_more = all.len().saturating_sub(n) as u64;
        all.truncate(n);
        Self { first: all, n_more }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.first.len() as u64 + self.n_more
    }

    /// Whether there is nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A file that calls of the run changed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ChangedFile {
    /// Its path, as it is displayed.
    pub path: String,
    /// How many lines were added, as far as the calls show.
    pub added: u32,
    /// How many lines were removed, as far as the calls show.
    pub removed: u32,
    /// How many calls changed it.
    pub n_changes: u32,
    /// Whether the first call that names it writes all of it.
    pub is_new: bool,
    /// Whether the last change deletes it.
    pub is_deleted: bool,
    /// The calls that changed it.
    pub events: EventRefs,
}

/// A commit that git reported.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Commit {
    /// The call that made it.
    pub event: EventRef,
    /// Branch and hash, as git states them: `main 1a2b3c4`.
    pub id: String,
    /// The first line of its message.
    pub subject: String,
}

/// A finding, with what it took.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BriefFinding {
    /// What is said of it.
    pub said: Said,
    /// What the repetitions took, or the failed calls: numbers with their labels.
    pub figures: Vec<(String, String)>,
    /// Its events: one for each repetition.
    pub events: EventRefs,
}

/// The failed events of a run, by whether they were fixed.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Failures {
    /// How many events failed.
    pub n: u64,
    /// How many of them were fixed: a later call with the same target worked.
    pub n_fixed: u64,
    /// How many of them were never fixed.
    pub n_never: u64,
    /// How many of them are steps of possible loops.
    pub n_in_loops: u64,
    /// Those that were never fixed, with similar ones grouped, without those that are part of a possible loop.
    pub never: Listed<BriefFinding>,
    /// Those that were fixed, with similar ones grouped.
    pub fixed: Listed<BriefFinding>,
}

/// What is charged for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Charged {
    /// Input without a price of its own.
    Input,
    /// Input read from a cache.
    CacheRead,
    /// Input written to a cache.
    CacheWrite,
    /// Output, including reasoning.
    Output,
    /// Requests.
    Requests,
}

impl Charged {
    /// All of them, in display order.
    pub const ALL: [Self; 5] =
        [Self::Input, Self::CacheRead, Self::CacheWrite, Self::Output, Self::Requests];
}

/// What the active time was spent on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeOn {
    /// Models.
    Models,
    /// Tools of any kind.
    Tools,
    /// Other steps.
    Others,
    /// From the last step of a turn to the next message.
    BetweenTurns,
    /// Time for which the file has no event.
    Nothing,
}

impl TimeOn {
    /// All of them, in display order.
    pub const ALL: [Self; 5] =
        [Self::Models, Self::Tools, Self::Others, Self::BetweenTurns, Self::Nothing];
}

/// Where the time went.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TimeSplit {
    /// The shares of the active time, in milliseconds.
    pub shares: Vec<(TimeOn, f64)>,
    /// The pauses, which are not part of it, in milliseconds.
    pub idle_ms: f64,
    /// How much of the pauses was spent in calls that waited for the user, in milliseconds, and whether that is an estimate.
    pub waited: (f64, bool),
    /// How much of the active time the steps of possible loops took, in milliseconds.
    pub loop_ms: f64,
}

/// The brief of a run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Brief {
    /// The title of the run.
    pub title: String,
    /// The name of its format.
    pub format: String,
    /// Its model, and the number of other models.
    pub models: String,
    /// Its start in milliseconds since 1970; NaN if unknown.
    pub start_ms: f64,
    /// LLM calls.
    pub n_llm_calls: u64,
    /// Tool calls.
    pub n_tool_calls: u64,
    /// The first message of the user, or what else the run was asked.
    pub asked: Option<Quote>,
    /// The messages that began the later turns, in one line each.
    pub later_messages: Listed<Quote>,
    /// The outcome.
    pub outcome: RunOutcome,
    /// Which end is missing from the file.
    pub no_end: Option<NoEnd>,
    /// The score from 0 to 1 and the verdict of graders.
    pub grade: (Option<f64>, Option<RunVerdict>),
    /// The last answer.
    pub answer: Option<Quote>,
    /// The files that calls changed, most changed first; `None` until all calls have been looked at.
    pub files: Option<Listed<ChangedFile>>,
    /// The commits that git reported.
    pub commits: Listed<Commit>,
    /// The tool calls that the user rejected.
    pub rejected: EventRefs,
    /// The tool calls that were stopped before the end.
    pub cancelled: EventRefs,
    /// Failures.
    pub failures: Failures,
    /// Possible loops.
    pub loops: Listed<BriefFinding>,
    /// Tokens.
    pub usage: Usage,
    /// The cost.
    pub cost: CostSum,
    /// The estimated cost by what is charged for, in dollars; empty if the file states the cost.
    pub cost_split: Vec<(Charged, f64)>,
    /// Where the time went; `None` if the file has no durations.
    pub time: Option<TimeSplit>,
}
