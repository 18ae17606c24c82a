//! What a model answered, in the shapes of OpenAI (chat and plain completions), vLLM and SGLang (their
//! own generate calls too), as bare messages and as bare words.

use crate::formats::fields::{fields, given, items};

/// One answer; a request for several has several.
#[derive(Clone, Copy, Debug)]
pub(super) struct Answer<'a> {
    /// The message, the choice, or the words: what the answer is made of, whole.
    pub whole: &'a str,
    /// Its words: a string, or a list of parts.
    pub content: Option<&'a str>,
    /// Reasoning that came before them.
    pub reasoning: Option<&'a str>,
    /// Tool calls: a list, or the one call of the older `function_call`.
    pub tool_calls: Option<&'a str>,
    /// Why the model stopped.
    pub finish_reason: Option<&'a str>,
    /// The choice that it stands in.
    pub choice: Option<&'a str>,
}

/// A tool call that an answer asks for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call<'a> {
    /// The call, whole.
    pub whole: &'a str,
    /// Its id.
    pub id: Option<&'a str>,
    /// The tool.
    pub name: Option<&'a str>,
    /// Arguments: an object, or a string that holds one.
    pub arguments: Option<&'a str>,
}

/// The answers of a response. Empty where it has none of the shapes.
pub(super) fn answers(response: &str) -> Vec<Answer<'_>> {
    if response.starts_with('"') {
        return vec![words(response)];
    }
    if response.starts_with('[') {
        // A batch of completions (SGLang), or the messages of an answer.
        return items(response).into_iter().flat_map(one).collect();
    }
    one(response)
}

/// The answers of one completion.
fn one(raw: &str) -> Vec<Answer<'_>> {
    let keys = ["choices", "output", "role", "content", "text", "message", "tool_calls"];
    let Some([choices, output, role, content, text, inner, calls]) = fields(raw, keys) else {
        return if raw.starts_with('"') { vec![words(raw)] } else { Vec::new() };
    };
    if let Some(choices) = given(choices) {
        return items(choices).into_iter().filter_map(choice).collect();
    }
    if role.is_some() || content.is_some() || calls.is_some() {
        return vec![message(raw)];
    }
    if let Some(inner) = given(inner).filter(|inner| inner.starts_with('{')) {
        return vec![message(inner)];
    }
    match given(text).or(given(output)) {
        Some(text) if text.starts_with('"') => vec![Answer { whole: raw, ..words(text) }],
        // `/generate` of vLLM answers with a list; items of the responses API stand in one as well.
        Some(list) => items(list)
            .into_iter()
            .filter_map(|item| {
                if item.starts_with('"') {
                    return Some(words(item));
                }
                let [kind, content] = fields(item, ["type", "content"])?;
                match kind {
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

fn choice(raw: &str) -> Option<Answer<'_>> {
    let keys = ["message", "text", "finish_reason", "delta"];
    let [inner, text, finish_reason, delta] = fields(raw, keys)?;
    let answer = match (given(inner).or(given(delta)), text) {
        (Some(inner), _) if inner.starts_with('{') => message(inner),
        (_, Some(text)) => Answer { whole: raw, ..words(text) },
        _ => Answer { content: None, ..words(raw) },
    };
    Some(Answer { finish_reason: given(finish_reason), choice: Some(raw), ..answer })
}

fn message(raw: &str) -> Answer<'_> {
    let keys = ["content", "reasoning_content", "reasoning", "tool_calls", "function_call"];
    let [content, thought, reasoning, calls, call] = fields(raw, keys).unwrap_or_default();
    let not_empty = |raw: &&str| !matches!(*raw, "\"\"" | "[]");
    Answer {
        whole: raw,
        content: given(content).filter(not_empty),
        reasoning: given(thought).or(given(reasoning)).filter(not_empty),
        tool_calls: given(calls).filter(not_empty).or(given(call)),
        finish_reason: None,
        choice: None,
    }
}

fn words(raw: &str) -> Answer<'_> {
    Answer {
        whole: raw,
        content: Some(raw).filter(|raw| *raw != "\"\""),
        reasoning: None,
        tool_calls: None,
        finish_reason: None,
        choice: None,
    }
}

/// The calls of a list of tool calls, those of a content list, or the one call that an object is.
pub(super) fn calls(raw: &str) -> Vec<Call<'_>> {
    if raw.starts_with('{') {
        return call(raw).into_iter().collect();
    }
    items(raw).into_iter().filter_map(call).collect()
}

/// All calls of an answer.
pub(super) fn calls_of<'a>(answer: &Answer<'a>) -> Vec<Call<'a>> {
    let mut found = answer.tool_calls.map(calls).unwrap_or_default();
    let parts = answer.content.filter(|raw| raw.starts_with('[')).map(items).unwrap_or_default();
    for part in parts {
        let kind = fields(part, ["type"]).and_then(|[kind]| kind);
        if matches!(kind, Some("\"tool_use\"" | "\"tool_call\"" | "\"function_call\"")) {
            found.extend(call(part));
        }
    }
    found
}

fn call(raw: &str) -> Option<Call<'_>> {
    let keys = ["id", "call_id", "function", "name", "tool_name", "arguments", "args", "input"];
    let [id, call_id, function, name, tool_name, arguments, args, input] = fields(raw, keys)?;
    let function = given(function).unwrap_or_default();
    let [inner_name, inner] = fields(function, ["name", "arguments"]).unwrap_or_default();
    Some(Call {
        whole: raw,
        id: given(call_id).or(given(id)),
        name: given(inner_name).or(given(name)).or(given(tool_name)),
        arguments: given(inner).or(given(arguments)).or(given(args)).or(given(input)),
    })
}
