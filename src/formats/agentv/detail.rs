//! What an opened row shows. The records of an event say themselves what they are.

use super::detail_call;
use super::detail_grading;
use super::grading::GRADING;
use super::members::Members;
use super::shape::{MESSAGE_LISTS, Shape};
use super::spans::Span;
use super::turns::REPEATED;
use crate::formats::by_hand::Shown;
use crate::formats::fields::{items, text, word};
use crate::formats::shapes::openai::{message, response};
use crate::formats::{EventRecords, RecordText};
use crate::json::Json;
use crate::model::{Block, Content, Detail, EventKind, Flags};

/// Fills in the detail of an event.
pub(super) fn detail(event: &EventRecords<'_>, out: &mut Detail) {
    let Some(first) = event.records.first() else { return };
    out.native_id = native_id(&first.text, event.event.id_hash);
    match event.event.kind {
        EventKind::ToolCall => detail_call::call(event.records, out),
        EventKind::RunStart | EventKind::Agent => {
            for record in event.records {
                run_start(record, out);
            }
        }
        EventKind::Note if event.trace.name(event.event.name) == GRADING => {
            detail_grading::grading(event.records, out);
        }
        EventKind::UserMessage
        | EventKind::SystemMessage
        | EventKind::LlmCall
        | EventKind::Error
        | EventKind::Note => {
            // Other files of the run may have the same words: the first one that has any counts.
            let mut is_told = false;
            for record in event.records {
                is_told |= spoken(record, event, is_told, out);
            }
        }
        _ => {}
    }
    if out.blocks.is_empty() {
        let mut shown = Shown::new(first, out);
        let value = shown.value(&first.text);
        shown.push(Block::Json("Record", value));
    }
    marks(event, out);
}

fn marks(event: &EventRecords<'_>, out: &mut Detail) {
    if event.event.flags.has(Flags::INFERRED_TIME) {
        out.blocks.push(Block::Note(
            "It begins with the run: AgentV writes that also where it does not know when"
                .to_owned(),
        ));
    }
    if event.event.kind == EventKind::LlmCall && event.event.selector == REPEATED {
        out.blocks.push(Block::Note(
            "AgentV wrote the answer before the calls as well; it is the next message".to_owned(),
        ));
    }
}

/// The id of the span, if that is what the event is known by.
fn native_id(raw: &str, id_hash: u64) -> Option<String> {
    let members = Members::new(raw)?;
    let id = word(members.get("span_id")).or(word(members.object("trace").get("span_id")))?;
    (crate::model::key_hash(&[&id]) == id_hash).then(|| id.into_owned())
}

/// Words of a person, of the system, of the model; an error. Returns whether there were any.
fn spoken(record: &RecordText, event: &EventRecords<'_>, is_told: bool, out: &mut Detail) -> bool {
    let mut shown = Shown::new(record, out);
    if let Some(span) = Span::new(Json::new(&record.text)) {
        return span_words(&mut shown, &span, is_told);
    }
    let Some(members) = Members::new(&record.text) else { return false };
    let kind = event.event.kind;
    let shape = Members::new(&record.text).and_then(|members| Shape::of(&members));
    let shape = shape.map(|(shape, _)| shape);
    if let Some(Shape::Row | Shape::Fixture | Shape::Answer | Shape::Messages) = shape {
        return of_row(&mut shown, &members, kind, is_told);
    }
    if members.has("attributes") {
        let attributes = members.object("attributes");
        let of = |name| attributes.get(name);
        shown.error_parts(
            of("exception.type"),
            of("exception.message"),
            of("exception.stacktrace"),
        );
        return true;
    }
    if shape.is_some_and(|it| {
        !matches!(it, Shape::TranscriptRow | Shape::Turn | Shape::Message | Shape::TraceEvent)
    }) {
        document(&mut shown, &members);
        return false;
    }
    let told = words_of(&mut shown, &members, &record.text, kind, is_told);
    let usage = members.any(&["token_usage", "usage"]);
    shown.all_fields("Usage", usage);
    shown.fields("Other fields", &members.rest(&KNOWN));
    told
}

/// The members of a message that have a place of their own, or are another event.
const KNOWN: [&str; 9] = [
    "role",
    "content",
    "tool_calls",
    "token_usage",
    "usage",
    "text",
    "type",
    "schema_version",
    "error",
];

fn words_of(
    shown: &mut Shown<'_, '_>,
    members: &Members<'_>,
    raw: &str,
    kind: EventKind,
    is_told: bool,
) -> bool {
    if kind == EventKind::Error {
        shown.error_parts(None, members.any(&["text", "message", "error", "output"]), None);
        return true;
    }
    if is_told {
        return true;
    }
    let whole = message(raw, &|raw| shown.value(raw));
    // Calls are events of their own.
    let mut content = whole.content;
    content.retain(|piece| !matches!(piece, Content::ToolUse(..) | Content::ToolResult(_)));
    let is_call = |raw: &str| {
        Members::new(raw).is_some_and(|block| {
            matches!(text(block.get("type")).as_deref(), Some("tool_use" | "toolCall"))
                || block.has("tool")
        })
    };
    // What `message` does not know of a call it has left whole.
    let n_calls = members.get("tool_calls").map(items).unwrap_or_default().len();
    let blocks = members.get("content").map(items).unwrap_or_default();
    let n_others = n_calls + blocks.iter().filter(|raw| is_call(raw)).count();
    let n_whole = content.iter().filter(|piece| matches!(piece, Content::Other(_))).count();
    let mut n_left_out = n_others.min(n_whole);
    content.reverse();
    content.retain(|piece| {
        let is_out = n_left_out > 0 && matches!(piece, Content::Other(_));
        n_left_out -= usize::from(is_out);
        !is_out
    });
    content.reverse();
    if content.is_empty()
        && let Some(told) = members.get("text").filter(|raw| raw.starts_with('"'))
    {
        content.push(Content::Text(shown.value(told)));
    }
    if content.is_empty() {
        return false;
    }
    let title = if kind == EventKind::LlmCall { "Response" } else { "Message" };
    if let [Content::Text(only)] = content.as_slice() {
        shown.push(Block::Text(title, only.clone()));
    } else {
        let role = text(members.any(&["role", "type"])).unwrap_or_default().into_owned();
        let message = crate::model::Message { role, name: whole.name, content };
        shown.push(Block::Messages(title, vec![message], 0));
    }
    true
}

fn span_words(shown: &mut Shown<'_, '_>, span: &Span<'_>, is_told: bool) -> bool {
    let of = |name: &str| span.attributes.get(name);
    let status = span.members.object("status");
    shown.error_parts(None, status.get("message"), None);
    let told = of("gen_ai.output.messages");
    if let Some(raw) = told.filter(|_| !is_told) {
        for block in response(raw, &|raw| shown.value(raw)) {
            shown.push(block);
        }
    }
    shown.fields("Attributes", &span.attributes.rest(&["gen_ai.output.messages"]));
    told.is_some()
}

/// What a row says: what was asked, what was answered, why it failed.
fn of_row(shown: &mut Shown<'_, '_>, row: &Members<'_>, kind: EventKind, is_told: bool) -> bool {
    match kind {
        EventKind::Error => {
            shown.error_parts(row.get("failure_reason_code"), row.get("error"), None);
            let stage = [("stage", row.get("failure_stage"))];
            shown.fields("Failure", &stage);
            true
        }
        EventKind::UserMessage if !is_told => {
            let asked = row.any(&["input", "input_messages"]);
            let asked = asked.or(row.object("lm_provider_request").get("question"));
            shown.prompt(asked, &[]);
            let request = row.get("lm_provider_request");
            shown.rest("Request", request, &["question"]);
            true
        }
        EventKind::LlmCall if !is_told => {
            let names = ["output", "candidate_answer", "answer", "output_text", "text"];
            shown.response(row.any(&names));
            true
        }
        EventKind::Note => {
            document(shown, row);
            true
        }
        _ => is_told,
    }
}

/// The root span of a run, a sub-agent's span, or the document around them.
fn run_start(record: &RecordText, out: &mut Detail) {
    let mut shown = Shown::new(record, out);
    if let Some(span) = Span::new(Json::new(&record.text)) {
        shown.error_parts(None, span.members.object("status").get("message"), None);
        shown.fields("Run", &span.attributes.rest(&[]));
        let known = ["attributes", "events", "trace_id", "span_id", "parent_span_id", "status"];
        shown.fields("Span", &span.members.rest(&known));
        return;
    }
    if let Some(members) = Members::new(&record.text) {
        document(&mut shown, &members);
    }
}

/// What a document says beside the events that are made of it.
fn document(shown: &mut Shown<'_, '_>, members: &Members<'_>) {
    let lists = ["trace", "spans", "turns", "scores"];
    let objects = ["eval", "source", "capture", "artifacts", "metrics", "transcript_summary"];
    let titles = ["Evaluation", "Source", "Capture", "Artifacts", "Metrics", "Transcript summary"];
    for (name, title) in objects.iter().zip(titles) {
        shown.all_fields(title, members.get(name));
    }
    let known: Vec<&str> = lists.iter().chain(&objects).chain(&MESSAGE_LISTS).copied().collect();
    shown.fields("Document", &members.rest(&known));
}
