//! Identifies the values of two events, so that they can be compared.

use std::borrow::Cow;

use traceloupe_core::model::{BlockRole, FactKind};
use traceloupe_protocol::detail::ValueForm;
use traceloupe_words as words;

/// The last words in the labels of ids and times, which differ between any two events.
const OWN_WORDS: [&str; 12] = [
    "id",
    "ids",
    "uuid",
    "time",
    "timestamp",
    "at",
    "ts",
    "date",
    "start",
    "end",
    "started",
    "ended",
];

/// Parts of the labels of counts and costs, which the columns of the two rows already show.
const COUNTS: [&str; 5] = ["token", "cost", "usage", "latency", "duration"];

/// The kind of a value, by which its counterpart in another event is found.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum What {
    /// A block.
    Role(BlockRole),
    /// A short value.
    Field(FactKind),
    /// A value without a role.
    Form(ValueForm),
    /// An error.
    Error,
    /// An image.
    Image,
    /// A change of files.
    Patch,
    /// A command.
    Command,
    /// A list of tasks.
    Tasks,
}

impl What {
    /// The words for it.
    #[must_use]
    pub fn words(&self) -> Cow<'_, str> {
        match self {
            Self::Role(role) => words::role(role),
            Self::Field(kind) => words::fact(kind),
            Self::Form(form) => form.word().into(),
            Self::Error => "Error".into(),
            Self::Image => "Image".into(),
            Self::Patch => "Patch".into(),
            Self::Command => "Command".into(),
            Self::Tasks => "Tasks".into(),
        }
    }
}

/// Producers' keys for the beginning of a prompt.
const EARLY_KEYS: [&str; 5] = ["system", "message", "tools", "functions", "instructions"];

/// The kind of a value, and its number among the values of the same kind.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Label {
    what: What,
    /// Counted from 1.
    number: u32,
}

impl Label {
    /// The first value of its kind.
    #[must_use]
    pub fn first(what: What) -> Self {
        Self { what, number: 1 }
    }

    /// The label of a value with a number among those of the same kind, counted from 1.
    #[must_use]
    pub fn numbered(what: What, number: u32) -> Self {
        Self { what, number }
    }

    /// The words for it. The second result is `Result 2`.
    #[must_use]
    pub fn words(&self) -> String {
        match self.number {
            1 => self.what.words().into_owned(),
            number => format!("{} {number}", self.what.words()),
        }
    }

    /// Whether it belongs to the beginning of a prompt: instructions, tools, earlier messages.
    #[must_use]
    pub fn is_early(&self) -> bool {
        match &self.what {
            What::Role(role) => matches!(
                role,
                BlockRole::Instructions
                    | BlockRole::Tools
                    | BlockRole::OtherInput(_)
                    | BlockRole::ChangedMessage(_)
            ),
            What::Field(kind) => kind.key().is_some_and(|key| {
                let key = key.to_ascii_lowercase();
                EARLY_KEYS.iter().any(|early| key.contains(early))
            }),
            What::Form(_)
            | What::Error
            | What::Image
            | What::Patch
            | What::Command
            | What::Tasks => false,
        }
    }
}

/// Whether a field is an id or a time.
#[must_use]
pub fn is_own(kind: &FactKind) -> bool {
    match kind {
        FactKind::TraceId => true,
        // A producer's key, by its last word.
        FactKind::Other(key) | FactKind::OfDataSet(key) => {
            let last = key.rsplit([' ', '_', '.', '-']).next().unwrap_or_default();
            let is_camel = last.ends_with("Id") || last.ends_with("At") || last.ends_with("Time");
            is_camel || OWN_WORDS.iter().any(|word| last.eq_ignore_ascii_case(word))
        }
        FactKind::Cost
        | FactKind::Folder
        | FactKind::Branch
        | FactKind::Model
        | FactKind::Provider
        | FactKind::Version
        | FactKind::Suite
        | FactKind::Test
        | FactKind::Target
        | FactKind::Attempt
        | FactKind::TraceFile
        | FactKind::Success
        | FactKind::Failures
        | FactKind::Warnings => false,
    }
}

/// Whether a field is an output of a call, or something that it used.
#[must_use]
pub fn is_of_output(kind: &FactKind) -> bool {
    match kind {
        FactKind::Cost => true,
        FactKind::Other(key) | FactKind::OfDataSet(key) => {
            let key = key.to_ascii_lowercase();
            let is_limit = key.contains("max") || key.contains("budget");
            let is_count = COUNTS.iter().any(|word| key.contains(word)) && !is_limit;
            key.starts_with("output") || is_count
        }
        FactKind::Folder
        | FactKind::Branch
        | FactKind::Model
        | FactKind::Provider
        | FactKind::Version
        | FactKind::Suite
        | FactKind::Test
        | FactKind::Target
        | FactKind::Attempt
        | FactKind::TraceId
        | FactKind::TraceFile
        | FactKind::Success
        | FactKind::Failures
        | FactKind::Warnings => false,
    }
}
