//! The lines of an output, and those of them that say nothing about a failure: what a harness writes about a command,
//! and what a program writes after the reason.

use super::is_about;

/// A line of an output.
pub(super) struct Line<'a> {
    /// Without white space at its ends.
    pub(super) text: &'a str,
    /// The number of bytes of white space before it.
    pub(super) indent: usize,
    /// Whether it begins with a sign of a test runner: `×`, `→`.
    pub(super) has_sign: bool,
    /// Whether the next line says where it applies: `--> src/a.py:3:5`.
    pub(super) has_place: bool,
}

impl<'a> Line<'a> {
    fn new(line: &'a str) -> Self {
        // Gemini CLI and Qwen Code begin the output of a command on the line of its label.
        let output = line.strip_prefix("Output: ").filter(|it| !it.starts_with("(empty)"));
        let line = output.unwrap_or(line);
        let text = line.trim();
        let indent = line.len() - line.trim_start().len();
        let has_sign = text.starts_with(|char: char| !char.is_ascii());
        Self { text, indent, has_sign, has_place: false }
    }

    /// Whether there is nothing to read.
    pub(super) fn is_empty(&self) -> bool {
        !self.text.contains(char::is_alphanumeric)
    }

    /// Whether it is indented.
    pub(super) fn is_indented(&self) -> bool {
        self.indent > 0
    }

    /// The line without what programs put at its beginning: signs (`× `), `E `, `[stderr] `, the time.
    pub(super) fn bare(&self) -> &'a str {
        let is_sign = |char: char| !char.is_ascii() && !char.is_alphanumeric();
        let rest = self.text.trim_start_matches(is_sign).trim_start();
        let rest = rest.strip_prefix("E ").map_or(rest, str::trim_start);
        let rest = without_tag(rest);
        let is_clock = |char: char| char.is_ascii_digit() || char == ':' || char == '.';
        match rest.split_once(' ') {
            Some((time, rest)) if time.len() >= 8 && time.chars().all(is_clock) => {
                rest.trim_start()
            }
            _ => rest,
        }
    }
}

/// A line without the tag at its beginning: `[lint] `, `stderr: `.
fn without_tag(line: &str) -> &str {
    if let Some(rest) = line.strip_prefix("stderr: ") {
        return rest;
    }
    let tagged = line.strip_prefix('[').and_then(|it| it.split_once("] "));
    match tagged {
        Some((tag, rest)) if !tag.contains([' ', '[']) && !rest.is_empty() => {
            rest.trim_start().trim_start_matches("| ").trim_start()
        }
        _ => line,
    }
}

/// The lines of a text.
pub(super) fn lines_of(text: &str) -> Vec<Line<'_>> {
    // A carriage return begins a line of progress anew.
    let mut lines: Vec<Line<'_>> = text.split(['\n', '\r']).map(Line::new).collect();
    let mut after = lines.iter_mut().rev();
    let mut is_place = after.next().is_some_and(|it| it.text.starts_with("--> "));
    for line in after {
        line.has_place = is_place;
        is_place = line.text.starts_with("--> ");
    }
    lines
}

/// Beginnings of lines that a program writes after, or around, the reason.
const TRAILERS: [&str; 66] = [
    // Where PowerShell found an error: before or after it.
    "+ ~",
    "+ CategoryInfo",
    "+ FullyQualifiedErrorId",
    "At line:",
    "Build failed with",
    "Command exited with code",
    "(Command exited with code",
    "Command failed",
    "Completed with",
    "ELIFECYCLE",
    "ERROR task failed",
    "Error: Command failed",
    "Error: Error while running build",
    "Error: Job ",
    "Error: Process completed with exit code",
    "FAILED (",
    "Failed to compile",
    "Failed Tests",
    "Failed with exit code",
    "For more information about this error",
    "Lifecycle script",
    "Node.js v",
    "Some errors have",
    "Test Files",
    "Test Suites:",
    "Test failed. See above",
    "Tests:",
    "The stash entry",
    "The above exception",
    "To rerun your build",
    "[error] tool reported failure",
    "[metadata]",
    "[stderr]",
    "[stdout]",
    "compilation terminated",
    "did you mean",
    "During handling of the above",
    "error Command failed",
    "error: aborting due to",
    "error: build failed",
    "error: could not compile",
    "error: process didn't exit",
    "error: recipe",
    "error: script \"",
    "error: subprocess-exited-with-error",
    "error: test failed, to rerun",
    "error: metadata-generation-failed",
    "exit status",
    "exit code",
    "exitcode:",
    "failures:",
    // `ssh` says before it why.
    "fatal: Could not read from remote repository",
    "gmake: ***",
    "hint:",
    "info Visit",
    "make: ***",
    "make[",
    "ninja: build stopped",
    "note:",
    "npm ERR! A complete log",
    "npm ERR! code ELIFECYCLE",
    "npm ERR! errno",
    "npm ERR! path",
    "npm error A complete log",
    "warning:",
    "Warning:",
];

/// Scripts that a shell runs when it starts, whatever it is told to do.
const AT_START: [&str; 5] =
    ["/Library/Homebrew/", "/.bashrc: ", "/.bash_profile: ", "/.zshrc:", "/.zshenv:"];

/// Whether a line is written after the reason, or around it: it is the reason only if there is no other.
pub(super) fn is_trailer(line: &Line<'_>) -> bool {
    let bare = line.bare();
    let is_npm_detail = ["npm ERR! ", "npm error "].iter().any(|begin| {
        bare.strip_prefix(begin).is_some_and(|rest| {
            let first = rest.split(' ').next().unwrap_or_default();
            [
                "command",
                "code",
                "errno",
                "path",
                "workspace",
                "location",
                "syscall",
                "Lifecycle",
                "in",
            ]
            .contains(&first)
        })
    });
    TRAILERS.iter().any(|begin| bare.starts_with(begin) || line.text.starts_with(begin))
        || is_npm_detail
        || AT_START.iter().any(|script| line.text.contains(script))
        || line.text.ends_with("[setup failed]")
        || bare.starts_with('[') && bare.ends_with(']') && !bare.contains(' ')
        || bare.starts_with("http") && !bare.contains(' ')
        || is_option(bare)
        || is_tally(bare)
        || counts(bare)
        || bare.ends_with(" exit code 1")
        // A heading: `=== FAILURES ===`.
        || bare.starts_with("===")
        || words_of(bare).len() == 1 && !bare.ends_with(':')
}

/// Whether a line describes an option of a program: `--title string   The title`, `-t, --title string`.
fn is_option(line: &str) -> bool {
    let line = match line.split_once(", ") {
        Some((short, long)) if short.len() == 2 && short.starts_with('-') => long,
        _ => line,
    };
    let name = line.strip_prefix("--").unwrap_or_default();
    name.starts_with(|char: char| char.is_ascii_lowercase())
}

/// Whether a line counts what a linter found (`* dupl: 1`), the edits of Aider that failed (`# 1 SEARCH/REPLACE block
/// failed to match!`), or the steps of a program (`9 of 18 ERROR`).
fn is_tally(line: &str) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let counted = line.strip_prefix("* ").and_then(|it| it.rsplit_once(": "));
    let mut words = line.split(' ');
    let blocks = line.strip_prefix("# ").and_then(|it| it.split_once(" SEARCH/REPLACE block"));
    counted.is_some_and(|(_, n)| is_number(n))
        || blocks.is_some_and(|(n, _)| is_number(n))
        || words.next().is_some_and(is_number)
            && words.next() == Some("of")
            && words.next().is_some_and(is_number)
}

/// Whether a line is no part of the output, or states that there was no failure.
pub(super) fn is_noise(line: &Line<'_>) -> bool {
    const NOTHING: [&str; 6] =
        ["0 errors", "no errors", "0 failed", "errors: 0", "failed: 0", "failures: 0"];
    // What pytest writes before it begins, where testify found the failure, and what Go does before it runs.
    const BEFORE: [&str; 13] = [
        "Error Trace:",
        "asyncio: mode=",
        "cachedir: ",
        "collected ",
        "collecting ",
        "configfile: ",
        "go: downloading ",
        "go: extracting ",
        "go: finding ",
        "platform ",
        "plugins: ",
        "rootdir: ",
        "testpaths: ",
    ];
    let text = line.text.to_ascii_lowercase();
    let is_gap = text.contains(" truncated") && text.contains("[");
    is_about(line.text)
        || is_gap
        || is_frame(line.text)
        || BEFORE.iter().any(|begin| line.text.starts_with(begin))
        || NOTHING.iter().any(|words| ends_words(&text, words))
}

/// Whether a line is nothing but a place in a file: `/a/b_test.go:165`.
fn is_frame(line: &str) -> bool {
    let is_row = |row: &str| !row.is_empty() && row.bytes().all(|byte| byte.is_ascii_digit());
    let place = line.strip_prefix('/').and_then(|it| it.rsplit_once(':'));
    place.is_some_and(|(file, row)| !file.contains(' ') && is_row(row))
}

/// Whether a text contains words, not as the end of a longer number.
fn ends_words(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        !before.ends_with(|char: char| char.is_ascii_digit())
    })
}

/// The words of a line.
pub(super) fn words_of(line: &str) -> Vec<&str> {
    line.split(|char: char| !char.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}

/// Whether a line counts failures, as test runners do (`1 failed | 37 passed`).
pub(super) fn counts(line: &str) -> bool {
    const COUNTED: [&str; 9] = [
        "deselected",
        "failed",
        "failures",
        "failure",
        "error",
        "errors",
        "failing",
        "issues",
        "problems",
    ];
    let words: Vec<&str> = line.split_whitespace().collect();
    words.windows(2).any(|pair| {
        let [n, word] = pair else { return false };
        let n = n.trim_start_matches('(');
        let is_number = !n.is_empty() && n.bytes().all(|byte| byte.is_ascii_digit());
        is_number && COUNTED.contains(&word.trim_matches(|char: char| !char.is_alphanumeric()))
    })
}
