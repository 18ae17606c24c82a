//! One event: what happened, when, in which run, and where its records stand.

use super::{EventId, LaneId, MaybeNs, NameId, RunId};

/// What kind of thing happened.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum EventKind {
    /// A record in an unknown shape, or of the *records* format.
    Record = 0,
    /// The run began.
    RunStart = 1,
    /// The run ended.
    RunEnd = 2,
    /// A message of a person (or of whatever stands in for one).
    UserMessage = 3,
    /// Instructions, hints and notices put in by the producer.
    SystemMessage = 4,
    /// One model request with its response.
    LlmCall = 5,
    /// A tool call with its result.
    ToolCall = 6,
    /// The state of the agent was recorded.
    State = 7,
    /// An error of its own (a failed call is a call).
    Error = 8,
    /// A loop warning that the producer wrote.
    LoopWarning = 9,
    /// Work of a sub-agent or a span that only holds others.
    Agent = 10,
    /// The context was compacted.
    Compaction = 11,
    /// Something the producer noted: progress, a mode, a title, a snapshot.
    Note = 12,
    /// Something was measured or graded: whether it is correct, how fast it is.
    Evaluation = 13,
}

impl EventKind {
    /// Every kind, in the order of their codes.
    pub const ALL: [Self; 14] = [
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
    ];

    /// The kind with a code; unknown codes are [`EventKind::Record`].
    #[must_use]
    pub fn from_code(code: u8) -> Self {
        Self::ALL.get(usize::from(code)).copied().unwrap_or(Self::Record)
    }

    /// The word for it in dumps, filters and style sheets.
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
        }
    }
}

/// How an event came out.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Status {
    /// The file does not say.
    #[default]
    Unknown = 0,
    /// It worked.
    Ok = 1,
    /// It failed.
    Error = 2,
    /// A call whose result is not in the file.
    NoResult = 3,
    /// Stopped or refused by a person.
    Cancelled = 4,
}

impl Status {
    /// The status with a code; unknown codes are [`Status::Unknown`].
    #[must_use]
    pub fn from_code(code: u8) -> Self {
        match code {
            1 => Self::Ok,
            2 => Self::Error,
            3 => Self::NoResult,
            4 => Self::Cancelled,
            _ => Self::Unknown,
        }
    }

    /// The word for it in dumps and style sheets.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Ok => "ok",
            Self::Error => "error",
            Self::NoResult => "no-result",
            Self::Cancelled => "cancelled",
        }
    }
}

/// Marks on an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flags(u16);

impl Flags {
    /// No marks.
    pub const NONE: Self = Self(0);
    /// The producer had replaced something by a mark of its redaction.
    pub const REDACTED: Self = Self(1);
    /// The producer had cut something.
    pub const TRUNCATED: Self = Self(2);
    /// A copy of an event that stands elsewhere too (a resumed session); its usage does not count.
    pub const COPY: Self = Self(4);
    /// The event's record needed a repair to be read.
    pub const REPAIRED: Self = Self(8);
    /// The summary shows thinking, not an answer.
    pub const THINKING: Self = Self(16);
    /// The times were inferred, not recorded.
    pub const INFERRED_TIME: Self = Self(32);
    /// An answer in words to the person: what the minimal mode shows.
    pub const ANSWER: Self = Self(64);
    /// The summary begins inside a JSON string: what stands before it was said by others.
    pub const MID_STRING: Self = Self(1 << 14);

    /// Whether a mark is set.
    #[must_use]
    pub fn has(self, mark: Self) -> bool {
        self.0 & mark.0 == mark.0 && mark.0 != 0
    }

    /// Sets a mark.
    pub fn set(&mut self, mark: Self) {
        self.0 |= mark.0;
    }

    /// Takes a mark away.
    pub fn clear(&mut self, mark: Self) {
        self.0 &= !mark.0;
    }

    /// With a mark set.
    #[must_use]
    pub fn with(mut self, mark: Self) -> Self {
        self.set(mark);
        self
    }

    /// The bits, for the outline that goes to the page.
    #[must_use]
    pub fn bits(self) -> u16 {
        self.0
    }

    /// The marks of an outline's bits.
    #[must_use]
    pub fn from_bits(bits: u16) -> Self {
        Self(bits)
    }
}

/// One event. Kept small: a trace may hold a million of them.
#[derive(Clone, Debug)]
pub struct Event {
    /// What kind of thing happened.
    pub kind: EventKind,
    /// How it came out.
    pub status: Status,
    /// Marks.
    pub flags: Flags,
    /// The run it belongs to.
    pub run: RunId,
    /// The lane (agent) it belongs to.
    pub lane: LaneId,
    /// Tool name, model name, or a label.
    pub name: NameId,
    /// Error type or exit code where it failed and the file says so.
    pub error: NameId,
    /// For the format's own use: which part of a shared record this event is.
    pub selector: u32,
    /// When it began.
    pub start: MaybeNs,
    /// How long it took. Unknown is not zero.
    pub duration: MaybeNs,
    /// Fingerprint of the arguments of a call; 0 where there are none.
    pub args_hash: u64,
    /// The structure of the arguments in the producer's own notation, where its loop rule compares
    /// it (Maida); else empty.
    pub shape: NameId,
    /// Fingerprint of the result of a call; 0 where none is in the file.
    pub result_hash: u64,
    /// Hash of the producer's own id of this event ([`super::key_hash`]); 0 where it has none.
    pub id_hash: u64,
    pub(super) parent: u32,
    pub(super) usage: u32,
    pub(super) first_part: u32,
    pub(super) last_part: u32,
    pub(super) summary_start: u64,
    pub(super) summary_len: u32,
}

pub(super) const NIL: u32 = u32::MAX;

impl Event {
    /// Empties the slot of an event that another one absorbed. Its id stays, so that a link to it can
    /// be followed to the other.
    pub(super) fn clear(&mut self) {
        *self = Self {
            kind: EventKind::Record,
            status: Status::Unknown,
            flags: Flags::NONE,
            run: RunId(NIL),
            lane: LaneId(NIL),
            name: NameId::NONE,
            error: NameId::NONE,
            selector: 0,
            start: MaybeNs::UNKNOWN,
            duration: MaybeNs::UNKNOWN,
            args_hash: 0,
            shape: NameId::NONE,
            result_hash: 0,
            id_hash: self.id_hash,
            parent: NIL,
            usage: NIL,
            first_part: NIL,
            last_part: NIL,
            summary_start: 0,
            summary_len: 0,
        };
    }

    /// Whether another event absorbed this one ([`super::Trace::present`]). Then it has no run, no
    /// records and no row.
    #[must_use]
    pub fn is_absorbed(&self) -> bool {
        self.run.0 == NIL
    }

    /// The event that this one is nested in.
    #[must_use]
    pub fn parent(&self) -> Option<EventId> {
        (self.parent != NIL).then_some(EventId(self.parent))
    }

    /// Nests this event in another, or in none. Cycles are broken when the trace is finished.
    pub fn set_parent(&mut self, parent: Option<EventId>) {
        self.parent = parent.map_or(NIL, |id| id.0);
    }

    /// Whether the event failed.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.status == Status::Error || self.kind == EventKind::Error
    }
}
