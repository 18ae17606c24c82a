//! Why a call failed, in one line: the line of its error or result that says most.

use crate::plain;
use crate::view::wire::causes::Failure;
use crate::view::words::one_line;

/// The longest reason, in characters.
const MAX_CHARS: usize = 160;

/// Words of lines that say what went wrong, in lower case.
const TELLING: [&str; 12] = [
    "error",
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

/// How lines begin that state the exit code of a command.
const EXIT_CODES: [&str; 2] = ["Exit code", "Process exited with code"];

/// How lines begin that a harness writes about a command.
const ABOUT: [&str; 9] = [
    "Chunk ID:",
    "Command:",
    "Exit code",
    "Original token count:",
    "Output:",
    "Process exited with code",
    "Process running with session ID",
    "Total output lines:",
    "Wall time",
];

/// Why an event failed, with the type of the error; empty if nothing is known.
#[must_use]
pub fn reason(failure: &Failure) -> String {
    let line = telling_line(&failure.text);
    match (failure.kind.as_str(), line.as_str()) {
        ("", _) => line,
        (kind, words) if words.is_empty() || is_about(words) => one_line(kind, MAX_CHARS),
        (kind, words) if words.contains(kind) => line,
        (kind, words) => one_line(&format!("{kind}: {words}"), MAX_CHARS),
    }
}

fn is_about(line: &str) -> bool {
    ABOUT.iter().any(|about| line.starts_with(about))
}

/// A reason without what differs each time: numbers, and paths.
#[must_use]
pub fn masked(reason: &str) -> String {
    let word = |word: &str| match word.contains(['/', '\\']) {
        true => "/".to_owned(),
        false => word.chars().filter(|char| !char.is_ascii_digit()).collect(),
    };
    reason.split(' ').map(word).collect::<Vec<String>>().join(" ")
}

/// The line that says what went wrong: of a stack of Python the last one, else the first that has a word of
/// failure, else the first.
fn telling_line(text: &str) -> String {
    let text: &str = &plain::words(text);
    let lines: Vec<String> = text.lines().map(|line| one_line(line, MAX_CHARS)).collect();
    let is_said = |line: &&String| line.contains(char::is_alphanumeric) && !is_about(line);
    let is_telling = |line: &str| {
        let line = line.to_ascii_lowercase();
        TELLING.iter().any(|word| line.contains(word))
    };
    let mut said = lines.iter().filter(is_said);
    // Without words a code tells more than what else is written about a command.
    let is_code = |line: &&String| EXIT_CODES.iter().any(|it| line.starts_with(it));
    let any = lines.iter().find(is_code).or_else(|| lines.iter().find(|it| !it.is_empty()));
    let first = said.clone().next().or(any);
    let found = match lines.iter().any(|line| line.starts_with("Traceback (most recent")) {
        true => said.next_back().or(first),
        false => said.clone().find(|line| is_telling(line)).or(first),
    };
    let Some(found) = found else { return String::new() };
    // A word alone is a heading of what follows.
    let is_heading = found.ends_with(':') && !found.contains(' ');
    match said.skip_while(|line| !std::ptr::eq(*line, found)).nth(1).filter(|_| is_heading) {
        Some(next) => one_line(&format!("{found} {next}"), MAX_CHARS),
        None => found.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(kind: &str, text: &str) -> String {
        reason(&Failure { id: 1, kind: kind.to_owned(), text: text.to_owned() })
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
            ("", ""),
        ];
        for (text, expect) in cases {
            assert_eq!(of("", text), expect, "{text}");
        }
    }

    #[test]
    fn the_type_of_the_error_stands_before_its_message() {
        assert_eq!(of("Timeout", "late"), "Timeout: late");
        assert_eq!(of("Timeout", "Timeout after 3 s"), "Timeout after 3 s");
        assert_eq!(of("Timeout", ""), "Timeout");
        assert_eq!(of("exit 1", "Exit code 1"), "exit 1");
        let running =
            "Chunk ID: 5a0c8d\nWall time: 5 seconds\nProcess running with session ID 7\nOutput:";
        assert_eq!(of("exit 2", running), "exit 2");
    }

    #[test]
    fn numbers_and_paths_make_no_difference() {
        assert_eq!(masked("line 12: /a/b.py: no"), masked("line 3: /c: no"));
        assert_ne!(masked("rg: not found"), masked("fd: not found"));
    }
}
