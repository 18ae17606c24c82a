//! Words of the comparison of two runs.

use traceloupe::view::page::run_pairs::Part;
use traceloupe::view::wire::run_comparison::{Fate, PairLine};
use traceloupe::view::words::{count, counted};

pub const COMPARE: &str = "Compare";
pub const COMPARING: &str = "Comparing…";
pub const WHICH_STEPS: &str = "Which steps are listed";
pub const STEPS: &str = "Steps of both runs";
pub const SWAP: &str = "Swap the two runs";
pub const OTHER_RUN: &str = "The run to compare with: ";
pub const OUTCOME: &str = "Outcome";
pub const DIFFERENCE: &str = "Difference";
pub const SHOW_DIFFERENCE: &str = "Show what differs between these two";

/// A run in a list.
pub fn run(at: u32, title: &str) -> String {
    let number = count(u64::from(at) + 1);
    if title.is_empty() { format!("Run {number}") } else { title.to_owned() }
}

/// What was found.
pub fn said(lines: &[PairLine], n_left_out: u64) -> String {
    let n = |fate: Fate| lines.iter().filter(|line| line.fate == fate).count() as u64;
    let n_same = n(Fate::Same);
    let mut words = match lines.iter().position(|line| line.fate != Fate::Same) {
        _ if lines.is_empty() => "Neither run has a step.".to_owned(),
        None => format!("All {} are the same.", counted(n_same, "step", "steps")),
        Some(0) => "The runs differ from the first step on.".to_owned(),
        Some(1) => "The runs differ from the second step on.".to_owned(),
        Some(at) => format!("The first {} steps are the same.", count(at as u64)),
    };
    let parts = [
        (n_same, "the same"),
        (n(Fate::OtherResult), "with another result"),
        (n(Fate::Changed), "changed"),
        (n(Fate::OnlyFirst), "only in A"),
        (n(Fate::OnlySecond), "only in B"),
    ];
    if n_same < lines.len() as u64 {
        let parts = parts.iter().filter(|it| it.0 > 0);
        let parts: Vec<_> = parts.map(|(n, what)| format!("{} {what}", count(*n))).collect();
        words = format!("{words} In all: {}.", parts.join(", "));
    }
    if n_left_out > 0 {
        let steps = counted(n_left_out, "further step is", "further steps are");
        words = format!("{words} {steps} not compared.");
    }
    words
}

/// Steps between differences.
pub fn the_same(n: u32) -> String {
    format!("⋯ {} the same", count(u64::from(n)))
}

/// The button for more lines.
pub fn more(n: usize) -> String {
    format!("{} more", count(n as u64))
}

/// A word for style sheets, the sign between two steps, and what it says.
pub fn fate(fate: Fate) -> (&'static str, &'static str, &'static str) {
    match fate {
        Fate::Same => ("same", "=", "the same"),
        Fate::OtherResult => ("result", "≈", "other result"),
        Fate::Changed => ("changed", "≠", "changed"),
        Fate::OnlyFirst => ("first", "A", "only in A"),
        Fate::OnlySecond => ("second", "B", "only in B"),
    }
}

/// The word of a part of the steps.
pub fn part(part: Part) -> &'static str {
    match part {
        Part::All => "All",
        Part::Differences => "Differences",
        Part::OnlyFirst => "Only in A",
        Part::OnlySecond => "Only in B",
    }
}
