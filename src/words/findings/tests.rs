use super::*;
use traceloupe_analysis::Family;
use traceloupe_core::model::ErrorLabel;
use traceloupe_core::model::Names;
use traceloupe_core::reason::Reason;

use EventKind::{LlmCall, LoopWarning, State, ToolCall};

fn steps(
    names: &mut Names,
    block: &[(EventKind, &str)],
    args: Arguments,
    results: Results,
) -> Evidence {
    Evidence::Steps(Steps {
        block: block.iter().map(|(kind, name)| (*kind, names.intern(name))).collect(),
        block_len: u32::try_from(block.len()).unwrap(),
        repetitions: 4,
        extra: 0,
        args,
        results,
    })
}

fn told(rule: Rule, evidence: &Evidence) -> Told<'_> {
    Told { rule, evidence, n_reported: 0 }
}

fn sentence(told: &Told<'_>, names: &Names) -> String {
    about(told, names, &About::default())
}

fn about(told: &Told<'_>, names: &Names, about: &About<'_>) -> String {
    said(told, &|id| names.get(id), about).sentence.marked()
}

fn say(block: &[(EventKind, &str)], same_args: bool, results: Results) -> String {
    let mut names = Names::default();
    let args = if same_args { Arguments::Same } else { Arguments::Different };
    let evidence = steps(&mut names, block, args, results);
    sentence(&told(Rule::Repeat, &evidence), &names)
}

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
    let evidence = steps(&mut names, &[(ToolCall, "sh")], Arguments::Alike, Results::Same);
    assert_eq!(
        sentence(&told(Rule::Repeat, &evidence), &names),
        "`sh` was called 4 times with nearly the same arguments and the same result"
    );
    assert_eq!(
        fold(&evidence, &[]),
        "3 more calls with nearly the same arguments and the same result"
    );
}

#[test]
fn calls_that_return() {
    let mut names = Names::default();
    let evidence = steps(&mut names, &[(ToolCall, "sh")], Arguments::Same, Results::Same);
    assert_eq!(
        sentence(&told(Rule::RepeatApart, &evidence), &names),
        "`sh` gave the same result 4 times for the same arguments"
    );
    let evidence = steps(&mut names, &[(ToolCall, "sh")], Arguments::Different, Results::Same);
    assert_eq!(
        sentence(&told(Rule::RepeatApart, &evidence), &names),
        "`sh` gave the same result 4 times, whatever it was given"
    );
    let evidence = steps(&mut names, &[(ToolCall, "sh")], Arguments::Same, Results::Missing);
    assert_eq!(
        sentence(&told(Rule::RepeatApart, &evidence), &names),
        "`sh` was called 4 times with the same arguments"
    );
    let evidence = steps(&mut names, &[(ToolCall, "sh")], Arguments::Same, Results::Errors);
    assert_eq!(
        sentence(&told(Rule::SameError, &evidence), &names),
        "`sh` failed 4 times with the same arguments and the same error"
    );
    let evidence = steps(&mut names, &[(ToolCall, "sh")], Arguments::Different, Results::Errors);
    assert_eq!(
        sentence(&told(Rule::SameError, &evidence), &names),
        "`sh` failed 4 times with the same error"
    );
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
    assert_eq!(
        say(&[(ToolCall, "mcp__web__get"), (ToolCall, "b")], true, Results::Same),
        "`web › get` → `b` was repeated 4 times with the same arguments and the same results"
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
    assert_eq!(say(&[(LlmCall, "m")], false, Results::Changing), "`m` was called 4 times in a row");
    assert_eq!(
        say(&[(State, "state")], true, Results::Missing),
        "the state was recorded 4 times with the same content"
    );
    assert_eq!(say(&[(State, "")], false, Results::Missing), "the state was recorded 4 times");
}

#[test]
fn a_fold_says_what_was_called_again() {
    let mut names = Names::default();
    let block = [(LlmCall, "m"), (ToolCall, "a")];
    let evidence = steps(&mut names, &block, Arguments::Same, Results::Same);
    assert_eq!(fold(&evidence, &[]), "3 more calls with the same arguments and result");
    let evidence = steps(&mut names, &[(LlmCall, "m")], Arguments::Same, Results::Errors);
    let said = "3 more calls that failed in the same way, 2 edits between them";
    assert_eq!(fold(&evidence, &[("edit", 2)]), said);
}

#[test]
fn a_badge_is_short() {
    let mut names = Names::default();
    let mut of = |rule, results| {
        badge(rule, &steps(&mut names, &[(ToolCall, "a")], Arguments::Same, results))
    };
    assert_eq!(of(Rule::Repeat, Results::Same), "×4 same result");
    assert_eq!(of(Rule::SameError, Results::Errors), "×4 failing");
    assert_eq!(of(Rule::Polling, Results::Changing), "×4 polling?");
    assert_eq!(of(Rule::SameCalls, Results::Changing), "×4");
    assert_eq!(badge(Rule::Reported, &Evidence::Report { pattern: NameId::NONE }), "reported");
}

#[test]
fn what_the_file_reports() {
    let mut names = Names::default();
    let evidence = steps(&mut names, &[(LoopWarning, "a")], Arguments::Different, Results::Missing);
    fn of(rule: Rule, evidence: &Evidence, n_reported: usize) -> Told<'_> {
        Told { rule, evidence, n_reported }
    }
    let also = sentence(&of(Rule::SameCalls, &evidence, 1), &names);
    assert!(also.ends_with(", also reported by the producer"), "{also}");
    let pattern = names.intern("TOOL_CALL:a");
    assert_eq!(
        sentence(&of(Rule::Reported, &Evidence::Report { pattern }, 1), &names),
        "The file reports a possible loop: `TOOL_CALL:a`"
    );
    let unnamed = Evidence::Report { pattern: NameId::NONE };
    assert_eq!(
        sentence(&of(Rule::Reported, &unnamed, 2), &names),
        "The file reports a possible loop (2 warnings)"
    );
}

#[test]
fn long_names_are_cut_between_letters() {
    let name = "ü".repeat(100);
    let words = say(&[(ToolCall, &name)], true, Results::Same);
    assert!(words.starts_with(&format!("`{}…` was called", "ü".repeat(60))));
}

#[test]
fn a_finding_says_what_was_called_and_why_it_failed() {
    let say = |rule, name: &str, args, call: &str, why: &str| {
        let mut names = Names::default();
        let evidence = steps(&mut names, &[(ToolCall, name)], args, Results::Errors);
        let known = About { call, why, ..About::default() };
        about(&told(rule, &evidence), &names, &known)
    };
    let retry = |args, call, why| say(Rule::ErrorRetry, "bash", args, call, why);
    assert_eq!(
        retry(Arguments::Same, "rg `x`", "rg: not found"),
        "`rg `x`` was called 4 times with the same arguments, failing each time: rg: not found",
        "code keeps its own backticks"
    );
    assert_eq!(
        retry(Arguments::Different, "rg x", ""),
        "`bash` was called 4 times with different arguments, failing each time, first `rg x`"
    );
    assert_eq!(
        retry(Arguments::Different, "rg x", "rg: not found"),
        "`bash` was called 4 times with different arguments, failing each time: rg: not found"
    );
    assert_eq!(
        say(Rule::SameError, "Bash", Arguments::Same, "make", "no rule"),
        "`make` failed 4 times the same way: no rule"
    );
    assert_eq!(
        say(Rule::SameError, "run_report", Arguments::Same, "x: 1", ""),
        "`run_report` `x: 1` failed 4 times the same way"
    );
    let unknown = "`bash` was called 4 times with the same arguments, failing each time";
    assert_eq!(retry(Arguments::Same, "", ""), unknown);
    let mut names = Names::default();
    let state = steps(&mut names, &[(State, "state")], Arguments::Same, Results::Missing);
    let known = About { call: "x", ..About::default() };
    assert_eq!(
        about(&told(Rule::Repeat, &state), &names, &known),
        "the state was recorded 4 times with the same content"
    );
}

#[test]
fn errors_that_are_alike_are_one_sentence() {
    let say_why = |count, call: &str, reason: Reason| {
        let failures = Failures { count, reason, ..Failures::default() };
        let known = About { name: "Unnamed tool", call, ..About::default() };
        about(&told(Rule::Errors, &Evidence::Failures(failures)), &Names::default(), &known)
    };
    let say =
        |count, call: &str, line: &str| say_why(count, call, Reason::of(ErrorLabel::None, line));
    assert_eq!(say(1, "rg x", "not found"), "`Unnamed tool` `rg x` failed: not found");
    assert_eq!(
        say(2, "rg x", "not found: `rg`"),
        "2 × `Unnamed tool` failed: not found: `rg`, such as `rg x`"
    );
    assert_eq!(say(1, "", ""), "`Unnamed tool` failed");
    assert_eq!(say(1, "no", "no"), "`Unnamed tool` failed: no");
    let exit = Reason::of(ErrorLabel::ExitCode(1), "no x");
    assert_eq!(say_why(1, "rg x", exit), "`Unnamed tool` `rg x` failed with exit 1: no x");
    let timeout = Reason::of(ErrorLabel::Type("Timeout".to_owned()), "late");
    assert_eq!(say_why(1, "late", timeout), "`Unnamed tool` failed: Timeout: late");
    let repaired = |worked_in_the_end, n_fixed, n_never_fixed| {
        let reason = Reason::of(ErrorLabel::None, "no");
        let failures = Failures { count: 3, reason, worked_in_the_end, n_fixed, n_never_fixed };
        let known = About { name: "get", ..About::default() };
        about(&told(Rule::Errors, &Evidence::Failures(failures)), &Names::default(), &known)
    };
    assert_eq!(repaired(true, 0, 3), "3 × `get` failed: no, then it worked");
    assert_eq!(repaired(false, 3, 0), "3 × `get` failed: no, then fixed");
    assert_eq!(repaired(false, 0, 3), "3 × `get` failed: no, never fixed");
    assert_eq!(repaired(false, 1, 2), "3 × `get` failed: no, 2 of them never fixed");
    assert_eq!(repaired(false, 1, 0), "3 × `get` failed: no");
}

#[test]
fn what_is_no_repetition() {
    let names = Names::default();
    let known = About { name: "bash", path: "src/a.rs", call: "make", ..About::default() };
    let say = |rule, evidence: &Evidence| about(&told(rule, evidence), &names, &known);
    assert_eq!(
        say(Rule::RevertedEdits, &Evidence::Edits { path: "/b/src/a.rs".to_owned() }),
        "`src/a.rs` was edited, then reverted"
    );
    let context = |before, after| Evidence::Context { before, after };
    assert_eq!(say(Rule::Compaction, &context(None, None)), "The context was compacted");
    assert_eq!(
        say(Rule::Compaction, &context(Some(168e3), None)),
        "The context was compacted: 168k → ?"
    );
    let time = Evidence::Time { active_ms: 90e3, share: 0.4 };
    assert_eq!(say(Rule::LongestCall, &time), "`bash` `make` took 1 min 30 s, 40% of active time");
    let said = said(&told(Rule::LongestCall, &time), &|id| names.get(id), &known);
    assert_eq!(said.headline.marked(), "One `bash` call took 1 min 30 s, 40% of active time");
}

#[test]
fn every_rule_has_words() {
    let known = About { name: "bash", path: "a.rs", ..About::default() };
    for rule in Rule::ALL {
        let evidence = match rule.family() {
            Family::InRow | Family::Apart => Evidence::default(),
            Family::Reported => Evidence::Report { pattern: NameId::NONE },
            Family::Failures => Evidence::Failures(Failures::default()),
            Family::Context => Evidence::Context { before: None, after: None },
            Family::Edits => Evidence::Edits { path: String::new() },
            Family::Time => Evidence::Time { active_ms: 1.0, share: 1.0 },
        };
        let words = about(&told(*rule, &evidence), &Names::default(), &known);
        assert!(words.len() > 5, "{rule:?}: {words}");
    }
}

#[test]
fn calls_without_progress() {
    let say = |block: &[(EventKind, &str)]| {
        let mut names = Names::default();
        let evidence = steps(&mut names, block, Arguments::Different, Results::Same);
        sentence(&told(Rule::NoProgress, &evidence), &names)
    };
    assert_eq!(
        say(&[(ToolCall, "grep"), (ToolCall, "open"), (ToolCall, "find")]),
        "4 calls in a row, to `grep` and 2 other tools, repeated earlier calls with the same results"
    );
    assert_eq!(
        say(&[(ToolCall, "grep")]),
        "4 calls in a row, to `grep`, repeated earlier calls with the same results"
    );
    assert_eq!(
        say(&[(ToolCall, "")]),
        "4 calls in a row repeated earlier calls with the same results"
    );
}
