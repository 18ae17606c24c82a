//! References inside objects and lists: strings that are names of values elsewhere in the file. An opened row shows the
//! object with the values in their place.

use super::detail::anchor;
use crate::EventRecords;
use crate::kit::Description;
use traceloupe_core::json::{Json, TokenKind, Tokens};
use traceloupe_core::model::Span;

/// The longest record whose references are read. A document around other records may be longer.
const MAX_RECORD_BYTES: usize = 1 << 20;

/// The longest value that is put in place of a reference, and the longest object that has some.
const MAX_RESOLVED_BYTES: usize = 256 << 10;

/// The references among the strings of a JSON value: where each one is, and the place of its value.
fn references<'v>(
    description: &'v Description<'_>,
    json: &'v str,
    event: &'v EventRecords<'_>,
) -> impl Iterator<Item = (std::ops::Range<usize>, Span)> + 'v {
    let strings = Tokens::new(json.as_bytes()).filter(|token| token.kind == TokenKind::String);
    strings.filter_map(move |token| {
        let range = token.start..token.end;
        let name = description.referred(Json::new(json.get(range.clone())?))?;
        Some((range, anchor(event, name)?.span))
    })
}

/// Adds the places of the values to which a record refers.
pub(super) fn add(
    description: &Description<'_>,
    record: &str,
    event: &EventRecords<'_>,
    spans: &mut Vec<Span>,
) {
    if description.has_no_references() || record.len() > MAX_RECORD_BYTES {
        return;
    }
    for (_, span) in references(description, record, event) {
        if span.len as usize <= MAX_RESOLVED_BYTES && !spans.contains(&span) {
            spans.push(span);
        }
    }
}

/// An object or a list with the values to which it refers in place of the references. `None` if it has no reference
/// whose value was read.
pub(super) fn resolved(
    description: &Description<'_>,
    value: Json<'_>,
    event: &EventRecords<'_>,
) -> Option<String> {
    let raw = value.raw();
    let may_refer = raw.starts_with(['{', '[']) && !description.has_no_references();
    if !may_refer || raw.len() > MAX_RESOLVED_BYTES {
        return None;
    }
    let (mut resolved, mut at) = (String::new(), 0);
    for (range, span) in references(description, raw, event) {
        if let Some(found) = event.referred.iter().find(|it| it.place.span == span) {
            resolved.push_str(raw.get(at..range.start)?);
            resolved.push_str(&found.text);
            at = range.end;
        }
    }
    (at > 0).then(|| resolved + raw.get(at..).unwrap_or_default())
}
