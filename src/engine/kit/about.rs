//! Properties of every item besides its parts: its time, its outcome, its place.

use std::borrow::Cow;

use super::exhibit::Exhibit;
use traceloupe_core::json::Json;
use traceloupe_core::model::{ErrorLabel, MaybeNs, Status};

/// The times of an item.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timing {
    /// When it began, or when it was written.
    pub start: MaybeNs,
    /// Whether `start` is the time when it began, so that nothing is inferred from the records before it.
    pub has_begun: bool,
    /// The duration, if the record states it.
    pub duration: MaybeNs,
    /// Whether the run waits for the user here.
    pub wait: Wait,
}

/// Whether a run waits for the user.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Wait {
    /// The record does not state it.
    #[default]
    Unknown,
    /// It waits from here on: until the result of the call, the end of the span, or else the next item of the agent.
    Begins,
    /// The user has answered. An event has waited since the item before it, and a call runs from here on.
    Ends,
}

/// The outcome of an item.
#[derive(Clone, Debug, Default)]
pub struct Ending<'a> {
    /// The outcome, if the record states it.
    pub status: Option<Status>,
    /// The type of the error, or the exit code.
    pub error: ErrorLabel<Cow<'a, str>>,
}

/// The ids of a span.
#[derive(Clone, Debug, Default)]
pub struct SpanIds<'a> {
    /// The id of the span itself.
    pub id: Json<'a>,
    /// The id of the parent span.
    pub parent: Json<'a>,
    /// Another id of the span, and a parent that takes precedence over `parent` if there is one. They come from a
    /// second tracer in the same program.
    pub second: Option<Box<[Json<'a>; 2]>>,
    /// Whether the parent may be missing from the file without a warning: the parent is a root that is written last,
    /// and the format reports its absence itself.
    pub may_lack_parent: bool,
    /// Whether the span is the work of the tool call around it, which has failed if this span has.
    pub is_work: bool,
    /// A hash of the producer's name for the span of a call; 0 if there is none.
    pub name_hash: u32,
    /// The event of a call that the span stands for, if the producer writes a span for each event.
    pub call_event: Option<Box<CallEvent>>,
}

/// An event of a call that is written as a span of its own.
#[derive(Clone, Copy, Debug)]
pub struct CallEvent {
    /// A hash of what is called, the same for all events of the call.
    pub path_hash: u32,
    /// The number that the producer gave the event. Those of one call have the same number if no other call failed.
    pub number: u32,
    /// Which event it is.
    pub stage: CallStage,
}

/// The events of a call, in the order in which they occur.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum CallStage {
    /// The call began.
    Start,
    /// It has a result.
    Success,
    /// It failed.
    Error,
    /// It ended, whatever its outcome.
    Finish,
}

/// How an item relates to an agent other than its own.
#[derive(Clone, Copy, Debug)]
pub enum AgentLink<'a> {
    /// It started a sub-agent with a run of its own.
    StartsRun {
        /// The id of that run.
        run: Json<'a>,
        /// The name of the agent.
        name: Json<'a>,
    },
    /// It started a sub-agent whose records belong to the same run.
    StartsAgent {
        /// The id of the agent.
        agent: Json<'a>,
        /// The name of the agent.
        name: Json<'a>,
    },
    /// It reports about a sub-agent to the agent that started it. The sub-agent's name is put before the label.
    TellsOf {
        /// The id of the agent's run.
        run: Json<'a>,
    },
}

/// Whether an earlier record may already describe the item.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Known {
    /// It is new.
    #[default]
    No,
    /// If there is a call or span with its id, or a result of that call, the item is that one. A piece of an LLM call
    /// belongs to the LLM call that requested its tool calls before, if there is one.
    Maybe,
    /// If there is a span with its id, the item is that span, written again.
    Rewritten,
    /// It is the report of a call in a log. If the run has the call itself, the item is a note.
    Reported,
}

/// How an item relates to repetitions in other records.
#[derive(Clone, Copy, Debug, Default)]
pub struct Repeats {
    /// Whether another record may contain the same text; see [`Item::again`](super::Item::again).
    pub is_again: bool,
    /// Whether an earlier record may describe it.
    pub known: Known,
    /// Whether several files may contain it; see [`Item::once`](super::Item::once).
    pub is_once: bool,
    /// For a message that later requests repeat: its position and content.
    pub(super) history: Option<u64>,
}

/// The position of an item among its siblings.
#[derive(Clone, Copy, Debug, Default)]
pub enum Order {
    /// In the order of the file.
    #[default]
    Written,
    /// At a position in its conversation: among siblings that have one, it determines their order.
    At(u64),
    /// After all others. Used for statements about the whole run.
    Last,
}

/// What the row of an item shows besides its parts.
#[derive(Clone, Debug, Default)]
pub struct Row<'a> {
    /// Whether the row shows the fields of the record that its items do not cover. If no item is marked, the first one
    /// does.
    pub has_rest: bool,
    /// The value for the row's summary, if it is not the first part with content.
    pub summary: Json<'a>,
    /// The value with the calls that the item requests, which is the summary of an item without text. It does not count
    /// as shown.
    pub asks: Json<'a>,
    /// Values that other records of the event contain in parts: they are not shown.
    pub told: Vec<Json<'a>>,
    /// Its role in the tabs beside the timeline.
    pub exhibit: Option<Box<Exhibit<'a>>>,
}
