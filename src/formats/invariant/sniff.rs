//! How sure it is that records are Explorer's.

use crate::formats::{Probe, ProbeRecord, Verdict};

/// What a record can be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// `{"metadata": …}` alone.
    Metadata,
    /// A list of messages.
    List,
    /// A list of messages behind its metadata.
    ListWithMetadata,
    /// `{"messages": […]}`.
    Row,
    /// The same with keys that only Explorer writes beside it.
    OwnRow,
    /// A message.
    Message,
    /// A tool call by itself.
    Call,
    /// A trace without messages, which says nothing.
    Empty,
    /// A message as only another program writes it.
    Foreign,
    Other,
}

/// The verdict.
pub(super) fn verdict(probe: &Probe<'_>) -> Verdict {
    let shapes: Vec<Shape> = probe.records.iter().map(shape).collect();
    let n = |wanted: &[Shape]| shapes.iter().filter(|shape| wanted.contains(shape)).count();
    let n_rows = n(&[Shape::List, Shape::ListWithMetadata, Shape::Row, Shape::OwnRow]);
    let n_messages = n(&[Shape::Message, Shape::Call]);
    if shapes.contains(&Shape::Foreign) {
        return Verdict::No;
    }
    let n_empty = n(&[Shape::Empty]);
    let n_known = n_empty + n_rows + n_messages + n(&[Shape::Metadata]);
    if n_rows + n_messages == 0 || n_known * 4 < shapes.len() * 3 {
        return Verdict::No;
    }
    let begins_with_metadata = shapes.first() == Some(&Shape::Metadata) && n_rows > 0;
    if begins_with_metadata {
        let why = "a line with `metadata` stands before traces of messages";
        return Verdict::Certain(why.to_owned());
    }
    if shapes.contains(&Shape::ListWithMetadata) {
        return Verdict::Certain("lists of messages begin with their `metadata`".to_owned());
    }
    if shapes.contains(&Shape::OwnRow) {
        let why = "traces have `messages` with `annotations`, `index` or `hierarchy_path`";
        return Verdict::Certain(why.to_owned());
    }
    if shapes.first() == Some(&Shape::Metadata) {
        return Verdict::Likely("a list of messages begins with its `metadata`".to_owned());
    }
    if n_rows > 0 {
        return Verdict::Maybe("each record is a list of messages with roles".to_owned());
    }
    Verdict::Maybe("the records are messages with roles".to_owned())
}

fn shape(record: &ProbeRecord<'_>) -> Shape {
    if record.is_empty_list() || record.get("messages") == Some("[]") {
        return Shape::Empty;
    }
    let items = record.items(2);
    if let Some(first) = items.first() {
        let is_metadata = first.has("metadata") && !first.has("role");
        return match (is_metadata, items.get(1)) {
            (true, Some(second)) if is_event(second) => Shape::ListWithMetadata,
            (false, _) if is_event(first) => Shape::List,
            _ => Shape::Other,
        };
    }
    if record.has("messages") && !record.has("role") {
        let messages = record.list("messages", 1);
        if !messages.first().is_some_and(is_event) {
            return Shape::Other;
        }
        let has_annotations = record.get("annotations").is_some_and(|it| it.starts_with('['));
        let is_own = has_annotations
            || record.has("hierarchy_path")
            || record.has("index") && (record.has("metadata") || record.has("id"));
        return if is_own { Shape::OwnRow } else { Shape::Row };
    }
    if is_event(record) {
        return if record.has("role") { Shape::Message } else { Shape::Call };
    }
    // Calls with `tool`, `input` and `output` are AgentV's.
    let calls = record.list("tool_calls", 1);
    if record.has("role") && calls.first().is_some_and(|call| call.has("tool")) {
        return Shape::Foreign;
    }
    let is_metadata = record.object("metadata").is_some() && record.keys().count() == 1;
    if is_metadata { Shape::Metadata } else { Shape::Other }
}

/// Whether an object is a message or a tool call in the shape of OpenAI.
fn is_event(record: &ProbeRecord<'_>) -> bool {
    // Rows that name their own format are not ours.
    if record.has("schema_version") {
        return false;
    }
    if record.has("role") {
        let has_role = record.str("role").is_some();
        let calls = record.list("tool_calls", 1);
        return has_role && calls.first().is_none_or(|call| call.has("function"));
    }
    record.str("type") == Some("function")
        && record.object("function").is_some_and(|function| function.has("name"))
}
