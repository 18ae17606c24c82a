//! Reads small traces in the unit tests of formats.

use crate::{EventRecords, Format, Probe, ProbeRecord, Record, RecordText, Verdict};
use traceloupe_core::json::{Gaps, Json};
use traceloupe_core::model::{Detail, EventId, EventKind, Role, SourceId, Trace, TraceBuilder};

/// A trace with the records that it was read from.
pub struct Read {
    /// The trace.
    pub trace: Trace,
    files: Vec<Vec<(u64, String)>>,
}

/// Reads files, each a list of records, in the same way as a session: one after the other, then joined.
pub fn read(format: &dyn Format, files: &[&[&str]]) -> Read {
    let mut out = TraceBuilder::new();
    let mut placed = Vec::new();
    for (at, records) in files.iter().enumerate() {
        let source = SourceId::from_index(at);
        let mut reader = format.reader(source);
        let (mut start, mut here) = (0, Vec::new());
        for (at, text) in records.iter().enumerate() {
            let line = u32::try_from(at + 1).unwrap();
            reader.record(&Record::new(Json::new(text), source, start, line), &mut out);
            here.push((start, (*text).to_owned()));
            start += text.len() as u64 + 1;
        }
        reader.finish(&mut out);
        placed.push(here);
    }
    format.join(&mut out);
    Read { trace: out.finish(), files: placed }
}

#[allow(dead_code)] // the unit tests of the package `formats` share this file by its path
/// How certain a format is of some records, which are all records of the source.
pub fn sniff(format: &dyn Format, name: &str, records: &[&str]) -> Verdict {
    let source = SourceId::from_index(0);
    let records: Vec<_> = records
        .iter()
        .map(|text| ProbeRecord::new(&Record::new(Json::new(text), source, 0, 1)))
        .collect();
    format.sniff(&Probe { name, records: &records, complete: true })
}

impl Read {
    /// Kind and name of every event, in display order of the first run, indented by depth.
    pub fn outline(&self) -> Vec<String> {
        let run = traceloupe_core::model::RunId::from_index(0);
        let rows = self.trace.order(run).iter().zip(self.trace.depths(run));
        rows.map(|(id, depth)| {
            let event = self.trace.event(*id).unwrap();
            let indent = " ".repeat(usize::from(*depth));
            format!("{indent}{} {}", event.kind.word(), self.trace.name(event.name))
        })
        .collect()
    }

    /// The bytes of the summary of an event.
    pub fn summary(&self, at: usize) -> String {
        let event = self.trace.events().get(at).unwrap();
        self.trace.summary_span(event).map_or_else(String::new, |span| self.text(span))
    }

    /// The text at a place that is within one record.
    pub fn text(&self, span: traceloupe_core::model::Span) -> String {
        let records = &self.files[span.source.index()];
        let (start, text) = records.iter().rfind(|(start, _)| *start <= span.start).unwrap();
        let from = usize::try_from(span.start - start).unwrap();
        text.get(from..from + span.len as usize).unwrap().to_owned()
    }

    /// The content of an opened row.
    pub fn detail(&self, format: &dyn Format, at: usize) -> Detail {
        let id = EventId::from_index(at);
        let event = self.trace.event(id).unwrap();
        let before = self.trace.events().iter_back_from(at).map(|(_, event)| event);
        let earlier: Vec<_> = before
            .filter(|it| it.kind == EventKind::LlmCall && it.run == event.run)
            .take(EventRecords::MAX_EARLIER)
            .map(|it| self.records(it))
            .collect();
        let records = self.records(event);
        let mut out = Detail::default();
        let own = EventRecords {
            trace: &self.trace,
            event,
            records: &records,
            earlier: &earlier,
            referred: &[],
        };
        let referred: Vec<_> =
            format.referred(&own).into_iter().map(|it| self.record(it)).collect();
        format.detail(&EventRecords { referred: &referred, ..own }, &mut out);
        out
    }

    fn record(&self, span: traceloupe_core::model::Span) -> RecordText {
        let place = traceloupe_core::model::Place { span, line: 0 };
        RecordText { text: self.text(span), gaps: Gaps::default(), place, item: 0 }
    }

    fn records(&self, event: &traceloupe_core::model::Event) -> Vec<RecordText> {
        let items = self.trace.items(event);
        items
            .map(|(place, item)| {
                let text = self.text(place.span);
                RecordText { text, gaps: Gaps::default(), place, item }
            })
            .collect()
    }
}

/// The label of a block, or the name of its role.
#[must_use]
pub fn title_of(role: Role) -> String {
    match role {
        Role::Named(label) | Role::OtherInput(label) | Role::OtherOutput(label) => label.to_owned(),
        role => format!("{role:?}"),
    }
}
