//! The last resort: any JSON, one row for each record.
//!
//! If the keys of a file look like those of a trace (see [`super::guess`]), or the user has assigned the keys, its
//! records are read by that mapping ([`super::mapped`]). For all other files, time, name and message are guessed from
//! key names that loggers and tracers use; the guesses are named in every opened row. Everything in one file is one
//! run.

use super::guess::names_calls;
use super::mapped::Mapped;
use super::{EventRecords, Format, Probe, Reader, Record, Verdict};
use traceloupe_core::catalog;
use traceloupe_core::json::{Json, KeySet, Kind};
use traceloupe_core::model::{
    Block, BlockRole, Detail, EventKind, Field, LaneId, Mapping, MaybeNs, NewEvent, RunId, RunNote,
    SourceId, Status, TraceBuilder, Value, key_hash,
};
use traceloupe_engine::fields::{JsonValue, text, time, word};

/// All keys that are read, in one list so that a record is scanned only once.
const KEYS: [&str; 27] = [
    "type",
    "event",
    "event_type",
    "kind",
    "name",
    "role",
    "level",
    "op",
    "timestamp",
    "ts",
    "time",
    "created_at",
    "start_time",
    "startTime",
    "date",
    "@timestamp",
    "message",
    "msg",
    "text",
    "content",
    "summary",
    "error",
    "title",
    "description",
    "severity",
    "status",
    "id",
];
static KEY_SET: KeySet<'_, { KEYS.len() }> = KeySet::new(KEYS);
/// Keys that may have the name of the event, the better ones first; by their places in [`KEYS`].
const NAME_KEYS: [usize; 8] = [
    place("type"),
    place("event"),
    place("event_type"),
    place("kind"),
    place("name"),
    place("role"),
    place("level"),
    place("op"),
];
/// Keys that may have the time.
const TIME_KEYS: [usize; 8] = [
    place("timestamp"),
    place("ts"),
    place("time"),
    place("created_at"),
    place("start_time"),
    place("startTime"),
    place("date"),
    place("@timestamp"),
];
/// Keys that may have the message.
const MESSAGE_KEYS: [usize; 9] = [
    place("message"),
    place("msg"),
    place("text"),
    place("content"),
    place("summary"),
    place("error"),
    place("title"),
    place("name"),
    place("description"),
];
/// Keys for failures, and the id.
const OTHER_KEYS: [usize; 5] =
    [place("level"), place("severity"), place("status"), place("error"), place("id")];

/// The position of a key in [`KEYS`], computed at compile time; the length of the list if it is missing.
const fn place(key: &str) -> usize {
    let mut rest: &[&str] = &KEYS;
    while let [known, others @ ..] = rest {
        if is_equal(known.as_bytes(), key.as_bytes()) {
            break;
        }
        rest = others;
    }
    KEYS.len() - rest.len()
}

const fn is_equal(mut one: &[u8], mut other: &[u8]) -> bool {
    while let ([first, after @ ..], [second, behind @ ..]) = (one, other) {
        if *first != *second {
            return false;
        }
        (one, other) = (after, behind);
    }
    one.is_empty() && other.is_empty()
}

/// The format of records that no other format knows.
#[derive(Clone, Copy, Debug)]
pub struct Records;

impl Format for Records {
    fn id(&self) -> &'static str {
        catalog::RECORDS.id
    }

    fn name(&self) -> &'static str {
        catalog::RECORDS.name
    }

    fn sniff(&self, probe: &Probe<'_>) -> Verdict {
        if names_calls(probe) {
            let why = "records name their events, among them LLM calls and tool calls";
            return Verdict::Likely(why.to_owned());
        }
        if probe.any(|record| record.keys().next().is_some()) {
            return Verdict::Maybe("the file holds JSON objects".to_owned());
        }
        if probe.any(|record| record.json().items().any(|it| it.kind() == Kind::Object)) {
            return Verdict::Maybe("the file holds lists in JSON".to_owned());
        }
        Verdict::No
    }

    fn reader(&self, source: SourceId) -> Box<dyn Reader> {
        Box::new(RecordReader { source, run: None })
    }

    fn join(&self, out: &mut TraceBuilder) {
        traceloupe_engine::weave::join(catalog::RECORDS.id, out);
    }

    fn detail(&self, event: &EventRecords<'_>, out: &mut Detail) {
        let source = event.records.first().map(|record| record.place.span.source);
        match source.and_then(|source| event.trace.mapping(source)) {
            Some(mapping) => {
                traceloupe_engine::described::detail(&Mapped(mapping.clone()), event, out)
            }
            None => detail(event, out),
        }
    }
}

/// A reader for a source whose keys have meanings.
#[must_use]
pub fn mapped_reader(
    mapping: &Mapping,
    source: SourceId,
    out: &mut TraceBuilder,
) -> Box<dyn Reader> {
    if mapping.is_plain() {
        return Records.reader(source);
    }
    out.set_mapping(source, mapping.clone());
    traceloupe_engine::described::reader(
        catalog::RECORDS.id,
        Box::new(Mapped(mapping.clone())),
        source,
        None,
    )
}

struct RecordReader {
    source: SourceId,
    run: Option<(RunId, LaneId)>,
}

impl Reader for RecordReader {
    fn record(&mut self, record: &Record<'_>, out: &mut TraceBuilder) {
        let (run, lane) = *self.run.get_or_insert_with(|| {
            let run = out.run("records", &format!("source {}", self.source.index()));
            out.run_mut(run).notes.push(RunNote::PlainRecords);
            (run, out.lane(run, ""))
        });
        let id = out.push(NewEvent { kind: EventKind::Record, run, lane, place: record.place() });
        let guess = Guess::new(record.json);
        let name = guess.name.and_then(|(_, raw)| word(Some(raw)));
        let name = out.name(&name.unwrap_or_default());
        if let Some(event) = out.event_mut(id) {
            event.name = name;
            event.start = guess.start;
            event.status = if guess.failed { Status::Failed } else { Status::Unknown };
            event.id_hash = word(guess.id).map_or(0, |id| key_hash(&[&id]));
        }
        let summary = guess.message.map_or(record.text, |(_, value)| value.raw());
        if let Some(span) = record.span_of(summary) {
            out.set_summary(id, span.start, span.len);
        }
    }

    /// The members around a list are a record as well.
    fn part(&mut self, part: &Record<'_>, out: &mut TraceBuilder) {
        self.record(part, out);
    }

    fn finish(&mut self, _out: &mut TraceBuilder) {}
}

/// A guess: for each value, its key and its raw text.
#[derive(Default)]
struct Guess<'a> {
    name: Option<(&'static str, Json<'a>)>,
    time: Option<&'static str>,
    start: MaybeNs,
    message: Option<(&'static str, Json<'a>)>,
    id: Option<Json<'a>>,
    failed: bool,
}

impl<'a> Guess<'a> {
    fn new(record: impl JsonValue<'a>) -> Self {
        let mut values = [Json::ABSENT; KEYS.len()];
        if !record.json().fill(&KEY_SET, &mut values) {
            return Self::default();
        }
        let get = |at: usize| values.get(at)?.present();
        let first = |places: &[usize], test: &dyn Fn(usize, Json<'_>) -> bool| {
            let mut given = places.iter().filter_map(|at| Some((*at, get(*at)?)));
            let (at, raw) = given.find(|(at, raw)| test(*at, *raw))?;
            Some((*KEYS.get(at)?, raw))
        };
        let name = first(&NAME_KEYS, &|_, raw| word(Some(raw)).is_some());
        // The row already shows the name.
        let is_name = |at: usize| name.is_some_and(|(name, _)| KEYS.get(at) == Some(&name));
        let [level, severity, status, error, id] = OTHER_KEYS.map(get);
        let mut times = TIME_KEYS.iter().map(|at| (KEYS.get(*at).copied(), time(get(*at))));
        let (time, start) = times.find(|(_, time)| time.is_known()).unwrap_or_default();
        Self {
            name,
            time,
            start,
            message: first(&MESSAGE_KEYS, &|at, raw| !is_name(at) && !is_empty(raw)),
            id,
            failed: has_failed(level, severity, status, error)
                || name.is_some_and(|(_, word)| {
                    let is_bad =
                        |bad: &str| word.text().is_some_and(|it| it.eq_ignore_ascii_case(bad));
                    is_bad("error") || is_bad("exception")
                }),
        }
    }
}

fn has_failed(
    level: Option<Json<'_>>,
    severity: Option<Json<'_>>,
    status: Option<Json<'_>>,
    error: Option<Json<'_>>,
) -> bool {
    let is_one_of = |raw: Option<Json<'_>>, words: &[&str]| {
        text(raw).is_some_and(|text| words.iter().any(|word| text.eq_ignore_ascii_case(word)))
    };
    let bad = ["error", "fatal", "critical"];
    is_one_of(level, &bad)
        || is_one_of(severity, &bad)
        || is_one_of(status, &["error", "failed"])
        || error.is_some_and(|raw| !is_empty(raw) && raw.raw() != "false")
}

fn is_empty(value: Json<'_>) -> bool {
    matches!(value.raw(), "null" | "\"\"" | "{}" | "[]")
}

fn detail(event: &EventRecords<'_>, out: &mut Detail) {
    let Some(record) = event.records.first() else { return };
    let guess = Guess::new(&record.text);
    out.native_id = word(guess.id).map(Into::into);
    let key = |guess: Option<(&'static str, _)>| guess.map(|(key, _)| key);
    let guesses =
        [("time", guess.time), ("name", key(guess.name)), ("message", key(guess.message))];
    let guessed: Vec<_> = guesses
        .into_iter()
        .filter_map(|(label, guess)| {
            let value = Value::Text(format!("`{}`", guess?));
            Some(Field { label: label.into(), value })
        })
        .collect();
    if let Some(span) = record.span_of(&record.text) {
        out.blocks.push(Block::Json(BlockRole::Record, Value::Json(span)));
    }
    if !guessed.is_empty() {
        out.blocks.push(Block::Fields(BlockRole::Named("Guessed from the keys"), guessed));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    #[test]
    fn every_key_that_is_looked_at_is_among_all() {
        let places = [&NAME_KEYS[..], &TIME_KEYS, &MESSAGE_KEYS, &OTHER_KEYS].concat();
        assert!(places.iter().all(|at| *at < KEYS.len()), "{places:?}");
        assert_eq!((KEYS[place("op")], KEYS[place("@timestamp")]), ("op", "@timestamp"));
        assert_eq!(place("nothing"), KEYS.len());
    }

    #[test]
    fn time_name_and_message_are_guessed() {
        let lines = [
            r#"{"ts": 1795162322.5, "level": "info", "msg": "hello", "id": 7}"#,
            r#"{"@timestamp": "2026-11-20T08:12:02Z", "type": "step", "severity": "FATAL"}"#,
            r#"{"name": "a", "description": "b", "error": null, "status": "failed"}"#,
            r#"{"error": {"code": 1}}"#,
            r#"{"error": false, "x": 1}"#,
            r#"{"event": "error", "message": "c"}"#,
            "[1, 2]",
            "null",
        ];
        let read = read(&Records, &[&lines]);
        let trace = &read.trace;
        let events = trace.events();
        assert_eq!(events.len(), lines.len());
        let names: Vec<_> = events.iter().map(|event| trace.name(event.name)).collect();
        assert_eq!(names, ["info", "step", "a", "", "", "error", "", ""]);
        assert_eq!(events.get(0).unwrap().start.get(), Some(1_795_162_322_500_000_000));
        assert!(
            events.get(1).unwrap().start.is_known() && !events.get(2).unwrap().start.is_known()
        );
        let failed: Vec<_> = events.iter().map(|event| event.status == Status::Failed).collect();
        assert_eq!(failed, [false, true, true, true, false, true, false, false]);
        assert_eq!(events.get(0).unwrap().id_hash, key_hash(&["7"]));
        let told: Vec<_> = (0..lines.len()).map(|at| read.summary(at)).collect();
        assert_eq!(told[..4], [r#""hello""#, lines[1], r#""b""#, r#"{"code": 1}"#]);
        assert_eq!(told[5..], [r#""c""#, "[1, 2]", "null"]);
        assert_eq!(trace.runs()[0].key, "source 0");
        assert_eq!(trace.runs()[0].title, None);
        assert_eq!(trace.runs()[0].notes.len(), 1);
    }

    #[test]
    fn the_detail_says_what_was_guessed() {
        let text = r#"{"time": "2026-11-20", "op": "x", "title": "y"}"#;
        let out = read(&Records, &[&[text]]).detail(&Records, 0);
        let [Block::Json(_, Value::Json(_)), Block::Fields(_, guessed)] = out.blocks.as_slice()
        else {
            panic!("{out:?}");
        };
        let guessed: Vec<_> = guessed.iter().filter_map(|field| field.label.key()).collect();
        assert_eq!(guessed, ["time", "name", "message"]);
    }
}
