//! A finding as sent to the page: the values of the analysis, with rows in place of events.

use serde::{Deserialize, Serialize};

use crate::columns::Column;
pub use traceloupe_analysis::{
    Arguments, Evidence, Failures, Family, Finding, Place, Results, Rule, Severity, Steps,
};
use traceloupe_core::model::EventId;

/// A finding.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FindingLine {
    /// The rule that found it.
    pub rule: Rule,
    /// The severity.
    pub severity: Severity,
    /// Index of the run.
    pub run: u32,
    /// Its first row.
    pub first: u32,
    /// The row that has the badge and to which links jump: the first tool call of a stretch if there is one, rather
    /// than the LLM call that requested it.
    pub mark: u32,
    /// Its last row.
    pub last: u32,
    /// All its rows, in order; for repetitions, the rows of all whole repetitions.
    pub rows: Column<u32>,
    /// The rows of repetitions 2 to n, which can be folded; empty for findings that are only
    /// informational.
    pub folded: Column<u32>,
    /// Rows of the producer's own warnings about it.
    pub reported: Vec<u32>,
    /// What the rule saw.
    pub evidence: Evidence,
    /// Calls between the repetitions that fold with them: the kind of activity, and how many there are. Computed on the
    /// page.
    #[serde(skip)]
    pub between: Vec<(&'static str, u64)>,
    /// Whether the user has muted it; set on the page.
    #[serde(skip)]
    pub is_muted: bool,
}

impl FindingLine {
    /// A finding whose events are in these rows. `mark` is the event to which it links.
    #[must_use]
    pub fn new(finding: &Finding, mark: EventId, row: &dyn Fn(EventId) -> u32) -> Self {
        let Finding { rule, severity, ref place, ref evidence, .. } = *finding;
        let rows = |ids: &[EventId]| {
            let mut rows: Vec<u32> = ids.iter().map(|id| row(*id)).collect();
            traceloupe_core::sorting::sort(&mut rows);
            rows
        };
        // Information never folds rows.
        let folds = !rule.is_apart() && severity > Severity::Info;
        let all = rows(&place.events);
        Self {
            rule,
            severity,
            run: place.run.number(),
            first: all.first().copied().unwrap_or_else(|| row(place.first)),
            mark: row(mark),
            last: all.last().copied().unwrap_or_else(|| row(place.last)),
            rows: all.into_iter().collect(),
            folded: rows(if folds { &place.repeats } else { &[] }).into_iter().collect(),
            reported: rows(&place.reported),
            evidence: evidence.clone(),
            between: Vec::new(),
            is_muted: false,
        }
    }

    /// Whether this is a possible loop rather than only informational.
    #[must_use]
    pub fn is_loud(&self) -> bool {
        self.may_be_loud() && !self.is_muted
    }

    /// Whether this is a possible loop, unless the user has muted it.
    #[must_use]
    pub fn may_be_loud(&self) -> bool {
        self.rule.is_about_loops() && self.severity > Severity::Info
    }

    /// Whether it is about failures that were all fixed later.
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        matches!(&self.evidence, Evidence::Failures(failures) if failures.are_fixed())
    }

    /// How many of its failures were never fixed, as far as is known.
    #[must_use]
    pub fn n_never_fixed(&self) -> u64 {
        let Evidence::Failures(failures) = &self.evidence else { return 0 };
        failures.n_never_fixed
    }

    /// Whether other calls were made between the repetitions.
    #[must_use]
    pub fn is_apart(&self) -> bool {
        self.rule.is_apart()
    }

    /// Whether the calls between its repetitions fold with them.
    #[must_use]
    pub fn folds_with_others(&self) -> bool {
        self.is_apart() && self.folded.first().is_some()
    }

    /// How many repetitions there are; 0 if the finding is not about repetitions.
    #[must_use]
    pub fn repetitions(&self) -> u32 {
        self.evidence.repetitions()
    }

    /// How many steps a repetition has.
    #[must_use]
    pub fn block_len(&self) -> u32 {
        self.evidence.block_len()
    }

    /// Whether the arguments were the same in every repetition, except for those that only give information about the
    /// calls.
    #[must_use]
    pub fn has_same_args(&self) -> bool {
        self.evidence.args().do_the_same()
    }

    /// Whether calls failed in every repetition.
    #[must_use]
    pub fn fails(&self) -> bool {
        self.rule.family() == Family::Failures || self.evidence.results() == Results::Errors
    }
}
