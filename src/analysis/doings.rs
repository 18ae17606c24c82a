//! What a call does, as far as that matters for loops: by the name of its tool, its command, and the text of its result.

use traceloupe_core::model::ErrorLabel;
use traceloupe_core::reason::{Reason, ReasonClass};
use traceloupe_core::text::command::{changes_files, programs_of};
use traceloupe_core::tools::{Does, Purposes};

/// What a call does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Doing {
    /// Not known.
    #[default]
    Other,
    /// It changes something.
    Changes,
    /// It looks something up.
    Looks,
    /// It goes on in something that it has opened: the same call shows something else each time.
    Pages,
    /// It waits for something else to happen, or looks whether it has.
    Waits,
}

/// Programs that look something up.
const LOOK_UPS: [&str; 18] = [
    "ag", "cat", "fd", "file", "find", "grep", "head", "locate", "ls", "rg", "sed", "stat", "tail",
    "tree", "type", "wc", "whereis", "which",
];

/// What the calls of a tool do, judging by its name: `MultiEdit`, `fs.write_file`. Tools that change something answer with
/// a confirmation.
pub(super) fn of_tool(name: &str) -> Doing {
    let purposes = Purposes::of(name);
    if purposes.has(Does::Types) {
        // Input to a running process is answered with the output of the process.
        Doing::Other
    } else if purposes.has_any(&[Does::Edits, Does::Changes, Does::Plans]) {
        Doing::Changes
    } else if purposes.has(Does::Waits) {
        Doing::Waits
    } else if purposes.has(Does::Pages) {
        Doing::Pages
    } else if purposes.has_any(&[Does::Searches, Does::Reads, Does::Peeks]) {
        Doing::Looks
    } else {
        Doing::Other
    }
}

/// The command with which an editor shows a file.
pub(super) const VIEW: &str = "view";

/// Whether a tool changes something, by its name: `MultiEdit`, `apply_patch`, `fs.write_file`.
#[must_use]
pub fn changes_something(name: &str) -> bool {
    of_tool(name) == Doing::Changes
}

/// What a call does whose tool runs commands or types into a terminal. `None` as a command: nothing was typed.
pub(super) fn of_command(command: Option<&str>) -> Doing {
    let Some(command) = command.filter(|it| !it.trim().is_empty()) else { return Doing::Waits };
    // Other variables may change what the next command does.
    let sets = |word: &&str| command.trim_start().starts_with(*word);
    if changes_files(command) || ["export ", "source ", "unset "].iter().any(sets) {
        return Doing::Changes;
    }
    let programs = programs_of(command);
    let is = |known: &[&str]| programs.iter().all(|it| known.contains(&it.as_str()));
    if programs.is_empty() {
        Doing::Other
    } else if is(&["sleep", "wait"]) {
        Doing::Waits
    } else if is(&LOOK_UPS) {
        Doing::Looks
    } else {
        Doing::Other
    }
}

/// Texts with which tools say that they found nothing, in lower case.
const NOTHING: [&str; 11] = [
    "0 matches",
    "found 0 ",
    "no content",
    "no files",
    "no match",
    "no output",
    "no results",
    "not found",
    "no such file",
    "nothing found",
    "none found",
];

/// A longer result has something to say.
const MAX_NOTHING_BYTES: usize = 240;

/// Whether a result says that there is nothing.
pub(super) fn is_nothing(result: &str) -> bool {
    let result = result.trim();
    result.len() <= MAX_NOTHING_BYTES && {
        let lower = result.to_ascii_lowercase();
        ["", "[]", "{}", "null", "none"].contains(&lower.as_str())
            || NOTHING.iter().any(|text| lower.contains(text))
    }
}

/// Beginnings of lines with which programs say that they failed.
const FAILURES: [&str; 8] = [
    "Traceback (most recent",
    "FAILED",
    "FAIL:",
    "--- FAIL",
    "error:",
    "Error:",
    "fatal:",
    "panic:",
];

/// Whether a result says that the call failed.
pub(super) fn is_failure(result: &str) -> bool {
    let is = |line: &str| FAILURES.iter().any(|start| line.starts_with(start));
    result.lines().any(is) || result.contains(": command not found")
}

/// Whether the line of a failed result that tells most is an exception or the diagnostics of a compiler. That of a test
/// may be its name alone.
pub(super) fn says_why(result: &str) -> bool {
    let class = Reason::of(ErrorLabel::None, result).class;
    matches!(class, ReasonClass::Traceback | ReasonClass::Compiler)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tools_say_what_they_do() {
        for (name, doing) in [
            ("MultiEdit", Doing::Changes),
            ("TodoWrite", Doing::Changes),
            ("fs.write_file", Doing::Changes),
            ("write_stdin", Doing::Other),
            ("BashOutput", Doing::Waits),
            ("TaskOutput", Doing::Waits),
            ("wait_for_notification", Doing::Waits),
            ("scroll_down", Doing::Pages),
            ("search_dir", Doing::Looks),
            ("Grep", Doing::Looks),
            ("Bash", Doing::Other),
            ("editor", Doing::Other),
        ] {
            assert_eq!(of_tool(name), doing, "{name}");
        }
    }

    #[test]
    fn commands_say_what_they_do() {
        for (command, doing) in [
            (None, Doing::Waits),
            (Some(" \n"), Doing::Waits),
            (Some("sleep 5"), Doing::Waits),
            (Some("grep -rn x src | head -3"), Doing::Looks),
            (Some("cargo test"), Doing::Other),
            (Some("echo x > f"), Doing::Changes),
            (Some("export PATH=$PATH:/opt/jdk/bin"), Doing::Changes),
        ] {
            assert_eq!(of_command(command), doing, "{command:?}");
        }
    }

    #[test]
    fn results_that_say_that_a_call_failed() {
        assert!(is_failure("ran 3 tests\nFAILED a::b\n"));
        assert!(is_failure("/bin/bash: line 1: javac: command not found"));
        assert!(!is_failure("no error: all well"));
    }

    #[test]
    fn results_that_say_nothing() {
        for text in ["", " \n", "[]", "No matches found for \"x\" in src", "(no output)"] {
            assert!(is_nothing(text), "{text}");
        }
        assert!(!is_nothing("src/a.rs:3: x"));
    }
}
