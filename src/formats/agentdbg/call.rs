//! What the payload of an event says: name, status, arguments, result, usage, summary.

use std::borrow::Cow;

use crate::formats::fields::{fields, given, text, word};
use crate::formats::shapes::openai::gist;
use crate::formats::shapes::tokens::Flavour;
use crate::json::Json;
use crate::model::{EventKind, Status, Usage};

/// What the producer puts in place of a value whose key looks secret.
pub const REDACTED: &str = "__REDACTED__";

/// What the payload of an event says, borrowed.
pub struct Call<'a> {
    /// The tool, the model, the type of an error, a pattern, or the event's own name.
    pub name: Cow<'a, str>,
    /// How it came out.
    pub status: Status,
    /// The type of the error, or empty.
    pub error: Cow<'a, str>,
    /// Raw arguments, or the raw prompt.
    pub args: Option<Json<'a>>,
    /// Raw result, or the raw response.
    pub result: Option<Json<'a>>,
    /// Token counts.
    pub usage: Option<Usage>,
    /// The raw value that says most on one line.
    pub summary: Option<&'a str>,
}

impl<'a> Call<'a> {
    /// Reads the payload of an event.
    #[must_use]
    pub fn read(
        kind: EventKind,
        payload: Json<'a>,
        name: Option<Json<'a>>,
        handoff: Option<&'a str>,
    ) -> Self {
        let mut call = Self {
            name: text(name).unwrap_or_default(),
            status: Status::Unknown,
            error: Cow::Borrowed(""),
            args: None,
            result: None,
            usage: None,
            summary: None,
        };
        match kind {
            EventKind::LlmCall => call.llm_call(payload),
            EventKind::ToolCall => call.tool_call(payload, handoff),
            EventKind::State => {
                let [state, diff] = fields(payload, ["state", "diff"]).unwrap_or_default();
                call.summary = given(state).or(given(diff)).map(Json::raw);
            }
            EventKind::Error => {
                let [kind, message] =
                    fields(payload, ["error_type", "message"]).unwrap_or_default();
                if let Some(kind) = word(kind) {
                    call.name = kind;
                }
                call.error = call.name.clone();
                call.status = Status::Error;
                call.summary = given(message).map(Json::raw);
            }
            EventKind::LoopWarning => {
                let [pattern] = fields(payload, ["pattern"]).unwrap_or_default();
                // `name` is the pattern cut to 79 characters.
                if let Some(pattern) = word(pattern) {
                    call.name = pattern;
                }
                call.summary = given(pattern).map(Json::raw);
            }
            EventKind::RunStart => {
                let [argv, name] = fields(payload, ["argv", "run_name"]).unwrap_or_default();
                call.summary = given(argv).or(given(name)).map(Json::raw);
            }
            EventKind::RunEnd => {
                // The run's own status says how it came out: a run that ended in an error is not
                // one more error.
                let [status, summary] = fields(payload, ["status", "summary"]).unwrap_or_default();
                call.name = word(status).unwrap_or_default();
                call.summary = given(summary).or(given(status)).map(Json::raw);
            }
            _ => {}
        }
        call
    }

    fn llm_call(&mut self, payload: Json<'a>) {
        let keys = ["model", "prompt", "response", "usage", "status", "error"];
        let [model, prompt, response, usage, status, error] =
            fields(payload, keys).unwrap_or_default();
        if let Some(model) = text(model) {
            self.name = model;
        }
        self.args = given(prompt);
        self.result = given(response);
        self.usage = given(usage).map(|usage| read_usage(usage));
        self.failure(status, error);
        let message = given(error).and_then(|error| error_message(error.raw()));
        // Of a call that failed the reader wants to know why, not what was asked.
        let response = given(response).map(gist);
        self.summary = response.or(message).or(given(prompt).map(Json::raw));
    }

    fn tool_call(&mut self, payload: Json<'a>, handoff: Option<&'a str>) {
        let keys = ["tool_name", "args", "result", "status", "error"];
        let [name, args, result, status, error] = fields(payload, keys).unwrap_or_default();
        if let Some(name) = text(name) {
            self.name = name;
        }
        self.args = given(args);
        self.failure(status, error);
        // A null is a result where the call went well: the tool returned nothing.
        self.result = result.filter(|it| it.is_given() || self.status == Status::Ok);
        let message = given(error).and_then(|error| error_message(error.raw()));
        let args = self.args.map(Json::raw);
        self.summary = handoff
            .or(args.filter(|raw| *raw != "{}"))
            .or(given(result).map(Json::raw))
            .or(message)
            .or(args);
    }

    fn failure(&mut self, status: Option<Json<'a>>, error: Option<Json<'a>>) {
        let error = given(error).map(Json::raw);
        let error = error.filter(|raw| !matches!(*raw, "\"\"" | "{}" | "false"));
        self.status = match (text(status).as_deref(), error) {
            (Some("error"), _) | (_, Some(_)) => Status::Error,
            (Some("ok"), None) => Status::Ok,
            _ => Status::Unknown,
        };
        if let Some(error) = error {
            self.error = error_name(error);
        }
    }
}

/// The type of an error: `error_type` of an object, or what stands before the colon in a string such
/// as `ValueError: no such file`. Empty where there is none.
#[must_use]
pub fn error_name(raw: &str) -> Cow<'_, str> {
    if let Some([kind]) = fields(raw, ["error_type"]) {
        return word(kind).unwrap_or_default();
    }
    let is_name = |name: &str| {
        !name.is_empty()
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'))
    };
    let text = text(Some(raw)).unwrap_or_default();
    match text.split_once(':') {
        Some((name, _)) if is_name(name) => name.to_owned().into(),
        _ => Cow::Borrowed(""),
    }
}

/// The raw message of an error.
#[must_use]
pub fn error_message(raw: &str) -> Option<&str> {
    match fields(raw, ["message"]) {
        Some([message]) => given(message),
        None => Some(raw),
    }
}

/// The kind of an event type; a type that the specification does not have is a record.
#[must_use]
pub fn kind_of(event_type: &str) -> EventKind {
    match event_type {
        "RUN_START" => EventKind::RunStart,
        "RUN_END" => EventKind::RunEnd,
        "LLM_CALL" => EventKind::LlmCall,
        "TOOL_CALL" => EventKind::ToolCall,
        "STATE_UPDATE" => EventKind::State,
        "ERROR" => EventKind::Error,
        "LOOP_WARNING" => EventKind::LoopWarning,
        _ => EventKind::Record,
    }
}

/// Token counts under the names of any API. A count that the producer's redaction has eaten (its keys contain
/// "token") is a string: unknown, and marked.
#[must_use]
pub fn read_usage(counts: Json<'_>) -> Usage {
    let is_redacted = |value: Json<'_>| value.text().as_deref() == Some(REDACTED);
    let redacted = is_redacted(counts) || counts.members().any(|(_, count)| is_redacted(count));
    Usage { redacted, ..Flavour::of(counts).read(counts) }
}
