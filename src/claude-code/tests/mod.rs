//! One small session per quirk.

mod agents;
mod calls;
mod hostile;
mod records;
mod runs;

use super::ClaudeCode;
use traceloupe_core::json::{Gaps, Json};
use traceloupe_core::model::{
    Block, Detail, ErrorLabel, Event, EventKind, Flags, RunId, RunNote, SourceId, Status, Trace,
    TraceBuilder, key_hash,
};
use traceloupe_engine::{
    EventRecords, Format as _, Probe, ProbeRecord, Record, RecordText, Verdict,
};

/// Reads files, each a list of lines.
fn read(files: &[&[&str]]) -> Trace {
    let mut out = TraceBuilder::new();
    for (source, lines) in files.iter().enumerate() {
        let source = SourceId::from_index(source);
        let mut reader = ClaudeCode.reader(source);
        let mut start = 0;
        for (line, text) in (1..).zip(lines.iter()) {
            reader.record(&Record::new(Json::new(text), source, start, line), &mut out);
            start += text.len() as u64 + 1;
        }
        reader.finish(&mut out);
    }
    ClaudeCode.join(&mut out);
    out.finish()
}

/// A record with the full envelope: `rest` is spliced in.
fn envelope(session: &str, uuid: &str, parent: &str, second: u32, rest: &str) -> String {
    let parent = if parent.is_empty() { "null".to_owned() } else { format!("{parent:?}") };
    format!(
        r#"{{"parentUuid":{parent},"sessionId":"{session}","uuid":"{uuid}","timestamp":"2026-01-01T00:00:{second:02}.000Z",{rest}}}"#
    )
}

fn user(uuid: &str, parent: &str, second: u32, text: &str) -> String {
    let rest = format!(r#""type":"user","message":{{"role":"user","content":{text:?}}}"#);
    envelope("s", uuid, parent, second, &rest)
}

fn assistant(uuid: &str, second: u32, message_id: &str, blocks: &str, output: u32) -> String {
    envelope("s", uuid, "", second, &assistant_rest(message_id, blocks, output))
}

fn assistant_rest(message_id: &str, blocks: &str, output: u32) -> String {
    format!(
        r#""type":"assistant","requestId":"r-{message_id}","message":{{"id":"{message_id}","role":"assistant","model":"m","content":[{blocks}],"usage":{{"input_tokens":1,"output_tokens":{output}}}}}"#
    )
}

fn call(id: &str, name: &str, input: &str) -> String {
    format!(r#"{{"type":"tool_use","id":"{id}","name":"{name}","input":{input}}}"#)
}

fn result(uuid: &str, second: u32, id: &str, content: &str, more: &str) -> String {
    let rest = format!(
        r#""type":"user","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":{content:?}{more}}}]}}"#
    );
    envelope("s", uuid, "", second, &rest)
}

/// The events of the first run in display order, as `depth kind name status`.
fn rows(trace: &Trace) -> Vec<String> {
    rows_of(trace, 0)
}

fn rows_of(trace: &Trace, run: usize) -> Vec<String> {
    let run = RunId::from_index(run);
    let row = |(id, depth): (&_, &u16)| {
        let event = trace.event(*id).unwrap();
        let name = trace.name(event.name);
        format!("{depth} {} {name} {}", event.kind.word(), event.status.word())
    };
    trace.order(run).iter().zip(trace.depths(run)).map(row).collect()
}

fn only(trace: &Trace, kind: EventKind) -> &Event {
    let mut found = trace.events().iter().filter(|event| event.kind == kind);
    let event = found.next().unwrap();
    assert!(found.next().is_none(), "more than one {kind:?}");
    event
}

fn summary(trace: &Trace, event: &Event, lines: &[&str]) -> String {
    let span = trace.summary_span(event).unwrap();
    let text = lines.join("\n");
    let start = usize::try_from(span.start).unwrap();
    text.get(start..start + span.len as usize).unwrap().to_owned()
}

fn detail(trace: &Trace, event: &Event, lines: &[&str]) -> Detail {
    let text = lines.join("\n");
    let records: Vec<RecordText> = trace
        .places(event)
        .map(|place| {
            let start = usize::try_from(place.span.start).unwrap();
            let text = text.get(start..start + place.span.len as usize).unwrap().to_owned();
            RecordText { text, gaps: Gaps::default(), place, item: 0 }
        })
        .collect();
    let mut detail = Detail::default();
    let opened = EventRecords { trace, event, records: &records, earlier: &[], referred: &[] };
    ClaudeCode.detail(&opened, &mut detail);
    detail
}
