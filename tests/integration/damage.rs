//! Files that are damaged in one place at random: reading ends without a panic, every line that is still whole is still
//! part of an event, and everything that can no longer be read is reported with its place.
//!
//! The damage depends only on the name of the file and the number of the case, so a failure can be repeated:
//! `TRACELOUPE_DAMAGE_ONLY=name:case` runs one, and `TRACELOUPE_DAMAGE_CASES=100` damages each file that many times.

use crate::harness;

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use harness::claims::{check_event, check_outline, event_ids};
use harness::fixtures::fixtures;
use harness::{Opened, Opening, Outcome, files_below, named, open, shared_also};
use serde::de::IgnoredAny;

/// Larger files are left out.
const MAX_FILE_BYTES: usize = 300_000;

/// How many rows are opened after each damage.
const MAX_OPENED_ROWS: usize = 4;

/// Random numbers from a seed (SplitMix64).
struct Random(u64);

impl Random {
    fn of(name: &str, case: usize) -> Self {
        let seed = name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self(seed ^ (case as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which must not be 0.
    fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap()
    }
}

/// A change of one place: these bytes are replaced by others.
struct Damage {
    what: &'static str,
    place: Range<usize>,
    by: Vec<u8>,
}

/// A few bytes, mostly; sometimes many.
fn some_range(len: usize, random: &mut Random) -> Range<usize> {
    let from = random.below(len);
    let longest = [1, 8, 80, 800][random.below(4)];
    from..(from + 1 + random.below(longest)).min(len)
}

fn damage(bytes: &[u8], random: &mut Random) -> Damage {
    let at = random.below(bytes.len());
    let line_ends: Vec<usize> = memchr::memchr_iter(b'\n', &bytes[..bytes.len() - 1]).collect();
    let (what, place, by): (_, _, Vec<u8>) = match random.below(9) {
        0 => ("a byte is changed", at..at + 1, vec![random.next().to_le_bytes()[0]]),
        1 => {
            let signs = b"{}[]\",:\\0 \n";
            let sign = signs[random.below(signs.len())];
            ("a byte is made a sign", at..at + 1, vec![sign])
        }
        2 => ("a range is removed", some_range(bytes.len(), random), Vec::new()),
        3 => {
            let range = some_range(bytes.len(), random);
            ("a range is repeated", range.end..range.end, bytes[range].to_vec())
        }
        4 => ("the end is cut", at..bytes.len(), Vec::new()),
        5 => ("NUL bytes are put in", at..at, vec![0; 1 + random.below(20)]),
        6 => {
            let bad: [&[u8]; 4] = [b"\xff", b"\xc3", b"\xed\xa0\xbd", b"\xf0\x9f\x98"];
            ("invalid UTF-8 is put in", at..at, bad[random.below(4)].to_vec())
        }
        7 if !line_ends.is_empty() => {
            let end = line_ends[random.below(line_ends.len())];
            ("two lines are joined", end..end + 1, Vec::new())
        }
        _ => ("a line is broken in two", at..at, b"\n".to_vec()),
    };
    Damage { what, place, by }
}

impl Damage {
    fn apply(&self, bytes: &[u8]) -> Vec<u8> {
        [&bytes[..self.place.start], &self.by, &bytes[self.place.end..]].concat()
    }

    /// The place of a line after the damage; `None` if it, or the line end before or after it, was touched.
    fn moved(&self, line: &Range<usize>) -> Option<Range<usize>> {
        if line.end < self.place.start {
            return Some(line.clone());
        }
        let shift = |at: usize| at - self.place.len() + self.by.len();
        (line.start > self.place.end).then(|| shift(line.start)..shift(line.end))
    }

    /// The bytes of all lines that are no longer whole, in the damaged file.
    fn touched(&self, damaged: &[u8]) -> Range<usize> {
        let end = self.place.start + self.by.len();
        let before = memchr::memrchr(b'\n', &damaged[..self.place.start]);
        let after = memchr::memchr(b'\n', &damaged[end..]);
        before.map_or(0, |at| at + 1)..after.map_or(damaged.len(), |at| end + at + 1)
    }
}

/// The lines of a file, without line ends.
fn lines(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut from = 0;
    let cut = bytes.split(|byte| *byte == b'\n').map(|line| {
        let range = from..from + line.len();
        from = range.end + 1;
        range
    });
    cut.filter(|range| !bytes[range.clone()].trim_ascii().is_empty()).collect()
}

/// Whether a file has a JSON value on each of several lines.
fn is_lines(bytes: &[u8]) -> bool {
    let lines = lines(bytes);
    lines.len() > 1 && lines.iter().all(|line| is_value(&bytes[line.clone()]))
}

fn is_value(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes).ok();
    text.is_some_and(|text| serde_json::from_str::<IgnoredAny>(text).is_ok())
}

/// The places of all events in the first source, sorted.
fn places(opened: &Opened) -> Vec<Range<usize>> {
    let trace = opened.session.trace();
    let events = trace.events().iter().filter(|event| !event.is_absorbed());
    let mut found: Vec<Range<usize>> = events
        .flat_map(|event| trace.places(event))
        .filter(|place| place.span.source.index() == 0)
        .map(|place| {
            let start = usize::try_from(place.span.start).unwrap();
            start..start + place.span.len as usize
        })
        .collect();
    found.sort_by_key(|place| (place.start, place.end));
    found.dedup();
    found
}

/// Whether any of the sorted places overlaps the range.
fn is_in_event(places: &[Range<usize>], range: &Range<usize>) -> bool {
    let before_end = places.partition_point(|place| place.start < range.end);
    places[..before_end].iter().any(|place| place.end > range.start)
}

/// The bytes at which a fault is reported.
fn told(opened: &Opened) -> Vec<usize> {
    let warnings = opened.session.trace().warnings().as_slice().iter();
    let places = warnings.flat_map(|warning| &warning.places);
    places.map(|place| usize::try_from(place.byte).unwrap()).collect()
}

/// Whether only commas between the items of a list were changed. Nothing is lost with or without them.
fn is_of_commas(bytes: &[u8], damage: &Damage) -> bool {
    let is_comma = |byte: &u8| *byte == b',' || byte.is_ascii_whitespace();
    let mut changed = bytes[damage.place.clone()].iter().chain(&damage.by);
    bytes.trim_ascii_start().starts_with(b"[") && changed.all(is_comma)
}

/// Whether another line replaces this one: each chunk of Archi has the whole text so far, and the last one counts.
/// Damage to the lines between them changes which one is the last.
fn has_substitute(name: &str, line: &[u8]) -> bool {
    name.starts_with("archi/") && memchr::memmem::find(line, b"\"chunk\"").is_some()
}

/// The faults in how a damaged file was read.
fn faults(
    (name, bytes): (&str, &[u8]),
    whole: &Opened,
    damage: &Damage,
    opened: &Opened,
) -> Vec<String> {
    let damaged = damage.apply(bytes);
    let touched = damage.touched(&damaged);
    let (before, after, told) = (places(whole), places(opened), told(opened));
    let mut found = Vec::new();
    if is_lines(bytes) {
        for line in lines(bytes) {
            let Some(now) = damage.moved(&line) else { continue };
            let is_lost = is_in_event(&before, &line) && !is_in_event(&after, &now);
            if is_lost && !has_substitute(name, &bytes[line.clone()]) {
                found.push(format!("line at {} is in no event", now.start));
            }
        }
        for line in lines(&damaged[touched.clone()]) {
            let line = touched.start + line.start..touched.start + line.end;
            let is_told = told.iter().any(|at| touched.start <= *at && *at <= touched.end);
            if !is_value(&damaged[line.clone()]) && !is_told {
                found.push(format!("line at {} is no JSON, and nothing says so", line.start));
            }
        }
    } else if is_value(bytes)
        && !is_value(&damaged)
        && told.is_empty()
        && !matches!(opened.outcome, Outcome::Failed(_))
        && !is_of_commas(bytes, damage)
    {
        found.push("the document is no JSON, and nothing says so".to_owned());
    }
    found
}

fn opening(random: &mut Random) -> Opening {
    let slice_len = [7, 1000, 1 << 20][random.below(3)];
    Opening { slice_len: Some(slice_len), ..Opening::default() }
}

/// Opens a damaged file and some of its rows.
fn read(name: &str, bytes: &[u8], random: &mut Random) -> Opened {
    let mut opened = open(&[(name, bytes)], &opening(random));
    check_outline(&opened);
    if let Outcome::Outline(outline) = &opened.outcome {
        let ids = event_ids(outline);
        for _ in 0..MAX_OPENED_ROWS.min(ids.len()) {
            check_event(&mut opened, ids[random.below(ids.len())]);
        }
    }
    opened
}

/// The number in an environment variable.
fn number(name: &str) -> Option<usize> {
    std::env::var(name).ok().and_then(|text| text.parse().ok())
}

/// The number after the last colon.
fn one_case(only: &str) -> Range<usize> {
    let case = only.rsplit(':').next().unwrap().parse().unwrap();
    case..case + 1
}

/// Damages each file `n_cases` times.
fn sweep(files: &[(String, Vec<u8>)], n_cases: usize) {
    let n_cases = number("TRACELOUPE_DAMAGE_CASES").unwrap_or(n_cases);
    let only = std::env::var("TRACELOUPE_DAMAGE_ONLY").ok();
    let mut wrong: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut n = 0;
    for (name, bytes) in files.iter().filter(|(_, bytes)| !bytes.is_empty()) {
        let is_other = |only: &String| only.rsplit_once(':').unwrap().0 != name;
        if only.as_ref().is_some_and(is_other) {
            continue;
        }
        let whole = open(&[(name, bytes)], &Opening::default());
        for case in only.as_ref().map_or(0..n_cases, |only| one_case(only)) {
            let mut random = Random::of(name, case);
            let damage = damage(bytes, &mut random);
            let damaged = damage.apply(bytes);
            let found = catch_unwind(AssertUnwindSafe(|| {
                let opened = read(name, &damaged, &mut random);
                faults((name, bytes), &whole, &damage, &opened)
            }));
            let found = found.unwrap_or_else(|_| vec!["a panic".to_owned()]);
            if !found.is_empty() {
                let at = format!("{}..{}", damage.place.start, damage.place.end);
                let key = format!("{name}:{case}: {} at {at} of {}", damage.what, bytes.len());
                if only.is_some() {
                    println!("{}", String::from_utf8_lossy(&damaged));
                }
                wrong.insert(key, found);
            }
            n += 1;
        }
    }
    println!("{n} cases");
    assert!(n > 0 && wrong.is_empty(), "{} of {n}: {wrong:#?}", wrong.len());
}

#[test]
fn what_is_whole_in_a_damaged_fixture_is_kept() {
    let files: Vec<_> = fixtures().into_iter().map(|it| (it.name, it.bytes)).collect();
    sweep(&files, 20);
}

#[test]
fn what_is_whole_in_a_damaged_real_file_is_kept() {
    let Some(root) = shared_also("traces") else { return };
    let paths = files_below(&root);
    let files = paths.iter().map(|path| named(&root, path));
    let files: Vec<_> = files
        .filter(|(name, bytes)| !name.ends_with(".md") && bytes.len() <= MAX_FILE_BYTES)
        .collect();
    sweep(&files, 2);
}
