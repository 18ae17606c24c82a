//! Findings and errors as sentences that say what was called, and why it failed.

use rustc_hash::FxHashSet;

use crate::line_view::row_name;
use crate::outline::Outline;
use traceloupe_core::model::{ErrorLabel, EventKind, hash_of};
use traceloupe_core::reason::Reason;
use traceloupe_protocol::causes::Causes;
use traceloupe_protocol::outline::FindingLine;
use traceloupe_words::{count, one_line, reason, tool_name};

/// The longest call in a sentence, in characters.
const MAX_CALL_CHARS: usize = 80;

/// Tools whose calls are commands, in lower case.
const SHELLS: [&str; 9] = [
    "bash",
    "shell",
    "sh",
    "exec",
    "exec_command",
    "execute_command",
    "run_command",
    "run_shell_command",
    "terminal",
];

/// Failed events of the same name whose errors are the same but for numbers and paths.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ErrorGroup {
    /// Ids of the events, in the order of the run.
    pub ids: Vec<u32>,
    /// The summary of the first one.
    pub call: String,
    /// Why the first one failed.
    pub reason: Reason,
}

/// The summary of an event; empty if it was not asked for.
#[must_use]
pub fn call_of(causes: &Causes, id: u32) -> &str {
    causes.calls.iter().find(|it| it.0 == id).map_or("", |it| it.1.as_str())
}

/// Why an event failed; empty if it did not, or if that is not known.
#[must_use]
pub fn reason_of(causes: &Causes, id: u32) -> String {
    let failure = causes.failures.iter().find(|failure| failure.id == id);
    failure.map(|it| reason(&it.reason)).unwrap_or_default()
}

/// What a reason says beyond the badge of its row: ``exit 1`` and ``exit 1: no such file`` leave ``no such file``.
#[must_use]
pub fn beyond_badge(badge: &str, reason: &str) -> String {
    let rest = reason.strip_prefix(badge).unwrap_or(reason);
    rest.trim_start_matches([':', ' ']).to_owned()
}

/// The errors of a run, those that are alike together. Repetitions of a possible loop that failed are not among them: the
/// loop says so.
#[must_use]
pub fn error_groups(outline: &Outline, causes: &Causes) -> Vec<ErrorGroup> {
    let mut groups: Vec<(u64, ErrorGroup)> = Vec::new();
    let mut repeated: FxHashSet<u32> = FxHashSet::default();
    for finding in outline.findings.iter().filter(|it| it.is_loud() && it.fails) {
        repeated.extend(finding.evidence.as_slice());
    }
    for failure in &causes.failures {
        let (id, reason) = (failure.id, &failure.reason);
        let row = outline.row_of(id).unwrap_or(u32::MAX);
        if repeated.contains(&row) {
            continue;
        }
        let name = (outline.rows.kinds.get(row), outline.rows.names.get(row));
        let key = hash_of((name, reason.key()));
        match groups.iter_mut().find(|it| it.0 == key) {
            Some((_, group)) => group.ids.push(id),
            None => {
                let call = call_of(causes, id).to_owned();
                let reason = reason.clone();
                groups.push((key, ErrorGroup { ids: vec![id], call, reason }));
            }
        }
    }
    groups.into_iter().map(|it| it.1).collect()
}

/// What is between backticks in a sentence is shown as code, so it must not have any itself.
fn plain(text: &str) -> String {
    text.replace('`', "'")
}

fn call_words(call: &str) -> String {
    plain(&one_line(call, MAX_CALL_CHARS))
}

/// A sentence whose names of tools, between backticks, are as they are displayed.
fn with_servers(sentence: &str) -> String {
    let part = |(at, part): (usize, &str)| match at % 2 {
        0 => part.to_owned(),
        _ => tool_name(part),
    };
    sentence.split('`').enumerate().map(part).collect::<Vec<_>>().join("`")
}

/// What is said of a finding, or of errors that are alike. Names of tools and calls stand between backticks.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Said {
    /// All of it, in one sentence: ``5 × `bash` failed: command not found: rg, such as `rg x` ``.
    pub sentence: String,
    /// What tells it apart in a list: ``5 × `bash` failed: command not found: rg``.
    pub headline: String,
    /// The rest, which stands below the headline: `` `rg x` ``. Empty if there is no more.
    pub rest: String,
}

/// What is said of a finding: the call that was repeated, and why it failed each time.
#[must_use]
pub fn of_finding(outline: &Outline, line: &FindingLine, causes: &Causes) -> Said {
    let id = outline.rows.ids.get(line.mark);
    let call = call_of(causes, id);
    let why = if line.fails { plain(&reason_of(causes, id)) } else { String::new() };
    let is_tool = outline.rows.kinds.get(line.mark) == EventKind::ToolCall as u8;
    let mut what = if is_tool { with_servers(&line.sentence) } else { line.sentence.clone() };
    // The first name of the sentence is that of the call.
    let name = what.strip_prefix('`').and_then(|rest| rest.split_once('`'));
    if let Some((name, rest)) = name.filter(|_| !call.is_empty()) {
        let call = call_words(call);
        // Where the arguments are named, one need not say that they were the same.
        let rest = rest.replace(" with the same arguments and the same error", " the same way");
        // A command says by itself that it was one.
        let is_command = SHELLS.contains(&name.to_ascii_lowercase().as_str());
        what = match line.same_args {
            true if is_command => format!("`{call}`{rest}"),
            true => format!("`{name}` `{call}`{rest}"),
            // What different calls have in common is why they failed.
            false if !why.is_empty() => what,
            false => format!("{what}, first `{call}`"),
        };
    }
    let sentence = if why.is_empty() { what.clone() } else { format!("{what}: {why}") };
    Said { sentence, headline: what, rest: why }
}

/// What is said of a call: ``One `bash` call took 3 h``, or with what was called, `` `bash` `make` took 3 h``.
#[must_use]
pub fn of_call(outline: &Outline, row: u32, causes: &Causes, took: &str) -> Said {
    let name = plain(&row_name(outline, row));
    let call = call_words(call_of(causes, outline.rows.ids.get(row)));
    let headline = format!("One `{name}` call {took}");
    match call.as_str() {
        "" => Said { sentence: headline.clone(), headline, rest: call },
        _ => Said {
            sentence: format!("`{name}` `{call}` {took}"),
            headline,
            rest: format!("`{call}`"),
        },
    }
}

/// What is said of errors that are alike. Errors of one tool are told apart by their reasons.
#[must_use]
pub fn of_errors(outline: &Outline, group: &ErrorGroup) -> Said {
    let row = group.ids.first().and_then(|id| outline.row_of(*id));
    let name = row.map(|row| row_name(outline, row)).unwrap_or_default();
    let call = call_words(&group.call);
    // The summary of an error event, and of a call without arguments, is its message.
    let summary = group.call.as_str();
    let why = reason(&group.reason);
    let is_message = why.starts_with(summary) || why.ends_with(summary);
    let is_told = call.is_empty() || call == name || is_message;
    let call = if is_told { String::new() } else { format!("`{call}`") };
    // The name of an error event is its type already.
    let why = plain(&why);
    let is_told = why.is_empty() || why == name;
    let why = match &group.reason.error {
        _ if is_told => String::new(),
        ErrorLabel::ExitCode(_) | ErrorLabel::PrintedExitCode(_) => format!(" with {why}"),
        ErrorLabel::None | ErrorLabel::Type(_) => format!(": {why}"),
    };
    let name = plain(&name);
    let times = match group.ids.len() {
        0 | 1 => String::new(),
        n => format!("{} × ", count(n as u64)),
    };
    let headline = format!("{times}`{name}` failed{why}");
    let sentence = match group.ids.len() {
        _ if call.is_empty() => headline.clone(),
        0 | 1 => format!("`{name}` {call} failed{why}"),
        _ => format!("{headline}, such as {call}"),
    };
    Said { sentence, headline, rest: call }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{finding, outline};
    use traceloupe_protocol::causes::Failure;

    fn said(same_args: bool, sentence: &str, call: &str, reason: &str) -> String {
        let outline = outline(&[0, 1, 1]);
        let mut line = finding(&[1]);
        (line.sentence, line.same_args, line.fails) = (sentence.to_owned(), same_args, true);
        line.mark = 1;
        let failure = Failure { id: 1, reason: Reason::of(ErrorLabel::None, reason) };
        let calls = vec![(1, call.to_owned())];
        let causes = Causes { calls, failures: vec![failure], ..Causes::default() };
        of_finding(&outline, &line, &causes).sentence
    }

    #[test]
    fn a_finding_says_what_was_called_and_why_it_failed() {
        let sentence = "`bash` was called 4 times, failing each time";
        assert_eq!(
            said(true, sentence, "rg `x`", "rg: not found"),
            "`rg 'x'` was called 4 times, failing each time: rg: not found"
        );
        assert_eq!(
            said(false, sentence, "rg x", ""),
            "`bash` was called 4 times, failing each time, first `rg x`"
        );
        assert_eq!(
            said(false, sentence, "rg x", "rg: not found"),
            "`bash` was called 4 times, failing each time: rg: not found"
        );
        let same = "`Bash` failed 4 times with the same arguments and the same error";
        assert_eq!(
            said(true, same, "make", "no rule"),
            "`make` failed 4 times the same way: no rule"
        );
        let other = "`run_report` failed 4 times with the same arguments and the same error";
        assert_eq!(
            said(true, other, "x: 1", ""),
            "`run_report` `x: 1` failed 4 times the same way"
        );
        assert_eq!(said(true, sentence, "", ""), sentence);
        assert_eq!(
            said(true, "`mcp__web__get` → `b` was repeated", "", ""),
            "`web › get` → `b` was repeated"
        );
        assert_eq!(said(true, "the state was recorded", "x", ""), "the state was recorded");
    }

    #[test]
    fn a_badge_is_not_said_again() {
        assert_eq!(beyond_badge("exit 1", "exit 1: no such file"), "no such file");
        assert_eq!(beyond_badge("failed", "no such file"), "no such file");
        assert_eq!(beyond_badge("Timeout", "Timeout"), "");
        assert_eq!(beyond_badge("failed", ""), "");
    }

    #[test]
    fn errors_that_are_alike_are_one_group() {
        let outline = outline(&[0, 1, 1, 1, 0]);
        let failure =
            |(id, text): (u32, &str)| Failure { id, reason: Reason::of(ErrorLabel::None, text) };
        let told = [
            (1, "line 1: no rg"),
            (2, "ls: /b: No such file"),
            (3, "line 7: no rg"),
            (4, "line 1: no rg"),
        ];
        let causes = Causes {
            failures: told.map(failure).to_vec(),
            calls: vec![(1, "rg a".to_owned())],
            ..Causes::default()
        };
        let groups = error_groups(&outline, &causes);
        let said: Vec<_> = groups
            .iter()
            .map(|it| (it.ids.as_slice(), it.call.as_str(), it.reason.line.as_str()))
            .collect();
        assert_eq!(
            said,
            [
                ([1, 3].as_slice(), "rg a", "line 1: no rg"),
                (&[2], "", "ls: /b: No such file"),
                (&[4], "", "line 1: no rg"),
            ]
        );
    }

    #[test]
    fn errors_that_are_alike_are_one_sentence() {
        let outline = outline(&[0, 1, 1]);
        let group_of = |ids: &[u32], call: &str, error, text: &str| ErrorGroup {
            ids: ids.to_vec(),
            call: call.to_owned(),
            reason: Reason::of(error, text),
        };
        let group =
            |ids: &[u32], call: &str, text: &str| group_of(ids, call, ErrorLabel::None, text);
        let said = |group| of_errors(&outline, &group).sentence;
        assert_eq!(
            said(group(&[1], "rg x", "not found")),
            "`Unnamed tool` `rg x` failed: not found"
        );
        assert_eq!(
            said(group(&[1, 2], "rg x", "not found: `rg`")),
            "2 × `Unnamed tool` failed: not found: 'rg', such as `rg x`"
        );
        assert_eq!(said(group(&[1], "", "")), "`Unnamed tool` failed");
        assert_eq!(said(group(&[1], "no", "no")), "`Unnamed tool` failed: no");
        assert_eq!(
            said(group_of(&[1], "rg x", ErrorLabel::ExitCode(1), "no x")),
            "`Unnamed tool` `rg x` failed with exit 1: no x"
        );
        assert_eq!(
            said(group_of(&[1], "late", ErrorLabel::Type("Timeout".to_owned()), "late")),
            "`Unnamed tool` failed: Timeout: late"
        );
    }
}
