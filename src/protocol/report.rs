//! The result of a check: hits and misses in AgentV's wording, scores, verdicts.

use serde::{Deserialize, Serialize};

use traceloupe_core::model::RunVerdict;

/// The version of AgentV's wording that a check uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Edition {
    /// `tool_trajectory` as released in December 2025: writes "required ≥2" and has a third verdict, `borderline`.
    #[default]
    First,
    /// `tool-trajectory` of 4.x: writes "required >=2" and has only the verdicts pass and fail.
    Fourth,
}

/// The maximum number of assertions kept in total; scores count all of them.
pub const MAX_ASSERTIONS: usize = 20_000;

/// The maximum number of events listed per assertion.
pub const MAX_EVENTS: usize = 1_000;

/// AgentV's verdict for a score.
#[must_use]
pub fn verdict_of(score: f64, edition: Edition) -> RunVerdict {
    match edition {
        _ if score >= 0.8 => RunVerdict::Pass,
        Edition::First if score >= 0.6 => RunVerdict::Borderline,
        _ => RunVerdict::Fail,
    }
}

/// A hit or a miss.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Assertion {
    /// AgentV's sentence.
    pub text: String,
    /// Whether it is a hit.
    pub passed: bool,
    /// Ids of the events that it is about, at most [`MAX_EVENTS`].
    pub events: Vec<u32>,
}

/// The result of one check.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct CheckReport {
    /// Its name.
    pub name: String,
    /// Its type, with its mode.
    pub kind: String,
    /// Its weight in the mean.
    pub weight: f64,
    /// Score from 0 to 1.
    pub score: f64,
    /// The verdict.
    pub verdict: RunVerdict,
    /// Hits and misses in AgentV's order, at most [`MAX_ASSERTIONS`].
    pub assertions: Vec<Assertion>,
    /// Total number of hits.
    pub n_hits: u64,
    /// Total number of misses.
    pub n_misses: u64,
    /// Remarks that are neither hits nor misses: what was not compared, and where AgentV's own output would differ.
    pub notes: Vec<String>,
}

impl CheckReport {
    /// Adds a hit.
    pub fn hit(&mut self, text: String, events: Vec<u32>) {
        self.n_hits += 1;
        self.add(text, true, events);
    }

    /// Adds a miss.
    pub fn miss(&mut self, text: String, events: Vec<u32>) {
        self.n_misses += 1;
        self.add(text, false, events);
    }

    #[inline(never)]
    fn add(&mut self, text: String, passed: bool, mut events: Vec<u32>) {
        events.truncate(MAX_EVENTS);
        if self.assertions.len() < MAX_ASSERTIONS {
            self.assertions.push(Assertion { text, passed, events });
        }
    }

    /// Adds a note unless it is already there.
    pub fn note(&mut self, text: String) {
        if !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }

    /// Sets score and verdict from the number of hits out of `of`.
    #[expect(clippy::cast_precision_loss)] // counts
    pub fn set_score(&mut self, hits: u64, of: u64, edition: Edition) {
        self.score = if of == 0 { 1.0 } else { hits as f64 / of as f64 };
        self.verdict = verdict_of(self.score, edition);
        if (0.6..0.8).contains(&self.score) {
            self.note(match edition {
                Edition::First => {
                    "AgentV 4.x has no verdict `borderline` and would report fail".to_owned()
                }
                Edition::Fourth => {
                    "AgentV before 4.x would report borderline from 0.6 on".to_owned()
                }
            });
        }
    }
}

/// The result of one test.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TestReport {
    /// The id of the test; empty if it has none.
    pub id: String,
    /// Weighted mean of its checks.
    pub score: f64,
    /// The verdict for that score.
    pub verdict: RunVerdict,
    /// Its checks.
    pub checks: Vec<CheckReport>,
    /// Evaluators that were not run because they need more than a trace.
    pub skipped: Vec<String>,
}

/// The result of checking a run against its expectations.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// Index of the run.
    pub run: u32,
    /// How many tool calls the run has.
    pub n_calls: u64,
    /// The tests.
    pub tests: Vec<TestReport>,
    /// Remarks about the whole report.
    pub notes: Vec<String>,
}

/// A line of the displayed report.
#[derive(Clone, PartialEq, Debug)]
pub struct ReportLine {
    /// The kind of line.
    pub kind: LineKind,
    /// The text.
    pub text: String,
    /// Score and verdict, for the heading of a test or check.
    pub score: Option<(f64, RunVerdict)>,
    /// Ids of the events that it is about.
    pub events: Vec<u32>,
}

/// The kinds of line in a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineKind {
    /// Heading of a test.
    Test,
    /// Heading of a check.
    Check,
    /// A hit.
    Hit,
    /// A miss.
    Miss,
    /// A remark.
    Note,
}

impl ReportLine {
    fn note(text: String) -> Self {
        Self { kind: LineKind::Note, text, score: None, events: Vec::new() }
    }
}

impl Report {
    /// The report as lines, in display order. A single test without a name gets no heading.
    #[must_use]
    pub fn lines(&self) -> Vec<ReportLine> {
        let mut lines: Vec<_> = self.notes.iter().cloned().map(ReportLine::note).collect();
        for test in &self.tests {
            if self.tests.len() > 1 || !test.id.is_empty() {
                let text = if test.id.is_empty() { "Test without an id" } else { &test.id };
                lines.push(ReportLine {
                    kind: LineKind::Test,
                    text: text.to_owned(),
                    score: Some((test.score, test.verdict)),
                    events: Vec::new(),
                });
            }
            for check in &test.checks {
                let text = match check.kind.starts_with(&check.name) {
                    true => check.kind.clone(),
                    false => format!("{} ({})", check.name, check.kind),
                };
                let score = Some((check.score, check.verdict));
                lines.push(ReportLine { kind: LineKind::Check, text, score, events: Vec::new() });
                lines.extend(check.assertions.iter().map(|it| ReportLine {
                    kind: if it.passed { LineKind::Hit } else { LineKind::Miss },
                    text: it.text.clone(),
                    score: None,
                    events: it.events.clone(),
                }));
                let n_kept = check.assertions.len() as u64;
                let n_more = (check.n_hits + check.n_misses).saturating_sub(n_kept);
                if n_more > 0 {
                    let text = format!("{n_more} more hits and misses are counted but not listed");
                    lines.push(ReportLine::note(text));
                }
                lines.extend(check.notes.iter().cloned().map(ReportLine::note));
            }
            if !test.skipped.is_empty() {
                let listed: Vec<&str> = test.skipped.iter().take(10).map(String::as_str).collect();
                let text = format!(
                    "Not checked, because a trace alone is not enough: {}",
                    listed.join(", ")
                );
                lines.push(ReportLine::note(text));
            }
        }
        lines
    }

    /// Numbers of hits and misses.
    #[must_use]
    pub fn counts(&self) -> (u64, u64) {
        let checks = self.tests.iter().flat_map(|test| &test.checks);
        checks.fold((0, 0), |(hits, misses), it| (hits + it.n_hits, misses + it.n_misses))
    }

    /// The mean score of the tests, and the verdict if there is only one test.
    #[must_use]
    #[expect(clippy::cast_precision_loss)] // a count
    pub fn overall(&self) -> (f64, Option<RunVerdict>) {
        match self.tests.as_slice() {
            [test] => (test.score, Some(test.verdict)),
            tests => {
                let sum: f64 = tests.iter().map(|test| test.score).sum();
                (sum / tests.len().max(1) as f64, None)
            }
        }
    }

    /// Hits and misses per event: `(event, hits, misses)`, sorted by event.
    #[must_use]
    pub fn marks(&self) -> Vec<(u32, u32, u32)> {
        let checks = self.tests.iter().flat_map(|test| &test.checks);
        let assertions = checks.flat_map(|check| &check.assertions);
        let mut marks: Vec<(u32, u32, u32)> = assertions
            .flat_map(|assertion| {
                let passed = u32::from(assertion.passed);
                assertion.events.iter().map(move |event| (*event, passed, 1 - passed))
            })
            .collect();
        traceloupe_core::order::sort_by_key(&mut marks, |mark| mark.0);
        marks.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                (kept.1, kept.2) = (kept.1 + next.1, kept.2 + next.2);
            }
            is_same
        });
        marks
    }
}
