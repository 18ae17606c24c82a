//! The one-line summaries of rows.

use super::answers::Answers;
use super::store::Store;
use crate::view::call_preview::call_preview;
use crate::view::preview::{
    CALL_BYTES, PREVIEW_BYTES, UNREADABLE, preview, prose_preview, text_preview,
};
use traceloupe::json::decode_inner;
use traceloupe::model::{EventId, EventKind, Flags, Span};
use traceloupe::view::wire::preview::Preview;

/// Spans with a smaller gap between them are read together: reading the gap costs less than a second read.
const MAX_GAP_BYTES: u64 = 32 << 10;

/// The summaries of events, in the order of `ids`.
pub(super) fn previews<S: Store>(answers: &Answers<'_, S>, ids: &[u32]) -> Vec<(u32, Preview)> {
    let mut previews: Vec<(u32, Preview)> =
        ids.iter().map(|id| (*id, Preview::default())).collect();
    let mut wanted: Vec<Wanted> = Vec::with_capacity(ids.len());
    for (at, id) in ids.iter().enumerate() {
        let event_id = EventId::from_index(*id as usize);
        let Some(event) = answers.trace.event(event_id) else { continue };
        if let Some(json) = answers.trace.own_summary(event_id) {
            if let Some((_, text)) = previews.get_mut(at) {
                *text = of_kind(event.kind)(json.as_bytes());
            }
            continue;
        }
        let Some(span) = answers.trace.summary_span(event) else { continue };
        wanted.push(Wanted {
            at,
            preview: of_kind(event.kind),
            span: Span { len: span.len.min(len_bytes(event.kind)), ..span },
            form: if event.flags.has(Flags::ESCAPED) {
                Form::Escaped
            } else if event.flags.has(Flags::MID_STRING) {
                Form::MidString
            } else {
                Form::Json
            },
        });
    }
    for (range, group) in grouped(&mut wanted) {
        let bytes = answers.read(range);
        for Wanted { at, preview, span, form } in group {
            let Some((_, text)) = previews.get_mut(*at) else { continue };
            let Ok(bytes) = &bytes else {
                UNREADABLE.clone_into(&mut text.text);
                continue;
            };
            let from = usize::try_from(span.start - range.start).unwrap_or(usize::MAX);
            let own = bytes.get(from..).unwrap_or_default();
            let own = own.get(..span.len as usize).unwrap_or(own);
            *text = match form {
                Form::Json => preview(own),
                Form::MidString => text_preview(own).into(),
                Form::Escaped => preview(decode_inner(own).as_bytes()),
            };
        }
    }
    for (id, preview) in &mut previews {
        let event = answers.trace.event(EventId::from_index(*id as usize));
        let name = event.map_or("", |event| answers.trace.name(event.name));
        let text = std::mem::take(&mut preview.text);
        preview.text = match event.map(|event| event.kind) {
            Some(EventKind::ToolCall) => without_first(text, name),
            _ => without_name(text, name),
        };
    }
    previews
}

/// A summary without the type that is the name of the row as well.
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

/// The summary of a call without its first word if that is the name of the tool: the command of an editor.
fn without_first(text: String, name: &str) -> String {
    match text.strip_prefix(name).filter(|_| !name.is_empty()) {
        Some("") => String::new(),
        Some(rest) if rest.starts_with(' ') => rest.trim_start().to_owned(),
        _ => text,
    }
}

/// How the value of an event becomes its summary.
fn of_kind(kind: EventKind) -> Summarise {
    match kind {
        EventKind::ToolCall => call_preview,
        EventKind::UserMessage | EventKind::LlmCall => |bytes| prose_preview(bytes).into(),
        _ => |bytes| preview(bytes).into(),
    }
}

/// How many bytes of the value are read.
fn len_bytes(kind: EventKind) -> u32 {
    if kind == EventKind::ToolCall { CALL_BYTES } else { PREVIEW_BYTES }
}

/// Makes a summary of a JSON value.
type Summarise = fn(&[u8]) -> Preview;

/// The span of a summary, and its index in the answer.
#[derive(Debug)]
struct Wanted {
    at: usize,
    preview: Summarise,
    span: Span,
    form: Form,
}

/// How the bytes of a summary are to be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// A JSON value.
    Json,
    /// The rest of a JSON string.
    MidString,
    /// A JSON value inside a JSON string.
    Escaped,
}

/// Puts spans that are near each other into groups, each with the range that holds all its spans.
fn grouped(wanted: &mut [Wanted]) -> Vec<(Span, &[Wanted])> {
    traceloupe::order::sort_by_key(wanted, |it| (it.span.source, it.span.start));
    let mut groups = Vec::new();
    let mut rest: &[Wanted] = wanted;
    while let Some(first) = rest.first() {
        // A span may lie inside another one, so the last one to start need not be the last one to end.
        let mut end = first.span.start;
        let n = rest
            .iter()
            .take_while(|Wanted { span, .. }| {
                let is_near = span.source == first.span.source
                    && span.start.saturating_sub(end) <= MAX_GAP_BYTES;
                end = if is_near { end.max(span.start + u64::from(span.len)) } else { end };
                is_near
            })
            .count();
        let Some((group, after)) = rest.split_at_checked(n.max(1)) else { break };
        let len = u32::try_from(end - first.span.start).unwrap_or(u32::MAX);
        groups.push((Span { len, ..first.span }, group));
        rest = after;
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe::model::SourceId;

    fn wanted(at: usize, source: usize, start: u64, len: u32) -> Wanted {
        let span = Span { source: SourceId::from_index(source), start, len };
        Wanted { at, preview: |_| Preview::default(), span, form: Form::Json }
    }

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

    #[test]
    fn a_group_is_read_to_the_furthest_end() {
        let far = 1_000 + MAX_GAP_BYTES;
        let mut all = [
            wanted(0, 0, far + 1_000, 50),
            wanted(1, 0, 100, 2_000),
            wanted(2, 0, 150, 20),
            wanted(3, 0, 2_100 + MAX_GAP_BYTES, 7),
            wanted(4, 1, 2_000, 7),
            wanted(5, 0, 9_999_999, 1),
        ];
        let groups: Vec<_> = grouped(&mut all)
            .into_iter()
            .map(|(range, group)| {
                let ids: Vec<usize> = group.iter().map(|it| it.at).collect();
                (range.source.index(), range.start, range.len, ids)
            })
            .collect();
        let gap = u32::try_from(MAX_GAP_BYTES).unwrap();
        assert_eq!(
            groups,
            [
                (0, 100, 2_000 + gap + 7, vec![1, 2, 0, 3]),
                (0, 9_999_999, 1, vec![5]),
                (1, 2_000, 7, vec![4]),
            ]
        );
    }
}
