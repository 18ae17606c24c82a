//! Runs and their lanes.

use serde::{Deserialize, Serialize};

use super::{AnnotationTally, EventId, MaybeNs, NameId, RunId, Span, Usage};

/// How a run came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum RunStatus {
    /// The file does not say.
    #[default]
    Unknown = 0,
    /// It ended well.
    Ok = 1,
    /// It ended with an error.
    Error = 2,
    /// The file says it runs, or its end is not in the file.
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

/// What a grader said of a run, in the words of evaluation frameworks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum RunVerdict {
    /// It passed.
    Pass,
    /// Between the two.
    Borderline,
    /// It failed.
    #[default]
    Fail,
}

impl RunVerdict {
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

/// Counts as the producer wrote them into the file; shown where the events themselves are missing.
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
    /// Id of the format that the run was read as.
    pub format: &'static str,
    /// Its name, as the producer wrote it.
    pub title: Option<String>,
    /// How it came out.
    pub status: RunStatus,
    /// When it began, where the file says so; else the first event's time is taken.
    pub start: MaybeNs,
    /// When it ended, where the file says so.
    pub end: MaybeNs,
    /// How long it took, where the file says so.
    pub duration: MaybeNs,
    /// The producer's own counts.
    pub counts: RunCounts,
    /// How many tokens the model takes at once, where the file says so.
    pub context_window: Option<u64>,
    /// Tokens of the whole run as the producer wrote them; they count where no event reports any.
    pub usage: Usage,
    /// How well it did, from 0 to 1, where the file says so.
    pub score: Option<f64>,
    /// What its graders said, where the file says so.
    pub verdict: Option<RunVerdict>,
    /// Facts in words, as label and value: version, directory, branch…
    pub facts: Vec<(String, String)>,
    /// Sentences about the run, such as "2 events are copies from another session".
    pub notes: Vec<String>,
    /// What to say of a run without an end in the file ("Ended without RUN_END"), unless its last event
    /// is so young that it may still be running.
    pub no_end: Option<&'static str>,
    /// The groups that it belongs to, the widest first: folders of a data set.
    pub groups: Vec<String>,
    /// The annotations in the file.
    pub annotations: AnnotationTally,
    /// The record that holds all of it, where one does: a line of a data set.
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
    /// The agent's name or role; may be unknown.
    pub name: NameId,
    /// The event (usually a tool call) that started this agent.
    pub parent: Option<EventId>,
}
