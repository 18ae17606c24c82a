//! Calls and results as text: models without an API for calls write them, and programs answer them.
//!
//! | Producer | Call | Result |
//! | --- | --- | --- |
//! | Hermes, Qwen | `<tool_call>` with JSON | `<tool_response>` with JSON or text |
//! | Qwen3-Coder | `<tool_call>` with `<function=…>` | `<tool_response>` |
//! | SWE-agent, SWE-smith | `<function=…>` with `<parameter=…>` | `OBSERVATION:` |
//! | Glaive | `<functioncall>` with JSON, its arguments in single quotes | in a message of its own |
//! | OpenHands | `<function=…>` with `<parameter=…>` | `EXECUTION RESULT of [tool]:` |

use super::content::call_of;
use crate::fields::is_json;
use crate::kit::{Description, Part};
use traceloupe_core::json::{Json, Kind, quoted};

/// A call: id, name, arguments.
type Call<'a> = (Json<'a>, Json<'a>, Json<'a>);

const CALL: (&str, &str) = ("<tool_call>", "</tool_call>");
const FUNCTION: (&str, &str) = ("<function=", "</function>");
const PARAMETER: (&str, &str) = ("<parameter=", "</parameter>");
const GLAIVE: (&str, &str) = ("<functioncall>", "<|endoftext|>");
const RESPONSE: (&str, &str) = ("<tool_response>", "</tool_response>");

/// Beginnings of calls.
const TAGS: [&str; 3] = [CALL.0, FUNCTION.0, GLAIVE.0];

/// Moves the calls out of the text of a model. Texts that contained calls are added to `told`.
pub(super) fn calls<'a>(
    parts: &mut Vec<Part<'a>>,
    told: &mut Vec<Json<'a>>,
    out: &mut Description<'a>,
) -> Vec<Call<'a>> {
    let mut calls = Vec::new();
    for part in parts.iter_mut() {
        let Part::Text(words) = part else { continue };
        if !TAGS.iter().any(|tag| words.raw().contains(tag)) {
            continue;
        }
        let text = out.text(*words);
        let (mut rest, mut kept, first) = (text, String::new(), calls.len());
        while let Some(at) = TAGS.iter().filter_map(|tag| rest.find(tag)).min() {
            let (before, tagged) = rest.split_at(at);
            kept.push_str(before);
            rest = match call(tagged, out) {
                Some((call, after)) => {
                    calls.push(call);
                    after
                }
                // The text only mentions a tag.
                None => {
                    kept.push('<');
                    tagged.strip_prefix('<').unwrap_or_default()
                }
            };
        }
        kept.push_str(rest);
        if calls.len() > first {
            told.push(*words);
            *words = out.string(kept.trim());
        }
    }
    parts.retain(|part| !matches!(part, Part::Text(words) if words.raw() == "\"\""));
    calls
}

/// The call at the beginning of a text, and the text after it.
fn call<'a>(text: &'a str, out: &Description<'a>) -> Option<(Call<'a>, &'a str)> {
    if let Some(inner) = text.strip_prefix(GLAIVE.0) {
        let (inner, after) = inner.split_once(GLAIVE.1).unwrap_or((inner, ""));
        let call = inner.trim().replace("\"arguments\": '", "\"arguments\": ").replace("'}", "}");
        let call = is_json(&call).then(|| out.json(&call))?;
        return call.get("name").is_given().then(|| (call_of(call), after));
    }
    let Some(inner) = text.strip_prefix(CALL.0) else { return function(text, out) };
    let (inner, after) = inner.split_once(CALL.1).unwrap_or((inner, ""));
    let call = Json::new(inner.trim());
    if call.kind() == Kind::Object && call.get("name").is_given() {
        return Some((call_of(call), after));
    }
    Some((function(inner.trim(), out)?.0, after))
}

/// The same for a function with its parameters. If the model stopped early, the last tag may be missing.
fn function<'a>(text: &'a str, out: &Description<'a>) -> Option<(Call<'a>, &'a str)> {
    let (name, inner) = text.strip_prefix(FUNCTION.0)?.split_once('>')?;
    let is_name = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-' | '.' | ':');
    if name.is_empty() || !name.chars().all(is_name) {
        return None;
    }
    let (inner, after) = match inner.split_once(FUNCTION.1) {
        Some(found) => found,
        None if inner.trim_end().ends_with(PARAMETER.1) => (inner, ""),
        None => return None,
    };
    let mut arguments = String::from("{");
    for parameter in inner.split(PARAMETER.0).skip(1) {
        let Some((key, value)) = parameter.split_once('>') else { continue };
        let value = value.split_once(PARAMETER.1).map_or(value, |(value, _)| value);
        let value = value.strip_prefix('\n').unwrap_or(value);
        let value = value.strip_suffix('\n').unwrap_or(value);
        let comma = if arguments.len() > 1 { "," } else { "" };
        let value = if is_data(value) { value.to_owned() } else { quoted(value) };
        arguments.push_str(&format!("{comma}{}:{value}", quoted(key)));
    }
    arguments.push('}');
    let name = out.string(name);
    Some(((Json::ABSENT, name, out.json(&arguments)), after))
}

/// Whether the value of a parameter is a list, an object, a number or a truth value, written as JSON.
fn is_data(value: &str) -> bool {
    let is_begin = |it: char| matches!(it, '[' | '{' | '-' | '0'..='9' | 't' | 'f');
    value.starts_with(is_begin) && is_json(value)
}

/// SWE-agent's message to the model about a command that printed nothing, in place of an observation.
const SILENT: &str = "Your command ran successfully and did not produce any output";

/// The results in the text of a message: the names of the tools, if known, and their outputs. Empty if the text does
/// not consist of results.
pub(super) fn results<'a>(words: Json<'a>, out: &mut Description<'a>) -> Vec<(Json<'a>, Json<'a>)> {
    let raw = words.raw().strip_prefix('"').unwrap_or_default();
    if raw.starts_with(RESPONSE.0) {
        let text = out.text(words);
        let responses = text.split(RESPONSE.0).skip(1);
        let inner = responses.map(|it| it.split(RESPONSE.1).next().unwrap_or(it).trim());
        return inner.map(|it| response(it, out)).collect();
    }
    if raw.starts_with("OBSERVATION:") || raw.starts_with(SILENT) {
        let text = out.text(words);
        let shown =
            text.strip_prefix("OBSERVATION:").unwrap_or(text).trim_start_matches([' ', '\n']);
        return vec![(Json::ABSENT, out.string(shown))];
    }
    if raw.starts_with("EXECUTION RESULT of [") {
        let text = out.text(words);
        let named = text.split_once('[').and_then(|(_, rest)| rest.split_once("]:"));
        if let Some((name, shown)) = named {
            let name = out.string(name);
            let shown = shown.strip_prefix('\n').unwrap_or(shown);
            return vec![(name, out.string(shown))];
        }
    }
    Vec::new()
}

/// The output of a tool, as text or as JSON with the tool's name.
fn response<'a>(text: &'a str, out: &Description<'a>) -> (Json<'a>, Json<'a>) {
    if is_data(text) {
        let json = Json::new(text);
        let (name, content) = (json.get("name"), json.get("content"));
        return match name.kind() == Kind::String && content.is_given() {
            true => (name, content),
            false => (Json::ABSENT, json),
        };
    }
    (Json::ABSENT, out.string(text))
}
