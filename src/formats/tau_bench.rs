//! tau-bench and tau2-bench: conversations of an agent with a simulated user, and their rewards.
//!
//! Read from the producers' code (github.com/sierra-research/tau-bench, github.com/sierra-research/tau2-bench) and from
//! results of both. tau-bench writes a list of runs with the messages in `traj`, in the form of OpenAI's Chat API. tau2
//! writes a document with `simulations`, each with its `messages`: calls have no `function` around them, and a result
//! has the id of its call as its own. The simulated user is a model as well and can call tools; its usage is shown with
//! its messages, but is not counted for the agent.

use traceloupe_core::model::{MaybeNs, RunNote, RunStatus, RunVerdict};
use traceloupe_engine::prelude::*;

/// The format.
pub static TAU_BENCH: Described = Described {
    signs: &[
        Sign::record(
            "runs have a `traj` of messages, a `task_id` and a `reward`",
            &[Test::List("traj"), Test::HasAll(&["task_id", "reward"])],
        ),
        Sign::record(
            "the document has `tasks`, and tells of its agent, its user and its environment",
            &[
                Test::Object("info.environment_info"),
                Test::Object("info.user_info"),
                Test::List("tasks"),
            ],
        ),
        Sign::record(
            "a simulation has `ticks`, a `task_id` and a `termination_reason`",
            &[Test::List("ticks"), Test::Has("task_id"), Test::Text("termination_reason")],
        ),
        Sign::record(
            "simulations have `messages`, a `task_id` and a `termination_reason`",
            &[Test::List("messages"), Test::Has("task_id"), Test::Text("termination_reason")],
        ),
    ],
    lists: &["simulations.**", "traj", "messages"],
    has_messages: true,
    // Rewards may follow the messages.
    hooks: Hooks { is_whole: true, ..Hooks::NONE },
    quiet: &[
        "role|timestamp|turn_idx|index|requestor|id|name|error|usage|generation_time_seconds",
        "start_time|end_time|duration|is_final_chunk|contains_speech|is_audio",
        "tool_calls.*.name|requestor",
        "raw_data.model",
        "raw_data.choices.*.message.content|role|tool_calls",
    ],
    ..Described::new(&catalog::TAU_BENCH, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if record.get("simulations").is_given() || record.get("tasks").is_given() {
        results(record, out);
    } else if entry.is_document || record.get("ticks").is_given() {
        run(record, out);
    } else {
        message(record, out);
    }
}

/// The members of the document beside its simulations.
fn results<'a>(document: Json<'a>, out: &mut Description<'a>) {
    out.at(document.get("timestamp"));
    out.run.key = document.get("timestamp");
    out.run.titles.own = out.string(&format!(
        "Results of {}",
        document.get("info.environment_info.domain_name").label()
    ));
    out.run.about.notes.push(RunNote::AboutRuns);
    out.run.models.of_all = document.get("info.agent_info.llm");
    out.facts(
        document.get("info"),
        &[
            (FactKind::Other("Domain"), "environment_info.domain_name"),
            (FactKind::Other("Agent"), "agent_info.implementation"),
            (FactKind::Model, "agent_info.llm"),
            (FactKind::Other("Model of the user"), "user_info.llm"),
            (FactKind::Other("Commit"), "git_commit"),
        ],
    );
    out.event(EventKind::RunStart, "results")
        .summary(document.get("info.environment_info.domain_name"))
        .value("Configuration", document.get("info"))
        .value("Tasks", document.get("tasks"));
}

/// The verdict for a reward: whether the task was solved.
fn verdict(reward: f64) -> Option<RunVerdict> {
    match reward {
        0.0 => Some(RunVerdict::Fail),
        1.0 => Some(RunVerdict::Pass),
        _ => None,
    }
}

/// A run, or a simulation.
fn run<'a>(run: Json<'a>, out: &mut Description<'a>) {
    let (task, trial) = (run.get("task_id"), run.get("trial"));
    let words = [task, trial].map(|it| it.label());
    out.run.records = Records::Itself;
    out.run.titles.request = out.string(&format!("Task {}, trial {}", words[0], words[1]));
    let info = run.get("reward_info").or(run);
    let reward = info.get("reward").number().filter(|reward| (0.0..=1.0).contains(reward));
    // A task is either solved or not: the components of the reward are multiplied.
    (out.run.grade.score, out.run.grade.verdict) = (reward, reward.and_then(verdict));
    let reason = run.get("termination_reason");
    let error = run.any(&["info.error", "info.traceback"]);
    out.run.status = Some(match reason.label().as_ref() {
        "max_steps" | "too_many_errors" | "agent_error" | "user_error" => RunStatus::Error,
        _ if has_content(error) => RunStatus::Error,
        _ => RunStatus::Ok,
    });
    (out.run.times.start, out.run.times.end) =
        (time_of(run.get("start_time")), time_of(run.get("end_time")));
    out.run.times.duration = seconds_ns(run.get("duration").number());
    out.facts(
        run,
        &[
            (FactKind::Task, "task_id"),
            (FactKind::Trial, "trial"),
            (FactKind::Other("Seed"), "seed"),
            (FactKind::Other("Mode"), "mode"),
            (FactKind::Other("Ended by"), "termination_reason"),
            (FactKind::Amount("Cost of the agent in USD"), "agent_cost"),
            (FactKind::Amount("Cost of the user in USD"), "user_cost"),
            (FactKind::Amount("Cost of the user in USD"), "info.user_cost"),
        ],
    );
    out.at(run.get("start_time"));
    out.event(EventKind::RunStart, "simulation")
        .summary(run.get("info.task.instruction").or(task))
        .value("Task", run.get("info.task"));
    if run.get("policy").is_given() {
        out.item(What::System).text(run.get("policy"));
    }
    ticks(run.get("ticks"), out);
    out.after_list();
    out.at(run.get("end_time"));
    if has_content(error) {
        let item = out.event(EventKind::Error, "error").error(run.get("info.error"));
        item.log("Traceback", run.get("info.traceback"));
    }
    for check in ["action_checks", "env_assertions", "nl_assertions", "communicate_checks"] {
        info.get(check).items().for_each(|it| checked(it, out));
    }
    let item = out.event(EventKind::Evaluation, "reward").summary(info.get("reward"));
    item.field("Reward", info.get("reward")).value("Reward info", run.get("reward_info"));
    item.value("Reward info", run.get("info.reward_info"));
}

/// A conversation by voice, cut into ticks in which both sides can speak. Without the words, only who spoke is known.
fn ticks<'a>(ticks: Json<'a>, out: &mut Description<'a>) {
    // The items of those who are speaking: the agent and the user.
    let mut speaking = [None; 2];
    for tick in ticks.items() {
        out.at(tick.get("timestamp"));
        for (side, [chunk, calls, results]) in [
            ["agent_chunk", "agent_tool_calls", "agent_tool_results"],
            ["user_chunk", "user_tool_calls", "user_tool_results"],
        ]
        .into_iter()
        .enumerate()
        {
            let chunk = tick.get(chunk);
            let Some(speaks) = speaking.get_mut(side) else { continue };
            match (chunk.get("contains_speech").is_true(), *speaks) {
                (true, None) => {
                    let name = if side == 0 { "agent speaks" } else { "user speaks" };
                    out.event(EventKind::Span, name);
                    *speaks = out.items.len().checked_sub(1);
                }
                (false, Some(at)) => {
                    let item = out.nth(at);
                    let until = time_of(tick.get("timestamp"));
                    let took = item.time.start.get().zip(until.get());
                    item.took(took.and_then(|(from, until)| until.checked_sub(from)).into());
                    *speaks = None;
                }
                _ => {}
            }
            if let (Some(at), words) = (*speaks, chunk.get("content")) {
                out.nth(at).text(words);
            }
            for call in tick.get(calls).items().chain(chunk.get("tool_calls").items()) {
                let (id, name, arguments) = content::call_of(call);
                out.call(id, name, arguments);
            }
            tick.get(results).items().for_each(|it| result(it, out));
        }
    }
}

/// A component of the reward.
fn checked<'a>(check: Json<'a>, out: &mut Description<'a>) {
    let name = check.any(&["action.name", "env_assertion.func_name"]);
    let met = check.any(&["action_match", "met"]);
    let about = check.any(&["nl_assertion", "info", "action.arguments", "env_assertion.arguments"]);
    out.event(EventKind::Evaluation, name.word().unwrap_or("assertion".into()))
        .summary(about)
        .field("Met", met)
        .value("Check", check);
}

fn message<'a>(message: Json<'a>, out: &mut Description<'a>) {
    out.at(message.get("timestamp"));
    let raw = message.get("raw_data");
    let counts = raw.get("usage").or(message.get("usage"));
    match message.get("role").label().as_ref() {
        "tool" if message.get("tool_messages").is_given() => {
            message.get("tool_messages").items().for_each(|it| result(it, out));
        }
        "tool" => result(message, out),
        "user" => {
            if out.run.titles.words.is_absent() {
                out.run.titles.words = content::first_words(message);
            }
            let mut parts = content::pieces(message.get("content"));
            let calls = message.get("tool_calls");
            for call in calls.items() {
                let (_, name, arguments) = content::call_of(call);
                parts.push(Part::Call(name.label(), arguments));
            }
            let item = out.item(What::User);
            item.parts = parts;
            item.asks(calls);
            item.field(FactKind::Cost, message.get("cost")).value(BlockRole::Usage, counts);
            for call in calls.items() {
                let (id, name, arguments) = content::call_of(call);
                out.call(id, name, arguments);
            }
        }
        _ => {
            content::message(message, Joins::Nothing, out);
            let took = seconds_ns(message.get("generation_time_seconds").number());
            let thinking =
                raw.any(&["choices.0.message.reasoning_content", "message.reasoning_content"]);
            let Some(item) = out.find(What::Model) else {
                return;
            };
            if has_content(thinking) {
                item.parts.insert(0, Part::Thinking(thinking));
            }
            item.name(raw.get("model"))
                .tokens(Flavour::of(counts), counts)
                .field(FactKind::Cost, message.get("cost"));
            // The time of the message is its completion.
            if let Some((end, took)) = item.time.start.get().zip(took.get()) {
                item.starts(MaybeNs::from(end.checked_sub(took))).took(MaybeNs::new(took));
            }
        }
    }
}

/// The result of a call. In tau2 it has the id of the call.
fn result<'a>(message: Json<'a>, out: &mut Description<'a>) {
    let content = message.get("content");
    let item = out.result(message.any(&["tool_call_id", "id"]), content);
    item.name(message.get("name")).failed(message.get("error"));
    // tau-bench does not mark errors.
    if content.raw().starts_with("\"Error: ") || content.raw().starts_with("\"Error executing") {
        item.status(Status::Failed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;
    use traceloupe_core::model::NameId;

    #[test]
    fn the_model_of_the_agent_is_that_of_every_simulation() {
        let said = r#"{"role":"assistant","content":"Hi!"}"#;
        let simulation = format!(r#"{{"task_id":"t","trial":0,"messages":[{said}]}}"#);
        let document = format!(
            r#"{{"info":{{"agent_info":{{"llm":"keel-1"}},"user_info":{{"llm":"keel-2"}}}},"tasks":[],"simulations":[{simulation},{simulation}]}}"#
        );
        let read = read(&TAU_BENCH, &[&[&document]]);
        let names: Vec<NameId> = read
            .trace
            .events()
            .iter()
            .filter(|event| event.kind == EventKind::LlmCall)
            .map(|event| event.name)
            .collect();
        let names: Vec<&str> = names.into_iter().map(|name| read.trace.name(name)).collect();
        assert_eq!(names, ["keel-1", "keel-1"]);
    }

    #[test]
    fn a_reward_is_that_of_a_solved_task_or_of_a_failed_one() {
        for (reward, verdict) in [
            ("0.0", Some(RunVerdict::Fail)),
            ("0", Some(RunVerdict::Fail)),
            ("1.0", Some(RunVerdict::Pass)),
            ("0.5", None),
        ] {
            let run = format!(
                "{{\"task_id\":1,\"reward\":{reward},\"traj\":[{{\"role\":\"user\",\"content\":\"a\"}}]}}"
            );
            let read = read(&TAU_BENCH, &[&[&run]]);
            let run = &read.trace.runs()[0];
            assert_eq!((run.status, run.verdict), (RunStatus::Ok, verdict), "{reward}");
        }
    }
}
