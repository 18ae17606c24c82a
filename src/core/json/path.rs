//! Paths into JSON: the value at a path, and the path of the value at an offset.

use std::fmt::Write as _;

use super::cursor::{Json, Kind};

/// One step of a path: a key or an index.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A member of an object. In a list, a key of digits is the index of an item.
    Key(String),
    /// An item of a list, counted from 0. In an object, the member whose key is that number in digits.
    Index(usize),
}

/// Paths are followed to at most this depth.
const MAX_STEPS: usize = 64;

/// The raw value at a path. If a key is repeated, the last member counts.
#[must_use]
pub fn value_at<'a>(text: &'a str, path: &[Step]) -> Option<&'a str> {
    if path.len() > MAX_STEPS {
        return None;
    }
    let value = path.iter().fold(Json::new(text), |value, step| child(value, step));
    value.present().map(Json::raw)
}

fn child<'a>(value: Json<'a>, step: &Step) -> Json<'a> {
    match (value.kind(), step) {
        (Kind::Array, Step::Index(index)) => value.item(*index),
        (Kind::Array, Step::Key(key)) => {
            key.parse().map_or(Json::ABSENT, |index| value.item(index))
        }
        (_, Step::Index(index)) => value.field(&index.to_string()),
        (_, Step::Key(key)) => value.field(key),
    }
}

/// The path of the value that begins at an offset of the text, or of the innermost value around that offset.
#[must_use]
pub fn path_to(text: &str, at: usize) -> Vec<Step> {
    let mut path = Vec::new();
    let mut value = Json::new(text);
    while path.len() < MAX_STEPS && value.range().start != at {
        let found = match value.kind() {
            Kind::Array => (0..)
                .map(Step::Index)
                .zip(value.items())
                .find(|(_, item)| item.range().contains(&at)),
            _ => value
                .members()
                .map(|(key, inner)| (Step::Key(key.into_owned()), inner))
                .find(|(_, inner)| inner.range().contains(&at)),
        };
        let Some((step, inner)) = found else { break };
        path.push(step);
        value = inner;
    }
    path
}

/// Appends steps to the beginning of a path: `.key`, `[3]`, `["odd key"]`.
pub fn write_path(steps: &[Step], into: &mut String) {
    for step in steps {
        // Writing to a string cannot fail.
        let _ = match step {
            Step::Index(index) => write!(into, "[{index}]"),
            Step::Key(key) if is_plain(key) => write!(into, ".{key}"),
            Step::Key(key) => write!(into, "[{}]", super::quoted(key)),
        };
    }
}

fn is_plain(key: &str) -> bool {
    !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(key: &str) -> Step {
        Step::Key(key.to_owned())
    }

    #[test]
    fn values_are_found_by_their_paths_and_paths_by_their_values() {
        let text = r#" {"a": [1, {"b c": "x"}], "2": {"d": null, "d": "last"}}"#;
        let path = [key("a"), Step::Index(1), key("b c")];
        assert_eq!(value_at(text, &path), Some("\"x\""));
        assert_eq!(value_at(text, &[key("a"), key("0")]), Some("1"));
        assert_eq!(value_at(text, &[Step::Index(2), key("d")]), Some("\"last\""));
        assert_eq!(value_at(text, &[key("a"), Step::Index(2)]), None);
        assert_eq!(value_at(text, &[key("a"), key("b")]), None);
        let at = text.find("\"x\"").unwrap();
        assert_eq!(path_to(text, at), path);
        assert_eq!(path_to(text, at + 1), path, "inside of it");
        let mut written = "events[0]".to_owned();
        write_path(&path, &mut written);
        assert_eq!(written, r#"events[0].a[1]["b c"]"#);
    }

    #[test]
    fn depth_and_broken_text_do_no_harm() {
        let deep = format!("{}1{}", r#"{"a":"#.repeat(5_000), "}".repeat(5_000));
        assert_eq!(path_to(&deep, 25_000).len(), MAX_STEPS);
        assert_eq!(value_at(&deep, &vec![key("a"); 5_000]), None);
        assert_eq!(value_at("[1,", &[Step::Index(7)]), None);
        assert_eq!(path_to("nonsense", 3), []);
    }
}
