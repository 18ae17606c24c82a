//! Every available trace in a whole session: unchanged, renamed, packed, with other line ends, in
//! small slices, truncated. The results are reviewed snapshots, for our own files and some of the real ones.

use crate::harness;
use crate::snapshot::{OF_REAL_FILES, assert_reviewed};

use harness::claims::{check_event, check_outline, check_raw, event_ids};
use harness::dump::{assert_same, full, reviewed, without_warnings};
use harness::own_format::own_format;
use harness::{Opening, Outcome, at_least, gzip, open, open_one, traces};
use traceloupe_words::problems;

/// In larger files only some events are opened.
const SMALL_BYTES: usize = 300 * 1024;

fn format_of(name: &str) -> &str {
    if let Some(fixture) = name.strip_prefix("fixtures/") {
        return fixture.split('/').next().unwrap();
    }
    // Test vectors for the loop rule, not a trace.
    own_format(name).unwrap_or("records")
}

#[test]
fn each_file_is_its_format_and_looks_as_reviewed() {
    let files = traces();
    let mut n_real = 0;
    for (name, bytes) in &files {
        let opened = open_one(name, bytes);
        let outline = opened.outline();
        assert_eq!(outline.sources[0].format, format_of(name), "{name}");
        assert_eq!(outline.sources[0].problem, None);
        if !name.starts_with("fixtures/") {
            if OF_REAL_FILES.iter().all(|(known, _)| known != name) {
                continue;
            }
            n_real += 1;
        }
        let snapshot = name.replace('/', "__").replace(['.', '+'], "-");
        assert_reviewed(&format!("session__{snapshot}"), &reviewed(outline));
    }
    assert_eq!(n_real, at_least(OF_REAL_FILES.len(), 0));
}

#[test]
fn every_row_opens_and_names_its_bytes() {
    let files = traces();
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    for (name, bytes) in &files {
        let mut opened = open_one(name, bytes);
        check_outline(&opened);
        let ids = event_ids(opened.outline());
        let n = u32::try_from(ids.len()).unwrap();
        let step = if bytes.len() < SMALL_BYTES { 1 } else { n / 100 + 1 };
        let mut at = 0;
        while at < n {
            let detail = check_event(&mut opened, ids[at as usize]);
            check_raw(&mut opened, &detail, bytes);
            // xorshift with a fixed seed: random, but reproducible.
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            at += 1 + u32::try_from(random % u64::from(step * 2 - 1)).unwrap();
        }
    }
}

#[test]
fn neither_name_nor_packing_nor_slices_change_anything() {
    let files = traces();
    for (name, bytes) in &files {
        let expected = full(open_one(name, bytes).outline());
        let same = |what: &str, name: &str, bytes: &[u8], slice_len: usize| {
            let opening = Opening { slice_len: Some(slice_len), ..Opening::default() };
            let opened = open(&[(name, bytes)], &opening);
            check_outline(&opened);
            println!("{name} {what}");
            assert_same(&full(opened.outline()), &expected);
        };
        same("under another name", "unknown", bytes, 1 << 20);
        same("gzipped", &format!("{name}.gz"), &gzip(bytes), 1 << 20);
        same("gzipped in small slices", "unknown", &gzip(bytes), 1000);
        same("in small slices", name, bytes, 1000);
        let text = String::from_utf8(bytes.clone()).unwrap().replace("\r\n", "\n");
        same("with CRLF", name, text.replace('\n', "\r\n").as_bytes(), 1 << 20);
    }
}

#[test]
fn a_cut_file_keeps_every_whole_line() {
    let files = traces();
    let (mut n_lines, mut n_documents) = (0, 0);
    for (name, bytes) in &files {
        for percent in [25, 50, 90] {
            let cut = &bytes[..bytes.len() * percent / 100];
            let mut opened = open_one(name, cut);
            check_outline(&opened);
            let Outcome::Outline(outline) = &opened.outcome else {
                let problem = opened.problem().unwrap();
                let is_said =
                    !opened.codes().is_empty() && !problems::what_happened(problem).is_empty();
                assert!(is_said, "{name} at {percent} %: {problem:?}");
                continue;
            };
            let (text, n) = (without_warnings(outline), outline.rows.ids.len());
            let is_said = opened.codes().iter().any(|code| code.starts_with("truncated-"));
            let lines_end = memchr::memrchr(b'\n', cut).map_or(0, |at| at + 1);
            let is_whole = cut[lines_end..].is_empty()
                || serde_json::from_slice::<serde::de::IgnoredAny>(&cut[lines_end..]).is_ok();
            // One line alone with a list is a document with records.
            let is_list = cut.starts_with(b"[") && memchr::memchr_iter(b'\n', cut).count() == 1;
            let is_lines = name.ends_with(".jsonl") && !name.contains("stream-log") && !is_list;
            if is_lines && lines_end > 0 {
                assert_eq!(is_said, !is_whole, "{name} at {percent} %");
                let whole = if is_whole { cut } else { &cut[..lines_end] };
                let expected = open_one(name, whole);
                println!("{name} at {percent} %");
                assert_same(&text, &without_warnings(expected.outline()));
                n_lines += 1;
            } else {
                // A cut may fall between two values, or into the text of a log between them.
                let is_log = name.ends_with(".log");
                let mut values =
                    serde_json::Deserializer::from_slice(cut).into_iter::<serde::de::IgnoredAny>();
                let is_between = is_log || values.all(|it| it.is_ok());
                assert!(is_said || is_between, "{name} at {percent} %");
                n_documents += 1;
            }
            let ids = event_ids(opened.outline());
            for id in ids.into_iter().step_by((n as usize / 20).max(1)) {
                let detail = check_event(&mut opened, id);
                check_raw(&mut opened, &detail, cut);
            }
        }
    }
    println!("{n_lines} cut between lines, {n_documents} cut documents");
    assert!(n_lines > at_least(140, 70) && n_documents > at_least(100, 50));
}
