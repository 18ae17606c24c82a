//! Chooses the format of a source. Every format says how certain it is, and why.

use std::borrow::Cow;

use crate::formats::guess::{self, Choices};
use crate::formats::{FORMATS, Format, Probe, ProbeRecord, Record, Verdict, by_id, records};
use crate::json::{Json, Keep, Shortener};
use crate::model::Reading;

/// Longer records are shortened once, since every sign of every format looks through them.
const LONG_RECORD_BYTES: usize = 64 << 10;

/// What is kept of a long record: more than any sign looks at.
const KEEP: Keep = Keep {
    string_bytes: 4 << 10,
    items: 1_000,
    list_bytes: usize::MAX,
    all_items: usize::MAX,
    all_bytes: usize::MAX,
    depth: 64,
};

/// What the person has chosen.
#[derive(Clone, Debug, Default)]
pub(super) struct Wanted {
    /// The format to read everything as.
    pub(super) format: Option<String>,
    /// The format to ask first.
    pub(super) likely: Option<String>,
    /// How to read files of no known format.
    pub(super) choices: Choices,
}

/// The choice.
pub(super) struct Chosen {
    /// The format.
    pub(super) format: &'static dyn Format,
    /// Whether more records are unlikely to change the choice.
    pub(super) is_sure: bool,
    /// Why, in words.
    pub(super) why: String,
    /// The other formats that could read it: id, name, reason; the likeliest first.
    pub(super) others: Vec<(String, String, String)>,
    /// What its keys are taken for, if no format knows it.
    pub(super) reading: Option<Reading>,
}

/// The list at which a long document is split, and what the keys of its records are taken for if no format knows
/// it. The format that will read the document decides, by its beginning.
pub(super) fn list_of(
    name: &str,
    beginning: &str,
    wanted: &Wanted,
) -> Option<(Cow<'static, str>, Option<Reading>)> {
    let nowhere = crate::model::SourceId::from_index(0);
    let record = Record::new(Json::new(beginning), nowhere, 0, 1);
    let chosen = choose(name, &[record], false, wanted, None)?;
    let beginning = ProbeRecord::new(&record);
    let Some(reading) = chosen.reading else {
        return Some((Cow::Borrowed(chosen.format.split(&beginning)?), None));
    };
    let list = reading.mapping.list.clone();
    let is_top = beginning.get(&list).is_some_and(|list| list.starts_with('['));
    is_top.then_some((Cow::Owned(list), Some(reading)))
}

/// The text of a long record without what no sign looks at.
fn shortened(record: &Record<'_>) -> Option<String> {
    let text = record.json.raw();
    if text.len() <= LONG_RECORD_BYTES {
        return None;
    }
    let mut shortener = Shortener::new(KEEP);
    shortener.push(text.as_bytes());
    String::from_utf8(shortener.finish().text).ok()
}

/// Asks every format. `None` if there are no records, or no format can read them. `split` is how the document is
/// read that these are parts of.
pub(super) fn choose(
    name: &str,
    records: &[Record<'_>],
    complete: bool,
    wanted: &Wanted,
    split: Option<Reading>,
) -> Option<Chosen> {
    if records.is_empty() {
        return None;
    }
    let short: Vec<Option<String>> = records.iter().map(shortened).collect();
    let probed = records.iter().zip(&short).map(|(record, short)| match short {
        Some(short) => ProbeRecord::of(short),
        None => ProbeRecord::new(record),
    });
    let probed: Vec<ProbeRecord<'_>> = probed.collect();
    let probe = Probe { name, records: &probed, complete };
    // No two formats are certain of the same records.
    if wanted.format.is_none()
        && let Some(format) = wanted.likely.as_deref().and_then(by_id)
        && let Verdict::Certain(why) = format.sniff(&probe)
    {
        return Some(Chosen { format, is_sure: true, why, others: Vec::new(), reading: None });
    }
    let mut ranked: Vec<(Verdict, &'static dyn Format)> = FORMATS
        .iter()
        .map(|format| (format.sniff(&probe), *format))
        .filter(|(verdict, _)| *verdict != Verdict::No)
        .collect();
    // A stable sort: of equally certain formats, the first in the registry is chosen.
    crate::order::sort_by_key(&mut ranked, |(verdict, _)| std::cmp::Reverse(verdict.rank()));
    let forced = wanted.format.as_deref().and_then(by_id);
    let is_sure = forced.is_some() || ranked.first().is_some_and(|(verdict, _)| verdict.rank() > 1);
    let (format, why) = match forced {
        Some(format) => (format, "you asked for it".to_owned()),
        None => ranked.first().map(|(verdict, format)| (*format, verdict.why().to_owned()))?,
    };
    let others = ranked
        .iter()
        .filter(|(_, other)| other.id() != format.id())
        .map(|(verdict, other)| {
            (other.id().to_owned(), other.name().to_owned(), verdict.why().to_owned())
        })
        .collect();
    let is_unknown = format.id() == records::Records.id();
    let reading =
        is_unknown.then(|| split.unwrap_or_else(|| guess::reading(&probe, &wanted.choices)));
    Some(Chosen { format, is_sure, why, others, reading })
}
