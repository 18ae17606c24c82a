//! Words of the command `traceloupe` that are not in its summaries.

use traceloupe_protocol::problem::Problem;
use traceloupe_protocol::redaction::{Kind, RedactionFault};

use crate::page::redaction::kind_with_count;
use crate::problems::{source_fault, what_happened};
use crate::summary::{FoundLine, RunSummary};
use crate::suspicious_chars::marked;
use crate::{count, counted, outcome_words};

/// How many files are named that cannot be read.
const FILES_NAMED: usize = 10;

/// Why nothing could be opened: a line for each file, and what to do.
#[must_use]
pub fn not_opened(problem: &Problem) -> String {
    let mut lines = match problem {
        Problem::NothingShown(files) => {
            let named = files.iter().take(FILES_NAMED);
            named.map(|(path, fault)| format!("{path}: {}", source_fault(fault))).collect()
        }
        problem => vec![what_happened(problem)],
    };
    if let Problem::NothingShown(files) = problem
        && files.len() > FILES_NAMED
    {
        lines.push(format!("and {} more", count((files.len() - FILES_NAMED) as u64)));
    }
    lines
        .push("Nothing was found that can be shown. docs/formats.md lists what is read".to_owned());
    lines.iter().map(|line| marked(line)).collect::<Vec<_>>().join("\n")
}

/// Why nothing was redacted, so that nothing is written.
#[must_use]
pub fn not_redacted(fault: RedactionFault) -> &'static str {
    match fault {
        RedactionFault::StillFound => "something secret was still found afterwards",
        RedactionFault::Broken => "its JSON would have been broken",
        RedactionFault::NotText => {
            "secrets can only be found in text; unpack archives, and export sessions from databases"
        }
        RedactionFault::NotLoaded | RedactionFault::Failed => "the redactor failed",
    }
}

/// How much was redacted.
#[must_use]
pub fn redacted(counts: &[(Kind, u32)]) -> String {
    let n = counts.iter().map(|(_, n)| u64::from(*n)).sum();
    let kinds: Vec<String> = counts.iter().map(|(kind, n)| kind_with_count(*kind, *n)).collect();
    match kinds.is_empty() {
        true => "Nothing to redact was found".to_owned(),
        false => format!("Redacted {}: {}", counted(n, "place", "places"), kinds.join(", ")),
    }
}

/// That further runs have no brief in a report.
#[must_use]
pub fn further_runs(n: u64) -> String {
    format!("{} without a brief here", counted(n, "further run", "further runs"))
}

/// That the outcome of a run fails a check.
#[must_use]
pub fn failed_outcome(run: &RunSummary) -> String {
    format!("outcome: {}", outcome_words(run.brief.outcome))
}

/// That failures of a run fail a check.
#[must_use]
pub fn failed_errors(n_never_fixed: u64) -> String {
    format!("{} never fixed", counted(n_never_fixed, "failure was", "failures were"))
}

/// That a finding fails a check.
#[must_use]
pub fn failed_finding(found: &FoundLine) -> String {
    format!("{}: {}", found.severity.id(), found.said.sentence.marked())
}

/// What a check has found, as a line. The title of the run is empty for what is about files.
#[must_use]
pub fn failed_line(title: &str, text: &str) -> String {
    match title {
        "" => format!("Failed: {text}"),
        title => format!("Failed: {text} (run: {})", marked(title)),
    }
}

/// That a check has found nothing.
pub const PASSED: &str = "Passed: nothing was found that the check looks for";

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_protocol::problem::SourceFault;

    #[test]
    fn each_file_that_cannot_be_read_is_named_with_its_reason() {
        let file = |at: usize| (format!("{at}.json"), SourceFault::EmptyFile);
        let text = not_opened(&Problem::NothingShown((0..12).map(file).collect()));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 12);
        assert_eq!((lines[0], lines[10]), ("0.json: The file is empty", "and 2 more"));
        assert_eq!(not_opened(&Problem::NoFiles).lines().count(), 2);
    }

    #[test]
    fn what_was_redacted_is_counted_by_kind() {
        let text = redacted(&[(Kind::Token, 2), (Kind::Email, 1)]);
        assert_eq!(
            text,
            "Redacted 3 places: Tokens and keys of services (2), E-mail addresses (1)"
        );
        assert_eq!(redacted(&[]), "Nothing to redact was found");
    }
}
