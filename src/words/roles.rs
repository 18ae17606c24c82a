//! The titles of blocks.

use std::borrow::Cow;

use traceloupe_core::model::BlockRole;

/// The title of a block; empty where it needs none.
#[must_use]
pub fn role<T: AsRef<str>>(role: &BlockRole<T>) -> Cow<'_, str> {
    let title = match role {
        BlockRole::Untitled => "",
        BlockRole::Arguments => "Arguments",
        BlockRole::Result => "Result",
        BlockRole::ToolCall(name) => return format!("Tool call: {}", name.as_ref()).into(),
        BlockRole::ToolCalls => "Tool calls",
        BlockRole::Response => "Response",
        BlockRole::Output => "Output",
        BlockRole::Answer => "Answer",
        BlockRole::Content => "Content",
        BlockRole::Text => "Text",
        BlockRole::Thinking => "Thinking",
        BlockRole::Message => "Message",
        BlockRole::Instructions => "Instructions",
        BlockRole::Summary => "Summary",
        BlockRole::Messages => "Messages",
        BlockRole::Prompt => "Prompt",
        BlockRole::Input => "Input",
        BlockRole::Request => "Request",
        BlockRole::Context => "Context",
        BlockRole::Conversation => "Conversation",
        BlockRole::Tools => "Tools",
        BlockRole::State => "State",
        BlockRole::StateChange => "Changed since the previous state",
        BlockRole::Usage => "Usage",
        BlockRole::Meta => "Meta",
        BlockRole::Fields => "Fields",
        BlockRole::OtherFields => "Other fields",
        BlockRole::Attachments => "Attachments",
        BlockRole::Record => "Record",
        BlockRole::Code => "Code",
        BlockRole::ChangedMessage(role) => return format!("{} message", role.as_ref()).into(),
        BlockRole::RemovedMessages => "Removed messages",
        BlockRole::NewMessages => "New messages",
        BlockRole::ChangedFields => "Changed fields",
        BlockRole::AtAGlance => "At a glance",
        BlockRole::CallInMessage(label)
        | BlockRole::File(label)
        | BlockRole::OtherInput(label)
        | BlockRole::OtherOutput(label)
        | BlockRole::Named(label) => label.as_ref(),
    };
    title.into()
}
