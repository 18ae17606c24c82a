//! Outcomes of calls, and what the file states about their errors.

use std::borrow::Cow;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::{ErrorId, NameId};

/// The outcome of a call, or of any other event.
///
/// The descriptions of formats set the outcome that the producer states; pairing sets [`CallOutcome::Missing`]. An
/// outcome that nothing states stays [`CallOutcome::Unknown`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum CallOutcome {
    /// The file does not state it. Every event begins with this outcome.
    #[default]
    Unknown = 0,
    /// It worked. Set by the format, from the producer's statement or an exit code of 0.
    Ok = 1,
    /// It failed. Set by the format, from the producer's statement, an exit code, or an error in place of a result.
    Failed = 2,
    /// A call whose result is not in the file. Set by the pairing of calls with results.
    Missing = 3,
    /// Stopped before it was done, by the user or by the program around it. Set by the format; also if the producer
    /// uses one word for stopping and refusing.
    Cancelled = 4,
    /// A search that found nothing, or a comparison that found a difference. Set where results are read, from the command
    /// and its exit code.
    NoMatch = 5,
    /// Refused by the user when asked for approval. Set by formats that distinguish this from stopping.
    Rejected = 6,
    /// Refused by a policy or a sandbox. Set by formats that state it, or from the beginning of the error.
    Denied = 7,
    /// Ended because it took too long. Set in the same ways.
    TimedOut = 8,
    /// There is no tool with that name. Set in the same ways.
    UnknownTool = 9,
    /// The tool did not accept the arguments. Set in the same ways.
    BadArguments = 10,
}

impl CallOutcome {
    /// Every outcome, in order of the codes.
    pub const ALL: [Self; 11] = [
        Self::Unknown,
        Self::Ok,
        Self::Failed,
        Self::Missing,
        Self::Cancelled,
        Self::NoMatch,
        Self::Rejected,
        Self::Denied,
        Self::TimedOut,
        Self::UnknownTool,
        Self::BadArguments,
    ];

    /// The outcome with a code; unknown codes are [`CallOutcome::Unknown`].
    #[must_use]
    pub fn from_code(code: u8) -> Self {
        Self::ALL.get(usize::from(code)).copied().unwrap_or_default()
    }

    /// Whether the outcome counts as an error.
    #[must_use]
    pub const fn is_error(self) -> bool {
        match self {
            Self::Failed
            | Self::Denied
            | Self::TimedOut
            | Self::UnknownTool
            | Self::BadArguments => true,
            Self::Unknown
            | Self::Ok
            | Self::Missing
            | Self::Cancelled
            | Self::NoMatch
            | Self::Rejected => false,
        }
    }

    /// Whether the user refused it, or it was stopped.
    #[must_use]
    pub const fn is_stopped(self) -> bool {
        match self {
            Self::Cancelled | Self::Rejected => true,
            Self::Unknown
            | Self::Ok
            | Self::Failed
            | Self::Missing
            | Self::NoMatch
            | Self::Denied
            | Self::TimedOut
            | Self::UnknownTool
            | Self::BadArguments => false,
        }
    }

    /// Whether it is known to have run without an error.
    #[must_use]
    pub const fn has_worked(self) -> bool {
        match self {
            Self::Ok | Self::NoMatch => true,
            Self::Unknown
            | Self::Failed
            | Self::Missing
            | Self::Cancelled
            | Self::Rejected
            | Self::Denied
            | Self::TimedOut
            | Self::UnknownTool
            | Self::BadArguments => false,
        }
    }

    /// The outcome that it is a kind of: it worked, it failed, it was stopped. Filters for one of these find all of its
    /// kinds, and exports state no more.
    #[must_use]
    pub const fn group(self) -> Self {
        match self {
            Self::Ok | Self::NoMatch => Self::Ok,
            Self::Failed
            | Self::Denied
            | Self::TimedOut
            | Self::UnknownTool
            | Self::BadArguments => Self::Failed,
            Self::Cancelled | Self::Rejected => Self::Cancelled,
            Self::Unknown => Self::Unknown,
            Self::Missing => Self::Missing,
        }
    }

    /// The word for the outcome in dumps and filters.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Ok => "ok",
            Self::Failed => "error",
            Self::Missing => "no-result",
            Self::Cancelled => "cancelled",
            Self::NoMatch => "no-match",
            Self::Rejected => "rejected",
            Self::Denied => "denied",
            Self::TimedOut => "timed-out",
            Self::UnknownTool => "unknown-tool",
            Self::BadArguments => "bad-arguments",
        }
    }
}

/// The basis of the duration of an event. It is kept in two of the event's [flags](super::Flags).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum TimeBasis {
    /// The duration is not known.
    #[default]
    Unknown,
    /// The producer states it.
    Stated,
    /// The time between the records of its beginning and its end, or between the two ends of a span.
    Running,
    /// The time between a call and its answer: an upper bound.
    Elapsed,
    /// The event waited for the user: an approval, a question, a call that the user rejected.
    WaitingForUser,
}

/// What the file states about the error of an event. `T` is the name of an error type: interned in a trace, a text
/// elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum ErrorLabel<T> {
    /// Nothing.
    #[default]
    None,
    /// The exit code of a command that the producer reports as failed.
    ExitCode(i64),
    /// The exit code in the output of a call that the producer does not report as failed.
    PrintedExitCode(i64),
    /// The producer's type or code of the error.
    Type(T),
}

impl<T> ErrorLabel<T> {
    /// Whether the file states nothing.
    #[must_use]
    pub const fn is_none(&self) -> bool {
        matches!(self, Self::None)
    }

    /// The exit code, reported or printed.
    #[must_use]
    pub const fn exit_code(&self) -> Option<i64> {
        match self {
            Self::ExitCode(code) | Self::PrintedExitCode(code) => Some(*code),
            Self::None | Self::Type(_) => None,
        }
    }

    /// The same label with another form of the name.
    pub fn map<U>(self, name: impl FnOnce(T) -> U) -> ErrorLabel<U> {
        match self {
            Self::None => ErrorLabel::None,
            Self::ExitCode(code) => ErrorLabel::ExitCode(code),
            Self::PrintedExitCode(code) => ErrorLabel::PrintedExitCode(code),
            Self::Type(it) => ErrorLabel::Type(name(it)),
        }
    }

    /// The same label with its name borrowed.
    pub fn as_str(&self) -> ErrorLabel<&str>
    where
        T: AsRef<str>,
    {
        match self {
            Self::None => ErrorLabel::None,
            Self::ExitCode(code) => ErrorLabel::ExitCode(*code),
            Self::PrintedExitCode(code) => ErrorLabel::PrintedExitCode(*code),
            Self::Type(it) => ErrorLabel::Type(it.as_ref()),
        }
    }
}

impl<'a> From<Cow<'a, str>> for ErrorLabel<Cow<'a, str>> {
    /// The error type with this name; [`ErrorLabel::None`] for an empty name.
    fn from(name: Cow<'a, str>) -> Self {
        if name.is_empty() { Self::None } else { Self::Type(name) }
    }
}

impl<'a> From<&'a str> for ErrorLabel<Cow<'a, str>> {
    fn from(name: &'a str) -> Self {
        Cow::Borrowed(name).into()
    }
}

impl From<String> for ErrorLabel<Cow<'_, str>> {
    fn from(name: String) -> Self {
        Cow::<str>::Owned(name).into()
    }
}

/// The distinct error labels of a trace. Id 0 is [`ErrorLabel::None`].
#[derive(Debug, Clone)]
pub(super) struct ErrorLabels {
    labels: Vec<ErrorLabel<NameId>>,
    ids: FxHashMap<ErrorLabel<NameId>, ErrorId>,
}

impl Default for ErrorLabels {
    fn default() -> Self {
        let none = [(ErrorLabel::None, ErrorId::NONE)];
        Self { labels: vec![ErrorLabel::None], ids: none.into_iter().collect() }
    }
}

impl ErrorLabels {
    /// The id of a label.
    pub(super) fn intern(&mut self, label: ErrorLabel<NameId>) -> ErrorId {
        if let Some(id) = self.ids.get(&label) {
            return *id;
        }
        let id = ErrorId::from_index(self.labels.len());
        self.labels.push(label);
        self.ids.insert(label, id);
        id
    }

    /// The label with an id; [`ErrorLabel::None`] for an unknown id.
    pub(super) fn get(&self, id: ErrorId) -> ErrorLabel<NameId> {
        self.labels.get(id.index()).copied().unwrap_or_default()
    }

    /// All labels, in the order of their ids.
    pub(super) fn as_slice(&self) -> &[ErrorLabel<NameId>] {
        &self.labels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_found_by_their_code() {
        for outcome in CallOutcome::ALL {
            assert_eq!(CallOutcome::from_code(outcome as u8), outcome);
        }
        assert_eq!(CallOutcome::from_code(200), CallOutcome::Unknown);
    }

    #[test]
    fn every_outcome_has_a_word_of_its_own() {
        let mut words: Vec<_> = CallOutcome::ALL.iter().map(|it| it.word()).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), CallOutcome::ALL.len());
        for outcome in CallOutcome::ALL {
            assert_eq!(outcome.is_error(), outcome.group().is_error());
            assert_eq!(outcome.is_stopped(), outcome.group().is_stopped());
        }
    }

    #[test]
    fn a_rejected_call_and_a_search_without_a_match_are_no_errors() {
        let errors = CallOutcome::ALL.into_iter().filter(|it| it.is_error());
        assert!(errors.eq([
            CallOutcome::Failed,
            CallOutcome::Denied,
            CallOutcome::TimedOut,
            CallOutcome::UnknownTool,
            CallOutcome::BadArguments,
        ]));
    }
}
