//! The fields of a record that its description does not cover.

use std::ops::Range;

use super::table;
use crate::kit::{Description, Item, Joins, Located, Msg, Part, has_content};
use traceloupe_core::json::{Json, Kind};
use traceloupe_core::sorting::sort_by_key;

/// The ranges of a record that its description shows.
#[derive(Debug)]
pub struct Cited(Vec<Range<usize>>);

impl Cited {
    /// The ranges of everything in a description.
    #[must_use]
    pub fn of(description: &Description<'_>) -> Self {
        let mut cited = Vec::new();
        let mut add = |value: Json<'_>| match description.locate(value) {
            Located::Direct(range) | Located::Escaped(range) if !range.is_empty() => {
                cited.push(range);
            }
            _ => {}
        };
        let run = &description.run;
        [
            run.key,
            run.agent.id(),
            run.agent.name,
            run.titles.own,
            run.titles.request,
            run.models.name,
        ]
        .into_iter()
        .for_each(&mut add);
        add(run.about.groups);
        run.about.facts.iter().for_each(|(_, value)| add(*value));
        description.annotations.iter().for_each(|(_, value)| add(*value));
        description.items.iter().for_each(|item| cite_item(item, &mut add));
        sort_by_key(&mut cited, |range| (range.start, std::cmp::Reverse(range.end)));
        Self(cited)
    }

    /// Whether a range is within a shown one.
    fn covers(&self, range: &Range<usize>) -> bool {
        let end = self.0.partition_point(|it| it.start <= range.start);
        // Shown values may be nested, so the last one before a range need not be the one that extends furthest.
        self.0.get(..end).unwrap_or_default().iter().rev().any(|it| range.end <= it.end)
    }

    /// Whether anything inside a range is shown.
    fn touches(&self, range: &Range<usize>) -> bool {
        let at = self.0.partition_point(|it| it.start < range.start);
        self.0.get(at).is_some_and(|it| it.start < range.end)
    }
}

fn cite_item(item: &Item<'_>, add: &mut dyn FnMut(Json<'_>)) {
    [item.id, item.span.id, item.span.parent, item.row.summary].into_iter().for_each(&mut *add);
    item.row.told.iter().copied().for_each(&mut *add);
    if let Joins::Id(id) | Joins::Named(id) = item.joining() {
        add(id);
    }
    cite_parts(&item.parts, add);
}

fn cite_parts(parts: &[Part<'_>], add: &mut dyn FnMut(Json<'_>)) {
    for part in parts {
        match part {
            Part::Text(value)
            | Part::Thinking(value)
            | Part::Call(_, value)
            | Part::Arguments(value)
            | Part::Result(value)
            | Part::Prompt(value)
            | Part::Answer(value)
            | Part::Media(_, value)
            | Part::Field(_, value)
            | Part::Value(_, value)
            | Part::Code(_, _, value)
            | Part::Members(_, value)
            | Part::Log(_, value) => add(*value),
            Part::Error(kind, message, stack) => {
                [*kind, *message, *stack].into_iter().for_each(&mut *add);
            }
            Part::Messages(_, messages) => {
                messages.iter().for_each(|Msg { parts, .. }| cite_parts(parts, add));
            }
            Part::Group(_, values) => values.iter().for_each(|(_, value)| add(*value)),
            Part::Table(_, columns, value) => table::values(*value, columns, add),
            Part::Piece(piece) => add(piece.text),
            Part::HiddenThinking | Part::Referred(..) | Part::Note(_) => {}
        }
    }
}

/// The values in an object and in the objects inside it, with their paths.
#[must_use]
pub fn leaves(object: Json<'_>) -> Vec<(String, Json<'_>)> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), object)];
    while let Some((path, value)) = open.pop() {
        if value.kind() == Kind::Object {
            let before = open.len();
            open.extend(value.members().map(|(key, inner)| match path.as_str() {
                "" => (key.into_owned(), inner),
                path => (format!("{path}.{key}"), inner),
            }));
            if let Some(new) = open.get_mut(before..) {
                new.reverse();
            }
        } else if value.is_given() {
            found.push((path, value));
        }
    }
    found
}

/// Whether a path matches one of some patterns, in which a `*` stands for any one step, and `a|b` for either of two.
/// With `is_above`, whether it leads to one of them.
fn matches(paths: &[&str], path: &str, is_above: bool) -> bool {
    paths.iter().any(|it| {
        let mut wanted = it.split('.');
        let mut steps = path.split('.').filter(|step| !step.is_empty());
        let is_one = |wanted: &str, step| wanted == "*" || wanted.split('|').any(|it| it == step);
        let fits = steps.all(|step| wanted.next().is_some_and(|it| is_one(it, step)));
        fits && wanted.next().is_some() == is_above
    })
}

/// Members that contain a call or its result, with the name that is the label of its row.
const CALLS: [&str; 6] = [
    "function",
    "functionCall",
    "function_call",
    "functionResponse",
    "function_response",
    "toolUse",
];

/// The values of a record that are not shown, with their paths. Empty values (`null`, empty strings and lists) are left
/// out, and so is everything at or below the `quiet` paths. Steps that all paths have in common at the beginning are
/// removed from them.
#[must_use]
pub fn uncovered<'a>(record: Json<'a>, cited: &Cited, quiet: &[&str]) -> Vec<(String, Json<'a>)> {
    let mut found = all(record, cited, quiet);
    let prefix = found
        .first()
        .and_then(|(path, _)| path.split_once('.'))
        .map(|(step, _)| format!("{step}."));
    if let Some(prefix) = prefix.filter(|it| found.iter().all(|(path, _)| path.starts_with(it))) {
        found.iter_mut().for_each(|(path, _)| drop(path.drain(..prefix.len())));
    }
    found
}

fn all<'a>(record: Json<'a>, cited: &Cited, quiet: &[&str]) -> Vec<(String, Json<'a>)> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), record)];
    while let Some((path, value)) = open.pop() {
        let range = value.range();
        if matches(quiet, &path, false) || !has_content(value) || cited.covers(&range) {
            continue;
        }
        let is_container = matches!(value.kind(), Kind::Object | Kind::Array);
        if !is_container || !(cited.touches(&range) || matches(quiet, &path, true)) {
            // A string that contains JSON, parts of which are shown.
            if value.kind() != Kind::String || !cited.touches(&range) {
                found.push((path, value));
            }
            continue;
        }
        let below = |key: &str| match path.is_empty() {
            true => key.to_owned(),
            false => format!("{path}.{key}"),
        };
        let before = open.len();
        if value.kind() == Kind::Object {
            // The type and the author of a value are visible in the way it is shown. A call is shown under its name.
            let kind = value.field("type").label();
            let step = path.rsplit('.').next().unwrap_or_default();
            let is_call = ["tool_use", "_call", "toolCall"].iter().any(|end| kind.ends_with(end))
                || CALLS.contains(&step);
            let is_seen = |key: &str| {
                let is_seen = matches!(key, "type" | "role") || key == "name" && is_call;
                is_seen && cited.touches(&range)
            };
            let members = value.members().filter(|(key, _)| !is_seen(key));
            open.extend(members.map(|(key, inner)| (below(&key), inner)));
        } else {
            open.extend(
                (0..)
                    .zip(value.items())
                    .map(|(at, inner): (usize, _)| (below(&at.to_string()), inner)),
            );
        }
        if let Some(new) = open.get_mut(before..) {
            new.reverse();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_of_a_quiet_path_may_stand_for_several() {
        let record = Json::new(
            r#"{"a":{"x":1,"y":2,"z":3},"b":{"x":4,"z":5},"list":[{"x":6,"z":7}],"c":{"x":8}}"#,
        );
        let rest = uncovered(record, &Cited(Vec::new()), &["a|b.x|y", "list.*.x"]);
        let paths: Vec<_> = rest.into_iter().map(|(path, _)| path).collect();
        assert_eq!(paths, ["a.z", "b.z", "list.0.z", "c"]);
    }
}
