//! What the lines say that stand for folded rows.

use crate::numbers::{count, counted};

/// `11 rows without a match`.
#[must_use]
pub fn misses(n: u32) -> String {
    format!("{} without a match", counted(u64::from(n), "row", "rows"))
}

/// What stands for copied events: `265 events copied from another session or file`.
#[must_use]
pub fn copied(n: u64) -> String {
    format!("{} copied from another session or file", counted(n, "event", "events"))
}

/// Counts records that a program kept for itself, with their kinds: `3 bookkeeping records: 2 snapshot, progress`.
#[must_use]
pub fn bookkeeping<'a>(n: u64, kinds: impl Iterator<Item = (&'a str, u64)>) -> String {
    let counted = counted(n, "bookkeeping record", "bookkeeping records");
    // The names of records are written as programs write them.
    with_names(counted, kinds).replace(['_', '-'], " ")
}

/// Counts spans of a program's own work, with their names: `4 quick spans: parse, 3 lookup`.
#[must_use]
pub fn quick_spans<'a>(n: u64, names: impl Iterator<Item = (&'a str, u64)>) -> String {
    with_names(counted(n, "quick span", "quick spans"), names)
}

/// A number of steps with the noun for their style word: `4 reads`; without a noun for some style words.
fn steps_of(look: &str, n: u64) -> Option<String> {
    match look {
        "edit" => Some(counted(n, "edit", "edits")),
        "read" => Some(counted(n, "read", "reads")),
        "search" => Some(counted(n, "search", "searches")),
        "shell" => Some(counted(n, "other command", "other commands")),
        _ => None,
    }
}

/// What was done, by how often, and the style word of what it looks like. The most are named: `4 edits and 2 other calls`.
/// Empty without any.
#[must_use]
pub fn done(counts: &[(&str, u64)]) -> String {
    let named = |(look, n): &(&str, u64)| steps_of(look, *n);
    let mut all: Vec<String> = counts.iter().take(MAX_BETWEEN).map_while(named).collect();
    let n_others = counts.iter().skip(all.len()).map(|(_, n)| n).sum();
    all.extend((n_others > 0).then(|| counted(n_others, "other call", "other calls")));
    match all.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

/// Of several tries some failed: `2 of 3 failed`.
#[must_use]
pub fn failed_of(failed: u64, tried: u64) -> String {
    format!("{} of {} failed", count(failed), count(tried))
}

/// Steps that are folded behind others, by what they are: `9 more steps: 4 reads, 3 searches, 2 replies`.
#[must_use]
pub fn more_steps(counts: &[(&str, u64)]) -> String {
    let n = counts.iter().map(|(_, n)| n).sum();
    format!(
        "{} more {}: {}",
        count(n),
        if n == 1 { "step" } else { "steps" },
        kinds_of_steps(counts)
    )
}

/// What steps are, by how often, and the style word of what they look like: `4 reads, 3 searches, 2 replies`.
#[must_use]
pub fn kinds_of_steps(counts: &[(&str, u64)]) -> String {
    let named = |(look, n): &(&str, u64)| match *look {
        "llm" => counted(*n, "reply", "replies"),
        "shell" => counted(*n, "command", "commands"),
        look => steps_of(look, *n).unwrap_or_else(|| counted(*n, "other call", "other calls")),
    };
    counts.iter().map(named).collect::<Vec<_>>().join(", ")
}

/// How many kinds of calls between repetitions are named.
const MAX_BETWEEN: usize = 2;

/// The most names that are listed behind a count.
const MAX_NAMES: usize = 4;

fn with_names<'a>(counted: String, names: impl Iterator<Item = (&'a str, u64)>) -> String {
    let mut named = Vec::new();
    for (name, n) in names.filter(|(name, _)| !name.is_empty()) {
        if named.len() == MAX_NAMES {
            named.push("…".to_owned());
            break;
        }
        named.push(if n > 1 { format!("{} {name}", count(n)) } else { name.to_owned() });
    }
    if named.is_empty() { counted } else { format!("{counted}: {}", named.join(", ")) }
}

/// Adds something to a statement, if there is something.
#[must_use]
pub fn with_more(said: &str, more: &str) -> String {
    if more.is_empty() { said.to_owned() } else { format!("{said}, {more}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_counted_by_kind() {
        let kinds = [("snapshot", 2), ("", 1), ("progress", 1)];
        assert_eq!(
            bookkeeping(4, kinds.into_iter()),
            "4 bookkeeping records: 2 snapshot, progress"
        );
        assert_eq!(bookkeeping(2, [("", 2)].into_iter()), "2 bookkeeping records");
    }
}
