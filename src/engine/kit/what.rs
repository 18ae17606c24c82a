//! What an item is, with what only such an item can say.

use super::item::Item;
use traceloupe_core::json::Json;
use traceloupe_core::model::EventKind;

/// What an item is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum What {
    /// A message of a person, or of whatever acts as one.
    User,
    /// Instructions for the model.
    System,
    /// What a model wrote: words, thinking, calls. A whole LLM call, or a piece of one ([`Joins`]).
    Model,
    /// A tool call.
    Call,
    /// The result of a tool call.
    Result,
    /// More about a tool call: its exit code, how long it took.
    Update,
    /// Token counts of the LLM call that was written last.
    Usage,
    /// The beginning of the span of a tool call that a model has asked for: of the first one with its name
    /// that has neither a result nor a span. Without such a call it is a row of its own.
    CallSpan,
    /// The end of a span: of the one with its id, or without an id of the innermost open one of its name.
    End,
    /// A span that says nothing of agents, such as a request of a web server.
    Span,
    /// Anything that is an event without being one of the others.
    Event(EventKind),
    /// No row of its own.
    #[default]
    Nothing,
}

/// Which pieces are one LLM call.
#[derive(Clone, Copy, Debug, Default)]
pub enum Joins<'a> {
    /// Pieces that follow each other, until token counts, a result or a message of a person end the call.
    #[default]
    Neighbours,
    /// All pieces with this id.
    Id(Json<'a>),
    /// All pieces with this id. The first of them may join pieces without an id, like [`Joins::Neighbours`].
    Named(Json<'a>),
    /// Token counts that are set again as they grow: what comes with this id again takes the place of the counts
    /// before. The first ones are those of the call that was written last, else of one that begins with them.
    Counts(Json<'a>),
    /// The piece belongs to the call that is open, whatever that has already.
    Open,
    /// The item is a whole call.
    Nothing,
}

/// Which LLM call asked for a tool call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AskedBy {
    /// The one that is open, if there is any.
    #[default]
    Open,
    /// The one that was written last, even if it has ended.
    Last,
    /// The item of this record with a number.
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

/// What only a message or an event can say.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Words<'a> {
    /// For a message of a person: records with this id are one message.
    pub(super) message: Json<'a>,
    /// Its words, by which equal ones are found.
    pub(super) content: Json<'a>,
}

/// What only an LLM call, or a piece of one, can say.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModelPiece<'a> {
    /// Which pieces are one LLM call.
    pub joins: Joins<'a>,
    /// For a whole LLM call: its request, by which equal ones are found.
    pub prompt: Json<'a>,
    /// For a whole LLM call: its answer, by which equal ones are found.
    pub answer: Json<'a>,
    /// Whether it is the last piece.
    pub ends: bool,
    /// Whether a later record tells its words again, after those before them
    /// ([`PieceOf::TextSoFar`](super::PieceOf::TextSoFar)).
    pub is_retold: bool,
    /// Whether its token counts are its own alone, and are added to those of other pieces.
    pub adds_usage: bool,
}

impl ModelPiece<'_> {
    /// What an item says of an LLM call that is none.
    pub(super) const NONE: &'static ModelPiece<'static> = &ModelPiece {
        joins: Joins::Neighbours,
        prompt: Json::ABSENT,
        answer: Json::ABSENT,
        ends: false,
        is_retold: false,
        adds_usage: false,
    };
}

/// What only a tool call can say.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CallOf<'a> {
    /// Which LLM call asked for it.
    pub(super) asked_by: AskedBy,
    /// Whether a model asked for it in a file where spans carry calls out: it counts only where no span does.
    pub(super) is_asked: bool,
    /// The arguments whose structure the producer's own search for loops compares.
    pub(super) structure: Json<'a>,
    /// If it looks at a command that runs on: the id of its process.
    pub(super) process: Json<'a>,
}

/// What only the result of a tool call can say.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ResultOf {
    /// Which LLM call asked for the call.
    pub(super) asked_by: AskedBy,
    /// Whether a later request carries it in a file where spans carry calls out: it counts only where no span does.
    pub(super) is_asked: bool,
    /// If it has no id: the label of the note that it is where no call waits for it. Without a label it is a tool call
    /// of which nothing else is known.
    pub(super) without_call: &'static str,
}

/// What an item is, with what only such an item can say.
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
    /// [`What::Update`], with the id of the process of a command that runs on.
    Update(Json<'a>),
    /// [`What::Usage`]: whether these are the last counts, and the producer's running total of all tokens. If that has
    /// not changed, nothing was used.
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
    /// An item that says nothing else yet.
    #[inline]
    pub(super) fn new(what: What) -> Self {
        match what {
            What::User => Self::User(Words::default()),
            What::System => Self::System(Words::default()),
            What::Model => Self::Model(ModelPiece::default()),
            What::Call => Self::Call(CallOf::default()),
            What::Result => Self::Result(ResultOf::default()),
            What::Update => Self::Update(Json::ABSENT),
            What::Usage => Self::Usage(false, None),
            What::CallSpan => Self::CallSpan,
            What::End => Self::End,
            What::Span => Self::Span,
            What::Event(kind) => Self::Event(kind, Words::default()),
            What::Nothing => Self::Nothing,
        }
    }

    /// What the item is.
    #[inline]
    pub(super) fn what(&self) -> What {
        match self {
            Self::User(_) => What::User,
            Self::System(_) => What::System,
            Self::Model(_) => What::Model,
            Self::Call(_) => What::Call,
            Self::Result(_) => What::Result,
            Self::Update(_) => What::Update,
            Self::Usage(..) => What::Usage,
            Self::CallSpan => What::CallSpan,
            Self::End => What::End,
            Self::Span => What::Span,
            Self::Event(kind, _) => What::Event(*kind),
            Self::Nothing => What::Nothing,
        }
    }

    /// What a message or an event says.
    pub(super) fn words(&mut self) -> Option<&mut Words<'a>> {
        match self {
            Self::User(words) | Self::System(words) | Self::Event(_, words) => Some(words),
            _ => None,
        }
    }
}

impl<'a> Item<'a> {
    /// An item that says nothing yet but what it is.
    #[must_use]
    pub fn new(what: What) -> Self {
        Self { of: Of::new(what), ..Self::default() }
    }

    /// What it is.
    #[must_use]
    #[inline]
    pub fn what(&self) -> What {
        self.of.what()
    }

    /// Makes something else of it. What only such an item could say is lost, but a message keeps its words.
    pub fn becomes(&mut self, what: What) -> &mut Self {
        let words = self.of.words().copied();
        self.of = Of::new(what);
        if let Some((of, words)) = self.of.words().zip(words) {
            *of = words;
        }
        self
    }

    /// What it says as an LLM call, or a piece of one.
    #[must_use]
    pub fn piece(&self) -> &ModelPiece<'a> {
        match &self.of {
            Of::Model(piece) => piece,
            _ => ModelPiece::NONE,
        }
    }

    /// Which pieces are one LLM call, or one message of a person.
    #[must_use]
    pub fn joining(&self) -> Joins<'a> {
        match &self.of {
            Of::Model(piece) => piece.joins,
            Of::User(words) if words.message.is_given() => Joins::Id(words.message),
            _ => Joins::Neighbours,
        }
    }

    /// The answer of an LLM call, the words of a message: by these equal ones are found.
    #[must_use]
    pub fn said(&self) -> Json<'a> {
        match &self.of {
            Of::Model(piece) => piece.answer,
            Of::User(words) | Of::System(words) | Of::Event(_, words) => words.content,
            _ => Json::ABSENT,
        }
    }

    /// Whether its LLM call says nothing else, nor has other token counts.
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

    /// Which LLM call asked for it, or for the call whose result it is.
    #[must_use]
    pub fn asker(&self) -> AskedBy {
        match self.of {
            Of::Call(CallOf { asked_by, .. }) | Of::Result(ResultOf { asked_by, .. }) => asked_by,
            _ => AskedBy::Open,
        }
    }

    /// The number of the item in this record that asked for it, or for the call whose result it is.
    #[must_use]
    pub fn asking_item(&self) -> Option<usize> {
        match self.asker() {
            AskedBy::Item(at) => Some(at),
            AskedBy::Open | AskedBy::Last => None,
        }
    }

    /// Whether it counts only where no span carries it out; see [`Item::if_not_carried_out`].
    #[must_use]
    pub fn is_asked(&self) -> bool {
        matches!(
            self.of,
            Of::Call(CallOf { is_asked: true, .. }) | Of::Result(ResultOf { is_asked: true, .. })
        )
    }

    /// The arguments whose structure the producer's own search for loops compares.
    #[must_use]
    pub fn compared(&self) -> Json<'a> {
        match self.of {
            Of::Call(CallOf { structure, .. }) => structure,
            _ => Json::ABSENT,
        }
    }

    /// The id of the process of a command that runs on, or that a call looks at again.
    #[must_use]
    pub fn process_id(&self) -> Json<'a> {
        match self.of {
            Of::Call(CallOf { process, .. }) | Of::Update(process) => process,
            _ => Json::ABSENT,
        }
    }

    /// The label of the note that a result is where no call waits for it. Empty if it is a tool call then.
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

    /// Says which pieces are one LLM call, or that records with an id are one message of a person.
    pub fn joins(&mut self, joins: Joins<'a>) -> &mut Self {
        match (&mut self.of, joins) {
            (Of::Model(piece), joins) => piece.joins = joins,
            (Of::User(words), Joins::Id(id)) => words.message = id,
            (_, Joins::Id(_) | Joins::Named(_)) => debug_assert!(false, "{:?} joins", self.of),
            _ => {}
        }
        self
    }

    /// Says which LLM call asked for a call, or for the call whose result it is: by the number of its item in this record
    /// (counted from 0), if that is known.
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

    /// Says that it is a call that a model asked for, or a result that a later request carries, in a file where spans
    /// carry calls out: it counts only where no span does.
    pub fn if_not_carried_out(&mut self) -> &mut Self {
        match &mut self.of {
            Of::Call(CallOf { is_asked, .. }) | Of::Result(ResultOf { is_asked, .. }) => {
                *is_asked = true;
            }
            _ => debug_assert!(false, "{:?} if_not_carried_out", self.of),
        }
        self
    }

    /// Sets the arguments whose structure the producer's own search for loops compares.
    pub fn structure(&mut self, arguments: Json<'a>) -> &mut Self {
        match &mut self.of {
            Of::Call(call) => call.structure = arguments,
            _ => debug_assert!(false, "{:?} structure", self.of),
        }
        self
    }

    /// Says whether its LLM call says nothing else, nor has other token counts.
    pub fn ends(&mut self, ends: bool) -> &mut Self {
        match &mut self.of {
            Of::Model(piece) => piece.ends = ends,
            Of::Usage(is_last, _) => *is_last = ends,
            _ => debug_assert!(!ends, "{:?} ends", self.of),
        }
        self
    }

    /// Says that a later record tells the words of a piece of an LLM call again, after those before them
    /// ([`PieceOf::TextSoFar`]).
    pub fn retold(&mut self) -> &mut Self {
        if let Some(piece) = self.piece_mut() {
            piece.is_retold = true;
        }
        self
    }

    /// Says that the token counts of a piece of an LLM call are its own alone, and are added to those of other pieces.
    pub fn adds_usage(&mut self) -> &mut Self {
        if let Some(piece) = self.piece_mut() {
            piece.adds_usage = true;
        }
        self
    }

    /// Says that a result without an id is a note with a label where no call waits for it: the words of a tool
    /// that nobody called.
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

    /// Sets the answer of an LLM call, or the words of a message.
    pub fn answer(&mut self, answer: Json<'a>) -> &mut Self {
        match &mut self.of {
            Of::Model(piece) => piece.answer = answer,
            Of::User(words) | Of::System(words) | Of::Event(_, words) => words.content = answer,
            _ => debug_assert!(answer.is_absent(), "{:?} answer", self.of),
        }
        self
    }

    /// Says that it is a command that runs on as this process, or a call that looks at it again. What both tell of its
    /// end is one failure.
    pub fn process(&mut self, id: Json<'a>) -> &mut Self {
        match &mut self.of {
            Of::Call(CallOf { process, .. }) | Of::Update(process) => *process = id,
            _ => debug_assert!(false, "{:?} process", self.of),
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
