//! What an opened row shows of a message or a tool call.

use std::borrow::Cow;

use crate::formats::fields::{fields, given, is_json, items, text, unknown_entries};
use crate::formats::{EventRecords, RecordText};
use crate::model::{Block, Detail, EventKind, Field, Value};

/// Text that is an image: base64 behind this, or a link into Explorer's own storage.
const LOCAL_BASE64: &str = "local_base64_img:";
const STORED: [&str; 2] = ["local_img_link:", "s3_img_link:"];

pub(super) fn detail(event: &EventRecords<'_>, out: &mut Detail) {
    let Some(record) = event.records.first() else { return };
    if event.event.kind == EventKind::ToolCall {
        call(record, out);
        if let Some(output) = event.records.get(1) {
            message(output, "Result", out);
        }
        return;
    }
    if event.event.kind == EventKind::Record {
        json("Record", record, &record.text, out);
        return;
    }
    message(record, "Content", out);
}

fn json(title: &'static str, record: &RecordText, raw: &str, out: &mut Detail) {
    out.blocks.extend(record.span_of(raw).map(|span| Block::Json(title, Value::Json(span))));
}

fn call(record: &RecordText, out: &mut Detail) {
    let [function] = fields(&record.text, ["function"]).unwrap_or_default();
    let own = function.unwrap_or(&record.text);
    let [arguments] = fields(own, ["arguments"]).unwrap_or_default();
    if let Some(raw) = arguments
        && let Some(span) = record.span_of(raw)
    {
        let is_packed = text(Some(raw)).is_some_and(|inner| is_json(&inner));
        let value = if is_packed { Value::JsonInString(span) } else { Value::Json(span) };
        out.blocks.push(Block::Arguments(value));
    } else {
        json("Call", record, &record.text, out);
    }
    let mut rest = match function {
        Some(_) => unknown_entries(&record.text, &["type", "function"]),
        None => Vec::new(),
    };
    rest.extend(unknown_entries(own, &["name", "arguments"]));
    others(record, "Call", rest, out);
}

fn message(record: &RecordText, title: &'static str, out: &mut Detail) {
    let keys = ["content", "tool_calls", "function_call", "reasoning_content", "reasoning"];
    let [content, calls, old_call, thought, reasoning] =
        fields(&record.text, keys).unwrap_or_default();
    let thoughts = [thought, reasoning].into_iter().flatten().filter(|raw| raw.starts_with('"'));
    for span in thoughts.filter_map(|raw| record.span_of(raw)) {
        out.blocks.push(Block::Thinking(Value::Json(span)));
    }
    match given(content) {
        Some(raw) if raw.starts_with('[') => {
            items(raw).into_iter().for_each(|item| part(record, title, item, out));
        }
        Some(raw) if raw.starts_with('"') => words(record, title, raw, out),
        Some(raw) => json(title, record, raw, out),
        None => {}
    }
    let calls = given(calls).map(items).unwrap_or_default();
    let calls: Vec<Field> = calls
        .into_iter()
        .chain(given(old_call))
        .filter_map(|call| {
            let [function] = fields(call, ["function"])?;
            let [name, arguments] = fields(function.unwrap_or(call), ["name", "arguments"])?;
            let value = Value::Json(record.span_of(arguments.unwrap_or(call))?);
            Some(Field { label: text(name).unwrap_or_default().into_owned(), value })
        })
        .collect();
    if !calls.is_empty() {
        out.blocks.push(Block::Fields("Tool calls", calls));
    }
    let mut rest = unknown_entries(&record.text, &["role", "content", "tool_calls"]);
    // What is no text or no call after all stays to be seen.
    rest.retain(|(key, raw)| match key.as_ref() {
        "reasoning_content" | "reasoning" => !raw.starts_with('"'),
        "function_call" => !raw.starts_with('{'),
        _ => true,
    });
    others(record, "Other fields", rest, out);
}

/// A string of a message: words, an image, or a place where an image was.
fn words(record: &RecordText, title: &'static str, raw: &str, out: &mut Detail) {
    let Some(span) = record.span_of(raw) else { return };
    // All of them stand at the beginning: the rest of a long text need not be decoded.
    let beginning = raw.get(1..raw.floor_char_boundary(64)).unwrap_or(raw).trim_start();
    if let Some(base64) = beginning.strip_prefix(LOCAL_BASE64) {
        out.blocks.push(Block::Image(image_type(base64.trim_start()).to_owned(), span));
        return;
    }
    if let Some(media) = beginning.strip_prefix("data:image/") {
        let kind = media.split([';', ',']).next().unwrap_or_default();
        out.blocks.push(Block::Image(format!("image/{kind}"), span));
        return;
    }
    if STORED.iter().any(|link| beginning.starts_with(link)) {
        let note = "An image in the storage of Explorer's server, which is not in this file";
        out.blocks.push(Block::Note(note.to_owned()));
    }
    let value = Value::Json(span);
    out.blocks.push(match title {
        "Result" => Block::Result(value),
        title => Block::Text(title, value),
    });
}

/// What an image is, by the first characters of its base64.
fn image_type(base64: &str) -> &'static str {
    const TYPES: [(&str, &str); 4] = [
        ("iVBORw0", "image/png"),
        ("/9j/", "image/jpeg"),
        ("R0lGOD", "image/gif"),
        ("UklGR", "image/webp"),
    ];
    TYPES.iter().find(|(head, _)| base64.starts_with(head)).map_or("image/unknown", |it| it.1)
}

fn part(record: &RecordText, title: &'static str, raw: &str, out: &mut Detail) {
    let [words_in, image] = fields(raw, ["text", "image_url"]).unwrap_or_default();
    let address = image.and_then(|image| match fields(image, ["url"]) {
        Some([url]) => url,
        None => Some(image),
    });
    match (words_in.or(Some(raw)).filter(|it| it.starts_with('"')), address) {
        (_, Some(url)) if url.starts_with("\"http") => {
            let note = "An image elsewhere on the network: it is not loaded";
            out.blocks.push(Block::Note(note.to_owned()));
            words(record, title, url, out);
        }
        (_, Some(url)) if url.starts_with('"') => words(record, title, url, out),
        (Some(raw), _) => words(record, title, raw, out),
        _ => json(title, record, raw, out),
    }
}

fn others(
    record: &RecordText,
    title: &'static str,
    rest: Vec<(Cow<'_, str>, &str)>,
    out: &mut Detail,
) {
    let fields = rest.into_iter().filter_map(|(key, raw)| {
        let value = Value::Json(record.span_of(raw)?);
        Some(Field { label: key.into_owned(), value })
    });
    let fields: Vec<Field> = fields.collect();
    if !fields.is_empty() {
        out.blocks.push(Block::Fields(title, fields));
    }
}
