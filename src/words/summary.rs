//! The summary of opened files for a terminal: a few lines for each run. It is a value; the command also writes it as JSON.

use traceloupe_analysis::{Rule, Severity};
use traceloupe_core::warning_code::WarningCode;
use traceloupe_protocol::problem::Problem;

use crate::brief::{Brief, failure_counts};
use crate::findings::Said;
use crate::problems::what_happened;
use crate::suspicious_chars::marked;
use crate::{
    at_least, cost, count, counted, counts, duration, outcome_words, score, tokens, warning,
};

/// What opened files contain.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Summary {
    /// The runs, as they are listed.
    pub runs: Vec<RunSummary>,
    /// What is not shown of the files.
    pub problems: Vec<Problem>,
    /// What could not be read, or only after a repair, and how often.
    pub warnings: Vec<(WarningCode, u64)>,
}

/// A run.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RunSummary {
    /// The producer's id.
    pub key: String,
    /// Its brief.
    pub brief: Brief,
    /// Events.
    pub n_events: u64,
    /// Whether it is known which failures were fixed: not if there are too many to be examined.
    pub knows_repairs: bool,
    /// Duration in milliseconds; NaN if unknown.
    pub duration_ms: f64,
    /// Active time in milliseconds; NaN if unknown.
    pub active_ms: f64,
    /// Its findings, without those about failures, in the order of the list on the page.
    pub findings: Vec<FoundLine>,
    /// Its failures, with similar ones grouped.
    pub errors: Vec<ErrorLine>,
}

/// A finding.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FoundLine {
    /// The rule that found it.
    pub rule: Rule,
    /// Its severity.
    pub severity: Severity,
    /// Whether it is a possible loop, or one that the producer reported.
    pub is_loud: bool,
    /// What is said of it.
    pub said: Said,
    /// In how many places similar ones were found.
    pub n_places: u64,
    /// The numbers of its events in the run, from 1.
    pub events: Vec<u32>,
}

/// Similar failures.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ErrorLine {
    /// What is said of them.
    pub said: Said,
    /// How many there are.
    pub n: u64,
    /// How many of them were never fixed.
    pub n_never_fixed: u64,
    /// The numbers of their events in the run, from 1.
    pub events: Vec<u32>,
}

/// How many events of a line are named.
const EVENTS_NAMED: usize = 4;

/// The summary in lines. No line begins with text of the trace, and characters that cannot be seen are named.
#[must_use]
pub fn summary_text(summary: &Summary) -> String {
    let mut lines = Vec::new();
    for run in &summary.runs {
        lines.extend(run_lines(run));
    }
    for problem in &summary.problems {
        lines.push(format!("Problem: {}", problem_line(problem)));
    }
    for (code, n) in &summary.warnings {
        lines.push(format!("Warning: {}", warning_line(*code, *n)));
    }
    let mut text = lines.join("\n");
    text.push('\n');
    text
}

fn run_lines(run: &RunSummary) -> Vec<String> {
    let brief = &run.brief;
    let title = if brief.title.is_empty() { &run.key } else { &brief.title };
    let mut lines = vec![format!("Run: {} ({})", marked(title), brief.format)];
    lines.push(format!("  - {}", facts(run).join(", ")));
    if brief.failures.n > 0 {
        lines.push(format!("  - {}", failure_counts(&brief.failures)));
    }
    for found in run.findings.iter().filter(|it| it.is_loud) {
        let line = line(found.severity.id(), &found.said, &found.events);
        lines.push(match found.n_places {
            0 | 1 => line,
            n => format!("{line}, {}", counted(n, "place", "places")),
        });
    }
    let never = run.errors.iter().filter(|it| it.n_never_fixed > 0);
    lines.extend(never.map(|error| line("failure", &error.said, &error.events)));
    lines
}

fn facts(run: &RunSummary) -> Vec<String> {
    let brief = &run.brief;
    let mut facts = vec![
        outcome_words(brief.outcome).to_owned(),
        counts::llm_calls(brief.n_llm_calls),
        counts::tool_calls(brief.n_tool_calls),
    ];
    let grade = score(brief.grade.0, brief.grade.1);
    if !grade.is_empty() {
        facts.insert(1, format!("grade {grade}"));
    }
    #[expect(clippy::cast_precision_loss)] // counts of tokens are far below 2^53
    let in_short = |n: u64| tokens(n as f64);
    if let Some(input) = brief.usage.total_input() {
        facts.push(format!("{} input tokens", in_short(input)));
    }
    if let Some(output) = brief.usage.output {
        let output = at_least(in_short(output), brief.usage.unfinished);
        facts.push(format!("{output} output tokens"));
    }
    if brief.cost.is_known() {
        facts.push(cost(&brief.cost));
    }
    if run.active_ms.is_finite() {
        facts.push(format!("{} active", duration(run.active_ms)));
    }
    facts
}

fn line(label: &str, said: &Said, events: &[u32]) -> String {
    let named = events.get(..EVENTS_NAMED).unwrap_or(events);
    let events = counts::at_events(named, (events.len() - named.len()) as u64);
    let said = said.sentence.marked();
    match events.is_empty() {
        true => format!("  - {label}: {said}"),
        false => format!("  - {label}: {said} ({events})"),
    }
}

/// A problem in one line.
#[must_use]
pub fn problem_line(problem: &Problem) -> String {
    marked(&what_happened(problem).replace(['\n', '\r'], " ")).into_owned()
}

/// A warning in one line.
#[must_use]
pub fn warning_line(code: WarningCode, n: u64) -> String {
    match n {
        1 => warning(code).to_owned(),
        n => format!("{} ({} places)", warning(code), count(n)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::brief::Failures;
    use crate::pieces::Sentence;
    use traceloupe_core::model::{CostSum, RunOutcome, Usage};

    fn said(words: &str) -> Said {
        let sentence = Sentence::default().text("3 × ").code(words);
        Said { headline: sentence.clone(), sentence, rest: Sentence::default() }
    }

    #[test]
    fn a_run_is_a_few_lines_and_none_begins_with_its_text() {
        let brief = Brief {
            title: "::error::\u{1b}[2J".to_owned(),
            format: "Claude Code".to_owned(),
            outcome: RunOutcome::Answered,
            n_llm_calls: 2,
            n_tool_calls: 1_284,
            usage: Usage { input: Some(1_000), output: Some(20), ..Usage::default() },
            cost: CostSum { dollars: 0.5, n_known: 1, n_given: 1, ..CostSum::default() },
            failures: Failures { n: 3, n_fixed: 1, n_never: 2, ..Failures::default() },
            ..Brief::default()
        };
        let found = FoundLine {
            severity: Severity::Critical,
            is_loud: true,
            said: said("npm test"),
            n_places: 2,
            events: vec![1, 2, 3, 4, 5],
            ..FoundLine::default()
        };
        let quiet = FoundLine { is_loud: false, ..found.clone() };
        let error = ErrorLine { said: said("ls"), n: 2, n_never_fixed: 2, events: vec![9] };
        let fixed = ErrorLine { n_never_fixed: 0, ..error.clone() };
        let run = RunSummary {
            brief,
            active_ms: 61_000.0,
            findings: vec![found, quiet],
            errors: vec![error, fixed],
            ..RunSummary::default()
        };
        let summary = Summary {
            runs: vec![run],
            problems: vec![Problem::NoEvents],
            warnings: vec![(WarningCode::BadLine, 2)],
        };
        let text = summary_text(&summary);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[..5],
            [
                "Run: ::error::⟨U+001B⟩[2J (Claude Code)",
                "  - ended with an answer; the file states no outcome, 2 LLM calls, 1,284 tool calls, 1.0k input tokens, 20 output tokens, $0.50, 1 min 1 s active",
                "  - 3 events failed; 1 fixed later; 2 never fixed",
                "  - critical: 3 × `npm test` (events 1, 2, 3, 4 and 1 more), 2 places",
                "  - failure: 3 × `ls` (event 9)",
            ]
        );
        assert_eq!(lines.len(), 7);
        assert_eq!(lines[5], "Problem: The file was read, but there are no events in it");
        assert_eq!(lines[6], "Warning: A line is not valid JSON and was skipped (2 places)");
    }
}
