//! Files that belong together become one run, whatever their order; a bad file does not hide the
//! others.

use crate::harness;

use std::collections::{BTreeMap, BTreeSet};

use harness::claims::{check_event, check_outline, event_ids};
use harness::dump::{assert_same, full, without_warnings};
use harness::fixtures::own_traces;
use harness::{Opened, Opening, arrived, at_least, open, open_one, traces};
use traceloupe_core::model::RunNote;
use traceloupe_core::model::RunStatus;
use traceloupe_protocol::messages::{Input, OpenRequest, Response};
use traceloupe_session::store::MemoryStore;
use traceloupe_session::{Session, reading_order};
use traceloupe_view::outline::Outline;
use traceloupe_words as words;
use traceloupe_words::problems;

type Files = Vec<(String, Vec<u8>)>;

/// How many of our own fixtures are folders with the two files of a run.
const OWN_RUNS: usize = 10;

fn open_all(files: &[(String, Vec<u8>)]) -> Opened {
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    open(&files, &Opening::default())
}

/// Whether a file is AgentDbg's or Maida's, which write two files per run. Others use the same names.
fn is_of_two_files(name: &str) -> bool {
    name.contains("agentdbg/") || name.contains("maida/")
}

/// The files of each run's folder.
fn folders(summary: &str) -> BTreeMap<String, Files> {
    let mut folders: BTreeMap<String, Files> = BTreeMap::new();
    for (name, bytes) in traces().into_iter().filter(|(name, _)| is_of_two_files(name)) {
        let folder = name.rsplit_once('/').unwrap().0.to_owned();
        folders.entry(folder).or_default().push((name, bytes));
    }
    folders.retain(|_, files| files.iter().any(|(name, _)| name.ends_with(summary)));
    folders
}

fn labels(outline: &Outline) -> BTreeSet<String> {
    outline
        .runs
        .iter()
        .flat_map(|run| run.facts.iter().map(|fact| words::fact(&fact.kind).into_owned()))
        .collect()
}

#[test]
fn the_two_files_of_a_folder_are_one_run() {
    let mut n = 0;
    for summary in ["run.json", "meta.json"] {
        for (folder, mut files) in folders(summary) {
            assert_eq!(files.len(), 2, "{folder}");
            let joined = open_all(&files);
            check_outline(&joined);
            let outline = joined.outline();
            assert_eq!(outline.runs.len(), 1, "{folder}");
            assert!(outline.sources.iter().all(|source| source.problem.is_none()), "{folder}");
            let alone: Vec<Opened> =
                files.iter().map(|(name, bytes)| open_one(name, bytes)).collect();
            let known = alone.iter().flat_map(|opened| labels(opened.outline())).collect();
            assert_eq!(labels(outline), known, "{folder}: facts of both");
            let events = alone.iter().map(|opened| opened.outline().rows.ids.len()).sum::<u32>();
            assert_eq!(outline.rows.ids.len(), events, "{folder}");
            assert!(events > 0 && outline.runs[0].given.is_none());
            assert!(!outline.runs[0].notes.contains(&RunNote::OnlySummary));
            // The producer's own counts are the reference, except for errors: it counts error
            // events, Traceloupe counts failed events. The counts of a killed run were never
            // written.
            let given = alone.iter().find_map(|opened| opened.outline().runs[0].given).unwrap();
            let counts = outline.runs[0].counts;
            if !folder.contains("killed") {
                assert_eq!(
                    (counts.llm_calls, counts.tool_calls, counts.loop_warnings),
                    (given.llm_calls, given.tool_calls, given.loop_warnings),
                    "{folder}"
                );
                assert!(counts.errors >= given.errors, "{folder}");
            }
            if folder.contains("killed") {
                assert_eq!(outline.runs[0].status, RunStatus::Running);
                assert!(outline.runs[0].duration_ms.is_nan(), "{folder} has no end");
            } else {
                assert!(outline.runs[0].duration_ms > 0.0, "{folder}");
            }
            files.reverse();
            assert_same(&full(open_all(&files).outline()), &full(outline));
            n += 1;
        }
    }
    assert_eq!(n, OWN_RUNS + at_least(19, 0));
}

/// Reads sources in exactly the given order.
fn open_in_order(files: &[(String, Vec<u8>)]) -> Outline {
    let mut store = MemoryStore::default();
    let handles: Vec<_> = files.iter().map(|(_, bytes)| store.add(bytes.clone())).collect();
    let mut session = Session::new(store, OpenRequest::default());
    for ((name, bytes), handle) in files.iter().zip(handles) {
        let source = session.begin(name, handle);
        session.push(source, bytes);
        session.end(source);
    }
    let Response::Outline(outline) = session.complete() else { panic!("nothing to show") };
    arrived(&session, &outline)
}

/// A dump of each run, sorted. The order of facts is left out, because it follows the order of the
/// files.
fn runs_of(outline: &Outline) -> String {
    let text = without_warnings(outline);
    let lines = text.lines().filter(|line| !line.starts_with("  facts "));
    let text = lines.collect::<Vec<_>>().join("\n");
    let mut runs: Vec<&str> =
        text.split("run ").filter(|run| !run.is_empty()).map(str::trim_end).collect();
    runs.sort_unstable();
    runs.join("\n")
}

#[test]
fn a_folder_of_runs_is_the_same_in_any_order() {
    let mut files = traces();
    files.retain(|(name, _)| {
        let is_theirs = is_of_two_files(name);
        let name = name.rsplit('/').next().unwrap_or_default();
        is_theirs && ["run.json", "events.jsonl", "meta.json", "spans.jsonl"].contains(&name)
    });
    let forward = open_all(&files);
    check_outline(&forward);
    assert_eq!(forward.outline().runs.len(), OWN_RUNS + at_least(19, 0));
    let in_order = runs_of(&open_in_order(&files));
    files.reverse();
    assert_same(&full(open_all(&files).outline()), &full(forward.outline()));
    assert_same(&runs_of(&open_in_order(&files)), &in_order);
    assert_same(&in_order, &runs_of(forward.outline()));
}

#[test]
fn files_are_read_by_path() {
    let paths = ["b/run.json", "a/run.json", "b/events.jsonl"];
    let inputs: Vec<_> =
        paths.iter().map(|path| Input { path: (*path).to_owned(), len_bytes: 0 }).collect();
    assert_eq!(reading_order(&inputs), [1, 2, 0]);
}

/// Opens the files of a session and its sub-agent: counts, and how much is nested in the agent's call.
fn check_sub_agent(folder: &str, counts: (u64, u64), n_nested: u32) {
    let mut files = traces();
    files.retain(|(name, _)| name.contains(folder));
    if files.is_empty() {
        return;
    }
    assert_eq!(files.len(), 2);
    let forward = open_all(&files);
    let outline = forward.outline();
    assert_eq!(outline.runs.len(), 1);
    assert_eq!((outline.runs[0].counts.llm_calls, outline.runs[0].counts.tool_calls), counts);
    assert!(outline.runs[0].notes.is_empty(), "{:?}", outline.runs[0].notes);
    let rows = &outline.rows;
    let is_task = |row: &u32| outline.name(rows.names.get(*row)) == "Task";
    let task = (0..rows.ids.len()).find(is_task).unwrap();
    let nested = rows.nested.get(task);
    assert!(nested >= n_nested, "the agent's events are nested in its call: {nested}");
    let in_order = runs_of(&open_in_order(&files));
    files.reverse();
    assert_same(&full(open_all(&files).outline()), &full(outline));
    assert_same(&runs_of(&open_in_order(&files)), &in_order);
    for (name, bytes) in &files {
        assert_eq!(open_one(name, bytes).outline().runs.len(), 1, "{name} alone");
    }
}

#[test]
fn a_session_and_its_sub_agent_join_in_any_order() {
    check_sub_agent("fixtures/claude-code/bakery/", (6, 4), 4);
    check_sub_agent("codemie-with-subagent", (17, 34), 28);
}

#[test]
fn a_bad_file_hides_no_other() {
    let mut files = own_traces();
    files.retain(|(name, _)| name.contains("/ticket-desk/"));
    assert_eq!(files.len(), 2);
    let expected = runs_of(open_all(&files).outline());
    let png = [b"\x89PNG\r\n\x1a\n".to_vec(), vec![0; 500]].concat();
    let bad: [(&str, &str, Vec<u8>); 6] = [
        ("a.png", "not-a-trace", png),
        ("b.html", "looks-like-html", b"<!doctype html><title>Sign in</title>".to_vec()),
        ("c.jsonl", "empty", Vec::new()),
        ("d.txt", "unknown-format", b"nothing but words here\nand here\n".to_vec()),
        ("z.zip", "zip-no-directory", b"PK\x03\x04 cut off".to_vec()),
        ("z.zst", "truncated-zstd", b"\x28\xb5\x2f\xfd\0\0".to_vec()),
    ];
    for (name, code, bytes) in &bad {
        files.push(((*name).to_owned(), bytes.clone()));
        let alone = open_one(name, bytes);
        let problem = alone.problem().unwrap_or_else(|| panic!("{name} is no trace"));
        assert_eq!(problem.code().word(), *code);
        let (what, next) = (problems::what_happened(problem), problems::what_to_do(problem));
        assert!(what.contains(name) && !next.is_empty(), "{problem:?}");
    }
    let opened = open_all(&files);
    check_outline(&opened);
    assert_same(&runs_of(opened.outline()), &expected);
    for (name, code, _) in &bad {
        let lines = &opened.outline().sources;
        let line = lines.iter().find(|source| source.path == *name).unwrap();
        assert_eq!(
            line.problem.as_ref().map(|fault| fault.code().word()).as_deref(),
            Some(*code),
            "{name}"
        );
    }
}

#[test]
fn all_files_of_all_producers_at_once() {
    let mut files = traces();
    let mut forward = open_all(&files);
    check_outline(&forward);
    let text = full(forward.outline());
    assert!(forward.outline().sources.iter().all(|source| source.problem.is_none()));
    for id in event_ids(forward.outline()).into_iter().step_by(97) {
        check_event(&mut forward, id);
    }
    files.reverse();
    assert_same(&full(open_all(&files).outline()), &text);
    let n_runs = forward.outline().runs.len();
    println!("{} files, {n_runs} runs, {} rows", files.len(), forward.outline().rows.ids.len());
    assert!(n_runs >= OWN_RUNS + at_least(45, 20));
}
