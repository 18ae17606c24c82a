//! Identifies the values of two events, so that they can be compared.

use traceloupe_core::model::{BlockRole, FactKind};
use traceloupe_protocol::notes::{Compared, ComparedLabel};

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

/// Producers' keys for the beginning of a prompt.
const EARLY_KEYS: [&str; 5] = ["system", "message", "tools", "functions", "instructions"];

/// The first value of its kind.
#[must_use]
pub fn first(what: Compared) -> ComparedLabel {
    ComparedLabel { what, number: 1 }
}

/// Whether a value stands at the beginning of a prompt: instructions, tools, earlier messages.
#[must_use]
pub fn is_early(label: &ComparedLabel) -> bool {
    match &label.what {
        Compared::Role(role) => matches!(
            role,
            BlockRole::Instructions
                | BlockRole::Tools
                | BlockRole::OtherInput(_)
                | BlockRole::ChangedMessage(_)
        ),
        Compared::Field(kind) => {
            matches!(kind, FactKind::Other(key) | FactKind::OfDataSet(key) if is_early_key(key))
        }
        Compared::Form(_)
        | Compared::Error
        | Compared::Image
        | Compared::Patch
        | Compared::Command
        | Compared::Tasks => false,
    }
}

fn is_early_key(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    EARLY_KEYS.iter().any(|early| key.contains(early))
}

/// Whether a field is an id or a time.
#[must_use]
pub fn is_own(kind: &FactKind) -> bool {
    match kind {
        FactKind::TraceId | FactKind::Own(_) => true,
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
        | FactKind::Question
        | FactKind::Answer
        | FactKind::Attempt
        | FactKind::Sample
        | FactKind::Epoch
        | FactKind::Task
        | FactKind::Trial
        | FactKind::Score
        | FactKind::TraceFile
        | FactKind::Success
        | FactKind::Failures
        | FactKind::Warnings
        | FactKind::TestKey(_)
        | FactKind::Amount(_) => false,
    }
}

/// Whether a field is an output of a call, or something that it used.
#[must_use]
pub fn is_of_output(kind: &FactKind) -> bool {
    match kind {
        FactKind::Cost | FactKind::Amount(_) => true,
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
        | FactKind::Question
        | FactKind::Answer
        | FactKind::Attempt
        | FactKind::Sample
        | FactKind::Epoch
        | FactKind::Task
        | FactKind::Trial
        | FactKind::Score
        | FactKind::TraceId
        | FactKind::TraceFile
        | FactKind::Success
        | FactKind::Failures
        | FactKind::Warnings
        | FactKind::TestKey(_)
        | FactKind::Own(_) => false,
    }
}
