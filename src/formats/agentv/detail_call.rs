//! An opened tool call: arguments, result, error, from whatever records it has.

use super::events::Call;
use super::members::Members;
use super::spans::Span;
use crate::formats::RecordText;
use crate::formats::by_hand::Shown;
use crate::json::Json;
use crate::model::{Block, Detail};

/// The parts of a call that its record has.
#[derive(Default)]
struct Parts<'a> {
    error: Option<&'a str>,
    input: Option<&'a str>,
    output: Option<&'a str>,
    others: Vec<(String, &'a str)>,
}

/// Shows a call. Several files of a run may tell of it: what one has shown, another does not repeat.
pub(super) fn call(records: &[RecordText], out: &mut Detail) {
    let parts: Vec<(Parts<'_>, &RecordText)> =
        records.iter().map(|record| (Parts::of(&record.text), record)).collect();
    let first = |get: &dyn Fn(&Parts<'_>) -> bool| parts.iter().find(|(parts, _)| get(parts));
    if let Some((with, record)) = first(&|parts| parts.error.is_some()) {
        Shown::new(record, out).error_parts(None, with.error, None);
    }
    if let Some((with, record)) = first(&|parts| parts.input.is_some()) {
        let mut shown = Shown::new(record, out);
        let value = shown.data(with.input.unwrap_or_default());
        shown.push(Block::Arguments(value));
    }
    if let Some((with, record)) = first(&|parts| parts.output.is_some()) {
        let mut shown = Shown::new(record, out);
        let value = shown.data(with.output.unwrap_or_default());
        shown.push(Block::Result(value));
    }
    for (with, record) in &parts {
        let others: Vec<_> =
            with.others.iter().map(|(key, raw)| (key.as_str(), Some(*raw))).collect();
        Shown::new(record, out).fields("Other fields", &others);
    }
}

/// The members of a call that have a place of their own.
const KNOWN: [&str; 12] = [
    "tool",
    "name",
    "input",
    "arguments",
    "args",
    "parameters",
    "output",
    "function",
    "type",
    "error",
    "trace",
    "message",
];

impl<'a> Parts<'a> {
    fn of(raw: &'a str) -> Self {
        if let Some(span) = Span::new(Json::new(raw)) {
            let of = |name: &str| span.attributes.get(name);
            return Self {
                error: span.members.object("status").get("message"),
                input: of("gen_ai.tool.call.arguments"),
                output: of("gen_ai.tool.call.result"),
                others: owned(
                    span.attributes
                        .rest(&["gen_ai.tool.call.arguments", "gen_ai.tool.call.result"]),
                ),
            };
        }
        let Some(members) = Members::new(raw) else { return Self::default() };
        let Some(call) = Call::new(raw) else { return Self::default() };
        let is_message = members.has("role");
        Self {
            error: members.get("error"),
            input: call.input.map(Json::raw),
            output: if is_message { members.get("content") } else { call.output.map(Json::raw) },
            others: owned(members.rest(&KNOWN)),
        }
    }
}

fn owned<'a>(rest: Vec<(&str, Option<&'a str>)>) -> Vec<(String, &'a str)> {
    rest.into_iter().filter_map(|(key, raw)| Some((key.to_owned(), raw?))).collect()
}
