//! Words of the filter of rows.

use traceloupe_view::query::parse::{Fault, Wrong, keys};
use traceloupe_words::count;

pub const FILTER_OF_ROWS: &str = "Filter of rows";
pub const AS_TEXT: &str = "search for it as text";
pub const OFFERS: &str = "Keys and values";
pub const OTHER_ROWS: &str = "Rows that do not match";
pub const HIDE: &str = "Hide";
pub const HIDE_TITLE: &str = "Leave out rows that do not match";
pub const DIM: &str = "Dim";
pub const DIM_TITLE: &str = "Dim rows that do not match";
pub const CLEAR_FILTERS: &str = "Clear filters";
pub const NO_ROWS_MATCH: &str = "No rows match the filter";
pub const SHOW_ALL_ROWS: &str = "Show all rows";
pub const LOOKING: &str = "Looking through the rows…";
pub const KIND: &str = "Kind";
pub const KINDS: &str = "Kinds";
pub const FAILED: &str = "Failed";
pub const IN_LOOPS: &str = "In possible loops";
pub const FILE: &str = "File";
pub const TOOL: &str = "Tool";
pub const TOOLS: &str = "Tools";
pub const MODEL: &str = "Model";
pub const MODELS: &str = "Models";
pub const AGENT: &str = "Agent";
pub const AGENTS: &str = "Agents";

/// The button that shows the kinds of rows that only keep the books.
pub fn more_kinds(n: usize) -> String {
    format!("{n} more kinds")
}

/// Calls that take long, with the range.
pub fn slow(range: &str) -> String {
    format!("Slow ({range})")
}

/// A tool of an MCP server.
pub fn tool_of(tool: &str, server: &str) -> String {
    format!("{tool} · {server}")
}

/// The button of a term.
pub fn remove(term: &str) -> String {
    format!("Remove from the filter: {term}")
}

/// The button of a name.
pub fn filter_by(key: &str, name: &str) -> String {
    let name = if name.is_empty() { "\"\"" } else { name };
    format!("Show only {key}:{name}")
}

/// How many rows are left; while texts are looked for, how far that is.
pub fn rows_left(n: u32, of: u32, looking: Option<(u32, u32)>) -> String {
    let rows = format!("{} of {} rows", count(u64::from(n)), count(u64::from(of)));
    match looking {
        Some((at, all)) if all > 0 => {
            format!("{rows} so far, {}% looked at", u64::from(at) * 100 / u64::from(all))
        }
        Some(_) => format!("{rows} so far"),
        None => rows,
    }
}

/// A name that no row of the run has.
pub fn not_here(term: &str, like: Option<&str>) -> String {
    let like = like.map_or(String::new(), |like| format!(". Did you mean “{like}”?"));
    format!("Nothing in this run has {term}{like}")
}

/// What is wrong with a term.
pub fn fault(fault: &Fault) -> String {
    let meant = |like: &Option<&'static str>| {
        like.map_or(String::new(), |like| format!(" Did you mean “{like}”?"))
    };
    let what = match &fault.what {
        Wrong::Key(key, like) => {
            let keys = keys().join(", ");
            format!("there is no key “{key}”.{} Keys: {keys}", meant(like))
        }
        Wrong::Empty(key) => format!("{key}: needs a value"),
        Wrong::Value(key, value, like, known) => {
            format!("{key}: has no “{value}”.{} Known: {}", meant(like), known.join(", "))
        }
        Wrong::Number(key, value) => {
            format!(
                "“{value}” is not a number for {key}:. Write {key}:>5s or {key}:1..10 with a unit"
            )
        }
        Wrong::Unit(key, value, true) => {
            format!("“{value}” needs a unit after {key}: ms, s, m or h")
        }
        Wrong::Unit(key, value, false) => {
            format!("the unit of “{value}” is not known after {key}: k or M, or none")
        }
        Wrong::Quote => "the quote has no end".to_owned(),
    };
    format!("{}: {what}", fault.term)
}

/// What a key is about, for the list of keys.
pub fn about_key(word: &str) -> &'static str {
    match word.trim_start_matches('-') {
        "tool:" => "name of a tool",
        "model:" => "name of a model",
        "status:" => "how it came out",
        "kind:" => "kind of event",
        "file:" => "part of a path that a tool call names",
        "text:" => "part of the name or the line",
        "agent:" => "name of an agent",
        "loop:" => "yes, no, or the number of a possible loop",
        "error:" => "type of error, or exit code",
        "name:" => "whole name of a row",
        "dur:" => "duration: >5s, 100ms..2s",
        "tok:" => "tokens in and out: >2k",
        "in:" => "tokens in",
        "out:" => "tokens out",
        _ => "",
    }
}
