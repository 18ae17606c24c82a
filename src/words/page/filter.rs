//! Words of the filter of rows.

use crate::{count, counted};

pub const FILTER_OF_ROWS: &str = "Row filter";
pub const AS_TEXT: &str = "search for it as text";
pub const OFFERS: &str = "Keys and values";
pub const OTHER_ROWS: &str = "Rows that do not match";
pub const HIDE: &str = "Hide";
pub const HIDE_TITLE: &str = "Hide rows that do not match";
pub const DIM: &str = "Dim";
pub const DIM_TITLE: &str = "Dim rows that do not match";
pub const CLEAR_FILTERS: &str = "Clear filters";
pub const NO_ROWS_MATCH: &str = "No rows match the filter";
pub const SHOW_ALL_ROWS: &str = "Show all rows";
pub const LOOKING: &str = "Searching the rows…";
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

/// The button that shows the kinds of bookkeeping rows.
#[must_use]
pub fn more_kinds(n: usize) -> String {
    counted(n as u64, "more kind", "more kinds")
}

/// Calls that take long, with the range.
#[must_use]
pub fn slow(range: &str) -> String {
    format!("Slow ({range})")
}

/// A tool of an MCP server.
#[must_use]
pub fn tool_of(tool: &str, server: &str) -> String {
    format!("{tool} · {server}")
}

/// The button of a term.
#[must_use]
pub fn remove(term: &str) -> String {
    format!("Remove from the filter: {term}")
}

/// The button of a name.
#[must_use]
pub fn filter_by(key: &str, name: &str) -> String {
    let name = if name.is_empty() { "\"\"" } else { name };
    format!("Show only {key}:{name}")
}

/// How many rows are left; while texts are looked for, how far that is.
#[must_use]
pub fn rows_left(n: u32, of: u32, looking: Option<(u32, u32)>) -> String {
    let rows = format!("{} of {} rows", count(u64::from(n)), count(u64::from(of)));
    match looking {
        Some((at, all)) if all > 0 => {
            format!("{rows} so far, {}% searched", u64::from(at) * 100 / u64::from(all))
        }
        Some(_) => format!("{rows} so far"),
        None => rows,
    }
}

/// A name that no row of the run has.
#[must_use]
pub fn not_here(term: &str, like: Option<&str>) -> String {
    let like = like.map_or(String::new(), |like| format!(". Did you mean “{like}”?"));
    format!("Nothing in this run matches {term}{like}")
}

/// A term with a key that does not exist; a known one that is similar, and all of them.
#[must_use]
pub fn no_such_key(term: &str, key: &str, like: Option<&str>, keys: &[&str]) -> String {
    format!("{term}: there is no key “{key}”.{} Keys: {}", did_you_mean(like), keys.join(", "))
}

/// A term with a key and no value.
#[must_use]
pub fn no_value(term: &str, key: &str) -> String {
    format!("{term} needs a value after {key}:")
}

/// A term with a value that its key does not have; one that is similar, and all of them.
#[must_use]
pub fn no_such_value(
    term: &str,
    [key, value]: [&str; 2],
    like: Option<&str>,
    known: &[&str],
) -> String {
    let (like, known) = (did_you_mean(like), known.join(", "));
    format!("{term}: “{value}” is not a value of {key}.{like} Values: {known}")
}

/// A term whose value is not a number.
#[must_use]
pub fn no_number(term: &str, [key, value]: [&str; 2]) -> String {
    let (more, range) = match key {
        "dur" => (">5s", "1s..10s"),
        _ => (">2k", "1k..10k"),
    };
    format!("{term}: “{value}” is not a number. Write {key}:{more} or {key}:{range}")
}

/// A term whose number has no unit, or an unknown one.
#[must_use]
pub fn wrong_unit(term: &str, value: &str, is_duration: bool) -> String {
    match is_duration {
        true => format!("{term}: “{value}” needs a unit: ms, s, m or h"),
        false => {
            format!("{term}: “{value}” has an unknown unit. Use k, M or no unit")
        }
    }
}

/// A term with a quote that does not end.
#[must_use]
pub fn open_quote(term: &str) -> String {
    format!("{term}: the quotation mark is not closed")
}

fn did_you_mean(like: Option<&str>) -> String {
    like.map_or(String::new(), |like| format!(" Did you mean “{like}”?"))
}

/// What a key is about, for the list of keys.
#[must_use]
pub fn about_key(word: &str) -> &'static str {
    match word.trim_start_matches('-') {
        "tool:" => "name of a tool",
        "model:" => "name of a model",
        "status:" => "status of the event",
        "kind:" => "kind of event",
        "file:" => "part of a path in a tool call",
        "text:" => "part of the name or the line",
        "agent:" => "name of an agent",
        "loop:" => "yes, no, or the number of a possible loop",
        "error:" => "type of error, or exit code",
        "name:" => "full name of a row",
        "dur:" => "duration: >5s, 100ms..2s",
        "tok:" => "tokens in and out: >2k",
        "in:" => "tokens in",
        "out:" => "tokens out",
        _ => "",
    }
}
