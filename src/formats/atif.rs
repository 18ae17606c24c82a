//! ATIF: the trajectories of Harbor and of other producers that write its format, and the runs of its viewer.
//!
//! Read from the specification (github.com/harbor-framework/harbor, `docs/rfcs/0001-trajectory-format.md`) and from
//! files of 1.2 to 1.7 by Harbor's agents, converters of Claude Code and OpenHands, and NeMo. A document has a list of
//! `steps`. Results are in the step of their calls; a result that names no call belongs to the whole step. Token counts
//! begin an LLM call: converters split one response into several steps, only the first has the counts, and *Executed*
//! before calls takes the place of text. Sub-agents are files of their own, or part of the document (1.7).

use traceloupe_core::model::{Flags, RunVerdict};
use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::exit_code;
use traceloupe_engine::tokens::ATIF_METRICS;

/// The format.
pub static ATIF: Described = Described {
    signs: &[
        Sign::record(
            "the document says that its schema is ATIF",
            &[Test::Starts("schema_version", "ATIF-"), Test::List("steps")],
        ),
        Sign::record(
            "the document has `steps` with a role, `toolCalls` and an `observation`",
            &[
                Test::Text("steps.0.role"),
                Test::KeyStarts("steps.0", "toolCalls"),
                Test::KeyStarts("steps.0", "observation"),
            ],
        ),
    ],
    lists: &["steps"],
    // Totals and sub-agents follow the steps.
    hooks: Hooks { is_whole: true, ..Hooks::NONE },
    quiet: &[
        "step_id|index|timestamp|source|role|model_name|text|toolName|llm_call_count",
        "schema_version",
        // Quiet where it repeats the call.
        "message",
        "tool_calls.*.function_name",
        "toolCalls.*.name",
        "observation.results.*.source_call_id",
        "observation.results.*.extra.is_error",
        "extra.tool_result_is_error|is_sidechain|tool_use_name|raw_arguments",
        "subagent_trajectories.*.schema_version",
        "subagent_trajectories.*.steps.*.step_id|timestamp|source|message|model_name",
        "subagent_trajectories.*.steps.*.llm_call_count|is_copied_context",
        "subagent_trajectories.*.steps.*.tool_calls.*.function_name",
        "subagent_trajectories.*.steps.*.observation.results.*.source_call_id",
        "subagent_trajectories.*.steps.*.observation.results.*.extra.is_error",
    ],
    ..Described::new(&catalog::ATIF, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    match entry.is_document {
        true => document(entry.json, out),
        false => step(entry.json, Json::ABSENT, out),
    }
}

fn document<'a>(document: Json<'a>, out: &mut Description<'a>) {
    let agent = document.get("agent");
    out.run.key = document.any(&["trajectory_id", "session_id"]);
    out.run.records = Records::itself_if(out.run.key.is_absent());
    out.run.origin.started_by = agent.get("extra.parent_session_id");
    out.run.agent.name = agent.get("name");
    out.run.models.name = agent.get("model_name");
    out.run.totals.usage = ATIF_METRICS.read(document.get("final_metrics"));
    out.facts(document, &[("Schema", "schema_version"), ("Session", "session_id")]);
    out.facts(
        agent,
        &[
            (FactKind::Other("Agent"), "name"),
            (FactKind::Version, "version"),
            (FactKind::Model, "model_name"),
        ],
    );
    out.facts(document, &[(FactKind::Cost, "final_metrics.total_cost_usd")]);
    out.event(EventKind::RunStart, "trajectory")
        .summary(agent.get("name"))
        .value(BlockRole::Tools, agent.get("tool_definitions"))
        .value("Notes", document.get("notes"));
    out.after_list();
    for child in document.get("subagent_trajectories").items() {
        embedded(child, out);
    }
    let log = document.get("verifierLog");
    if log.is_given() {
        verifier(log, out);
    }
    let (totals, next) = (document.get("final_metrics"), document.get("continued_trajectory_ref"));
    if totals.is_given() || next.is_given() {
        out.event(EventKind::RunEnd, "end")
            .summary(if totals.is_given() { totals } else { next })
            .field(FactKind::Cost, totals.get("total_cost_usd"))
            .value("Totals", totals)
            .field("Continued in", next);
    }
}

/// What the verifier printed. The last reward in it is the score of the run; a run that got all or nothing of it has
/// passed or failed.
fn verifier<'a>(log: Json<'a>, out: &mut Description<'a>) {
    let reward = out.text(log).lines().rev().find_map(reward);
    let reward = reward.filter(|reward| (0.0..=1.0).contains(reward));
    out.run.grade.score = reward;
    out.run.grade.verdict = match reward {
        Some(0.0) => Some(RunVerdict::Fail),
        Some(1.0) => Some(RunVerdict::Pass),
        _ => None,
    };
    let score = reward.map(|reward| out.json(&reward.to_string())).unwrap_or_default();
    out.event(EventKind::Evaluation, "verifier").field("Reward", score).log("Verifier", log);
}

/// The reward in a line that a verifier printed: `Reward: 0.5`, `"reward": 1`, `Reward written to reward.txt: 0`.
fn reward(line: &str) -> Option<f64> {
    let lower = line.to_ascii_lowercase();
    // `binary_reward` is another figure, and `rewards` are several.
    let is_own = |(at, _): &(usize, &str)| {
        let before = lower.get(..*at).unwrap_or_default();
        !before.ends_with(|last: char| last.is_alphanumeric() || last == '_')
    };
    let (at, word) = lower.match_indices("reward").find(is_own)?;
    let rest = lower.get(at + word.len()..)?;
    let is_stated = rest.starts_with([':', '"', ' ', '=']);
    let (_, number) = rest.rsplit_once([':', '=']).filter(|_| is_stated)?;
    traceloupe_core::number::parse(number.trim().trim_end_matches(','))
}

/// The trajectory of a sub-agent inside the document, under the call that refers to it.
fn embedded<'a>(child: Json<'a>, out: &mut Description<'a>) {
    let agent = child.get("agent");
    let id = child.any(&["trajectory_id", "session_id"]);
    let name = agent.get("name").label();
    out.event(EventKind::Agent, name.clone())
        .span(Json::ABSENT, id)
        .opens()
        .fields(
            agent,
            &[
                (FactKind::Other("Agent"), "name"),
                (FactKind::Model, "model_name"),
                (FactKind::Version, "version"),
            ],
        )
        .value("Totals", child.get("final_metrics"));
    let first_words = out.run.titles.words;
    for it in child.get("steps").items() {
        step(it, agent.get("model_name"), out);
    }
    out.run.titles.words = first_words;
    for grandchild in child.get("subagent_trajectories").items().take(MAX_CHILDREN) {
        out.event(EventKind::Agent, "sub-agent").value("Trajectory", grandchild);
    }
    out.item(What::End).name(name);
}

/// How many sub-agents of one sub-agent are shown.
const MAX_CHILDREN: usize = 100;

/// A step of an agent with a model of its own, if that differs from the run's.
fn step<'a>(step: Json<'a>, model: Json<'a>, out: &mut Description<'a>) {
    let first = out.items.len();
    out.at(step.get("timestamp"));
    if step.get("extra.is_sidechain").is_true() {
        out.run.agent.is(Json::new("\"sidechain\""));
    }
    let words = step.any(&["message", "text"]);
    let calls = step.any(&["tool_calls", "toolCalls"]);
    let source = step.any(&["source", "role"]).label();
    match source.as_ref() {
        // The beginning of Claude Code's context after a compaction.
        "user" if words.raw().starts_with("\"This session is being continued from a previous") => {
            out.event(EventKind::Compaction, "context").parts = content::pieces(words);
        }
        "user" => {
            if out.run.titles.words.is_absent() {
                out.run.titles.words = words.any(&["0.text"]).or(words);
            }
            out.item(What::User).parts = content::pieces(words);
            results(step, None, out);
        }
        "system" if !step.get("observation").is_given() => {
            out.item(What::System).parts = content::pieces(words);
        }
        "system" => {
            let is_compaction = step.get("extra.context_management").is_given()
                || words.raw().contains("summarization");
            match is_compaction {
                true => out.event(EventKind::Compaction, "context"),
                false => out.note("system"),
            }
            .parts = content::pieces(words);
            results(step, Some(first), out);
        }
        "agent" => turn(step, model, (words, calls), out),
        _ if calls.is_given() || step.get("metrics").is_given() => {
            turn(step, model, (words, calls), out)
        }
        _ => out.note(source).parts = content::pieces(words),
    }
    if step.get("is_copied_context").is_true() {
        for item in out.items.iter_mut().skip(first) {
            item.flags.set(Flags::COPY);
        }
    }
}

/// The agent's text and actions.
fn turn<'a>(
    step: Json<'a>,
    model: Json<'a>,
    (words, calls): (Json<'a>, Json<'a>),
    out: &mut Description<'a>,
) {
    let metrics = step.any(&["metrics", "tokens"]);
    let thinking = step.any(&["reasoning_content", "reasoning"]);
    let is_dispatch = step.get("llm_call_count").count() == Some(0);
    let is_executed = words.raw().starts_with("\"Executed ") && calls.is_given();
    let joins = match (metrics.is_given(), is_executed) {
        (true, _) => Joins::Id(step.any(&["step_id", "index"])),
        (false, true) => Joins::Open,
        (false, false) => Joins::Neighbours,
    };
    let mut parts = Vec::new();
    if has_content(thinking) {
        parts.push(Part::Thinking(thinking));
    }
    if !is_executed {
        parts.extend(content::pieces(words));
    }
    let mut asked_by = None;
    if !is_dispatch {
        for call in calls.items() {
            let (_, name, arguments) = call_of(call);
            let arguments = out.unpack(arguments);
            parts.push(Part::Call(name.label(), arguments));
        }
        asked_by = Some(out.items.len());
        let item = out.model(parts, joins);
        item.name(step.get("model_name").or(model)).tokens(&ATIF_METRICS, metrics).fields(
            step,
            &[
                (FactKind::Cost, "metrics.cost_usd"),
                (FactKind::Other("Effort"), "reasoning_effort"),
            ],
        );
        item.asks(step.get("tool_calls"));
    } else if parts.iter().any(|part| matches!(part, Part::Text(_))) {
        out.note("step").parts = parts;
    }
    for call in calls.items() {
        let (id, name, arguments) = call_of(call);
        let of_call = observed(step).find(|it| it.get("source_call_id").raw() == id.raw());
        let of_call = of_call.filter(|_| id.is_given());
        let child = child_of(of_call.unwrap_or_default());
        let item = out.call(id, name, arguments);
        item.asked_by(asked_by);
        item.span(child, Json::ABSENT).starts_run(child);
        let whole = observed(step).filter(|it| !it.get("source_call_id").is_given());
        for it in of_call.into_iter().chain(whole.filter(|_| of_call.is_none())) {
            result(it, item);
        }
        if step.get("extra.tool_result_is_error").is_true() {
            item.status(Status::Failed);
        }
        let words = step.get("observation");
        if words.kind() == Kind::String {
            outcome_in(words, out);
        }
    }
    if calls.item(0).is_absent() {
        results(step, None, out);
    }
}

/// A call: id, name, arguments.
fn call_of(call: Json<'_>) -> (Json<'_>, Json<'_>, Json<'_>) {
    let name = call.any(&["function_name", "name"]);
    (call.get("tool_call_id"), name, call.any(&["arguments", "args"]))
}

/// The results of a step: a list of objects, or the text itself in the viewer's runs.
fn observed(step: Json<'_>) -> impl Iterator<Item = Json<'_>> {
    let observation = step.get("observation");
    let words = Some(observation).filter(|it| it.text().is_some());
    observation.get("results").items().chain(words)
}

/// The sub-agent that a result refers to.
fn child_of(result: Json<'_>) -> Json<'_> {
    let child = result.get("subagent_trajectory_ref");
    child.any(&["0.trajectory_id", "0.session_id", "trajectory_id", "session_id"])
}

/// Adds a result to the item of its call.
fn result<'a>(result: Json<'a>, item: &mut traceloupe_engine::kit::Item<'a>) {
    let words = match result.text() {
        Some(_) => result,
        None => result.get("content"),
    };
    if words.is_given() {
        item.part(Part::Result(words));
    }
    item.value("Sub-agent", result.get("subagent_trajectory_ref"));
    let failed = result.any(&["is_error", "extra.is_error"]);
    let status = result.get("extra.status").label();
    if failed.is_true() || matches!(status.as_ref(), "error" | "failed") {
        item.status(Status::Failed);
    }
    item.exit(result.any(&["extra.exit_code", "extra.returncode"]));
}

/// How the viewer ends the results of failed calls.
const FAILED: &str = "[error] tool reported failure";

/// Sets the outcome of a call of the viewer from the end of its result, which is a text.
fn outcome_in<'a>(words: Json<'a>, out: &mut Description<'a>) {
    let raw = words.raw().trim_end_matches(['"', 'n', '\\', ' ']);
    let code = exit_code::of_gemini(out.text(words), out);
    let has_failed = raw.ends_with(FAILED);
    let item = out.last();
    if has_failed {
        item.status(Status::Failed);
    } else if code.integer().is_some_and(|code| code != 0) {
        item.exit(code);
    }
}

/// Results that belong to no call: added to an item, or as notes.
fn results<'a>(step: Json<'a>, with: Option<usize>, out: &mut Description<'a>) {
    for it in observed(step) {
        let child = child_of(it);
        let item = match with.and_then(|at| out.items.get_mut(at)) {
            Some(item) => item,
            None => out.note("observation"),
        };
        result(it, item);
        item.span(child, Json::ABSENT).starts_run(child);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    #[test]
    fn the_viewer_states_failures_at_the_end_of_results() {
        let step = |index: usize, observation: &str| {
            format!(
                r#"{{"index":{index},"role":"agent","text":"","toolCalls":[{{"name":"Bash","args":"{{}}"}}],"observation":"{observation}","tokens":null}}"#
            )
        };
        let shell = |code: u8| {
            format!(
                "Command: make\\nDirectory: (root)\\nOutput: Exit Code: 9\\nError: (none)\\nExit Code: {code}\\nSignal: 0"
            )
        };
        let steps = [
            step(0, "Exit code 2\\nno lamp\\n\\n[error] tool reported failure"),
            step(1, "lit"),
            step(2, "the log says: [error] tool reported failure, twice"),
            step(3, &shell(1)),
            step(4, &shell(0)),
        ];
        let document = format!(r#"{{"session_id":"s","steps":[{}]}}"#, steps.join(","));
        let read = read(&ATIF, &[&[&document]]);
        let calls = read.trace.events().iter().filter(|it| it.kind == EventKind::ToolCall);
        let failed: Vec<_> = calls.map(|it| it.is_error()).collect();
        assert_eq!(failed, [true, false, false, true, false]);
    }

    #[test]
    fn the_reward_is_the_last_figure_of_the_verifier() {
        for (line, expected) in [
            ("Reward: 0.000000", Some(0.0)),
            ("  \"reward\": 0.5,", Some(0.5)),
            ("Reward written to /logs/reward.txt: 0.98", Some(0.98)),
            ("opt: False, binary_reward: 0, reward: 0.51", Some(0.51)),
            ("Reward (item_f1): 0.07", Some(0.07)),
            ("binary_reward: 0", None),
            ("rewards: 3", None),
            ("reward: high", None),
            ("no figure", None),
        ] {
            assert_eq!(reward(line), expected, "{line}");
        }
        let graded = |log: &str| {
            let document = format!(
                r#"{{"steps":[{{"index":0,"role":"user","text":"Go","toolCalls":null,"observation":null}}],"verifierLog":"{log}"}}"#
            );
            let read = read(&ATIF, &[&[&document]]);
            let run = &read.trace.runs()[0];
            (run.score, run.verdict)
        };
        assert_eq!(graded("Reward: 0\\ndone"), (Some(0.0), Some(RunVerdict::Fail)));
        assert_eq!(graded("Reward: 0\\nReward: 1.0"), (Some(1.0), Some(RunVerdict::Pass)));
        assert_eq!(graded("Reward: 0.5"), (Some(0.5), None));
        assert_eq!(graded("Reward: 31"), (None, None));
        assert_eq!(graded("2 failed"), (None, None));
    }

    #[test]
    fn a_session_that_is_continued_is_no_turn_of_a_person() {
        let step = |(index, (role, text)): (usize, (&str, &str))| {
            format!(
                r#"{{"index":{index},"role":"{role}","text":"{text}","toolCalls":null,"tokens":{{"prompt":5,"completion":1}}}}"#
            )
        };
        let steps = [
            ("user", "Count the lamps"),
            ("agent", "One."),
            (
                "user",
                "This session is being continued from a previous conversation that ran out of context.",
            ),
            ("agent", "Two."),
        ];
        let steps: Vec<_> = steps.into_iter().enumerate().map(step).collect();
        let document = format!(r#"{{"session_id":"s","steps":[{}]}}"#, steps.join(","));
        let read = read(&ATIF, &[&[&document]]);
        assert_eq!(
            read.outline(),
            ["run-start trajectory", "user ", "llm-call ", "compaction context", "llm-call "]
        );
    }
}
