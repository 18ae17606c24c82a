//! Objects whose fields may be missing, duplicated or of another type than expected.
//!
//! A serde derive loses the whole object for one odd field. The types that [`tolerant_object`] defines keep every known
//! field as raw JSON (the last one of a name counts) and never fail on valid JSON: a value that is not an object is
//! read as empty. Records have been validated, so [`FromRaw`] skips values without validating them again.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use traceloupe_core::json::{Json, decode_start};
use traceloupe_core::number;

/// A field's JSON as it is in the record; absent and `null` are the same.
// Most of the many fields of a record are never looked at, so `null` is told apart by what reads a field, not here.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Raw<'a>(Json<'a>);

impl<'a> Raw<'a> {
    /// A value that is in no record.
    pub(super) fn literal(json: &'static str) -> Self {
        Self(Json::new(json))
    }

    /// The raw JSON.
    pub(super) fn json(self) -> Option<&'a str> {
        self.0.given().map(Json::raw)
    }

    /// The value as a cursor.
    pub(super) fn cursor(self) -> Json<'a> {
        self.0.given().unwrap_or_default()
    }

    /// See [`traceloupe_core::json::fingerprint`]; 0 if the field is not there.
    pub(super) fn fingerprint(self) -> u64 {
        self.cursor().fingerprint()
    }

    /// Whether the field is there and not `null`.
    pub(super) fn is_some(self) -> bool {
        self.0.is_given()
    }

    /// The text of a string field.
    pub(super) fn text(self) -> Option<Cow<'a, str>> {
        self.0.text()
    }

    /// The beginning of the text of a string field, for texts that are recognised by their beginning; see
    /// [`decode_start`].
    pub(super) fn start(self) -> Option<Cow<'a, str>> {
        const LOOK_BYTES: usize = 256;
        let raw = self.0.raw();
        raw.starts_with('"').then(|| decode_start(raw, LOOK_BYTES))
    }

    /// The text of a string field that is not empty.
    #[inline(never)]
    pub(super) fn filled(self) -> Option<Cow<'a, str>> {
        self.text().filter(|text| !text.is_empty())
    }

    /// Whether the field is `true`.
    pub(super) fn is_true(self) -> bool {
        self.0.is_true()
    }

    /// Whether the field is a string of only white space, or absent.
    pub(super) fn is_blank(self) -> bool {
        let Some(raw) = self.json() else { return true };
        // A text that begins with a letter is not blank and need not be decoded; for other text, the beginning usually
        // decides.
        let may_be_blank = matches!(raw.as_bytes(), [] | [b'"', b'"' | b'\\' | b' ', ..]);
        may_be_blank
            && self.start().is_none_or(|start| start.trim().is_empty())
            && self.text().is_none_or(|text| text.trim().is_empty())
    }

    /// A number that is not negative.
    fn number(self) -> Option<f64> {
        number::parse(self.0.raw()).filter(|number| number.is_finite() && *number >= 0.0)
    }

    /// A duration in nanoseconds, from a number of units; `unit_ns` is the length of a unit in nanoseconds.
    pub(super) fn duration_ns(self, unit_ns: f64) -> Option<i64> {
        let ns = self.number()? * unit_ns;
        // The bound is some thirty years, far below what an i64 holds.
        #[expect(clippy::cast_possible_truncation)]
        (ns < 1e18).then_some(ns as i64)
    }

    /// A whole number that is not negative.
    #[inline(never)]
    pub(super) fn count(self) -> Option<u64> {
        self.0.raw().parse().ok()
    }

    /// The field read as an object of known fields; empty if it is not an object.
    pub(super) fn object<T: FromRaw<'a>>(self) -> T {
        T::from_raw(self.0)
    }

    /// The objects of a list field; an item that is not an object is read as empty.
    pub(super) fn objects<T: FromRaw<'a>>(self) -> Vec<T> {
        self.0.items().map(T::from_raw).collect()
    }

    /// The items of a list field.
    pub(super) fn list<T: Deserialize<'a>>(self) -> Vec<T> {
        let raw = self.0.raw();
        let list = raw.starts_with('[').then(|| serde_json::from_str(raw).ok());
        list.flatten().unwrap_or_default()
    }
}

/// A type that is read from a value of validated JSON.
pub(super) trait FromRaw<'a> {
    fn from_raw(json: Json<'a>) -> Self;
}

impl<'a> FromRaw<'a> for Raw<'a> {
    fn from_raw(json: Json<'a>) -> Self {
        Self(json)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Raw<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Option::<&'de RawValue>::deserialize(deserializer)?;
        Ok(Self::from_raw(raw.map(|raw| Json::new(raw.get())).unwrap_or_default()))
    }
}

/// Defines an object of known fields that is read in one pass and does not fail on odd ones.
macro_rules! tolerant_object {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty = $key:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Default, Debug)]
        pub(crate) struct $name<'a> {
            $($(#[$field_doc])* pub(crate) $field: $type,)*
        }

        impl<'a> $crate::tolerant::FromRaw<'a> for $name<'a> {
            fn from_raw(json: traceloupe_core::json::Json<'a>) -> Self {
                use $crate::tolerant::FromRaw;
                use traceloupe_core::json::{Json, KeySet};
                const N: usize = [$($key),*].len();
                static KEYS: KeySet<'static, N> = KeySet::new([$($key),*]);
                let mut found = [Json::ABSENT; N];
                let _ = json.fill(&KEYS, &mut found);
                let [$($field),*] = found;
                Self { $($field: FromRaw::from_raw($field),)* }
            }
        }

        impl<'de: 'a, 'a> serde::Deserialize<'de> for $name<'a> {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let raw = <&'de serde_json::value::RawValue>::deserialize(from)?;
                Ok($crate::tolerant::FromRaw::from_raw(traceloupe_core::json::Json::new(raw.get())))
            }
        }
    };
}

pub(super) use tolerant_object;

#[cfg(test)]
mod tests {
    use super::*;

    tolerant_object! {
        /// A test object.
        Pair { a: Raw<'a> = "a", inner: Inner<'a> = "inner", }
    }
    tolerant_object! {
        /// Its inner object.
        Inner { b: Raw<'a> = "b", }
    }

    fn read(text: &str) -> Pair<'_> {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn the_last_of_a_doubled_field_counts() {
        let pair = read(r#"{"a":1,"x":[1],"a":"two","inner":{"b":true,"b":{}}}"#);
        assert_eq!(pair.a.text().as_deref(), Some("two"));
        assert_eq!(pair.inner.b.json(), Some("{}"));
    }

    #[test]
    fn what_is_no_object_is_empty() {
        for odd in ["null", "1", "-1", "1.5", "true", "\"{\"", "[{\"b\":1}]"] {
            let text = format!("{{\"inner\":{odd},\"a\":null}}");
            let pair = read(&text);
            assert!(!pair.inner.b.is_some() && !pair.a.is_some(), "{odd}");
        }
    }

    #[test]
    fn values_of_another_type_are_not_there() {
        let pair = read(r#"{"a":[1,2]}"#);
        assert_eq!(pair.a.text(), None);
        assert_eq!(pair.a.count(), None);
        assert!(!pair.a.is_true());
        assert_eq!(pair.a.list::<u8>(), [1, 2]);
    }
}
