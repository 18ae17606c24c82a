//! One event: what happened, when, in which run, and where its records are.

use super::{CallOutcome, ErrorId, EventId, LaneId, MaybeNs, NameId, RunId, TimeBasis};
use serde::{Deserialize, Serialize};

/// The kind of an event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[repr(u8)]
pub enum EventKind {
    /// A record of unknown shape, or a record of the *records* format.
    Record = 0,
    /// The run began.
    RunStart = 1,
    /// The run ended.
    RunEnd = 2,
    /// A message from a user, or from a program that acts as one.
    UserMessage = 3,
    /// Instructions, hints and notices added by the producer.
    SystemMessage = 4,
    /// One model request with its response.
    LlmCall = 5,
    /// A tool call with its result.
    ToolCall = 6,
    /// The state of the agent was recorded.
    State = 7,
    /// An error that is not the failure of a call.
    Error = 8,
    /// A loop warning that the producer wrote.
    LoopWarning = 9,
    /// The work of an agent or sub-agent.
    Agent = 10,
    /// The context was compacted.
    Compaction = 11,
    /// A note by the producer: progress, a mode, a title, a snapshot.
    Note = 12,
    /// A measurement or a grade: whether something is correct, or how fast it is.
    Evaluation = 13,
    /// A span that is not a call: a step of a workflow, a request to a web server.
    Span = 14,
}

impl EventKind {
    /// Every kind, in order of the codes.
    pub const ALL: [Self; 15] = [
        Self::Record,
        Self::RunStart,
        Self::RunEnd,
        Self::UserMessage,
        Self::SystemMessage,
        Self::LlmCall,
        Self::ToolCall,
        Self::State,
        Self::Error,
        Self::LoopWarning,
        Self::Agent,
        Self::Compaction,
        Self::Note,
        Self::Evaluation,
        Self::Span,
    ];

    /// The kind with a code; unknown codes are [`EventKind::Record`].
    #[must_use]
    pub fn from_code(code: u8) -> Self {
        Self::ALL.get(usize::from(code)).copied().unwrap_or(Self::Record)
    }

    /// The word for the kind in dumps, filters and style sheets.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Record => "record",
            Self::RunStart => "run-start",
            Self::RunEnd => "run-end",
            Self::UserMessage => "user",
            Self::SystemMessage => "system",
            Self::LlmCall => "llm-call",
            Self::ToolCall => "tool-call",
            Self::State => "state",
            Self::Error => "error",
            Self::LoopWarning => "loop-warning",
            Self::Agent => "agent",
            Self::Compaction => "compaction",
            Self::Note => "note",
            Self::Evaluation => "evaluation",
            Self::Span => "span",
        }
    }
}

/// Flags of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flags(u16);

impl Flags {
    /// No flags.
    pub const NONE: Self = Self(0);
    /// The producer replaced something with a redaction marker.
    pub const REDACTED: Self = Self(1);
    /// The producer truncated something.
    pub const TRUNCATED: Self = Self(2);
    /// A copy of an event that also exists elsewhere (a resumed session). Its usage does not count.
    pub const COPY: Self = Self(4);
    /// The record had to be repaired before it could be read.
    pub const REPAIRED: Self = Self(8);
    /// The summary shows thinking, not an answer.
    pub const THINKING: Self = Self(16);
    /// The times are inferred, not recorded.
    pub const INFERRED_TIME: Self = Self(32);
    /// A text answer to the user. Minimal mode shows these.
    pub const ANSWER: Self = Self(64);
    /// The summary is part of a JSON string that contains JSON: the value is its bytes without the escapes.
    pub const ESCAPED: Self = Self(128);
    /// The usage repeats that of events nested in this one. It does not count.
    pub const SUBTREE_USAGE: Self = Self(256);
    /// An LLM call that only requests tool calls: it has neither text nor thinking.
    pub const ONLY_CALLS: Self = Self(512);
    /// A note that contains nothing about the work of the agent. It folds even without other notes beside it.
    pub const BOOKKEEPING: Self = Self(1024);
    /// The duration is the time between two records of beginning and end. Combined with the next flag, the event waited
    /// for the user.
    const RAN: Self = Self(1 << 11);
    /// The duration is the time between a call and its answer.
    const ELAPSED: Self = Self(1 << 12);
    /// The usage is [unfinished](super::Usage::unfinished). Set in outlines only.
    pub const UNFINISHED_USAGE: Self = Self(1 << 13);
    /// The summary starts inside a JSON string; the text before it belongs to other events.
    pub const MID_STRING: Self = Self(1 << 14);

    /// Whether a flag is set.
    #[must_use]
    pub fn has(self, mark: Self) -> bool {
        self.0 & mark.0 == mark.0 && mark.0 != 0
    }

    /// Whether the usage of an event counts: it is neither a copy nor repeats the usage of events nested in it.
    #[must_use]
    pub fn usage_counts(self) -> bool {
        !self.has(Self::COPY) && !self.has(Self::SUBTREE_USAGE)
    }

    /// Sets a flag.
    pub fn set(&mut self, mark: Self) {
        self.0 |= mark.0;
    }

    /// Clears a flag.
    pub fn clear(&mut self, mark: Self) {
        self.0 &= !mark.0;
    }

    /// A copy with a flag set.
    #[must_use]
    pub fn with(mut self, mark: Self) -> Self {
        self.set(mark);
        self
    }

    /// The basis of the duration, or of the duration to come.
    #[must_use]
    fn time_basis(self) -> TimeBasis {
        match (self.has(Self::RAN), self.has(Self::ELAPSED)) {
            (false, false) => TimeBasis::Stated,
            (true, false) => TimeBasis::Running,
            (false, true) => TimeBasis::Elapsed,
            (true, true) => TimeBasis::WaitingForUser,
        }
    }

    fn set_time_basis(&mut self, basis: TimeBasis) {
        *self = self.without_time_basis();
        match basis {
            TimeBasis::Unknown | TimeBasis::Stated => {}
            TimeBasis::Running => self.set(Self::RAN),
            TimeBasis::Elapsed => self.set(Self::ELAPSED),
            TimeBasis::WaitingForUser => {
                self.set(Self::RAN);
                self.set(Self::ELAPSED);
            }
        }
    }

    /// The basis of a duration.
    #[must_use]
    pub fn basis_of(self, duration_is_known: bool) -> TimeBasis {
        if duration_is_known { self.time_basis() } else { TimeBasis::Unknown }
    }

    /// A copy without the flags for the basis of the duration.
    #[must_use]
    pub fn without_time_basis(mut self) -> Self {
        self.clear(Self::RAN);
        self.clear(Self::ELAPSED);
        self
    }

    /// The bits, for the outline that is sent to the page.
    #[must_use]
    pub fn bits(self) -> u16 {
        self.0
    }

    /// The flags with these bits.
    #[must_use]
    pub fn from_bits(bits: u16) -> Self {
        Self(bits)
    }
}

/// One event. Kept small, because a trace may have a million of them.
#[derive(Clone, Debug)]
pub struct Event {
    /// The kind of event.
    pub kind: EventKind,
    /// The outcome.
    pub status: CallOutcome,
    /// Flags.
    pub flags: Flags,
    /// The run it belongs to.
    pub run: RunId,
    /// The lane (agent) it belongs to.
    pub lane: LaneId,
    /// Tool name, model name, or a label.
    pub name: NameId,
    /// What the file states about its error: see [`super::ErrorLabel`], and [`super::Trace::error`] for the value.
    pub error: ErrorId,
    /// For the format's own use: which part of a shared record this event is. For an LLM call whose text begins with
    /// the text of earlier calls ([`Flags::MID_STRING`]): how many bytes of the string belong to those calls.
    pub selector: u32,
    /// When the event began.
    pub start: MaybeNs,
    /// The duration. Unknown is not zero. [`Event::set_duration`] also sets the basis of the duration.
    pub duration: MaybeNs,
    /// Fingerprint of the arguments of a call; 0 if it has none.
    pub args_hash: u64,
    /// Fingerprint of the result of a call; 0 if the file has none.
    pub result_hash: u64,
    /// Hash of the producer's own id of this event ([`super::key_hash`]); 0 if it has none.
    pub id_hash: u64,
    pub(super) call_keys: u32,
    pub(super) parent: u32,
    pub(super) usage: u32,
    pub(super) first_record: u32,
    pub(super) last_record: u32,
    pub(super) summary_start: u64,
    pub(super) summary_len: u32,
}

pub(super) const NIL: u32 = u32::MAX;

impl Event {
    /// Empties the slot of an event that another event absorbed. The id hash is kept, so that links to the event still
    /// work.
    pub(super) fn clear(&mut self) {
        *self = Self {
            kind: EventKind::Record,
            status: CallOutcome::Unknown,
            flags: Flags::NONE,
            run: RunId(NIL),
            lane: LaneId(NIL),
            name: NameId::NONE,
            error: ErrorId::NONE,
            selector: 0,
            start: MaybeNs::UNKNOWN,
            duration: MaybeNs::UNKNOWN,
            args_hash: 0,
            result_hash: 0,
            id_hash: self.id_hash,
            call_keys: NIL,
            parent: NIL,
            usage: NIL,
            first_record: NIL,
            last_record: NIL,
            summary_start: 0,
            summary_len: 0,
        };
    }

    /// Whether another event absorbed this one ([`super::Trace::present`]). If so, it has no run, no records and no
    /// row.
    #[must_use]
    pub fn is_absorbed(&self) -> bool {
        self.run.0 == NIL
    }

    /// The event that this one is nested in.
    #[must_use]
    pub fn parent(&self) -> Option<EventId> {
        (self.parent != NIL).then_some(EventId(self.parent))
    }

    /// Nests this event in another one, or in none. `TraceBuilder::finish` breaks cycles.
    pub fn set_parent(&mut self, parent: Option<EventId>) {
        self.parent = parent.map_or(NIL, |id| id.0);
    }

    /// Sets the duration and its basis.
    pub fn set_duration(&mut self, duration: MaybeNs, basis: TimeBasis) {
        self.duration = duration;
        let basis = if duration.is_known() { basis } else { TimeBasis::Unknown };
        self.flags.set_time_basis(basis);
    }

    /// Sets the basis that the duration will have once it is known ([`Event::expected_basis`]).
    pub fn expect_basis(&mut self, basis: TimeBasis) {
        if !self.duration.is_known() {
            self.flags.set_time_basis(basis);
        }
    }

    /// The basis of the duration that is not known yet, if its beginning already tells.
    #[must_use]
    pub fn expected_basis(&self) -> Option<TimeBasis> {
        let basis = self.flags.time_basis();
        (!self.duration.is_known() && basis != TimeBasis::Stated).then_some(basis)
    }

    /// The basis of the duration.
    #[must_use]
    pub fn time_basis(&self) -> TimeBasis {
        self.flags.basis_of(self.duration.is_known())
    }

    /// Whether the event failed.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.status.is_error() || self.kind == EventKind::Error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_stays_small() {
        assert_eq!(size_of::<Event>(), 96);
    }

    #[test]
    fn a_duration_says_where_it_comes_from() {
        let event = crate::model::NewEvent {
            kind: EventKind::ToolCall,
            run: RunId(0),
            lane: LaneId(0),
            place: crate::model::Place {
                span: crate::model::Span {
                    source: crate::model::SourceId::from_index(0),
                    start: 0,
                    len: 1,
                },
                line: 1,
            },
        };
        let mut out = crate::model::TraceBuilder::new();
        let id = out.push(event);
        let event = out.event_mut(id).unwrap();
        assert_eq!(event.time_basis(), TimeBasis::Unknown);
        for basis in [
            TimeBasis::Stated,
            TimeBasis::Running,
            TimeBasis::Elapsed,
            TimeBasis::WaitingForUser,
            TimeBasis::Stated,
        ] {
            event.set_duration(MaybeNs::new(7), basis);
            assert_eq!(event.time_basis(), basis);
        }
        event.set_duration(MaybeNs::UNKNOWN, TimeBasis::Elapsed);
        assert_eq!(event.time_basis(), TimeBasis::Unknown);
    }
}
