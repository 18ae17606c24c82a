//! What a test of Go failed with. Go prints it after the name of the test, or before it while the tests run (`-v`).

use super::lines::Line;

/// The line that the failed test in the line `test` has logged, if there is one.
pub(super) fn logged(test: usize, lines: &[&Line<'_>]) -> Option<usize> {
    let name = lines.get(test)?.text.strip_prefix("--- FAIL: ")?.split(' ').next()?;
    let is_of_test = |other: &str| {
        other.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let numbered = || lines.iter().enumerate();
    // Its subtests follow it.
    let is_result_of_other = |line: &Line<'_>| {
        let other = line.text.strip_prefix("--- ").and_then(|it| it.split(' ').nth(1));
        line.text.starts_with("=== ") || other.is_some_and(|it| !is_of_test(it))
    };
    let after = numbered().skip(test + 1).take_while(|it| !is_result_of_other(it.1));
    let after: Vec<usize> = after.filter(|it| is_logged(it.1)).map(|it| it.0).collect();
    if let Some(found) = failing(&after, lines) {
        return Some(found);
    }
    // Tests that run at the same time log in turn.
    let is_result = |line: &Line<'_>| line.text.starts_with("--- ") && !line.is_indented();
    let from = lines.iter().take(test).rposition(|it| is_result(it)).map_or(0, |at| at + 1);
    let mut is_own = true;
    let mut before = Vec::new();
    for (at, line) in numbered().take(test).skip(from) {
        if let Some(other) = section(line.text) {
            is_own = is_of_test(other);
        } else if is_own && is_logged(line) {
            before.push(at);
        }
    }
    failing(&before, lines)
}

/// The test whose output follows a line: `=== RUN   TestLamp`.
fn section(line: &str) -> Option<&str> {
    let (what, name) = line.strip_prefix("=== ")?.split_once(' ')?;
    ["RUN", "CONT", "NAME"].contains(&what).then(|| name.trim())
}

/// Whether a test has logged the line. Frames of a panic name the file as well.
fn is_logged(line: &Line<'_>) -> bool {
    line.text.starts_with("panic: ")
        || line.is_indented() && line.text.contains("_test.go:") && !line.text.contains(" +0x")
}

/// The line with which a test failed: a test logs other things as well. It logs the failure last, unless the words of
/// another line state one.
fn failing(found: &[usize], lines: &[&Line<'_>]) -> Option<usize> {
    let is_failure = |at: &&usize| lines.get(**at).is_some_and(|it| has_failed(it.text));
    found.iter().find(is_failure).or(found.last()).copied()
}

fn has_failed(line: &str) -> bool {
    const WORDS: [&str; 14] = [
        "panic:",
        "want",
        "got ",
        "should",
        "unexpected",
        "expected",
        "mismatch",
        "error",
        "fail",
        "timed out",
        "invalid",
        "missing",
        "not ",
        "nil",
    ];
    let line = line.to_ascii_lowercase();
    // The message may be on lines of its own.
    line.ends_with(':') || !line.contains(": warning:") && WORDS.iter().any(|it| line.contains(it))
}
