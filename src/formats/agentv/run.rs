//! What files of all kinds say of their run: names, totals, what the producer counted.

use super::members::{Members, is_same_name};
use crate::format::kit::{Description, has_content, millis_ns};
use crate::format::shapes::tokens::AGENTV;
use crate::json::{Json, quoted};
use crate::model::RunStatus;

/// Adds a fact.
pub(super) fn fact<'a>(label: &'static str, value: Json<'a>, out: &mut Description<'a>) {
    if has_content(value) {
        out.run.facts.push((label.into(), value));
    }
}

/// Adds facts: labels with the names of their members.
pub(super) fn facts<'a>(
    of: &Members<'a>,
    facts: &[(&'static str, &[&str])],
    out: &mut Description<'a>,
) {
    facts.iter().for_each(|(label, names)| fact(label, of.at(names), out));
}

/// Adds a fact in words of ours.
pub(super) fn own_fact(label: &'static str, words: &str, out: &mut Description<'_>) {
    if !words.is_empty() {
        let words = Json::new(out.keep(&quoted(words)));
        out.run.facts.push((label.into(), words));
    }
}

/// What names a run. Its title is made of these when all files are read.
const NAMES: &[(&str, &[&str])] = &[
    ("Suite", &["suite", "dataset", "eval_set"]),
    ("Test", &["test_id", "eval_id", "eval_case_id"]),
    ("Target", &["target", "source_target"]),
    ("Attempt", &["attempt"]),
    ("Variant", &["variant"]),
    ("Category", &["category"]),
    ("Experiment", &["experiment"]),
    ("Run id", &["run_id"]),
    ("Eval file", &["eval_path"]),
    ("Conversation", &["conversation_id"]),
    ("Fixture", &["fixture_id"]),
];

/// Adds what names a run.
pub(super) fn identify<'a>(of: &Members<'a>, out: &mut Description<'a>) {
    facts(of, NAMES, out);
}

/// Adds what the producer says of a whole run: duration in milliseconds, cost in dollars, tokens.
pub(super) fn totals<'a>(
    duration: Json<'a>,
    cost: Json<'a>,
    tokens: Json<'a>,
    out: &mut Description<'a>,
) {
    let usage = AGENTV.read(tokens);
    let took = millis_ns(duration);
    // Nothing takes no time: 0 is what is written where a run never began.
    if !out.run.duration.is_known() && took.get().is_some_and(|ns| ns > 0) {
        out.run.duration = took;
    }
    if out.run.usage.is_empty() {
        out.run.usage = usage;
    }
    if let Some(cost) = cost.number() {
        own_fact("Cost", &format!("${cost}"), out);
    }
    if let (Some(input), Some(output)) = (usage.input, usage.output) {
        own_fact("Tokens of the run", &format!("{input} in, {output} out"), out);
    }
}

/// Adds the totals of a document that has them under their usual names.
pub(super) fn own_totals<'a>(of: &Members<'a>, out: &mut Description<'a>) {
    let [duration, cost, tokens] =
        ["duration_ms", "cost_usd", "token_usage"].map(|name| of.at(&[name]));
    totals(duration, cost, tokens, out);
}

/// The status that a word means.
pub(super) fn status_of(word: Json<'_>) -> Option<RunStatus> {
    match word.text()?.as_ref() {
        "execution_error" => Some(RunStatus::Error),
        "ok" | "quality_failure" => Some(RunStatus::Ok),
        _ => None,
    }
}

/// Adds what the producer counted, by the names of tools and as a whole.
pub(super) fn counts<'a>(of: &Members<'a>, out: &mut Description<'a>) {
    let names: Vec<_> = of.at(&["tool_names"]).items().filter_map(Json::word).collect();
    let by_name = of.at(&["tool_calls_by_name", "tool_calls", "tool_call_counts"]);
    let mut n_calls = of.at(&["total_tool_calls"]).count();
    let mut sum = None;
    let mut calls = Vec::new();
    for (name, value) in by_name.members() {
        let Some(n) = value.count() else { continue };
        sum = Some(sum.unwrap_or(0_u64).saturating_add(n));
        // Keys were rewritten by AgentV's converter, values were not.
        let name = names.iter().find(|known| is_same_name(known, &name)).unwrap_or(&name);
        calls.push(format!("{name} ×{n}"));
    }
    n_calls = n_calls.or(sum);
    let known = &mut out.run.counts;
    known.tool_calls = known.tool_calls.or(n_calls);
    known.errors = known.errors.or(of.at(&["error_count", "errors_encountered"]).count());
    known.llm_calls = known.llm_calls.or(of.at(&["llm_call_count"]).count());
    own_fact("Tools", &if calls.is_empty() { names.join(", ") } else { calls.join(", ") }, out);
    let counted: &[(_, &[&str])] = &[
        ("Events counted by AgentV", &["event_count"]),
        ("Errors counted by AgentV", &["error_count"]),
    ];
    facts(of, counted, out);
}
