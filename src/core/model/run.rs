//! Runs and their lanes.

use serde::{Deserialize, Serialize};

use super::{AnnotationTally, EventId, Fact, MaybeNs, NameId, RunId, RunNote, Span, Usage};

/// The outcome of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[repr(u8)]
pub enum RunStatus {
    /// The file does not state it.
    #[default]
    Unknown = 0,
    /// It ended well.
    Ok = 1,
    /// It ended with an error.
    Error = 2,
    /// The file states that the run is still going on, or has no end for it.
    Running = 3,
    /// Stopped by the user.
    Cancelled = 4,
}

impl RunStatus {
    /// The word for the status in dumps and style sheets.
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

/// The verdict of a grader on a run, in the terms of evaluation frameworks.
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
    /// The verdict on a task, from whether it was solved.
    #[must_use]
    pub const fn of(is_solved: bool) -> Self {
        if is_solved { Self::Pass } else { Self::Fail }
    }

    /// The word for the verdict in files, dumps and style sheets.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Borderline => "borderline",
            Self::Fail => "fail",
        }
    }

    /// The verdict for a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Pass, Self::Borderline, Self::Fail].into_iter().find(|it| it.word() == word)
    }
}

/// The record that is missing from a file that has no end of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum NoEnd {
    /// The record `RUN_END` of AgentDbg.
    RunEnd,
    /// The root span, which is written last.
    RootSpan,
    /// The event `final` of a stream.
    FinalEvent,
}

/// Counts written by the producer. Shown if the file does not contain the events themselves.
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

/// One execution of an agent, from its first input to its outcome.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The producer's id of the run; files with the same id are joined.
    pub key: String,
    /// Id of the format with which it was read.
    pub format: &'static str,
    /// Its name, as written by the producer.
    pub title: Option<String>,
    /// How informative the source of the title is: a title with a higher rank replaces others.
    pub title_rank: u8,
    /// The outcome of the run.
    pub status: RunStatus,
    /// When the run started, if the file states it; otherwise the start of its first event.
    pub start: MaybeNs,
    /// When the run ended, if the file states it; otherwise the end of its last event.
    pub end: MaybeNs,
    /// The duration of the run, if the file states it.
    pub duration: MaybeNs,
    /// Whether siblings are displayed in order of their start. Spans are written when they end, or in any order.
    pub is_by_start: bool,
    /// The producer's own counts.
    pub counts: RunCounts,
    /// The size of the model's context window in tokens, if the file states it.
    pub context_window: Option<u64>,
    /// Token usage of the whole run as written by the producer. Counts only if no event reports any usage, or if some
    /// of the reported usage is unfinished.
    pub usage: Usage,
    /// The score, from 0 to 1, if the file states it.
    pub score: Option<f64>,
    /// The verdict of its graders, if the file states it.
    pub verdict: Option<RunVerdict>,
    /// Other facts: version, directory, branch…
    pub facts: Vec<Fact>,
    /// Notes on it: what the files lack, or how they were read.
    pub notes: Vec<RunNote>,
    /// The missing record, if the file has no end for the run. Not shown while the last event is so recent that the run
    /// may still be going on.
    pub no_end: Option<NoEnd>,
    /// The groups that it belongs to, outermost first: folders of a data set.
    pub groups: Vec<String>,
    /// The annotations in the file.
    pub annotations: AnnotationTally,
    /// The record that contains the whole run, if there is one: a line of a data set.
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

/// The outcome of a run.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum RunOutcome {
    /// It ended well.
    Ok,
    /// It ended well, but it has possible loops.
    OkWithLoops,
    /// It ended with an error.
    Failed,
    /// It was graded as failed.
    GradedFail,
    /// The file does not state the outcome. The run ends with an answer of the model.
    Answered,
    /// The file does not state the outcome. The run has failed events.
    HasErrors,
    /// Its last event is so recent that it may still be running.
    Running,
    /// The file does not contain its end.
    NoEnd,
    /// The user stopped it.
    Cancelled,
    /// Nothing is known.
    #[default]
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
