//! The result of a check: hits and misses in AgentV's wording, scores, verdicts.

use serde::{Deserialize, Serialize};

use traceloupe_core::model::RunVerdict;

/// Which version of AgentV's wording a check uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Edition {
    /// `tool_trajectory` as released in December 2025: writes "required ≥2" and has a third verdict, `borderline`.
    #[default]
    First,
    /// `tool-trajectory` of 4.x: writes "required >=2" and has only the verdicts pass and fail.
    Fourth,
}

/// How calls are compared with the expected ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
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

/// A remark on a check or a report that is neither a hit nor a miss.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum CheckNote {
    /// The expectations name no mode, so `in_order` is assumed.
    ModeAssumed,
    /// In the mode `any_order`, AgentV uses only the minimums.
    OnlyMinimums,
    /// AgentV ignores minimums in this mode.
    MinimumsIgnored(Mode),
    /// AgentV ignores limits on durations in this mode.
    LimitsIgnored(Mode),
    /// The score is one for which the other edition has another verdict than this one.
    OtherVerdict(Edition),
    /// Expected outputs were compared; AgentV's code ignores them, and would give this score.
    OutputsCompared(f64),
    /// The file has no duration of a call of this tool.
    NoDuration(String),
    /// Only the test that is named like the run was checked.
    OnlyTestOfRun {
        /// How many tests there are.
        n_tests: u64,
        /// The id of the test.
        id: String,
    },
    /// None of this number of tests has the name of the run, so all were checked.
    AllTests(u64),
    /// There were too many pairs to compare all of them.
    TooManyPairs,
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
    /// Remarks that are neither: what was not compared, and where AgentV's own output would differ.
    pub notes: Vec<CheckNote>,
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
    pub fn note(&mut self, note: CheckNote) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Sets score and verdict from the number of hits out of `of`.
    #[expect(clippy::cast_precision_loss)] // counts
    pub fn set_score(&mut self, hits: u64, of: u64, edition: Edition) {
        self.score = if of == 0 { 1.0 } else { hits as f64 / of as f64 };
        self.verdict = verdict_of(self.score, edition);
        if (0.6..0.8).contains(&self.score) {
            self.note(CheckNote::OtherVerdict(edition));
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
    pub notes: Vec<CheckNote>,
}

impl Report {
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
        traceloupe_core::sorting::sort_by_key(&mut marks, |mark| mark.0);
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
