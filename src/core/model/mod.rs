//! The model of a trace: runs, lanes, events, token usage, times, places in the source, and the builder.
//!
//! **Glossary**, used in the code and on the page alike. *Trace*: everything that was opened together. *Run*: one
//! execution of an agent, from its first input to its outcome. *Lane*: the events of one agent within a run. *Event*:
//! one thing that happened, shown as one row; a call and its result are one event. *LLM call*: one request to a model,
//! with its response. *Tool call*, *tool result*, *message*, *turn*, *finding* and *usage* have their usual meaning in
//! the field.
//!
//! **Invariant**: a trace is an index over the bytes. It never copies payloads; an event holds places ([`Place`]) in
//! its sources. Memory therefore grows with the number of events, not with the size of the files.

mod anchors;
mod annotation;
pub mod arguments;
mod builder;
mod calendar;
mod call_keys;
mod chunked_vec;
mod context_windows;
mod cost;
mod detail;
mod event;
mod exhibit;
mod fact;
mod hash;
mod ids;
mod keys;
mod mapping;
mod merge;
mod names;
mod notes;
mod outcome;
mod place;
mod places;
mod role;
mod run;
mod time;
mod trace;
mod usage;
mod waiting;
mod warning;

pub use anchors::Anchor;
pub use annotation::{Annotation, AnnotationKind, AnnotationTally, Part, THUMBS_DOWN, THUMBS_UP};
pub use builder::{Link, NewEvent, TraceBuilder};
pub use calendar::utc_text;
pub use chunked_vec::ChunkedVec;
pub use context_windows::context_window;
pub use cost::{CostSum, is_cost, stated_dollars};
pub use detail::{Block, Content, Detail, Field, Message, Role, Value};
pub use event::{Event, EventKind, Flags};
pub use exhibit::{Evaluation, Exhibits};
pub use fact::{Fact, FactKind, FactValue, directory_of, fact_count, fact_text, facts_of};
pub use hash::{KeyHasher, hash_of, key_hash};
pub use ids::{ErrorId, EventId, LaneId, NameId, RunId, SourceId};
pub use mapping::{KeyShape, ListShape, Mapping, Reading, Shape, Slot};
pub use names::Names;
pub use notes::{EventNote, RunNote};
/// The name of [`CallOutcome`] in descriptions of formats.
pub use outcome::CallOutcome as Status;
pub use outcome::{CallOutcome, ErrorLabel, TimeBasis};
pub use place::{Place, Span};
pub use places::PlaceIndex;
pub use role::{BlockRole, Side};
pub use run::{Lane, NoEnd, Run, RunCounts, RunOutcome, RunStatus, RunVerdict};
pub use time::{MaybeNs, parse_time_ns};
pub use trace::{Totals, Trace};
pub use usage::Usage;
pub use waiting::{LEAST_WAIT_NS, Wait, WaitFor};
pub use warning::{Warning, WarningPlace, Warnings};
