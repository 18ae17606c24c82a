//! Prompts and answers of models in any shape that an API or a framework uses: text, a message, a list of messages, a
//! completion with choices.

use super::content::{Role, message_of, role, unwrapped};
use super::responses;
use crate::fields::{fields, given};
use crate::kit::{Msg, Part};
use traceloupe_core::json::{Json, KeySet, Kind};
use traceloupe_core::model::BlockRole;

/// The parts that display a prompt. Members of an object besides its messages are left to the rest of the record.
#[must_use]
pub fn prompt(prompt: Json<'_>) -> Vec<Part<'_>> {
    let list = if prompt.kind() == Kind::Object { prompt.get("messages") } else { prompt };
    match messages(list) {
        Some(messages) => vec![Part::Messages(BlockRole::Messages, messages)],
        None => vec![Part::Value(BlockRole::Prompt, prompt)],
    }
}

/// The parts that display an answer.
#[must_use]
pub fn answer(answer: Json<'_>) -> Vec<Part<'_>> {
    let mut found = match answer.kind() {
        Kind::String => return vec![Part::Text(answer)],
        Kind::Array => messages(answer).unwrap_or_default(),
        Kind::Object => answers(answer),
        _ => Vec::new(),
    };
    match (found.len(), found.first_mut()) {
        (1, Some(only))
            if only
                .parts
                .iter()
                .all(|part| !matches!(part, Part::Value(BlockRole::Untitled, _))) =>
        {
            std::mem::take(&mut only.parts)
        }
        (1.., _) => vec![Part::Messages(BlockRole::Response, found)],
        _ => vec![Part::Value(BlockRole::Response, answer)],
    }
}

/// Whether an answer has text, and not only calls.
#[must_use]
pub fn says_words(answer: Json<'_>) -> bool {
    let gist = gist(answer);
    gist.len() > 2 && gist.starts_with('"') && !["\"{", "\"["].iter().any(|it| gist.starts_with(it))
}

/// The messages in an object that is the answer of a model.
fn answers(answer: Json<'_>) -> Vec<Msg<'_>> {
    let (choices, output) = (answer.get("choices"), answer.get("output"));
    if choices.is_given() {
        return choices.items().map(|it| it.get("message")).map(message_of).collect();
    }
    if output.is_given() {
        return messages(output).unwrap_or_default();
    }
    if is_message(answer) { vec![message_of(answer)] } else { Vec::new() }
}

/// The messages of a list. `None` if it is anything else.
fn messages(list: Json<'_>) -> Option<Vec<Msg<'_>>> {
    let is_list = list.kind() == Kind::Array
        && is_message(list.item(0))
        && list.items().all(|item| item.kind() == Kind::Object);
    is_list.then(|| list.items().map(message_of).collect())
}

/// Whether a value has a role or a known type.
fn is_message(value: Json<'_>) -> bool {
    value.get("role").kind() == Kind::String
        || value.get("type").is("message")
        || responses::is_item(value)
        || role(&unwrapped(value).0) != Role::Other
}

/// The part of a response that is most informative on one line: its text if it has some, or else all of it.
#[must_use]
pub fn gist(response: Json<'_>) -> &str {
    gist_within(response, 4).unwrap_or(response).raw()
}

fn gist_within(value: Json<'_>, levels: u8) -> Option<Json<'_>> {
    if value.kind() == Kind::String {
        return (value.raw().len() > 2).then_some(value);
    }
    // Descends a limited number of levels, because the text may be in choices[0].message.content[0].text.
    let levels = levels.checked_sub(1)?;
    if value.kind() == Kind::Array {
        return value.items().find_map(|item| {
            let [role, text, content] =
                fields(item, const { &KeySet::new(["role", "text", "content"]) })?;
            match text.filter(|text| text.kind() == Kind::String) {
                Some(text) => Some(text),
                None => gist_within(content.filter(|_| role.is_some())?, levels),
            }
        });
    }
    let [choices, output, message, content] =
        fields(value, const { &KeySet::new(["choices", "output", "message", "content"]) })?;
    if let Some(choices) = choices {
        return gist_within(choices.items().next()?, levels);
    }
    gist_within(given(content).or(given(message)).or(given(output))?, levels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_most_of_a_response() {
        let completion = r#"{"id":"x","choices":[{"message":{"role":"assistant","content":"a"}}]}"#;
        assert_eq!(gist(Json::new(completion)), r#""a""#);
        let items = r#"[{"role":"assistant","content":[{"type":"output_text","text":"a"}]}]"#;
        assert_eq!(gist(Json::new(items)), r#""a""#);
        assert_eq!(
            gist(Json::new(r#"{"role":"assistant","content":null}"#)),
            r#"{"role":"assistant","content":null}"#
        );
        let deep = format!("{}1{}", r#"{"content":"#.repeat(50_000), "}".repeat(50_000));
        assert_eq!(gist(Json::new(&deep)), deep);
    }
}
