//! Attributes of a span, in any notation.
//!
//! | Notation | Used by |
//! | --- | --- |
//! | `[{"key": …, "value": {"stringValue": …}}]` | OTLP |
//! | `[{"key": …, "type": …, "value": …}]` | Jaeger |
//! | `[{"Key": …, "Value": {"Type": …, "Value": …}}]` | the SDK of Go |
//! | `[["key", value]]` | resources of the SDK of JavaScript |
//! | `{"key": value}` | SDK dumps, Zipkin |
//! | `{"a": {"b": value}}` for the key `a.b` | Phoenix's interface |

use std::borrow::Cow;
use std::cell::Cell;

use crate::kit::{Description, Item};
use traceloupe_core::json::{Json, Kind, quoted};

/// The attributes of one span, event or log record.
#[derive(Default)]
pub struct Attributes<'a> {
    /// Sorted by key.
    list: Vec<Attribute<'a>>,
}

struct Attribute<'a> {
    key: Cow<'a, str>,
    value: Json<'a>,
    /// Whether a row shows it by other means than its key and value.
    is_told: Cell<bool>,
}

impl<'a> Attributes<'a> {
    /// Reads attributes in any notation.
    pub fn read(written: Json<'a>, out: &Description<'a>) -> Self {
        let mut read = Self::default();
        read.add(written, out);
        read
    }

    /// Adds more attributes. Existing attributes are kept.
    #[inline(never)]
    pub fn add(&mut self, written: Json<'a>, out: &Description<'a>) {
        match written.kind() {
            Kind::Object if is_tree(written) => self.add_tree("", written, MAX_DEPTH, out),
            Kind::Object => written.members().for_each(|(key, value)| self.one(key, value, out)),
            Kind::Array => self.list.extend(written.items().filter_map(|item| {
                let value = item.any(&["value", "Value.Value", "1"]);
                Some(Attribute::new(item.any(&["key", "Key", "0"]).text()?, plain(value, out)))
            })),
            _ => return,
        }
        traceloupe_core::sorting::sort_by(&mut self.list, |one, other| one.key.cmp(&other.key));
    }

    /// The attributes in a row of a data frame, in which the path of a value is its key.
    pub fn of_row(row: Json<'a>, out: &Description<'a>) -> Self {
        let mut read = Self::default();
        for (key, value) in row.members().filter(|(_, value)| value.is_given()) {
            if let Some(key) = key.strip_prefix("attributes.") {
                read.one(key.to_owned().into(), value, out);
            }
        }
        traceloupe_core::sorting::sort_by(&mut read.list, |one, other| one.key.cmp(&other.key));
        read
    }

    /// Adds one attribute. Data frames keep messages as lists.
    fn one(&mut self, key: Cow<'a, str>, value: Json<'a>, out: &Description<'a>) {
        let is_list = key.ends_with("_messages") && value.item(0).kind() == Kind::Object;
        match is_list && key.starts_with("llm.") {
            true => self.add_tree(&key, value, MAX_DEPTH, out),
            false => self.list.push(Attribute::new(key, plain(value, out))),
        }
    }

    /// Adds the leaves of a tree, each with the keys that lead to it.
    fn add_tree(&mut self, key: &str, tree: Json<'a>, depth: usize, out: &Description<'a>) {
        let items = || tree.items().enumerate().map(|(at, item)| (at.to_string().into(), item));
        let inner: Vec<(Cow<'a, str>, Json<'a>)> = match tree.kind() {
            _ if depth == 0 => Vec::new(),
            Kind::Object => tree.members().collect(),
            Kind::Array if tree.item(0).kind() == Kind::Object => items().collect(),
            _ => Vec::new(),
        };
        for (step, value) in &inner {
            let key = if key.is_empty() { step.to_string() } else { format!("{key}.{step}") };
            self.add_tree(&key, *value, depth - 1, out);
        }
        if inner.is_empty() && !key.is_empty() {
            self.list.push(Attribute::new(key.to_owned().into(), plain(tree, out)));
        }
    }

    fn at(&self, key: &str) -> Option<&Attribute<'a>> {
        let at = self.list.binary_search_by(|it| it.key.as_ref().cmp(key)).ok()?;
        self.list.get(at)
    }

    /// The value of an attribute, which does not count as shown.
    pub fn peek(&self, key: &str) -> Json<'a> {
        self.at(key).map_or(Json::ABSENT, |it| it.value)
    }

    /// The value of the first of some attributes that has one. It does not count as shown.
    #[inline(never)]
    pub fn peek_any(&self, keys: &[&str]) -> Json<'a> {
        let values = keys.iter().map(|key| self.peek(key));
        values.into_iter().find(|value| value.is_given()).unwrap_or_default()
    }

    /// The value of the first of some attributes that has content. It does not count as shown.
    pub fn find(&self, keys: &[&str]) -> Json<'a> {
        let values = keys.iter().map(|key| self.peek(key));
        values.into_iter().find(|value| says_anything(*value)).unwrap_or_default()
    }

    /// The value of the first of some attributes that has content. It counts as shown, and so do the others with the
    /// same value.
    #[inline(never)]
    pub fn take(&self, keys: &[&str]) -> Json<'a> {
        let mut found = Json::ABSENT;
        for it in keys.iter().filter_map(|key| self.at(key)).filter(|it| says_anything(it.value)) {
            if found.is_absent() {
                found = it.value;
            }
            if it.value == found {
                it.is_told.set(true);
            }
        }
        found
    }

    /// Whether there is an attribute whose key has this prefix.
    pub fn has(&self, prefix: &str) -> bool {
        self.below(prefix).next().is_some()
    }

    /// The attributes whose keys have this prefix, with the rest of their keys.
    pub fn below<'s>(&'s self, prefix: &'s str) -> impl Iterator<Item = (&'s str, Json<'a>)> {
        let from = self.list.partition_point(|it| it.key.as_ref() < prefix);
        let list = self.list.get(from..).unwrap_or_default().iter();
        list.map_while(move |it| Some((it.key.strip_prefix(prefix)?, it.value)))
    }

    /// The attributes whose keys begin with a prefix and a number, grouped by that number, with the rest of their keys.
    /// Those that make up messages count as shown.
    pub fn numbered<'s>(&'s self, prefix: &str) -> Vec<Vec<(&'s str, Json<'a>)>> {
        let from = self.list.partition_point(|it| it.key.as_ref() < prefix);
        let mut found: Vec<(u32, &str, Json<'a>)> = Vec::new();
        for it in self.list.get(from..).unwrap_or_default() {
            let Some(rest) = it.key.strip_prefix(prefix) else { break };
            let (number, rest) = rest.split_once('.').unwrap_or((rest, ""));
            if let Ok(number) = number.parse() {
                // The others, such as ids, are not part of a message that is shown.
                let last = rest.rsplit('.').next().unwrap_or(rest);
                let is_shown = matches!(
                    last,
                    "role" | "content" | "text" | "name" | "arguments" | "type" | "url"
                );
                it.is_told.set(is_shown || last.parse::<u32>().is_ok());
                found.push((number, rest, it.value));
            }
        }
        traceloupe_core::sorting::sort_by_key(&mut found, |it| it.0);
        let groups = found.chunk_by(|one, other| one.0 == other.0);
        groups.map(|group| group.iter().map(|it| (it.1, it.2)).collect()).collect()
    }

    /// Declares that attributes need not be shown.
    pub fn hide(&self, keys: &[&str]) {
        keys.iter().filter_map(|key| self.at(key)).for_each(|it| it.is_told.set(true));
    }

    /// The attributes that are not shown in another way.
    pub fn rest(&self) -> impl Iterator<Item = (Cow<'a, str>, Json<'a>)> + '_ {
        let rest = self.list.iter().filter(|it| !it.is_told.get());
        rest.map(|it| (it.key.clone(), it.value))
    }

    /// Adds the attributes that are not shown in another way to an item, each with its key.
    pub fn tell_rest(&self, item: &mut Item<'a>) {
        for (key, value) in self.rest() {
            item.field(key, value);
        }
    }
}

impl<'a> Attribute<'a> {
    fn new(key: Cow<'a, str>, value: Json<'a>) -> Self {
        Self { key, value, is_told: Cell::new(false) }
    }
}

/// Whether attributes are a tree with a level per step of their keys, as in Phoenix's interface.
fn is_tree(written: Json<'_>) -> bool {
    let is_tree = |path| matches!(written.get(path).kind(), Kind::Object);
    is_tree("openinference.span")
        || is_tree("llm")
        || is_tree("input")
        || is_tree("gen_ai")
        || is_tree("agentops")
}

/// Whether an attribute has a value. Producers write `"{}"` if they have none.
pub fn says_anything(value: Json<'_>) -> bool {
    !matches!(value.raw(), "" | "null" | "\"\"" | "\"{}\"" | "{}" | "[]" | "\"null\"")
}

/// The maximum depth to which lists and maps in OTLP's notation are read. No producer nests them deeper.
const MAX_DEPTH: usize = 12;

/// Converts a value in OTLP's notation to plain JSON; any other value is unchanged.
pub fn plain<'a>(value: Json<'a>, out: &Description<'a>) -> Json<'a> {
    if value.kind() != Kind::Object {
        return value;
    }
    let scalar = scalar(value);
    if !scalar.is_absent() {
        return scalar;
    }
    match list(value).is_absent() && map(value).is_absent() {
        true => value,
        false => {
            let mut text = String::new();
            write(value, MAX_DEPTH, &mut text);
            Json::new(out.keep(&text))
        }
    }
}

fn scalar(value: Json<'_>) -> Json<'_> {
    value.any(&[
        "stringValue",
        "intValue",
        "doubleValue",
        "boolValue",
        "bytesValue",
        "string_value",
        "int_value",
        "double_value",
        "bool_value",
        "bytes_value",
    ])
}

fn list(value: Json<'_>) -> Json<'_> {
    let list = value.any(&["arrayValue", "array_value"]);
    // Some producers write only the inside of it.
    let is_inside = list.is_absent() && !scalar(value.get("values.0")).is_absent();
    if is_inside { value } else { list }
}

fn map(value: Json<'_>) -> Json<'_> {
    value.any(&["kvlistValue", "kvlist_value"])
}

fn write(value: Json<'_>, depth: usize, to: &mut String) {
    let (scalar, list, map) = (scalar(value), list(value), map(value));
    let inner = |value, to: &mut String| match depth {
        0 => to.push_str("null"),
        _ => write(value, depth - 1, to),
    };
    if !scalar.is_absent() {
        to.push_str(scalar.raw());
    } else if !list.is_absent() {
        to.push('[');
        for (at, item) in list.get("values").items().enumerate() {
            to.push_str(if at > 0 { "," } else { "" });
            inner(item, to);
        }
        to.push(']');
    } else if !map.is_absent() {
        to.push('{');
        for (at, item) in map.get("values").items().enumerate() {
            to.push_str(if at > 0 { "," } else { "" });
            to.push_str(&quoted(&item.get("key").text().unwrap_or_default()));
            to.push(':');
            inner(item.get("value"), to);
        }
        to.push('}');
    } else {
        to.push_str("null");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::{Room, Texts};

    #[test]
    fn every_notation_gives_the_same() {
        let otlp = r#"[{"key":"b","value":{"intValue":"7"}},{"key":"a","value":{"stringValue":"x"}},
            {"key":"c","value":{"arrayValue":{"values":[{"stringValue":"y"},{"kvlistValue":{"values":[{"key":"k","value":{"boolValue":true}}]}}]}}}]"#;
        let jaeger = r#"[{"key":"a","type":"string","value":"x"},{"key":"b","value":"7"},{"key":"c","value":["y",{"k":true}]}]"#;
        let object = r#"{"c":["y",{"k":true}],"b":"7","a":"x"}"#;
        let tree = r#"{"llm":{"m":[{"role":"u"}],"n":1},"input":{"value":"x"}}"#;
        let room = Room::default();
        let out = Description::new(Texts::new(tree, &room));
        let attributes = Attributes::read(Json::new(tree), &out);
        let values = ["llm.m.0.role", "llm.n", "input.value"].map(|key| attributes.peek(key).raw());
        assert_eq!(values, ["\"u\"", "1", "\"x\""]);
        for written in [otlp, jaeger, object] {
            let room = Room::default();
            let out = Description::new(Texts::new(written, &room));
            let attributes = Attributes::read(Json::new(written), &out);
            let values = ["a", "b", "c"].map(|key| attributes.peek(key).raw());
            assert_eq!(values, ["\"x\"", "\"7\"", r#"["y",{"k":true}]"#], "{written}");
        }
    }

    #[test]
    fn numbers_in_keys_are_sorted_as_numbers() {
        let written = r#"{"m.10.x":10,"m.9.x":9,"m.9.y.0":1,"m.z":0,"m.0.x":0,"n.1":1}"#;
        let room = Room::default();
        let out = Description::new(Texts::new(written, &room));
        let attributes = Attributes::read(Json::new(written), &out);
        let groups = attributes.numbered("m.");
        let keys: Vec<Vec<_>> =
            groups.iter().map(|it| it.iter().map(|it| it.0).collect()).collect();
        assert_eq!(keys, [vec!["x"], vec!["x", "y.0"], vec!["x"]]);
        assert_eq!(groups[2][0].1.raw(), "10");
    }
}
