//! What the formats share that are no descriptions: summaries, facts, and the blocks of an opened row made of raw
//! values. It goes with the last of them.

use crate::formats::fields::{JsonValue, entries, given, is_json, text, unknown_entries, word};
use crate::formats::{Record, RecordText};
use crate::json::{self, Json};
use crate::model::{Block, Detail, EventId, Field, RunId, TraceBuilder, Value};

/// A record with the detail that is made of it. Raw values that were borrowed from the record are
/// shown by their place, others as they are.
pub struct Shown<'a, 'd> {
    record: &'a RecordText,
    out: &'d mut Detail,
}

impl<'a, 'd> Shown<'a, 'd> {
    /// Begins the detail of a record.
    #[must_use]
    pub fn new(record: &'a RecordText, out: &'d mut Detail) -> Self {
        Self { record, out }
    }

    /// Adds a block.
    #[inline(never)]
    pub fn push(&mut self, block: Block) {
        self.out.blocks.push(block);
    }

    /// A raw value as a value to show.
    #[must_use]
    #[inline(never)]
    pub fn value(&self, raw: &str) -> Value {
        self.record.span_of(raw).map_or_else(|| owned(raw), Value::Json)
    }

    /// Arguments and results: a string that holds JSON, or a Python `repr` of plain data (the
    /// LangChain handler passes `str(args)` on), is shown as that data.
    #[must_use]
    pub fn data(&self, raw: &str) -> Value {
        let Some(inner) = text(Some(raw)) else { return self.value(raw) };
        if !matches!(inner.trim_start().bytes().next(), Some(b'[' | b'{')) {
            return self.value(raw);
        }
        if is_json(&inner) {
            return unwrapped(raw, self.value(raw));
        }
        json::python_repr_to_json(&inner).map_or_else(|| self.value(raw), Value::OwnedJson)
    }

    /// Labelled values under a title; those that are missing or null are left out.
    #[inline(never)]
    pub fn fields(&mut self, title: &'static str, values: &[(&str, Option<&str>)]) {
        let fields: Vec<_> = values
            .iter()
            .filter_map(|(label, raw)| {
                let value = self.value(given(*raw)?);
                Some(Field { label: (*label).to_owned(), value })
            })
            .collect();
        if !fields.is_empty() {
            self.push(Block::Fields(title, fields));
        }
    }

    /// All entries of an object under a title, or JSON where it is none.
    #[inline(never)]
    pub fn all_fields(&mut self, title: &'static str, raw: Option<&str>) {
        let Some(raw) = given(raw) else { return };
        let found = entries(raw);
        if found.is_empty() && raw != "{}" {
            let value = self.value(raw);
            self.push(Block::Json(title, value));
        }
        let values: Vec<_> = found.iter().map(|(key, raw)| (key.as_ref(), Some(*raw))).collect();
        self.fields(title, &values);
    }

    /// What an object holds beside the keys that were shown: nothing of a record may vanish.
    #[inline(never)]
    pub fn rest(&mut self, title: &'static str, raw: Option<&str>, known: &[&str]) {
        let Some(raw) = given(raw) else { return };
        if !raw.starts_with('{') {
            let value = self.value(raw);
            self.push(Block::Json(title, value));
            return;
        }
        let found = unknown_entries(raw, known);
        let values: Vec<_> = found.iter().map(|(key, raw)| (key.as_ref(), Some(*raw))).collect();
        self.fields(title, &values);
    }
}

/// A raw value that stands nowhere in a source as it is.
fn owned(raw: &str) -> Value {
    match text(Some(raw)) {
        Some(text) => Value::Text(text.into_owned()),
        None => Value::OwnedJson(raw.to_owned()),
    }
}

/// A raw value that may be a string with JSON in it, as arguments are: shown as that JSON.
fn unwrapped(raw: &str, value: Value) -> Value {
    match text(Some(raw)) {
        Some(inner) if is_json(&inner) => match value {
            Value::Json(span) => Value::JsonInString(span),
            _ => Value::OwnedJson(inner.into_owned()),
        },
        _ => value,
    }
}

/// Says which bytes the summary of an event is made of.
pub fn set_summary<'a>(
    id: EventId,
    record: &Record<'_>,
    value: Option<impl JsonValue<'a>>,
    out: &mut TraceBuilder,
) {
    let raw = value.map(|value| value.json().raw());
    let told = raw.filter(|raw| !matches!(*raw, "null" | "{}" | "\"\""));
    if let Some(span) = told.and_then(|raw| record.span_of(raw)) {
        out.set_summary(id, span.start, span.len);
    }
}

/// Adds facts to a run: labels with raw values; a list is joined with spaces. The first value of a
/// label stays.
pub fn add_facts<'a, V: JsonValue<'a>>(
    run: RunId,
    facts: &[(&str, Option<V>)],
    out: &mut TraceBuilder,
) {
    let run = out.run_mut(run);
    for (label, raw) in facts {
        let Some(raw) = given(*raw) else { continue };
        let value = match word(Some(raw)) {
            Some(value) => value.into_owned(),
            None => raw.json().items().filter_map(Json::word).collect::<Vec<_>>().join(" "),
        };
        if !value.is_empty() && !run.facts.iter().any(|(known, _)| known == label) {
            run.facts.push(((*label).to_owned(), value));
        }
    }
}
