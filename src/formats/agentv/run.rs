//! Facts about a run from files of all kinds: names, totals, the producer's counts.

use super::keys::{Keys, is_same_name};
use traceloupe_core::json::Json;
use traceloupe_core::model::{FactKind, RunStatus};
use traceloupe_engine::kit::{Description, has_content, millis_ns};
use traceloupe_engine::tokens::AGENTV;

/// Kinds of facts, with the paths where they may be.
pub(super) type Facts = &'static [(FactKind<&'static str>, &'static str)];

/// The names of a run. Its title is made of these after all files are read.
pub(super) const NAMES: Facts = &[
    (FactKind::Suite, "suite|dataset|eval_set"),
    (FactKind::Test, "test_id|eval_id|eval_case_id"),
    (FactKind::Target, "target|source_target"),
    (FactKind::Attempt, "attempt"),
    (FactKind::Other("Variant"), "variant"),
    (FactKind::Other("Category"), "category"),
    (FactKind::Other("Experiment"), "experiment"),
    (FactKind::Other("Run id"), "run_id"),
    (FactKind::Other("Eval file"), "eval_path"),
    (FactKind::Other("Conversation"), "conversation_id"),
    (FactKind::Other("Fixture"), "fixture_id"),
];

/// Adds facts.
pub(super) fn facts<'a>(of: &Keys<'a>, facts: Facts, out: &mut Description<'a>) {
    for (kind, paths) in facts {
        let value = of.at(paths);
        if has_content(value) {
            out.run.about.facts.push(((*kind).into(), value));
        }
    }
}

/// Adds a fact in words of our own.
pub(super) fn own_fact(kind: FactKind<&'static str>, words: &str, out: &mut Description<'_>) {
    if !words.is_empty() {
        let words = out.string(words);
        out.run.about.facts.push((kind.into(), words));
    }
}

/// Adds the producer's totals of a whole run: duration in milliseconds, cost in dollars, tokens.
pub(super) fn totals<'a>(of: &Keys<'a>, paths: [&str; 3], out: &mut Description<'a>) {
    let [duration, cost, tokens] = paths.map(|paths| of.at(paths));
    let usage = AGENTV.read(tokens);
    let took = millis_ns(duration);
    // No run takes no time: AgentV writes 0 for a run that never began.
    if !out.run.times.duration.is_known() && took.get().is_some_and(|ns| ns > 0) {
        out.run.times.duration = took;
    }
    if out.run.totals.usage.is_empty() {
        out.run.totals.usage = usage;
    }
    if let Some(cost) = cost.number() {
        own_fact(FactKind::Cost, &format!("${cost}"), out);
    }
    if let (Some(input), Some(output)) = (usage.input, usage.output) {
        own_fact(FactKind::Other("Tokens of the run"), &format!("{input} in, {output} out"), out);
    }
}

/// Adds the totals of a document under their usual names.
pub(super) fn own_totals<'a>(of: &Keys<'a>, out: &mut Description<'a>) {
    totals(of, ["duration_ms", "cost_usd", "token_usage"], out);
}

/// The status for a word of the producer.
pub(super) fn status_of(word: Json<'_>) -> Option<RunStatus> {
    match word.text()?.as_ref() {
        "execution_error" => Some(RunStatus::Error),
        "ok" | "quality_failure" => Some(RunStatus::Ok),
        _ => None,
    }
}

/// The strings of a list, joined by commas.
pub(super) fn listed(list: Json<'_>) -> String {
    list.items().filter_map(Json::word).collect::<Vec<_>>().join(", ")
}

/// Counts by name from a minimum on, in words, and the sum of all. AgentV's converter rewrote names that are keys, but
/// not names that are values.
pub(super) fn counted(counts: Json<'_>, names: Json<'_>, from: u64) -> (String, Option<u64>) {
    let (mut words, mut sum) = (Vec::new(), None);
    for (key, value) in counts.members() {
        let Some(n) = value.count() else { continue };
        sum = Some(sum.unwrap_or(0_u64).saturating_add(n));
        let mut names = names.items().filter_map(Json::word);
        if n >= from {
            words.push(format!("{} ×{n}", names.find(|it| is_same_name(it, &key)).unwrap_or(key)));
        }
    }
    (words.join(", "), sum)
}

/// Adds the producer's counts, by the names of tools and in total.
pub(super) fn counts<'a>(of: &Keys<'a>, out: &mut Description<'a>) {
    let names = of.at("tool_names");
    let by_name = of.at("tool_calls_by_name|tool_calls|tool_call_counts");
    let (calls, sum) = counted(by_name, names, 0);
    let known = &mut out.run.totals.counts;
    known.tool_calls = known.tool_calls.or(of.at("total_tool_calls").count()).or(sum);
    known.errors = known.errors.or(of.at("error_count|errors_encountered").count());
    known.llm_calls = known.llm_calls.or(of.at("llm_call_count").count());
    own_fact(FactKind::Other("Tools"), &if calls.is_empty() { listed(names) } else { calls }, out);
    let counted: Facts = &[
        (FactKind::Other("Events counted by AgentV"), "event_count"),
        (FactKind::Other("Errors counted by AgentV"), "error_count"),
    ];
    facts(of, counted, out);
}
