//! What an opened row of a span shows.

use crate::formats::agentdbg::{OpenAiSpan, Shown, loop_warning, prompt_json};
use crate::formats::fields::{entries, fields, given, text, word};
use crate::formats::{EventRecords, RecordText};
use crate::model::{Block, Content, Detail, EventKind, Message};

use super::span::Span;

/// Attributes of calls that are shown under titles of their own.
const CALL_KEYS: [&str; 13] = [
    "maida.event_type",
    "gen_ai.request.model",
    "gen_ai.system",
    "gen_ai.provider.name",
    "gen_ai.operation.name",
    "gen_ai.request.temperature",
    "gen_ai.response.finish_reasons",
    "maida.tool_name",
    "maida.status",
    "maida.error_type",
    "maida.error_message",
    "maida.error_stack",
    "maida.meta",
];

/// Fills in the detail of an event that is a span, or stands on one. `false` if it is none.
pub(super) fn span_detail(event: &EventRecords<'_>, out: &mut Detail) -> bool {
    let Some(record) = event.records.first() else { return false };
    let Some(span) = Span::new(&record.text) else { return false };
    out.native_id = word(span.span_id).map(Into::into);
    let mut shown = Shown::new(record, out);
    let on_root = usize::try_from(event.event.selector).ok().and_then(|at| at.checked_sub(1));
    if let Some((name, _, attributes)) = on_root.and_then(|at| span.span_events().nth(at)) {
        point(&mut shown, &name, attributes.raw());
        shown.marks(event.event);
        return true;
    }
    match event.event.kind {
        EventKind::RunStart => {
            let found = entries(span.attributes.raw());
            let values: Vec<_> = found
                .iter()
                .map(|(key, raw)| (key.strip_prefix("maida.").unwrap_or(key), Some(*raw)))
                .collect();
            shown.fields("Run", &values);
        }
        EventKind::LlmCall => llm_call(&mut shown, &span, event),
        EventKind::ToolCall => tool_call(&mut shown, &span),
        _ => {
            error_of(&mut shown, span.attributes.raw());
            for (name, _, attributes) in span.span_events() {
                point(&mut shown, &name, attributes.raw());
            }
            rest(&mut shown, &span);
        }
    }
    if shown.is_empty() {
        let value = shown.value(&record.text);
        shown.push(Block::Json("Record", value));
    }
    shown.marks(event.event);
    true
}

/// A span event: an error, a loop warning, a state; anything else as it is.
fn point(shown: &mut Shown<'_, '_>, name: &str, attributes: &str) {
    match name {
        "exception" => {
            error_of(shown, attributes);
            let known = [
                "maida.error_type",
                "maida.error_message",
                "maida.error_stack",
                "exception.type",
                "exception.message",
                "exception.stacktrace",
            ];
            // A guardrail's stop says which one, its threshold and the value that was reached.
            shown.rest("Error fields", Some(attributes), &known);
        }
        "maida.loop.warning" => loop_warning(shown, attributes),
        "state" => {
            let [state, diff] = fields(attributes, ["state", "diff"]).unwrap_or_default();
            for (title, raw) in [("State", given(state)), ("Diff", given(diff))] {
                if let Some(raw) = raw {
                    let value = shown.json_string(raw);
                    shown.push(Block::Json(title, value));
                }
            }
            shown.rest("Other fields", Some(attributes), &["state", "diff"]);
        }
        _ => shown.json("Span event", Some(attributes)),
    }
}

fn error_of(shown: &mut Shown<'_, '_>, attributes: &str) {
    let keys = ["maida.error_type", "maida.error_message", "maida.error_stack"];
    let [kind, message, stack] = fields(attributes, keys).unwrap_or_default();
    let keys = ["exception.type", "exception.message", "exception.stacktrace"];
    let [other_kind, other_message, other_stack] = fields(attributes, keys).unwrap_or_default();
    shown.error_parts(
        given(kind).or(other_kind),
        given(message).or(other_message),
        given(stack).or(other_stack),
    );
}

fn llm_call(shown: &mut Shown<'_, '_>, span: &Span<'_>, event: &EventRecords<'_>) {
    error_of(shown, span.attributes.raw());
    let (prompts, responses) = contents(span);
    if let [(_, only)] = prompts.as_slice() {
        let earlier: Vec<_> =
            event.earlier.iter().filter_map(|records| prompt_of(records.first()?)).collect();
        shown.prompt(Some(only), &earlier);
    } else if !prompts.is_empty() {
        // Other emitters write one span event for each message.
        let messages = prompts
            .iter()
            .map(|(role, raw)| Message {
                role: role.clone(),
                name: String::new(),
                content: vec![Content::Text(shown.value(raw))],
            })
            .collect();
        shown.push(Block::Messages("Messages", messages, 0));
    }
    for response in responses {
        shown.response(Some(response));
    }
    let found = entries(span.attributes.raw());
    let usage: Vec<_> = found
        .iter()
        .filter_map(|(key, raw)| Some((key.strip_prefix("gen_ai.usage.")?, Some(*raw))))
        .collect();
    shown.fields("Usage", &usage);
    let keys = [
        "gen_ai.request.model",
        "gen_ai.system",
        "gen_ai.provider.name",
        "gen_ai.request.temperature",
        "gen_ai.response.finish_reasons",
    ];
    let [model, system, provider, temperature, finish] =
        fields(span.attributes.raw(), keys).unwrap_or_default();
    let request = [
        ("model", model),
        ("provider", system.or(provider)),
        ("temperature", temperature),
        ("stop reason", finish),
    ];
    shown.fields("Request", &request);
    rest(shown, span);
}

/// The raw contents of the prompt's messages with their roles, and of the responses.
fn contents<'a>(span: &Span<'a>) -> (Vec<(String, &'a str)>, Vec<&'a str>) {
    let (mut prompts, mut responses) = (Vec::new(), Vec::new());
    for (name, _, attributes) in span.span_events() {
        let Some([content]) = fields(attributes.raw(), ["content"]) else { continue };
        let Some(content) = given(content) else { continue };
        match name.as_ref() {
            "gen_ai.assistant.message" => responses.push(content),
            name => {
                let role =
                    name.strip_prefix("gen_ai.").and_then(|name| name.strip_suffix(".message"));
                prompts.extend(role.map(|role| (role.to_owned(), content)));
            }
        }
    }
    (prompts, responses)
}

/// The prompt of an earlier call as the JSON that messages are compared by.
fn prompt_of(record: &RecordText) -> Option<String> {
    let span = Span::new(&record.text)?;
    let (prompts, _) = contents(&span);
    prompt_json(prompts.first()?.1)
}

fn tool_call(shown: &mut Shown<'_, '_>, span: &Span<'_>) {
    error_of(shown, span.attributes.raw());
    let [meta] = fields(span.attributes.raw(), ["maida.meta"]).unwrap_or_default();
    let meta = text(meta).unwrap_or_default();
    // A handoff between agents has no arguments; who hands over to whom stands in `maida.meta`.
    shown.all_fields("Handoff", OpenAiSpan::of_meta(Some(&meta)).handoff);
    for (name, _, attributes) in span.span_events() {
        let [args, result] = fields(attributes.raw(), ["args", "result"]).unwrap_or_default();
        match (name.as_ref(), given(args), given(result)) {
            ("maida.tool.args", Some(args), _) => {
                let value = shown.json_string(args);
                shown.push(Block::Arguments(value));
            }
            ("maida.tool.result", _, Some(result)) => {
                let value = shown.json_string(result);
                shown.push(Block::Result(value));
            }
            _ => shown.json("Span event", Some(attributes.raw())),
        }
    }
    rest(shown, span);
}

/// Attributes without a place of their own, and the producer's `meta`.
fn rest(shown: &mut Shown<'_, '_>, span: &Span<'_>) {
    let found = entries(span.attributes.raw());
    let others: Vec<_> = found
        .iter()
        .filter(|(key, _)| !CALL_KEYS.contains(&key.as_ref()) && !key.starts_with("gen_ai.usage."))
        .map(|(key, raw)| (key.as_ref(), Some(*raw)))
        .collect();
    shown.fields("Other attributes", &others);
    let [meta] = fields(span.attributes.raw(), ["maida.meta"]).unwrap_or_default();
    if let Some(raw) = given(meta).filter(|raw| text(Some(raw)).as_deref() != Some("{}")) {
        let value = shown.json_string(raw);
        shown.push(Block::Json("Meta", value));
    }
}
