//! Our own fixtures and every available real Claude Code session, fed line by line: nothing is lost, and counts equal
//! independent counts.

use crate::harness;
use crate::snapshot::assert_reviewed;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use harness::{files_below, fixtures, shared, shared_also};
use serde_json::Value;
use traceloupe_claude_code::ClaudeCode;
use traceloupe_core::json::{Gaps, Json};
use traceloupe_core::model::{Detail, EventKind, SourceId, Trace, TraceBuilder, key_hash};
use traceloupe_engine::{
    EventRecords, Format as _, Probe, ProbeRecord, Record, RecordText, Verdict,
};
use traceloupe_words::error_label;

/// A record of a file: offset, line, text.
type Line = (u64, u32, String);

/// The sessions below a folder of traces.
fn sessions_of(root: &Path) -> Vec<PathBuf> {
    let folders = ["claude-code", "iflow"].map(|name| root.join(name));
    let files = folders.iter().filter(|it| it.is_dir()).flat_map(|it| files_below(it));
    files.filter(|path| !path.ends_with("expect.json")).collect()
}

/// Our own sessions and the real ones.
#[track_caller]
fn sessions() -> Vec<PathBuf> {
    let mut found = sessions_of(&fixtures::folder());
    found.extend(shared_also("traces").iter().flat_map(|root| sessions_of(root)));
    found
}

/// The records of a file: its JSONL lines, or the whole document. Lines that are not JSON are
/// skipped.
fn lines_of(path: &Path) -> Vec<Line> {
    let text = std::fs::read_to_string(path).unwrap();
    if serde_json::from_str::<Value>(&text).is_ok() {
        let start = text.len() - text.trim_start().len();
        return vec![(start as u64, 1, text.trim().to_owned())];
    }
    let mut start = 0;
    let mut lines = Vec::new();
    for (at, line) in text.split_inclusive('\n').enumerate() {
        let record = line.trim_end();
        if !record.is_empty() && serde_json::from_str::<Value>(record).is_ok() {
            lines.push((start, u32::try_from(at + 1).unwrap(), record.to_owned()));
        }
        start += line.len() as u64;
    }
    lines
}

fn record_of(source: usize, line: &Line) -> Record<'_> {
    Record::new(Json::new(&line.2), SourceId::from_index(source), line.0, line.1)
}

fn read(files: &[Vec<Line>]) -> Trace {
    let mut out = TraceBuilder::new();
    for (source, lines) in files.iter().enumerate() {
        let mut reader = ClaudeCode.reader(SourceId::from_index(source));
        for line in lines {
            reader.record(&record_of(source, line), &mut out);
        }
        reader.finish(&mut out);
    }
    ClaudeCode.join(&mut out);
    out.finish()
}

/// The message records of a file, including those inside progress records.
fn messages(lines: &[Line]) -> Vec<Value> {
    let mut found = Vec::new();
    for (_, _, text) in lines {
        let value: Value = serde_json::from_str(text).unwrap();
        if let Some(items) = value["loglines"].as_array() {
            found.extend(items.iter().cloned());
        } else if value["data"]["type"] == "agent_progress" {
            let mut inner = value["data"]["message"].clone();
            inner["sessionId"] = value["sessionId"].clone();
            found.push(inner);
        } else {
            found.push(value);
        }
    }
    found.retain(|it| it["type"] == "user" || it["type"] == "assistant");
    found
}

/// LLM calls, tool calls and output tokens, counted independently of the reader.
fn counted(files: &[Vec<Line>]) -> (usize, usize, u64) {
    let mut calls: BTreeMap<String, u64> = BTreeMap::new();
    let mut n_unnamed = 0;
    let mut tools = BTreeSet::new();
    for message in files.iter().flat_map(|lines| messages(lines)) {
        if message["type"] != "assistant" || message["message"]["model"] == "<synthetic>" {
            continue;
        }
        let output = message["message"]["usage"]["output_tokens"].as_u64().unwrap_or(0);
        let request = message["requestId"].as_str();
        match message["message"]["id"].as_str().or(request) {
            Some(id) => {
                let known = calls.entry(id.to_owned()).or_default();
                *known = output.max(*known);
            }
            None => n_unnamed += 1,
        }
        for block in message["message"]["content"].as_array().into_iter().flatten() {
            if block["type"] == "tool_use" {
                tools.insert(block["id"].as_str().unwrap().to_owned());
            }
        }
    }
    (calls.len() + n_unnamed, tools.len(), calls.values().sum())
}

fn totals(trace: &Trace) -> (usize, usize, u64) {
    let mut sum = (0, 0, 0);
    for run in trace.runs() {
        let id = trace.events().iter().find(|event| trace.run(event.run).unwrap().key == run.key);
        let totals = trace.totals(id.unwrap().run);
        sum.0 += usize::try_from(totals.llm_calls).unwrap();
        sum.1 += usize::try_from(totals.tool_calls).unwrap();
        sum.2 += totals.usage.output.unwrap_or(0);
    }
    sum
}

fn check_nothing_lost(path: &Path, lines: &[Line], source: usize, trace: &Trace) {
    let mut covered: Vec<(u64, u64)> = trace
        .events()
        .iter()
        .flat_map(|event| trace.places(event))
        .filter(|place| place.span.source == SourceId::from_index(source))
        .map(|place| (place.span.start, place.span.start + u64::from(place.span.len)))
        .collect();
    covered.sort_unstable();
    for (start, line, text) in lines {
        let end = start + text.len() as u64;
        let is_covered = if text.contains("\"loglines\"") {
            covered.iter().all(|place| *start < place.0 && place.1 < end) && !covered.is_empty()
        } else {
            covered.binary_search(&(*start, end)).is_ok()
        };
        assert!(is_covered, "line {line} of {} belongs to no event", path.display());
    }
    let mut n_ordered = 0;
    for run in 0..trace.runs().len() {
        n_ordered += trace.order(traceloupe_core::model::RunId::from_index(run)).len();
    }
    assert_eq!(n_ordered, trace.events().len(), "{}", path.display());
}

fn texts_of(
    trace: &Trace,
    event: &traceloupe_core::model::Event,
    files: &[Vec<Line>],
) -> Vec<RecordText> {
    trace
        .places(event)
        .map(|place| {
            let lines = &files[place.span.source.index()];
            let at = lines.partition_point(|line| line.0 <= place.span.start) - 1;
            let from = usize::try_from(place.span.start - lines[at].0).unwrap();
            let text = lines[at].2[from..from + place.span.len as usize].to_owned();
            RecordText { text, gaps: Gaps::default(), place, item: 0 }
        })
        .collect()
}

/// Opens every event and checks that its values are JSON values at the stated places in the file.
fn check_details(trace: &Trace, files: &[Vec<Line>]) {
    for event in trace.events() {
        let records = texts_of(trace, event, files);
        let mut detail = Detail::default();
        let opened = EventRecords { trace, event, records: &records, earlier: &[], referred: &[] };
        ClaudeCode.detail(&opened, &mut detail);
        assert!(!detail.blocks.is_empty(), "{:?} shows nothing", event.kind);
        if event.id_hash != 0 && event.kind != EventKind::Record {
            let id = detail.native_id.clone().unwrap_or_default();
            assert_eq!(key_hash(&[&id]), event.id_hash, "{:?} {id}", event.kind);
        }
        if let Some(span) = trace.summary_span(event) {
            let lines = &files[span.source.index()];
            let at = lines.partition_point(|line| line.0 <= span.start) - 1;
            let from = usize::try_from(span.start - lines[at].0).unwrap();
            let json = &lines[at].2[from..from + span.len as usize];
            assert!(serde_json::from_str::<Value>(json).is_ok(), "a summary is no JSON value");
        }
    }
}

#[test]
fn each_file_is_read_whole_and_counted_right() {
    for path in sessions() {
        let files = [lines_of(&path)];
        let trace = read(&files);
        check_nothing_lost(&path, &files[0], 0, &trace);
        assert_eq!(totals(&trace), counted(&files), "{}", path.display());
        check_details(&trace, &files);
    }
}

#[test]
fn the_order_of_files_changes_no_total() {
    let mut files: Vec<Vec<Line>> = sessions().iter().map(|path| lines_of(path)).collect();
    let forward = read(&files);
    let expected = counted(&files);
    assert_eq!(totals(&forward), expected);
    files.reverse();
    let backward = read(&files);
    assert_eq!(totals(&backward), expected);
    let lanes = |trace: &Trace| -> BTreeSet<(String, String, bool)> {
        let of = |lane: &traceloupe_core::model::Lane| {
            (lane.key.clone(), trace.name(lane.name).to_owned(), lane.parent.is_some())
        };
        trace.lanes().iter().map(of).collect()
    };
    assert_eq!(lanes(&forward), lanes(&backward));
}

#[test]
fn a_file_read_twice_is_shown_once() {
    for path in sessions() {
        let lines = lines_of(&path);
        let once = totals(&read(std::slice::from_ref(&lines)));
        let twice = read(&[lines.clone(), lines]);
        if twice.runs()[0].key.starts_with("unnamed-") {
            continue; // Records without ids cannot be distinguished from new ones.
        }
        assert_eq!(once.2, totals(&twice).2, "{}", path.display());
    }
}

#[test]
fn detection() {
    let verdict = |path: &Path| {
        let lines = lines_of(path);
        let records: Vec<ProbeRecord<'_>> = lines
            .iter()
            .take(Probe::MAX_RECORDS)
            .map(|line| ProbeRecord::new(&record_of(0, line)))
            .collect();
        let complete = lines.len() <= Probe::MAX_RECORDS;
        ClaudeCode.sniff(&Probe { name: "unknown", records: &records, complete })
    };
    for path in sessions() {
        let verdict = verdict(&path);
        // A file beside a session has no record of the session.
        let is_old_sample = path.ends_with("simonw_sample_session.jsonl")
            || path.ends_with("agent-a77.meta.json")
            || path.ends_with("journal.jsonl");
        match verdict {
            Verdict::Certain(_) => assert!(!is_old_sample),
            Verdict::Likely(_) => assert!(is_old_sample, "{}", path.display()),
            other => panic!("{}: {other:?}", path.display()),
        }
    }
    for root in [Some(fixtures::folder()), shared_also("traces")].into_iter().flatten() {
        let ours = sessions_of(&root);
        for path in files_below(&root) {
            if ours.contains(&path) || std::fs::read_to_string(&path).is_err() {
                continue;
            }
            assert_eq!(verdict(&path), Verdict::No, "{}", path.display());
        }
    }
}

/// Kinds, names and counts, without any text of the files.
fn dump(trace: &Trace) -> String {
    let mut text = String::new();
    for (at, run) in trace.runs().iter().enumerate() {
        let id = traceloupe_core::model::RunId::from_index(at);
        let totals = trace.totals(id);
        let labels: Vec<_> =
            run.facts.iter().map(|fact| traceloupe_words::fact(&fact.kind)).collect();
        writeln!(
            text,
            "run events={} llm={} tools={} errors={} known={}",
            totals.events, totals.llm_calls, totals.tool_calls, totals.errors, totals.usage_known
        )
        .unwrap();
        writeln!(text, "usage {:?}", totals.usage).unwrap();
        let notes: Vec<_> = run.notes.iter().map(traceloupe_words::run_note).collect();
        writeln!(text, "facts {labels:?} titled={} notes={:?}", run.title.is_some(), notes)
            .unwrap();
        let mut rows: BTreeMap<String, usize> = BTreeMap::new();
        for (event, depth) in trace.order(id).iter().zip(trace.depths(id)) {
            let event = trace.event(*event).unwrap();
            let lane =
                if trace.lane(event.lane).unwrap().key.is_empty() { "main" } else { "agent" };
            let row = format!(
                "depth {depth} {lane} {} {:?} {} {:?} flags={}",
                event.kind.word(),
                trace.name(event.name),
                event.status.word(),
                error_label(trace.error(event.error)),
                event.flags.without_time_basis().bits()
            );
            *rows.entry(row).or_default() += 1;
        }
        for (row, n) in rows {
            writeln!(text, "{n:5} {row}").unwrap();
        }
    }
    for warning in trace.warnings().as_slice() {
        writeln!(text, "warning {} {}", warning.code, warning.count).unwrap();
    }
    text
}

/// The dumps of all sessions below a folder of traces.
fn dumps(root: &Path) -> String {
    let mut text = String::new();
    for path in sessions_of(root) {
        let name = path.strip_prefix(root).unwrap();
        write!(text, "== {}\n{}", name.display(), dump(&read(&[lines_of(&path)]))).unwrap();
    }
    text
}

/// The dump of a session read with its sub-agent.
fn dump_together(session: &Path, agent: &Path) -> String {
    let files = [lines_of(session), lines_of(agent)];
    format!("== session and agent\n{}", dump(&read(&files)))
}

#[test]
fn dumps_of_own_files() {
    let root = fixtures::folder();
    let folder = root.join("claude-code/bakery");
    let agent = folder.join("subagents/agent-b7c1d2e.jsonl");
    let together = dump_together(&folder.join("session.jsonl"), &agent);
    assert_reviewed("claude_code__dumps_of_own_files", &(dumps(&root) + &together));
}

#[test]
fn dumps_of_all_files() {
    let Some(root) = shared("traces") else { return };
    let folder = root.join("claude-code/codemie-with-subagent");
    let agent = folder.join("subagents/agent-a485154.jsonl");
    let together = dump_together(&folder.join("session.jsonl"), &agent);
    assert_reviewed("claude_code__dumps_of_all_files", &(dumps(&root) + &together));
}
