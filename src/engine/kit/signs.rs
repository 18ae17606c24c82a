//! Detection as data: the characteristics of a format's records.

use super::lists;
use crate::{Probe, ProbeRecord, Verdict};
use traceloupe_core::json::Kind;
use traceloupe_core::sorting::sort_by_key;

/// How certain a sign is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Sure {
    /// The records could be read as this format.
    Maybe,
    /// The records look like this format.
    Likely,
    /// No other producer writes such records.
    Certain,
}

impl Sure {
    /// The verdict, with a sentence that gives the reason.
    #[must_use]
    pub fn verdict(self, why: &str) -> Verdict {
        let why = why.to_owned();
        match self {
            Self::Maybe => Verdict::Maybe(why),
            Self::Likely => Verdict::Likely(why),
            Self::Certain => Verdict::Certain(why),
        }
    }
}

/// Where a sign is looked for. Paths are those of [`Json::get`]; a `*` stands for every item of a list.
#[derive(Clone, Copy, Debug)]
pub enum On {
    /// Any of the first records.
    Any,
    /// Any of the first items of the lists at a path of any of the first records.
    Items(&'static str),
    /// Any of the first records, or of the first items of the lists at some paths of these records.
    Within(&'static [&'static str]),
    /// The first record.
    First,
    /// Any of the first records except the very first one, which must pass these tests.
    After(&'static [Test]),
    /// The only record.
    Document,
}

/// A test of one value.
#[derive(Clone, Copy, Debug)]
pub enum Test {
    /// There is a value other than `null` at a path.
    Has(&'static str),
    /// There is no value at a path.
    Lacks(&'static str),
    /// The value at a path is an object.
    Object(&'static str),
    /// The value at a path is a list.
    List(&'static str),
    /// The value at a path is a string.
    Text(&'static str),
    /// There are strings at all of these paths.
    Texts(&'static [&'static str]),
    /// The value at a path is this string.
    Is(&'static str, &'static str),
    /// The value at a path is a string, and one of these.
    OneOf(&'static str, &'static [&'static str]),
    /// The value at a path is a string with this prefix.
    Starts(&'static str, &'static str),
    /// An object has this key and no other.
    Only(&'static str),
    /// There are values other than `null` at all of these paths.
    HasAll(&'static [&'static str]),
    /// There is a value at one of several paths.
    HasOne(&'static [&'static str]),
    /// An object at a path has a key with this prefix. The empty path is the value itself.
    KeyStarts(&'static str, &'static str),
}

/// A sign: if all tests hold for one value, the format has this certainty.
#[derive(Clone, Copy, Debug)]
pub struct Sign {
    /// The certainty.
    pub sure: Sure,
    /// Where it is looked for.
    pub on: On,
    /// The reason: "records have `type` and an object `payload`".
    pub why: &'static str,
    /// The tests that must hold.
    pub tests: &'static [Test],
}

impl Sign {
    /// A sign that no other producer writes, in any record of a file. `why` is the reason in words.
    #[must_use]
    pub const fn record(why: &'static str, tests: &'static [Test]) -> Self {
        Self::certain(On::Any, why, tests)
    }

    /// A sign that no other producer writes. `why` is the reason in words: "records have `type` and an object
    /// `payload`".
    #[must_use]
    pub const fn certain(on: On, why: &'static str, tests: &'static [Test]) -> Self {
        Self { sure: Sure::Certain, on, why, tests }
    }

    /// A sign that the records look like this format.
    #[must_use]
    pub const fn likely(on: On, why: &'static str, tests: &'static [Test]) -> Self {
        Self { sure: Sure::Likely, on, why, tests }
    }

    /// A sign that the records could be read as this format.
    #[must_use]
    pub const fn maybe(on: On, why: &'static str, tests: &'static [Test]) -> Self {
        Self { sure: Sure::Maybe, on, why, tests }
    }
}

/// How many items of a list are examined.
const MAX_ITEMS: usize = 20;

impl Test {
    fn holds(self, record: &ProbeRecord<'_>) -> bool {
        let kind = |path, kind| record.at(path).kind() == kind;
        match self {
            Self::Has(path) => record.at(path).is_given(),
            Self::Lacks(path) => !record.at(path).is_given(),
            Self::Object(path) => kind(path, Kind::Object),
            Self::List(path) => kind(path, Kind::Array),
            Self::Text(path) => kind(path, Kind::String),
            Self::Texts(paths) => paths.iter().all(|path| kind(path, Kind::String)),
            Self::Is(path, word) => record.at(path).is(word),
            Self::OneOf(path, words) => {
                let value = record.at(path);
                words.iter().any(|word| value.is(word))
            }
            Self::Starts(path, start) => {
                record.at(path).text().is_some_and(|text| text.starts_with(start))
            }
            Self::Only(key) => {
                let mut keys = record.keys();
                keys.next().is_some_and(|it| it == key) && keys.next().is_none()
            }
            Self::HasAll(paths) => paths.iter().all(|path| record.at(path).is_given()),
            Self::HasOne(paths) => paths.iter().any(|path| record.at(path).is_given()),
            Self::KeyStarts("", start) => record.keys().any(|key| key.starts_with(start)),
            Self::KeyStarts(path, start) => {
                record.at(path).members().any(|(key, _)| key.starts_with(start))
            }
        }
    }
}

impl Sign {
    /// Whether all tests hold for a value where the sign is looked for.
    #[must_use]
    pub fn holds(&self, probe: &Probe<'_>) -> bool {
        let all = |record: &ProbeRecord<'_>| self.tests.iter().all(|test| test.holds(record));
        let mut records = probe.records.iter();
        match self.on {
            On::Any => records.any(all),
            On::First => records.next().is_some_and(all),
            On::After(first) => {
                let holds = |it: &ProbeRecord<'_>| first.iter().all(|test| test.holds(it));
                records.next().is_some_and(holds) && records.any(all)
            }
            On::Document => probe.document().is_some_and(all),
            On::Items(path) => records.any(|record| in_list(record, path, &all)),
            On::Within(paths) => records
                .any(|record| all(record) || paths.iter().any(|path| in_list(record, path, &all))),
        }
    }
}

/// Whether one of the first items of the lists at a path satisfies a test.
fn in_list(record: &ProbeRecord<'_>, path: &str, test: &dyn Fn(&ProbeRecord<'_>) -> bool) -> bool {
    let (mut looked, mut found) = (0, false);
    lists::find(record.json(), path, &mut |item, _| {
        looked += 1;
        found = test(&ProbeRecord::of(item));
        found || looked == MAX_ITEMS
    });
    found
}

/// The verdict of the strongest sign that holds.
#[must_use]
pub fn verdict(signs: &[Sign], probe: &Probe<'_>) -> Verdict {
    let mut signs: Vec<&Sign> = signs.iter().collect();
    sort_by_key(&mut signs, |sign| std::cmp::Reverse(sign.sure));
    let Some(sign) = signs.into_iter().find(|sign| sign.holds(probe)) else { return Verdict::No };
    sign.sure.verdict(sign.why)
}
