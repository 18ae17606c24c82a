//! AgentDbg and Maida over our own fixtures and over the files that the real packages wrote.

use crate::harness;
use crate::snapshot::assert_reviewed;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use harness::{fixtures, shared, shared_also};
use serde_json::Value as Json;
use traceloupe_core::json::{self, Gaps};
use traceloupe_core::model::{
    Block, BlockRole, Detail, Event, EventKind, Flags, Message, RunId, SourceId, Trace,
    TraceBuilder,
};
use traceloupe_engine::{EventRecords, Format, Probe, ProbeRecord, Record, RecordText, Verdict};
use traceloupe_formats::agentdbg::AGENTDBG;
use traceloupe_formats::maida::MAIDA;
use traceloupe_words::{error_label, no_end};

/// Files that one producer wrote: an export of a run, the folder of that run, a list of runs.
struct Others {
    export: PathBuf,
    run: PathBuf,
    list: PathBuf,
}

#[track_caller]
fn others() -> Vec<Others> {
    let own = fixtures::folder().join("agentdbg");
    let mut found = vec![Others {
        export: own.join("export.json"),
        run: own.join("going-round"),
        list: own.join("list.json"),
    }];
    found.extend(shared_also("traces/agentdbg").map(|folder| Others {
        export: folder.join("agentdbg-0.2.4-export-of-loop-shapes.json"),
        run: folder.join("agentdbg-0.2.4-loop-shapes"),
        list: folder.join("agentdbg-0.2.4-list.json"),
    }));
    found
}

/// Replaces Python's numbers that are not valid JSON, outside of strings, by empty strings of the
/// same length.
fn patched(text: &str) -> String {
    let mut out = String::new();
    let (mut in_string, mut escaped) = (false, false);
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let word = ["NaN", "-Infinity", "Infinity"].into_iter().find(|word| rest.starts_with(word));
        if let Some(word) = word.filter(|_| !in_string) {
            let _ = write!(out, "\"\"{}", " ".repeat(word.len() - 2));
            rest = &rest[word.len()..];
            continue;
        }
        in_string ^= next == '"' && !escaped;
        escaped = next == '\\' && !escaped;
        out.push(next);
        rest = &rest[next.len_utf8()..];
    }
    out
}

fn records_of<'a>(path: &Path, text: &'a str, source: SourceId) -> Vec<Record<'a>> {
    if path.extension().is_some_and(|it| it == "json") {
        return vec![Record::new(json::Json::new(text), source, 0, 1)];
    }
    let (mut start, mut records) = (0, Vec::new());
    for (at, line) in text.split_inclusive('\n').enumerate() {
        let record =
            Record::new(json::Json::new(line), source, start, u32::try_from(at + 1).unwrap());
        records.push(record);
        start += line.len() as u64;
    }
    records
}

struct Opened {
    trace: Trace,
    texts: Vec<String>,
}

fn open(format: &dyn Format, paths: &[PathBuf]) -> Opened {
    let texts: Vec<_> =
        paths.iter().map(|path| patched(&std::fs::read_to_string(path).unwrap())).collect();
    let mut out = TraceBuilder::new();
    for (at, (path, text)) in paths.iter().zip(&texts).enumerate() {
        let source = SourceId::from_index(at);
        let mut reader = format.reader(source);
        for record in records_of(path, text, source) {
            reader.record(&record, &mut out);
        }
        reader.finish(&mut out);
    }
    format.join(&mut out);
    Opened { trace: out.finish(), texts }
}

impl Opened {
    fn records(&self, event: &Event) -> Vec<RecordText> {
        let items = self.trace.items(event);
        items
            .map(|(place, item)| {
                let start = usize::try_from(place.span.start).unwrap();
                let text = &self.texts[place.span.source.index()];
                let text = text[start..start + place.span.len as usize].to_owned();
                RecordText { text, gaps: Gaps::default(), place, item }
            })
            .collect()
    }

    fn detail(&self, format: &dyn Format, at: usize) -> Detail {
        let event = self.trace.events().get(at).unwrap();
        let before = self.trace.events().iter_back_from(at).map(|(_, event)| event);
        let earlier: Vec<_> = before
            .filter(|it| it.kind == EventKind::LlmCall && it.run == event.run)
            .take(EventRecords::MAX_EARLIER)
            .map(|it| self.records(it))
            .collect();
        let records = self.records(event);
        let mut out = Detail::default();
        let event = EventRecords {
            trace: &self.trace,
            event,
            records: &records,
            earlier: &earlier,
            referred: &[],
        };
        format.detail(&event, &mut out);
        out
    }
}

/// Real runs without snapshots, because one of our own runs covers the same case.
const SHOWN_BY_OUR_OWN: [&str; 5] = [
    "agentdbg-0.2.4-killed-half-way",
    "agentdbg-0.2.4-stopped-by-stop_on_loop",
    "agentdbg-0.2.4-travel-planner",
    "maida-0.5.3-killed-half-way",
    "maida-0.5.3-travel-planner",
];

/// Compares the dump of a run with its snapshot.
fn assert_dump_reviewed(name: &str, trace: &Trace) {
    if !SHOWN_BY_OUR_OWN.contains(&name) {
        assert_reviewed(&format!("agentdbg__{name}"), &dump(trace));
    }
}

/// The folders of runs written in one of the formats, with the two files of each. Our own are named `own-…`.
#[track_caller]
fn runs(records: &str, summary: &str) -> Vec<(String, PathBuf, PathBuf)> {
    let format = if records == "spans.jsonl" { "maida" } else { "agentdbg" };
    let own = Some((format!("own-{format}-"), fixtures::folder().join(format)));
    let theirs = shared_also("traces/agentdbg").map(|folder| (String::new(), folder));
    let mut found: Vec<_> = own
        .into_iter()
        .chain(theirs)
        .flat_map(|(prefix, folder)| {
            let entries = std::fs::read_dir(folder).unwrap();
            let paths = entries.map(|entry| entry.unwrap().path());
            paths.map(move |path| (prefix.clone(), path)).collect::<Vec<_>>()
        })
        .filter(|(_, path)| path.join(records).is_file())
        .map(|(prefix, path)| {
            let name = format!("{prefix}{}", path.file_name().unwrap().to_string_lossy());
            (name, path.join(records), path.join(summary))
        })
        .collect();
    found.sort();
    found
}

fn json(path: &Path) -> Json {
    serde_json::from_str(&patched(&std::fs::read_to_string(path).unwrap())).unwrap()
}

fn json_lines(path: &Path) -> Vec<Json> {
    let text = patched(&std::fs::read_to_string(path).unwrap());
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Kinds, names, counts and which hashes are equal, without any text of the trace.
fn dump(trace: &Trace) -> String {
    let mut out = String::new();
    let mut seen = Vec::new();
    let mut rank = |hash: u64| match (hash, seen.iter().position(|it| *it == hash)) {
        (0, _) => "-".to_owned(),
        (_, Some(at)) => format!("#{at}"),
        _ => {
            seen.push(hash);
            format!("#{}", seen.len() - 1)
        }
    };
    for (at, run) in trace.runs().iter().enumerate() {
        let _ = writeln!(
            out,
            "run {:?} {} {:?} ms {:?} {:?}",
            run.title,
            run.status.word(),
            run.duration.get().map(|ns| ns / 1_000_000),
            run.counts,
            run.no_end
                .map(no_end)
                .into_iter()
                .chain(run.notes.iter().map(String::as_str))
                .collect::<Vec<_>>()
        );
        let id = RunId::from_index(at);
        for (id, depth) in trace.order(id).iter().zip(trace.depths(id)) {
            let event = trace.event(*id).unwrap();
            let _ = write!(
                out,
                "  {}{} {:?} {} {:?} args {} result {}",
                "  ".repeat(usize::from(*depth)),
                event.kind.word(),
                trace.name(event.name),
                event.status.word(),
                error_label(trace.error(event.error)),
                rank(event.args_hash),
                rank(event.result_hash),
            );
            if let Some(ns) = event.duration.get() {
                let _ = write!(out, " {} µs", ns / 1_000);
            }
            if let Some(usage) = trace.usage(event) {
                let _ = write!(out, " in {:?} out {:?}", usage.input, usage.output);
            }
            for (mark, word) in [(Flags::REDACTED, "redacted"), (Flags::TRUNCATED, "truncated")] {
                if event.flags.has(mark) {
                    let _ = write!(out, " {word}");
                }
            }
            out.push('\n');
        }
    }
    out
}

fn check_run(opened: &Opened, summary: &Json) {
    let [run] = opened.trace.runs() else { panic!("{:?}", opened.trace.runs()) };
    assert_eq!(run.status.word(), summary["status"]);
    assert_eq!(run.title.as_deref(), summary["run_name"].as_str());
    assert_eq!(run.duration.get().map(|ns| ns / 1_000_000), summary["duration_ms"].as_i64());
    let counts = &summary["counts"];
    assert_eq!(run.counts.llm_calls, counts["llm_calls"].as_u64());
    assert_eq!(run.counts.tool_calls, counts["tool_calls"].as_u64());
    assert_eq!(run.counts.errors, counts["errors"].as_u64());
    assert_eq!(run.counts.loop_warnings, counts["loop_warnings"].as_u64());
    if run.status.word() != "running" {
        let totals = opened.trace.totals(RunId::from_index(0));
        assert_eq!(Some(totals.llm_calls), run.counts.llm_calls);
        assert_eq!(Some(totals.tool_calls), run.counts.tool_calls);
        assert_eq!(Some(totals.loop_warnings), run.counts.loop_warnings);
    }
    assert_eq!(opened.trace.warnings().total(), 0);
}

fn check_details(format: &dyn Format, opened: &Opened) {
    for (at, event) in opened.trace.events().iter().enumerate() {
        let detail = opened.detail(format, at);
        assert!(!detail.blocks.is_empty(), "{event:?}");
        assert!(detail.native_id.is_some());
    }
}

#[test]
fn every_agentdbg_run_is_read_whole() {
    for (name, events, summary) in runs("events.jsonl", "run.json") {
        println!("{name}");
        let opened = open(&AGENTDBG, &[events.clone(), summary.clone()]);
        check_run(&opened, &json(&summary));
        let lines = json_lines(&events);
        let mut expected = BTreeMap::new();
        for line in &lines {
            *expected.entry(line["event_type"].as_str().unwrap().to_owned()).or_insert(0) += 1;
        }
        let mut found = BTreeMap::new();
        for event in opened.trace.events() {
            let word = match event.kind {
                EventKind::RunStart => "RUN_START",
                EventKind::RunEnd => "RUN_END",
                EventKind::LlmCall => "LLM_CALL",
                EventKind::ToolCall => "TOOL_CALL",
                EventKind::State => "STATE_UPDATE",
                EventKind::Error => "ERROR",
                EventKind::LoopWarning => "LOOP_WARNING",
                kind => panic!("{kind:?}"),
            };
            *found.entry(word.to_owned()).or_insert(0) += 1;
        }
        assert_eq!(found, expected);
        // One event per line, in file order, each with the whole line as its record.
        assert_eq!(opened.trace.events().len(), lines.len());
        for ((event, line), raw) in
            opened.trace.events().iter().zip(&lines).zip(opened.texts[0].lines())
        {
            assert_eq!(opened.records(event)[0].text, raw);
            let failed = line["payload"]["status"] == "error" && event.kind != EventKind::RunEnd;
            let failed = failed || event.kind == EventKind::Error;
            assert_eq!(event.status.is_error(), failed);
            let usage = &line["payload"]["usage"]["prompt_tokens"];
            let known = opened.trace.usage(event);
            assert_eq!(known.and_then(|usage| usage.input), usage.as_u64());
            assert_eq!(known.is_some_and(|usage| usage.redacted), usage.is_string());
            let is_open_ai = line["meta"]["openai_agents"].is_object();
            assert_eq!(event.duration.is_known(), is_open_ai);
        }
        check_details(&AGENTDBG, &opened);
        assert_dump_reviewed(&name, &opened.trace);
    }
}

#[test]
fn the_order_of_the_files_does_not_matter() {
    for (format, records, summary) in [
        (&AGENTDBG as &dyn Format, "events.jsonl", "run.json"),
        (&MAIDA, "spans.jsonl", "meta.json"),
    ] {
        for (_, records, summary) in runs(records, summary) {
            let one = open(format, &[records.clone(), summary.clone()]);
            let other = open(format, &[summary.clone(), records.clone()]);
            assert_eq!(dump(&one.trace), dump(&other.trace));
            check_run(&other, &json(&summary));
            // Without the run's own record the events are the same.
            let alone = open(format, &[records]);
            assert_eq!(alone.trace.events().len(), one.trace.events().len());
            assert_eq!(alone.trace.runs()[0].status, one.trace.runs()[0].status);
            // Without the events the run is still there.
            let bare = open(format, &[summary]);
            assert_eq!(bare.trace.runs()[0].counts, one.trace.runs()[0].counts);
            assert_eq!(bare.trace.runs()[0].notes.len(), 1);
        }
    }
}

#[test]
fn every_maida_run_is_read_whole() {
    for (name, spans, summary) in runs("spans.jsonl", "meta.json") {
        println!("{name}");
        let opened = open(&MAIDA, &[spans.clone(), summary.clone()]);
        check_run(&opened, &json(&summary));
        let lines = json_lines(&spans);
        // One event per span, and one per span event of the root that becomes an event.
        let on_root: usize = lines
            .iter()
            .filter(|line| line["parent_span_id"].is_null())
            .map(|line| line["events"].as_array().unwrap().len())
            .sum();
        assert_eq!(opened.trace.events().len(), lines.len() + on_root);
        let is_span = |event: &&Event| opened.trace.items(event).next().is_some_and(|it| it.1 == 0);
        let spans = opened.trace.events().iter().filter(is_span);
        for ((event, line), raw) in spans.zip(&lines).zip(opened.texts[0].lines()) {
            assert_eq!(opened.records(event)[0].text, raw);
            let is_root = line["parent_span_id"].is_null();
            assert_eq!(event.kind == EventKind::RunStart, is_root);
            let attributes = &line["attributes"];
            if !is_root {
                assert_eq!(
                    event.kind == EventKind::LlmCall,
                    attributes["gen_ai.system"].is_string()
                );
                assert_eq!(
                    event.kind == EventKind::ToolCall,
                    attributes["maida.tool_name"].is_string()
                );
                let has_root = lines.iter().any(|line| line["parent_span_id"].is_null());
                assert_eq!(event.parent().is_some(), has_root);
            }
            let usage = opened.trace.usage(event).and_then(|usage| usage.input);
            assert_eq!(usage, attributes["gen_ai.usage.input_tokens"].as_u64());
        }
        check_details(&MAIDA, &opened);
        assert_dump_reviewed(&name, &opened.trace);
    }
}

fn check_export_and_list(export: &Path, run: &Path, list: &Path) {
    let export = export.to_owned();
    let opened = open(&AGENTDBG, std::slice::from_ref(&export));
    check_run(&opened, &json(&export)["run"]);
    let events = run.join("events.jsonl");
    let lines = json_lines(&events);
    assert_eq!(opened.trace.events().len(), lines.len());
    check_details(&AGENTDBG, &opened);
    for event in opened.trace.events() {
        // Each item of the indented document is placed on the line where it begins.
        let place = opened.trace.places(event).next().unwrap();
        let before = &opened.texts[0][..usize::try_from(place.span.start).unwrap()];
        assert_eq!(place.line as usize, before.matches('\n').count() + 1);
    }
    // An export beside its source file adds no events.
    let summary = run.join("run.json");
    let both = open(&AGENTDBG, &[events, export, summary.clone()]);
    check_run(&both, &json(&summary));
    assert_eq!(both.trace.events().len(), lines.len());
    assert!(both.trace.events().iter().all(|event| both.records(event).len() == 2));

    let opened = open(&AGENTDBG, &[list.to_owned()]);
    let list = json(list);
    let expected = list["runs"].as_array().unwrap();
    assert_eq!(opened.trace.runs().len(), expected.len());
    for (run, expected) in opened.trace.runs().iter().zip(expected) {
        assert_eq!(run.key, expected["run_id"].as_str().unwrap());
        assert_eq!(run.status.word(), expected["status"]);
        assert_eq!(run.counts.tool_calls, expected["counts"]["tool_calls"].as_u64());
    }
}

#[test]
fn exports_and_lists_are_read() {
    for Others { export, run, list } in others() {
        check_export_and_list(&export, &run, &list);
    }
}

#[test]
fn an_export_of_maida_is_read() {
    let Some(folder) = shared("traces/agentdbg") else { return };
    let export = folder.join("maida-0.5.3-export.json");
    let opened = open(&MAIDA, std::slice::from_ref(&export));
    check_run(&opened, &json(&export)["run"]);
    assert_eq!(opened.trace.events().len(), json(&export)["events"].as_array().unwrap().len());
    check_details(&MAIDA, &opened);
    // Its events were made from the spans: all but the synthetic end are there once.
    let spans = folder.join("maida-0.5.3-travel-planner/spans.jsonl");
    let both = open(&MAIDA, &[spans.clone(), export]);
    assert_eq!(both.trace.events().len(), json_lines(&spans).len() + 1);
}

#[test]
fn a_request_says_how_much_of_it_stood_in_an_earlier_one() {
    let mut files = vec![fixtures::folder().join("agentdbg/handoff/events.jsonl")];
    let theirs = shared_also("traces/agentdbg/agentdbg-0.2.4-openai-agents-handoff/events.jsonl");
    files.extend(theirs);
    files.into_iter().for_each(check_requests);
}

fn check_requests(file: PathBuf) {
    let lines = json_lines(&file);
    let opened = open(&AGENTDBG, &[file]);
    let mut counted = Vec::new();
    let mut before: Vec<Vec<Json>> = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(prompt) = line["payload"]["prompt"].as_array() else { continue };
        let seen = before
            .iter()
            .map(|then| prompt.iter().zip(then).take_while(|(a, b)| a == b).count())
            .max()
            .unwrap_or(0);
        let detail = opened.detail(&AGENTDBG, at);
        let found = detail.blocks.iter().find_map(|block| match block {
            Block::Messages(BlockRole::Messages, messages, seen) => Some((messages.len(), *seen)),
            _ => None,
        });
        assert_eq!(found, Some((prompt.len(), seen)));
        let is_named = |message: &Message| !message.role.is_empty();
        assert!(detail.blocks.iter().all(|block| match block {
            Block::Messages(_, messages, _) => messages.iter().all(is_named),
            _ => true,
        }));
        counted.push(seen);
        before.push(prompt.clone());
    }
    assert_eq!(counted.len(), 4);
    assert!(counted.windows(2).all(|pair| pair[0] < pair[1]), "{counted:?}");
}

#[test]
fn detection_is_certain_of_one_format() {
    let mut files: Vec<(PathBuf, bool)> = Vec::new();
    for (_, records, summary) in runs("events.jsonl", "run.json") {
        files.extend([(records, false), (summary, false)]);
    }
    for (_, records, summary) in runs("spans.jsonl", "meta.json") {
        files.extend([(records, true), (summary, true)]);
    }
    for Others { export, list, .. } in others() {
        files.extend([(export, false), (list, false)]);
    }
    files.extend(shared_also("traces/agentdbg/maida-0.5.3-export.json").map(|path| (path, true)));
    for (path, is_maida) in files {
        let text = patched(&std::fs::read_to_string(&path).unwrap());
        let records = records_of(&path, &text, SourceId::from_index(0));
        let records: Vec<_> = records.iter().take(50).map(ProbeRecord::new).collect();
        let probe = Probe { name: "x", complete: true, records: &records };
        let (old, new) = (AGENTDBG.sniff(&probe), MAIDA.sniff(&probe));
        let (certain, other) = if is_maida { (new, old) } else { (old, new) };
        assert!(matches!(certain, Verdict::Certain(_)), "{path:?} {certain:?}");
        assert_eq!(other, Verdict::No, "{path:?}");
    }
    let vectors = shared_also("traces/agentdbg/maida-conformance-loop-vectors.json");
    let Some(path) = vectors else { return };
    let text = std::fs::read_to_string(&path).unwrap();
    let record = ProbeRecord::new(&records_of(&path, &text, SourceId::from_index(0))[0]);
    let probe = Probe { name: "x", complete: true, records: &[record] };
    assert_eq!(AGENTDBG.sniff(&probe), Verdict::No);
    assert_eq!(MAIDA.sniff(&probe), Verdict::No);
}
