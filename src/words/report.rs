//! The report of a check as lines of text. Hits and misses are in AgentV's wording, and travel as text.

use traceloupe_core::model::RunVerdict;
use traceloupe_core::number::fixed;
use traceloupe_protocol::report::{CheckNote, Edition, Report};

/// A line of the displayed report.
#[derive(Clone, PartialEq, Debug)]
pub struct ReportLine {
    /// What it is.
    pub kind: LineKind,
    /// What it says.
    pub text: String,
    /// Score and verdict, for the heading of a test or check.
    pub score: Option<(f64, RunVerdict)>,
    /// Ids of the events it is about.
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
    fn note(note: &CheckNote) -> Self {
        Self::remark(check_note(note))
    }

    fn remark(text: String) -> Self {
        Self { kind: LineKind::Note, text, score: None, events: Vec::new() }
    }
}

/// The report as lines, in display order. A single test without a name gets no heading.
#[must_use]
pub fn report_lines(report: &Report) -> Vec<ReportLine> {
    let mut lines: Vec<_> = report.notes.iter().map(ReportLine::note).collect();
    for test in &report.tests {
        if report.tests.len() > 1 || !test.id.is_empty() {
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
                lines.push(ReportLine::remark(text));
            }
            lines.extend(check.notes.iter().map(ReportLine::note));
        }
        if !test.skipped.is_empty() {
            let listed: Vec<&str> = test.skipped.iter().take(10).map(String::as_str).collect();
            let text =
                format!("Not checked, because a trace alone is not enough: {}", listed.join(", "));
            lines.push(ReportLine::remark(text));
        }
    }
    lines
}

/// A remark on a check or a report.
fn check_note(note: &CheckNote) -> String {
    let fixed_words = match note {
        CheckNote::ModeAssumed => "No mode is given; in_order is assumed",
        CheckNote::OnlyMinimums => {
            "In the mode any_order AgentV uses only `minimums`; use superset for calls in any order"
        }
        CheckNote::MinimumsIgnored(mode) => {
            return format!("AgentV ignores `minimums` in the mode {}", mode.word());
        }
        CheckNote::LimitsIgnored(mode) => {
            return format!("AgentV ignores max_duration_ms in the mode {}", mode.word());
        }
        CheckNote::OtherVerdict(Edition::First) => {
            "AgentV 4.x has no verdict `borderline` and would report fail"
        }
        CheckNote::OtherVerdict(Edition::Fourth) => {
            "AgentV before 4.x would report borderline for scores of 0.6 and above"
        }
        CheckNote::OutputsCompared(score) => {
            let score = fixed(*score, 2);
            return format!(
                "Expected outputs were compared, as in AgentV's design; its code ignores them and would score {score}"
            );
        }
        CheckNote::NoDuration(tool) => {
            return format!("No duration data for {tool}; latency assertion skipped");
        }
        CheckNote::OnlyTestOfRun { n_tests, id } => {
            return format!(
                "Of {n_tests} tests, only the one with the same name as this run was checked: {id}"
            );
        }
        CheckNote::AllTests(n_tests) => {
            return format!(
                "None of the {n_tests} tests has the same name as this run, so all were checked"
            );
        }
        CheckNote::TooManyPairs => {
            "There are too many calls and expectations to compare all of them, so the scores are too low"
        }
    };
    fixed_words.to_owned()
}
