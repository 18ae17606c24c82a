//! Why a call failed, in one line: the line of its error or result that says most.

use traceloupe_core::plain::one_line;
pub use traceloupe_core::reason::begins_with_exit_code;
use traceloupe_core::reason::{MAX_CHARS, is_about, telling_line};
use traceloupe_protocol::causes::Failure;

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

/// What a reason says beyond the badge of its row: ``exit 1`` and ``exit 1: no such file`` leave ``no such file``.
#[must_use]
pub fn beyond_badge(badge: &str, reason: &str) -> String {
    let rest = reason.strip_prefix(badge).unwrap_or(reason);
    rest.trim_start_matches([':', ' ']).to_owned()
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
            (
                "Command: /bin/zsh -lc 'go test ./planner'\nChunk ID: 0ca2fd\nProcess exited with code 1\nOutput:\n--- FAIL: TestFallback (0.00s)\n    planner_test.go:819: expected a\nFAIL\n",
                "--- FAIL: TestFallback (0.00s)",
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
    fn a_badge_is_not_said_again() {
        assert_eq!(beyond_badge("exit 1", "exit 1: no such file"), "no such file");
        assert_eq!(beyond_badge("failed", "no such file"), "no such file");
        assert_eq!(beyond_badge("Timeout", "Timeout"), "");
        assert_eq!(beyond_badge("failed", ""), "");
    }
}
