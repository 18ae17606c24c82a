//! `tool_trajectory` in its five modes.

use rustc_hash::FxHashMap;

use super::Edition;
use super::args::ExpectedArgs;
use super::items::{Fits, Seen, ToolNames};
use traceloupe_protocol::report::{CheckReport, MAX_EVENTS};

/// How calls are compared with the expected ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Each tool is called at least a given number of times.
    AnyOrder,
    /// The expected calls in order, possibly with others in between.
    InOrder,
    /// Exactly the expected calls.
    Exact,
    /// All expected calls, in any order, possibly with others.
    Superset,
    /// Only expected calls.
    Subset,
}

impl Mode {
    /// Every mode.
    pub const ALL: [Self; 5] =
        [Self::AnyOrder, Self::InOrder, Self::Exact, Self::Superset, Self::Subset];

    /// AgentV's word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::AnyOrder => "any_order",
            Self::InOrder => "in_order",
            Self::Exact => "exact",
            Self::Superset => "superset",
            Self::Subset => "subset",
        }
    }
}

/// An expected call.
#[derive(Clone, PartialEq, Debug)]
pub struct Item {
    /// The tool's name, compared exactly.
    pub tool: String,
    /// Its arguments; `None` if any are allowed.
    pub args: Option<ExpectedArgs>,
    /// The longest allowed duration, in milliseconds.
    pub max_duration_ms: Option<f64>,
}

/// The rule of a trajectory check.
#[derive(Clone, PartialEq, Debug)]
pub struct Trajectory {
    /// Which version of AgentV's wording to use.
    pub edition: Edition,
    /// How calls are compared.
    pub mode: Mode,
    /// Minimum number of calls per tool, in file order.
    pub minimums: Vec<(String, f64)>,
    /// The expected calls.
    pub expected: Vec<Item>,
    /// Remarks from parsing the file.
    pub notes: Vec<String>,
}

/// The calls of a run, as the rules need them.
pub(super) struct Calls<'a> {
    pub seen: &'a [Seen],
    pub names: &'a ToolNames,
    pub fits: &'a Fits,
}

impl Calls<'_> {
    fn name(&self, call: &Seen) -> &str {
        self.names.name(call.tool)
    }
}

impl Trajectory {
    /// Compares the calls with the rule.
    pub(super) fn evaluate(&self, calls: &Calls<'_>, report: &mut CheckReport) {
        report.notes.clone_from(&self.notes);
        match self.mode {
            Mode::AnyOrder => self.any_order(calls, report),
            Mode::Subset => self.subset(calls, report),
            _ if self.expected.is_empty() => {
                let words = match self.mode {
                    Mode::Superset => "No expected tools specified",
                    _ => "No tool sequence specified",
                };
                report.hit(words.to_owned(), Vec::new());
                report.set_score(1, 1, self.edition);
            }
            Mode::InOrder => self.in_order(calls, report),
            Mode::Exact => self.exact(calls, report),
            Mode::Superset => self.superset(calls, report),
        }
        let has_limits = self.expected.iter().any(|item| item.max_duration_ms.is_some());
        if has_limits && !matches!(self.mode, Mode::InOrder | Mode::Exact) {
            let mode = self.mode.word();
            report.note(format!("AgentV ignores max_duration_ms in the mode {mode}"));
        }
    }

    fn any_order(&self, calls: &Calls<'_>, report: &mut CheckReport) {
        if self.minimums.is_empty() {
            report.hit("No tool requirements specified".to_owned(), Vec::new());
            return report.set_score(1, 1, self.edition);
        }
        let sign = match self.edition {
            Edition::First => "≥",
            Edition::Fourth => ">=",
        };
        let mut by_tool: FxHashMap<&str, (usize, Vec<u32>)> = FxHashMap::default();
        for call in calls.seen {
            let (count, events) = by_tool.entry(calls.name(call)).or_default();
            *count += 1;
            if events.len() < MAX_EVENTS {
                events.push(call.event);
            }
        }
        for (tool, required) in &self.minimums {
            let (n_found, events) = by_tool.get(tool.as_str()).cloned().unwrap_or_default();
            let text = format!("{tool}: called {n_found} times (required {sign}{required})");
            #[expect(clippy::cast_precision_loss)] // a count
            if n_found as f64 >= *required {
                report.hit(text, events);
            } else {
                report.miss(text, events);
            }
        }
        report.set_score(report.n_hits, self.minimums.len() as u64, self.edition);
    }

    fn in_order(&self, calls: &Calls<'_>, report: &mut CheckReport) {
        let mut latency = Latency::default();
        let mut n_found = 0;
        let mut at = 0;
        for (i, item) in self.expected.iter().enumerate() {
            let tool = &item.tool;
            let rest = calls.seen.get(at..).unwrap_or_default();
            let Some(skip) = rest.iter().position(|call| calls.name(call) == tool) else {
                at = calls.seen.len();
                let words =
                    format!("Expected {tool} at position {i}, not found in remaining trace");
                report.miss(words, Vec::new());
                continue;
            };
            let found = at + skip;
            at = found + 1;
            let Some(call) = calls.seen.get(found) else { continue };
            if calls.fits.has(found, i) {
                n_found += 1;
                report.hit(format!("Found {tool} at position {found}"), vec![call.event]);
                latency.check(item, call, report);
            } else {
                let words = format!(
                    "Expected {tool} at position {i}: tool found at {found} but args mismatch"
                );
                report.miss(words, vec![call.event]);
            }
        }
        latency.score(n_found, self, report);
    }

    fn exact(&self, calls: &Calls<'_>, report: &mut CheckReport) {
        let (n_expected, n_calls) = (self.expected.len(), calls.seen.len());
        if n_expected != n_calls {
            let surplus = calls.seen.iter().skip(n_expected).map(|call| call.event);
            let words = format!("Expected {n_expected} tool calls, got {n_calls}");
            report.miss(words, surplus.take(MAX_EVENTS).collect());
        }
        let mut latency = Latency::default();
        let mut n_found = 0;
        for (i, item) in self.expected.iter().enumerate() {
            let tool = &item.tool;
            let Some(call) = calls.seen.get(i) else {
                report.miss(format!("Position {i}: expected {tool}, got nothing"), Vec::new());
                continue;
            };
            let events = vec![call.event];
            if calls.name(call) != tool {
                let got = calls.name(call);
                report.miss(format!("Position {i}: expected {tool}, got {got}"), events);
            } else if calls.fits.has(i, i) {
                n_found += 1;
                report.hit(format!("Position {i}: {tool}"), events);
                latency.check(item, call, report);
            } else {
                report.miss(format!("Position {i}: {tool} args mismatch"), events);
            }
        }
        latency.score(n_found, self, report);
    }

    fn superset(&self, calls: &Calls<'_>, report: &mut CheckReport) {
        // For each item, the calls that match it, in order. Each call is used once.
        let mut fitting: Vec<Vec<usize>> = vec![Vec::new(); self.expected.len()];
        for call in (0..calls.seen.len()).rev() {
            for item in calls.fits.of(call) {
                if let Some(list) = fitting.get_mut(*item as usize) {
                    list.push(call);
                }
            }
        }
        let mut is_used = vec![false; calls.seen.len()];
        for (item, list) in self.expected.iter().zip(&mut fitting) {
            let tool = &item.tool;
            let mut found = None;
            while let Some(call) = list.pop() {
                let Some(used) = is_used.get_mut(call) else { continue };
                if !std::mem::replace(used, true) {
                    found = Some(call);
                    break;
                }
            }
            match found.and_then(|at| Some((at, calls.seen.get(at)?))) {
                Some((at, call)) => {
                    report.hit(format!("Found {tool} at position {at}"), vec![call.event]);
                }
                None => {
                    let words = format!("Expected {tool} not found in actual trajectory");
                    report.miss(words, Vec::new());
                }
            }
        }
        report.set_score(report.n_hits, self.expected.len() as u64, self.edition);
    }

    fn subset(&self, calls: &Calls<'_>, report: &mut CheckReport) {
        let n_calls = calls.seen.len();
        if n_calls == 0 {
            let words = match self.expected.is_empty() {
                true => "No tool calls and no expected tools",
                false => "No actual tool calls (trivially a subset)",
            };
            report.hit(words.to_owned(), Vec::new());
            return report.set_score(1, 1, self.edition);
        }
        if self.expected.is_empty() {
            let events = calls.seen.iter().map(|call| call.event).take(MAX_EVENTS).collect();
            let words = format!("{n_calls} unexpected tool call(s) with empty allowed list");
            report.miss(words, events);
            return report.set_score(0, 1, self.edition);
        }
        for (i, call) in calls.seen.iter().enumerate() {
            let name = calls.name(call);
            if calls.fits.of(i).is_empty() {
                let words = format!("Position {i}: {name} is not in allowed set");
                report.miss(words, vec![call.event]);
            } else {
                report.hit(format!("Position {i}: {name} is in allowed set"), vec![call.event]);
            }
        }
        report.set_score(report.n_hits, n_calls as u64, self.edition);
    }
}

/// Counts duration checks. Each counts as one more check of the call, unless the duration is
/// unknown.
#[derive(Default)]
struct Latency {
    n_hits: u64,
    n_skipped: u64,
}

impl Latency {
    fn check(&mut self, item: &Item, call: &Seen, report: &mut CheckReport) {
        let Some(max_ms) = item.max_duration_ms else { return };
        let (tool, events) = (&item.tool, vec![call.event]);
        match call.duration_ms {
            None => {
                self.n_skipped += 1;
                report.note(format!("No duration data for {tool}; latency assertion skipped"));
            }
            Some(ms) if ms <= max_ms => {
                self.n_hits += 1;
                report.hit(format!("{tool} completed in {ms}ms (max: {max_ms}ms)"), events);
            }
            Some(ms) => report.miss(format!("{tool} took {ms}ms (max: {max_ms}ms)"), events),
        }
    }

    fn score(self, n_found: u64, rule: &Trajectory, report: &mut CheckReport) {
        let limits = rule.expected.iter().filter(|item| item.max_duration_ms.is_some());
        let n_limits = (limits.count() as u64).saturating_sub(self.n_skipped);
        let n_checks = rule.expected.len() as u64 + n_limits;
        report.set_score(n_found + self.n_hits, n_checks, rule.edition);
    }
}
