//! Format-independent events: what happened, by whom, when, with which arguments, result and text.
//! Built one at a time from an event's columns and the blocks that its format provides
//! ([`Detail`]).

use std::cell::{Cell, OnceCell};

use crate::render::values::{ReadError, ReadSpan, read_through};
use traceloupe_core::json::{Keep, Repaired, Shortener, decode_string, is_strict, repair};
use traceloupe_core::model::{
    Block, BlockRole, CallOutcome, Content, Detail, Event, EventId, EventKind, Message, Role, Side,
    Span, Trace, Usage, Value,
};
use traceloupe_words::{error_label, event_note};

use traceloupe_core::json::text::{compact, quoted};

/// Values longer than this are shortened and counted in [`Omitted::cut_values`].
const MAX_VALUE_BYTES: u32 = 4 << 20;

/// How much of a longer value is kept.
const KEEP: Keep = Keep {
    string_bytes: 1 << 20,
    items: usize::MAX,
    list_bytes: 4 << 20,
    all_items: usize::MAX,
    all_bytes: 4 << 20,
    depth: 1_000,
};

/// A format-independent event.
#[derive(Clone, PartialEq, Debug)]
pub struct NormalEvent {
    /// Its id in the trace.
    pub id: EventId,
    /// Its kind.
    pub kind: EventKind,
    /// The tool, the model, or a label; may be empty.
    pub name: String,
    /// The agent's name, or the producer's id of it; empty for the main agent.
    pub agent: String,
    /// The lane: events of the same agent share one.
    pub lane: usize,
    /// The producer's own id of the event.
    pub native_id: Option<String>,
    /// Its outcome.
    pub status: CallOutcome,
    /// Type of the error, or empty.
    pub error: String,
    /// The error message, as JSON.
    pub error_message: Option<String>,
    /// Start, in nanoseconds since 1970.
    pub start_ns: Option<i64>,
    /// Duration in nanoseconds.
    pub duration_ns: Option<i64>,
    /// Token usage.
    pub usage: Option<Usage>,
    /// Arguments of a tool call, as JSON.
    pub arguments: Option<String>,
    /// Result of a tool call, as JSON.
    pub result: Option<String>,
    /// Its text; for an LLM call, the text of the answer.
    pub text: Option<String>,
    /// The model's thinking.
    pub thinking: Option<String>,
    /// Tool calls requested by a message of the model: name, arguments as JSON.
    pub tool_calls: Vec<(String, String)>,
    /// Messages that are new in the request of an LLM call, without the model's own: role, text.
    pub inputs: Vec<(String, String)>,
}

/// Counts of what could not be exported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Omitted {
    /// Values that were too long and were shortened.
    pub cut_values: u64,
    /// Images.
    pub images: u64,
}

/// Reads the values of events and counts what is omitted.
pub struct Values<'a> {
    read: ReadSpan<'a>,
    omitted: Cell<Omitted>,
    error: OnceCell<ReadError>,
}

impl std::fmt::Debug for Values<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Values").field("omitted", &self.omitted).finish_non_exhaustive()
    }
}

impl<'a> Values<'a> {
    /// Creates a reader of values on top of `read`.
    #[must_use]
    pub fn new(read: ReadSpan<'a>) -> Self {
        Self { read, omitted: Cell::default(), error: OnceCell::new() }
    }

    /// What could not be exported so far.
    #[must_use]
    pub fn omitted(&self) -> Omitted {
        self.omitted.get()
    }

    /// The first failed read. Anything produced from values after it must be discarded.
    #[must_use]
    pub fn error(&self) -> Option<ReadError> {
        self.error.get().cloned()
    }

    /// A value as compact strict JSON.
    #[must_use]
    pub fn json(&self, value: &Value) -> String {
        match value {
            Value::Json(span) => compact(&self.bytes(*span)),
            Value::JsonInString(span) => {
                let raw = self.bytes(*span);
                let inner = decode_string(&raw);
                if is_strict(&inner) { compact(&inner) } else { compact(&raw) }
            }
            Value::Escaped(span) => {
                let inner = decode_string(&format!("\"{}\"", self.escaped(*span))).into_owned();
                compact(&inner)
            }
            Value::Text(text) => quoted(text),
            Value::OwnedJson(json) => compact(json),
        }
    }

    /// A value as text: the contents of a string, or anything else as JSON.
    #[must_use]
    pub fn text(&self, value: &Value) -> String {
        let json = self.json(value);
        if json.starts_with('"') { decode_string(&json).into_owned() } else { json }
    }

    /// The raw bytes of a value inside a JSON string.
    fn escaped(&self, span: Span) -> String {
        let len = span.len.min(MAX_VALUE_BYTES);
        let bytes = (self.read)(Span { len, ..span }).unwrap_or_else(|error| {
            let _ = self.error.set(error);
            Vec::new()
        });
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn bytes(&self, span: Span) -> String {
        let bytes = match self.read_value(span) {
            Ok(bytes) => bytes,
            Err(error) => {
                let _ = self.error.set(error);
                Vec::new()
            }
        };
        match repair(&bytes) {
            Repaired::Good { text, .. } => text.into_owned(),
            _ => String::from_utf8_lossy(&bytes).into_owned(),
        }
    }

    fn read_value(&self, span: Span) -> Result<Vec<u8>, ReadError> {
        if span.len <= MAX_VALUE_BYTES {
            return (self.read)(span);
        }
        let omitted = self.omitted.get();
        self.omitted.set(Omitted { cut_values: omitted.cut_values + 1, ..omitted });
        let mut shortener = Shortener::new(KEEP);
        read_through(span, &mut shortener, self.read)?;
        Ok(shortener.finish().text)
    }

    fn skip_image(&self) {
        let omitted = self.omitted.get();
        self.omitted.set(Omitted { images: omitted.images + 1, ..omitted });
    }
}

/// Builds the event from its columns and the blocks that its format provides.
#[must_use]
pub fn normal_event(
    trace: &Trace,
    id: EventId,
    event: &Event,
    detail: &Detail,
    values: &Values<'_>,
) -> NormalEvent {
    let lane = trace.lane(event.lane);
    let agent = lane.map_or("", |lane| match trace.name(lane.name) {
        "" => &lane.key,
        name if lane.parent.is_some() || !lane.key.is_empty() => name,
        _ => "",
    });
    let mut normal = NormalEvent {
        id,
        kind: event.kind,
        name: trace.name(event.name).to_owned(),
        agent: agent.to_owned(),
        lane: event.lane.index(),
        native_id: detail.native_id.clone().filter(|id| !id.is_empty()),
        status: event.status,
        // An exit code in the output does not mean that the call failed.
        error: if event.kind != EventKind::ToolCall || event.is_error() {
            error_label(trace.error(event.error)).into_owned()
        } else {
            String::new()
        },
        error_message: None,
        start_ns: event.start.get(),
        duration_ns: event.duration.get(),
        usage: trace.usage(event),
        arguments: None,
        result: None,
        text: None,
        thinking: None,
        tool_calls: Vec::new(),
        inputs: Vec::new(),
    };
    detail.blocks.iter().for_each(|block| normal.take(block, values));
    normal.fall_back(trace, event, detail, values);
    normal
}

/// Whether the text of a block was sent to the model. Other text is the model's output.
fn is_input(role: Role) -> bool {
    role.side() == Side::Input
}

impl NormalEvent {
    fn take(&mut self, block: &Block, values: &Values<'_>) {
        let is_call = self.kind == EventKind::LlmCall;
        match block {
            Block::Arguments(value) if self.arguments.is_none() => {
                self.arguments = Some(values.json(value));
            }
            Block::Result(value) => self.add_result(values.json(value)),
            Block::Log(_, value) if self.kind == EventKind::ToolCall => {
                self.add_result(values.json(value));
            }
            Block::ToolUse(name, value) if is_call => {
                self.tool_calls.push((name.clone(), values.json(value)));
            }
            Block::Error { kind, message, .. } => {
                if self.error.is_empty() {
                    self.error = error_label(kind.as_str()).into_owned();
                }
                if self.error_message.is_none() {
                    self.error_message = message.as_ref().map(|it| values.json(it));
                }
            }
            Block::Thinking(value) => add(&mut self.thinking, &values.text(value)),
            Block::Text(role, value) if is_call && is_input(*role) => {
                let role = if *role == BlockRole::Prompt { "user" } else { "system" };
                self.inputs.push((role.to_owned(), values.text(value)));
            }
            Block::Text(_, value) if self.kind != EventKind::ToolCall => {
                add(&mut self.text, &values.text(value));
            }
            Block::Fields(BlockRole::ToolCalls, fields) => {
                // The label of a call is the tool's name.
                let calls = fields
                    .iter()
                    .filter_map(|it| Some((it.label.key()?.to_owned(), values.json(&it.value))));
                self.tool_calls.extend(calls);
            }
            Block::Messages(role, messages, n_before) if is_call && is_input(*role) => {
                for message in messages.iter().skip(*n_before) {
                    if !matches!(message.role.as_str(), "assistant" | "tool" | "function" | "model")
                    {
                        let text = words(message, values);
                        self.inputs.extend(text.map(|text| (message.role.clone(), text)));
                    }
                }
            }
            Block::Messages(_, messages, _) => {
                messages.iter().for_each(|message| self.take_message(message, values));
            }
            Block::Media(..) => values.skip_image(),
            _ => {}
        }
    }

    /// Adds a result. Several results, such as the parts of one, are joined as lines of text.
    fn add_result(&mut self, result: String) {
        let plain = |json: &str| match json.starts_with('"') {
            true => decode_string(json).into_owned(),
            false => json.to_owned(),
        };
        self.result = Some(match self.result.take() {
            Some(known) => quoted(&format!("{}\n{}", plain(&known), plain(&result))),
            None => result,
        });
    }

    fn take_message(&mut self, message: &Message, values: &Values<'_>) {
        for content in &message.content {
            match content {
                Content::Text(value) | Content::Other(value) => {
                    add(&mut self.text, &values.text(value));
                }
                Content::Note(note) => add(&mut self.text, &event_note(*note)),
                Content::Thinking(value) => add(&mut self.thinking, &values.text(value)),
                Content::ToolUse(name, value) => {
                    self.tool_calls.push((name.clone(), values.json(value)));
                }
                Content::Media(..) => values.skip_image(),
                Content::HiddenThinking | Content::ToolResult(_) => {}
            }
        }
    }

    /// Used if the blocks contained no text. Falls back to the answer at the end of a conversation, JSON in a block for
    /// the answer, or the value that the summary is made from.
    fn fall_back(&mut self, trace: &Trace, event: &Event, detail: &Detail, values: &Values<'_>) {
        let is_talk = matches!(
            self.kind,
            EventKind::UserMessage | EventKind::SystemMessage | EventKind::LlmCall
        );
        let is_told = self.text.is_some() || self.thinking.is_some() || !self.tool_calls.is_empty();
        if !is_talk || is_told {
            return;
        }
        if self.kind == EventKind::LlmCall {
            for block in &detail.blocks {
                match block {
                    Block::Messages(_, messages, _) => {
                        let last = messages.last().filter(|it| it.role == "assistant");
                        last.into_iter().for_each(|last| self.take_message(last, values));
                    }
                    Block::Json(
                        BlockRole::Response
                        | BlockRole::Output
                        | BlockRole::Answer
                        | BlockRole::Content,
                        value,
                    ) => {
                        add(&mut self.text, &values.text(value));
                    }
                    _ => {}
                }
            }
        }
        if self.text.is_none() && self.tool_calls.is_empty() {
            let span = trace.summary_span(event);
            let summary = span.map(|span| values.json(&Value::Json(span)));
            self.text =
                summary.filter(|it| it.starts_with('"')).map(|it| decode_string(&it).into_owned());
        }
    }

    /// End, in nanoseconds since 1970, if start and duration are known.
    #[must_use]
    pub fn end_ns(&self) -> Option<i64> {
        self.start_ns?.checked_add(self.duration_ns?)
    }

    /// What a tool call returned, as JSON: its result or its error message.
    #[must_use]
    pub fn outcome(&self) -> Option<&str> {
        self.result.as_deref().or(self.error_message.as_deref())
    }

    /// The word for its outcome, if it failed or was stopped.
    #[must_use]
    pub fn status_word(&self) -> Option<&'static str> {
        let is_told = self.status.is_error() || self.status.is_stopped();
        is_told.then(|| self.status.group().word())
    }

    /// Whether it failed.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.status.is_error() || self.kind == EventKind::Error
    }
}

fn words(message: &Message, values: &Values<'_>) -> Option<String> {
    let mut text = None;
    for content in &message.content {
        match content {
            Content::Text(value) | Content::Other(value) => add(&mut text, &values.text(value)),
            Content::Note(note) => add(&mut text, &event_note(*note)),
            Content::Media(..) => values.skip_image(),
            _ => {}
        }
    }
    text
}

/// Appends text on a line of its own.
fn add(to: &mut Option<String>, words: &str) {
    match to {
        Some(text) => {
            text.push('\n');
            text.push_str(words);
        }
        None => *to = Some(words.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_core::model::{ErrorLabel, Field, NewEvent, Place, SourceId, TraceBuilder};

    fn event_of(kind: EventKind, blocks: Vec<Block>) -> NormalEvent {
        let mut out = TraceBuilder::new();
        let run = out.run("x", "r");
        let lane = out.lane(run, "");
        let span = Span { source: SourceId::from_index(0), start: 0, len: 1 };
        let id = out.push(NewEvent { kind, run, lane, place: Place { span, line: 1 } });
        let trace = out.finish();
        let detail = Detail { blocks, native_id: Some(String::new()) };
        let values = Values::new(&|_| Ok(Vec::new()));
        normal_event(&trace, id, trace.event(id).unwrap(), &detail, &values)
    }

    fn owned(text: &str) -> Value {
        Value::Text(text.to_owned())
    }

    fn message(role: &str, text: &str) -> Message {
        let content = vec![Content::Text(owned(text))];
        Message { role: role.to_owned(), name: String::new(), content }
    }

    #[test]
    fn model_output_is_kept_apart_from_its_input() {
        let calls = Field { label: "ls".into(), value: Value::OwnedJson("{ }".to_owned()) };
        let event = event_of(
            EventKind::LlmCall,
            vec![
                Block::Messages(
                    BlockRole::Messages,
                    vec![
                        message("system", "old"),
                        message("user", "new"),
                        message("assistant", "x"),
                    ],
                    1,
                ),
                Block::Thinking(owned("hm")),
                Block::Text(BlockRole::Response, owned("a")),
                Block::Text(BlockRole::Text, owned("b")),
                Block::Fields(BlockRole::ToolCalls, vec![calls]),
            ],
        );
        assert_eq!(event.text.as_deref(), Some("a\nb"));
        assert_eq!(event.thinking.as_deref(), Some("hm"));
        assert_eq!(event.inputs, [("user".to_owned(), "new".to_owned())]);
        assert_eq!(event.tool_calls, [("ls".to_owned(), "{}".to_owned())]);
        assert_eq!(event.native_id, None);
    }

    #[test]
    fn calls_that_were_asked_for_and_all_parts_of_a_result_are_kept() {
        let call = Block::ToolUse("ls".to_owned(), Value::OwnedJson("{}".to_owned()));
        let event = event_of(EventKind::LlmCall, vec![call]);
        assert_eq!(event.tool_calls, [("ls".to_owned(), "{}".to_owned())]);
        let parts = vec![
            Block::Result(owned("a")),
            Block::Result(Value::OwnedJson("[1]".to_owned())),
            Block::Log(BlockRole::Named("CLI output"), owned("b")),
        ];
        let event = event_of(EventKind::ToolCall, parts);
        assert_eq!(event.result.as_deref(), Some(r#""a\n[1]\nb""#));
    }

    #[test]
    fn the_last_message_of_a_conversation_is_the_answer_where_nothing_else_is() {
        let messages = vec![message("user", "q"), message("assistant", "answer")];
        let event =
            event_of(EventKind::LlmCall, vec![Block::Messages(BlockRole::Messages, messages, 0)]);
        assert_eq!(event.text.as_deref(), Some("answer"));
        let json = Block::Json(BlockRole::Response, Value::OwnedJson("{ \"a\": 1 }".to_owned()));
        assert_eq!(event_of(EventKind::LlmCall, vec![json]).text.as_deref(), Some("{\"a\":1}"));
    }

    #[test]
    fn a_failed_call_has_its_error_as_its_outcome() {
        let error = Block::Error {
            kind: ErrorLabel::Type("ENOENT".to_owned()),
            message: Some(owned("no such file")),
            stack: None,
        };
        let arguments = Block::Arguments(Value::OwnedJson("{\"a\": NaN}".to_owned()));
        let event = event_of(EventKind::ToolCall, vec![error, arguments]);
        assert_eq!(event.error, "ENOENT");
        assert_eq!(event.outcome(), Some("\"no such file\""));
        assert_eq!(event.arguments.as_deref(), Some("{\"a\":\"NaN\"}"));
        assert_eq!(event.text, None);
    }

    #[test]
    fn a_long_value_is_written_short_and_counted() {
        let long = format!("\"{}\"", "a".repeat(5 << 20));
        let read = |span: Span| {
            let start = usize::try_from(span.start).unwrap();
            Ok(long.as_bytes()[start..start + span.len as usize].to_vec())
        };
        let values = Values::new(&read);
        let len = u32::try_from(long.len()).unwrap();
        let span = Span { source: SourceId::from_index(0), start: 0, len };
        let json = values.json(&Value::Json(span));
        assert!(is_strict(&json) && json.len() > 1 << 20 && json.len() < 2 << 20);
        assert_eq!(values.omitted().cut_values, 1);
    }
}
