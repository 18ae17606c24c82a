//! The command `traceloupe`: its summaries have the figures of the page, for all traces.

use crate::harness;

use harness::archives::Zip;
use harness::briefs::{brief_of, prices};
use harness::{Outcome, at_least, gzip, open_one, traces};
use serde_json::Value;
use traceloupe_cli::{Check, Opened, failed, failed_json, failed_text, summary, summary_json};
use traceloupe_session::store::MemoryStore;
use traceloupe_words::brief::brief_markdown;
use traceloupe_words::summary::summary_text;

fn open(files: &[(&str, &[u8])]) -> Result<Opened<MemoryStore>, String> {
    let paths: Vec<String> = files.iter().map(|(path, _)| (*path).to_owned()).collect();
    let stored = || {
        let mut store = MemoryStore::default();
        let handles = files.iter().map(|(_, bytes)| store.add(bytes.to_vec())).collect();
        (store, handles)
    };
    Opened::open(&paths, stored, Some(prices())).map_err(|problem| format!("{problem:?}"))
}

fn json_of(opened: &mut Opened<MemoryStore>) -> Value {
    serde_json::from_str(&summary_json(&summary(opened))).unwrap()
}

fn sample(name: &str) -> Vec<u8> {
    let path = format!("{}/public/samples/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(path).unwrap()
}

#[test]
fn summaries_and_briefs_have_the_figures_of_the_page() {
    let (prices, mut n) = (prices(), 0);
    for (name, bytes) in &traces() {
        let mut page = open_one(name, bytes);
        let Outcome::Outline(outline) = &page.outcome else { continue };
        let (runs, read) = (outline.runs.clone(), outline.run_to_read());
        let mut opened =
            open(&[(name, bytes)]).unwrap_or_else(|problem| panic!("{name}: {problem}"));
        let of_page = brief_markdown(&brief_of(&mut page, read, Some(&prices)));
        assert_eq!(brief_markdown(&opened.brief(read)), of_page, "{name}");
        let found = json_of(&mut opened);
        let listed = opened.listed_runs();
        assert_eq!(found["runs"].as_array().unwrap().len(), listed.len(), "{name}");
        for (run, json) in listed.iter().zip(found["runs"].as_array().unwrap()) {
            let line = &runs[*run as usize];
            let counts = line.given.unwrap_or(line.counts);
            assert_eq!(json["errors"], counts.errors, "{name}");
            assert_eq!(json["tool_calls"], counts.tool_calls, "{name}");
            assert_eq!(json["output_tokens"].as_u64(), line.usage.output, "{name}");
            let never = json["failures"].as_array().unwrap().iter();
            let never: u64 = never.map(|it| it["never_fixed"].as_u64().unwrap()).sum();
            if let Some(n) = json["errors_never_fixed"].as_u64() {
                assert_eq!(n, never, "{name}");
            }
        }
        let text = summary_text(&summary(&mut opened));
        let is_ours = |line: &str| {
            ["Run: ", "  - ", "Problem: ", "Warning: "].iter().any(|it| line.starts_with(it))
        };
        assert!(text.lines().all(is_ours), "{name}: {text}");
        n += 1;
    }
    assert!(n > at_least(150, 40));
}

#[test]
fn a_report_begins_with_the_run_that_the_page_shows() {
    let mut opened = open(&[("a.jsonl", &sample("trip-planner.jsonl"))]).unwrap();
    assert_eq!(opened.title(), "a.jsonl");
    let brief = opened.brief(opened.outline().run_to_read());
    assert_eq!(opened.markdown(), brief_markdown(&brief));
    let html = opened.html("A <title>");
    assert!(html.starts_with("<h1>") && html.contains("A &lt;title&gt;"));
    assert!(html.contains("<article>") && html.contains("<ol>") && !html.contains("<title>"));
}

#[test]
fn everything_in_an_archive_is_read_except_what_holds_no_trace() {
    let (one, other) = (sample("trip-planner.jsonl"), sample("bug-fix.jsonl"));
    let zip = Zip::default()
        .with("one.jsonl", &one)
        .with("other.jsonl", &other)
        .with("picture.png", b"\x89PNG")
        .finish();
    let titles = |opened: &mut Opened<MemoryStore>| -> Vec<String> {
        let found = json_of(opened);
        let runs = found["runs"].as_array().unwrap().iter();
        let mut titles: Vec<String> = runs.map(|it| it["title"].to_string()).collect();
        titles.sort();
        titles
    };
    let packed = gzip(&one);
    let from_zip = titles(&mut open(&[("all.zip", &zip)]).unwrap());
    let from_files = titles(&mut open(&[("one.jsonl.gz", &packed), ("b.jsonl", &other)]).unwrap());
    assert!(from_zip.len() >= 2);
    assert_eq!(from_zip, from_files);
}

#[test]
fn a_loop_fails_the_check_and_a_run_without_one_passes() {
    let mut opened = open(&[("a.jsonl", &sample("trip-planner.jsonl"))]).unwrap();
    let summary = summary(&mut opened);
    let found = failed(&summary, &[Check::Warning]);
    assert_eq!(found.len(), 1);
    let json: Value = serde_json::from_str(&failed_json(&summary, &found)).unwrap();
    assert_eq!(json["failed"][0]["check"], "warning");
    assert_eq!(json["failed"][0]["run"], 0);
    let loops = json["runs"][0]["findings"].as_array().unwrap().iter();
    assert_eq!(loops.filter(|it| it["is_possible_loop"] == true).count(), 1);
    assert!(failed_text(&summary, &found).starts_with("Failed: "));
    let none = failed(&summary, &[Check::Problems]);
    assert!(none.is_empty() && failed_text(&summary, &none).starts_with("Passed: "));
}

#[test]
fn what_cannot_be_read_is_a_problem() {
    assert!(open(&[("a.bin", b"\0\x01\x02")]).is_err());
    assert!(open(&[]).is_err());
    let cut = [sample("bug-fix.jsonl"), b"{\"type\":\"user\",\"mess".to_vec()].concat();
    let summary = summary(&mut open(&[("a.jsonl", &cut)]).unwrap());
    let found = failed(&summary, &[Check::Problems, Check::Critical]);
    assert_eq!(found.iter().map(|it| it.check.word()).collect::<Vec<_>>(), ["problems"]);
}
