//! Message lists as OpenAI (chat completions and responses) and LangChain write them.
//!
//! Chat: `{role, content: string | parts | null, tool_calls: [{function: {name, arguments}}]}`.
//! Responses: items with a `type` (`message`, `function_call`, `function_call_output`,
//! `reasoning`). LangChain: `{type: human|ai|system|tool, content, tool_calls: [{name, args}]}`, also
//! serialised as a constructor with `kwargs`. Anthropic's blocks are read where they stand among the
//! parts, for routers mix them.

use crate::formats::fields::{JsonValue, fields, given, is_json, items, text, word};
use crate::json::{Json, Kind};
use crate::model::{Content, Message, Value};

/// How a raw JSON value becomes a value to show: its place where it stands in a source, its text
/// ([`owned`]) where it does not.
pub type Show<'s> = &'s dyn Fn(&str) -> Value;

/// A raw value that stands nowhere in a source as it is.
#[must_use]
pub fn owned(raw: &str) -> Value {
    match text(Some(raw)) {
        Some(text) => Value::Text(text.into_owned()),
        None => Value::OwnedJson(raw.to_owned()),
    }
}

/// A raw value that may be a string with JSON in it, as arguments are: shown as that JSON.
#[must_use]
pub fn unwrapped(raw: &str, show: Show<'_>) -> Value {
    let value = show(raw);
    match text(Some(raw)) {
        Some(inner) if is_json(&inner) => match value {
            Value::Json(span) => Value::JsonInString(span),
            _ => Value::OwnedJson(inner.into_owned()),
        },
        _ => value,
    }
}

/// A list of messages, or an object that holds one under `messages`. `None` if it is anything else:
/// every item must be an object, and the first one must have a role or a known type.
#[must_use]
pub fn message_list(raw: &str, show: Show<'_>) -> Option<Vec<Message>> {
    let list = items(list_of(raw)?);
    let [role, kind] = fields(list.first()?, ["role", "type"])?;
    let known = text(kind).is_some_and(|kind| is_message_type(&kind));
    if !(known || role.is_some_and(|role| role.starts_with('"'))) {
        return None;
    }
    if !list.iter().all(|item| item.starts_with('{')) {
        return None;
    }
    Some(list.into_iter().map(|item| message(item, show)).collect())
}

/// How many messages at the beginning of a list stand at the beginning of an earlier one too, by
/// their raw text.
#[must_use]
pub fn shared_prefix(list: &str, earlier: &str) -> usize {
    let (Some(list), Some(earlier)) = (list_of(list), list_of(earlier)) else { return 0 };
    items(list).iter().zip(items(earlier)).take_while(|(now, then)| **now == *then).count()
}

/// The part of a response that says most on one line: its words where it has some, else all of it.
#[must_use]
pub fn gist<'a>(response: impl JsonValue<'a>) -> &'a str {
    let response = response.json();
    words_of(response, 4).unwrap_or(response).raw()
}

fn words_of(value: Json<'_>, levels: u8) -> Option<Json<'_>> {
    if value.kind() == Kind::String {
        return (value.raw().len() > 2).then_some(value);
    }
    // A bounded walk down, for the words may stand in choices[0].message.content[0].text.
    let levels = levels.checked_sub(1)?;
    if value.kind() == Kind::Array {
        return value.items().find_map(|item| {
            let [role, text, content] = fields(item, ["role", "text", "content"])?;
            match text.filter(|text| text.kind() == Kind::String) {
                Some(text) => Some(text),
                None => words_of(content.filter(|_| role.is_some())?, levels),
            }
        });
    }
    let [choices, output, message, content] =
        fields(value, ["choices", "output", "message", "content"])?;
    if let Some(choices) = choices {
        return words_of(choices.items().next()?, levels);
    }
    words_of(given(content).or(given(message)).or(given(output))?, levels)
}

/// The list of a prompt: itself, or what stands under `messages`.
fn list_of(raw: &str) -> Option<&str> {
    match fields(raw, ["messages"]) {
        Some([messages]) => messages,
        None => raw.starts_with('[').then_some(raw),
    }
}

fn is_message_type(kind: &str) -> bool {
    matches!(
        kind,
        "message"
            | "function_call"
            | "function_call_output"
            | "reasoning"
            | "human"
            | "ai"
            | "system"
            | "tool"
            | "constructor"
    )
}

/// A message in any of the shapes; what has none of them is shown whole.
#[must_use]
#[inline(never)]
pub fn message(raw: &str, show: Show<'_>) -> Message {
    let whole = || Message {
        role: String::new(),
        name: String::new(),
        content: vec![Content::Other(show(raw))],
    };
    let keys = ["role", "type", "name", "content", "kwargs", "id", "tool_call_id"];
    let Some([role, kind, name, content, kwargs, id, call_id]) = fields(raw, keys) else {
        return whole();
    };
    let kind = text(kind).unwrap_or_default();
    match kind.as_ref() {
        "function_call" | "function_call_output" | "reasoning" => return item(&kind, raw, show),
        "constructor" => {
            // LangChain's serialisation: the last part of the id is the class.
            let class = id.map(items).and_then(|path| path.last().copied());
            let mut message = kwargs.map_or_else(whole, |kwargs| message_body(kwargs, show));
            let class = text(class).unwrap_or_default();
            class
                .trim_end_matches("Chunk")
                .trim_end_matches("Message")
                .clone_into(&mut message.role);
            message.role = role_of(&message.role.to_ascii_lowercase()).to_owned();
            return message;
        }
        _ => {}
    }
    let role = text(role).unwrap_or(kind);
    if role.is_empty() && content.is_none() {
        return whole();
    }
    let mut message = message_body(raw, show);
    role_of(&role).clone_into(&mut message.role);
    message.name = word(name).or_else(|| word(call_id)).unwrap_or_default().into_owned();
    if matches!(message.role.as_str(), "tool" | "function") {
        for part in &mut message.content {
            if let Content::Text(value) = part {
                *part = Content::ToolResult(value.clone());
            }
        }
    }
    message
}

/// The role of a message in the field's words.
fn role_of(role: &str) -> &str {
    match role {
        "human" => "user",
        "ai" => "assistant",
        other => other,
    }
}

/// Content, reasoning and tool calls; role and name are left to the caller.
fn message_body(raw: &str, show: Show<'_>) -> Message {
    let mut parts = Vec::new();
    let keys =
        ["content", "reasoning_content", "reasoning", "tool_calls", "function_call", "refusal"];
    let [content, thought, reasoning, calls, call, refusal] = fields(raw, keys).unwrap_or_default();
    for thought in [thought, reasoning] {
        if let Some(thought) = thought.filter(|raw| raw.starts_with('"') && raw.len() > 2) {
            parts.push(Content::Thinking(show(thought)));
        }
    }
    match given(content) {
        Some(list) if list.starts_with('[') => {
            parts.extend(items(list).into_iter().map(|item| part(item, show)));
        }
        Some(content) if content.starts_with('"') => parts.push(Content::Text(show(content))),
        Some(content) => parts.push(Content::Other(show(content))),
        None => {}
    }
    if let Some(refusal) = given(refusal) {
        parts.push(Content::Text(show(refusal)));
    }
    for call in calls.map(items).unwrap_or_default().into_iter().chain(given(call)) {
        parts.push(tool_use(call, show));
    }
    Message { role: String::new(), name: String::new(), content: parts }
}

/// A tool call: `{function: {name, arguments}}`, `{name, arguments}`, `{name, args}`.
fn tool_use(raw: &str, show: Show<'_>) -> Content {
    let inner = fields(raw, ["function"]).and_then(|[function]| given(function)).unwrap_or(raw);
    let [name, arguments, args] = fields(inner, ["name", "arguments", "args"]).unwrap_or_default();
    match (text(name), arguments.or(args)) {
        (Some(name), Some(arguments)) => {
            Content::ToolUse(name.into_owned(), unwrapped(arguments, show))
        }
        _ => Content::Other(show(raw)),
    }
}

/// An item of the Responses API that is no message.
fn item(kind: &str, raw: &str, show: Show<'_>) -> Message {
    let keys = ["call_id", "output", "summary", "content"];
    let [call_id, output, summary, content] = fields(raw, keys).unwrap_or_default();
    let (role, content) = match kind {
        "function_call" => ("assistant", vec![tool_use(raw, show)]),
        "function_call_output" => {
            let output = output.map_or_else(|| show(raw), |output| unwrapped(output, show));
            ("tool", vec![Content::ToolResult(output)])
        }
        _ => {
            let thoughts: Vec<_> = [summary, content]
                .into_iter()
                .flatten()
                .flat_map(items)
                .filter_map(|item| fields(item, ["text"])?.first().copied().flatten())
                .map(|text| Content::Thinking(show(text)))
                .collect();
            let hidden = thoughts.is_empty();
            ("assistant", if hidden { vec![Content::HiddenThinking] } else { thoughts })
        }
    };
    let name = if kind == "function_call" { None } else { word(call_id) };
    Message { role: role.to_owned(), name: name.unwrap_or_default().into_owned(), content }
}

/// A part of a message's content.
fn part(raw: &str, show: Show<'_>) -> Content {
    if raw.starts_with('"') {
        return Content::Text(show(raw));
    }
    let keys = ["type", "text", "refusal", "thinking", "name", "input", "content", "image_url"];
    let Some([kind, words, refusal, thinking, name, input, content, image]) = fields(raw, keys)
    else {
        return Content::Other(show(raw));
    };
    let kind = text(kind).unwrap_or_default();
    match (kind.as_ref(), words, thinking, content) {
        ("text" | "input_text" | "output_text" | "summary_text", Some(words), ..) => {
            Content::Text(show(words))
        }
        ("thinking" | "reasoning", _, Some(thought), _) => Content::Thinking(show(thought)),
        ("redacted_thinking", ..) => Content::HiddenThinking,
        ("refusal", ..) => {
            refusal.map_or_else(|| Content::Other(show(raw)), |it| Content::Text(show(it)))
        }
        ("tool_use" | "tool_call", ..) => match (text(name), input) {
            (Some(name), Some(input)) => Content::ToolUse(name.into_owned(), show(input)),
            _ => tool_use(raw, show),
        },
        ("tool_result", _, _, Some(content)) => Content::ToolResult(show(content)),
        ("image_url" | "input_image", ..) => image
            .and_then(|image| picture(image, show))
            .unwrap_or_else(|| Content::Other(show(raw))),
        _ => Content::Other(show(raw)),
    }
}

/// An image that stands in the file as a data address. One that stands elsewhere is never fetched.
fn picture(raw: &str, show: Show<'_>) -> Option<Content> {
    let address = match fields(raw, ["url"]) {
        Some([url]) => url?,
        None => raw,
    };
    let (media, rest) = address.strip_prefix("\"data:")?.split_once([';', ','])?;
    let base64 = rest.strip_prefix("base64,")?.strip_suffix('"')?;
    match show(base64) {
        Value::Json(span) => Some(Content::Image(media.to_owned(), span)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Roles, and kinds of content, of a message list that stands nowhere in a source.
    fn outline(raw: &str) -> Vec<String> {
        let messages = message_list(raw, &owned).unwrap_or_default();
        messages
            .iter()
            .map(|message| {
                let parts: Vec<_> = message.content.iter().map(word_of).collect();
                format!("{} {} {}", message.role, message.name, parts.join(" "))
            })
            .collect()
    }

    fn word_of(content: &Content) -> String {
        match content {
            Content::Text(Value::Text(text)) => format!("text:{text}"),
            Content::Thinking(Value::Text(text)) => format!("thinking:{text}"),
            Content::HiddenThinking => "hidden".to_owned(),
            Content::ToolUse(name, Value::OwnedJson(args)) => format!("use:{name}{args}"),
            Content::ToolResult(Value::Text(text)) => format!("result:{text}"),
            Content::Other(Value::OwnedJson(json)) => format!("other:{json}"),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn chat_messages() {
        let list = r#"[
            {"role":"system","content":"s"},
            {"role":"user","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"https://x/y.png"}}]},
            {"role":"assistant","content":null,"reasoning_content":"hm","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]},
            {"role":"tool","tool_call_id":"c","content":"done"}
        ]"#;
        let expected = [
            "system  text:s",
            r#"user  text:look other:{"type":"image_url","image_url":{"url":"https://x/y.png"}}"#,
            r#"assistant  thinking:hm use:f{"a":1}"#,
            "tool c result:done",
        ];
        assert_eq!(outline(list), expected);
        assert_eq!(outline(&format!(r#"{{"model":"m","messages":{list}}}"#)), expected);
    }

    #[test]
    fn responses_items() {
        let list = r#"[
            {"content":"q","role":"user"},
            {"type":"reasoning","summary":[{"type":"summary_text","text":"t"}]},
            {"type":"reasoning","summary":[],"encrypted_content":"x"},
            {"type":"function_call","name":"f","arguments":"{}","call_id":"c"},
            {"type":"function_call_output","call_id":"c","output":"o"},
            {"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"}]}
        ]"#;
        let expected = [
            "user  text:q",
            "assistant  thinking:t",
            "assistant  hidden",
            "assistant  use:f{}",
            "tool c result:o",
            "assistant  text:a",
        ];
        assert_eq!(outline(list), expected);
    }

    #[test]
    fn langchain_messages() {
        let list = r#"[
            {"type":"human","content":"h"},
            {"type":"ai","content":"","tool_calls":[{"name":"f","args":{"a":1},"id":"c"}]},
            {"type":"tool","content":"r","name":"f"},
            {"lc":1,"type":"constructor","id":["langchain","schema","AIMessageChunk"],"kwargs":{"content":"k"}}
        ]"#;
        let expected = [
            "user  text:h",
            r#"assistant  text: use:f{"a":1}"#,
            "tool f result:r",
            "assistant  text:k",
        ];
        assert_eq!(outline(list), expected);
    }

    #[test]
    fn what_is_no_message_list() {
        for raw in ["[]", "[1]", "{}", "\"x\"", r#"[{"a":1}]"#, r#"[{"role":"user"},5]"#, "null"] {
            assert_eq!(message_list(raw, &owned), None, "{raw}");
        }
        // One strange item among messages is shown whole.
        assert_eq!(outline(r#"[{"role":"user","content":"q"},{"x":1}]"#)[1], r#"  other:{"x":1}"#);
    }

    #[test]
    fn what_says_most_of_a_response() {
        let completion = r#"{"id":"x","choices":[{"message":{"role":"assistant","content":"a"}}]}"#;
        assert_eq!(gist(completion), r#""a""#);
        let items = r#"[{"role":"assistant","content":[{"type":"output_text","text":"a"}]}]"#;
        assert_eq!(gist(items), r#""a""#);
        assert_eq!(
            gist(r#"{"role":"assistant","content":null}"#),
            r#"{"role":"assistant","content":null}"#
        );
        let deep = format!("{}1{}", r#"{"content":"#.repeat(50_000), "}".repeat(50_000));
        assert_eq!(gist(&deep), deep);
    }

    #[test]
    fn the_shared_beginning_of_two_prompts() {
        let before = r#"[{"role":"user","content":"a"},{"role":"x","content":"b"}]"#;
        let now = r#"[{"role":"user","content":"a"}, {"role":"x","content":"B"}]"#;
        assert_eq!(shared_prefix(now, before), 1);
        assert_eq!(shared_prefix(now, now), 2);
        assert_eq!(shared_prefix(now, "\"a\""), 0);
    }
}
