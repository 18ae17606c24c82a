//! Hostile files in a whole session: it responds, and its responses are small. `examples/nesting_speed.rs` measures the
//! time.

use crate::harness;

use std::fmt::Write as _;
use std::fs;

use harness::archives::{self, archive};
use harness::claims::{check_event, check_outline, event_ids};
use harness::faults::Fault;
use harness::{
    Opened, Opening, Outcome, at_least, files_below, json_cases, named, open, open_one, shared_also,
};
use serde::Deserialize;
use traceloupe_words::problems;

/// The notice that a problem stands for.
fn notice_of(problem: &str) -> &str {
    match problem {
        "empty" => "empty-file",
        "unknown-format" => "not-a-trace",
        same => same,
    }
}

#[test]
fn every_fault_of_a_jsonl_file_gives_its_events_and_notices() {
    let faults = harness::all_faults();
    for slice_len in [1 << 20, 7] {
        let mut failures = Vec::new();
        for fault in &faults {
            let opening = Opening {
                slice_len: Some(slice_len),
                format: Some("records"),
                ..Opening::default()
            };
            let mut opened = open(&[(&fault.name, &fault.bytes)], &opening);
            check_outline(&opened);
            let (n, notices) = match &opened.outcome {
                Outcome::Outline(outline) => {
                    let counted = outline
                        .warnings
                        .iter()
                        .flat_map(|line| (0..line.count).map(|_| line.code.word().to_owned()));
                    (outline.rows.ids.len(), counted.collect::<Vec<_>>())
                }
                Outcome::Failed(problem) => {
                    let mut codes = opened.codes();
                    let word = problem.code().word();
                    let code = notice_of(&word);
                    if !codes.iter().any(|known| known == code) {
                        // A problem replaces its notice only if no notice is more specific.
                        assert!(codes.iter().all(|code| code == "not-an-event"), "{codes:?}");
                        if codes.is_empty() {
                            codes.push(code.to_owned());
                        }
                    }
                    (0, codes)
                }
                Outcome::Choose(_) => panic!("{}: a choice", fault.name),
            };
            for id in 0..n {
                check_event(&mut opened, id);
            }
            let mut notices = notices;
            notices.sort();
            if fault.events.map_or(n == 0, |events| events != n) || notices != fault.notices {
                let Fault { name, events, notices: expected, .. } = fault;
                failures.push(format!("{name}: {n} of {events:?}, {notices:?}, {expected:?}"));
            }
        }
        println!("{} of {}", faults.len() - failures.len(), faults.len());
        assert!(failures.is_empty(), "{}", failures.join("\n"));
    }
}

#[test]
fn every_json_torture_ends() {
    let mut cases = json_cases::cases();
    if let Some(folder) = shared_also("hostile/jsontestsuite") {
        cases.extend(files_below(&folder).iter().map(|path| named(&folder, path)));
    }
    for (name, bytes) in &cases {
        for format in [None, Some("records"), Some("agentdbg"), Some("claude-code")] {
            let opening = Opening { format, ..Opening::default() };
            let mut opened = open(&[(name, bytes)], &opening);
            check_outline(&opened);
            if let Outcome::Outline(outline) = &opened.outcome {
                for id in event_ids(outline).into_iter().take(5) {
                    check_event(&mut opened, id);
                }
            }
        }
    }
    println!("{} files", cases.len());
    assert!(cases.len() > at_least(500, 200));
}

#[test]
fn every_archive_gives_rows_a_choice_or_a_named_problem() {
    let mut archives: Vec<_> =
        archives::NAMES.iter().map(|name| ((*name).to_owned(), archive(name))).collect();
    if let Some(folder) = shared_also("hostile/generated/archives") {
        archives.extend(files_below(&folder).iter().map(|path| named(&folder, path)));
    }
    for (name, bytes) in archives {
        let opened = open_one(&name, &bytes);
        check_outline(&opened);
        match &opened.outcome {
            Outcome::Outline(outline) => {
                println!("{name}: {} rows, {:?}", outline.rows.ids.len(), opened.codes());
                assert!(!outline.rows.ids.is_empty(), "{name}");
            }
            Outcome::Choose(asked) => {
                println!("{name}: a choice of {}", asked[0].1.len());
                for entry in &asked[0].1 {
                    let entries = Some(vec![(name.clone(), entry.index)]);
                    let opening = Opening { entries, ..Opening::default() };
                    check_outline(&open(&[(&name, &bytes)], &opening));
                }
            }
            Outcome::Failed(problem) => {
                println!(
                    "{name}: {} {} {:?}",
                    problem.code().word(),
                    problems::what_happened(problem),
                    opened.codes()
                );
                let unpacked = name.trim_end_matches(".gz");
                assert!(problems::what_happened(problem).contains(unpacked), "{problem:?}");
                assert!(problems::what_to_do(problem).len() > 20);
            }
        }
    }
}

/// Ids and parents.
type Node = (String, Option<String>);

/// AgentDbg events with ids and parents, and a time as raw JSON.
fn events<'a>(nodes: impl Iterator<Item = (&'a Node, String)>) -> Vec<u8> {
    let mut text = String::new();
    for ((id, parent), ts) in nodes {
        let parent = parent.as_ref().map_or("null".to_owned(), |it| format!("\"{it}\""));
        writeln!(
            text,
            "{{\"spec_version\":\"0.1\",\"event_id\":\"{id}\",\"run_id\":\"r-1\",\
             \"parent_id\":{parent},\"event_type\":\"TOOL_CALL\",\"ts\":{ts},\
             \"name\":\"t\",\"payload\":{{\"tool_name\":\"t\",\"args\":{{}}}},\"meta\":{{}}}}"
        )
        .unwrap();
    }
    text.into_bytes()
}

fn open_graph(nodes: &[Node]) -> Opened {
    let ts = "\"2026-03-01T10:00:00Z\"".to_owned();
    open_nodes(nodes, &vec![ts; nodes.len()])
}

fn open_nodes(nodes: &[Node], times: &[String]) -> Opened {
    let opened = open_one("events.jsonl", &events(nodes.iter().zip(times.iter().cloned())));
    check_outline(&opened);
    assert_eq!(opened.outline().sources[0].format, "agentdbg");
    assert_eq!(opened.outline().rows.ids.len() as usize, nodes.len());
    opened
}

#[derive(Deserialize)]
struct Graphs {
    cases: Vec<Graph>,
}

#[derive(Deserialize)]
struct Graph {
    name: String,
    events: Option<Vec<serde_json::Value>>,
}

/// Graphs with faults in ids, parents and times.
const GRAPHS: &str = r#"{"cases":[
{"name":"parent-self-cycle","events":[{"id":"a","parent_id":"a","ts":"2026-10-05T09:00:00Z"}]},
{"name":"parent-cycle-3","events":[{"id":"a","parent_id":"c","ts":1},{"id":"b","parent_id":"a","ts":2},{"id":"c","parent_id":"b","ts":3}]},
{"name":"missing-parent","events":[{"id":"a","parent_id":"nobody","ts":"2026-10-05T09:00:00Z"}]},
{"name":"parent-after-child","events":[{"id":"b","parent_id":"a","ts":2},{"id":"a","parent_id":null,"ts":1}]},
{"name":"two-cycles","events":[{"id":"a","parent_id":"b","ts":1},{"id":"b","parent_id":"a","ts":1},{"id":"c","parent_id":"d","ts":1},{"id":"d","parent_id":"c","ts":1}]},
{"name":"cycle-with-a-tail","events":[{"id":"t","parent_id":"a","ts":1},{"id":"a","parent_id":"b","ts":1},{"id":"b","parent_id":"a","ts":1}]},
{"name":"one-id-twice","events":[{"id":"a","ts":1},{"id":"a","ts":1}]},
{"name":"one-id-twice-with-a-child","events":[{"id":"a","ts":1},{"id":"a","ts":2},{"id":"c","parent_id":"a","ts":3}]},
{"name":"no-ids","events":[{"id":null,"ts":1},{"id":"","parent_id":"","ts":2},{"ts":3}]},
{"name":"ids-of-other-types","events":[{"id":1,"parent_id":[],"ts":true},{"id":{},"parent_id":1,"ts":{}}]},
{"name":"units-of-time","events":[{"id":"a","ts":1791190800},{"id":"b","ts":1791190801000},{"id":"c","ts":"1791190802000000000"},{"id":"d","ts":"2026-10-05T09:00:03Z"},{"id":"e","ts":1791190804.5}]},
{"name":"no-times","events":[{"id":"a","ts":"tomorrow"},{"id":"b","ts":null},{"id":"c","ts":-1},{"id":"d","ts":1e308},{"id":"e","ts":"0000-00-00T00:00:00Z"},{"id":"f","ts":"9999-99-99T99:99:99Z"},{"id":"g","ts":""}]},
{"name":"a-clock-put-back","events":[{"id":"a","ts":"2026-10-05T09:00:10Z"},{"id":"b","ts":"2026-10-05T09:00:02Z"},{"id":"c","ts":"2026-10-05T09:00:11Z"}]}
]}"#;

#[test]
fn every_graph_has_each_event_once() {
    let mut graphs = serde_json::from_str::<Graphs>(GRAPHS).unwrap().cases;
    if let Some(path) = shared_also("hostile/generated/graph-faults.json") {
        let theirs: Graphs = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
        graphs.extend(theirs.cases);
    }
    let mut n = 0;
    for graph in graphs {
        let Some(events) = graph.events else { continue };
        let word = |value: &serde_json::Value| match value {
            serde_json::Value::Null => None,
            serde_json::Value::String(text) => Some(text.clone()),
            other => Some(other.to_string()),
        };
        let nodes: Vec<Node> = events
            .iter()
            .map(|it| {
                let id = word(&it["id"]).unwrap_or_default();
                (id.replace('"', ""), word(&it["parent_id"]).map(|id| id.replace('"', "")))
            })
            .collect();
        let time = |it: &serde_json::Value| it.get("ts").unwrap_or(&it["start"]).to_string();
        let times: Vec<String> = events.iter().map(time).collect();
        let mut opened = open_nodes(&nodes, &times);
        for id in event_ids(opened.outline()) {
            check_event(&mut opened, id);
        }
        let depths = opened.outline().rows.depths.as_slice().to_vec();
        let cycles = opened.codes().iter().filter(|code| *code == "parent-cycle").count();
        match graph.name.as_str() {
            "parent-self-cycle" | "missing-parent" => assert_eq!(depths, [0]),
            "parent-cycle-3" => assert_eq!((depths, cycles), (vec![0, 1, 2], 1)),
            "parent-after-child" => assert_eq!((depths, cycles), (vec![0, 1], 0)),
            "two-cycles" => assert_eq!((depths, cycles), (vec![0, 1, 0, 1], 2)),
            "cycle-with-a-tail" => assert_eq!(cycles, 1, "{depths:?}"),
            _ => assert_eq!(cycles, 0, "{}", graph.name),
        }
        n += 1;
    }
    println!("{n} graphs");
    assert!(n > at_least(20, 10));
}

#[test]
fn a_deep_chain_a_ring_and_a_wide_fan_have_their_depths() {
    let id = |n: usize| format!("e{n}");
    let chain =
        |n: usize| -> Vec<Node> { (0..n).map(|at| (id(at), at.checked_sub(1).map(id))).collect() };
    let ring = |n: usize| -> Vec<_> { (0..n).map(|at| (id(at), Some(id((at + 1) % n)))).collect() };
    let fan = |n: usize| -> Vec<_> { (0..n).map(|at| (id(at), (at > 0).then(|| id(0)))).collect() };
    for (nodes, deepest, n_cycles) in
        [(chain(50_000), 49_999, 0), (ring(50_000), 49_999, 1), (fan(50_000), 1, 0)]
    {
        let mut opened = open_graph(&nodes);
        assert_eq!(opened.outline().rows.depths.as_slice().iter().max(), Some(&deepest));
        let cycles = opened.codes().iter().filter(|code| *code == "parent-cycle").count();
        assert_eq!(cycles, n_cycles);
        check_event(&mut opened, 49_999);
    }
}

/// An AgentDbg event with these arguments.
fn tool_call(args: &str) -> Vec<u8> {
    format!(
        "{{\"spec_version\":\"0.1\",\"event_id\":\"e\",\"run_id\":\"r-1\",\
         \"event_type\":\"TOOL_CALL\",\"ts\":\"2026-03-01T10:00:00Z\",\"name\":\"t\",\
         \"payload\":{{\"tool_name\":\"t\",\"args\":{args},\"result\":{args}}},\"meta\":{{}}}}\n"
    )
    .into_bytes()
}

#[test]
fn monstrous_values_give_small_answers() {
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let deep_objects = format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
    let long = format!("\"{}\"", "x".repeat(20_000_000));
    let escaped = format!("{{\"a\":\"{}\"}}", "\\u0000\\n".repeat(1_000_000));
    let keys = (0..20_000).fold(String::new(), |mut text, at| {
        write!(text, "{}\"k{at}\":{at}", if at > 0 { "," } else { "" }).unwrap();
        text
    });
    let wide_text =
        format!("{{{}}}", vec![format!("\"k\":\"{}\"", "y".repeat(50_000)); 190].join(","));
    for (name, args) in [
        ("deep", deep),
        ("deep objects", deep_objects),
        ("long", long),
        ("escaped", escaped),
        ("keys", format!("{{{keys}}}")),
        ("long values", wide_text),
    ] {
        let mut opened = open_one("events.jsonl", &tool_call(&args));
        check_outline(&opened);
        assert_eq!(opened.outline().sources[0].format, "agentdbg", "{name}");
        let detail = check_event(&mut opened, 0);
        assert!(detail.blocks.len() > 1, "{name}: {:?}", detail.blocks.len());
        println!("{name}: {:?}", opened.codes());
    }
}

#[test]
fn cut_archives_and_bombs_say_so_once() {
    let line = |at: usize| format!("{{\"type\":\"step\",\"n\":{at},\"text\":\"{}\"}}\n", at * 7919);
    let text: String = (0..20_000).map(line).collect();
    let packed = harness::gzip(text.as_bytes());
    let cut = &packed[..packed.len() / 2];
    for (name, bytes) in [("a.gz", cut.to_vec()), ("a.gz.gz", harness::gzip(cut))] {
        let opened = open_one(name, &bytes);
        assert_eq!(opened.codes(), ["truncated-gzip"], "{name}");
        assert!(opened.outline().rows.ids.len() > 5_000);
    }
    let twice = harness::gzip(&packed);
    let opened = open_one("a.gz.gz", &twice[..twice.len() / 2]);
    assert_eq!(opened.codes(), ["truncated-gzip"], "cut twice over");
}

#[test]
fn a_cut_or_broken_document_still_opens() {
    let whole = r#"{"title":"x","steps":[{"a":1,"b":[2]},{"a":2}],"end":{"of":"all"}}"#;
    let broken = whole.replace("\"end\":", "\"end\"= ");
    let mut n = 0;
    for (name, text) in [("cut", whole), ("broken", broken.as_str())] {
        for len in 38..text.len() {
            let opening = Opening { format: Some("records"), ..Opening::default() };
            let mut opened = open(&[(name, &text.as_bytes()[..len])], &opening);
            check_outline(&opened);
            assert_eq!(opened.outline().rows.ids.len(), 1, "{name} at {len}");
            let detail = check_event(&mut opened, 0);
            assert!(!detail.blocks.is_empty(), "{name} at {len}");
            let record = &detail.records[0];
            assert!(record.start + u64::from(record.len) <= len as u64, "{record:?} at {len}");
            n += opened.codes().len();
        }
    }
    assert!(n > 40);
}

#[test]
fn what_is_no_object_is_counted_where_it_is_left_out() {
    let lists = "[1,[2]]\n".repeat(60);
    let opened = open_one("lists.jsonl", lists.as_bytes());
    assert_eq!(opened.problem().unwrap().code().word(), "unknown-format");
    assert_eq!(opened.codes(), vec!["not-an-event"; 60]);
    let mixed = format!("{lists}{}", "{\"type\":\"step\"}\n".repeat(3));
    let opened = open_one("mixed.jsonl", mixed.as_bytes());
    check_outline(&opened);
    // Each of the lines is either a row or a notice.
    assert_eq!(opened.outline().rows.ids.len() as usize + opened.codes().len(), 63);
}
