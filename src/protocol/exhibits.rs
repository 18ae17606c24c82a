//! The contents of the definition and result tabs: definitions, and how each solution performed.
//! The worker builds them and sends them with the outline; the contents of their events are
//! requested as for any opened row.

use serde::{Deserialize, Serialize};
use traceloupe_core::number::{fixed, scientific};

/// The maximum number of definitions that are drawn.
pub const MAX_DEFINITIONS: usize = 50;

/// The maximum number of results that are sent.
pub const MAX_RESULTS: usize = 2_000;

/// The exhibits of a trace.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Exhibits {
    /// The events that define a task, at most [`MAX_DEFINITIONS`]: run index and event
    /// id.
    pub definitions: Vec<(u32, u32)>,
    /// How many definitions were left out because of that limit.
    pub definitions_dropped: u64,
    /// Results in reading order, at most [`MAX_RESULTS`].
    pub results: Vec<ResultLine>,
    /// How many results were left out because of that limit.
    pub results_dropped: u64,
    /// Indices of the runs that contain exhibits. If there is any other run, that one is shown in
    /// the timeline first.
    pub runs: Vec<u32>,
}

impl Exhibits {
    /// Whether there is nothing to show in tabs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.definitions.is_empty() && self.results.is_empty()
    }

    /// Whether there are definitions, and whether there are results, to show while a run is open.
    #[must_use]
    pub fn has_beside(&self, run: u32) -> (bool, bool) {
        let of_run = self.exhibits_run(run);
        let is_shown = |of: u32| of_run.is_none_or(|run| run == of);
        let has_definitions = self.definitions.iter().any(|(run, _)| is_shown(*run));
        (has_definitions, self.results.iter().any(|line| is_shown(line.run)))
    }

    /// The run whose exhibits are shown while `run` is open: its own if it has any, otherwise those
    /// of all runs (`None`).
    #[must_use]
    pub fn exhibits_run(&self, run: u32) -> Option<u32> {
        self.runs.contains(&run).then_some(run)
    }
}

/// The result to show first: the fastest one that passed, otherwise the last one.
#[must_use]
pub fn best(results: &[ResultLine]) -> Option<usize> {
    let passed = results.iter().enumerate().filter(|(_, it)| it.passed == Some(true));
    let faster = |a: &(usize, &ResultLine), b: &(usize, &ResultLine)| {
        let speed = |line: &ResultLine| line.speedup.unwrap_or(0.0);
        // Ties go to the earlier result.
        speed(a.1).total_cmp(&speed(b.1)).then(b.0.cmp(&a.0))
    };
    let best = passed.max_by(faster).map(|(at, _)| at);
    best.or_else(|| results.len().checked_sub(1))
}

/// How one solution performed. Also used for a solution that no evaluation in the files refers to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ResultLine {
    /// Id of the evaluation's event, or of the solution's event if there is no evaluation.
    pub event: u32,
    /// Id of the event that contains the code, if it is in the files.
    pub code: Option<u32>,
    /// Index of its run.
    pub run: u32,
    /// The name of the solution or of the round.
    pub name: String,
    /// The input on which it ran; may be empty.
    pub workload: String,
    /// The status as written by the producer; empty for a solution that was not evaluated.
    pub status: String,
    /// Whether it passed; `None` if the file does not state it.
    pub passed: Option<bool>,
    /// Run time in milliseconds.
    pub latency_ms: Option<f64>,
    /// Speedup over the reference.
    pub speedup: Option<f64>,
    /// The best speedup of this run so far, including this result.
    pub best_speedup: Option<f64>,
    /// The largest difference from the reference.
    pub max_diff: Option<f64>,
}

impl ResultLine {
    /// Whether the evaluation timed out.
    #[must_use]
    pub fn is_timeout(&self) -> bool {
        self.status.eq_ignore_ascii_case("timeout")
    }

    /// The speed as text: the run time, `timeout`, or nothing.
    #[must_use]
    pub fn speed(&self) -> String {
        if self.is_timeout() {
            "timeout".to_owned()
        } else {
            self.latency_ms.map_or_else(String::new, latency)
        }
    }
}

/// Formats a run time with four digits: `12.00 µs`, `3.412 ms`, `1.200 s`.
#[must_use]
pub fn latency(ms: f64) -> String {
    if ms < 1.0 {
        format!("{} µs", digits(ms * 1e3))
    } else if ms < 1e3 {
        format!("{} ms", digits(ms))
    } else {
        format!("{} s", digits(ms / 1e3))
    }
}

/// Formats a speedup: `3.75×`.
#[must_use]
pub fn times(factor: f64) -> String {
    format!("{}×", digits(factor))
}

/// Formats a difference: three digits, an exponent for small values; `∞` and `NaN`.
#[must_use]
pub fn difference(diff: f64) -> String {
    if diff.is_nan() {
        "NaN".to_owned()
    } else if diff.is_infinite() {
        if diff > 0.0 { "∞" } else { "-∞" }.to_owned()
    } else if diff == 0.0 {
        "0".to_owned()
    } else if (0.001..1e6).contains(&diff.abs()) {
        digits(diff)
    } else {
        scientific(diff, 2)
    }
}

/// Formats a number with about four digits.
fn digits(number: f64) -> String {
    match number.abs() {
        size if size >= 1e6 => scientific(number, 2),
        size if size >= 100.0 => fixed(number, 1),
        size if size >= 10.0 => fixed(number, 2),
        _ => fixed(number, 3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_for_people() {
        assert_eq!(latency(0.012), "12.00 µs");
        assert_eq!(latency(3.4119), "3.412 ms");
        assert_eq!(latency(1200.0), "1.200 s");
        assert_eq!(times(3.75), "3.750×");
        assert_eq!(times(123.456), "123.5×");
        let cases = [
            (0.0, "0"),
            (3.2e-6, "3.20e-6"),
            (0.0156, "0.016"),
            (31.1, "31.10"),
            (f64::INFINITY, "∞"),
            (f64::NAN, "NaN"),
        ];
        for (diff, expected) in cases {
            assert_eq!(difference(diff), expected, "{diff}");
        }
    }

    #[test]
    fn the_best_is_the_fastest_that_passed() {
        let line = |passed, speedup| ResultLine { passed, speedup, ..ResultLine::default() };
        assert_eq!(best(&[]), None);
        let results = [
            line(Some(true), Some(1.5)),
            line(Some(false), Some(9.0)),
            line(Some(true), Some(2.5)),
            line(Some(true), Some(2.5)),
            line(Some(true), None),
        ];
        assert_eq!(best(&results), Some(2));
        assert_eq!(best(&[line(Some(false), None), line(None, None)]), Some(1));
    }

    #[test]
    fn a_speed_is_a_time_or_a_timeout() {
        let line = ResultLine { latency_ms: Some(2.0), ..ResultLine::default() };
        assert_eq!(line.speed(), "2.000 ms");
        assert_eq!(ResultLine { status: "TIMEOUT".to_owned(), ..line }.speed(), "timeout");
        assert_eq!(ResultLine::default().speed(), "");
    }
}
