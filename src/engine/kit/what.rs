//! The kinds of items, with the data that only items of one kind have.

use super::item::Item;
use traceloupe_core::json::Json;
use traceloupe_core::model::EventKind;

/// The kind of an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum What {
    /// A message from a user, or from a program that acts as one.
    User,
    /// Instructions for the model.
    System,
    /// The output of a model: text, thinking, calls. A whole LLM call, or a piece of one ([`Joins`]).
    Model,
    /// A tool call.
    Call,
    /// The result of a tool call.
    Result,
    /// Further data about a tool call: its exit code, its duration.
    Update,
    /// Token counts of the LLM call that was written last.
    Usage,
    /// The beginning of the span of a tool call that a model requested: the first call with its name that has neither a
    /// result nor a span. Without such a call, it becomes a row of its own.
    CallSpan,
    /// The end of a span: of the one with its id, or, without an id, of the innermost open span with its name.
    End,
    /// A span without data about agents, such as a request to a web server.
    Span,
    /// An event of any other kind.
    Event(EventKind),
    /// No row of its own.
    #[default]
    Nothing,
}

/// How pieces are joined to one LLM call.
#[derive(Clone, Copy, Debug, Default)]
pub enum Joins<'a> {
    /// Consecutive pieces, until token counts, a result or a message from the user end the call.
    #[default]
    Neighbours,
    /// All pieces with this id.
    Id(Json<'a>),
    /// All pieces with this id. The first of them may join pieces without an id, like [`Joins::Neighbours`].
    Named(Json<'a>),
    /// Token counts that are repeated as they grow: counts with this id replace the earlier counts with it. The first
    /// ones belong to the call that was written last, or else to a call that begins with them.
    Counts(Json<'a>),
    /// The piece belongs to the open call, regardless of what that call already has.
    Open,
    /// The piece belongs to the open call. If none is open, it is a message from the user.
    OrUser,
    /// The item begins a call to which all pieces without an id belong, even after results, until the next such item or
    /// a message from the user. It is the same call if it has the same id.
    Begins(Json<'a>),
    /// The item is a whole call.
    Nothing,
}

/// Which LLM call requested a tool call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AskedBy {
    /// The open one, if there is any.
    #[default]
    Open,
    /// The one that was written last, even if it has ended.
    Last,
    /// The item with this number in this record.
    Item(usize),
}

impl From<usize> for AskedBy {
    fn from(item: usize) -> Self {
        Self::Item(item)
    }
}

impl From<Option<usize>> for AskedBy {
    fn from(item: Option<usize>) -> Self {
        item.map_or(Self::Open, Self::Item)
    }
}

/// Data that only messages and events have.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Words<'a> {
    /// For a message from the user: records with this id are one message.
    pub(super) message: Json<'a>,
    /// The text by which equal messages are recognised.
    pub(super) content: Json<'a>,
}

/// Data that only an LLM call or a piece of one has.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModelPiece<'a> {
    /// How pieces are joined to one LLM call.
    pub joins: Joins<'a>,
    /// For a whole LLM call: its request, by which equal calls are recognised.
    pub prompt: Json<'a>,
    /// For a whole LLM call: its answer, by which equal calls are recognised.
    pub answer: Json<'a>,
    /// Whether it is the last piece.
    pub ends: bool,
    /// Whether a later record repeats its text after the text of earlier pieces
    /// ([`PieceOf::TextSoFar`](super::PieceOf::TextSoFar)).
    pub is_retold: bool,
    /// Whether its token counts cover only the piece itself, and are added to those of other pieces.
    pub adds_usage: bool,
}

impl ModelPiece<'_> {
    /// The data of items that are not LLM calls.
    pub(super) const NONE: &'static ModelPiece<'static> = &ModelPiece {
        joins: Joins::Neighbours,
        prompt: Json::ABSENT,
        answer: Json::ABSENT,
        ends: false,
        is_retold: false,
        adds_usage: false,
    };
}

/// Data that only tool calls have.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CallOf<'a> {
    /// Which LLM call requested it.
    pub(super) asked_by: AskedBy,
    /// Whether a model requested it in a file where spans carry calls out: it counts only if no span does.
    pub(super) is_asked: bool,
    /// The arguments whose structure the producer's own loop detection compares.
    pub(super) structure: Json<'a>,
    /// For a call that checks on a running command: the id of the command's process.
    pub(super) process: Json<'a>,
}

/// Data that only results of tool calls have.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ResultOf {
    /// Which LLM call requested the call.
    pub(super) asked_by: AskedBy,
    /// Whether a later request contains it in a file where spans carry calls out: it counts only if no span does.
    pub(super) is_asked: bool,
    /// For a result without an id: the label of the note that it becomes if no call waits for it. Without a label, it
    /// becomes a tool call with only a result.
    pub(super) without_call: &'static str,
}

/// The kind of an item, with the data that only items of this kind have.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Of<'a> {
    /// [`What::User`].
    User(Words<'a>),
    /// [`What::System`].
    System(Words<'a>),
    /// [`What::Model`].
    Model(ModelPiece<'a>),
    /// [`What::Call`].
    Call(CallOf<'a>),
    /// [`What::Result`].
    Result(ResultOf),
    /// [`What::Update`], with the process id of a command that keeps running, and another id by which later updates
    /// name the call.
    Update(Json<'a>, Json<'a>),
    /// [`What::Usage`]: whether these are the last counts, and the producer's running total of all tokens. If that
    /// total has not changed, nothing was used.
    Usage(bool, Option<u64>),
    /// [`What::CallSpan`].
    CallSpan,
    /// [`What::End`].
    End,
    /// [`What::Span`].
    Span,
    /// [`What::Event`].
    Event(EventKind, Words<'a>),
    /// [`What::Nothing`].
    #[default]
    Nothing,
}

impl<'a> Of<'a> {
    /// The data of an item of a kind, all empty.
    #[inline]
    pub(super) fn new(what: What) -> Self {
        match what {
            What::User => Self::User(Words::default()),
            What::System => Self::System(Words::default()),
            What::Model => Self::Model(ModelPiece::default()),
            What::Call => Self::Call(CallOf::default()),
            What::Result => Self::Result(ResultOf::default()),
            What::Update => Self::Update(Json::ABSENT, Json::ABSENT),
            What::Usage => Self::Usage(false, None),
            What::CallSpan => Self::CallSpan,
            What::End => Self::End,
            What::Span => Self::Span,
            What::Event(kind) => Self::Event(kind, Words::default()),
            What::Nothing => Self::Nothing,
        }
    }

    /// The kind of the item.
    #[inline]
    pub(super) fn what(&self) -> What {
        match self {
            Self::User(_) => What::User,
            Self::System(_) => What::System,
            Self::Model(_) => What::Model,
            Self::Call(_) => What::Call,
            Self::Result(_) => What::Result,
            Self::Update(..) => What::Update,
            Self::Usage(..) => What::Usage,
            Self::CallSpan => What::CallSpan,
            Self::End => What::End,
            Self::Span => What::Span,
            Self::Event(kind, _) => What::Event(*kind),
            Self::Nothing => What::Nothing,
        }
    }

    /// The data of a message or an event.
    pub(super) fn words(&mut self) -> Option<&mut Words<'a>> {
        match self {
            Self::User(words) | Self::System(words) | Self::Event(_, words) => Some(words),
            _ => None,
        }
    }
}

impl<'a> Item<'a> {
    /// An item of a kind without further data.
    #[must_use]
    pub fn new(what: What) -> Self {
        Self { of: Of::new(what), ..Self::default() }
    }

    /// The kind of the item.
    #[must_use]
    #[inline]
    pub fn what(&self) -> What {
        self.of.what()
    }

    /// Changes the kind of the item. Data that only the old kind has is lost, but a message keeps its text.
    pub fn becomes(&mut self, what: What) -> &mut Self {
        let words = self.of.words().copied();
        self.of = Of::new(what);
        if let Some((of, words)) = self.of.words().zip(words) {
            *of = words;
        }
        self
    }

    /// Its data as an LLM call, or a piece of one.
    #[must_use]
    pub fn piece(&self) -> &ModelPiece<'a> {
        match &self.of {
            Of::Model(piece) => piece,
            _ => ModelPiece::NONE,
        }
    }

    /// How pieces are joined to one LLM call, or records to one message from the user.
    #[must_use]
    pub fn joining(&self) -> Joins<'a> {
        match &self.of {
            Of::Model(piece) => piece.joins,
            Of::User(words) if words.message.is_given() => Joins::Id(words.message),
            _ => Joins::Neighbours,
        }
    }

    /// The answer of an LLM call or the text of a message, by which equal items are recognised.
    #[must_use]
    pub fn said(&self) -> Json<'a> {
        match &self.of {
            Of::Model(piece) => piece.answer,
            Of::User(words) | Of::System(words) | Of::Event(_, words) => words.content,
            _ => Json::ABSENT,
        }
    }

    /// Whether its LLM call has no further content and no other token counts.
    #[must_use]
    pub fn ends_call(&self) -> bool {
        matches!(self.of, Of::Model(ModelPiece { ends: true, .. }) | Of::Usage(true, _))
    }

    /// The producer's running total of all tokens.
    #[must_use]
    pub fn total(&self) -> Option<u64> {
        match self.of {
            Of::Usage(_, total) => total,
            _ => None,
        }
    }

    /// Which LLM call requested it, or the call whose result it is.
    #[must_use]
    pub fn asker(&self) -> AskedBy {
        match self.of {
            Of::Call(CallOf { asked_by, .. }) | Of::Result(ResultOf { asked_by, .. }) => asked_by,
            _ => AskedBy::Open,
        }
    }

    /// The number of the item in this record that requested it, or the call whose result it is.
    #[must_use]
    pub fn asking_item(&self) -> Option<usize> {
        match self.asker() {
            AskedBy::Item(at) => Some(at),
            AskedBy::Open | AskedBy::Last => None,
        }
    }

    /// Whether it counts only if no span carries it out; see [`Item::if_not_carried_out`].
    #[must_use]
    pub fn is_asked(&self) -> bool {
        matches!(
            self.of,
            Of::Call(CallOf { is_asked: true, .. }) | Of::Result(ResultOf { is_asked: true, .. })
        )
    }

    /// The arguments whose structure the producer's own loop detection compares.
    #[must_use]
    pub fn compared(&self) -> Json<'a> {
        match self.of {
            Of::Call(CallOf { structure, .. }) => structure,
            _ => Json::ABSENT,
        }
    }

    /// The process id of a command that keeps running, or that a call checks on.
    #[must_use]
    pub fn process_id(&self) -> Json<'a> {
        match self.of {
            Of::Call(CallOf { process, .. }) | Of::Update(process, _) => process,
            _ => Json::ABSENT,
        }
    }

    /// Another id by which later updates name the call.
    #[must_use]
    pub fn other_id(&self) -> Json<'a> {
        match self.of {
            Of::Update(_, id) => id,
            _ => Json::ABSENT,
        }
    }

    /// The label of the note that a result becomes if no call waits for it. If empty, it becomes a tool call.
    #[must_use]
    pub fn label_without_call(&self) -> &'static str {
        match self.of {
            Of::Result(ResultOf { without_call, .. }) => without_call,
            _ => "",
        }
    }

    fn piece_mut(&mut self) -> Option<&mut ModelPiece<'a>> {
        debug_assert!(self.what() == What::Model, "{:?} is no piece", self.of);
        match &mut self.of {
            Of::Model(piece) => Some(piece),
            _ => None,
        }
    }
    /// Sets the id.
    pub fn id(&mut self, id: Json<'a>) -> &mut Self {
        self.id = id;
        self
    }

    /// Sets how pieces are joined to one LLM call, or that records with an id are one message from the user.
    pub fn joins(&mut self, joins: Joins<'a>) -> &mut Self {
        match (&mut self.of, joins) {
            (Of::Model(piece), joins) => piece.joins = joins,
            (Of::User(words), Joins::Id(id)) => words.message = id,
            (_, Joins::Id(_) | Joins::Named(_)) => debug_assert!(false, "{:?} joins", self.of),
            _ => {}
        }
        self
    }

    /// Sets which LLM call requested a call, or the call whose result it is: by the number of its item in this record
    /// (counted from 0), if known.
    pub fn asked_by(&mut self, by: impl Into<AskedBy>) -> &mut Self {
        let by = by.into();
        match &mut self.of {
            Of::Call(CallOf { asked_by, .. }) | Of::Result(ResultOf { asked_by, .. }) => {
                *asked_by = by;
            }
            _ => debug_assert!(false, "{:?} asked_by", self.of),
        }
        self
    }

    /// Marks it as a call that a model requested, or a result that a later request contains, in a file where spans
    /// carry calls out: it counts only if no span does.
    pub fn if_not_carried_out(&mut self) -> &mut Self {
        match &mut self.of {
            Of::Call(CallOf { is_asked, .. }) | Of::Result(ResultOf { is_asked, .. }) => {
                *is_asked = true;
            }
            _ => debug_assert!(false, "{:?} if_not_carried_out", self.of),
        }
        self
    }

    /// Sets the arguments whose structure the producer's own loop detection compares.
    pub fn structure(&mut self, arguments: Json<'a>) -> &mut Self {
        match &mut self.of {
            Of::Call(call) => call.structure = arguments,
            _ => debug_assert!(false, "{:?} structure", self.of),
        }
        self
    }

    /// Sets whether its LLM call has no further content and no other token counts.
    pub fn ends(&mut self, ends: bool) -> &mut Self {
        match &mut self.of {
            Of::Model(piece) => piece.ends = ends,
            Of::Usage(is_last, _) => *is_last = ends,
            _ => debug_assert!(!ends, "{:?} ends", self.of),
        }
        self
    }

    /// Declares that a later record repeats the text of a piece of an LLM call, after the text of earlier pieces
    /// ([`PieceOf::TextSoFar`]).
    pub fn retold(&mut self) -> &mut Self {
        if let Some(piece) = self.piece_mut() {
            piece.is_retold = true;
        }
        self
    }

    /// Declares that the token counts of a piece of an LLM call cover only the piece itself, and are added to those of
    /// other pieces.
    pub fn adds_usage(&mut self) -> &mut Self {
        if let Some(piece) = self.piece_mut() {
            piece.adds_usage = true;
        }
        self
    }

    /// Declares that a result without an id becomes a note with a label if no call waits for it: output of a tool that
    /// nothing called.
    pub fn or_note(&mut self, label: &'static str) -> &mut Self {
        match &mut self.of {
            Of::Result(result) => result.without_call = label,
            _ => debug_assert!(false, "{:?} or_note", self.of),
        }
        self
    }

    /// Sets the request of an LLM call.
    pub fn prompt(&mut self, request: Json<'a>) -> &mut Self {
        match &mut self.of {
            Of::Model(piece) => piece.prompt = request,
            _ => debug_assert!(request.is_absent(), "{:?} prompt", self.of),
        }
        self
    }

    /// Sets the answer of an LLM call, or the text of a message.
    pub fn answer(&mut self, answer: Json<'a>) -> &mut Self {
        match &mut self.of {
            Of::Model(piece) => piece.answer = answer,
            Of::User(words) | Of::System(words) | Of::Event(_, words) => words.content = answer,
            _ => debug_assert!(answer.is_absent(), "{:?} answer", self.of),
        }
        self
    }

    /// Marks it as a command that keeps running as this process, or as a call that checks on the process. If both
    /// report its failure, it counts once.
    pub fn process(&mut self, id: Json<'a>) -> &mut Self {
        match &mut self.of {
            Of::Call(CallOf { process, .. }) | Of::Update(process, _) => *process = id,
            _ => debug_assert!(false, "{:?} process", self.of),
        }
        self
    }

    /// Declares that later updates name the call by another id: that of a request for approval.
    pub fn also_named(&mut self, id: Json<'a>) -> &mut Self {
        match &mut self.of {
            Of::Update(_, other) => *other = id,
            _ => debug_assert!(false, "{:?} has no other id", self.of),
        }
        self
    }

    /// Sets the producer's running total of all tokens.
    pub fn running_total(&mut self, total: Option<u64>) -> &mut Self {
        match &mut self.of {
            Of::Usage(_, known) => *known = total,
            _ => debug_assert!(false, "{:?} has no total", self.of),
        }
        self
    }
}
