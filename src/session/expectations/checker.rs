//! Compares the calls of a run with the expectations, one call at a time.

use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

use super::items::{Fits, Seen, ToolNames};
use super::messages::{self, Compared};
use super::steps::{Step, StepProgress, StepType};
use super::trajectory::{Calls, Mode};
use super::{Edition, Expectations, Rule, Test};
use traceloupe_protocol::report::{CheckReport, MAX_ASSERTIONS, Report, TestReport, verdict_of};

/// The most comparisons, counted as pairs of a call and a check or an expected item.
const MAX_PAIRS: usize = 20_000_000;

/// A tool call to check.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ToolCall<'a> {
    /// The event's id.
    pub event: u32,
    /// The tool's name.
    pub name: &'a str,
    /// Its duration according to the file, in milliseconds; `None` if it is missing or only
    /// inferred.
    pub duration_ms: Option<f64>,
}

/// Arguments and outcome of a call, as JSON.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct CallValues {
    /// Its arguments.
    pub arguments: Option<String>,
    /// Its result or its error message.
    pub outcome: Option<String>,
}

/// The state of one check.
#[derive(Debug, Default)]
struct Progress {
    /// For a trajectory: the indices of the expected items of each tool.
    items_of: FxHashMap<String, Vec<usize>>,
    fits: Fits,
    compared: Vec<Compared>,
    steps: StepProgress,
}

/// Checks a run against expectations.
#[derive(Debug, Default)]
pub struct Checker {
    tests: Vec<Test>,
    /// The state of each check of each test, in order.
    progress: Vec<Progress>,
    /// Tools whose arguments are compared.
    tools_with_values: FxHashSet<String>,
    /// How many calls at the beginning have their arguments compared, regardless of the tool.
    n_first_with_values: usize,
    has_steps: bool,
    names: ToolNames,
    seen: Vec<Seen>,
    notes: Vec<String>,
    n_pairs: usize,
    is_too_much: bool,
}

impl Checker {
    /// Starts a check. If there are several tests and some have an id among `names_of_run`, only
    /// those are checked.
    #[must_use]
    pub fn new(expectations: Expectations, names_of_run: &[String]) -> Self {
        let mut tests = expectations.tests;
        let mut notes = Vec::new();
        let n_tests = tests.len();
        let is_of_run = |test: &Test| !test.id.is_empty() && names_of_run.contains(&test.id);
        if n_tests > 1 && tests.iter().any(is_of_run) {
            tests.retain(is_of_run);
            notes.push(format!(
                "Of {n_tests} tests, only the one named like this run was checked: {}",
                tests.first().map_or("", |test| test.id.as_str())
            ));
        } else if n_tests > 1 {
            notes.push(format!(
                "None of the {n_tests} tests is named like this run, so all were checked"
            ));
        }
        let mut checker = Self {
            tests,
            progress: Vec::new(),
            tools_with_values: FxHashSet::default(),
            n_first_with_values: 0,
            has_steps: false,
            names: ToolNames::default(),
            seen: Vec::new(),
            notes,
            n_pairs: 0,
            is_too_much: false,
        };
        checker.prepare();
        checker
    }

    fn prepare(&mut self) {
        for check in self.tests.iter().flat_map(|test| &test.checks) {
            let mut progress = Progress::default();
            match &check.rule {
                Rule::Trajectory(rule) if rule.mode != Mode::AnyOrder => {
                    for (at, item) in rule.expected.iter().enumerate() {
                        progress.items_of.entry(item.tool.clone()).or_default().push(at);
                        if item.args.is_some() {
                            self.tools_with_values.insert(item.tool.clone());
                        }
                    }
                }
                Rule::Trajectory(_) => {}
                Rule::Messages(calls) => {
                    let has_values =
                        calls.iter().any(|call| call.input.is_some() || call.output.is_some());
                    let n_first = if has_values { calls.len() } else { 0 };
                    self.n_first_with_values = self.n_first_with_values.max(n_first);
                }
                Rule::Steps(_) => self.has_steps = true,
            }
            self.progress.push(progress);
        }
    }

    /// Whether arguments and outcome of the next call are needed.
    #[must_use]
    pub fn wants_values(&self, name: &str) -> bool {
        let checks = self.tests.iter().flat_map(|test| &test.checks);
        let mut steps = checks.filter_map(|check| match &check.rule {
            Rule::Steps(check) => Some(check),
            _ => None,
        });
        self.seen.len() < self.n_first_with_values
            || self.tools_with_values.contains(name)
            || self.has_steps && steps.any(|check| check.wants_args(name))
    }

    /// Whether events other than calls are needed.
    #[must_use]
    pub fn wants_others(&self) -> bool {
        self.has_steps
    }

    /// Adds an event that is not a call.
    pub fn push_other(&mut self, event: u32, kind: StepType) {
        self.push_step(&Step::other(event, kind), None);
    }

    /// Adds a step, with the arguments of a call as a value and as JSON.
    fn push_step(&mut self, step: &Step, arguments: Option<(&Value, &str)>) {
        let checks = self.tests.iter().flat_map(|test| &test.checks);
        for (check, progress) in checks.zip(&mut self.progress) {
            if let Rule::Steps(rule) = &check.rule {
                progress.steps.push(rule, step, arguments);
            }
        }
    }

    /// Adds the next call, with its values if they are needed.
    pub fn push(&mut self, call: &ToolCall<'_>, values: &CallValues) {
        let at = self.seen.len();
        let tool = self.names.id(call.name);
        self.seen.push(Seen { event: call.event, tool, duration_ms: call.duration_ms });
        // Arguments nested more deeply than the parser allows are equal to nothing.
        let arguments: Option<Value> =
            values.arguments.as_deref().and_then(|json| serde_json::from_str(json).ok());
        if self.has_steps {
            let step = Step::of_call(call.event, call.name, arguments.as_ref());
            self.push_step(&step, arguments.as_ref().zip(values.arguments.as_deref()));
        }
        let checks = self.tests.iter().flat_map(|test| &test.checks);
        for (check, progress) in checks.zip(&mut self.progress) {
            match &check.rule {
                Rule::Steps(_) => {}
                Rule::Trajectory(rule) => {
                    let items = progress.items_of.get(call.name).map_or(&[][..], Vec::as_slice);
                    self.n_pairs += 1 + items.len();
                    if self.n_pairs > MAX_PAIRS {
                        self.is_too_much = true;
                        continue;
                    }
                    progress.fits.push(items.iter().copied().filter(|item| {
                        let args = rule.expected.get(*item).and_then(|item| item.args.as_ref());
                        args.is_none_or(|args| args.fit(arguments.as_ref()))
                    }));
                }
                Rule::Messages(expected) => {
                    if let Some(expected) = expected.get(at) {
                        let outcome = values.outcome.as_deref();
                        let compared = expected.compare(call.name, arguments.as_ref(), outcome);
                        progress.compared.push(compared);
                    }
                }
            }
        }
    }

    /// Ends the run and returns the report.
    #[must_use]
    pub fn finish(self) -> Report {
        let mut progress = self.progress.into_iter();
        let mut notes = self.notes;
        if self.is_too_much {
            notes.push(
                "There are too many calls and expectations to compare all of them, so the scores are too low"
                    .to_owned(),
            );
        }
        let mut tests = Vec::with_capacity(self.tests.len());
        let mut n_left = MAX_ASSERTIONS;
        for test in self.tests {
            let mut report =
                TestReport { id: test.id, skipped: test.skipped, ..TestReport::default() };
            let mut edition = Edition::Fourth;
            for check in test.checks {
                let progress = progress.next().unwrap_or_default();
                let mut checked = CheckReport {
                    name: check.name,
                    kind: check.kind,
                    weight: check.weight,
                    ..CheckReport::default()
                };
                match &check.rule {
                    Rule::Steps(rule) => progress.steps.evaluate(rule, &mut checked),
                    Rule::Trajectory(rule) => {
                        checked.kind = format!("{} {}", checked.kind, rule.mode.word());
                        if rule.edition == Edition::First {
                            edition = Edition::First;
                        }
                        let calls =
                            Calls { seen: &self.seen, names: &self.names, fits: &progress.fits };
                        rule.evaluate(&calls, &mut checked);
                    }
                    Rule::Messages(expected) => {
                        edition = Edition::First;
                        let compared = &progress.compared;
                        messages::evaluate(
                            expected,
                            &self.seen,
                            &self.names,
                            compared,
                            &mut checked,
                        );
                    }
                }
                checked.assertions.truncate(n_left);
                n_left -= checked.assertions.len();
                report.checks.push(checked);
            }
            let weight: f64 = report.checks.iter().map(|check| check.weight).sum();
            let sum: f64 = report.checks.iter().map(|check| check.score * check.weight).sum();
            report.score = if weight > 0.0 { sum / weight } else { 0.0 };
            report.verdict = verdict_of(report.score, edition);
            tests.push(report);
        }
        Report { run: 0, n_calls: self.seen.len() as u64, tests, notes }
    }
}
