//! The last resort: any JSON, one row for each record.
//!
//! Time, name and message are guessed by the names of the keys that loggers and tracers use; the
//! guesses are named in every opened row. Everything in one file is one run.

use super::fields::{fields, given, text, time, word};
use super::{EventRecords, Format, Probe, Reader, Record, Verdict};
use crate::model::{
    Block, Detail, EventKind, Field, LaneId, MaybeNs, NewEvent, RunId, SourceId, Status,
    TraceBuilder, Value, key_hash,
};

/// Keys that may hold the name of what happened, the better ones first.
const NAME_KEYS: [&str; 8] = ["type", "event", "event_type", "kind", "name", "role", "level", "op"];
/// Keys that may hold the time.
const TIME_KEYS: [&str; 8] =
    ["timestamp", "ts", "time", "created_at", "start_time", "startTime", "date", "@timestamp"];
/// Keys that may hold the words.
const MESSAGE_KEYS: [&str; 9] =
    ["message", "msg", "text", "content", "summary", "error", "title", "name", "description"];
/// Keys that may say that something failed.
const FAILURE_KEYS: [&str; 4] = ["level", "severity", "error", "status"];

/// The format of records that no other format knows.
#[derive(Clone, Copy, Debug)]
pub struct Records;

impl Format for Records {
    fn id(&self) -> &'static str {
        "records"
    }

    fn name(&self) -> &'static str {
        "Records"
    }

    fn versions(&self) -> &'static str {
        "any JSON or JSONL; time, name and message are guesses"
    }

    fn found_at(&self) -> &'static str {
        "logs and exports of programs that no other format knows"
    }

    fn docs(&self) -> &'static str {
        "https://jsonlines.org/"
    }

    fn sniff(&self, probe: &Probe<'_>) -> Verdict {
        if probe.any(|record| record.keys().next().is_some()) {
            return Verdict::Maybe("the file holds JSON objects".to_owned());
        }
        Verdict::No
    }

    fn reader(&self, source: SourceId) -> Box<dyn Reader> {
        Box::new(RecordReader { source, run: None })
    }

    fn detail(&self, event: &EventRecords<'_>, out: &mut Detail) {
        detail(event, out);
    }
}

struct RecordReader {
    source: SourceId,
    run: Option<(RunId, LaneId)>,
}

impl Reader for RecordReader {
    fn record(&mut self, record: &Record<'_>, out: &mut TraceBuilder) {
        let (run, lane) = *self.run.get_or_insert_with(|| {
            let run = out.run("records", &format!("source {}", self.source.index()));
            let note = "Read as plain records: time, name and message are guesses";
            out.run_mut(run).notes.push(note.to_owned());
            (run, out.lane(run, ""))
        });
        let id = out.push(NewEvent { kind: EventKind::Record, run, lane, place: record.place() });
        let guess = Guess::new(record.text);
        let name = guess.name.and_then(|(_, raw)| word(Some(raw)));
        let name = out.name(&name.unwrap_or_default());
        let native_id = fields(record.text, ["id"]).and_then(|[id]| word(id));
        if let Some(event) = out.event_mut(id) {
            event.name = name;
            event.start = guess.time.map_or(MaybeNs::UNKNOWN, |(_, raw)| time(Some(raw)));
            event.status = if guess.failed { Status::Error } else { Status::Unknown };
            event.id_hash = native_id.map_or(0, |id| key_hash(&[&id]));
        }
        let summary = guess.message.map_or(record.text, |(_, raw)| raw);
        if let Some(span) = record.span_of(summary) {
            out.set_summary(id, span.start, span.len);
        }
    }

    fn finish(&mut self, _out: &mut TraceBuilder) {}
}

/// What was guessed: the key and its raw value.
#[derive(Default)]
struct Guess<'a> {
    name: Option<(&'static str, &'a str)>,
    time: Option<(&'static str, &'a str)>,
    message: Option<(&'static str, &'a str)>,
    failed: bool,
}

impl<'a> Guess<'a> {
    fn new(record: &'a str) -> Self {
        let Some(names) = fields(record, NAME_KEYS) else { return Self::default() };
        let times = fields(record, TIME_KEYS).unwrap_or_default();
        let messages = fields(record, MESSAGE_KEYS).unwrap_or_default();
        let failures = fields(record, FAILURE_KEYS).unwrap_or_default();
        let name = first(&NAME_KEYS, &names, |raw| word(Some(raw)).is_some());
        let told = |raw: &str| given(Some(raw)).is_some() && !is_empty(raw);
        let message = first(&MESSAGE_KEYS, &messages, told)
            // The name stands in the row already.
            .filter(|(key, _)| name.is_none_or(|(name, _)| name != *key));
        Self {
            name,
            time: first(&TIME_KEYS, &times, |raw| time(Some(raw)).is_known()),
            message,
            failed: has_failed(failures),
        }
    }
}

/// The first of some keys whose value passes a test.
fn first<'a, const N: usize>(
    keys: &[&'static str; N],
    values: &[Option<&'a str>; N],
    test: impl Fn(&str) -> bool,
) -> Option<(&'static str, &'a str)> {
    let found = keys.iter().zip(values).filter_map(|(key, raw)| Some((*key, (*raw)?)));
    found.into_iter().find(|(_, raw)| test(raw))
}

fn has_failed([level, severity, error, status]: [Option<&str>; 4]) -> bool {
    let is_one_of = |raw: Option<&str>, words: &[&str]| {
        text(raw).is_some_and(|text| words.iter().any(|word| text.eq_ignore_ascii_case(word)))
    };
    let bad = ["error", "fatal", "critical"];
    is_one_of(level, &bad)
        || is_one_of(severity, &bad)
        || is_one_of(status, &["error", "failed"])
        || given(error).is_some_and(|raw| !is_empty(raw) && raw != "false")
}

fn is_empty(raw: &str) -> bool {
    matches!(raw, "\"\"" | "{}" | "[]")
}

fn detail(event: &EventRecords<'_>, out: &mut Detail) {
    let Some(record) = event.records.first() else { return };
    out.native_id = fields(&record.text, ["id"]).and_then(|[id]| word(id)).map(Into::into);
    let guess = Guess::new(&record.text);
    let guessed: Vec<_> = [("time", guess.time), ("name", guess.name), ("message", guess.message)]
        .into_iter()
        .filter_map(|(label, guess)| {
            let value = Value::Text(format!("`{}`", guess?.0));
            Some(Field { label: label.to_owned(), value })
        })
        .collect();
    if let Some(span) = record.span_of(&record.text) {
        out.blocks.push(Block::Json("Record", Value::Json(span)));
    }
    if !guessed.is_empty() {
        out.blocks.push(Block::Fields("Guessed from the keys", guessed));
    }
}
