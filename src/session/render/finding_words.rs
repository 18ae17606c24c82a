//! The wording of findings.

use traceloupe_analysis::{Arguments, Finding, Results};
use traceloupe_core::model::{EventKind, NameId, Names};
use traceloupe_words as words;

/// How many names of a block are written out.
const MAX_NAMES: usize = 6;
/// How many characters of a name are written out.
const MAX_LETTERS: usize = 60;

/// The kind of finding, in two or three words.
#[must_use]
pub fn heading(finding: &Finding) -> &'static str {
    match finding.rule {
        "reported" => "Loop warning in the file",
        "polling" => "Possible polling",
        "same-calls" => "Repeated calls",
        "repeat-apart" => "Repeated call",
        "same-error" => "Repeated failure",
        _ => "Possible loop",
    }
}

/// The finding as a sentence without a full stop: `` `search_docs` was called 7 times with
/// different arguments and the same result ``.
#[must_use]
pub fn sentence(finding: &Finding, names: &Names) -> String {
    if finding.rule == "reported" {
        return reported(finding, names);
    }
    let calls = groups(finding);
    let kind = calls.first().map_or(EventKind::ToolCall, |group| group.kind);
    let times = finding.repetitions;
    let is_single = matches!(calls.as_slice(), [group] if group.times == 1);
    let verb = match (is_single, kind) {
        (true, EventKind::State) => "was recorded",
        (true, _) => "was called",
        (false, _) => "was repeated",
    };
    let what = block_words(&calls, names);
    if finding.is_apart() {
        return format!("{what} {}", apart(finding));
    }
    let how = comparison(finding, &calls, is_single);
    let also = if finding.reported.is_empty() { "" } else { ", as the file reports too" };
    format!("{what} {verb} {times} times{how}{also}")
}

/// A short badge for the first row of the stretch: `×7 same result`.
#[must_use]
pub fn badge(finding: &Finding) -> String {
    let times = finding.repetitions;
    match (finding.rule, finding.results) {
        ("reported", _) => "reported".to_owned(),
        (_, Results::Errors) => format!("×{times} failing"),
        (_, Results::Same) => format!("×{times} same result"),
        ("polling", _) => format!("×{times} polling?"),
        _ => format!("×{times}"),
    }
}

/// The text of the fold line that replaces the repeats: `6 more calls with the same result`. What they took stands in the
/// columns.
#[must_use]
pub fn fold(finding: &Finding) -> String {
    // Readers want to know which tools were called again. The LLM calls that requested them are
    // hidden too, but not counted.
    let of_tools =
        finding.block.iter().filter(|(kind, _)| *kind != EventKind::LlmCall).count() as u64;
    let n_hidden = match of_tools {
        0 => finding.repeats.len() as u64,
        per_round => per_round * u64::from(finding.repetitions.saturating_sub(1)),
    };
    let calls = if finding.block.iter().any(|(kind, _)| *kind == EventKind::State) {
        words::counted(n_hidden, "more event", "more events")
    } else {
        words::counted(n_hidden, "more call", "more calls")
    };
    let what = match (finding.args, finding.results) {
        (Arguments::Same, Results::Same) => "with the same arguments and result",
        (Arguments::Alike, Results::Same) => "with nearly the same arguments and the same result",
        (_, Results::Same) => "with the same result",
        (_, Results::Errors) => "that failed in the same way",
        (Arguments::Same, _) => "with the same arguments",
        (Arguments::Alike, _) => "with nearly the same arguments",
        (Arguments::Different, _) => "of the same kind",
    };
    format!("{calls} {what}")
}

fn reported(finding: &Finding, names: &Names) -> String {
    let pattern = finding.block.first().map_or("", |(_, name)| names.get(*name));
    let times = match finding.reported.len() {
        0 | 1 => String::new(),
        times => format!(" ({times} warnings)"),
    };
    match pattern {
        "" => format!("The file reports a possible loop{times}"),
        pattern => format!("The file reports a possible loop: `{}`{times}", shorten(pattern)),
    }
}

/// What is said of a call that returns, perhaps with other calls between.
fn apart(finding: &Finding) -> String {
    let times = finding.repetitions;
    match (finding.results, finding.args) {
        (Results::Errors, Arguments::Different) => {
            format!("failed {times} times with the same error")
        }
        (Results::Errors, _) => {
            format!("failed {times} times with the same arguments and the same error")
        }
        _ => format!("gave the same result {times} times for the same arguments"),
    }
}

/// Consecutive calls with the same name in a block.
struct Group {
    kind: EventKind,
    name: NameId,
    times: usize,
}

/// The calls of a block. If there are tool calls, LLM calls are left out, because readers want to
/// know which tools were called again.
fn groups(finding: &Finding) -> Vec<Group> {
    let has_calls = finding.block.iter().any(|(kind, _)| *kind == EventKind::ToolCall);
    let mut groups: Vec<Group> = Vec::new();
    for (kind, name) in &finding.block {
        if has_calls && *kind == EventKind::LlmCall {
            continue;
        }
        match groups.last_mut() {
            Some(last) if (last.kind, last.name) == (*kind, *name) => last.times += 1,
            _ => groups.push(Group { kind: *kind, name: *name, times: 1 }),
        }
    }
    groups
}

fn block_words(groups: &[Group], names: &Names) -> String {
    let mut words: Vec<String> = groups
        .iter()
        .take(MAX_NAMES)
        .map(|group| match group.times {
            1 => name_words(group, names),
            times => format!("{} ×{times}", name_words(group, names)),
        })
        .collect();
    if groups.len() > MAX_NAMES {
        words.push(format!("{} more", groups.len() - MAX_NAMES));
    }
    words.join(" → ")
}

fn name_words(group: &Group, names: &Names) -> String {
    match (group.kind, names.get(group.name)) {
        (EventKind::State, _) => "the state".to_owned(),
        (EventKind::LlmCall, "") => "an unnamed model".to_owned(),
        (_, "") => "an unnamed tool".to_owned(),
        (_, name) => format!("`{}`", shorten(name)),
    }
}

fn shorten(name: &str) -> String {
    match name.char_indices().nth(MAX_LETTERS) {
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default()),
        None => name.to_owned(),
    }
}

fn comparison(finding: &Finding, groups: &[Group], is_single: bool) -> String {
    let has = |kind| groups.iter().any(|group| group.kind == kind);
    let (args, result, results) = if has(EventKind::ToolCall) {
        ("arguments", "result", "results")
    } else if has(EventKind::LlmCall) {
        ("prompts", "response", "responses")
    } else {
        // States have no results to compare.
        return if finding.args.do_the_same() { " with the same content" } else { "" }.to_owned();
    };
    let same = match finding.args {
        Arguments::Same => "the same",
        Arguments::Alike => "nearly the same",
        Arguments::Different => "different",
    };
    let same_args = finding.args.do_the_same();
    if !has(EventKind::ToolCall) && !same_args {
        // Prompts that are not in the file count as different, so the sentence does not mention
        // them.
        return match finding.results {
            Results::Same => " in a row with the same response",
            Results::Errors => " in a row, failing each time",
            Results::Changing | Results::Missing => " in a row",
        }
        .to_owned();
    }
    let one = if is_single { result } else { results };
    match (finding.results, same_args) {
        (Results::Same, _) => format!(" with {same} {args} and the same {one}"),
        (Results::Changing, true) => format!(" with {same} {args} and changing {results}"),
        (Results::Changing, false) => format!(" with {same} {args} and {results}"),
        (Results::Errors, _) => format!(" with {same} {args}, failing each time"),
        (Results::Missing, _) => format!(" with {same} {args}; {results} are not in the file"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_analysis::{Severity, Waste};
    use traceloupe_core::model::{EventId, LaneId, RunId};

    fn finding(
        names: &mut Names,
        block: &[(EventKind, &str)],
        args: Arguments,
        results: Results,
    ) -> Finding {
        let event = EventId::from_index(0);
        Finding {
            rule: "repeat",
            severity: Severity::Warning,
            run: RunId::from_index(0),
            lane: LaneId::from_index(0),
            first: event,
            last: event,
            block: block.iter().map(|(kind, name)| (*kind, names.intern(name))).collect(),
            block_len: block.len(),
            repetitions: 4,
            extra: 0,
            events: Vec::new(),
            repeats: Vec::new(),
            args,
            results,
            reported: Vec::new(),
            waste: Waste::default(),
        }
    }

    fn say(block: &[(EventKind, &str)], same_args: bool, results: Results) -> String {
        let mut names = Names::default();
        let args = if same_args { Arguments::Same } else { Arguments::Different };
        let finding = finding(&mut names, block, args, results);
        sentence(&finding, &names)
    }

    use EventKind::{LlmCall, LoopWarning, State, ToolCall};

    #[test]
    fn one_call() {
        let block = [(ToolCall, "grep")];
        assert_eq!(
            say(&block, false, Results::Same),
            "`grep` was called 4 times with different arguments and the same result"
        );
        assert_eq!(
            say(&block, true, Results::Same),
            "`grep` was called 4 times with the same arguments and the same result"
        );
        assert_eq!(
            say(&block, true, Results::Changing),
            "`grep` was called 4 times with the same arguments and changing results"
        );
        assert_eq!(
            say(&block, false, Results::Changing),
            "`grep` was called 4 times with different arguments and results"
        );
        assert_eq!(
            say(&block, true, Results::Errors),
            "`grep` was called 4 times with the same arguments, failing each time"
        );
        assert_eq!(
            say(&block, true, Results::Missing),
            "`grep` was called 4 times with the same arguments; results are not in the file"
        );
        assert_eq!(
            say(&[(ToolCall, "")], true, Results::Same),
            "an unnamed tool was called 4 times with the same arguments and the same result"
        );
    }

    #[test]
    fn nearly_the_same_arguments() {
        let mut names = Names::default();
        let finding = finding(&mut names, &[(ToolCall, "sh")], Arguments::Alike, Results::Same);
        assert_eq!(
            sentence(&finding, &names),
            "`sh` was called 4 times with nearly the same arguments and the same result"
        );
        assert_eq!(
            fold(&finding),
            "3 more calls with nearly the same arguments and the same result"
        );
    }

    #[test]
    fn calls_that_return() {
        let mut names = Names::default();
        let mut finding = finding(&mut names, &[(ToolCall, "sh")], Arguments::Same, Results::Same);
        finding.rule = "repeat-apart";
        let says =
            |finding: &Finding| format!("{}: {}", heading(finding), sentence(finding, &names));
        assert_eq!(
            says(&finding),
            "Repeated call: `sh` gave the same result 4 times for the same arguments"
        );
        (finding.rule, finding.results) = ("same-error", Results::Errors);
        assert_eq!(
            says(&finding),
            "Repeated failure: `sh` failed 4 times with the same arguments and the same error"
        );
        finding.args = Arguments::Different;
        assert_eq!(says(&finding), "Repeated failure: `sh` failed 4 times with the same error");
    }

    #[test]
    fn several_calls() {
        assert_eq!(
            say(&[(ToolCall, "open"), (ToolCall, "edit")], true, Results::Same),
            "`open` → `edit` was repeated 4 times with the same arguments and the same results"
        );
        assert_eq!(
            say(&[(LlmCall, "m"), (ToolCall, "a"), (ToolCall, "a")], true, Results::Same),
            "`a` ×2 was repeated 4 times with the same arguments and the same results"
        );
        assert_eq!(
            say(&[(LlmCall, "m"), (ToolCall, "a")], true, Results::Same),
            "`a` was called 4 times with the same arguments and the same result"
        );
        assert_eq!(
            say(&[(State, "state"), (ToolCall, "poll")], true, Results::Changing),
            "the state → `poll` was repeated 4 times with the same arguments and changing results"
        );
        let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let words = say(&names.map(|name| (ToolCall, name)), true, Results::Same);
        assert!(words.starts_with("`a` → `b` → `c` → `d` → `e` → `f` → 2 more was repeated"));
    }

    #[test]
    fn llm_calls_and_states() {
        assert_eq!(
            say(&[(LlmCall, "m")], true, Results::Same),
            "`m` was called 4 times with the same prompts and the same response"
        );
        assert_eq!(
            say(&[(LlmCall, "m")], false, Results::Changing),
            "`m` was called 4 times in a row"
        );
        assert_eq!(
            say(&[(State, "state")], true, Results::Missing),
            "the state was recorded 4 times with the same content"
        );
        assert_eq!(say(&[(State, "")], false, Results::Missing), "the state was recorded 4 times");
    }

    #[test]
    fn a_fold_says_what_was_called_again() {
        let mut names = Names::default();
        let finding = finding(&mut names, &[(ToolCall, "a")], Arguments::Same, Results::Same);
        assert_eq!(fold(&finding), "3 more calls with the same arguments and result");
    }

    #[test]
    fn what_the_file_reports() {
        let mut names = Names::default();
        let mut finding = finding(
            &mut names,
            &[(LoopWarning, "TOOL_CALL:a")],
            Arguments::Different,
            Results::Missing,
        );
        let warning = EventId::from_index(1);
        finding.reported = vec![warning];
        assert!(sentence(&finding, &names).ends_with(", as the file reports too"));
        finding.rule = "reported";
        assert_eq!(sentence(&finding, &names), "The file reports a possible loop: `TOOL_CALL:a`");
        finding.reported = vec![warning, warning];
        finding.block = vec![(LoopWarning, NameId::NONE)];
        assert_eq!(sentence(&finding, &names), "The file reports a possible loop (2 warnings)");
        assert_eq!(heading(&finding), "Loop warning in the file");
    }

    #[test]
    fn long_names_are_cut_between_letters() {
        let name = "ü".repeat(100);
        let words = say(&[(ToolCall, &name)], true, Results::Same);
        assert!(words.starts_with(&format!("`{}…` was called", "ü".repeat(60))));
    }
}
