//! The one-line summaries of rows.

use super::preview_references::resolved;
use super::read_together::read_together;
use super::store::Store;
use crate::answers::Answers;
use crate::render::call_preview::{call_preview, directory_of_run};
use crate::render::preview::{
    ASKS, CALL_BYTES, MESSAGE_BYTES, PREVIEW_BYTES, asking, preview, prose_preview, text_preview,
};
use traceloupe_core::json::decode_inner;
use traceloupe_core::model::{Event, EventId, EventKind, Flags, RunId, Span, Trace};
use traceloupe_protocol::preview::Preview;

/// The summaries of events, in the order of `ids`.
pub(super) fn previews<S: Store>(answers: &Answers<'_, S>, ids: &[u32]) -> Vec<(u32, Preview)> {
    let mut previews: Vec<(u32, Preview)> =
        ids.iter().map(|id| (*id, Preview::default())).collect();
    let mut wanted: Vec<Wanted<'_>> = Vec::with_capacity(ids.len());
    for (at, id) in ids.iter().enumerate() {
        let event_id = EventId::from_index(*id as usize);
        let Some(event) = answers.trace.event(event_id) else { continue };
        if let Some(json) = answers.trace.own_summary(event_id) {
            if let Some((_, text)) = previews.get_mut(at) {
                let directory = directory_of_run(answers.trace, event.run);
                let json = resolved(answers, event.run, json.as_bytes());
                *text = summarise(event)(&json, directory);
            }
            continue;
        }
        let Some(span) = answers.trace.summary_span(event) else { continue };
        wanted.push(Wanted {
            at,
            preview: summarise(event),
            run: event.run,
            directory: directory_of_run(answers.trace, event.run),
            span: Span { len: span.len.min(len_bytes(event.kind)), ..span },
            form: if event.flags.has(Flags::ESCAPED) {
                SummaryForm::Escaped
            } else if event.flags.has(Flags::MID_STRING) {
                SummaryForm::MidString
            } else {
                SummaryForm::Json
            },
        });
    }
    read_together(
        answers,
        &mut wanted,
        |it| it.span,
        |it, own| {
            let Some((_, text)) = previews.get_mut(it.at) else { return };
            let Ok(own) = own else {
                text.is_unreadable = true;
                return;
            };
            *text = match it.form {
                SummaryForm::Json => (it.preview)(&resolved(answers, it.run, own), it.directory),
                SummaryForm::MidString => text_preview(own).into(),
                SummaryForm::Escaped => (it.preview)(decode_inner(own).as_bytes(), it.directory),
            };
        },
    );
    for (id, preview) in previews.iter_mut().filter(|(_, preview)| !preview.is_unreadable) {
        let event = answers.trace.event(EventId::from_index(*id as usize));
        let name = event.map_or("", |event| answers.trace.name(event.name));
        let text = std::mem::take(&mut preview.text);
        preview.text = match event {
            Some(event) if event.kind == EventKind::ToolCall => without_first(text, name),
            Some(event) if only_calls(event) => with_calls(text, *id, answers.trace),
            _ => without_name(text, name),
        };
    }
    previews
}

/// Removes the type from a summary if the row already has it as its name.
fn without_name(text: String, name: &str) -> String {
    let typed = format!("type: \"{name}\"");
    match text.split_once(&typed) {
        Some((before, "")) => before.trim_end_matches(", ").to_owned(),
        Some((before, after))
            if after.starts_with(", ") && (before.is_empty() || before.ends_with(", ")) =>
        {
            format!("{before}{}", after.trim_start_matches(", "))
        }
        _ => text,
    }
}

/// Removes the first word of a call's summary if that is the name of the tool, such as a command of an editor.
fn without_first(text: String, name: &str) -> String {
    match text.strip_prefix(name).filter(|_| !name.is_empty()) {
        Some("") => String::new(),
        Some(rest) if rest.starts_with(' ') => rest.trim_start().to_owned(),
        _ => text,
    }
}

/// Whether an event is an LLM call that only requests tool calls.
fn only_calls(event: &Event) -> bool {
    event.kind == EventKind::LlmCall && event.flags.has(Flags::ONLY_CALLS)
}

/// The most calls that are named.
const MAX_CALLS: u32 = 8;

/// The summary of an LLM call that only requests calls. The name of the tool is added if `text` consists of arguments
/// only, and the names of all tools if there are several.
fn with_calls(text: String, id: u32, trace: &Trace) -> String {
    if text.starts_with(ASKS) {
        return text;
    }
    let asked_by = Some(EventId::from_index(id as usize));
    let next = (id.saturating_add(1)..=id.saturating_add(MAX_CALLS)).map_while(|at| {
        trace.event(EventId::from_index(at as usize)).filter(|call| call.parent() == asked_by)
    });
    let calls = next.filter(|call| call.kind == EventKind::ToolCall);
    let names: Vec<&str> =
        calls.map(|call| trace.name(call.name)).filter(|it| !it.is_empty()).collect();
    if names.is_empty() { text } else { asking(&names, &text) }
}

/// How the value of an event is turned into its summary.
fn summarise(event: &Event) -> Summarise {
    match event.kind {
        EventKind::ToolCall => call_preview,
        EventKind::LlmCall if only_calls(event) => |bytes, directory| {
            let said = prose_preview(bytes);
            match said.starts_with(ASKS) {
                true => said.into(),
                false => Preview::from(call_preview(bytes, directory).text),
            }
        },
        EventKind::UserMessage | EventKind::LlmCall | EventKind::Agent => {
            |bytes, _| prose_preview(bytes).into()
        }
        _ => |bytes, _| preview(bytes).into(),
    }
}

/// How many bytes of the value are read.
fn len_bytes(kind: EventKind) -> u32 {
    match kind {
        EventKind::ToolCall => CALL_BYTES,
        EventKind::UserMessage => MESSAGE_BYTES,
        _ => PREVIEW_BYTES,
    }
}

/// Makes a summary of a JSON value, in a run with this working directory.
type Summarise = fn(&[u8], &str) -> Preview;

/// The span of a summary, and its index in the response.
#[derive(Debug)]
struct Wanted<'a> {
    at: usize,
    preview: Summarise,
    run: RunId,
    directory: &'a str,
    span: Span,
    form: SummaryForm,
}

/// How the bytes of a summary are parsed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SummaryForm {
    /// A JSON value.
    Json,
    /// The rest of a JSON string.
    MidString,
    /// A JSON value inside a JSON string.
    Escaped,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_row_is_not_repeated() {
        let of = |text: &str| without_name(text.to_owned(), "note");
        assert_eq!(of(r#"type: "note", n: 1"#), "n: 1");
        assert_eq!(of(r#"a: 1, type: "note", n: 1"#), "a: 1, n: 1");
        assert_eq!(of(r#"n: 1, type: "note""#), "n: 1");
        assert_eq!(of(r#"type: "note""#), "");
        assert_eq!(of(r#"type: "other", n: 1"#), r#"type: "other", n: 1"#);
        assert_eq!(of(r#"subtype: "note", n: 1"#), r#"subtype: "note", n: 1"#);
    }

    #[test]
    fn a_call_does_not_begin_with_its_own_name() {
        let of = |text: &str, name: &str| without_first(text.to_owned(), name);
        assert_eq!(of("create a.py", "create"), "a.py");
        assert_eq!(of("submit", "submit"), "");
        assert_eq!(of("created a.py", "create"), "created a.py");
        assert_eq!(of("a.py", ""), "a.py");
    }
}
