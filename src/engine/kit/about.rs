//! What every item can say beside its parts: when it was, how it came out, where it stands.

use std::borrow::Cow;

use super::exhibit::Exhibit;
use traceloupe_core::json::Json;
use traceloupe_core::model::{ErrorLabel, MaybeNs, Status};

/// When something was.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timing {
    /// When it began, or when it was written.
    pub start: MaybeNs,
    /// Whether `start` is when it began: nothing is inferred from the records before it.
    pub has_begun: bool,
    /// How long it took, where the record says so.
    pub duration: MaybeNs,
}

/// How something came out.
#[derive(Clone, Debug, Default)]
pub struct Ending<'a> {
    /// How it came out, where the record says so.
    pub status: Option<Status>,
    /// Type of the error, or the exit code.
    pub error: ErrorLabel<Cow<'a, str>>,
}

/// The ids of a span.
#[derive(Clone, Debug, Default)]
pub struct SpanIds<'a> {
    /// The id of the span that it is.
    pub id: Json<'a>,
    /// The id of the span that it is nested in.
    pub parent: Json<'a>,
    /// Another id of the span, and a parent that counts more than `parent` if it is there: those of a second
    /// tracer in the same program.
    pub second: Option<Box<[Json<'a>; 2]>>,
    /// Whether its parent may be missing from the file without a word: a root that is written last, of whose
    /// absence the format speaks itself.
    pub may_lack_parent: bool,
    /// Whether it is the work of the tool call around it, which has failed if this has.
    pub is_work: bool,
}

/// What an item has to do with an agent that it is not of.
#[derive(Clone, Copy, Debug)]
pub enum AgentLink<'a> {
    /// It started a sub-agent with a run of its own.
    StartsRun {
        /// The id of that run.
        run: Json<'a>,
        /// What the agent is called.
        name: Json<'a>,
    },
    /// It started a sub-agent whose records are of the same run.
    StartsAgent {
        /// The id of the agent.
        agent: Json<'a>,
        /// What it is called.
        name: Json<'a>,
    },
    /// It tells of a sub-agent to the one that started it. The agent's name stands before the label.
    TellsOf {
        /// The id of the agent's run.
        run: Json<'a>,
    },
}

/// Whether an item may be something that an earlier record tells of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Known {
    /// It is new.
    #[default]
    No,
    /// It is the call or span with its id, or the result of that call, if there is one. A piece of an LLM call
    /// is of the one that asked for its calls before, if there is one.
    Maybe,
    /// It is the span with its id, written again, if there is one.
    Rewritten,
}

/// What an item has to do with what other records tell.
#[derive(Clone, Copy, Debug, Default)]
pub struct Repeats {
    /// Whether another record may say the same; see [`Item::again`](super::Item::again).
    pub is_again: bool,
    /// Whether an earlier record may tell of it.
    pub known: Known,
    /// Whether several files may tell of it; see [`Item::once`](super::Item::once).
    pub is_once: bool,
    /// For a message that later requests carry again: its position and content.
    pub(super) history: Option<u64>,
}

/// Where an item stands among those beside it.
#[derive(Clone, Copy, Debug, Default)]
pub enum Order {
    /// Where it was written.
    #[default]
    Written,
    /// At a position in its conversation: among rows beside each other that have one it decides their order.
    At(u64),
    /// After all others: what is said about the whole run.
    Last,
}

/// What the row of an item shows beside its parts.
#[derive(Clone, Debug, Default)]
pub struct Row<'a> {
    /// Whether it shows what the record holds beyond its items. Without any such item the first one does.
    pub has_rest: bool,
    /// The value that the row's summary is made of, if not the first part with content.
    pub summary: Json<'a>,
    /// The value with the calls that the item asks for: the summary of an item without words. It does not
    /// count as shown.
    pub asks: Json<'a>,
    /// Values that the event's records tell in parts, or will tell: they are not shown.
    pub told: Vec<Json<'a>>,
    /// What it is in the tabs beside the timeline.
    pub exhibit: Option<Box<Exhibit<'a>>>,
}
