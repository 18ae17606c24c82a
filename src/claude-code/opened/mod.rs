//! The lazy pass: what an opened row shows.

mod tool;

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use crate::blocks::{Block as Part, BlockKind, Message, contents};
use crate::tolerant::Raw;
use crate::wire::{ApiError, Attachment, Envelope, Progress};
use traceloupe_core::model::{
    Block, BlockRole, Content, Detail, ErrorLabel, EventKind, FactKind, Field, Role, Span, Value,
    key_hash,
};
use traceloupe_engine::{EventRecords, RecordText};

/// A record of the opened event; if it was inside a progress record, it is already unwrapped.
pub(super) struct Opened<'a> {
    pub(super) text: &'a RecordText,
    pub(super) env: Envelope<'a>,
    pub(super) kind: Cow<'a, str>,
    pub(super) uuid: Cow<'a, str>,
    pub(super) message: Message<'a>,
    request_id: Raw<'a>,
    pub(super) tool_use_result: Raw<'a>,
}

impl<'a> Opened<'a> {
    fn new(text: &'a RecordText) -> Option<Self> {
        let env: Envelope<'a> = serde_json::from_str(&text.text).ok()?;
        let progress: Progress<'a> = env.data.object();
        let inner = progress.message;
        let is_inner = inner.message.content.is_some() && progress.agent_id.is_some();
        Some(Self {
            text,
            env,
            kind: if is_inner { inner.kind } else { env.kind }.text().unwrap_or_default(),
            uuid: if is_inner { inner.uuid } else { env.uuid }.text().unwrap_or_default(),
            message: if is_inner { inner.message } else { env.message },
            request_id: if is_inner { inner.request_id } else { env.request_id },
            tool_use_result: if is_inner { inner.tool_use_result } else { env.tool_use_result },
        })
    }

    /// The place of a value of this record.
    pub(super) fn span(&self, json: &str) -> Option<Span> {
        self.text.span_of(json)
    }

    /// A value of this record, for display.
    pub(super) fn value(&self, raw: Raw<'_>) -> Option<Value> {
        raw.json().and_then(|json| self.span(json)).map(Value::Json)
    }

    /// The blocks of the message.
    pub(super) fn parts(&self) -> Vec<Part<'a>> {
        crate::blocks::blocks(self.message.content)
    }

    fn contents(&self) -> Vec<Content> {
        contents(self.message.content, |json| self.span(json))
    }
}

pub(super) fn detail(event: &EventRecords<'_>, out: &mut Detail) {
    let mut seen = FxHashSet::default();
    let opened: Vec<Opened<'_>> = event
        .records
        .iter()
        .filter_map(Opened::new)
        .filter(|record| {
            // A resumed session has the record again.
            record.uuid.is_empty() || seen.insert(key_hash(&[&record.uuid]))
        })
        .collect();
    out.native_id = opened
        .iter()
        .map(|record| &record.uuid)
        .find(|uuid| !uuid.is_empty() && key_hash(&[uuid]) == event.event.id_hash)
        .map(|uuid| uuid.clone().into_owned());
    match event.event.kind {
        EventKind::LlmCall => llm_call(&opened, out),
        EventKind::ToolCall => tool::tool_call(event, &opened, out),
        EventKind::UserMessage | EventKind::SystemMessage | EventKind::Compaction => {
            opened.iter().for_each(|record| said(record, out));
        }
        EventKind::Error => opened.iter().for_each(|record| error(record, out)),
        _ => opened.iter().for_each(|record| note(record, out)),
    }
    if out.blocks.is_empty() {
        let records = event.records.iter().map(|record| Value::Json(record.place.span));
        out.blocks.extend(records.map(|record| Block::Json(BlockRole::Record, record)));
    }
}

fn llm_call(records: &[Opened<'_>], out: &mut Detail) {
    let mut tool_calls = Vec::new();
    for piece in records.iter().flat_map(Opened::contents) {
        match piece {
            Content::Text(value) => out.blocks.push(Block::Text(BlockRole::Text, value)),
            Content::Thinking(value) => out.blocks.push(Block::Thinking(value)),
            Content::HiddenThinking => out.blocks.push(Block::HiddenThinking),
            Content::ToolUse(name, value) => {
                tool_calls.push(Field { label: FactKind::Other(name), value });
            }
            Content::Media(media, span) => out.blocks.push(Block::Media(media, span)),
            Content::ToolResult(value) => {
                out.blocks.push(Block::Json(BlockRole::Named("Tool result"), value))
            }
            Content::Note(it) => out.blocks.push(Block::Note(it)),
            Content::Other(value) => out.blocks.push(Block::Json(BlockRole::Content, value)),
        }
    }
    if !tool_calls.is_empty() {
        out.blocks.push(Block::Fields(BlockRole::ToolCalls, tool_calls));
    }
    // The last record has the final count of tokens and the stop reason.
    let last = |get: fn(&Opened<'_>) -> Option<Value>| records.iter().rev().find_map(get);
    let fields = [
        (FactKind::Model, last(|it| it.value(it.message.model))),
        (FactKind::Other("Stop reason"), last(|it| it.value(it.message.stop_reason))),
        (FactKind::Amount("Usage"), last(|it| it.value(it.message.usage))),
        (FactKind::Cost, last(|it| it.value(it.env.cost_usd))),
        (FactKind::Own("Message"), last(|it| it.value(it.message.id))),
        (FactKind::Own("Request"), last(|it| it.value(it.request_id))),
    ];
    push_fields(BlockRole::Response, fields, out);
}

fn said(record: &Opened<'_>, out: &mut Detail) {
    let mut pieces = record.contents();
    if record.kind == "attachment" {
        let attachment: Attachment<'_> = record.env.attachment.object();
        pieces = contents(attachment.prompt, |json| record.span(json));
    } else if record.env.content.is_some() {
        pieces.extend(record.value(record.env.content).map(Content::Text));
    }
    let is_empty = pieces.is_empty();
    for piece in pieces {
        match piece {
            Content::Text(value) => out.blocks.push(Block::Text(BlockRole::Message, value)),
            Content::Media(media, span) => out.blocks.push(Block::Media(media, span)),
            // A result beside the message has a row of its own.
            Content::ToolResult(_) => {}
            Content::Thinking(value) => out.blocks.push(Block::Thinking(value)),
            Content::HiddenThinking => out.blocks.push(Block::HiddenThinking),
            Content::Note(it) => out.blocks.push(Block::Note(it)),
            Content::ToolUse(_, value) | Content::Other(value) => {
                out.blocks.push(Block::Json(BlockRole::Content, value));
            }
        }
    }
    if is_empty || record.kind == "system" {
        note(record, out);
    }
}

fn error(record: &Opened<'_>, out: &mut Detail) {
    let class = ErrorLabel::from(ApiError::class(record.env.error).unwrap_or_default());
    let class = class.map(Cow::into_owned);
    let words = record
        .parts()
        .into_iter()
        .find(|part| part.kind() == BlockKind::Text && part.text.is_some())
        .map_or_else(|| ApiError::message(record.env.error), |part| part.text);
    out.blocks.push(Block::Error { kind: class, message: record.value(words), stack: None });
    note(record, out);
}

fn note(record: &Opened<'_>, out: &mut Detail) {
    out.blocks.push(Block::Json(BlockRole::Record, Value::Json(record.text.place.span)));
}

/// Adds the fields that are present, under a title.
pub(super) fn push_fields<const N: usize>(
    title: Role,
    fields: [(FactKind<&str>, Option<Value>); N],
    out: &mut Detail,
) {
    let fields: Vec<Field> = fields
        .into_iter()
        .filter_map(|(label, value)| Some(Field { label: label.to_owned(), value: value? }))
        .collect();
    if !fields.is_empty() {
        out.blocks.push(Block::Fields(title, fields));
    }
}
