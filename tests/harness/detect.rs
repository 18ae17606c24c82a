//! What each format says of the beginning of a file.

use traceloupe::formats::{FORMATS, Probe, ProbeRecord, Record, Verdict};
use traceloupe::input::{Framed, Framer};
use traceloupe::json::Json;
use traceloupe::model::SourceId;

/// The verdict of every format on the first records of a text file, by the id of the format.
pub fn verdicts(name: &str, bytes: &[u8]) -> Vec<(&'static str, Verdict)> {
    let mut framer = Framer::new();
    let mut found: Vec<(String, u64, u32)> = Vec::new();
    let mut sink = |framed: Framed<'_>| {
        if let Framed::Record { json, start, line, .. } = framed {
            found.push((json.raw().to_owned(), start, line));
        }
    };
    framer.push(bytes, &mut sink);
    framer.finish(&mut sink);
    let complete = found.len() < Probe::MAX_RECORDS;
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
