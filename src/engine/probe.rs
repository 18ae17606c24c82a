//! The input of detection: the first records of a source.

use std::borrow::Cow;

use traceloupe_core::json::{Json, Kind};

use super::Record;

/// How certain a format is, with the reason in words ("records have `sessionId` and `parentUuid`").
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Not this format.
    No,
    /// The records could be read as this format, with some guesses.
    Maybe(String),
    /// The records look like this format.
    Likely(String),
    /// The records are of this format: they have keys that no other producer writes together.
    Certain(String),
}

impl Verdict {
    /// The certainty as a number: 0 for no, 3 for certain.
    #[must_use]
    pub fn rank(&self) -> u8 {
        match self {
            Self::No => 0,
            Self::Maybe(_) => 1,
            Self::Likely(_) => 2,
            Self::Certain(_) => 3,
        }
    }

    /// The reason; empty for no.
    #[must_use]
    pub fn why(&self) -> &str {
        match self {
            Self::No => "",
            Self::Maybe(why) | Self::Likely(why) | Self::Certain(why) => why,
        }
    }
}

/// The first records of a source.
#[derive(Debug)]
pub struct Probe<'a> {
    /// The file's name, without its folders. It can only raise a verdict.
    pub name: &'a str,
    /// The first records, at most [`Probe::MAX_RECORDS`].
    pub records: &'a [ProbeRecord<'a>],
    /// Whether these are all records of the source.
    pub complete: bool,
}

impl<'a> Probe<'a> {
    /// How many records detection examines.
    pub const MAX_RECORDS: usize = 50;

    /// Whether any record satisfies a test.
    pub fn any(&self, test: impl Fn(&ProbeRecord<'a>) -> bool) -> bool {
        self.records.iter().any(test)
    }

    /// The only record, if there is exactly one and no more follow: a document.
    #[must_use]
    pub fn document(&self) -> Option<&ProbeRecord<'a>> {
        match self.records {
            [only] if self.complete => Some(only),
            _ => None,
        }
    }
}

/// A record, as detection sees it. It keeps the tape of the record that it is made from, and so do the values inside
/// it, because detection looks up hundreds of paths in each.
#[derive(Clone, Copy, Debug)]
pub struct ProbeRecord<'a>(Json<'a>);

impl<'a> ProbeRecord<'a> {
    /// Wraps a record.
    #[must_use]
    pub fn new(record: &Record<'a>) -> Self {
        Self(record.json)
    }

    /// Wraps a value as if it were a record.
    #[must_use]
    pub fn of(json: Json<'a>) -> Self {
        Self(json)
    }

    /// The record.
    #[must_use]
    pub fn json(&self) -> Json<'a> {
        self.0
    }

    /// The raw JSON of a field; the last one if the name is repeated.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&'a str> {
        self.0.field(key).present().map(Json::raw)
    }

    /// The value at a path, as found by [`Json::get`].
    #[must_use]
    pub fn at(&self, path: &str) -> Json<'a> {
        self.0.get(path)
    }

    /// Whether a field is present, whatever its value.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        !self.0.field(key).is_absent()
    }

    /// Whether all of these fields are present.
    #[must_use]
    pub fn has_all(&self, keys: &[&str]) -> bool {
        keys.iter().all(|key| self.has(key))
    }

    /// A string field without escapes, such as ids, types and versions.
    #[must_use]
    pub fn str(&self, key: &str) -> Option<&'a str> {
        let raw = self.get(key)?;
        let inner = raw.strip_prefix('"')?.strip_suffix('"')?;
        (!inner.contains('\\')).then_some(inner)
    }

    /// An object field.
    #[must_use]
    pub fn object(&self, key: &str) -> Option<Self> {
        let value = self.0.field(key);
        (value.kind() == Kind::Object).then_some(Self(value))
    }

    /// The first items of a list field, at most `max`.
    #[must_use]
    pub fn list(&self, key: &str, max: usize) -> Vec<Self> {
        Self(self.0.field(key)).items(max)
    }

    /// Whether the record is a list without items.
    #[must_use]
    pub fn is_empty_list(&self) -> bool {
        self.0.kind() == Kind::Array && self.0.item(0).is_absent()
    }

    /// The first items of a record that is a list itself, at most `max`.
    #[must_use]
    pub fn items(&self, max: usize) -> Vec<Self> {
        self.0.items().take(max).map(Self).collect()
    }

    /// The names of the fields in file order, repeated ones included.
    pub fn keys(&self) -> impl Iterator<Item = Cow<'a, str>> {
        self.0.members().map(|(name, _)| name)
    }
}
