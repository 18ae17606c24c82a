//! The stream with which the page of ChatGPT gets an answer: messages, and patches of the last one.
//!
//! Read from projects that read it; the page states no version. `{"v": {"message": …}}` begins a message, or replaces
//! the one with its id: older pages get the whole message again and again. `{"p": path, "o": operation, "v": value}`
//! changes it. Without a path, the last one counts, and so does the last operation. The operation `patch` has a list of
//! such changes. The messages are those of an exported conversation.

use super::super::chatgpt_export;
use traceloupe_core::json::quoted;
use traceloupe_engine::prelude::*;

/// How many messages are read.
const MAX_MESSAGES: usize = 1_000;

/// A message with the changes so far.
struct Message<'a> {
    first: Json<'a>,
    /// What was added to its text and to its thoughts.
    text: String,
    thoughts: String,
    status: Json<'a>,
}

/// The messages of a stream so far, with the last path and operation.
#[derive(Default)]
struct Messages<'a> {
    list: Vec<Message<'a>>,
    path: Json<'a>,
    operation: Json<'a>,
}

/// Describes the messages of a stream. Returns `false` if it is not such a stream.
pub fn describe<'a>(
    request: Json<'a>,
    events: impl Iterator<Item = Json<'a>>,
    out: &mut Description<'a>,
) -> bool {
    let mut messages = Messages::default();
    for event in events {
        let whole = event.get("message");
        match whole.get("author.role").is_given() {
            true => messages.begin(whole),
            false => messages.change(event),
        }
    }
    if messages.list.is_empty() {
        return false;
    }
    for message in request.get("messages").items().take(MAX_MESSAGES) {
        let before = out.items.len();
        chatgpt_export::message(message, out);
        if let Some(item) = out.items.get_mut(before) {
            item.value(BlockRole::Request, request);
        }
    }
    for message in messages.list {
        // The stream repeats what was asked.
        if !matches!(message.first.get("author.role").label().as_ref(), "user" | "system") {
            let whole = out.json(&message.whole());
            let before = out.items.len();
            chatgpt_export::message(whole, out);
            let to = whole.get("recipient");
            if let Some(item) = out.items.get_mut(before).filter(|_| !to.is("all")) {
                item.field("To", to);
            }
        }
    }
    true
}

impl<'a> Messages<'a> {
    fn begin(&mut self, first: Json<'a>) {
        let (text, thoughts, status) = (String::new(), String::new(), first.get("status"));
        let new = Message { first, text, thoughts, status };
        let id = first.get("id");
        let known = self.list.iter().position(|it| it.first.get("id").raw() == id.raw());
        if let Some(known) = known.and_then(|at| self.list.get_mut(at)) {
            *known = new;
        } else if self.list.len() < MAX_MESSAGES {
            self.list.push(new);
        }
    }

    fn change(&mut self, change: Json<'a>) {
        let value = change.get("v");
        if value.get("message.author.role").is_given() {
            self.begin(value.get("message"));
            return;
        }
        self.path = change.get("p").present().unwrap_or(self.path);
        self.operation = change.get("o").present().unwrap_or(self.operation);
        if value.item(0).get("p").is_given() {
            // Lists are not nested.
            for change in value.items().filter(|it| it.get("v").item(0).get("p").is_absent()) {
                self.change(change);
            }
            return;
        }
        let (Some(message), Some(path)) = (self.list.last_mut(), self.path.text()) else { return };
        let Some(path) = path.strip_prefix("/message/") else { return };
        if path == "status" {
            message.status = value;
        } else if let Some(path) = path.strip_prefix("content/") {
            let words = value.text().unwrap_or_default();
            match path.starts_with("thoughts") {
                true => {
                    let thoughts = value.items().map(|it| it.get("content").text());
                    message.thoughts.extend(thoughts.flatten());
                    message.thoughts.push_str(&words);
                }
                false if self.operation.is("append") => message.text.push_str(&words),
                false => message.text = words.into_owned(),
            }
        }
    }
}

impl Message<'_> {
    /// The message with its changes, as an export has it.
    fn whole(&self) -> String {
        let content = self.first.get("content");
        if self.text.is_empty() && self.thoughts.is_empty() {
            return self.first.raw().to_owned();
        }
        let written = |key: &str| content.get(key).text().unwrap_or_default().into_owned();
        let is_code = content.get("text").kind() == Kind::String;
        let words = if is_code { written("text") } else { written("parts.0") } + &self.text;
        let words = quoted(&words);
        let said = match (is_code, self.thoughts.is_empty()) {
            (_, false) => format!(r#""thoughts":[{{"content":{}}}]"#, quoted(&self.thoughts)),
            (true, _) => format!(r#""text":{words}"#),
            (false, _) => format!(r#""parts":[{words}]"#),
        };
        let members = ["id", "author", "recipient", "metadata"].map(|key| {
            let value = self.first.get(key);
            format!(r#""{key}":{}"#, if value.is_absent() { "null" } else { value.raw() })
        });
        let status = if self.status.is_absent() { "null" } else { self.status.raw() };
        let kind = content.get("content_type");
        let kind = if kind.is_absent() { "null" } else { kind.raw() };
        let members = members.join(",");
        format!(r#"{{{members},"status":{status},"content":{{"content_type":{kind},{said}}}}}"#)
    }
}
