//! What is said of findings, for the page and for exports: made of their values, rule by rule.

use super::pieces::Sentence;
use super::{counted, done, duration, one_line, percent, tokens, tool_name, with_more};
use traceloupe_analysis::{Arguments, Evidence, Failures, Results, Rule, Steps};
use traceloupe_core::model::{ErrorLabel, EventKind, NameId};
use traceloupe_core::tools::{Work, work_of};
use traceloupe_protocol::finding::FindingLine;

/// How many names of a block are written out.
const MAX_NAMES: usize = 6;
/// How many characters of a name are written out.
const MAX_LETTERS: usize = 60;
/// The longest call in a sentence, in characters.
const MAX_CALL_CHARS: usize = 80;

/// A finding of which something is said.
#[derive(Clone, Copy, Debug)]
pub struct Told<'a> {
    /// Its rule.
    pub rule: Rule,
    /// What the rule has seen.
    pub evidence: &'a Evidence,
    /// How many warnings of the producer are about it.
    pub n_reported: usize,
}

impl<'a> From<&'a FindingLine> for Told<'a> {
    fn from(line: &'a FindingLine) -> Self {
        Self { rule: line.rule, evidence: &line.evidence, n_reported: line.reported.len() }
    }
}

/// What is known of the event that a finding leads to. Empty texts are not known, or not in the file.
#[derive(Clone, Copy, Debug, Default)]
pub struct About<'a> {
    /// Its name, as it is displayed.
    pub name: &'a str,
    /// What was called, in one line.
    pub call: &'a str,
    /// Why it failed.
    pub why: &'a str,
    /// The path of the file, as it is displayed.
    pub path: &'a str,
}

/// What is said of a finding.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Said {
    /// All of it, in one sentence without a full stop: ``5 × `bash` failed: command not found: rg, such as `rg x` ``.
    pub sentence: Sentence,
    /// What tells it apart in a list: ``5 × `bash` failed: command not found: rg``.
    pub headline: Sentence,
    /// The rest, which stands below the headline: `` `rg x` ``. Empty if there is no more.
    pub rest: Sentence,
}

impl Said {
    fn only(sentence: Sentence) -> Self {
        Self { headline: sentence.clone(), sentence, rest: Sentence::default() }
    }
}

/// What is said of a finding, with the names of a trace.
#[must_use]
pub fn said<'a>(told: &Told<'_>, names: &dyn Fn(NameId) -> &'a str, about: &About<'_>) -> Said {
    match told.rule {
        Rule::Repeat
        | Rule::SameResult
        | Rule::ErrorRetry
        | Rule::Polling
        | Rule::SameCalls
        | Rule::Cycle
        | Rule::RepeatApart
        | Rule::SameError => repetition(told, names, about),
        Rule::NoProgress => Said::only(no_progress(told, names)),
        Rule::Reported => Said::only(reported(told, names)),
        Rule::Errors => failures(told.evidence, about),
        Rule::RevertedEdits => Said::only(put_back(about)),
        Rule::Compaction => Said::only(Sentence::default().text(compacted(told.evidence))),
        Rule::LongestCall => longest_call(told.evidence, about),
    }
}

/// A short badge for the first row of a repetition: `×7 same result`. Empty for what is none.
#[must_use]
pub fn badge(rule: Rule, evidence: &Evidence) -> String {
    let times = evidence.repetitions();
    let otherwise = match rule {
        Rule::Reported => return "reported".to_owned(),
        Rule::Errors | Rule::RevertedEdits | Rule::Compaction | Rule::LongestCall => {
            return String::new();
        }
        Rule::Polling => " polling?",
        Rule::Repeat
        | Rule::SameResult
        | Rule::ErrorRetry
        | Rule::SameCalls
        | Rule::Cycle
        | Rule::RepeatApart
        | Rule::SameError => "",
        Rule::NoProgress => return "no progress".to_owned(),
    };
    match evidence.results() {
        Results::Errors => format!("×{times} failing"),
        Results::Same => format!("×{times} same result"),
        Results::Changing | Results::Missing => format!("×{times}{otherwise}"),
    }
}

/// The text of the line that stands for the repetitions after the first: `6 more calls with the same result`, and of what
/// was done between them, if that folds too. What they took stands in the columns.
#[must_use]
pub fn fold(evidence: &Evidence, between: &[(&str, u64)]) -> String {
    let Some(steps) = evidence.steps() else { return String::new() };
    // Readers want to know which tools were called again. The LLM calls that requested them are
    // hidden too, but not counted.
    let of_tools = steps.block.iter().filter(|(kind, _)| *kind != EventKind::LlmCall).count();
    let per_round = if of_tools == 0 { steps.block.len() } else { of_tools };
    let n_hidden = per_round as u64 * u64::from(steps.repetitions.saturating_sub(1));
    let calls = if steps.block.iter().any(|(kind, _)| *kind == EventKind::State) {
        counted(n_hidden, "more event", "more events")
    } else {
        counted(n_hidden, "more call", "more calls")
    };
    let what = match (steps.args, steps.results) {
        (Arguments::Same, Results::Same) => "with the same arguments and result",
        (Arguments::Alike, Results::Same) => "with nearly the same arguments and the same result",
        (Arguments::Different, Results::Same) => "with the same result",
        (_, Results::Errors) => "that failed in the same way",
        (Arguments::Same, _) => "with the same arguments",
        (Arguments::Alike, _) => "with nearly the same arguments",
        (Arguments::Different, _) => "of the same kind",
    };
    with_more(&format!("{calls} {what}"), &done_between(between))
}

/// What was done between repetitions: `4 edits between them`. Empty if nothing was.
#[must_use]
pub fn done_between(between: &[(&str, u64)]) -> String {
    let done = done(between);
    if done.is_empty() { done } else { format!("{done} between them") }
}

/// Calls that are repeated, and why they failed each time.
fn repetition<'a>(told: &Told<'_>, names: &dyn Fn(NameId) -> &'a str, about: &About<'_>) -> Said {
    let Some(steps) = told.evidence.steps() else { return Said::default() };
    let is_failing = steps.results == Results::Errors;
    let why = if is_failing { about.why } else { "" };
    // What different calls have in common is why they failed.
    let call = match steps.args.do_the_same() || why.is_empty() {
        true => one_line(about.call, MAX_CALL_CHARS),
        false => String::new(),
    };
    let headline = repeated(told, steps, names, &call);
    let rest = Sentence::default().text(why.to_owned());
    let sentence = match why {
        "" => headline.clone(),
        _ => headline.clone().text(": ").with(&rest),
    };
    Said { sentence, headline, rest }
}

fn repeated<'a>(
    told: &Told<'_>,
    steps: &Steps,
    names: &dyn Fn(NameId) -> &'a str,
    call: &str,
) -> Sentence {
    let groups = groups(steps);
    let is_named = groups.first().is_some_and(|it| it.is_named(names));
    let call = Some(call).filter(|call| is_named && !call.is_empty());
    let (inside, behind) = match steps.args.do_the_same() {
        true => (call, None),
        false => (None, call),
    };
    let what = block(&groups, names, inside);
    let is_single = matches!(groups.as_slice(), [group] if group.times == 1);
    let said = if told.rule.is_apart() {
        what.text(" ").text(apart(steps, inside.is_some()))
    } else {
        let verb = match (is_single, groups.first().map(|it| it.kind)) {
            (true, Some(EventKind::State)) => "was recorded",
            (true, _) => "was called",
            (false, _) => "was repeated",
        };
        let how = comparison(steps, &groups, is_single);
        let also = if told.n_reported == 0 { "" } else { ", also reported by the producer" };
        what.text(format!(" {verb} {} times{how}{also}", steps.repetitions))
    };
    match behind {
        Some(call) => said.text(", first ").code(call),
        None => said,
    }
}

/// What is said of a call that returns, perhaps with other calls between. Where the arguments are named, one need not say
/// that they were the same.
fn apart(steps: &Steps, names_arguments: bool) -> String {
    let times = steps.repetitions;
    match (steps.results, steps.args) {
        (Results::Errors, Arguments::Different) => {
            format!("failed {times} times with the same error")
        }
        (Results::Errors, _) if names_arguments => format!("failed {times} times the same way"),
        (Results::Errors, _) => {
            format!("failed {times} times with the same arguments and the same error")
        }
        (Results::Same, Arguments::Different) => {
            format!("gave the same result {times} times, whatever it was given")
        }
        (Results::Same, _) => {
            format!("gave the same result {times} times for the same arguments")
        }
        (Results::Changing | Results::Missing, Arguments::Different) => {
            format!("was called {times} times")
        }
        (Results::Changing | Results::Missing, _) => {
            format!("was called {times} times with the same arguments")
        }
    }
}

/// Consecutive calls with the same name in a block.
struct Group {
    kind: EventKind,
    name: NameId,
    times: usize,
}

impl Group {
    fn is_named<'a>(&self, names: &dyn Fn(NameId) -> &'a str) -> bool {
        self.kind != EventKind::State && !names(self.name).is_empty()
    }
}

/// The calls of a block. If there are tool calls, LLM calls are left out, because readers want to
/// know which tools were called again.
fn groups(steps: &Steps) -> Vec<Group> {
    let has_calls = steps.block.iter().any(|(kind, _)| *kind == EventKind::ToolCall);
    let mut groups: Vec<Group> = Vec::new();
    for (kind, name) in &steps.block {
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

/// The calls of a block; of the first one also what was called, if that is known.
fn block<'a>(groups: &[Group], names: &dyn Fn(NameId) -> &'a str, call: Option<&str>) -> Sentence {
    let mut said = Sentence::default();
    for (at, group) in groups.iter().take(MAX_NAMES).enumerate() {
        said = if at == 0 { said } else { said.text(" → ") };
        said = match call.filter(|_| at == 0) {
            // A command says by itself that it was one.
            Some(call) if work_of(&name_of(group, names)) == Some(Work::RunsCommand) => {
                said.code(call)
            }
            Some(call) => said.code(name_of(group, names)).text(" ").code(call),
            None if group.is_named(names) => said.code(name_of(group, names)),
            None => said.text(unnamed(group.kind)),
        };
        if group.times > 1 {
            said = said.text(format!(" ×{}", group.times));
        }
    }
    match groups.len().saturating_sub(MAX_NAMES) {
        0 => said,
        more => said.text(format!(" → {more} more")),
    }
}

fn unnamed(kind: EventKind) -> &'static str {
    match kind {
        EventKind::State => "the state",
        EventKind::LlmCall => "an unnamed model",
        _ => "an unnamed tool",
    }
}

fn name_of<'a>(group: &Group, names: &dyn Fn(NameId) -> &'a str) -> String {
    let name = shorten(names(group.name));
    if group.kind == EventKind::ToolCall { tool_name(&name) } else { name }
}

fn shorten(name: &str) -> String {
    match name.char_indices().nth(MAX_LETTERS) {
        Some((end, _)) => format!("{}…", name.get(..end).unwrap_or_default()),
        None => name.to_owned(),
    }
}

fn comparison(steps: &Steps, groups: &[Group], is_single: bool) -> String {
    let has = |kind| groups.iter().any(|group| group.kind == kind);
    let same_args = steps.args.do_the_same();
    let (args, result, results) = if has(EventKind::ToolCall) {
        ("arguments", "result", "results")
    } else if has(EventKind::LlmCall) {
        ("prompts", "response", "responses")
    } else {
        // States have no results to compare.
        return if same_args { " with the same content" } else { "" }.to_owned();
    };
    let same = match steps.args {
        Arguments::Same => "the same",
        Arguments::Alike => "nearly the same",
        Arguments::Different => "different",
    };
    if !has(EventKind::ToolCall) && !same_args {
        // Prompts that are not in the file count as different, so the sentence does not mention
        // them.
        return match steps.results {
            Results::Same => " in a row with the same response",
            Results::Errors => " in a row, failing each time",
            Results::Changing | Results::Missing => " in a row",
        }
        .to_owned();
    }
    let one = if is_single { result } else { results };
    match (steps.results, same_args) {
        (Results::Same, _) => format!(" with {same} {args} and the same {one}"),
        (Results::Changing, true) => format!(" with {same} {args} and changing {results}"),
        (Results::Changing, false) => format!(" with {same} {args} and {results}"),
        (Results::Errors, _) => format!(" with {same} {args}, failing each time"),
        (Results::Missing, _) => format!(" with {same} {args}; {results} are not in the file"),
    }
}

/// Calls in a row that were all made before: ``12 calls in a row, to `grep` and 2 other tools, repeated earlier calls with
/// the same results``.
fn no_progress<'a>(told: &Told<'_>, names: &dyn Fn(NameId) -> &'a str) -> Sentence {
    let Some(steps) = told.evidence.steps() else { return Sentence::default() };
    let groups = groups(steps);
    let calls = counted(u64::from(steps.repetitions), "call", "calls");
    let said = Sentence::default().text(format!("{calls} in a row"));
    let said = match groups.split_first() {
        Some((first, others)) if first.is_named(names) => {
            let said = said.text(", to ").code(name_of(first, names));
            match others.len() as u64 {
                0 => said.text(","),
                n => said.text(format!(" and {},", counted(n, "other tool", "other tools"))),
            }
        }
        _ => said,
    };
    said.text(" repeated earlier calls with the same results")
}

fn reported<'a>(told: &Told<'_>, names: &dyn Fn(NameId) -> &'a str) -> Sentence {
    let pattern = match told.evidence {
        Evidence::Report { pattern } => names(*pattern),
        Evidence::Steps(_)
        | Evidence::Failures(_)
        | Evidence::Edits { .. }
        | Evidence::Context { .. }
        | Evidence::Time { .. } => "",
    };
    let said = Sentence::default().text("The file reports a possible loop");
    let said = if pattern.is_empty() { said } else { said.text(": ").code(shorten(pattern)) };
    match told.n_reported {
        0 | 1 => said,
        times => said.text(format!(" ({times} warnings)")),
    }
}

/// Failures that are alike. Those of one tool are told apart by their reasons.
fn failures(evidence: &Evidence, about: &About<'_>) -> Said {
    let Evidence::Failures(failures) = evidence else { return Said::default() };
    let Failures { count, reason, .. } = failures;
    let (name, summary) = (about.name, about.call);
    let call = one_line(summary, MAX_CALL_CHARS);
    // The summary of an error event, and of a call without arguments, is its message.
    let told = super::reason(reason);
    let is_message = told.starts_with(summary) || told.ends_with(summary);
    let is_told = call.is_empty() || call == name || is_message;
    let rest = if is_told { Sentence::default() } else { Sentence::default().code(call) };
    // The name of an error event is its type already.
    let is_told = told.is_empty() || told == name;
    let why = match &reason.error {
        _ if is_told => String::new(),
        ErrorLabel::ExitCode(_) | ErrorLabel::PrintedExitCode(_) => format!(" with {told}"),
        ErrorLabel::None | ErrorLabel::Type(_) => format!(": {told}"),
    };
    let times = match *count {
        0 | 1 => String::new(),
        n => format!("{} × ", super::count(n)),
    };
    let headline = Sentence::default().text(times).code(name).text(format!(" failed{why}"));
    let sentence = match *count {
        _ if rest.is_empty() => headline.clone(),
        0 | 1 => {
            let named = Sentence::default().code(name).text(" ").with(&rest);
            named.text(format!(" failed{why}"))
        }
        _ => headline.clone().text(", such as ").with(&rest),
    };
    let repair = repair(failures);
    Said { sentence: sentence.text(repair.clone()), headline: headline.text(repair), rest }
}

/// Whether failures were fixed: `, then fixed`. Empty if that is not known.
fn repair(failures: &Failures) -> String {
    let Failures { count, worked_in_the_end, n_fixed, n_never_fixed, .. } = failures;
    match (*n_fixed, *n_never_fixed) {
        _ if *worked_in_the_end => ", then it worked".to_owned(),
        (0, n) if n == *count && n > 0 => ", never fixed".to_owned(),
        (n, 0) if n == *count && n > 0 => ", then fixed".to_owned(),
        (_, 0) => String::new(),
        (_, n) => format!(", {} of them never fixed", super::count(n)),
    }
}

fn put_back(about: &About<'_>) -> Sentence {
    Sentence::default().code(about.path).text(" was edited, then reverted")
}

fn compacted(evidence: &Evidence) -> String {
    match evidence {
        Evidence::Context { before: None, after: None } => "The context was compacted".to_owned(),
        Evidence::Context { before, after } => {
            let ends = [*before, *after].map(|it| it.unwrap_or(f64::NAN));
            format!("The context was compacted: {}", from_to(ends))
        }
        Evidence::Steps(_)
        | Evidence::Report { .. }
        | Evidence::Failures(_)
        | Evidence::Edits { .. }
        | Evidence::Time { .. } => String::new(),
    }
}

/// What a compaction made of the context: `168k → 31k`, as far as it is known.
#[must_use]
pub fn from_to(ends: [f64; 2]) -> String {
    let ends = ends.map(|n| if n.is_nan() { "?".to_owned() } else { tokens(n) });
    ends.join(" → ")
}

/// ``One `bash` call took 3 h, 40% of active time``, or with what was called, `` `bash` `make` took 3 h``.
fn longest_call(evidence: &Evidence, about: &About<'_>) -> Said {
    let Evidence::Time { active_ms, share } = evidence else { return Said::default() };
    let took = format!(" took {}, {} of active time", duration(*active_ms), percent(*share));
    let call = one_line(about.call, MAX_CALL_CHARS);
    let headline = Sentence::default().text("One ").code(about.name);
    let headline = headline.text(format!(" call{took}"));
    if call.is_empty() {
        return Said::only(headline);
    }
    let rest = Sentence::default().code(call);
    let sentence = Sentence::default().code(about.name).text(" ").with(&rest).text(took);
    Said { sentence, headline, rest }
}

#[cfg(test)]
mod tests;
