//! The parts that items consist of.

use std::borrow::Cow;

use super::table::Column;
use traceloupe_core::json::Json;
use traceloupe_core::model::{EventNote, FactKind, Role};

/// What says what a labelled value is: its kind, or a label where no code asks for it.
pub trait Label<'a> {
    /// The kind that it stands for.
    fn kind(&self) -> FactKind<Cow<'a, str>>;
}

impl<'a> Label<'a> for FactKind<&'a str> {
    fn kind(&self) -> FactKind<Cow<'a, str>> {
        (*self).into()
    }
}

impl<'a> Label<'a> for &'a str {
    fn kind(&self) -> FactKind<Cow<'a, str>> {
        (*self).into()
    }
}

impl<'a> Label<'a> for Cow<'a, str> {
    fn kind(&self) -> FactKind<Cow<'a, str>> {
        self.clone().into()
    }
}

impl Label<'_> for String {
    fn kind(&self) -> FactKind<Cow<'static, str>> {
        FactKind::Other(Cow::Owned(self.clone()))
    }
}

/// What says what a block is: its role, or a label where no code asks for it.
pub trait Title {
    /// The role that it stands for.
    fn role(self) -> Role;
}

impl Title for Role {
    fn role(self) -> Role {
        self
    }
}

impl Title for &'static str {
    fn role(self) -> Role {
        self.into()
    }
}

/// A part of an item, in the order in which it is shown.
#[derive(Clone, Debug)]
pub enum Part<'a> {
    /// Words of whoever the item is of.
    Text(Json<'a>),
    /// Thinking of the model.
    Thinking(Json<'a>),
    /// Thinking that the producer hid or encrypted.
    HiddenThinking,
    /// A tool call that the model asked for: its name and arguments.
    Call(Cow<'a, str>, Json<'a>),
    /// Arguments of a call.
    Arguments(Json<'a>),
    /// The result of a call.
    Result(Json<'a>),
    /// An image, a recording or a document: media type, and the JSON string with its base64 data or data address.
    Media(Cow<'a, str>, Json<'a>),
    /// An error: type, message, stack. Absent ones are not known.
    Error(Json<'a>, Json<'a>, Json<'a>),
    /// A short value, and what it is.
    Field(FactKind<Cow<'a, str>>, Json<'a>),
    /// A value, and what it is.
    Value(Role, Json<'a>),
    /// Labelled values. What another record of the event has shown is not repeated.
    Group(Role, Vec<(Cow<'a, str>, Json<'a>)>),
    /// Source code under its path: path, language, text.
    Code(Cow<'a, str>, &'static str, Json<'a>),
    /// Output of a program.
    Log(Role, Json<'a>),
    /// A table of the members of an object or the items of a list. It is made only when it is shown.
    Table(Role, &'static [Column], Json<'a>),
    /// All members of an object, like [`Part::Table`]. Any other value is shown as it is.
    Members(Role, Json<'a>),
    /// Messages, such as those that a request holds.
    Messages(Role, Vec<Msg<'a>>),
    /// Messages that are elsewhere in the file, by the names of their anchors
    /// ([`Description::anchor`](super::Description::anchor)).
    Referred(Role, Vec<&'a str>),
    /// What a model was asked, in any API's shape: messages, words, either of them in a string. It is taken
    /// apart only when it is shown.
    Prompt(Json<'a>),
    /// What a model answered, like [`Part::Prompt`].
    Answer(Json<'a>),
    /// A piece of a text, which is left out if the event has all of it in another part.
    Piece(Piece<'a>),
    /// A note of Traceloupe.
    Note(EventNote),
}

impl<'a> Part<'a> {
    /// A piece of the only text of its kind in an LLM call.
    #[must_use]
    pub fn piece(of: PieceOf, text: Json<'a>) -> Self {
        Self::Piece(Piece { of, key: 0, text })
    }
}

/// A piece of a text that comes in many records. The pieces of an event are put together when it is shown.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// What it is a piece of.
    pub of: PieceOf,
    /// Which of several texts in one LLM call it is a piece of.
    pub key: u64,
    /// The piece, a string.
    pub text: Json<'a>,
}

/// What a [`Piece`] is of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PieceOf {
    /// The words of an answer.
    Text,
    /// All words of an answer so far, of which LLM calls before may have said some: each stands for the pieces
    /// before it, and a call shows what is new. A whole call ([`Joins::Nothing`](super::Joins::Nothing)) counts only if
    /// anything is new.
    TextSoFar,
    /// Thinking.
    Thinking,
    /// The arguments of a tool call.
    Arguments,
}

/// A message in [`Part::Messages`].
#[derive(Clone, Debug, Default)]
pub struct Msg<'a> {
    /// Its role: `user`, `assistant`, `system`, `tool`.
    pub role: Cow<'a, str>,
    /// The name given with the role, or empty.
    pub name: Cow<'a, str>,
    /// What it consists of.
    pub parts: Vec<Part<'a>>,
    /// The ids of the calls and results among its parts, in their order; absent ones are not known.
    pub ids: Vec<Json<'a>>,
}
