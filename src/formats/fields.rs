//! Borrowed access to JSON objects and lists for formats: no structs to fail on a wrong type or on a
//! key that stands twice, nothing copied.
//!
//! Producers disagree about types (an error is a string here and an object there), and files are
//! hostile. So a format asks for the raw values of the keys it knows and reads each of them with the
//! small functions below, which answer `None` for whatever has another type.

use std::borrow::Cow;

use crate::json::{self, each_item, each_member};
use crate::model::{MaybeNs, parse_time_ns};

/// The raw values of some keys of an object; the last one wins where a key stands twice. `None` for
/// text that is no object.
#[must_use]
pub fn fields<'a, const N: usize>(text: &'a str, keys: [&str; N]) -> Option<[Option<&'a str>; N]> {
    let mut found = [None; N];
    // Most keys of an object are not wanted, and their lengths say so.
    let lens = keys.iter().fold(0_u64, |lens, key| lens | len_bit(key));
    each_member(text, |key, value| {
        if lens & len_bit(&key) == 0 {
            return;
        }
        let slot = keys.iter().position(|wanted| is_same(wanted, &key));
        if let Some(slot) = slot.and_then(|at| found.get_mut(at)) {
            *slot = Some(value);
        }
    })?;
    Some(found)
}

/// A bit for the length of a key.
#[inline]
fn len_bit(key: &str) -> u64 {
    1 << (key.len() & 63)
}

/// Whether two keys are the same. Most are not, and their lengths and first bytes say so.
#[inline]
fn is_same(one: &str, other: &str) -> bool {
    one.len() == other.len() && one.bytes().next() == other.bytes().next() && one == other
}

/// The entries of an object in file order, repeated keys kept. Empty for text that is no object.
#[must_use]
pub fn entries(text: &str) -> Vec<(Cow<'_, str>, &str)> {
    let mut found = Vec::new();
    each_member(text, |key, value| found.push((key, value))).map(|()| found).unwrap_or_default()
}

/// The entries of an object whose keys are not among the known ones.
#[must_use]
pub fn unknown_entries<'a>(text: &'a str, known: &[&str]) -> Vec<(Cow<'a, str>, &'a str)> {
    let mut found = entries(text);
    found.retain(|(key, _)| !known.contains(&key.as_ref()));
    found
}

/// The raw items of a list. Empty for text that is no list.
#[must_use]
pub fn items(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    each_item(text, |item| found.push(item)).map(|()| found).unwrap_or_default()
}

/// A value that is there and not null.
#[must_use]
pub fn given(raw: Option<&str>) -> Option<&str> {
    raw.filter(|raw| *raw != "null")
}

/// The text of a string value.
#[must_use]
pub fn text(raw: Option<&str>) -> Option<Cow<'_, str>> {
    raw.filter(|raw| raw.starts_with('"')).map(json::decode_string)
}

/// The text of a string that is not empty, or the digits of a number: an id, a label.
#[must_use]
pub fn word(raw: Option<&str>) -> Option<Cow<'_, str>> {
    let raw = raw?;
    match raw.bytes().next()? {
        b'"' => Some(json::decode_string(raw)).filter(|text| !text.is_empty()),
        b'-' | b'0'..=b'9' => Some(Cow::Borrowed(raw)),
        _ => None,
    }
}

/// A count: a whole number from 0 on, also where it is written with a fraction (`12.0`).
#[must_use]
pub fn count(raw: Option<&str>) -> Option<u64> {
    let raw = raw?;
    if let Ok(whole) = raw.parse::<u64>() {
        return Some(whole);
    }
    let number = json::number(raw)?;
    // 2^53: beyond it a float does not hold whole numbers one by one.
    (number.fract() == 0.0 && (0.0..9_007_199_254_740_992.0).contains(&number))
        .then_some(number as u64)
}

/// A stamp: the text of a string or a number, as [`parse_time_ns`] reads them.
#[must_use]
pub fn time(raw: Option<&str>) -> MaybeNs {
    word(raw).and_then(|text| parse_time_ns(&text)).into()
}

/// A duration in milliseconds as nanoseconds. Negative and absurd ones are unknown.
#[must_use]
pub fn millis(raw: Option<&str>) -> MaybeNs {
    let ns = raw.and_then(json::number).map(|ms| ms * 1e6);
    ns.filter(|ns| (0.0..9e18).contains(ns)).map(|ns| ns as i64).into()
}

/// The time from one stamp to another. Unknown where either is, or where the second is earlier.
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
        let [a, b, c, escaped] = fields(text, ["a", "b", "c", "escape"]).unwrap();
        assert_eq!((a, b, c, escaped), (Some("null"), Some(r#"{"a": 2}"#), None, Some("\"x\"")));
        assert_eq!(given(a), None);
        assert_eq!(fields("[1]", ["a"]), None);
        assert_eq!(fields("\"a\"", ["a"]), None);
        assert_eq!(entries(text).len(), 4);
        assert_eq!(items("[1, [2], \"3\"]"), ["1", "[2]", "\"3\""]);
        assert!(items("{}").is_empty());
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = format!("{{\"a\": {}{}}}", "[".repeat(200_000), "]".repeat(200_000));
        let [a] = fields(&deep, ["a"]).unwrap();
        assert_eq!(a.unwrap().len(), 400_000);
        assert!(is_json(&deep));
    }

    #[test]
    fn numbers_that_are_none() {
        assert_eq!(count(Some("12")), Some(12));
        assert_eq!(count(Some("12.0")), Some(12));
        for raw in ["-1", "1.5", "1e300", "\"12\"", "null", "18446744073709551616"] {
            assert_eq!(count(Some(raw)), None, "{raw}");
        }
        assert_eq!(millis(Some("1.5")).get(), Some(1_500_000));
        assert_eq!(millis(Some("0")).get(), Some(0));
        for raw in ["-1", "1e300", "\"12\"", "null"] {
            assert_eq!(millis(Some(raw)).get(), None, "{raw}");
        }
        assert_eq!(between(MaybeNs::new(5), MaybeNs::new(3)).get(), None);
        assert_eq!(between(MaybeNs::new(i64::MIN + 1), MaybeNs::new(i64::MAX)).get(), None);
    }
}
