//! Access to strict JSON without building a tree. Members keep their order; of a repeated key the
//! last member counts.

use std::borrow::Cow;

use traceloupe_core::json::{Json, decode_string};
use traceloupe_core::number;
use traceloupe_protocol::expectation_fault::ValueKind;

/// A JSON value as text.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Raw<'a>(pub &'a str);

impl<'a> Raw<'a> {
    /// The last member with any of these keys that is not null.
    #[inline(never)]
    pub fn get(self, keys: &[&str]) -> Option<Raw<'a>> {
        let members = Json::new(self.0).members();
        let given = members.filter(|(key, value)| keys.contains(&key.as_ref()) && value.is_given());
        given.last().map(|(_, value)| Raw(value.raw()))
    }

    /// The members, in order, including repeated keys. Empty if the value is not an object.
    pub fn members(self) -> Vec<(Cow<'a, str>, Raw<'a>)> {
        Json::new(self.0).members().map(|(key, value)| (key, Raw(value.raw()))).collect()
    }

    /// The items of a list; empty if the value is not a list.
    pub fn items(self) -> Vec<Raw<'a>> {
        Json::new(self.0).items().map(|item| Raw(item.raw())).collect()
    }

    pub fn is_object(self) -> bool {
        self.0.starts_with('{')
    }

    pub fn is_list(self) -> bool {
        self.0.starts_with('[')
    }

    /// The text of a string.
    pub fn text(self) -> Option<Cow<'a, str>> {
        self.0.starts_with('"').then(|| decode_string(self.0))
    }

    /// A string that is not empty, or the digits of a number.
    pub fn word(self) -> Option<String> {
        match self.text() {
            Some(text) => Some(text.into_owned()).filter(|text| !text.is_empty()),
            None => number::parse(self.0).map(|_| self.0.to_owned()),
        }
    }

    /// A number.
    pub fn number(self) -> Option<f64> {
        number::parse(self.0).filter(|it| it.is_finite())
    }

    /// What kind of value it is.
    pub fn kind(self) -> ValueKind {
        match self.0.bytes().next() {
            Some(b'{') => ValueKind::Object,
            Some(b'[') => ValueKind::List,
            Some(b'"') => ValueKind::Text,
            Some(b't' | b'f') => ValueKind::Truth,
            Some(b'n') | None => ValueKind::Nothing,
            _ => ValueKind::Number,
        }
    }
}
