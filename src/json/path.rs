//! Paths into JSON: the value at a path, and the path of the value that stands at an offset.

use std::fmt::Write as _;

use super::{each_item, each_member};

/// One step of a path: into an object by key, into a list by number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A member of an object; of a list where it is a number in digits.
    Key(String),
    /// An item of a list, from 0; a member of an object where its key is that number in digits.
    Index(usize),
}

/// Paths are not followed deeper than this.
const MAX_STEPS: usize = 64;

/// The raw value at a path; the last one where a key stands twice.
#[must_use]
pub fn value_at<'a>(text: &'a str, path: &[Step]) -> Option<&'a str> {
    if path.len() > MAX_STEPS {
        return None;
    }
    let mut value = text.trim_ascii();
    for step in path {
        value = child(value, step)?;
    }
    Some(value)
}

fn child<'a>(text: &'a str, step: &Step) -> Option<&'a str> {
    let mut found = None;
    if text.starts_with('[') {
        let wanted = match step {
            Step::Index(index) => *index,
            Step::Key(key) => key.parse().ok()?,
        };
        let mut at = 0;
        each_item(text, |item| {
            if at == wanted {
                found = Some(item);
            }
            at += 1;
        })?;
        return found;
    }
    let digits;
    let wanted = match step {
        Step::Key(key) => key.as_str(),
        Step::Index(index) => {
            digits = index.to_string();
            &digits
        }
    };
    each_member(text, |key, value| {
        if key == wanted {
            found = Some(value);
        }
    })?;
    found
}

/// The path of the value that begins at a byte of the text, or of the innermost one around it.
#[must_use]
pub fn path_to(text: &str, at: usize) -> Vec<Step> {
    let mut path = Vec::new();
    let mut value = text.trim_ascii();
    while path.len() < MAX_STEPS {
        let from = |inner: &str| (inner.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
        let holds = |inner: &str| (from(inner)..from(inner) + inner.len()).contains(&at);
        if from(value) == at {
            break;
        }
        let mut found = None;
        if value.starts_with('[') {
            let mut index = 0;
            let _ = each_item(value, |item| {
                if holds(item) {
                    found = Some((Step::Index(index), item));
                }
                index += 1;
            });
        } else {
            let _ = each_member(value, |key, inner| {
                if holds(inner) {
                    found = Some((Step::Key(key.into_owned()), inner));
                }
            });
        }
        let Some((step, inner)) = found else { break };
        path.push(step);
        value = inner;
    }
    path
}

/// Writes steps behind what a path begins with: `.key`, `[3]`, `["odd key"]`.
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
    fn depth_and_broken_text_are_no_danger() {
        let deep = format!("{}1{}", r#"{"a":"#.repeat(5_000), "}".repeat(5_000));
        assert_eq!(path_to(&deep, 25_000).len(), MAX_STEPS);
        assert_eq!(value_at(&deep, &vec![key("a"); 5_000]), None);
        assert_eq!(value_at("[1,", &[Step::Index(7)]), None);
        assert_eq!(path_to("nonsense", 3), []);
    }
}
