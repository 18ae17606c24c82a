//! Every file at hand against every format: no two are certain of one file, and what no format knows
//! is read as records or refused in words.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, clippy::print_stdout)]

mod harness;

use std::collections::BTreeMap;

use harness::claims::{check_event, check_outline};
use harness::{Outcome, files_below, named, open_one, shared};
use traceloupe::formats::{FORMATS, Probe, ProbeRecord, Record, Verdict};
use traceloupe::input::{Container, Framed, Framer, sniff};
use traceloupe::model::SourceId;

/// What each format says of the beginning of a text file.
fn verdicts(name: &str, bytes: &[u8]) -> Vec<(&'static str, Verdict)> {
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
            ProbeRecord::new(&Record::new(traceloupe::json::Json::new(text), source, *start, *line))
        })
        .collect();
    let name = name.rsplit('/').next().unwrap();
    let probe = Probe { name, records: &records, complete };
    FORMATS.iter().map(|format| (format.id(), format.sniff(&probe))).collect()
}

fn own_format(name: &str) -> Option<&'static str> {
    match name.split('/').next().unwrap() {
        // The vectors of the loop rule are no trace.
        _ if name.contains("conformance") || name.ends_with(".md") => None,
        "agentdbg" if name.contains("/maida-") => Some("maida"),
        "agentdbg" => Some("agentdbg"),
        "archi" => Some("archi"),
        "agentv" => Some("agentv"),
        "claude-code" | "iflow" => Some("claude-code"),
        "flashinfer-bench" if name.contains("/agent-inspector") => Some("agent-inspector"),
        "flashinfer-bench" => Some("flashinfer-bench"),
        "invariant-explorer" => Some("invariant"),
        _ => None,
    }
}

#[test]
fn no_file_is_two_things_for_certain() {
    let Some(root) = shared("traces") else { return };
    let (mut n_files, mut likely) = (0, Vec::new());
    for path in files_below(&root) {
        let (name, bytes) = named(&root, &path);
        if sniff(&bytes[..bytes.len().min(1 << 16)]) != Container::Plain {
            continue;
        }
        n_files += 1;
        let verdicts = verdicts(&name, &bytes);
        let certain: Vec<_> = verdicts.iter().filter(|(_, it)| it.rank() == 3).collect();
        assert!(certain.len() <= 1, "{name}: {certain:?}");
        let own = own_format(&name);
        match own {
            Some(own) => {
                let (_, verdict) = verdicts.iter().find(|(id, _)| *id == own).unwrap();
                assert!(verdict.rank() >= 2, "{name}: {verdict:?}");
                if verdict.rank() == 2 {
                    likely.push(name.clone());
                }
                let others = verdicts.iter().filter(|(id, it)| *id != own && it.rank() > 1);
                assert_eq!(others.count(), 0, "{name}: {verdicts:?}");
            }
            None => assert!(certain.is_empty(), "{name}: {certain:?}"),
        }
        assert!(verdicts.iter().all(|(_, it)| it.rank() == 0 || !it.why().is_empty()));
    }
    println!("{n_files} files; likely only: {likely:?}");
    assert!(n_files > 250);
    let expected = [
        // Written by hand in the shape of a session, without the chain of uuids.
        "claude-code/simonw_sample_session.jsonl",
        // Bare lists of messages could be anybody's.
        "invariant-explorer/abc_with_trace_metadata.jsonl",
        "invariant-explorer/trace_with_json_parseable_tool_call_arguments.jsonl",
        "invariant-explorer/trace_with_non_json_parseable_tool_call_arguments.jsonl",
    ];
    assert_eq!(likely, expected);
}

#[test]
fn files_of_other_producers_open_as_records_or_say_why_not() {
    let Some(root) = shared("traces") else { return };
    let mut outcomes: BTreeMap<String, u32> = BTreeMap::new();
    for path in files_below(&root) {
        let (name, bytes) = named(&root, &path);
        if own_format(&name).is_some() {
            continue;
        }
        let mut opened = open_one(&name, &bytes);
        check_outline(&opened);
        let outcome = match &opened.outcome {
            Outcome::Outline(outline) => {
                let formats: Vec<_> = outline
                    .sources
                    .iter()
                    .filter(|source| !source.is_container)
                    .map(|source| source.format.as_str())
                    .collect();
                // Lists of messages of other producers are read as such.
                let [format] = formats.as_slice() else { panic!("{name}: {formats:?}") };
                assert!(["records", "invariant"].contains(format), "{name}: {format}");
                let format = (*format).to_owned();
                let n = outline.rows.ids.len();
                for id in [0, n / 2, n - 1] {
                    check_event(&mut opened, id);
                }
                format
            }
            Outcome::Choose(asked) => {
                assert!(asked.iter().all(|(_, entries)| entries.len() > 1), "{name}");
                "a choice".to_owned()
            }
            Outcome::Failed(problem) => {
                assert!(problem.what.contains(&name) && problem.next.len() > 20, "{problem:?}");
                println!("{name}: {}", problem.what);
                problem.code.clone()
            }
        };
        *outcomes.entry(outcome).or_default() += 1;
    }
    println!("{outcomes:?}");
    assert!(outcomes["records"] > 150);
}
