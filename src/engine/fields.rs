//! Borrowed access to JSON objects and lists for formats: no structs that fail on a wrong type or on a repeated key,
//! and nothing is copied.
//!
//! Producers disagree about types (an error may be a string or an object), and files are hostile. A format therefore
//! requests the values of specific keys and reads each of them with the functions below, which return `None` for a
//! value of another type.
//!
//! Each function takes the text of a value or a cursor ([`Json`]). The cursors of a record have a tape, so the index
//! pass reads the bytes of a record only once.

use std::borrow::Cow;

use traceloupe_core::json::{self, Json, KeySet};
use traceloupe_core::model::{MaybeNs, parse_time_ns};
use traceloupe_core::number;

/// A value as text or as a cursor.
pub trait JsonValue<'a>: Copy {
    /// The type of the values inside it: text or cursors.
    type Inner: JsonValue<'a>;
    /// The cursor.
    fn json(self) -> Json<'a>;
    /// A value inside it.
    fn inner(value: Json<'a>) -> Self::Inner;
}

impl<'a> JsonValue<'a> for Json<'a> {
    type Inner = Self;

    fn json(self) -> Json<'a> {
        self
    }

    fn inner(value: Json<'a>) -> Self {
        value
    }
}

impl<'a> JsonValue<'a> for &'a str {
    type Inner = Self;

    fn json(self) -> Json<'a> {
        Json::new(self)
    }

    fn inner(value: Json<'a>) -> Self {
        value.raw()
    }
}

impl<'a> JsonValue<'a> for &'a String {
    type Inner = &'a str;

    fn json(self) -> Json<'a> {
        Json::new(self)
    }

    fn inner(value: Json<'a>) -> &'a str {
        value.raw()
    }
}

impl<'a> JsonValue<'a> for &&'a str {
    type Inner = &'a str;

    fn json(self) -> Json<'a> {
        Json::new(self)
    }

    fn inner(value: Json<'a>) -> &'a str {
        value.raw()
    }
}

/// The values of some keys of an object; the last one if a key is repeated. `None` if the value is not an object.
#[must_use]
pub fn fields<'a, V: JsonValue<'a>, const N: usize>(
    value: V,
    keys: &KeySet<'_, N>,
) -> Option<[Option<V::Inner>; N]> {
    Some(value.json().fields(keys)?.map(|value| value.present().map(V::inner)))
}

/// The entries of an object in file order, repeated keys included. Empty if the value is not an object.
#[must_use]
pub fn entries<'a, V: JsonValue<'a>>(value: V) -> Vec<(Cow<'a, str>, V::Inner)> {
    value.json().members().map(|(key, value)| (key, V::inner(value))).collect()
}

/// The first items of a list, at most `max`.
#[must_use]
pub fn first_items<'a, V: JsonValue<'a>>(value: V, max: usize) -> Vec<V::Inner> {
    value.json().items().take(max).map(V::inner).collect()
}

/// The value, unless it is absent or `null`.
#[must_use]
pub fn given<'a, V: JsonValue<'a>>(value: Option<V>) -> Option<V> {
    value.filter(|value| value.json().raw() != "null")
}

/// The text of a string.
#[must_use]
pub fn text<'a, V: JsonValue<'a>>(value: Option<V>) -> Option<Cow<'a, str>> {
    value?.json().text()
}

/// The text of a string that is not empty, or the digits of a number, as used for ids and labels.
#[must_use]
pub fn word<'a, V: JsonValue<'a>>(value: Option<V>) -> Option<Cow<'a, str>> {
    value?.json().word()
}

/// A timestamp: the text of a string or a number, parsed by [`parse_time_ns`].
#[must_use]
pub fn time<'a, V: JsonValue<'a>>(value: Option<V>) -> MaybeNs {
    word(value).and_then(|text| parse_time_ns(&text)).into()
}

/// A duration in milliseconds, as nanoseconds. Negative and absurdly long durations are unknown.
#[must_use]
pub fn millis<'a, V: JsonValue<'a>>(value: Option<V>) -> MaybeNs {
    let ns = value.and_then(|value| number::parse(value.json().raw())).map(|ms| ms * 1e6);
    ns.filter(|ns| (0.0..9e18).contains(ns)).map(|ns| ns as i64).into()
}

/// The time from one timestamp to another. Unknown if either is unknown, or if the second is earlier.
#[must_use]
pub fn between(start: MaybeNs, end: MaybeNs) -> MaybeNs {
    let ns = start.get().zip(end.get()).and_then(|(start, end)| end.checked_sub(start));
    ns.filter(|ns| *ns >= 0).into()
}

/// Whether text is one JSON value.
#[must_use]
pub fn is_json(text: &str) -> bool {
    json::is_strict(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_two_keys_wins_and_types_never_fail() {
        let text = r#" {"a": 1, "b": {"a": 2}, "a": null, "esc\u0061pe": "x"} "#;
        let [a, b, c, escaped] =
            fields(text, const { &KeySet::new(["a", "b", "c", "escape"]) }).unwrap();
        assert_eq!((a, b, c, escaped), (Some("null"), Some(r#"{"a": 2}"#), None, Some("\"x\"")));
        assert_eq!(given(a), None);
        assert_eq!(fields("[1]", &KeySet::new(["a"])), None);
        assert_eq!(fields("\"a\"", &KeySet::new(["a"])), None);
        assert_eq!(entries(text).len(), 4);
        assert_eq!(first_items("[1, [2], \"3\"]", 2), ["1", "[2]"]);
        assert!(first_items("{}", 2).is_empty());
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = format!("{{\"a\": {}{}}}", "[".repeat(200_000), "]".repeat(200_000));
        let [a] = fields(&deep, &KeySet::new(["a"])).unwrap();
        assert_eq!(a.unwrap().len(), 400_000);
        assert!(is_json(&deep));
    }

    #[test]
    fn numbers_that_are_none() {
        assert_eq!(millis(Some("1.5")).get(), Some(1_500_000));
        assert_eq!(millis(Some("0")).get(), Some(0));
        for raw in ["-1", "1e300", "\"12\"", "null"] {
            assert_eq!(millis(Some(raw)).get(), None, "{raw}");
        }
        assert_eq!(between(MaybeNs::new(5), MaybeNs::new(3)).get(), None);
        assert_eq!(between(MaybeNs::new(i64::MIN + 1), MaybeNs::new(i64::MAX)).get(), None);
    }
}
