//! Passes records from the framer to the reader of the format. Records are kept until the format has been chosen.

use crate::choose::{self, Chosen, Wanted};
use crate::intake::problems::{self, Code};
use crate::intake::source::{PendingRecord, Records, Source, SplitReading};
use traceloupe_core::json::{Inspector, Json};
use traceloupe_core::model::{SourceId, TraceBuilder, WarningPlace};
use traceloupe_core::warning_code::WarningCode;
use traceloupe_engine::{Probe, Reader, Record};
use traceloupe_formats::any_json;
use traceloupe_input::Framed;
use traceloupe_protocol::problem::SourceFault;

/// How many bytes of records may wait for the choice of a format.
const MAX_PENDING_BYTES: usize = 8 << 20;

/// Takes the output of the framer for one source.
pub(crate) struct Sink<'a> {
    id: SourceId,
    /// Why the source ends early, if it does.
    cut: Option<Code>,
    source: Option<&'a mut Source>,
    records: Records,
    pending_bytes: usize,
    is_end: bool,
    wanted: &'a Wanted,
    split: SplitReading,
    builder: &'a mut TraceBuilder,
}

impl<'a> Sink<'a> {
    pub(crate) fn new(
        (id, cut): (SourceId, Option<Code>),
        source: Option<&'a mut Source>,
        (records, split): (Records, SplitReading),
        is_end: bool,
        wanted: &'a Wanted,
        builder: &'a mut TraceBuilder,
    ) -> Self {
        let pending_bytes = match &records {
            Records::Pending(pending) => pending.iter().map(|it| it.text.len()).sum(),
            Records::Reading(_) | Records::Ignored => 0,
        };
        Self { id, cut, source, records, pending_bytes, is_end, wanted, split, builder }
    }

    pub(crate) fn take(&mut self, framed: Framed<'_>) {
        match framed {
            Framed::Record { json, start, line, .. } => self.record(json, start, line, false),
            Framed::Envelope { json, start, line } => self.record(json, start, line, true),
            Framed::Notice { code, start, line, detail } => {
                let place =
                    WarningPlace { source: self.id, line, byte: start, detail: detail.to_owned() };
                self.builder.warn_at(code, place);
                if let Some(source) = &mut self.source
                    && self.cut != Some(Code::UnreadableFile)
                    && let Some(fault) = problems::of_notice(code)
                {
                    source.problem = Some(fault);
                }
            }
        }
    }

    fn record(&mut self, json: Json<'_>, start: u64, line: u32, is_part: bool) {
        let text = json.raw();
        let record = Record::new(json, self.id, start, line);
        match &mut self.records {
            Records::Ignored => {}
            Records::Reading(reader) => read(&mut **reader, &record, is_part, self.builder),
            Records::Pending(pending) => {
                if self.pending_bytes + text.len() > MAX_PENDING_BYTES
                    || pending.len() + 1 >= Probe::MAX_RECORDS
                {
                    self.decide(Some((record, is_part)));
                } else {
                    self.pending_bytes += text.len();
                    pending.push(PendingRecord { text: text.to_owned(), start, line, is_part });
                }
            }
        }
    }

    /// Chooses the format from the records so far, if they are enough to be certain.
    pub(crate) fn decide_early(&mut self, is_patient: bool) {
        let Records::Pending(pending) = &self.records else { return };
        let mut tapes = tapes(pending);
        let records: Vec<Record<'_>> =
            pending.iter().zip(&mut tapes).map(|(it, tape)| it.record(self.id, tape)).collect();
        let name = self.source.as_ref().map_or("", |source| source.name());
        let chosen =
            choose::choose(name, &records, false, self.wanted, self.split.borrow().clone());
        if chosen.is_some_and(|chosen| chosen.is_sure || !is_patient) {
            self.decide(None);
        }
    }

    /// Chooses the format and passes it the pending records and the current one.
    fn decide(&mut self, current: Option<(Record<'_>, bool)>) {
        let Records::Pending(pending) = &mut self.records else { return };
        let pending = std::mem::take(pending);
        let mut tapes = tapes(&pending);
        let records: Vec<Record<'_>> = pending
            .iter()
            .zip(&mut tapes)
            .map(|(it, tape)| it.record(self.id, tape))
            .chain(current.map(|(record, _)| record))
            .collect();
        let are_parts = pending.iter().map(|it| it.is_part).chain(current.map(|(_, is)| is));
        let name = self.source.as_ref().map_or("", |source| source.name());
        let split = self.split.borrow().clone();
        let Some(chosen) = choose::choose(name, &records, self.is_end, self.wanted, split) else {
            // Lists of lists and the like, which no format can read.
            records
                .iter()
                .for_each(|it| self.builder.warn(WarningCode::NotAnEvent, &it.place(), ""));
            return;
        };
        if let Some(kind) = chosen.other {
            if let Some(source) = &mut self.source {
                source.problem = Some(SourceFault::OtherFile(kind));
            }
            self.records = Records::Ignored;
            return;
        }
        let mut reader = match &chosen.reading {
            Some(reading) => any_json::mapped_reader(&reading.mapping, self.id, self.builder),
            None => chosen.format.reader(self.id),
        };
        for (record, is_part) in records.iter().zip(are_parts) {
            read(&mut *reader, record, is_part, self.builder);
        }
        self.set_format(chosen, reader);
    }

    fn set_format(&mut self, chosen: Chosen, reader: Box<dyn Reader>) {
        if let Some(source) = &mut self.source {
            source.format = Some(chosen.format);
            source.why = chosen.why;
            source.others = chosen.others;
            source.reading = chosen.reading;
        }
        self.records = Records::Reading(reader);
    }

    pub(crate) fn into_records(self) -> Records {
        self.records
    }

    /// Ends the source.
    pub(crate) fn end(mut self) {
        self.decide(None);
        if let Records::Reading(reader) = &mut self.records {
            reader.finish(self.builder);
            // The file could be read despite its odd beginning. If it could not be read to its end, that remains a
            // problem.
            if let Some(source) = &mut self.source
                && self.cut != Some(Code::UnreadableFile)
            {
                source.problem = None;
            }
        } else if let Some(source) = &mut self.source {
            let fault = problems::without_records(self.cut);
            source.problem.get_or_insert(fault);
        }
    }
}

/// Memory for the tapes of pending records. Without tapes, detection and reading are many times as slow.
fn tapes(pending: &[PendingRecord]) -> Vec<Inspector> {
    pending.iter().map(|_| Inspector::default()).collect()
}

fn read(reader: &mut dyn Reader, record: &Record<'_>, is_part: bool, out: &mut TraceBuilder) {
    if is_part {
        reader.part(record, out);
    } else {
        reader.record(record, out);
    }
}
