//! The fixtures of every format compared with `expect.json`: unchanged, renamed, packed, in other encodings, cut, and
//! several at once in any order.

use crate::harness;

use std::collections::{BTreeMap, BTreeSet};

use harness::claims::{check_event, check_outline, check_raw, event_ids};
use harness::detect::verdicts;
use harness::dump::{assert_same, full, without_warnings};
use harness::faults::{utf16_be, utf16_le};
use harness::fixtures::{Expect, Fixture, fixtures, groups};
use harness::{Opened, Opening, Outcome, gzip, open, open_one};
use serde::de::IgnoredAny;
use traceloupe_formats::FORMATS;
use traceloupe_protocol::outline::{RunLine, SourceLine};
use traceloupe_words::problems;

/// Warnings by code.
fn warnings(opened: &Opened) -> BTreeMap<String, u64> {
    let mut found = BTreeMap::new();
    for code in opened.codes() {
        *found.entry(code).or_default() += 1;
    }
    found
}

/// The differences between an opened trace and its expectation. `more` are warnings caused by the way in which the
/// bytes were changed.
fn differences(opened: &Opened, format: &str, expect: &Expect, more: &[&str]) -> Vec<String> {
    check_outline(opened);
    let Outcome::Outline(outline) = &opened.outcome else {
        return vec![format!("{:?}", opened.problem())];
    };
    let sum =
        |count: fn(&RunLine) -> Option<u64>| outline.runs.iter().filter_map(count).sum::<u64>();
    let mut expected_warnings = expect.warnings.clone();
    for code in more {
        *expected_warnings.entry((*code).to_owned()).or_default() += 1;
    }
    let counts = [
        ("runs", outline.n_listed() as u64, Some(expect.runs as u64)),
        ("events", sum(|run| Some(run.counts.events)), expect.events),
        ("LLM calls", sum(|run| Some(run.counts.llm_calls)), expect.llm_calls),
        ("tool calls", sum(|run| Some(run.counts.tool_calls)), expect.tool_calls),
        ("errors", sum(|run| Some(run.counts.errors)), expect.errors),
        ("input tokens", sum(|run| run.usage.input), expect.tokens_in),
        ("output tokens", sum(|run| run.usage.output), expect.tokens_out),
    ];
    let mut found: Vec<String> = counts
        .iter()
        .filter_map(|(what, is, expected)| {
            let expected = (*expected).filter(|expected| expected != is)?;
            Some(format!("{is} {what}, not {expected}"))
        })
        .collect();
    for source in outline.sources.iter().filter(|source| !source.is_container) {
        if source.format != format || source.problem.is_some() {
            found.push(format!("read as {:?}, {:?}", source.format, source.problem));
        }
    }
    let warnings = warnings(opened);
    if warnings != expected_warnings {
        found.push(format!("warnings {warnings:?}, not {expected_warnings:?}"));
    }
    found
}

/// Whether the file is converted to JSON first.
fn is_converted(expect: &Expect) -> bool {
    expect.warnings.keys().any(|code| code.starts_with("from-"))
}

/// Whether a fixture has a value on each line.
fn is_lines(fixture: &Fixture) -> bool {
    let lines = fixture.bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let mut values = lines.map(|line| line.starts_with(b"{") || line.starts_with(b"["));
    let is_named = fixture.name.ends_with(".jsonl") || fixture.name.ends_with(".ndjson");
    is_named && values.all(|is_value| is_value)
}

#[test]
fn every_format_has_fixtures() {
    let known: BTreeSet<&str> = FORMATS.iter().map(|format| format.id()).collect();
    let all = fixtures();
    let found: BTreeSet<&str> = all.iter().map(|fixture| fixture.format.as_str()).collect();
    assert_eq!(found, known);
    for format in known {
        let own = || all.iter().filter(|fixture| fixture.format == format);
        assert!(own().count() >= 3, "{format} has too few fixtures");
        assert!(own().any(|fixture| fixture.expect.events != Some(0)), "{format} has no events");
    }
}

#[test]
fn every_fixture_gives_what_is_expected_of_it() {
    let mut wrong = Vec::new();
    for Fixture { format, name, bytes, expect } in fixtures() {
        let mut opened = open_one(&name, &bytes);
        let differences = differences(&opened, &format, &expect, &[]);
        wrong.extend(differences.iter().map(|it| format!("{name}: {it}")));
        for id in event_ids(opened.outline()) {
            let detail = check_event(&mut opened, id);
            if !is_converted(&expect) {
                check_raw(&mut opened, &detail, &bytes);
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn a_fixture_is_its_own_format_and_no_other() {
    let mut wrong = Vec::new();
    for Fixture { format, name, bytes, expect } in fixtures() {
        // YAML is converted to JSON before it is framed, so its name cannot be ignored.
        if is_converted(&expect) {
            continue;
        }
        for name in [name.as_str(), "unknown"] {
            for (id, verdict) in verdicts(name, &bytes) {
                let is_right = match (id == format, expect.certain) {
                    (true, true) => verdict.rank() == 3,
                    (true, false) => (1..3).contains(&verdict.rank()),
                    // The generic formats are less certain of files that another format recognises.
                    (false, true) => verdict.rank() < 3,
                    (false, false) => verdict.rank() < 2 || id == "chat",
                };
                if !is_right {
                    wrong.push(format!("{name} of {format}: {id} says {verdict:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn neither_name_nor_packing_nor_encoding_changes_what_is_read() {
    let mut wrong = Vec::new();
    for fixture in fixtures() {
        let Fixture { format, name, bytes, expect } = &fixture;
        let text = std::str::from_utf8(bytes).unwrap();
        let mut ways = vec![
            ("under another name", "unknown", bytes.clone(), &[][..]),
            ("gzipped", "unknown.gz", gzip(bytes), &[]),
            ("gzipped twice", "unknown", gzip(&gzip(bytes)), &[]),
            ("with a mark", name, [b"\xef\xbb\xbf", bytes.as_slice()].concat(), &[]),
            ("with CRLF", name, text.replace('\n', "\r\n").into_bytes(), &[]),
            ("in UTF-16 LE", name, utf16_le(text), &["transcoded-utf16"]),
            ("in UTF-16 BE", name, utf16_be(text), &["transcoded-utf16"]),
            ("without its last line end", name, text.trim_end().into(), &[]),
        ];
        if is_lines(&fixture) {
            ways.push(("with blank lines", name, text.replace('\n', "\n\n").into_bytes(), &[]));
            let padded = [bytes.as_slice(), &[0; 100]].concat();
            if !expect.warnings.contains_key("truncated-last-line") {
                ways.push(("with a tail of NUL", name, padded, &["nul-padding"]));
            }
        }
        for (way, name, bytes, more) in ways {
            // YAML is recognised by its name, or by its first bytes.
            for slice_len in [7, 1 << 20] {
                let opening = Opening { slice_len: Some(slice_len), ..Opening::default() };
                let opened = open(&[(name, &bytes)], &opening);
                let differences = differences(&opened, format, expect, more);
                wrong.extend(differences.iter().map(|it| format!("{} {way}: {it}", fixture.name)));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn half_a_file_is_still_its_format_or_says_that_it_was_cut() {
    let mut n_lines = 0;
    for fixture in fixtures() {
        let Fixture { format, name, bytes, .. } = &fixture;
        let half = &bytes[..bytes.len() / 2];
        let mut opened = open_one(name, half);
        check_outline(&opened);
        let last_end = half.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        // The first line alone may not identify the format, like the metadata of a data set.
        if is_lines(&fixture) && half[..last_end].split(|byte| *byte == b'\n').count() > 2 {
            assert_eq!(opened.outline().sources[0].format, *format, "{name}");
            // Every whole line is there: the cut loses at most the last one.
            let is_whole = serde_json::from_slice::<IgnoredAny>(&half[last_end..]).is_ok();
            let whole = open_one(name, if is_whole { half } else { &half[..last_end] });
            let expected = without_warnings(whole.outline());
            assert_same(&without_warnings(opened.outline()), &expected);
            let is_said = opened.codes().iter().any(|code| code.starts_with("truncated-"));
            assert!(is_said || is_whole || half.ends_with(b"\n"), "{name}");
            n_lines += 1;
        }
        match &opened.outcome {
            Outcome::Outline(outline) => {
                for id in event_ids(outline) {
                    let detail = check_event(&mut opened, id);
                    if !opened.codes().iter().any(|code| code.starts_with("from-")) {
                        check_raw(&mut opened, &detail, half);
                    }
                }
            }
            Outcome::Failed(problem) => {
                assert!(problems::what_happened(problem).contains(name.as_str()), "{problem:?}");
                assert!(!opened.codes().is_empty(), "{name}: {problem:?}");
            }
            Outcome::Choose(asked) => panic!("{name}: {asked:?}"),
        }
    }
    assert!(n_lines > 15, "{n_lines}");
}

type Files<'a> = Vec<(&'a str, &'a [u8])>;

/// Every order of a few files.
fn orders<'a>(files: &Files<'a>) -> Vec<Files<'a>> {
    if files.len() < 2 {
        return vec![files.clone()];
    }
    let mut all = Vec::new();
    for at in 0..files.len() {
        let mut rest = files.clone();
        let first = rest.remove(at);
        all.extend(orders(&rest).into_iter().map(|rest| [vec![first], rest].concat()));
    }
    all
}

#[test]
fn files_of_one_run_are_one_run_in_any_order() {
    let mut n = 0;
    for group in groups() {
        let files = group.files.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
        let files: Files<'_> = files.collect();
        let expected = full(open(&files, &Opening::default()).outline());
        for order in orders(&files) {
            let opened = open(&order, &Opening::default());
            let differences = differences(&opened, &group.format, &group.expect, &[]);
            assert!(differences.is_empty(), "{:?}: {differences:?}", group.expect.files);
            assert_same(&full(opened.outline()), &expected);
            n += 1;
        }
    }
    assert!(n > 20, "{n}");
}

#[test]
fn files_of_two_formats_do_not_disturb_each_other() {
    let all = fixtures();
    // One of each format, with events.
    let mut some: BTreeMap<&str, &Fixture> = BTreeMap::new();
    for fixture in all.iter().filter(|it| it.expect.events != Some(0)) {
        some.entry(&fixture.format).or_insert(fixture);
    }
    for one in some.values() {
        for other in some.values().filter(|other| other.format != one.format) {
            let files = [one, other].map(|it| (it.name.as_str(), it.bytes.as_slice()));
            let opened = open(&files, &Opening::default());
            check_outline(&opened);
            let outline = opened.outline();
            for fixture in [one, other] {
                let is_own = |source: &&SourceLine| source.path.ends_with(&fixture.name);
                let source = outline.sources.iter().rfind(is_own).unwrap();
                assert_eq!(source.format, fixture.format, "{} with {}", one.name, other.name);
                let runs = outline.runs.iter().filter(|run| run.format == fixture.format);
                assert_eq!(runs.count(), fixture.expect.runs, "{} with {}", one.name, other.name);
            }
        }
    }
}

#[test]
fn all_fixtures_at_once_in_any_order() {
    let all = fixtures();
    let mut files: Files<'_> =
        all.iter().map(|it| (it.name.as_str(), it.bytes.as_slice())).collect();
    let mut opened = open(&files, &Opening::default());
    check_outline(&opened);
    let expected = full(opened.outline());
    for source in opened.outline().sources.iter().filter(|source| !source.is_container) {
        let format = source.path.split('/').next().unwrap();
        assert_eq!((source.format.as_str(), &source.problem), (format, &None), "{}", source.path);
    }
    for id in event_ids(opened.outline()) {
        check_event(&mut opened, id);
    }
    for step in [1, 3, 7] {
        files.reverse();
        files.rotate_left(step);
        assert_same(&full(open(&files, &Opening::default()).outline()), &expected);
    }
}
