//! What the blocks of an opened row are.

use serde::{Deserialize, Serialize};

/// What a block of an opened row is. Code asks for these; the words for them are made where they are shown
/// (`view::words::role`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum BlockRole<T = String> {
    /// A value that needs no title, such as the text of a message.
    Untitled,
    /// Arguments of a call.
    Arguments,
    /// The result of a call.
    Result,
    /// A tool call that a response asks for, by the name of its tool.
    ToolCall(T),
    /// A tool call in a message, by the name of its tool.
    CallInMessage(T),
    /// Several tool calls that a response asks for, each by the name of its tool.
    ToolCalls,
    /// What a model answered.
    Response,
    /// What came out of a step.
    Output,
    /// The answer to a question.
    Answer,
    /// Content of any kind.
    Content,
    /// Words of which nothing else is known.
    Text,
    /// Thinking of a model.
    Thinking,
    /// What a person said.
    Message,
    /// What a model is told to be and to do.
    Instructions,
    /// What stands for a part of the conversation.
    Summary,
    /// A conversation.
    Messages,
    /// What a model was asked.
    Prompt,
    /// What went into a step.
    Input,
    /// What was sent to a model.
    Request,
    /// What a model was given beside the conversation.
    Context,
    /// Whole conversations.
    Conversation,
    /// The tools that a model may call.
    Tools,
    /// Something else that was sent to a model, by the label that its format gives it.
    OtherInput(T),
    /// Something else that a model or a tool gave, by the label that its format gives it.
    OtherOutput(T),
    /// The state of an agent.
    State,
    /// What has changed since the state before.
    StateChange,
    /// Token counts.
    Usage,
    /// What a producer keeps beside an event.
    Meta,
    /// Short values of an event.
    Fields,
    /// What a record holds beyond its description.
    OtherFields,
    /// What arguments or results refer to.
    Attachments,
    /// The record as it is written.
    Record,
    /// Code that is run.
    Code,
    /// A file, by its path.
    File(T),
    /// Of two events: a message of this role that was changed.
    ChangedMessage(T),
    /// Of two events: the messages that only the first one has.
    RemovedMessages,
    /// Of two events: the messages that only the second one has.
    NewMessages,
    /// Of two events: short values that differ.
    ChangedFields,
    /// Of two events: what their rows say.
    AtAGlance,
    /// Anything else, by the label that its format gives it. No code asks for one of these.
    Named(T),
}

/// Whether a block of an LLM call is what was sent or what came back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// It was sent to the model.
    Input,
    /// It came back.
    Output,
    /// Neither.
    Beside,
}

impl<T> BlockRole<T> {
    /// Whether it is what was sent to a model or what came back.
    #[must_use]
    pub fn side(&self) -> Side {
        match self {
            Self::Messages
            | Self::Prompt
            | Self::Instructions
            | Self::Input
            | Self::Request
            | Self::Context
            | Self::Conversation
            | Self::Tools
            | Self::OtherInput(_) => Side::Input,
            Self::Response
            | Self::Output
            | Self::Text
            | Self::Thinking
            | Self::ToolCall(_)
            | Self::ToolCalls
            | Self::Result
            | Self::OtherOutput(_) => Side::Output,
            Self::Untitled
            | Self::Arguments
            | Self::CallInMessage(_)
            | Self::Answer
            | Self::Content
            | Self::Message
            | Self::Summary
            | Self::State
            | Self::StateChange
            | Self::Usage
            | Self::Meta
            | Self::Fields
            | Self::OtherFields
            | Self::Attachments
            | Self::Record
            | Self::Code
            | Self::File(_)
            | Self::ChangedMessage(_)
            | Self::RemovedMessages
            | Self::NewMessages
            | Self::ChangedFields
            | Self::AtAGlance
            | Self::Named(_) => Side::Beside,
        }
    }
}

impl BlockRole<&'static str> {
    /// The same role with a text of its own.
    #[must_use]
    pub fn owned(self) -> BlockRole {
        match self {
            Self::Untitled => BlockRole::Untitled,
            Self::Arguments => BlockRole::Arguments,
            Self::Result => BlockRole::Result,
            Self::ToolCall(name) => BlockRole::ToolCall(name.to_owned()),
            Self::CallInMessage(name) => BlockRole::CallInMessage(name.to_owned()),
            Self::ToolCalls => BlockRole::ToolCalls,
            Self::Response => BlockRole::Response,
            Self::Output => BlockRole::Output,
            Self::Answer => BlockRole::Answer,
            Self::Content => BlockRole::Content,
            Self::Text => BlockRole::Text,
            Self::Thinking => BlockRole::Thinking,
            Self::Message => BlockRole::Message,
            Self::Instructions => BlockRole::Instructions,
            Self::Summary => BlockRole::Summary,
            Self::Messages => BlockRole::Messages,
            Self::Prompt => BlockRole::Prompt,
            Self::Input => BlockRole::Input,
            Self::Request => BlockRole::Request,
            Self::Context => BlockRole::Context,
            Self::Conversation => BlockRole::Conversation,
            Self::Tools => BlockRole::Tools,
            Self::OtherInput(label) => BlockRole::OtherInput(label.to_owned()),
            Self::OtherOutput(label) => BlockRole::OtherOutput(label.to_owned()),
            Self::State => BlockRole::State,
            Self::StateChange => BlockRole::StateChange,
            Self::Usage => BlockRole::Usage,
            Self::Meta => BlockRole::Meta,
            Self::Fields => BlockRole::Fields,
            Self::OtherFields => BlockRole::OtherFields,
            Self::Attachments => BlockRole::Attachments,
            Self::Record => BlockRole::Record,
            Self::Code => BlockRole::Code,
            Self::File(path) => BlockRole::File(path.to_owned()),
            Self::ChangedMessage(role) => BlockRole::ChangedMessage(role.to_owned()),
            Self::RemovedMessages => BlockRole::RemovedMessages,
            Self::NewMessages => BlockRole::NewMessages,
            Self::ChangedFields => BlockRole::ChangedFields,
            Self::AtAGlance => BlockRole::AtAGlance,
            Self::Named(label) => BlockRole::Named(label.to_owned()),
        }
    }
}

impl From<&'static str> for BlockRole<&'static str> {
    fn from(label: &'static str) -> Self {
        Self::Named(label)
    }
}
