//! Compares the arguments of a call with the expected ones.

use serde_json::{Map, Value};

use traceloupe_core::json::fingerprint;

/// Expected arguments and how they are compared.
#[derive(Clone, PartialEq, Debug)]
pub struct ExpectedArgs {
    /// The value.
    pub value: Value,
    /// How it is compared.
    pub how: ArgsMatch,
}

/// How arguments are compared (`args_match`).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum ArgsMatch {
    /// Both are equal.
    #[default]
    Exact,
    /// The call has all the expected arguments and may have others.
    Superset,
    /// The call has only expected arguments.
    Subset,
    /// They are not compared.
    Ignore,
    /// Only these fields are compared, given as dotted paths.
    Fields(Vec<String>),
}

impl ExpectedArgs {
    /// Whether a call's arguments match; `None` if the call has none.
    pub fn fit(&self, actual: Option<&Value>) -> bool {
        if self.how == ArgsMatch::Ignore {
            return true;
        }
        let Some(actual) = actual else { return false };
        let (expected, actual) = match (self.value.as_object(), actual.as_object()) {
            (Some(expected), Some(actual)) => (expected, actual),
            // Only objects have keys to compare.
            _ => return same(&self.value, actual),
        };
        match &self.how {
            ArgsMatch::Exact => same_members(expected, actual),
            ArgsMatch::Superset => contains(actual, expected),
            ArgsMatch::Subset => contains(expected, actual),
            ArgsMatch::Ignore => true,
            ArgsMatch::Fields(paths) => paths.iter().all(|path| {
                // Fields without an expected value are ignored, as in AgentV.
                let Some(wanted) = at_path(expected, path) else { return true };
                at_path(actual, path).is_some_and(|found| same(wanted, found))
            }),
        }
    }
}

/// Whether one object has every member of another.
fn contains(whole: &Map<String, Value>, part: &Map<String, Value>) -> bool {
    part.iter().all(|(key, value)| whole.get(key).is_some_and(|found| same(value, found)))
}

fn same_members(one: &Map<String, Value>, other: &Map<String, Value>) -> bool {
    one.len() == other.len() && contains(one, other)
}

fn at_path<'v>(object: &'v Map<String, Value>, path: &str) -> Option<&'v Value> {
    let mut keys = path.split('.');
    let first = object.get(keys.next()?)?;
    keys.try_fold(first, |value, key| match value {
        Value::Object(members) => members.get(key),
        Value::Array(items) => items.get(key.parse::<usize>().ok()?),
        _ => None,
    })
}

/// Equality as in JavaScript: numbers are equal if their values are, whatever their notation.
pub(super) fn same(one: &Value, other: &Value) -> bool {
    let mut open = vec![(one, other)];
    while let Some(pair) = open.pop() {
        match pair {
            (Value::Object(one), Value::Object(other)) => {
                if one.len() != other.len() {
                    return false;
                }
                for (key, value) in one {
                    let Some(found) = other.get(key) else { return false };
                    open.push((value, found));
                }
            }
            (Value::Array(one), Value::Array(other)) => {
                if one.len() != other.len() {
                    return false;
                }
                open.extend(one.iter().zip(other));
            }
            (Value::Number(one), Value::Number(other)) => {
                if one != other && one.as_f64() != other.as_f64() {
                    return false;
                }
            }
            (one, other) if one == other => {}
            _ => return false,
        }
    }
    true
}

/// Whether a result equals the expected one. A string that contains JSON equals that JSON, because
/// producers differ in whether they parse it.
pub(super) fn same_result(expected: &str, actual: &str) -> bool {
    if fingerprint(expected) == fingerprint(actual) {
        return true;
    }
    let parse = |json: &str| serde_json::from_str::<Value>(json).ok();
    parse(expected).zip(parse(actual)).is_some_and(|(one, other)| same(&one, &other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(how: ArgsMatch, expected: &str, actual: &str) -> bool {
        let value = serde_json::from_str(expected).unwrap();
        let actual: Value = serde_json::from_str(actual).unwrap();
        ExpectedArgs { value, how }.fit(Some(&actual))
    }

    #[test]
    fn each_way_to_compare() {
        let (small, large) = (r#"{"a":1}"#, r#"{"b":[2,{"c":3}],"a":1.0}"#);
        for (how, same, more, less) in [
            (ArgsMatch::Exact, true, false, false),
            (ArgsMatch::Superset, true, true, false),
            (ArgsMatch::Subset, true, false, true),
            (ArgsMatch::Ignore, true, true, true),
        ] {
            assert_eq!(fits(how.clone(), large, large), same, "{how:?}");
            assert_eq!(fits(how.clone(), small, large), more, "{how:?}");
            assert_eq!(fits(how.clone(), large, small), less, "{how:?}");
            assert_eq!(fits(how.clone(), small, r#"{"a":2}"#), how == ArgsMatch::Ignore);
        }
    }

    #[test]
    fn fields_by_their_paths() {
        let fields = |paths: &[&str]| {
            ArgsMatch::Fields(paths.iter().map(|path| (*path).to_owned()).collect())
        };
        let (expected, actual) =
            (r#"{"a":{"b":1,"x":0},"q":2}"#, r#"{"a":{"b":1,"x":9},"q":3,"l":[5]}"#);
        assert!(fits(fields(&["a.b"]), expected, actual));
        assert!(!fits(fields(&["a.b", "q"]), expected, actual));
        assert!(!fits(fields(&["a"]), expected, actual));
        // Without an expected value, it is not compared.
        assert!(fits(fields(&["nothing.here", "l.0"]), expected, actual));
        assert!(!fits(fields(&["a.b"]), expected, "{}"));
    }

    #[test]
    fn a_call_without_arguments_matches_only_if_they_are_ignored() {
        let expected = |how| ExpectedArgs { value: serde_json::json!({}), how };
        assert!(!expected(ArgsMatch::Exact).fit(None));
        assert!(!expected(ArgsMatch::Subset).fit(None));
        assert!(expected(ArgsMatch::Ignore).fit(None));
    }

    #[test]
    fn results_as_values() {
        assert!(same_result(r#"{"a":1}"#, r#""{\"a\": 1}""#));
        assert!(same_result("1", "1.0"));
        assert!(!same_result(r#""72""#, "72"));
    }
}
