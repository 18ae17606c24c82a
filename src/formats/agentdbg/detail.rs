//! What an opened row of a spec 0.1 event shows.

use crate::formats::fields::{fields, given, word};
use crate::formats::{EventRecords, RecordText};
use crate::model::{Block, Detail, EventKind};

use super::Shown;
use super::call::kind_of;
use super::show::prompt_json;

/// Fills in the detail of an event from its first record.
pub fn event_detail(event: &EventRecords<'_>, out: &mut Detail) {
    let Some(record) = event.records.first() else { return };
    let keys = ["event_type", "event_id", "payload", "meta"];
    let Some([kind, id, payload, meta]) = fields(&record.text, keys) else {
        // A record of another shape, kept as it is.
        let mut shown = Shown::new(record, out);
        let value = shown.value(&record.text);
        shown.push(Block::Json("Record", value));
        return;
    };
    out.native_id = word(id).map(Into::into);
    let mut shown = Shown::new(record, out);
    let Some(kind) = word(kind) else {
        let value = shown.value(&record.text);
        shown.push(Block::Json("Record", value));
        return;
    };
    let object = given(payload).filter(|raw| raw.starts_with('{'));
    match (kind_of(&kind), object) {
        (EventKind::LlmCall, Some(payload)) => llm_call(&mut shown, payload, event),
        (EventKind::ToolCall, Some(payload)) => tool_call(&mut shown, payload, meta),
        (EventKind::State, Some(payload)) => {
            let [state, diff] = fields(payload, ["state", "diff"]).unwrap_or_default();
            shown.json("State", state);
            shown.json("Diff", diff);
            shown.rest("Other fields", Some(payload), &["state", "diff"]);
        }
        (EventKind::Error, Some(payload)) => {
            let keys = ["error_type", "message", "stack"];
            let [kind, message, stack] = fields(payload, keys).unwrap_or_default();
            shown.error_parts(kind, message, stack);
            // A guardrail's stop says which one, its threshold and the value that was reached.
            shown.rest("Error fields", Some(payload), &keys);
        }
        (EventKind::LoopWarning, Some(payload)) => loop_warning(&mut shown, payload),
        (EventKind::RunStart, Some(payload)) => shown.all_fields("Run", Some(payload)),
        (EventKind::RunEnd, Some(payload)) => {
            let [status, summary] = fields(payload, ["status", "summary"]).unwrap_or_default();
            shown.fields("Run", &[("status", status)]);
            shown.all_fields("Counts", summary);
            shown.rest("Other fields", Some(payload), &["status", "summary"]);
        }
        _ => shown.json("Payload", payload),
    }
    if shown.is_empty() {
        // A state of null, say: there is nothing to show but the record itself.
        let value = shown.value(&record.text);
        shown.push(Block::Json("Record", value));
    }
    shown.json("Meta", meta);
    shown.marks(event.event);
}

fn llm_call(shown: &mut Shown<'_, '_>, payload: &str, event: &EventRecords<'_>) {
    let keys =
        ["model", "prompt", "response", "usage", "provider", "temperature", "stop_reason", "error"];
    let [model, prompt, response, usage, provider, temperature, stop, error] =
        fields(payload, keys).unwrap_or_default();
    shown.error(error);
    let earlier: Vec<_> =
        event.earlier.iter().filter_map(|records| prompt_of(records.first()?)).collect();
    shown.prompt(prompt, &earlier);
    shown.response(response);
    shown.all_fields("Usage", usage);
    let request = [
        ("model", model),
        ("provider", provider),
        ("temperature", temperature),
        ("stop reason", stop),
    ];
    shown.fields("Request", &request);
    let known = [
        "model",
        "prompt",
        "response",
        "usage",
        "provider",
        "temperature",
        "stop_reason",
        "error",
        "status",
    ];
    shown.rest("Other fields", Some(payload), &known);
}

/// The prompt of an earlier call as the JSON that messages are compared by.
fn prompt_of(record: &RecordText) -> Option<String> {
    let [payload] = fields(&record.text, ["payload"])?;
    let [prompt] = fields(payload?, ["prompt"])?;
    let prompt = given(prompt)?;
    Some(prompt_json(prompt).unwrap_or_else(|| prompt.to_owned()))
}

fn tool_call(shown: &mut Shown<'_, '_>, payload: &str, meta: Option<&str>) {
    let [args, result, error] = fields(payload, ["args", "result", "error"]).unwrap_or_default();
    shown.error(error);
    // A handoff between agents has no arguments; who hands over to whom stands in `meta`.
    let handoff = super::OpenAiSpan::of_meta(meta).handoff;
    shown.all_fields("Handoff", handoff);
    if let Some(args) = given(args) {
        let value = shown.data(args);
        shown.push(Block::Arguments(value));
    }
    if let Some(result) = result.filter(|raw| *raw != "null" || given(error).is_none()) {
        let value = shown.data(result);
        shown.push(Block::Result(value));
    }
    shown.rest("Other fields", Some(payload), &["tool_name", "args", "result", "error", "status"]);
}

/// Pattern, repetitions and evidence of a loop warning.
pub fn loop_warning(shown: &mut Shown<'_, '_>, payload: &str) {
    let keys = ["pattern", "repetitions", "window_size", "pattern_type", "pattern_length"];
    let values = fields(payload, keys).unwrap_or_default();
    let labelled: Vec<_> = keys.into_iter().zip(values).collect();
    shown.fields("Loop warning", &labelled);
    let [evidence] = fields(payload, ["evidence_event_ids"]).unwrap_or_default();
    shown.evidence(evidence);
    let known = [keys.as_slice(), &["evidence_event_ids"]].concat();
    shown.rest("Other fields", Some(payload), &known);
}
