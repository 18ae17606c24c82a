//! What detection looks at: the first records of a source.

use std::borrow::Cow;

use crate::json::Json;

use super::Record;

/// How sure a format is, with the reason in words ("records have `sessionId` and `parentUuid`").
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Not this format.
    No,
    /// It could be read as this, with a guess here and there.
    Maybe(String),
    /// It looks like this.
    Likely(String),
    /// It is this: keys that no other producer writes together.
    Certain(String),
}

impl Verdict {
    /// How sure, as a number: 0 for no, 3 for certain.
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
    /// Whether these are all records there are.
    pub complete: bool,
}

impl<'a> Probe<'a> {
    /// How many records detection looks at.
    pub const MAX_RECORDS: usize = 50;

    /// Whether any record satisfies a test.
    pub fn any(&self, test: impl Fn(&ProbeRecord<'a>) -> bool) -> bool {
        self.records.iter().any(test)
    }

    /// The only record, if there is just one and no more follow: a document.
    #[must_use]
    pub fn document(&self) -> Option<&ProbeRecord<'a>> {
        match self.records {
            [only] if self.complete => Some(only),
            _ => None,
        }
    }
}

/// A record with its top-level fields.
#[derive(Debug)]
pub struct ProbeRecord<'a> {
    text: &'a str,
    fields: Vec<(Cow<'a, str>, Json<'a>)>,
}

impl<'a> ProbeRecord<'a> {
    /// Takes the top level of a record apart. A record that is no object has no fields.
    #[must_use]
    pub fn new(record: &Record<'a>) -> Self {
        Self::of(record.text)
    }

    /// Takes the top level of a record's strict JSON apart.
    #[must_use]
    pub fn of(text: &'a str) -> Self {
        Self { text, fields: Json::new(text).members().collect() }
    }

    /// The record as strict JSON.
    #[must_use]
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// The raw JSON of a field, the last one of that name.
    #[must_use]
    #[inline(never)]
    pub fn get(&self, key: &str) -> Option<&'a str> {
        self.fields.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value.raw())
    }

    /// The value at a path, as [`Json::get`] finds it. Its first step costs no pass over the record: detection
    /// looks for hundreds of paths in each.
    #[must_use]
    pub fn at(&self, path: &str) -> Json<'a> {
        if self.fields.is_empty() {
            return Json::new(self.text).get(path);
        }
        let (key, rest) = path.split_once('.').unwrap_or((path, ""));
        let field = self.fields.iter().rev().find(|(name, _)| name == key);
        let value = field.map_or(Json::ABSENT, |(_, value)| *value);
        if rest.is_empty() { value } else { value.get(rest) }
    }

    /// Whether a field is there, whatever its value.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Whether all of these fields are there.
    #[must_use]
    pub fn has_all(&self, keys: &[&str]) -> bool {
        keys.iter().all(|key| self.has(key))
    }

    /// A string field without escapes in it, as ids, types and versions are.
    #[must_use]
    pub fn str(&self, key: &str) -> Option<&'a str> {
        let raw = self.get(key)?;
        let inner = raw.strip_prefix('"')?.strip_suffix('"')?;
        (!inner.contains('\\')).then_some(inner)
    }

    /// The top-level fields of an object field.
    #[must_use]
    pub fn object(&self, key: &str) -> Option<ProbeRecord<'a>> {
        let raw = self.get(key)?;
        raw.starts_with('{').then(|| Self::of(raw))
    }

    /// The first objects of a list field, at most `max`.
    #[must_use]
    pub fn list(&self, key: &str, max: usize) -> Vec<ProbeRecord<'a>> {
        let items = self.get(key).map(Json::new).unwrap_or_default().items();
        items.take(max).map(|item| Self::of(item.raw())).collect()
    }

    /// Whether the record is a list without items.
    #[must_use]
    pub fn is_empty_list(&self) -> bool {
        self.text.starts_with('[') && Json::new(self.text).item(0).is_absent()
    }

    /// The first items of a record that is a list itself, at most `max`.
    #[must_use]
    pub fn items(&self, max: usize) -> Vec<ProbeRecord<'a>> {
        Json::new(self.text).items().take(max).map(|item| Self::of(item.raw())).collect()
    }

    /// The fields in file order, duplicate keys kept.
    #[must_use]
    pub fn fields(&self) -> &[(Cow<'a, str>, Json<'a>)] {
        &self.fields
    }

    /// The names of the fields.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.fields.iter().map(|(name, _)| name.as_ref())
    }
}
