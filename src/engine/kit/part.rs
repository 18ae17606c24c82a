//! The parts of items.

use std::borrow::Cow;

use super::column::Column;
use traceloupe_core::json::Json;
use traceloupe_core::model::{FactKind, Role};

/// The label of a short value: its kind, or a text if no code matches on it.
pub trait Label<'a> {
    /// The kind of the value.
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

/// The title of a block: its role, or a text if no code matches on it.
pub trait Title {
    /// The role of the block.
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

/// A part of an item. Parts are in display order.
#[derive(Clone, Debug)]
pub enum Part<'a> {
    /// Text by the author of the item.
    Text(Json<'a>),
    /// Thinking of the model.
    Thinking(Json<'a>),
    /// Thinking that the producer hid or encrypted.
    HiddenThinking,
    /// A tool call that the model requested: its name and arguments.
    Call(Cow<'a, str>, Json<'a>),
    /// Arguments of a call.
    Arguments(Json<'a>),
    /// The result of a call.
    Result(Json<'a>),
    /// An image, a recording or a document: the media type, and the JSON string with its base64 data or data URL.
    Media(Cow<'a, str>, Json<'a>),
    /// An error: type, message, stack. Absent ones are unknown.
    Error(Json<'a>, Json<'a>, Json<'a>),
    /// A short value, with its kind.
    Field(FactKind<Cow<'a, str>>, Json<'a>),
    /// A value, with its role.
    Value(Role, Json<'a>),
    /// Labelled values. Values that another record of the event has already shown are not repeated.
    Group(Role, Vec<(Cow<'a, str>, Json<'a>)>),
    /// Source code under its path: path, language, text.
    Code(Cow<'a, str>, &'static str, Json<'a>),
    /// Output of a program.
    Log(Role, Json<'a>),
    /// A table of the members of an object or the items of a list. It is built only for display.
    Table(Role, &'static [Column], Json<'a>),
    /// All members of an object, like [`Part::Table`]. Any other value is shown unchanged.
    Members(Role, Json<'a>),
    /// Messages, such as those in a request.
    Messages(Role, Vec<Msg<'a>>),
    /// Messages that are elsewhere in the file, by the names of their anchors
    /// ([`Description::anchor`](super::Description::anchor)).
    Referred(Role, Vec<&'a str>),
    /// The prompt of a model, in the shape of any API: messages, text, either of them in a string. It is expanded only
    /// for display.
    Prompt(Json<'a>),
    /// The answer of a model, like [`Part::Prompt`].
    Answer(Json<'a>),
    /// A piece of a text, which is omitted if the event has the whole text in another part.
    Piece(Piece<'a>),
    /// A sentence by Traceloupe.
    Note(Cow<'a, str>),
}

impl<'a> Part<'a> {
    /// A piece of the only text of its kind in an LLM call.
    #[must_use]
    pub fn piece(of: PieceOf, text: Json<'a>) -> Self {
        Self::Piece(Piece { of, key: 0, text })
    }
}

/// A piece of a text that is spread over many records. The pieces of an event are joined for display.
#[derive(Clone, Copy, Debug)]
pub struct Piece<'a> {
    /// The text that it belongs to.
    pub of: PieceOf,
    /// Which of several texts in one LLM call the piece belongs to.
    pub key: u64,
    /// The piece, as a JSON string.
    pub text: Json<'a>,
}

/// The text that a [`Piece`] belongs to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum PieceOf {
    /// The text of an answer.
    Text,
    /// The whole text of an answer so far, which earlier LLM calls may have begun: each piece replaces the pieces
    /// before it, and a call shows the new part. A whole call ([`Joins::Nothing`](super::Joins::Nothing)) counts only
    /// if anything is new.
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
    /// Its parts.
    pub parts: Vec<Part<'a>>,
    /// The ids of the calls and results among its parts, in their order; absent ones are unknown.
    pub ids: Vec<Json<'a>>,
}

/// The key by which the texts and arguments of an item are compared.
pub fn word_of(part: &Part<'_>) -> Option<u64> {
    match part {
        Part::Text(words) | Part::Thinking(words) | Part::Arguments(words) => {
            Some(words.fingerprint())
        }
        _ => None,
    }
}
