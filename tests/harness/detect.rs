//! The verdict of each format on the beginning of a file.

use traceloupe_core::json::Json;
use traceloupe_core::model::SourceId;
use traceloupe_engine::{Probe, ProbeRecord, Record, Verdict};
use traceloupe_formats::FORMATS;
use traceloupe_input::{Framed, Framer};

/// The id of every format with its verdict.
pub type Verdicts = Vec<(&'static str, Verdict)>;

/// How far a source has been read at the time of detection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    /// To its end.
    End,
    /// A piece was cut out of it: a value without an end is closed, and more would follow.
    Cut,
    /// It is still growing: only complete records count.
    Pause,
}

/// The verdict of every format on the first records of a text file, by the id of the format.
pub fn verdicts(name: &str, bytes: &[u8]) -> Verdicts {
    verdicts_until(Until::End, name, bytes)
}

/// The same for a source that may not have been read to its end.
pub fn verdicts_until(until: Until, name: &str, bytes: &[u8]) -> Verdicts {
    let mut framer = Framer::new();
    let mut found: Vec<(String, u64, u32)> = Vec::new();
    let mut sink = |framed: Framed<'_>| {
        if let Framed::Record { json, start, line, .. } = framed {
            found.push((json.raw().to_owned(), start, line));
        }
    };
    framer.push(bytes, &mut sink);
    match until {
        Until::Pause => framer.pause(false, &mut sink),
        Until::End | Until::Cut => framer.finish(&mut sink),
    }
    let complete = until == Until::End && found.len() < Probe::MAX_RECORDS;
    found.truncate(Probe::MAX_RECORDS);
    let source = SourceId::from_index(0);
    let records: Vec<_> = found
        .iter()
        .map(|(text, start, line)| {
            ProbeRecord::new(&Record::new(Json::new(text), source, *start, *line))
        })
        .collect();
    let name = name.rsplit('/').next().unwrap();
    let probe = Probe { name, records: &records, complete };
    FORMATS.iter().map(|format| (format.id(), format.sniff(&probe))).collect()
}

/// The format chosen by these verdicts, with its rank: the first of equally certain ones.
pub fn chosen(verdicts: &Verdicts) -> Option<(&'static str, u8)> {
    let ranks = verdicts.iter().map(|(id, verdict)| (*id, verdict.rank())).filter(|it| it.1 > 0);
    ranks.rev().max_by_key(|(_, rank)| *rank)
}
