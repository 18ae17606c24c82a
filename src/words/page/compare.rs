//! Words of the comparison of two runs.

use crate::counts;
use crate::{count, counted, one_line, tool_name};
use traceloupe_core::model::EventKind;
use traceloupe_protocol::run_comparison::{Fate, PairLine};

pub const ALL_STEPS: &str = "All";
pub const ONLY_DIFFERENCES: &str = "Differences";
pub const ONLY_IN_A: &str = "Only in A";
pub const ONLY_IN_B: &str = "Only in B";
pub const COMPARE: &str = "Compare";
pub const COMPARING: &str = "Comparing…";
pub const WHICH_STEPS: &str = "Which steps are listed";
pub const STEPS: &str = "Steps of both runs";
pub const SWAP: &str = "Swap the two runs";
pub const FIRST_RUN: &str = "First run";
pub const OTHER_RUN: &str = "Second run";
pub const DIFFERENCES: &str = "Differences";
pub const CHANGE: &str = "Change";
pub const COUNTED_WHOLE: &str = "Both runs are counted in full.";
pub const COUNT_WHOLE: &str = "Count whole runs";
pub const COUNT_SHARED: &str = "Count shared turns only";
pub const FILES_AT_THE_END: &str = "Changed files";
pub const FILES_TITLE: &str = "Lines added and removed by all edits";
pub const SAME_LINES: &str = "Both changed the same lines in the same way";
pub const OTHER_LINES: &str = "They changed different lines, or the same lines differently";
pub const SIGNS: &str = "Legend";
pub const NEXT: &str = "Next";
pub const NEXT_TITLE: &str = "Next difference (J)";
pub const PREVIOUS: &str = "Previous difference";
pub const PREVIOUS_TITLE: &str = "Previous difference (K)";
pub const SHOW: &str = "Show";
pub const HIDE: &str = "Hide";
pub const SHOW_DIFFERENCE: &str = "Show what differs between these two";

/// A run in a list.
#[must_use]
pub fn run(at: u32, title: &str) -> String {
    let number = count(u64::from(at) + 1);
    if title.is_empty() { format!("Run {number}") } else { title.to_owned() }
}

/// What was found: the numbers of the steps of both runs at which they part, if they do.
#[must_use]
pub fn said(lines: &[PairLine], parting: [Option<u32>; 2], n_left_out: u64) -> String {
    let words = match parting {
        _ if lines.is_empty() => "Neither run has any steps".to_owned(),
        [None, None] => {
            format!("All {} are the same", counts::steps(lines.len() as u64))
        }
        parting => format!("First difference at {}", step(parting)),
    };
    words + &left_out(n_left_out)
}

/// The difference that was gone to, by its place, and how many there are.
#[must_use]
pub fn difference_of(at: usize, n: usize, n_left_out: u64) -> String {
    let (at, n) = (count(at as u64 + 1), count(n as u64));
    format!("Difference {at} of {n}{}", left_out(n_left_out))
}

fn left_out(n: u64) -> String {
    let steps = counted(n, "further step is", "further steps are");
    if n > 0 { format!(". {steps} not compared") } else { String::new() }
}

/// What stands before the first difference: the numbers of the steps of both runs, if they are known.
#[must_use]
pub fn first_difference(numbers: [Option<u32>; 2]) -> String {
    match numbers {
        [None, None] => "First difference:".to_owned(),
        numbers => format!("First difference, {}:", step(numbers)),
    }
}

/// A step, by its numbers in both runs.
fn step(numbers: [Option<u32>; 2]) -> String {
    let number = |n: u32| count(n.into());
    match numbers {
        [Some(one), Some(other)] if one != other => {
            format!("step {} of A, {} of B", number(one), number(other))
        }
        [Some(one), Some(_)] => format!("step {}", number(one)),
        [Some(one), None] => format!("step {} of A", number(one)),
        [None, Some(other)] => format!("step {} of B", number(other)),
        [None, None] => String::new(),
    }
}

/// What the runs do where they part, by the kind and the name of their steps, and what the calls among them are about.
#[must_use]
pub fn parting(
    fate: Fate,
    steps: [Option<(EventKind, String)>; 2],
    [first_told, second_told]: [String; 2],
) -> String {
    use EventKind::{LlmCall, SystemMessage, ToolCall, UserMessage};
    let tool = |name: &str| match name {
        "" => "a tool".to_owned(),
        name => tool_name(name),
    };
    let does = |(kind, name): (EventKind, String)| match kind {
        ToolCall => format!("calls {}", tool(&name)),
        LlmCall => "writes a message".to_owned(),
        UserMessage | SystemMessage => "gets a message".to_owned(),
        kind => format!("has “{}”", crate::kind(kind)),
    };
    match steps {
        [Some(one), Some(other)] if one == other => match (fate, one.0) {
            (Fate::OtherResult, ToolCall) => {
                format!("{} has a different result", tool_name(&one.1))
            }
            (Fate::OtherResult, _) => "the step has a different outcome".to_owned(),
            (_, ToolCall) => format!("both call {} with different arguments", tool(&one.1)),
            (_, LlmCall) => "B writes a different message".to_owned(),
            (_, UserMessage | SystemMessage) => "B gets a different message".to_owned(),
            (_, kind) => format!("“{}” differs", crate::kind(kind)),
        },
        [Some((LlmCall, _)), Some((LlmCall, _))] => "B writes a different message".to_owned(),
        [Some(one), Some(other)] => {
            format!("A {}, B {}", with(does(one), &first_told), with(does(other), &second_told))
        }
        [Some(one), None] => format!("only A {}", with(does(one), &first_told)),
        [None, Some(other)] => format!("only B {}", with(does(other), &second_told)),
        [None, None] => String::new(),
    }
}

fn with(does: String, told: &str) -> String {
    if told.is_empty() { does } else { format!("{does} {told}") }
}

/// Turns that only one of the runs has, folded: how many, and how they begin.
#[must_use]
pub fn turns_only(turns: &[&str], of: Fate) -> String {
    const MAX_CHARS: usize = 40;
    const MAX_TOLD: usize = 3;
    let told = turns.iter().take(MAX_TOLD).map(|it| format!("“{}”", one_line(it, MAX_CHARS)));
    let told: Vec<String> = told.collect();
    let more = if turns.len() > MAX_TOLD { "…" } else { "" };
    let n = counted(turns.len() as u64, "turn", "turns");
    format!("{n} {}: {}{more}", fate(of).2, told.join(", "))
}

/// How long a turn took in each run, as far as that is known.
#[must_use]
pub fn times(one: &str, other: &str) -> String {
    let of = |letter: &str, time: &str| match time {
        "" => String::new(),
        time => format!("{letter} {time}"),
    };
    joined(&of("A", one), &of("B", other))
}

/// Two texts beside each other, as far as they say anything.
#[must_use]
pub fn joined(one: &str, other: &str) -> String {
    let sign = if one.is_empty() || other.is_empty() { "" } else { " · " };
    format!("{one}{sign}{other}")
}

/// Steps that are folded.
#[must_use]
pub fn the_same(n: u32) -> String {
    format!("{} the same in both", counts::steps(u64::from(n)))
}

/// Steps that only one of the runs has, folded: what they are, and how many.
#[must_use]
pub fn only(what: &str, n: u32, of: Fate) -> String {
    let (steps, only) = (counts::steps(u64::from(n)), fate(of).2);
    if what.is_empty() { format!("{steps} {only}") } else { format!("{what} · {steps} {only}") }
}

/// Steps that only one of the runs has, folded: how many, and what they are.
#[must_use]
pub fn quiet_only(what: &str, n: u32, of: Fate) -> String {
    format!("{} {}: {what}", counts::steps(u64::from(n)), fate(of).2)
}

/// To where the numbers count: the end of a turn at which one of the runs stops.
#[must_use]
pub fn counted_to(turn: u32, first_stops: bool) -> String {
    let which = if first_stops { "A" } else { "B" };
    format!("Counted up to the end of turn {turn}, where {which} stops.")
}

/// A turn with its message.
#[must_use]
pub fn turn(number: u32, message: &str) -> String {
    format!("Turn {number}: {message}")
}

/// The button for more lines.
#[must_use]
pub fn more(n: usize) -> String {
    format!("{} more", count(n as u64))
}

/// A word for style sheets, the sign between two steps, and what it says.
#[must_use]
pub fn fate(fate: Fate) -> (&'static str, &'static str, &'static str) {
    match fate {
        Fate::Same => ("same", "=", "the same"),
        Fate::OtherResult => ("result", "≈", "different result"),
        Fate::Changed => ("changed", "≠", "changed"),
        Fate::OnlyFirst => ("first", "A", "only in A"),
        Fate::OnlySecond => ("second", "B", "only in B"),
    }
}

/// The signs that may need a word: the sign, and what it says.
#[must_use]
pub fn signs() -> [(&'static str, &'static str); 4] {
    let of = |it: Fate, said| (fate(it).1, said);
    [
        of(Fate::Same, "the same"),
        of(Fate::OtherResult, "the same call, a different result"),
        of(Fate::Changed, "different text or arguments"),
        ("A, B", "only in this run"),
    ]
}
