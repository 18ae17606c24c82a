//! Checks: what of a summary fails a build.

use traceloupe_core::model::RunOutcome;
use traceloupe_core::warning_code::WarningCode;
use traceloupe_protocol::finding::Severity;
use traceloupe_protocol::problem::Problem;
use traceloupe_words::command::{
    PASSED, failed_errors, failed_finding, failed_line, failed_outcome,
};
use traceloupe_words::summary::{RunSummary, Summary, problem_line, warning_line};

/// Something that a check looks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Check {
    /// Possible loops that are critical.
    Critical,
    /// Possible loops that are warnings, or critical.
    Warning,
    /// Failures that were never fixed.
    Errors,
    /// Runs that ended with an error, or were graded as failed.
    Outcome,
    /// Data that could not be read.
    Problems,
}

impl Check {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Critical, Self::Warning, Self::Errors, Self::Outcome, Self::Problems];

    /// Its stable word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Critical => "critical",
            Self::Warning => "warning",
            Self::Errors => "errors",
            Self::Outcome => "outcome",
            Self::Problems => "problems",
        }
    }

    /// The check with this word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|it| it.word() == word)
    }
}

/// Something that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failed {
    /// The check that found it.
    pub check: Check,
    /// The run, by its place in the summary; `None` for what is about files.
    pub run: Option<usize>,
    /// What was found, in words.
    pub text: String,
}

/// What the checks find.
#[must_use]
pub fn failed(summary: &Summary, checks: &[Check]) -> Vec<Failed> {
    let has = |check: Check| checks.contains(&check);
    let mut found = Vec::new();
    for (run, at) in summary.runs.iter().zip(0..) {
        let mut add = |check, text| found.push(Failed { check, run: Some(at), text });
        for finding in run.findings.iter().filter(|it| it.is_loud) {
            let check = match finding.severity {
                Severity::Critical if has(Check::Critical) => Check::Critical,
                Severity::Critical | Severity::Warning => Check::Warning,
                Severity::Info => continue,
            };
            if has(check) {
                add(check, failed_finding(finding));
            }
        }
        let n_never_fixed = run.brief.failures.n_never;
        if has(Check::Errors) && n_never_fixed > 0 {
            add(Check::Errors, failed_errors(n_never_fixed));
        }
        if has(Check::Outcome) && has_failed(run) {
            add(Check::Outcome, failed_outcome(run));
        }
    }
    if has(Check::Problems) {
        let problems = summary.problems.iter();
        let problems = problems.filter(|it| matches!(it, Problem::SourceNotShown(..)));
        let warnings = summary.warnings.iter().filter(|(code, _)| loses_data(*code));
        let texts = problems.map(problem_line);
        let texts = texts.chain(warnings.map(|(code, n)| warning_line(*code, *n)));
        found.extend(texts.map(|text| Failed { check: Check::Problems, run: None, text }));
    }
    found
}

/// What checks have found, in lines.
#[must_use]
pub fn failed_text(summary: &Summary, failed: &[Failed]) -> String {
    let line = |it: &Failed| {
        let run = it.run.and_then(|at| summary.runs.get(at));
        format!("{}\n", failed_line(run.map_or("", |run| &run.brief.title), &it.text))
    };
    match failed {
        [] => format!("{PASSED}\n"),
        failed => failed.iter().map(line).collect(),
    }
}

fn has_failed(run: &RunSummary) -> bool {
    match run.brief.outcome {
        RunOutcome::Failed | RunOutcome::GradedFail => true,
        RunOutcome::Ok
        | RunOutcome::OkWithLoops
        | RunOutcome::Answered
        | RunOutcome::HasErrors
        | RunOutcome::Running
        | RunOutcome::NoEnd
        | RunOutcome::Cancelled
        | RunOutcome::Unknown => false,
    }
}

/// Whether a part of the data could not be read.
fn loses_data(code: WarningCode) -> bool {
    use WarningCode as Code;
    match code {
        Code::BadLine
        | Code::TruncatedLastLine
        | Code::BrokenDocument
        | Code::TruncatedDocument
        | Code::TruncatedGzip
        | Code::CorruptGzip
        | Code::GzipCrc
        | Code::TruncatedZstd
        | Code::CorruptZstd
        | Code::ZstdCrc
        | Code::ZstdWindow
        | Code::Bomb
        | Code::TruncatedZip
        | Code::CorruptZip
        | Code::ZipCrc
        | Code::ZipSize
        | Code::ZipEntriesMissing
        | Code::DamagedDatabase
        | Code::RecordTooLong
        | Code::BrokenYaml
        | Code::YamlTooLong => true,
        Code::DatabaseLog
        | Code::ResultWithoutCall
        | Code::TranscodedUtf16
        | Code::FromYaml
        | Code::FromMarkdown
        | Code::FromString
        | Code::FromConsole
        | Code::CrLineEnds
        | Code::NulPadding
        | Code::SeveralValuesOnLine
        | Code::LogText
        | Code::MultiLineValues
        | Code::NonFiniteNumber
        | Code::DuplicateKey
        | Code::LoneSurrogate
        | Code::InvalidEscape
        | Code::InvalidUtf8
        | Code::TooDeep
        | Code::RawControlChar
        | Code::TrailingComma
        | Code::NotAnEvent
        | Code::UnknownRecord
        | Code::ParentCycle
        | Code::ExplorerRefuses
        | Code::EmptyFile
        | Code::LooksLikeHtml
        | Code::NotATrace => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_words::brief::{Brief, Failures};
    use traceloupe_words::summary::FoundLine;

    fn words(summary: &Summary, checks: &[Check]) -> Vec<&'static str> {
        failed(summary, checks).into_iter().map(|it| it.check.word()).collect()
    }

    #[test]
    fn a_check_finds_what_it_is_asked_for_and_nothing_else() {
        let found = |severity, is_loud| FoundLine { severity, is_loud, ..FoundLine::default() };
        let findings = vec![
            found(Severity::Critical, true),
            found(Severity::Warning, true),
            found(Severity::Warning, false),
            found(Severity::Info, false),
        ];
        let brief = Brief {
            outcome: RunOutcome::GradedFail,
            failures: Failures { n: 3, n_never: 2, ..Failures::default() },
            ..Brief::default()
        };
        let run = RunSummary { brief, findings, ..RunSummary::default() };
        let summary = Summary {
            runs: vec![RunSummary::default(), run],
            problems: vec![Problem::NoEvents],
            warnings: vec![(WarningCode::BadLine, 1), (WarningCode::DuplicateKey, 1)],
        };
        assert_eq!(words(&summary, &[]), [""; 0]);
        assert_eq!(words(&summary, &[Check::Critical]), ["critical"]);
        assert_eq!(words(&summary, &[Check::Warning]), ["warning", "warning"]);
        assert_eq!(words(&summary, &[Check::Warning, Check::Critical]), ["critical", "warning"]);
        let all = failed(&summary, &Check::ALL);
        assert_eq!(all.len(), 5);
        assert_eq!(all.iter().filter(|it| it.run == Some(1)).count(), 4);
        assert_eq!(all.last().unwrap().check, Check::Problems);
    }

    #[test]
    fn checks_are_found_by_their_words() {
        assert!(Check::ALL.into_iter().all(|it| Check::from_word(it.word()) == Some(it)));
        assert_eq!(Check::from_word("info"), None);
    }
}
