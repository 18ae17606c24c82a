//! Why something failed: the line of an error or a result that states what went wrong, and the kind of that line.

mod go_test;
mod lines;
mod telling;

use serde::{Deserialize, Serialize};

use crate::mask::masked_reason;
use crate::model::ErrorLabel;
use lines::words_of;

/// The kind of text that states why something failed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum ReasonClass {
    /// Not known.
    #[default]
    Unknown,
    /// The diagnostics of a compiler or a linter.
    Compiler,
    /// The report of a test runner.
    Test,
    /// An exception, with or without its traceback.
    Traceback,
    /// What a shell or a command says, or its exit code.
    Shell,
    /// The status of an HTTP response.
    Http,
    /// The message of an error in JSON.
    JsonError,
    /// A sentence from the tool itself.
    ToolMessage,
}

/// Why something failed.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Reason {
    /// The kind of text that states the reason.
    pub class: ReasonClass,
    /// The type of the error or the exit code, unless the line also contains it.
    pub error: ErrorLabel<String>,
    /// The most informative line of the file, at most [`MAX_CHARS`] characters; empty if there is none.
    pub line: String,
}

impl Reason {
    /// The reason in a text, in addition to what the file states about the error.
    #[must_use]
    pub fn of(error: ErrorLabel<String>, text: &str) -> Self {
        let (found, line) = telling::find(text);
        let class = match found {
            ReasonClass::Unknown if error.exit_code().is_some() || has_exit_code(text) => {
                ReasonClass::Shell
            }
            ReasonClass::Unknown if !line.is_empty() => ReasonClass::ToolMessage,
            found => found,
        };
        if error.is_none() {
            return Self { class, error, line };
        }
        if line.is_empty() || is_about(&line) {
            return Self { class, error, line: String::new() };
        }
        let is_said = match &error {
            ErrorLabel::Type(name) => line.contains(name.as_str()),
            ErrorLabel::ExitCode(code) | ErrorLabel::PrintedExitCode(code) => {
                let code = code.to_string();
                words_of(&line).windows(2).any(|pair| pair == ["exit", code.as_str()])
            }
            ErrorLabel::None => true,
        };
        Self { class, error: if is_said { ErrorLabel::None } else { error }, line }
    }

    /// The reason that is known without a text: what the file states about the error.
    #[must_use]
    pub fn of_label(error: ErrorLabel<String>) -> Self {
        let class = match error.exit_code() {
            Some(_) => ReasonClass::Shell,
            None => ReasonClass::Unknown,
        };
        Self { class, error, line: String::new() }
    }

    /// Whether nothing is known.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.error.is_none() && self.line.is_empty()
    }

    /// The key for grouping equal failures: the class, the error, and the line without what differs each time. Exit codes
    /// make no difference.
    #[must_use]
    pub fn key(&self) -> String {
        let line = masked_reason(&self.line);
        match &self.error {
            ErrorLabel::None => line.into_owned(),
            ErrorLabel::ExitCode(_) | ErrorLabel::PrintedExitCode(_) => format!("\0{line}"),
            ErrorLabel::Type(name) => format!("{}: {line}", masked_reason(name)),
        }
    }
}

/// Whether one of the lines of a text states the exit code of a command.
fn has_exit_code(text: &str) -> bool {
    text.lines().any(|line| begins_with_exit_code(line.trim()))
}

/// The beginning of a Python traceback.
const BEGINS_TRACEBACK: &str = "Traceback (most recent";

/// The longest reason, in characters. What differs may come late in a line, after the name of a test or a path.
pub const MAX_CHARS: usize = 400;

/// A suffix that Jest and Vitest append to the values that they compare.
const OF_MATCHERS: &str = " // Object.is equality";

/// Beginnings of lines that state the exit code of a command.
const EXIT_CODES: [&str; 4] = ["EXIT CODE", "Exit Code", "Exit code", "Process exited with code"];

/// Beginnings of lines that a harness writes about a command.
const ABOUT: [&str; 25] = [
    "> ",
    "Background PIDs:",
    "Chunk ID:",
    "Command:",
    "Completed At:",
    "Created At:",
    "Directory:",
    "EXIT CODE",
    "Error: (none)",
    "Exit Code",
    "Exit code",
    "Original token count:",
    "Output: (empty)",
    "Output:",
    "Process Group PGID:",
    "Process exited with code",
    "Process running with session ID",
    "STDERR:",
    "STDOUT:",
    "Signal:",
    "Stderr:",
    "Stdout:",
    "Total output lines:",
    "Wall time",
    "[exit code",
];

/// Whether a harness wrote the line about a command.
#[must_use]
pub fn is_about(line: &str) -> bool {
    ABOUT.iter().any(|about| line.starts_with(about))
}

/// Whether a text begins with the exit code of a command.
#[must_use]
pub fn begins_with_exit_code(text: &str) -> bool {
    EXIT_CODES.iter().any(|words| text.starts_with(words))
}

/// The line that states what went wrong; empty if there is none.
///
/// It is the line with the most informative form: the diagnostics of a compiler, what a test compares, the exception at
/// the end of a traceback, what a shell or a program says, the status of an HTTP response, any line with a word for a
/// failure. If there is none, it is the last line of a command that states its exit code, and the first line of any
/// other text. What a program writes after the reason counts only if there is nothing else.
#[must_use]
pub fn telling_line(text: &str) -> String {
    telling::find(text).1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_harness_writes_about_a_command_is_no_reason() {
        let told =
            "Created At: 2026-10-23T07:37:38Z\nCompleted At: 2026-10-23T07:37:40Z\nno such pier";
        assert_eq!(telling_line(told), "no such pier");
    }

    #[test]
    fn a_command_without_a_word_of_failure_says_why_at_the_end() {
        let told = "Process exited with code 1\nOutput:\nOn branch main\n  (use \"git push\")\n\nnothing to commit\n";
        assert_eq!(telling_line(told), "nothing to commit");
        assert_eq!(telling_line("On branch main\nnothing to commit"), "On branch main");
    }

    #[test]
    fn what_was_expected_says_more_than_how_many_tests_failed() {
        let vitest = "Exit code 1\n> vitest run\n ✓ a.test.ts (14 tests) 214ms\n ❯ b.test.ts (24 tests | 1 failed)\n   × total > rounds once\n     → expected 4249 to be 4250\n FAIL b.test.ts";
        assert_eq!(telling_line(vitest), "expected 4249 to be 4250");
        let pytest = "collected 2 items\n\n=== FAILURES ===\n___ test_sum ___\n>   assert add(1) == 3\nE   assert 2 == 3\n=== 1 failed, 1 passed ===";
        assert_eq!(telling_line(pytest), "assert 2 == 3");
        assert_eq!(telling_line("ran 3\n3 failed"), "3 failed");
    }

    #[test]
    fn how_two_values_were_compared_is_no_reason() {
        let said = "AssertionError: expected 4249 to be 4250 // Object.is equality";
        assert_eq!(telling_line(said), "AssertionError: expected 4249 to be 4250");
    }

    #[test]
    fn the_line_that_says_what_went_wrong_is_the_reason() {
        let cases = [
            (
                "Exit code 127\nbash: line 1: rg: command not found",
                "bash: line 1: rg: command not found",
            ),
            ("Exit code 1", "Exit code 1"),
            ("\n  compiling\nerror[E0308]: mismatched\nmore", "error[E0308]: mismatched"),
            ("nothing here\nsecond", "nothing here"),
            ("ERROR:\nno `path`\nmore", "ERROR: no `path`"),
            ("<tool_use_error>It failed</tool_use_error>", "It failed"),
            ("Chunk ID: 5a0c8d\nWall time: 0.05 seconds\nOutput:\n---\na.rs", "a.rs"),
            (
                "Chunk ID: 5a0c8d\nWall time: 0.05 seconds\nProcess exited with code 3\nOriginal token count: 0\nOutput:\n",
                "Process exited with code 3",
            ),
            (
                "running\nTraceback (most recent call last):\n  File \"a.py\", line 3\n    x()\nValueError: no\n\n",
                "ValueError: no",
            ),
            (
                "Command: /bin/zsh -lc 'go test ./planner'\nChunk ID: 0ca2fd\nProcess exited with code 1\nOutput:\n--- FAIL: TestFallback (0.00s)\n    planner_test.go:819: expected a\nFAIL\n",
                "--- FAIL: TestFallback (0.00s) planner_test.go:819: expected a",
            ),
            ("", ""),
        ];
        for (text, expect) in cases {
            assert_eq!(telling_line(text), expect, "{text}");
        }
    }

    #[test]
    fn the_type_of_the_error_is_kept_where_the_line_does_not_say_it() {
        let timeout = || ErrorLabel::Type("Timeout".to_owned());
        let of = |error: ErrorLabel<String>, text: &str| {
            let reason = Reason::of(error, text);
            (reason.error, reason.line)
        };
        let line = |line: &str| line.to_owned();
        assert_eq!(of(timeout(), "late"), (timeout(), line("late")));
        assert_eq!(of(timeout(), "Timeout after 3 s").0, ErrorLabel::None);
        assert_eq!(of(timeout(), ""), (timeout(), line("")));
        let code = ErrorLabel::ExitCode;
        assert_eq!(of(code(1), "Exit code 1"), (code(1), line("")));
        let running =
            "Chunk ID: 5a0c8d\nWall time: 5 seconds\nProcess running with session ID 7\nOutput:";
        assert_eq!(of(code(2), running), (code(2), line("")));
    }

    #[test]
    fn the_class_is_known_by_the_form_of_the_line() {
        let class = |error, text: &str| Reason::of(error, text).class;
        let (none, code) = (ErrorLabel::None, || ErrorLabel::ExitCode(1));
        let stack = "Traceback (most recent call last):\n  x()\nValueError: no";
        assert_eq!(class(none.clone(), stack), ReasonClass::Traceback);
        assert_eq!(class(code(), "× a\n→ expected 1 to be 2\n3 failed"), ReasonClass::Test);
        assert_eq!(class(code(), "a.rs:3:5: error: no"), ReasonClass::Compiler);
        assert_eq!(class(code(), "it is late"), ReasonClass::Shell);
        assert_eq!(class(none.clone(), "Exit code 1\nit is late"), ReasonClass::Shell);
        assert_eq!(class(none.clone(), "it is late"), ReasonClass::ToolMessage);
        assert_eq!(class(none.clone(), "Request failed with status code 502"), ReasonClass::Http);
        assert_eq!(class(none.clone(), r#"{"error":{"message":"no"}}"#), ReasonClass::JsonError);
        assert_eq!(class(none, ""), ReasonClass::Unknown);
    }
}
