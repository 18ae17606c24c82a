//! The index pass over events of spec 0.1 and over the documents that hold them.

use crate::notice::NoticeCode;
use memchr::memmem::Finder;

use crate::formats::fields::{
    JsonValue, between, count, fields, given, items, millis, text, time, word,
};
use crate::formats::shapes::exit_code::name_exit_code;
use crate::formats::{LineCounter, Record};
use crate::json::{self, Json};
use crate::model::{
    EventId, EventKind, Flags, LaneId, MaybeNs, NewEvent, Place, RunId, SourceId, TraceBuilder,
    key_hash,
};

use super::Dialect;
use super::call::{Call, REDACTED, kind_of};
use super::runs::{add_facts, end_status, read_run};

/// What the producer puts at the end of a cut string, or in place of what lies too deep. It always
/// ends a string.
const TRUNCATED: &str = "__TRUNCATED__";

/// How [`REDACTED`] and [`TRUNCATED`] end: looked for once instead of twice in every byte.
const MARKS_END: &str = "TED__";

/// Reads the events of one source, and what it shares with the span reader of Maida: runs, marks,
/// parents that come later, copies of events that another file has too.
pub struct Index {
    dialect: Dialect,
    source: SourceId,
    current: Option<(String, RunId, LaneId)>,
    waiting: Vec<Waiting>,
    marks: Finder<'static>,
}

/// An event whose parent may stand further down: the keys to look for, the better one first.
struct Waiting {
    event: EventId,
    parents: [Option<u64>; 2],
}

/// What identifies an event, and where it belongs.
#[derive(Clone, Copy, Debug)]
pub struct Identity<'a> {
    /// The run's own id, or empty where the record does not say.
    pub run: &'a str,
    /// The event's own id, or empty.
    pub id: &'a str,
    /// The id of the parent, or empty.
    pub parent: &'a str,
    /// What kind of event it is.
    pub kind: EventKind,
    /// When it began.
    pub start: MaybeNs,
}

/// Times and nesting that the OpenAI Agents integration puts into `meta.openai_agents`.
#[derive(Clone, Copy, Default, Debug)]
pub struct OpenAiSpan<'a> {
    /// The raw id of the span.
    id: Option<&'a str>,
    /// The raw id of its parent, often an agent's span that no event stands for.
    parent: Option<&'a str>,
    /// When the span began.
    pub start: MaybeNs,
    /// How long it took.
    pub duration: MaybeNs,
    /// From which agent to which, for a handoff: a raw object.
    pub handoff: Option<&'a str>,
}

impl<'a> OpenAiSpan<'a> {
    /// Reads the `meta` of an event.
    #[must_use]
    pub fn of_meta(meta: Option<&'a str>) -> Self {
        let span = meta.filter(|raw| raw.len() > 2).and_then(|raw| fields(raw, ["openai_agents"]));
        let Some([Some(span)]) = span else { return Self::default() };
        let keys = ["span_id", "parent_id", "started_at", "ended_at", "handoff"];
        let Some([id, parent, started, ended, handoff]) = fields(span, keys) else {
            return Self::default();
        };
        let start = time(started);
        Self {
            id: given(id),
            parent: given(parent),
            start,
            duration: between(start, time(ended)),
            handoff: given(handoff),
        }
    }
}

impl Index {
    /// A reader for one source.
    #[must_use]
    pub fn new(dialect: Dialect, source: SourceId) -> Self {
        Self { dialect, source, current: None, waiting: Vec::new(), marks: Finder::new(MARKS_END) }
    }

    /// Takes a record: an event, or a document.
    pub fn record(&mut self, record: &Record<'_>, out: &mut TraceBuilder) {
        if !(self.event(record, out) || self.document(record, out)) {
            self.unknown(record, out);
        }
    }

    /// Takes what stands before or behind the events of a split document.
    pub fn part(&mut self, part: &Record<'_>, out: &mut TraceBuilder) {
        // What it holds beside a run is nobody's, in a whole document as well.
        self.document(part, out);
    }

    /// The source has ended: events whose parent came later are nested.
    pub fn finish(&mut self, out: &mut TraceBuilder) {
        for waiting in self.waiting.drain(..) {
            let parents = waiting.parents.into_iter().flatten();
            let parent =
                parents.filter_map(|key| out.bound(key)).find(|parent| *parent != waiting.event);
            if let Some(event) = out.event_mut(waiting.event)
                && parent.is_some()
            {
                event.set_parent(parent);
            }
        }
    }

    /// A record in a shape that this format does not have: kept as what it is.
    pub fn unknown(&mut self, record: &Record<'_>, out: &mut TraceBuilder) {
        let (run, lane) = self.run("", out);
        let place = record.place();
        out.warn(NoticeCode::UnknownRecord, &place, "");
        let id = out.push(NewEvent { kind: EventKind::Record, run, lane, place });
        self.finish_event(id, record, None, out);
        set_summary(id, record, Some(record.text), out);
    }

    /// The run with an id; where a record does not name its run, the run of the record before it.
    fn run(&mut self, key: &str, out: &mut TraceBuilder) -> (RunId, LaneId) {
        match &self.current {
            Some((known, run, lane)) if key.is_empty() || known == key => return (*run, *lane),
            _ => {}
        }
        let key = match key {
            "" => format!("source {}", self.source.index()),
            key => key.to_owned(),
        };
        let run = out.run(self.dialect.format_id(), &key);
        let lane = out.lane(run, "");
        self.current = Some((key, run, lane));
        (run, lane)
    }

    /// Adds an event. `None` if it is a copy of an event of another file (an export beside the file
    /// that it was made from): the record is then added to that event.
    pub fn push(
        &mut self,
        identity: &Identity<'_>,
        place: Place,
        out: &mut TraceBuilder,
    ) -> Option<EventId> {
        let (run, lane) = self.run(identity.run, out);
        let run_key = self.current.as_ref().map_or("", |(key, ..)| key.as_str());
        let Identity { id, kind, start, .. } = *identity;
        let key = key_hash(&[run_key, id]);
        // Events that Maida makes of what stands on a root span share the root's id.
        let exact = || {
            let start = start.get().unwrap_or_default().to_string();
            key_hash(&[run_key, id, kind.word(), &start])
        };
        let mut is_first = true;
        if !id.is_empty()
            && let Some(first) = out.bound(key)
        {
            is_first = false;
            let is_same = |other: EventId| {
                let event = out.trace().event(other)?;
                let source = out.trace().place_of(other)?.span.source;
                (event.kind == kind && event.start == start && source != place.span.source)
                    .then_some(other)
            };
            let copy = is_same(first).or_else(|| out.bound(exact()).and_then(is_same));
            if let Some(copy) = copy {
                out.add_record(copy, place);
                note_once(run, "Some events stand in several files; each is shown once", out);
                return None;
            }
        }
        let event_id = out.push(NewEvent { kind, run, lane, place });
        if !id.is_empty() {
            out.bind(if is_first { key } else { exact() }, event_id);
            if let Some(event) = out.event_mut(event_id) {
                event.id_hash = key_hash(&[id]);
                event.start = start;
            }
        } else if let Some(event) = out.event_mut(event_id) {
            event.start = start;
        }
        if !identity.parent.is_empty() {
            let key = key_hash(&[run_key, identity.parent]);
            // Most parents are there already: rows are nested while the rest is read.
            match out.bound(key).filter(|parent| *parent != event_id) {
                Some(parent) => {
                    if let Some(event) = out.event_mut(event_id) {
                        event.set_parent(Some(parent));
                    }
                }
                None => {
                    let parents = [Some(key), None];
                    self.waiting.push(Waiting { event: event_id, parents });
                }
            }
        }
        Some(event_id)
    }

    /// Sets what every event has: marks, and the times and nesting of an OpenAI Agents span.
    pub fn finish_event(
        &mut self,
        id: EventId,
        record: &Record<'_>,
        span: Option<&OpenAiSpan<'_>>,
        out: &mut TraceBuilder,
    ) {
        let flags = self.marks(record.text);
        if let Some(event) = out.event_mut(id) {
            event.flags.set(flags);
            if let Some(span) = span {
                event.duration = span.duration;
            }
        }
        let Some(span) = span else { return };
        let run_key = self.current.as_ref().map_or("", |(key, ..)| key.as_str());
        let key_of = |raw: &str| key_hash(&[run_key, "openai-agents", raw]);
        if let Some(raw) = span.id {
            out.bind(key_of(raw), id);
        }
        if let Some(raw) = span.parent {
            let better = Some(key_of(raw));
            match self.waiting.last_mut().filter(|waiting| waiting.event == id) {
                Some(waiting) => waiting.parents = [better, waiting.parents[0]],
                None => self.waiting.push(Waiting { event: id, parents: [better, None] }),
            }
        }
    }

    /// What the producer's marks in a text say of it.
    fn marks(&self, text: &str) -> Flags {
        let mut flags = Flags::NONE;
        for at in self.marks.find_iter(text.as_bytes()) {
            let behind = at + MARKS_END.len();
            let before = text.get(..behind).unwrap_or_default();
            if before.ends_with(REDACTED) {
                flags.set(Flags::REDACTED);
            }
            if before.ends_with(TRUNCATED) && text.as_bytes().get(behind) == Some(&b'"') {
                flags.set(Flags::TRUNCATED);
            }
        }
        flags
    }

    /// Reads a record as an event. `false` if it is none.
    fn event(&mut self, record: &Record<'_>, out: &mut TraceBuilder) -> bool {
        let keys = [
            "event_type",
            "event_id",
            "run_id",
            "parent_id",
            "ts",
            "duration_ms",
            "name",
            "payload",
            "meta",
            "timestamp",
        ];
        let Some([kind, id, run, parent, ts, duration, name, payload, meta, timestamp]) =
            fields(record.json, keys)
        else {
            return false;
        };
        let Some(word_of_kind) = word(kind) else { return false };
        let kind = kind_of(&word_of_kind);
        let span = OpenAiSpan::of_meta(meta.map(Json::raw));
        // The event is written when its span has ended; the span knows when it began.
        let start = if span.start.is_known() { span.start } else { time(ts.or(timestamp)) };
        let (id, run, parent) = (
            word(id).unwrap_or_default(),
            word(run).unwrap_or_default(),
            word(given(parent)).unwrap_or_default(),
        );
        let identity = Identity { run: &run, id: &id, parent: &parent, kind, start };
        let Some(event_id) = self.push(&identity, record.place(), out) else { return true };
        let payload = payload.unwrap_or_else(|| Json::new("{}"));
        let call = Call::read(kind, payload, name, span.handoff);
        if let Some(event) = out.event_mut(event_id) {
            event.status = call.status;
        }
        let mut span = span;
        if !span.duration.is_known() && kind != EventKind::RunEnd {
            // Maida's projection writes 0 for calls, for their spans are opened when they are
            // recorded; and the run's duration on RUN_END, which takes no time itself.
            span.duration = millis(duration);
            if self.dialect == Dialect::Maida && span.duration == MaybeNs::new(0) {
                span.duration = MaybeNs::UNKNOWN;
            }
        }
        self.finish_event(event_id, record, Some(&span), out);
        if self.dialect == Dialect::Maida && kind == EventKind::ToolCall {
            set_shape(event_id, call.args.map(Json::raw), out);
        }
        let run = out.trace().event(event_id).map(|event| event.run);
        if let Some(run) = run {
            run_facts(run, kind, payload, name, out);
        }
        let label = match kind {
            EventKind::Record => out.name(&word_of_kind),
            _ => out.name(&call.name),
        };
        let error = out.name(&call.error);
        if let Some(event) = out.event_mut(event_id) {
            event.name = label;
            event.error = error;
            event.args_hash = call.args.map_or(0, Json::fingerprint);
            event.result_hash = call.result.map_or(0, Json::fingerprint);
        }
        name_exit_code(event_id, call.result, out);
        if let Some(usage) = call.usage {
            out.set_usage(event_id, usage);
        }
        set_summary(event_id, record, call.summary.or(Some(payload.raw())), out);
        true
    }

    /// Reads a record as a document: an export, a list, an answer of the server, a run's own record.
    fn document(&mut self, record: &Record<'_>, out: &mut TraceBuilder) -> bool {
        let keys = ["run", "runs", "events", "counts", "status", "run_id", "trace_id"];
        let Some([run, runs, events, counts, status, run_id, trace_id]) = fields(record.json, keys)
        else {
            return false;
        };
        if let Some(key) = run
            .and_then(|raw| fields(raw, ["trace_id", "run_id"]))
            .and_then(|[trace_id, run_id]| word(trace_id).or_else(|| word(run_id)))
            .or_else(|| word(trace_id))
            .or_else(|| word(run_id))
        {
            self.run(&key, out);
        }
        if let Some(run) = run {
            read_run(run.raw(), self.dialect, out);
        }
        if let Some(events) = events {
            let mut line = LineCounter::new(record);
            for item in items(events) {
                let inner = line.place(record.inner(item));
                if !self.event(&inner, out) {
                    self.unknown(&inner, out);
                }
            }
            return true;
        }
        if let Some(runs) = runs {
            for run in items(runs) {
                if read_run(run.raw(), self.dialect, out).is_none() {
                    self.unknown(&record.inner(run), out);
                }
            }
            return true;
        }
        let is_run = counts.is_some() || status.is_some();
        is_run && read_run(record.text, self.dialect, out).is_some()
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

/// Keeps the structure of a tool call's arguments, which Maida's loop rule compares from 0.5 on.
pub fn set_shape(id: EventId, args: Option<&str>, out: &mut TraceBuilder) {
    let shape = args.map(json::shape).unwrap_or_default();
    let shape = out.name(&shape);
    if let Some(event) = out.event_mut(id) {
        event.shape = shape;
    }
}

/// What `RUN_START` and `RUN_END` say of their run. Its own record wins where both speak.
fn run_facts(
    run: RunId,
    kind: EventKind,
    payload: Json<'_>,
    name: Option<Json<'_>>,
    out: &mut TraceBuilder,
) {
    match kind {
        EventKind::RunStart => {
            let keys = ["run_name", "python_version", "platform", "cwd", "argv"];
            let [title, python, platform, cwd, argv] = fields(payload, keys).unwrap_or_default();
            let title = word(title).or_else(|| word(name));
            let known = out.run_mut(run);
            if known.title.is_none() {
                known.title = title.map(Into::into);
            }
            let facts =
                [("Python", python), ("Platform", platform), ("Directory", cwd), ("Command", argv)];
            add_facts(run, &facts, out);
        }
        EventKind::RunEnd => {
            let [status, summary] = fields(payload, ["status", "summary"]).unwrap_or_default();
            end_status(run, &text(status).unwrap_or_default(), out);
            let keys = ["llm_calls", "tool_calls", "errors", "duration_ms"];
            let [llm_calls, tool_calls, errors, duration] =
                summary.and_then(|raw| fields(raw, keys)).unwrap_or_default();
            let run = out.run_mut(run);
            if !run.duration.is_known() {
                run.duration = millis(duration);
            }
            let counts = &mut run.counts;
            counts.llm_calls = counts.llm_calls.or(count(llm_calls));
            counts.tool_calls = counts.tool_calls.or(count(tool_calls));
            counts.errors = counts.errors.or(count(errors));
        }
        _ => {}
    }
}

fn note_once(run: RunId, note: &str, out: &mut TraceBuilder) {
    let notes = &mut out.run_mut(run).notes;
    if !notes.iter().any(|known| known == note) {
        notes.push(note.to_owned());
    }
}
