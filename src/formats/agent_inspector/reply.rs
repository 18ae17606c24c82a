//! What a model answered, in the shapes of OpenAI (chat and plain completions), vLLM and SGLang (their
//! own generate calls too), as bare messages and as bare words.

use crate::formats::fields::{JsonValue, fields, given, items};
use crate::json::Kind;

/// One answer; a request for several has several.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer<V> {
    /// The message, the choice, or the words: what the answer is made of, whole.
    pub whole: V,
    /// Its words: a string, or a list of parts.
    pub content: Option<V>,
    /// Reasoning that came before them.
    pub reasoning: Option<V>,
    /// Tool calls: a list, or the one call of the older `function_call`.
    pub tool_calls: Option<V>,
    /// Why the model stopped.
    pub finish_reason: Option<V>,
    /// The choice that it stands in.
    pub choice: Option<V>,
}

/// A tool call that an answer asks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call<V> {
    /// The call, whole.
    pub whole: V,
    /// Its id.
    pub id: Option<V>,
    /// The tool.
    pub name: Option<V>,
    /// Arguments: an object, or a string that holds one.
    pub arguments: Option<V>,
}

fn is<'a>(value: impl JsonValue<'a>, kind: Kind) -> bool {
    value.json().kind() == kind
}

/// The answers of a response. Empty where it has none of the shapes.
pub(super) fn answers<'a, V: JsonValue<'a, Inner = V>>(response: V) -> Vec<Answer<V>> {
    if is(response, Kind::String) {
        return vec![words(response)];
    }
    if is(response, Kind::Array) {
        // A batch of completions (SGLang), or the messages of an answer.
        return items(response).into_iter().flat_map(one).collect();
    }
    one(response)
}

/// The answers of one completion.
fn one<'a, V: JsonValue<'a, Inner = V>>(raw: V) -> Vec<Answer<V>> {
    let keys = ["choices", "output", "role", "content", "text", "message", "tool_calls"];
    let Some([choices, output, role, content, text, inner, calls]) = fields(raw, keys) else {
        return if is(raw, Kind::String) { vec![words(raw)] } else { Vec::new() };
    };
    if let Some(choices) = given(choices) {
        return items(choices).into_iter().filter_map(choice).collect();
    }
    if role.is_some() || content.is_some() || calls.is_some() {
        return vec![message(raw)];
    }
    if let Some(inner) = given(inner).filter(|inner| is(*inner, Kind::Object)) {
        return vec![message(inner)];
    }
    match given(text).or(given(output)) {
        Some(text) if is(text, Kind::String) => vec![Answer { whole: raw, ..words(text) }],
        // `/generate` of vLLM answers with a list; items of the responses API stand in one as well.
        Some(list) => items(list)
            .into_iter()
            .filter_map(|item| {
                if is(item, Kind::String) {
                    return Some(words(item));
                }
                let [kind, content] = fields(item, ["type", "content"])?;
                match kind.map(|kind| kind.json().raw()) {
                    Some(r#""function_call""#) => {
                        Some(Answer { content: None, tool_calls: Some(item), ..words(item) })
                    }
                    _ => content.map(|_| message(item)),
                }
            })
            .collect(),
        None => Vec::new(),
    }
}

fn choice<'a, V: JsonValue<'a, Inner = V>>(raw: V) -> Option<Answer<V>> {
    let keys = ["message", "text", "finish_reason", "delta"];
    let [inner, text, finish_reason, delta] = fields(raw, keys)?;
    let answer = match (given(inner).or(given(delta)), text) {
        (Some(inner), _) if is(inner, Kind::Object) => message(inner),
        (_, Some(text)) => Answer { whole: raw, ..words(text) },
        _ => Answer { content: None, ..words(raw) },
    };
    Some(Answer { finish_reason: given(finish_reason), choice: Some(raw), ..answer })
}

fn message<'a, V: JsonValue<'a, Inner = V>>(raw: V) -> Answer<V> {
    let keys = ["content", "reasoning_content", "reasoning", "tool_calls", "function_call"];
    let [content, thought, reasoning, calls, call] = fields(raw, keys).unwrap_or_default();
    let not_empty = |value: &V| !matches!(value.json().raw(), "\"\"" | "[]");
    Answer {
        whole: raw,
        content: given(content).filter(not_empty),
        reasoning: given(thought).or(given(reasoning)).filter(not_empty),
        tool_calls: given(calls).filter(not_empty).or(given(call)),
        finish_reason: None,
        choice: None,
    }
}

fn words<'a, V: JsonValue<'a, Inner = V>>(raw: V) -> Answer<V> {
    Answer {
        whole: raw,
        content: Some(raw).filter(|raw| raw.json().raw() != "\"\""),
        reasoning: None,
        tool_calls: None,
        finish_reason: None,
        choice: None,
    }
}

/// The calls of a list of tool calls, those of a content list, or the one call that an object is.
pub(super) fn calls<'a, V: JsonValue<'a, Inner = V>>(raw: V) -> Vec<Call<V>> {
    if is(raw, Kind::Object) {
        return call(raw).into_iter().collect();
    }
    items(raw).into_iter().filter_map(call).collect()
}

/// All calls of an answer.
pub(super) fn calls_of<'a, V: JsonValue<'a, Inner = V>>(answer: &Answer<V>) -> Vec<Call<V>> {
    let mut found = answer.tool_calls.map(calls).unwrap_or_default();
    let parts = answer.content.filter(|raw| is(*raw, Kind::Array)).map(items).unwrap_or_default();
    for part in parts {
        let kind = fields(part, ["type"]).and_then(|[kind]| Some(kind?.json().raw()));
        if matches!(kind, Some("\"tool_use\"" | "\"tool_call\"" | "\"function_call\"")) {
            found.extend(call(part));
        }
    }
    found
}

fn call<'a, V: JsonValue<'a, Inner = V>>(raw: V) -> Option<Call<V>> {
    let keys = ["id", "call_id", "function", "name", "tool_name", "arguments", "args", "input"];
    let [id, call_id, function, name, tool_name, arguments, args, input] = fields(raw, keys)?;
    let [inner_name, inner] = given(function)
        .and_then(|function| fields(function, ["name", "arguments"]))
        .unwrap_or_default();
    Some(Call {
        whole: raw,
        id: given(call_id).or(given(id)),
        name: given(inner_name).or(given(name)).or(given(tool_name)),
        arguments: given(inner).or(given(arguments)).or(given(args)).or(given(input)),
    })
}
