//! What an opened row shows: the blocks that a format named, with their values read from the source
//! and cut to what a page can hold.

use serde::{Deserialize, Serialize};

use super::json_lines::{JsonLine, Limits, json_lines};
use crate::json::{TokenKind, Tokens, decode_string, decode_string_bytes};
use crate::model::{Block, Content, Detail, Field, Message, SourceId, Span, Value};

/// Reads bytes of a source; fewer than asked for where the source ends or cannot be read.
pub type ReadSpan<'a> = &'a dyn Fn(Span) -> Vec<u8>;

/// An opened row.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ShownDetail {
    /// Id of the event.
    pub id: u32,
    /// A link to the event, as `sel=` takes it.
    pub sel: String,
    /// What is shown.
    pub blocks: Vec<ShownBlock>,
    /// The records, for the raw text.
    pub records: Vec<ShownRecord>,
}

/// Where a record stands.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ShownRecord {
    /// Index of the source.
    pub source: u32,
    /// Line of its first byte, from 1.
    pub line: u32,
    /// Its first byte.
    pub start: u64,
    /// Its length in bytes.
    pub len: u32,
}

/// A value, ready to be shown.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum Shown {
    /// Text, with line breaks.
    Text(String, Option<Cut>),
    /// JSON in lines.
    Json(Vec<JsonLine>, Option<Cut>),
}

/// What was left out of a value, and how to ask for more of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Cut {
    /// Index of the source.
    pub source: u32,
    /// First byte of the whole value.
    pub start: u64,
    /// Length of the whole value in bytes.
    pub len: u32,
    /// How the value is read.
    pub form: Form,
    /// How many bytes of it are shown.
    pub shown_bytes: u32,
}

/// How the bytes of a value are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Form {
    /// A JSON value; a string is shown as text.
    Json,
    /// A JSON string that holds JSON.
    JsonInString,
    /// Bytes as they are.
    Raw,
}

/// A message, ready to be shown.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ShownMessage {
    /// The role.
    pub role: String,
    /// A name, or empty.
    pub name: String,
    /// Its pieces.
    pub content: Vec<ShownBlock>,
}

/// A block, ready to be shown.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum ShownBlock {
    /// Labelled values in two columns.
    Table(String, Vec<(String, Shown)>),
    /// A value under a title; the word says what it is, for its looks: `result`, `text`, `json`,
    /// `thinking`, `tool-use`.
    Value(String, String, Shown),
    /// Messages: title, those seen before in this conversation, the new ones.
    Messages(String, Vec<ShownMessage>, Vec<ShownMessage>),
    /// An error: type, message, stack.
    Error(String, Option<Shown>, Option<Shown>),
    /// An image: media type, its base64 text (empty where it is too large to be shown), bytes.
    Image(String, String, u64),
    /// A sentence.
    Note(String),
    /// A difference in lines: `+`, `-` or space, and the line.
    Diff(String, Vec<(char, String)>),
}

/// How many bytes of a text come at once.
pub const TEXT_BYTES: u32 = 32 * 1024;

/// How many bytes of a JSON value are looked at at once.
const JSON_BYTES: u32 = 256 * 1024;

/// Larger images are named, not shown.
const MAX_IMAGE_BYTES: u32 = 24 * 1024 * 1024;

/// More rows than this make a table unreadable: the rest is in the raw text.
const MAX_TABLE_ROWS: usize = 200;

/// How many messages come with an opened row.
const MAX_MESSAGES: usize = 300;

/// Image types that a page may show; everything else (SVG above all) is named only.
const IMAGE_TYPES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// Makes the blocks of an opened row.
#[must_use]
pub fn show(detail: &Detail, read: ReadSpan<'_>) -> Vec<ShownBlock> {
    detail.blocks.iter().map(|block| show_block(block, read)).collect()
}

fn show_block(block: &Block, read: ReadSpan<'_>) -> ShownBlock {
    let value = |title: &str, word: &str, value: &Value| {
        ShownBlock::Value(title.to_owned(), word.to_owned(), show_value(value, read))
    };
    match block {
        Block::Fields(title, fields) => {
            ShownBlock::Table((*title).to_owned(), show_fields(fields, read))
        }
        Block::Arguments(it) => match table(it, read) {
            Some(rows) => ShownBlock::Table("Arguments".to_owned(), rows),
            None => value("Arguments", "json", it),
        },
        Block::Result(it) => value("Result", "result", it),
        Block::Text(title, it) => value(title, "text", it),
        Block::Json(title, it) => value(title, "json", it),
        Block::Thinking(it) => value("Thinking", "thinking", it),
        Block::HiddenThinking => {
            ShownBlock::Note("Thinking, hidden or encrypted by the producer".to_owned())
        }
        Block::Messages(title, messages, n_before) => {
            show_messages(title, messages, *n_before, read)
        }
        Block::Error { kind, message, stack } => ShownBlock::Error(
            kind.clone(),
            message.as_ref().map(|it| show_value(it, read)),
            stack.as_ref().map(|it| show_value(it, read)),
        ),
        Block::Image(media, span) => show_image(media, *span, read),
        Block::Note(text) => ShownBlock::Note(text.clone()),
        Block::Diff(title, old, new) => show_diff(title, old, new, read),
    }
}

fn show_fields(fields: &[Field], read: ReadSpan<'_>) -> Vec<(String, Shown)> {
    fields.iter().map(|field| (field.label.clone(), show_value(&field.value, read))).collect()
}

fn show_messages(
    title: &str,
    messages: &[Message],
    n_before: usize,
    read: ReadSpan<'_>,
) -> ShownBlock {
    let n_before = n_before.min(messages.len());
    let (before, new) = messages.split_at(n_before);
    // Of a very long conversation the latest messages are the ones that matter.
    let latest = |messages: &[Message]| -> Vec<ShownMessage> {
        let skip = messages.len().saturating_sub(MAX_MESSAGES);
        messages.iter().skip(skip).map(|message| show_message(message, read)).collect()
    };
    ShownBlock::Messages(title.to_owned(), latest(before), latest(new))
}

fn show_message(message: &Message, read: ReadSpan<'_>) -> ShownMessage {
    let content = message.content.iter().map(|content| match content {
        Content::Text(it) => {
            ShownBlock::Value(String::new(), "text".to_owned(), show_value(it, read))
        }
        Content::Thinking(it) => show_block(&Block::Thinking(it.clone()), read),
        Content::HiddenThinking => show_block(&Block::HiddenThinking, read),
        Content::ToolUse(name, it) => {
            ShownBlock::Value(name.clone(), "tool-use".to_owned(), show_value(it, read))
        }
        Content::ToolResult(it) => {
            ShownBlock::Value("Result".to_owned(), "result".to_owned(), show_value(it, read))
        }
        Content::Image(media, span) => show_image(media, *span, read),
        Content::Other(it) => {
            ShownBlock::Value(String::new(), "json".to_owned(), show_value(it, read))
        }
    });
    ShownMessage {
        role: message.role.clone(),
        name: message.name.clone(),
        content: content.collect(),
    }
}

fn show_image(media: &str, span: Span, read: ReadSpan<'_>) -> ShownBlock {
    let n_bytes = u64::from(span.len.saturating_sub(2)) * 3 / 4;
    if span.len > MAX_IMAGE_BYTES || !IMAGE_TYPES.contains(&media) {
        return ShownBlock::Image(media.to_owned(), String::new(), n_bytes);
    }
    let bytes = read(span);
    let text = match bytes.first() {
        Some(b'"') => decode_string_bytes(&bytes).into_owned(),
        _ => String::from_utf8_lossy(&bytes).into_owned(),
    };
    // A data address, as some producers write, and the bare base64 text are both taken.
    let base64 = text.rsplit_once("base64,").map_or(text.as_str(), |(_, base64)| base64);
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=-_\r\n".contains(&byte);
    let base64 = if base64.bytes().all(is_base64) { base64.to_owned() } else { String::new() };
    ShownBlock::Image(media.to_owned(), base64, n_bytes)
}

/// Reads a value and makes it ready to be shown.
#[must_use]
pub fn show_value(value: &Value, read: ReadSpan<'_>) -> Shown {
    match value {
        Value::Json(span) => show_span(*span, Form::Json, TEXT_BYTES, read),
        Value::JsonInString(span) => show_span(*span, Form::JsonInString, TEXT_BYTES, read),
        Value::Text(text) => Shown::Text(text.clone(), None),
        Value::OwnedJson(json) => {
            let limits = Limits { max_lines: 2_000, ..Limits::default() };
            Shown::Json(json_lines(json.as_bytes(), limits).lines, None)
        }
    }
}

/// Reads bytes of a source and makes them ready to be shown, about `max_bytes` of them.
#[must_use]
pub fn show_span(span: Span, form: Form, max_bytes: u32, read: ReadSpan<'_>) -> Shown {
    let cut = |shown_bytes: u32| Cut {
        source: u32::try_from(span.source.index()).unwrap_or(u32::MAX),
        start: span.start,
        len: span.len,
        form,
        shown_bytes,
    };
    let look = match form {
        Form::Raw => max_bytes,
        Form::Json | Form::JsonInString => max_bytes.saturating_mul(JSON_BYTES / TEXT_BYTES),
    };
    let bytes = read(Span { len: span.len.min(look), ..span });
    if form == Form::Raw {
        let is_cut = span.len > look;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        return Shown::Text(text, is_cut.then(|| cut(look)));
    }
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    if first == Some(&b'"') {
        return show_string(&bytes, span, form, max_bytes, &cut);
    }
    show_json(&bytes, span.len > look, max_bytes, &cut)
}

fn show_json(bytes: &[u8], is_cut: bool, max_bytes: u32, cut: &dyn Fn(u32) -> Cut) -> Shown {
    let times = usize::try_from(max_bytes / TEXT_BYTES).unwrap_or(1).max(1);
    let limits = Limits::default();
    let limits = Limits {
        max_lines: limits.max_lines.saturating_mul(times),
        max_string_chars: limits.max_string_chars.saturating_mul(times),
    };
    let set = json_lines(bytes, limits);
    let len = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    let stopped = set.stopped_at.or_else(|| is_cut.then_some(len));
    Shown::Json(set.lines, stopped.map(cut))
}

fn show_string(
    bytes: &[u8],
    span: Span,
    form: Form,
    max_bytes: u32,
    cut: &dyn Fn(u32) -> Cut,
) -> Shown {
    if form == Form::JsonInString {
        let inner = decode_string_bytes(bytes);
        let looks_like_json = inner.trim_start().starts_with(['{', '[']);
        if looks_like_json {
            return show_json(
                inner.as_bytes(),
                (bytes.len() as u64) < u64::from(span.len),
                max_bytes,
                cut,
            );
        }
    }
    let shown = bytes.get(..max_bytes as usize).unwrap_or(bytes);
    // A cut inside an escape would leave half of it behind.
    let shown = match shown.iter().rposition(|byte| *byte == b'\\') {
        Some(at) if shown.len() < bytes.len() && shown.len() - at < 12 => {
            shown.get(..at).unwrap_or(shown)
        }
        _ => shown,
    };
    let is_cut = (shown.len() as u64) < u64::from(span.len) && shown.len() < bytes.len()
        || (bytes.len() as u64) < u64::from(span.len);
    let text = decode_string_bytes(shown).into_owned();
    Shown::Text(text, is_cut.then(|| cut(u32::try_from(shown.len()).unwrap_or(u32::MAX))))
}

/// The top level of an object as rows; `None` for anything else.
fn table(value: &Value, read: ReadSpan<'_>) -> Option<Vec<(String, Shown)>> {
    let (bytes, base) = match value {
        Value::Json(span) => (read(Span { len: span.len.min(JSON_BYTES), ..*span }), Some(*span)),
        Value::JsonInString(span) => {
            let raw = read(Span { len: span.len.min(JSON_BYTES), ..*span });
            let text = decode_string(&String::from_utf8_lossy(&raw)).into_owned();
            (text.into_bytes(), None)
        }
        Value::OwnedJson(json) => (json.as_bytes().to_vec(), None),
        Value::Text(_) => return None,
    };
    if base.is_some_and(|span| span.len > JSON_BYTES) {
        return None;
    }
    let mut rows = Vec::new();
    let mut key = None;
    let mut opened = None;
    for (at, token) in Tokens::new(&bytes).enumerate() {
        if at == 0 && token.kind != TokenKind::ObjectStart {
            return None;
        }
        let text = bytes.get(token.start..token.end).unwrap_or_default();
        let range = match (token.kind, token.depth) {
            (TokenKind::Key, 1) => {
                key = Some(decode_string_bytes(text).into_owned());
                continue;
            }
            (TokenKind::ObjectStart | TokenKind::ArrayStart, 1) if at > 0 => {
                opened = Some(token.start);
                continue;
            }
            (TokenKind::ObjectEnd | TokenKind::ArrayEnd, 1) if opened.is_some() => {
                (opened.take().unwrap_or_default(), token.end)
            }
            (_, 1) if opened.is_none() && key.is_some() => (token.start, token.end),
            _ => continue,
        };
        let shown = match base {
            Some(span) => {
                let len = u32::try_from(range.1 - range.0).unwrap_or(u32::MAX);
                let inner = Span { start: span.start + range.0 as u64, len, ..span };
                show_span(inner, Form::Json, TEXT_BYTES, read)
            }
            None => show_owned(bytes.get(range.0..range.1).unwrap_or_default()),
        };
        rows.push((key.take().unwrap_or_default(), shown));
        if rows.len() >= MAX_TABLE_ROWS {
            return None;
        }
    }
    Some(rows)
}

fn show_owned(bytes: &[u8]) -> Shown {
    let nowhere = Span { source: SourceId::from_index(0), start: 0, len: 0 };
    if bytes.first() == Some(&b'"') {
        return Shown::Text(decode_string_bytes(bytes).into_owned(), None);
    }
    match show_json(bytes, false, TEXT_BYTES, &|_| Cut {
        source: 0,
        start: nowhere.start,
        len: 0,
        form: Form::Json,
        shown_bytes: 0,
    }) {
        Shown::Json(lines, _) => Shown::Json(lines, None),
        text @ Shown::Text(..) => text,
    }
}

/// Sets both values in lines and compares them. Bounded by lines, since a difference of two long
/// lists takes time that no one waits for.
fn show_diff(title: &str, old: &Value, new: &Value, read: ReadSpan<'_>) -> ShownBlock {
    let text = |value: &Value| match show_value(value, read) {
        Shown::Text(text, _) => text,
        Shown::Json(lines, _) => super::json_lines::plain(&lines),
    };
    ShownBlock::Diff(title.to_owned(), super::diff::line_diff(&text(old), &text(new)))
}
