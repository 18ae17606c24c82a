//! The reasons for which Explorer's importer would refuse a file.

use rustc_hash::FxHashSet;

use crate::annotation::kind_of;
use traceloupe_core::json::{Json, KeySet, Kind};
use traceloupe_core::model::TraceBuilder;
use traceloupe_core::warning_code::WarningCode;
use traceloupe_engine::described::Watch;
use traceloupe_engine::{LineCounter, Record};

/// The parts of a file that have been seen.
#[derive(Debug, Default)]
struct Seen {
    any: bool,
    metadata: bool,
    list: bool,
    object: bool,
    /// Whether the mix of both was already reported.
    mixed: bool,
    indices: FxHashSet<String>,
}

/// Checks the records of a file.
pub(super) fn watch() -> Watch {
    let mut seen = Seen::default();
    Box::new(move |record, out| seen.look(record, out))
}

fn refuse(record: &Record<'_>, why: &str, out: &mut TraceBuilder) {
    out.warn(WarningCode::ExplorerRefuses, &record.place(), why);
}

impl Seen {
    fn look(&mut self, record: &Record<'_>, out: &mut TraceBuilder) {
        let is_first = !std::mem::replace(&mut self.any, true);
        let [messages, metadata, role, annotations] = record
            .json
            .fields(const { &KeySet::new(["messages", "metadata", "role", "annotations"]) })
            .unwrap_or_default();
        let messages = match record.json.kind() {
            Kind::Array => {
                self.list = true;
                record.json
            }
            _ if messages.kind() == Kind::Array && role.is_absent() => {
                self.object = true;
                self.check_index(record, out);
                messages
            }
            _ if messages.is_absent() && metadata.present().is_some() && role.is_absent() => {
                if self.metadata {
                    refuse(record, "the metadata row can appear at most once in the file", out);
                } else if !is_first {
                    refuse(record, "the metadata row must be the first row in the file", out);
                }
                self.metadata = true;
                return;
            }
            _ => return message(record, out),
        };
        if self.list && self.object && !self.mixed {
            self.mixed = true;
            let why = "the file contains both raw event lists and annotated event lists";
            refuse(record, why, out);
        }
        let mut line = LineCounter::new(record);
        for (at, item) in messages.items().enumerate() {
            let is_metadata =
                at == 0 && item.get("metadata").is_given() && item.get("role").is_absent();
            if !(is_metadata && record.json.kind() == Kind::Array) {
                message(&line.place(record.inner(item)), out);
            }
        }
        for _ in annotations.items().filter(|it| kind_of(it.raw()).is_none()) {
            refuse(record, "an annotation lacks its content or its address", out);
        }
    }

    fn check_index(&mut self, record: &Record<'_>, out: &mut TraceBuilder) {
        let index = record.json.field("index").raw();
        if index.is_empty() {
            if !self.indices.is_empty() {
                refuse(record, "`index` is found in some traces and missing in others", out);
            }
        } else if !index.bytes().all(|it| it.is_ascii_digit() || it == b'-') {
            let index: String = index.chars().take(40).collect();
            refuse(record, &format!("invalid index {index}: it must be an integer"), out);
        } else if !self.indices.insert(index.to_owned()) {
            refuse(record, &format!("duplicate index {index}"), out);
        }
    }
}

/// A message, or a tool call by itself.
fn message(record: &Record<'_>, out: &mut TraceBuilder) {
    let keys = const { &KeySet::new(["role", "content", "tool_calls", "type", "function"]) };
    let Some([role, content, calls, kind, function]) = record.json.fields(keys) else {
        return refuse(record, "an event is no object", out);
    };
    let is_one_of = |value: Json<'_>, kinds: &[Kind]| kinds.contains(&value.kind());
    if role.kind() == Kind::String {
        if !is_one_of(content, &[Kind::Absent, Kind::Null, Kind::String, Kind::Array]) {
            refuse(record, "`content` of a message has another type", out);
        } else if !is_one_of(calls, &[Kind::Absent, Kind::Null, Kind::Array]) {
            refuse(record, "`tool_calls` of a message has another type", out);
        }
    } else if !role.is_absent() {
        refuse(record, "the role of a message is no string", out);
    } else if function.is_absent() && !kind.is("function") {
        refuse(record, "an event has no role and is no tool call", out);
    } else if function.get("arguments").kind() != Kind::Object {
        refuse(record, "the arguments of a tool call are no object", out);
    }
}
