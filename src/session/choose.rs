//! Chooses the format of a source. Every format returns a certainty and a reason.

use std::borrow::Cow;

use traceloupe_core::json::{Inspector, Json, Keep, Shortener};
use traceloupe_core::model::Reading;
use traceloupe_core::other_file::OtherFile;
use traceloupe_engine::{Format, Probe, ProbeRecord, Record, Verdict};
use traceloupe_formats::guess::{self, Choices};
use traceloupe_formats::{FORMATS, any_json, by_id, other_files};
use traceloupe_input::SplitAt;

/// Longer records are shortened before their keys are interpreted, or if they have no tape.
const LONG_RECORD_BYTES: usize = 64 << 10;

/// What is kept of a long record, which is more than detection needs.
const KEEP: Keep = Keep {
    string_bytes: 4 << 10,
    items: 1_000,
    // Looking for hundreds of paths in megabytes of nested lists takes a minute.
    list_bytes: 64 << 10,
    all_items: usize::MAX,
    all_bytes: 1 << 20,
    depth: 64,
};

/// The user's choices.
#[derive(Clone, Debug, Default)]
pub(super) struct Wanted {
    /// The format to read everything with.
    pub(super) format: Option<String>,
    /// The format to try first.
    pub(super) likely: Option<String>,
    /// How to read files of unknown formats.
    pub(super) choices: Choices,
}

/// The choice.
pub(super) struct Chosen {
    /// The format.
    pub(super) format: &'static dyn Format,
    /// Whether more records are unlikely to change the choice.
    pub(super) is_sure: bool,
    /// Whether no more records can change it.
    pub(super) is_certain: bool,
    /// The reason, in words.
    pub(super) why: String,
    /// The other formats that could read it: id, name, reason; most likely first.
    pub(super) others: Vec<(String, String, String)>,
    /// The interpretation of its keys, if its format is unknown.
    pub(super) reading: Option<Reading>,
    /// What the file is, if it is known to hold no trace. It is not read then.
    pub(super) other: Option<OtherFile>,
}

/// The list at which a long document is split, and the interpretation of the keys of its records if its format is
/// unknown. This depends on the format that will read the document, which is chosen by the beginning of the document.
pub(super) fn list_of(name: &str, beginning: &str, wanted: &Wanted) -> (SplitAt, Option<Reading>) {
    let nowhere = traceloupe_core::model::SourceId::from_index(0);
    let mut inspector = Inspector::default();
    let json = inspector.inspect(beginning).map_or(Json::new(beginning), |found| found.json);
    let record = Record::new(json, nowhere, 0, 1);
    let Some(chosen) = choose(name, &[record], false, wanted, None) else {
        return (SplitAt::NotYet, None);
    };
    let beginning = ProbeRecord::new(&record);
    let as_document = Probe { name, records: &[beginning], complete: true };
    if other_kind(chosen.format, &as_document, wanted).is_some() {
        return (SplitAt::Never, None);
    }
    let Some(reading) = chosen.reading else {
        let list = chosen.format.split(&beginning);
        // The rest of the document may match another format with more certainty.
        let may_change = list == SplitAt::Never && !chosen.is_certain;
        return (if may_change { SplitAt::NotYet } else { list }, None);
    };
    let list = reading.mapping.list.clone();
    match beginning.get(&list).is_some_and(|list| list.starts_with('[')) {
        true => (SplitAt::List(Cow::Owned(list)), Some(reading)),
        false => (SplitAt::NotYet, None),
    }
}

/// Long records without the parts that detection ignores; `None` for records that stay as they are.
struct Shortened(Vec<Option<(String, Inspector)>>);

impl Shortened {
    fn new(records: &[Record<'_>], is_too_long: impl Fn(&Record<'_>) -> bool) -> Self {
        let shortened = |record: &Record<'_>| {
            (record.text.len() > LONG_RECORD_BYTES && is_too_long(record)).then_some(())?;
            let mut shortener = Shortener::new(KEEP);
            shortener.push(record.text.as_bytes());
            Some((String::from_utf8(shortener.finish().text).ok()?, Inspector::default()))
        };
        Self(records.iter().map(shortened).collect())
    }

    /// The part of each record that detection uses.
    fn probed<'a>(&'a mut self, records: &[Record<'a>]) -> Vec<ProbeRecord<'a>> {
        let probed = records.iter().zip(&mut self.0).map(|(record, short)| match short {
            Some((text, inspector)) => {
                let found = inspector.inspect(text).map(|found| found.json);
                ProbeRecord::of(found.unwrap_or_else(|| Json::new(text)))
            }
            None => ProbeRecord::new(record),
        });
        probed.collect()
    }
}

/// Tries every format, which is quick if the records have tapes. `None` if there are no records, or if no format can
/// read them. If the records are parts of a document, `split` is how that document is read.
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
    let mut short = Shortened::new(records, |record| !record.json.has_tape());
    let probed = short.probed(records);
    let probe = Probe { name, records: &probed, complete };
    // At most one format can be certain of given records.
    if wanted.format.is_none()
        && let Some(format) = wanted.likely.as_deref().and_then(by_id)
        && let Verdict::Certain(why) = format.sniff(&probe)
    {
        return Some(Chosen {
            format,
            is_sure: true,
            is_certain: true,
            why,
            others: Vec::new(),
            reading: None,
            other: None,
        });
    }
    let mut ranked: Vec<(Verdict, &'static dyn Format)> = FORMATS
        .iter()
        .map(|format| (format.sniff(&probe), *format))
        .filter(|(verdict, _)| *verdict != Verdict::No)
        .collect();
    // The sort is stable: of equally certain formats, the first one in the registry is chosen.
    traceloupe_core::sorting::sort_by_key(&mut ranked, |(verdict, _)| {
        std::cmp::Reverse(verdict.rank())
    });
    let forced = wanted.format.as_deref().and_then(by_id);
    let rank = ranked.first().map_or(0, |(verdict, _)| verdict.rank());
    let (is_sure, is_certain) = (forced.is_some() || rank > 1, forced.is_some() || rank > 2);
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
    let is_unknown = format.id() == any_json::Records.id();
    let other = other_kind(format, &probe, wanted);
    let reading = (is_unknown && other.is_none()).then(|| {
        split.unwrap_or_else(|| {
            let mut short = Shortened::new(records, |_| true);
            guess::reading(&Probe { records: &short.probed(records), ..probe }, &wanted.choices)
        })
    });
    Some(Chosen { format, is_sure, is_certain, why, others, reading, other })
}

/// What a file of no known format is, if it is known to hold no trace, and the user did not ask for its records.
fn other_kind(format: &dyn Format, probe: &Probe<'_>, wanted: &Wanted) -> Option<OtherFile> {
    let is_asked_for = wanted.format.is_some() || wanted.choices.mapping.is_some();
    let is_unknown = format.id() == any_json::Records.id();
    if is_unknown && !is_asked_for { other_files::kind(probe) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(beginning: &str) -> SplitAt {
        list_of("x", beginning, &Wanted::default()).0
    }

    #[test]
    fn a_long_document_is_split_by_what_its_beginning_says() {
        let message = r#"{"role":"user","content":"Hi"}"#;
        let chat = format!(r#"{{"model":"m","messages":[{message}]}}"#);
        assert_eq!(asked(&chat), SplitAt::List("messages".into()));
        let recording = r#"{"log":{"version":"1.2","creator":{},"entries":[{"startedDateTime":"2026-01-01T00:00:00Z","request":{"method":"POST","url":"x"},"response":{"status":200}}]}}"#;
        assert_eq!(asked(recording), SplitAt::Never);
        // The rest of the document may identify a format that has a list.
        assert_eq!(asked(r#"{"tags":[{}]}"#), SplitAt::NotYet);
    }

    #[test]
    fn of_nested_lists_without_end_detection_sees_a_part() {
        let mut nested = "[0,0,0,0,0,0,0,0]".to_owned();
        for _ in 0..6 {
            nested = format!("[{}]", [nested.as_str(); 8].join(","));
        }
        assert!(nested.len() > 4 << 20);
        let source = traceloupe_core::model::SourceId::from_index(0);
        let text = format!(r#"{{"a":{nested},"b":{nested},"messages":[]}}"#);
        let record = Record::new(Json::new(&text), source, 0, 1);
        let mut short = Shortened::new(&[record], |_| true);
        let seen = short.probed(&[record])[0];
        assert!(seen.json().raw().len() < 256 << 10, "{}", seen.json().raw().len());
        assert!(seen.has_all(&["a", "b", "messages"]));
    }

    #[test]
    fn long_texts_and_many_items_change_no_verdict() {
        let record = |words: &str, more: &str| {
            format!(
                r#"{{"type":"user","sessionId":"s","uuid":"u","parentUuid":null,"more":[0{more}],"message":{{"role":"user","content":"{words}"}}}}"#
            )
        };
        let long = record(&"words ".repeat(20_000), &",0".repeat(1 << 20));
        let mut inspector = Inspector::default();
        let with_tape = inspector.inspect(&long).unwrap().json;
        let source = traceloupe_core::model::SourceId::from_index(0);
        for json in [with_tape, Json::new(&long), Json::new(&record("words", ""))] {
            let record = Record::new(json, source, 0, 1);
            let chosen = choose("x", &[record], true, &Wanted::default(), None).unwrap();
            assert!(chosen.format.id() == "claude-code" && chosen.is_certain);
        }
    }
}
