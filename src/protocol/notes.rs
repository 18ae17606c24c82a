//! Notes beside what is shown or exported, as values. The sentences for them are made in `words`.

use serde::{Deserialize, Serialize};

use traceloupe_core::model::{BlockRole, EventKind, EventNote, FactKind};

use crate::value::ValueForm;

/// A note among the blocks of an opened row or of a comparison.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum ShownNote {
    /// A note on the event.
    Event(EventNote),
    /// Thinking that the producer hid or encrypted.
    HiddenThinking,
    /// The number of further fields that are not shown.
    MoreFields(u64),
    /// The number of further rows of a table that are not shown.
    MoreRows(u64),
    /// What the next blocks are.
    Heading(BlockRole),
    /// Of two events: how many messages the later one has, and what became of them.
    Messages(MessageFates),
    /// Of two events: only the later one has this value, which follows.
    OnlyAfter(ComparedLabel),
    /// Of two events: only the earlier one has this value, which follows.
    OnlyBefore(ComparedLabel),
    /// Of two events: these values are the same.
    Same(Vec<ComparedLabel>),
    /// Of two LLM calls: fewer tokens came from the cache than were in it.
    CacheLoss(CacheLoss),
    /// What the agent did between two LLM calls.
    Between {
        /// The tools that it called, and how often each, the latest first.
        tools: Vec<(String, u64)>,
        /// Other events, by kind, the latest first.
        others: Vec<(EventKind, u64)>,
    },
    /// The edits of a file: it was deleted in the end.
    Deleted,
    /// The edits of a file: the number of edits that cancel each other out.
    EditsCancel(u64),
    /// The edits of a file: it was written as a whole, and what it was before is not in the trace.
    WrittenWhole,
    /// The edits of a file: the number of failed calls, which are left out.
    FailedLeftOut(u64),
    /// The edits of a file: a very long text is shown in part.
    LongText,
}

/// What became of the messages of one LLM call in a later one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct MessageFates {
    /// How many messages the later call has.
    pub all: u64,
    /// How many are the same.
    pub same: u64,
    /// How many were changed.
    pub changed: u64,
    /// How many the later call does not have.
    pub removed: u64,
    /// How many are new.
    pub new: u64,
}

/// A value of an event, by which it is found in another event.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct ComparedLabel {
    /// What the value is.
    pub what: Compared,
    /// Its number among the values that are the same, counted from 1.
    pub number: u32,
}

/// What a value of an event is.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum Compared {
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

/// How many tokens of a prompt were not read from the cache again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CacheLoss {
    /// How many tokens came from the cache.
    pub read: u64,
    /// How many had been in it.
    pub cached: u64,
    /// Possible reasons, as far as the file shows any.
    pub reasons: Vec<CacheLossReason>,
}

/// Why tokens may not have come from the cache.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum CacheLossReason {
    /// The context was compacted.
    Compacted,
    /// The model is another one.
    OtherModel,
    /// These values at the beginning of the prompt were changed.
    Changed(Vec<ComparedLabel>),
    /// The milliseconds between the two answers.
    Pause(f64),
}

/// What a file that was made does not contain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ExportNote {
    /// The number of events that the format cannot express, which were left out.
    EventsLeftOut(u64),
    /// The number of events without a time in the file; their timestamps are null.
    WithoutTime(u64),
    /// The number of values over 4 MiB, which were cut.
    ValuesCut(u64),
    /// The number of images that were left out.
    ImagesLeftOut(u64),
    /// The number of traces that were too long and were left out.
    TracesTooLong(u64),
}
