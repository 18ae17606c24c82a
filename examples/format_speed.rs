//! Measures the index pass of every format: `cargo run --release --example format_speed [-- FORMAT…]`, or `make formats`
//! for a table with more about each of them.
//!
//! The largest fixture of a format is made long: its lines, or the items of its longest list, are repeated, each time
//! with other ids, as a producer would write them. Prints one line per format, with tabs: its id, the fixture, what was
//! repeated, bytes per row, MB/s for a short file and MB/s for a long one. A format that is slower with the long file
//! than with the short one takes more than linear time.
//!
//! With `--once FORMAT MB` the file is opened a single time, for a profiler.
#![allow(clippy::print_stdout, clippy::indexing_slicing, clippy::string_slice)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::time::Instant;

use traceloupe_core::catalog::cards;
use traceloupe_core::json::{Json, Kind};
use traceloupe_protocol::messages::{Input, OpenRequest};
use traceloupe_session::Session;
use traceloupe_session::store::{MemoryStore, Store};

const SHORT_BYTES: usize = 5_000_000;
const LONG_BYTES: usize = 20_000_000;
const SLICE_BYTES: usize = 1 << 20;
const ROUNDS: usize = 5;

/// A short file that takes longer is not tried again, nor is the long one.
const MAX_SECONDS: f64 = 5.0;

fn main() -> Result<()> {
    let chosen: Vec<String> = std::env::args().skip(1).collect();
    if let [once, id, megabytes] = chosen.as_slice()
        && once == "--once"
    {
        let megabytes: usize = megabytes.parse().map_err(Error::other)?;
        let (path, text) = largest(id)?.ok_or_else(|| Error::other("no fixture"))?;
        let text = Template::of(&path, &text).ok_or_else(|| Error::other("nothing to repeat"))?;
        black_box(open(&path, id, text.repeated(megabytes * 1_000_000).as_bytes()));
        return Ok(());
    }
    for card in cards().filter(|card| chosen.is_empty() || chosen.iter().any(|id| id == card.id)) {
        measure(card.id)?;
    }
    Ok(())
}

fn measure(id: &str) -> Result<()> {
    let Some((path, text)) = largest(id)? else {
        println!("{id}\t\tno fixture\t\t\t");
        return Ok(());
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let Some(template) = Template::of(&path, &text) else {
        println!("{id}\t{name}\tnothing to repeat\t\t\t");
        return Ok(());
    };
    let short = template.repeated(SHORT_BYTES);
    let (first, rows) = open(&path, id, short.as_bytes());
    let bytes_per_row = short.len() as u64 / rows.max(1);
    let part = template.part.words();
    print!("{id}\t{name}\t{part}\t{bytes_per_row}\t");
    if first > MAX_SECONDS {
        println!("{:.1}\t", speed(&short, first));
        return Ok(());
    }
    let least = |text: &str| {
        let rounds = (0..ROUNDS).map(|_| open(&path, id, text.as_bytes()).0);
        speed(text, rounds.fold(f64::INFINITY, f64::min))
    };
    println!("{:.0}\t{:.0}", least(&short), least(&template.repeated(LONG_BYTES)));
    Ok(())
}

fn speed(text: &str, seconds: f64) -> f64 {
    text.len() as f64 / seconds / 1e6
}

/// The seconds of the index pass, and how many rows it gives. The cost of storing the bytes is not measured.
fn open(path: &Path, format: &str, bytes: &[u8]) -> (f64, u64) {
    let path = path.to_string_lossy();
    let mut store = MemoryStore::default();
    let handle = store.create();
    let inputs = vec![Input { path: path.clone().into_owned(), len_bytes: bytes.len() as u64 }];
    let format = Some(format.to_owned());
    let mut session = Session::new(store, OpenRequest { inputs, format, ..OpenRequest::default() });
    let start = Instant::now();
    let source = session.begin(&path, handle);
    bytes.chunks(SLICE_BYTES).for_each(|slice| session.push(source, slice));
    session.end(source);
    let seconds = start.elapsed().as_secs_f64();
    black_box(session.complete());
    (seconds, session.trace().events().len() as u64)
}

/// The largest fixture of a format.
fn largest(id: &str) -> Result<Option<(PathBuf, String)>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(id);
    let mut files = Vec::new();
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else { continue };
        for entry in entries {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().is_some_and(|name| name != "expect.json") {
                files.push((fs::metadata(&path)?.len(), path));
            }
        }
    }
    files.sort();
    let Some((_, path)) = files.pop() else { return Ok(None) };
    let text = fs::read_to_string(&path)?;
    Ok(Some((path, text)))
}

/// What of a file is repeated.
#[derive(Clone, Copy)]
enum Part {
    /// All lines: the file is no JSON document.
    Lines,
    /// The items of the list that the file is.
    Items,
    /// The items of the longest list in the document.
    InnerItems,
}

impl Part {
    fn words(self) -> &'static str {
        match self {
            Self::Lines => "lines",
            Self::Items => "items of a list",
            Self::InnerItems => "items in a document",
        }
    }
}

/// A file that can be made longer.
struct Template<'t> {
    part: Part,
    before: &'t str,
    /// The repeated text, cut after each id.
    pieces: Vec<(&'t str, Option<&'t str>)>,
    between: &'static str,
    after: &'t str,
}

impl<'t> Template<'t> {
    /// `None` if the file is a document without a list.
    fn of(path: &Path, text: &'t str) -> Option<Self> {
        let is_document = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
        let is_log = path.extension().is_some_and(|it| it == "jsonl" || it == "ndjson");
        if is_log || !is_document {
            let lines: Vec<Json<'_>> = text.lines().filter_map(value_of).collect();
            let pieces = pieces(text, &ids(&lines));
            let between = if text.ends_with('\n') { "" } else { "\n" };
            return Some(Self { part: Part::Lines, before: "", pieces, between, after: "" });
        }
        let document = Json::new(text.trim());
        let list = longest_list(document)?;
        let items: Vec<Json<'_>> = list.items().collect();
        let ids = ids(&items);
        let list = list.raw();
        let start = list.as_ptr() as usize - text.as_ptr() as usize + 1;
        let end = start + list.len() - 2;
        let (before, rest) = text.split_at(start);
        let (items, after) = rest.split_at(end - start);
        let part = if document.kind() == Kind::Array { Part::Items } else { Part::InnerItems };
        Some(Self { part, before, pieces: pieces(items, &ids), between: ",", after })
    }

    fn repeated(&self, len: usize) -> String {
        let mut text = String::with_capacity(len + (1 << 20));
        text.push_str(self.before);
        let mut nth = 0;
        while nth == 0 || text.len() < len {
            if nth > 0 {
                text.push_str(self.between);
            }
            for (piece, id) in &self.pieces {
                text.push_str(piece);
                if let Some(id) = id {
                    push_other(id, nth, &mut text);
                }
            }
            nth += 1;
        }
        text.push_str(self.after);
        text
    }
}

/// The value of a line, also of a server-sent event.
fn value_of(line: &str) -> Option<Json<'_>> {
    let line = line.strip_prefix("data:").unwrap_or(line).trim();
    line.starts_with('{').then(|| Json::new(line))
}

/// The list with the most text that is in no other list.
fn longest_list(value: Json<'_>) -> Option<Json<'_>> {
    match value.kind() {
        Kind::Array => value.items().next().map(|_| value),
        Kind::Object => {
            let inner = value.members().filter_map(|(_, inner)| longest_list(inner));
            inner.max_by_key(|list| list.raw().len())
        }
        _ => None,
    }
}

/// The ids in some records that are not those of nearly all of them, such as that of their run.
fn ids<'t>(records: &[Json<'t>]) -> BTreeSet<&'t str> {
    let mut counts = BTreeMap::new();
    records.iter().for_each(|record| count_ids("", *record, &mut counts));
    let often = (records.len() / 2).max(3);
    counts.into_iter().filter(|(_, n)| *n < often).map(|(id, _)| id).collect()
}

fn count_ids<'t>(key: &str, value: Json<'t>, counts: &mut BTreeMap<&'t str, usize>) {
    match value.kind() {
        Kind::Object => {
            for (key, inner) in value.members() {
                count_ids(&key, inner, counts);
            }
        }
        Kind::Array => value.items().for_each(|inner| count_ids(key, inner, counts)),
        Kind::String if is_id(key) && value.raw().len() > 3 => {
            *counts.entry(value.raw()).or_default() += 1;
        }
        _ => {}
    }
}

/// Whether a key names a thing that a producer counts up, and nothing that many records share.
fn is_id(key: &str) -> bool {
    const SHARED: &[&str] =
        &["model", "provider", "agent", "project", "user", "session", "thread", "account"];
    let key = key.to_ascii_lowercase();
    let names_one = ["id", "ids", "parent", "children"].iter().any(|end| key.ends_with(end));
    names_one && !SHARED.iter().any(|shared| key.contains(shared))
}

/// A text, cut after each of these ids.
fn pieces<'t>(text: &'t str, ids: &BTreeSet<&str>) -> Vec<(&'t str, Option<&'t str>)> {
    let mut pieces = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some(start) = text[at..].find('"').map(|found| at + found) {
        let len = string_len(&text[start..]);
        let id = &text[start..start + len];
        at = start + len;
        if ids.contains(id) {
            pieces.push((&text[from..=start], Some(&id[1..id.len() - 1])));
            from = at - 1;
        }
    }
    pieces.push((&text[from..], None));
    pieces
}

/// The length of the string that a text begins with, with its quotes.
fn string_len(text: &str) -> usize {
    let mut is_escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    });
    end.map_or(text.len(), |end| end + 2)
}

/// Writes an id that no other repetition has: of the same form, if it ends with hexadecimal digits.
fn push_other(id: &str, nth: u64, text: &mut String) {
    const N_DIGITS: usize = 6;
    if nth == 0 {
        return text.push_str(id);
    }
    let digits = id.len().checked_sub(N_DIGITS).filter(|_| id.len() >= 16);
    let split = digits.and_then(|at| id.split_at_checked(at));
    let digits =
        split.and_then(|(head, digits)| Some((head, u64::from_str_radix(digits, 16).ok()?)));
    let _ = match digits {
        Some((head, digits)) => {
            let other = (digits + nth * 4_099) & 0xff_ffff;
            write!(text, "{head}{other:0N_DIGITS$x}")
        }
        None => write!(text, "{id}-{nth}"),
    };
}
