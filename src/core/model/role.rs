//! The roles of the blocks of an opened row.

use serde::{Deserialize, Serialize};

/// The role of a block of an opened row. Code matches on these; the words for them are made where they are shown
/// (`words::roles`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum BlockRole<T = String> {
    /// A value that needs no title, such as the text of a message.
    Untitled,
    /// Arguments of a call.
    Arguments,
    /// The result of a call.
    Result,
    /// A tool call that a response requests, by the name of its tool.
    ToolCall(T),
    /// A tool call in a message, by the name of its tool.
    CallInMessage(T),
    /// Several tool calls that a response requests, each by the name of its tool.
    ToolCalls,
    /// The response of a model.
    Response,
    /// The output of a step.
    Output,
    /// The answer to a question.
    Answer,
    /// Content of any kind.
    Content,
    /// Text whose role is otherwise unknown.
    Text,
    /// Thinking of a model.
    Thinking,
    /// A message from the user.
    Message,
    /// The instructions to a model: its role and its task.
    Instructions,
    /// A summary that stands for a part of the conversation.
    Summary,
    /// A conversation.
    Messages,
    /// The prompt of a model.
    Prompt,
    /// The input of a step.
    Input,
    /// The request to a model.
    Request,
    /// Context that a model received in addition to the conversation.
    Context,
    /// Whole conversations.
    Conversation,
    /// The tools that a model may call.
    Tools,
    /// Another input of a model, by the label that its format gives it.
    OtherInput(T),
    /// Another output of a model or a tool, by the label that its format gives it.
    OtherOutput(T),
    /// The state of an agent.
    State,
    /// What has changed since the previous state.
    StateChange,
    /// Token counts.
    Usage,
    /// Data that a producer keeps with an event.
    Meta,
    /// Short values of an event.
    Fields,
    /// Fields of a record that its description does not cover.
    OtherFields,
    /// Content that arguments or results refer to.
    Attachments,
    /// The record as written in the file.
    Record,
    /// Code that is run.
    Code,
    /// A file, by its path.
    File(T),
    /// In a comparison of two events: a message with this role that was changed.
    ChangedMessage(T),
    /// In a comparison of two events: the messages that only the first one has.
    RemovedMessages,
    /// In a comparison of two events: the messages that only the second one has.
    NewMessages,
    /// In a comparison of two events: short values that differ.
    ChangedFields,
    /// In a comparison of two events: the content of their rows.
    AtAGlance,
    /// Any other block, by the label that its format gives it. No code matches on one of these.
    Named(T),
}

/// Whether a block of an LLM call was sent or received.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// It was sent to the model.
    Input,
    /// It was received from the model.
    Output,
    /// Neither.
    Beside,
}

impl<T> BlockRole<T> {
    /// Whether the block was sent to a model or received from it.
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
    /// The same role with an owned text.
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
