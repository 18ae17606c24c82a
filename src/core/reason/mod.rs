//! Why something failed: the line of an error or a result that states what went wrong, and the kind of that line.

use serde::{Deserialize, Serialize};

use crate::model::ErrorLabel;
use crate::visible_text::{one_line, visible_text};

/// The kind of text that states why something failed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub enum ReasonClass {
    /// Not known.
    #[default]
    Unknown,
    /// The diagnostics of a compiler. Not distinguished yet.
    Compiler,
    /// The report of a test runner.
    Test,
    /// A Python traceback with its exception.
    Traceback,
    /// The output of a command that states its exit code.
    Shell,
    /// The status of an HTTP response. Not distinguished yet.
    Http,
    /// An error in JSON. Not distinguished yet.
    JsonError,
    /// A sentence from the tool itself. Not distinguished yet.
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
        let line = telling_line(text);
        let class = class_of(&error, text);
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

    /// Whether nothing is known.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.error.is_none() && self.line.is_empty()
    }

    /// The key for grouping equal failures: the error and the line, without parts that differ each time, such as exit
    /// codes.
    #[must_use]
    pub fn key(&self) -> String {
        let line = masked(&self.line);
        match &self.error {
            ErrorLabel::None => line,
            ErrorLabel::ExitCode(_) | ErrorLabel::PrintedExitCode(_) => format!("\0{line}"),
            ErrorLabel::Type(name) => format!("{}: {line}", masked(name)),
        }
    }
}

/// The kind of text.
fn class_of(error: &ErrorLabel<String>, text: &str) -> ReasonClass {
    let text: &str = &visible_text(text);
    let has = |is: &dyn Fn(&str) -> bool| text.lines().any(|line| is(line.trim()));
    if has(&|line| line.starts_with(TRACEBACK)) {
        ReasonClass::Traceback
    } else if text.contains(OF_MATCHERS.trim_start()) || has(&counts_failures) {
        ReasonClass::Test
    } else if error.exit_code().is_some() || has(&begins_with_exit_code) {
        ReasonClass::Shell
    } else {
        ReasonClass::Unknown
    }
}

/// The beginning of a Python traceback.
const TRACEBACK: &str = "Traceback (most recent";

/// The longest reason, in characters.
pub const MAX_CHARS: usize = 160;

/// Words of lines that state what went wrong, in lower case.
const TELLING: [&str; 14] = [
    "error",
    "assert",
    "expected",
    "exception",
    "panic",
    "fail",
    "denied",
    "not found",
    "no such",
    "timeout",
    "timed out",
    "cannot",
    "invalid",
    "fatal",
];

/// A suffix that Jest and Vitest append to the values that they compare.
const OF_MATCHERS: &str = " // Object.is equality";

/// Beginnings of lines that state the exit code of a command.
const EXIT_CODES: [&str; 2] = ["Exit code", "Process exited with code"];

/// Beginnings of lines that a harness writes about a command.
const ABOUT: [&str; 11] = [
    "Chunk ID:",
    "Command:",
    "Completed At:",
    "Created At:",
    "Exit code",
    "Original token count:",
    "Output:",
    "Process exited with code",
    "Process running with session ID",
    "Total output lines:",
    "Wall time",
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

/// A reason without parts that differ each time: numbers and paths. Expected values keep their numbers, which
/// distinguish them.
#[must_use]
pub fn masked(reason: &str) -> String {
    let mut masked = String::new();
    let says_numbers = reason.to_ascii_lowercase().contains("expected");
    for (at, word) in reason.split(' ').enumerate() {
        if at > 0 {
            masked.push(' ');
        }
        match word.contains(['/', '\\']) {
            true => masked.push('/'),
            false => {
                masked.extend(word.chars().filter(|char| says_numbers || !char.is_ascii_digit()))
            }
        }
    }
    masked
}

/// The words of a line.
fn words_of(line: &str) -> Vec<&str> {
    line.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

/// Whether a line counts failures, as test runners do (`1 failed | 37 passed`).
fn counts_failures(line: &str) -> bool {
    words_of(line).windows(2).any(|pair| {
        let [n, word] = pair else { return false };
        let is_counted = ["failed", "failures", "failure", "errors"];
        n.bytes().all(|byte| byte.is_ascii_digit()) && is_counted.contains(word)
    })
}

/// Whether a line only counts failures, or is a heading above them (`=== FAILURES ===`). Such a line is used as a
/// reason only if there is no other.
fn is_count_or_heading(line: &str) -> bool {
    counts_failures(line) || words_of(line).len() == 1 && !line.ends_with(':')
}

/// A line without the signs and letters that test runners put at its beginning: `× `, `→ `, `E `.
fn without_sign(line: &str) -> &str {
    let rest = line.trim_start_matches(|char: char| !char.is_ascii() && !char.is_alphanumeric());
    if rest.len() < line.len() {
        rest.trim_start()
    } else {
        line.strip_prefix("E ").unwrap_or(line)
    }
}

/// The line that states what went wrong; empty if there is none. In a Python traceback it is the last line, otherwise
/// the first one with a word for a failure. If there is no such word, it is the last line of a command that states its
/// exit code, and the first line of any other text.
#[must_use]
pub fn telling_line(text: &str) -> String {
    let text: &str = &visible_text(text);
    let lines: Vec<String> = text.lines().map(|line| one_line(line, MAX_CHARS)).collect();
    let is_said = |line: &&String| line.contains(char::is_alphanumeric) && !is_about(line);
    let is_telling = |line: &str| {
        let line = line.to_ascii_lowercase();
        TELLING.iter().any(|word| line.contains(word))
    };
    let said = lines.iter().filter(is_said);
    // If no line has such a word, an exit code is more informative than the other lines about a command.
    let is_code = |line: &&String| EXIT_CODES.iter().any(|it| line.starts_with(it));
    let code = lines.iter().find(is_code);
    let any = code.or_else(|| lines.iter().find(|it| !it.is_empty()));
    let first = said.clone().next().or(any);
    let last = said.clone().next_back().or(first);
    let found = match lines.iter().any(|line| line.starts_with(TRACEBACK)) {
        true => last,
        false => {
            let usual = if code.is_some() { last } else { first };
            let telling = || said.clone().filter(|line| is_telling(line));
            telling().find(|line| !is_count_or_heading(line)).or_else(|| telling().next()).or(usual)
        }
    };
    let Some(found) = found else { return String::new() };
    // A single word is a heading of the lines after it.
    let is_heading = found.ends_with(':') && !found.contains(' ');
    match said.skip_while(|line| !std::ptr::eq(*line, found)).nth(1).filter(|_| is_heading) {
        Some(next) => one_line(&format!("{found} {next}"), MAX_CHARS),
        None => without_sign(found).trim_end_matches(OF_MATCHERS).to_owned(),
    }
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
        assert_eq!(telling_line(pytest), "> assert add(1) == 3");
        assert_eq!(telling_line("ran 3\n3 failed"), "3 failed");
    }

    #[test]
    fn how_two_values_were_compared_is_no_reason() {
        let said = "AssertionError: expected 4249 to be 4250 // Object.is equality";
        assert_eq!(telling_line(said), "AssertionError: expected 4249 to be 4250");
    }

    #[test]
    fn numbers_and_paths_make_no_difference() {
        assert_eq!(masked("line 12: /a/b.py: no"), masked("line 3: /c: no"));
        assert_ne!(masked("rg: not found"), masked("fd: not found"));
        assert_ne!(masked("expected 4249 to be 4250"), masked("expected 120 to be 100"));
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
                "--- FAIL: TestFallback (0.00s)",
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
    fn the_kind_of_words_is_known_by_their_form() {
        let class = |error, text: &str| Reason::of(error, text).class;
        let stack = "Traceback (most recent call last):\n  x()\nValueError: no";
        assert_eq!(class(ErrorLabel::None, stack), ReasonClass::Traceback);
        assert_eq!(class(ErrorLabel::ExitCode(1), "× a\n3 failed | 7 passed"), ReasonClass::Test);
        assert_eq!(class(ErrorLabel::ExitCode(1), "no such file"), ReasonClass::Shell);
        assert_eq!(class(ErrorLabel::None, "Exit code 1\nno"), ReasonClass::Shell);
        assert_eq!(class(ErrorLabel::None, "no such file"), ReasonClass::Unknown);
    }
}
