//! Dumps an outline as lines without any text of the trace: kinds, names, counts, times.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::hash::{Hash as _, Hasher as _};

use rustc_hash::FxHasher;
use traceloupe_core::model::{CallOutcome, EventKind};
use traceloupe_protocol::outline::{FindingLine, RunLine};
use traceloupe_view::outline::Outline;

/// Runs with more rows are dumped as counts and a hash.
const MAX_ROWS: usize = 200;

fn number(value: f64) -> String {
    if value.is_nan() { "-".to_owned() } else { format!("{value}") }
}

fn known(value: Option<u64>) -> String {
    value.map_or("-".to_owned(), |value| value.to_string())
}

fn status(code: u8) -> &'static str {
    match CallOutcome::from_code(code) {
        CallOutcome::Unknown => "",
        outcome => outcome.word(),
    }
}

fn name(outline: &Outline, index: u32) -> &str {
    outline.name(index)
}

fn run(run: &RunLine) -> String {
    let labels: Vec<_> = run.facts.iter().map(|fact| traceloupe_words::fact(&fact.kind)).collect();
    let usage = &run.usage;
    let mut text = format!(
        "run {} {} rows {} duration {} ms\n  counts {:?}\n",
        run.format,
        run.status.word(),
        run.n_rows,
        number(run.duration_ms),
        run.counts
    );
    let score = traceloupe_words::score(run.score, run.verdict);
    if !score.is_empty() {
        writeln!(text, "  score {score}").unwrap();
    }
    if let Some(given) = run.given {
        writeln!(text, "  given {given:?}").unwrap();
    }
    let no_end = run.no_end.map(|it| traceloupe_words::no_end(it).to_owned());
    let notes = run.notes.iter().map(traceloupe_words::run_note);
    let notes: Vec<String> = no_end.into_iter().chain(notes).collect();
    writeln!(
        text,
        "  {} calls know their usage: in {} out {} cache read {} write {}\n  facts {labels:?} notes {notes:?}",
        run.usage_known,
        known(usage.input),
        known(usage.output),
        known(usage.cache_read),
        known(usage.cache_write)
    )
    .unwrap();
    if let Some(row) = run.first_error {
        writeln!(text, "  first error {}", row - run.first_row).unwrap();
    }
    text
}

/// The rows of a run, numbered from 0.
fn rows(outline: &Outline, run: &RunLine) -> Vec<String> {
    let rows = &outline.rows;
    let of = |row: u32| {
        let mut text = format!(
            "{:4} {}{} {:?} {} {}",
            row - run.first_row,
            "  ".repeat(usize::from(rows.depths.get(row)).min(20)),
            EventKind::from_code(rows.kinds.get(row)).word(),
            name(outline, rows.names.get(row)),
            status(rows.statuses.get(row)),
            traceloupe_words::error_label(outline.error(row)),
        );
        for (label, value) in [
            ("in", rows.tokens_in.get(row)),
            ("out", rows.tokens_out.get(row)),
            ("ms", rows.durations_ms.get(row)),
        ] {
            if !value.is_nan() {
                write!(text, " {label} {value}").unwrap();
            }
        }
        if let Some(wait) = rows.wait_of(row) {
            write!(text, " waited {} {:?}", wait.len_ms(), wait.what).unwrap();
        }
        text.trim_end().to_owned()
    };
    (run.first_row..run.first_row + run.n_rows).map(of).collect()
}

fn finding(it: &FindingLine, run: &RunLine) -> String {
    format!(
        "finding {} {} rows {} to {}: {} times, blocks of {}, {} folded, {} reported",
        it.rule.id(),
        it.severity.id(),
        it.first - run.first_row,
        it.last - run.first_row,
        it.repetitions(),
        it.block_len(),
        it.folded.len(),
        it.reported.len()
    )
}

fn write_outline(outline: &Outline, short: bool) -> String {
    let mut text = String::new();
    for (at, line) in outline.runs.iter().enumerate() {
        text.push_str(&run(line));
        let lines = rows(outline, line);
        if short && lines.len() > MAX_ROWS {
            text.push_str(&counts(outline, line));
            writeln!(text, "  all rows {:016x}", hash(&lines)).unwrap();
        } else {
            for line in lines {
                writeln!(text, "{line}").unwrap();
            }
        }
        for it in outline.findings.iter().filter(|it| it.run as usize == at) {
            writeln!(text, "{}", finding(it, line)).unwrap();
        }
    }
    for warning in &outline.warnings {
        let lines: Vec<u32> = warning.places.iter().take(5).map(|place| place.1).collect();
        writeln!(text, "warning {} {} lines {lines:?}", warning.code, warning.count).unwrap();
    }
    text
}

/// The complete dump.
pub fn full(outline: &Outline) -> String {
    write_outline(outline, false)
}

/// A dump short enough to review.
pub fn reviewed(outline: &Outline) -> String {
    write_outline(outline, true)
}

/// Only the runs, without the warnings about the files.
pub fn without_warnings(outline: &Outline) -> String {
    let text = full(outline);
    let kept: Vec<&str> = text.lines().filter(|line| !line.starts_with("warning ")).collect();
    kept.join("\n")
}

/// Compares dumps. Prints only the first line that differs, because a whole dump is too long to
/// read.
#[track_caller]
pub fn assert_same(is: &str, expected: &str) {
    if is != expected {
        let at = is.lines().zip(expected.lines()).position(|(is, expected)| is != expected);
        let at = at.unwrap_or(is.lines().count().min(expected.lines().count()));
        assert_eq!(is.lines().nth(at), expected.lines().nth(at), "line {at} of the dumps");
        panic!("the dumps differ in their white space");
    }
}

fn counts(outline: &Outline, run: &RunLine) -> String {
    let rows = &outline.rows;
    let mut counts: BTreeMap<(String, String, &str, String), usize> = BTreeMap::new();
    for row in run.first_row..run.first_row + run.n_rows {
        let kind = EventKind::from_code(rows.kinds.get(row)).word();
        let key = (
            format!("depth {} {kind}", rows.depths.get(row)),
            name(outline, rows.names.get(row)).to_owned(),
            status(rows.statuses.get(row)),
            traceloupe_words::error_label(outline.error(row)).into_owned(),
        );
        *counts.entry(key).or_default() += 1;
    }
    let mut text = String::new();
    for ((kind, name, status, error), n) in counts {
        writeln!(text, "{}", format!("{n:5} {kind} {name:?} {status} {error}").trim_end()).unwrap();
    }
    text
}

fn hash(lines: &[String]) -> u64 {
    let mut hasher = FxHasher::default();
    lines.hash(&mut hasher);
    hasher.finish()
}
