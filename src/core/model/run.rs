//! Runs and their lanes.

use serde::{Deserialize, Serialize};

use super::{AnnotationTally, EventId, Fact, MaybeNs, NameId, RunId, Span, Usage};

/// The outcome of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[repr(u8)]
pub enum RunStatus {
    /// The file does not say.
    #[default]
    Unknown = 0,
    /// It ended well.
    Ok = 1,
    /// It ended with an error.
    Error = 2,
    /// The file says it is running, or has no end for it.
    Running = 3,
    /// Stopped by a person.
    Cancelled = 4,
}

impl RunStatus {
    /// The word for it in dumps and style sheets.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Ok => "ok",
            Self::Error => "error",
            Self::Running => "running",
            Self::Cancelled => "cancelled",
        }
    }
}

/// What a grader said about a run, in the words of evaluation frameworks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum RunVerdict {
    /// It passed.
    Pass,
    /// Between pass and fail.
    Borderline,
    /// It failed.
    #[default]
    Fail,
}

impl RunVerdict {
    /// The verdict on a task that was solved or not.
    #[must_use]
    pub const fn of(is_solved: bool) -> Self {
        if is_solved { Self::Pass } else { Self::Fail }
    }

    /// The word for it in files, dumps and style sheets.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Borderline => "borderline",
            Self::Fail => "fail",
        }
    }

    /// The verdict with a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Pass, Self::Borderline, Self::Fail].into_iter().find(|it| it.word() == word)
    }
}

/// What is missing from a file that has no end of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum NoEnd {
    /// The record `RUN_END` of AgentDbg.
    RunEnd,
    /// The root span, which is written last.
    RootSpan,
    /// The event `final` of a stream.
    FinalEvent,
}

/// Counts as written by the producer. Shown where the file does not have the events themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RunCounts {
    /// LLM calls.
    pub llm_calls: Option<u64>,
    /// Tool calls.
    pub tool_calls: Option<u64>,
    /// Errors.
    pub errors: Option<u64>,
    /// Loop warnings.
    pub loop_warnings: Option<u64>,
}

/// One execution of an agent from first input to outcome.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The producer's id of the run; files with the same id are joined.
    pub key: String,
    /// Id of the format it was read as.
    pub format: &'static str,
    /// Its name, as written by the producer.
    pub title: Option<String>,
    /// How much what it is named by says: names of more weight take the place of others.
    pub title_rank: u8,
    /// Its outcome.
    pub status: RunStatus,
    /// When it started, if the file says so; otherwise the start of its first event.
    pub start: MaybeNs,
    /// When it ended, if the file says so; otherwise the end of its last event.
    pub end: MaybeNs,
    /// How long it took, if the file says so.
    pub duration: MaybeNs,
    /// Whether siblings are displayed in order of their start. Spans are written when they end, or in any
    /// order.
    pub is_by_start: bool,
    /// The producer's own counts.
    pub counts: RunCounts,
    /// The size of the model's context window in tokens, if the file says so.
    pub context_window: Option<u64>,
    /// Token usage of the whole run as written by the producer. Counts only if no event reports
    /// any, or if some of what they report is unfinished.
    pub usage: Usage,
    /// How well it did, from 0 to 1, if the file says so.
    pub score: Option<f64>,
    /// What its graders said, if the file says so.
    pub verdict: Option<RunVerdict>,
    /// What else is known of it: version, directory, branch…
    pub facts: Vec<Fact>,
    /// Sentences about the run, such as "2 events are copies from another session".
    pub notes: Vec<String>,
    /// What is missing if the file has no end for the run. Not shown while the last event is so recent that the run may
    /// still be going on.
    pub no_end: Option<NoEnd>,
    /// The groups it belongs to, outermost first: folders of a data set.
    pub groups: Vec<String>,
    /// The annotations in the file.
    pub annotations: AnnotationTally,
    /// The record that holds the whole run, if there is one: a line of a data set.
    pub record: Option<Span>,
}

impl Default for MaybeNs {
    fn default() -> Self {
        Self::UNKNOWN
    }
}

/// The events of one agent of a run. Lane 0 of a run is its main agent.
#[derive(Clone, Debug)]
pub struct Lane {
    /// The run.
    pub run: RunId,
    /// The producer's id of the agent; empty for the main agent.
    pub key: String,
    /// The agent's name or role, if known.
    pub name: NameId,
    /// The event (usually a tool call) that started this agent.
    pub parent: Option<EventId>,
}

/// How a run came out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RunOutcome {
    /// It ended well.
    Ok,
    /// It ended well, but there are possible loops in it.
    OkWithLoops,
    /// It ended with an error.
    Failed,
    /// Graders failed it.
    GradedFail,
    /// The file does not say how it came out. It ends with an answer of the model.
    Answered,
    /// The file does not say how it came out. There are failed events in it.
    HasErrors,
    /// Its last event is so recent that it may be going on.
    Running,
    /// The file has no end of it.
    NoEnd,
    /// It was stopped by a person.
    Cancelled,
    /// Nothing is known.
    Unknown,
}

impl RunOutcome {
    /// The word for it in style sheets.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::OkWithLoops => "warning",
            Self::Failed => "error",
            Self::GradedFail => "graded",
            Self::Answered => "answered",
            Self::HasErrors => "failed",
            Self::Running => "running",
            Self::NoEnd => "unended",
            Self::Cancelled => "cancelled",
            Self::Unknown => "unknown",
        }
    }
}
