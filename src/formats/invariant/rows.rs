//! The records of a file: messages of one trace, or the lines of a data set. What Explorer's importer
//! would refuse is said.

use rustc_hash::FxHashSet;

use super::conversation::{Conversation, refuse};
use crate::formats::LineCounter;
use crate::formats::Record;
use crate::formats::annotation::kind_of;
use crate::formats::fields::{entries, fields, given, items, text, unknown_entries, word};
use crate::json::{Json, Kind};
use crate::model::{RunId, RunStatus, SourceId, TraceBuilder};

/// How many facts a trace has at most, and how long each may be, in characters.
const MAX_FACTS: usize = 200;
const MAX_FACT_CHARS: usize = 4_000;

/// Groups in groups are followed so deep.
const MAX_GROUPS: usize = 16;

/// What of a file has been read.
#[derive(Debug)]
pub(super) struct DataSet {
    source: SourceId,
    n_records: u32,
    n_rows: u32,
    seen: Seen,
    /// The metadata of the data set, which the first trace shows.
    metadata: Option<String>,
    /// The trace whose messages are the records of the file.
    single: Option<Conversation>,
}

/// What decides on what Explorer refuses.
#[derive(Debug, Default)]
struct Seen {
    metadata: bool,
    list: bool,
    object: bool,
    /// That both were there has been said.
    mixed: bool,
    indices: FxHashSet<String>,
}

impl DataSet {
    pub(super) fn new(source: SourceId) -> Self {
        Self {
            source,
            n_records: 0,
            n_rows: 0,
            seen: Seen::default(),
            metadata: None,
            single: None,
        }
    }

    pub(super) fn record(&mut self, record: &Record<'_>, out: &mut TraceBuilder) {
        let is_first = self.n_records == 0;
        self.n_records = self.n_records.saturating_add(1);
        if record.text.starts_with('[') {
            self.seen.list = true;
            self.check_mixed(record, out);
            return self.list(record, out);
        }
        let keys = ["messages", "metadata", "role"];
        match fields(record.json, keys) {
            Some([Some(messages), _, None]) if messages.kind() == Kind::Array => {
                self.seen.object = true;
                self.check_index(record, out);
                self.check_mixed(record, out);
                self.object(record, messages, out);
            }
            Some([None, Some(metadata), None]) => {
                if self.seen.metadata {
                    refuse(record, "the metadata row can appear at most once in the file", out);
                } else if !is_first {
                    refuse(record, "the metadata row must be the first row in the file", out);
                }
                if !std::mem::replace(&mut self.seen.metadata, true) {
                    self.metadata = Some(metadata.raw().to_owned());
                }
            }
            _ => {
                let mut single = self.single.take().unwrap_or_else(|| {
                    let run = out.run(super::ID, &format!("source {}", self.source.index()));
                    self.data_set_facts(run, "", out);
                    Conversation::new(run, out)
                });
                single.event(record, out);
                self.single = Some(single);
            }
        }
    }

    pub(super) fn finish(&mut self, out: &mut TraceBuilder) {
        // A file with nothing but metadata is shown with it.
        if self.metadata.is_some() {
            let run = out.run(super::ID, &format!("source {}", self.source.index()));
            self.data_set_facts(run, "", out);
            out.run_mut(run).notes.push("The file holds metadata and no trace".to_owned());
        }
    }

    /// A trace as a list of its messages, the first item may be its metadata.
    fn list(&mut self, record: &Record<'_>, out: &mut TraceBuilder) {
        let mut messages = items(record.json);
        let metadata =
            messages.first().and_then(|first| match fields(*first, ["metadata", "role"]) {
                Some([Some(metadata), None]) => Some(metadata.raw()),
                _ => None,
            });
        if metadata.is_some() {
            messages.remove(0);
        }
        let run = self.begin(record, out);
        let row = Row { metadata, ..Row::default() };
        self.describe(run, &row, out);
        converse(run, record, &messages, out);
    }

    /// A trace as an object with messages, metadata and annotations.
    fn object<'a>(&mut self, record: &Record<'a>, messages: Json<'a>, out: &mut TraceBuilder) {
        let run = self.begin(record, out);
        let keys =
            ["metadata", "extra_metadata", "name", "index", "id", "hierarchy_path", "annotations"];
        let [metadata, extra, name, index, id, path, annotations] =
            fields(record.json, keys).unwrap_or_default();
        let raw = |value: Option<Json<'a>>| value.map(Json::raw);
        let row = Row {
            metadata: raw(given(metadata).or(given(extra))),
            name: raw(name),
            index: raw(index),
            id: raw(id),
            path: raw(path),
        };
        self.describe(run, &row, out);
        let known = ["messages", "metadata", "extra_metadata", "index", "id", "annotations"];
        for (key, raw) in unknown_entries(record.json, &known).into_iter().take(MAX_FACTS) {
            add_fact(run, key.into_owned(), raw.raw(), out);
        }
        converse(run, record, &items(messages), out);
        for raw in annotations.map(items).unwrap_or_default() {
            let raw = raw.raw();
            match (kind_of(raw), record.span_of(raw)) {
                (Some(kind), Some(span)) => out.annotate(run, span, kind),
                _ => refuse(record, "an annotation lacks its content or its address", out),
            }
        }
    }

    fn begin(&mut self, record: &Record<'_>, out: &mut TraceBuilder) -> RunId {
        let key = format!("trace {} of source {}", self.n_rows, self.source.index());
        self.n_rows = self.n_rows.saturating_add(1);
        let run = out.run(super::ID, &key);
        out.run_mut(run).record = Some(record.place().span);
        run
    }

    /// Title, groups, outcome and facts of a trace.
    fn describe(&mut self, run: RunId, row: &Row<'_>, out: &mut TraceBuilder) {
        let [name, path, success, error] = row
            .metadata
            .and_then(|raw| fields(raw, ["name", "hierarchy_path", "success", "error"]))
            .unwrap_or_default();
        let name = word(row.name).or_else(|| word(name));
        // As Explorer calls a trace without a name.
        let number =
            word(row.index).map_or_else(|| self.n_rows.saturating_sub(1).to_string(), Into::into);
        let title = name.map_or_else(|| format!("Run {number}"), Into::into);
        let groups = items(given(row.path).or(path).unwrap_or("[]"));
        let status = match (success, given(error)) {
            (Some("true"), _) => RunStatus::Ok,
            (_, Some(error)) if !matches!(error, "false" | "\"\"") => RunStatus::Error,
            _ => RunStatus::Unknown,
        };
        let told = out.run_mut(run);
        told.title = Some(title);
        told.status = status;
        told.groups.extend(
            groups.into_iter().take(MAX_GROUPS).filter_map(|it| word(Some(it)).map(Into::into)),
        );
        for (label, raw) in [("index", row.index), ("id", row.id)] {
            if let Some(value) = word(raw) {
                told.facts.push((label.to_owned(), value.into_owned()));
            }
        }
        if let Some(metadata) = row.metadata {
            add_facts(run, metadata, "", out);
        }
        self.data_set_facts(run, "data set: ", out);
    }

    fn data_set_facts(&mut self, run: RunId, before: &str, out: &mut TraceBuilder) {
        if let Some(metadata) = self.metadata.take() {
            add_facts(run, &metadata, before, out);
        }
    }

    fn check_mixed(&mut self, record: &Record<'_>, out: &mut TraceBuilder) {
        if self.seen.list && self.seen.object && !self.seen.mixed {
            self.seen.mixed = true;
            let why = "the file contains both raw event lists and annotated event lists";
            refuse(record, why, out);
        }
    }

    fn check_index(&mut self, record: &Record<'_>, out: &mut TraceBuilder) {
        let Some([index]) = fields(record.text, ["index"]) else { return };
        match index {
            Some(index) if !index.bytes().all(|it| it.is_ascii_digit() || it == b'-') => {
                let index: String = index.chars().take(40).collect();
                refuse(record, &format!("invalid index {index}: it must be an integer"), out);
            }
            Some(index) if !self.seen.indices.insert(index.to_owned()) => {
                refuse(record, &format!("duplicate index {index}"), out);
            }
            None if !self.seen.indices.is_empty() => {
                refuse(record, "`index` is found in some traces and missing in others", out);
            }
            Some(_) | None => {}
        }
    }
}

/// What a line says of its trace.
#[derive(Default)]
struct Row<'a> {
    metadata: Option<&'a str>,
    name: Option<&'a str>,
    index: Option<&'a str>,
    id: Option<&'a str>,
    path: Option<&'a str>,
}

fn converse(run: RunId, record: &Record<'_>, messages: &[Json<'_>], out: &mut TraceBuilder) {
    let mut conversation = Conversation::new(run, out);
    let mut line = LineCounter::new(record);
    for message in messages {
        let inner = line.place(record.inner(*message));
        conversation.event(&inner, out);
    }
}

/// The members of metadata as facts; lists and objects as JSON.
fn add_facts(run: RunId, metadata: &str, before: &str, out: &mut TraceBuilder) {
    let members = entries(metadata).into_iter().flat_map(|(key, raw)| match key.as_ref() {
        // What the tests and the analysis of Explorer have counted.
        "invariant" if raw.starts_with('{') => {
            let inner = entries(raw).into_iter();
            inner.map(|(inner, raw)| (format!("invariant.{inner}").into(), raw)).collect()
        }
        _ => vec![(key, raw)],
    });
    for (key, raw) in members.take(MAX_FACTS) {
        add_fact(run, format!("{before}{key}"), raw, out);
    }
}

fn add_fact(run: RunId, label: String, raw: &str, out: &mut TraceBuilder) {
    let value = text(Some(raw)).unwrap_or(raw.into());
    let mut shown: String = value.chars().take(MAX_FACT_CHARS).collect();
    if shown.len() < value.len() {
        shown.push('…');
    }
    out.run_mut(run).facts.push((label, shown));
}
