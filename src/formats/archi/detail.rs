//! What an opened row shows.

use crate::formats::by_hand::Shown;
use crate::formats::fields::{count, fields, given, text, word};
use crate::formats::{EventRecords, RecordText};
use crate::json::decode_string;
use crate::model::{Block, Detail, Event, EventKind, Flags, Status, Value};

use super::calls::Call;
use super::llm_calls::is_delta;

/// Fields that every event has.
const COMMON: [&str; 4] = ["type", "timestamp", "conversation_id", "arm"];

/// Fills in the detail of an event.
pub(super) fn event_detail(event: &EventRecords<'_>, out: &mut Detail) {
    let Some(first) = event.records.first() else { return };
    match event.event.kind {
        EventKind::LlmCall => llm_call(event, out),
        EventKind::ToolCall => tool_call(event, out),
        EventKind::Error => {
            let keys = ["error_code", "code", "status", "message", "error_message", "error"];
            let [error_code, code, status, message, error_message, error] =
                fields(&first.text, keys).unwrap_or_default();
            let kind = word(given(error_code.or(code).or(status))).unwrap_or_default().into();
            let mut shown = Shown::new(first, out);
            let message = given(message.or(error_message).or(error));
            let message = message.map(|raw| shown.value(raw));
            shown.push(Block::Error { kind, message, stack: None });
            rest(&mut shown, &first.text, &keys);
        }
        EventKind::UserMessage => {
            let [content, id] = fields(&first.text, ["content", "message_id"]).unwrap_or_default();
            let mut shown = Shown::new(first, out);
            words(&mut shown, "Message", content);
            shown.fields("Message fields", &[("message id", id)]);
        }
        EventKind::RunStart | EventKind::RunEnd | EventKind::Note => {
            for record in event.records {
                control(record, out);
            }
        }
        _ => {
            let mut shown = Shown::new(first, out);
            let value = shown.value(&first.text);
            shown.push(Block::Json("Record", value));
        }
    }
    if out.blocks.is_empty() {
        // A piece of text without words, say.
        let mut shown = Shown::new(first, out);
        let value = shown.value(&first.text);
        shown.push(Block::Json("Record", value));
    }
}

fn words(shown: &mut Shown<'_, '_>, title: &'static str, raw: Option<&str>) {
    if let Some(raw) = given(raw) {
        let value = shown.value(raw);
        shown.push(Block::Text(title, value));
    }
}

/// What a record holds beside what was shown.
fn rest(shown: &mut Shown<'_, '_>, record: &str, known: &[&str]) {
    let known = [&COMMON, known].concat();
    shown.rest("Other fields", Some(record), &known);
}

/// An event about the stream itself, or the end of a run.
fn control(record: &RecordText, out: &mut Detail) {
    let keys = ["response", "usage", "padding"];
    let [response, usage, padding] = fields(&record.text, keys).unwrap_or_default();
    let mut shown = Shown::new(record, out);
    words(&mut shown, "Response", response);
    shown.all_fields("Usage", usage);
    rest(&mut shown, &record.text, &keys);
    if padding.is_some() {
        shown.push(Block::Note("Padding is not shown".to_owned()));
    }
}

/// The text of an LLM call, put together from its records.
#[derive(Default)]
struct Words {
    /// Where it stands, if it stands somewhere as a whole.
    whole: Option<Value>,
    /// Its pieces, or what is new in a text that holds more.
    text: String,
    n_pieces: usize,
}

fn llm_call(event: &EventRecords<'_>, out: &mut Detail) {
    let mut said = Words::default();
    let keys =
        ["type", "content", "accumulated", "delta", "thinking_content", "response", "step_id"];
    for record in event.records {
        let Some([kind, content, accumulated, delta, thinking, response, step]) =
            fields(&record.text, keys)
        else {
            continue;
        };
        let kind = text(kind).unwrap_or_default();
        if let Some(id) = word(step) {
            out.native_id = Some(id.into());
        }
        let mut shown = Shown::new(record, out);
        let thinking = match &*kind {
            "thinking" => content,
            _ => thinking,
        };
        if let Some(raw) =
            given(thinking).filter(|raw| text(Some(raw)).is_none_or(|it| !it.trim().is_empty()))
        {
            let value = shown.value(raw);
            shown.push(Block::Thinking(value));
        }
        match (&*kind, given(content)) {
            ("chunk" | "text", Some(raw)) => {
                said.take(&shown, event.event, raw, is_delta(&kind, accumulated, delta))
            }
            ("thinking", _) | (_, None) => {}
            // A step of an older version, or a message of a conversation.
            (_, Some(raw)) => said.take(&shown, event.event, raw, false),
        }
        if let Some(raw) = given(response) {
            said.take(&shown, event.event, raw, false);
        }
    }
    if let Some(value) = said.value() {
        out.blocks.push(Block::Text("Response", value));
    }
    for record in event.records {
        let mut shown = Shown::new(record, out);
        let [kind] = fields(&record.text, ["type"]).unwrap_or_default();
        match text(kind).as_deref() {
            Some("usage") => shown.rest("Usage", Some(&record.text), &COMMON),
            // The end of the run and the message of a conversation have rows, or runs, of their own.
            Some("final") | None => {}
            Some(_) => {
                let known =
                    ["content", "accumulated", "delta", "thinking_content", "step_id", "step_type"];
                rest(&mut shown, &record.text, &known);
            }
        }
    }
    if event.event.status == Status::NoResult {
        out.blocks.push(Block::Note("The end of this LLM call is not in the file".to_owned()));
    }
}

impl Words {
    fn take(&mut self, shown: &Shown<'_, '_>, event: &Event, raw: &str, is_delta: bool) {
        if is_delta {
            self.n_pieces += 1;
            self.text.push_str(&decode_string(raw));
            self.whole = (self.n_pieces == 1).then(|| shown.value(raw));
            return;
        }
        *self = Self::default();
        // The selector says how much of the string was said by LLM calls before.
        let from = event.selector as usize;
        match raw.get(from + 1..).filter(|_| event.flags.has(Flags::MID_STRING)) {
            Some(new) => self.text = decode_string(new).into_owned(),
            None => self.whole = Some(shown.value(raw)),
        }
    }

    fn value(self) -> Option<Value> {
        match self.whole {
            Some(value) => Some(value),
            None => Some(self.text).filter(|text| !text.is_empty()).map(Value::Text),
        }
    }
}

fn tool_call(event: &EventRecords<'_>, out: &mut Detail) {
    let error_of = |record: &RecordText| {
        fields(&record.text, ["error_message"]).and_then(|[raw]| given(raw).map(str::len))
    };
    // An error comes first, wherever it stands.
    for record in event.records.iter().filter(|record| error_of(record).is_some()) {
        let [message] = fields(&record.text, ["error_message"]).unwrap_or_default();
        let mut shown = Shown::new(record, out);
        let message = given(message).map(|raw| shown.value(raw));
        shown.push(Block::Error { kind: String::new(), message, stack: None });
    }
    for record in event.records {
        let call = Call::read(&record.text);
        if let Some(id) = &call.id {
            out.native_id = Some(id.clone().into_owned());
        }
        let keys = ["output", "content", "result", "truncated", "full_length"];
        let [output, content, result, truncated, full] =
            fields(&record.text, keys).unwrap_or_default();
        let mut shown = Shown::new(record, out);
        if let Some(args) = call.args {
            let value = shown.data(call.raw_args().unwrap_or(args).raw());
            shown.push(Block::Arguments(value));
        }
        let output = match call.args {
            // The words of an older step repeat the call.
            Some(_) => None,
            None => output.or(content).or(result),
        };
        if let Some(output) = output {
            let value = shown.data(output);
            shown.push(Block::Result(value));
        }
        if truncated == Some("true") {
            shown.push(Block::Note(cut_words(output, count(full))));
        }
        let known = [
            "tool_call_id",
            "id",
            "tool_name",
            "name",
            "tool_args",
            "args",
            "input",
            "output",
            "content",
            "result",
            "truncated",
            "full_length",
            "error_message",
            "step_type",
        ];
        rest(&mut shown, &record.text, &known);
    }
    if event.event.status == Status::NoResult {
        out.blocks.push(Block::Note("The output of this call is not in the file".to_owned()));
    }
}

/// How much of an output the producer kept.
fn cut_words(output: Option<&str>, full: Option<u64>) -> String {
    let kept = text(output).map_or(0, |text| text.chars().count() as u64);
    match full {
        Some(full) => format!(
            "Showing {} of {} characters: the producer cut the rest",
            grouped(kept),
            grouped(full)
        ),
        None => "The producer cut the rest".to_owned(),
    }
}

/// A number with commas between its thousands, as the producer's page writes it.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
