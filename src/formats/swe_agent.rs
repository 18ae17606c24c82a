//! SWE-agent: the trajectory of one attempt at an issue, as `<instance>.traj`.
//!
//! Read from the producer's documentation (swe-agent.com/latest/usage/trajectories) and from files of 0.x, of 1.0 and
//! of auto-code-rover and Multi-SWE-bench, which write the same. A step of `trajectory` has the model's response, the
//! command found in it, and the command's output: an LLM call and a tool call. The model's input before its first step
//! is only in `history`, and so are the arguments of function calls as the model wrote them. `state` is JSON in a
//! string in 0.x. A run with several attempts has a document for each in `attempts`. Only commands have times.

use traceloupe_core::model::{RunStatus, Usage};
use traceloupe_engine::prelude::*;

/// The format.
pub static SWE_AGENT: Described = Described {
    signs: &[
        Sign::certain(
            On::First,
            "the document has a `trajectory` of steps with `action`, `observation` and `response`",
            &[
                Test::Has("trajectory.0.action"),
                Test::Has("trajectory.0.observation"),
                Test::HasOne(&["trajectory.0.response", "trajectory.0.thought"]),
                // Agents that use a browser have the page that they see.
                Test::Lacks("trajectory.0.url"),
                // Agents of other programs have the arguments beside the name of a tool.
                Test::Lacks("trajectory.0.action_input"),
                Test::Lacks("trajectory.0.args"),
            ],
        ),
        Sign::certain(
            On::First,
            "the document has `attempts`, each with a `trajectory` and its `info`",
            &[Test::List("attempts.0.trajectory"), Test::Object("attempts.0.info")],
        ),
        Sign::certain(
            On::First,
            "the document has a `trajectory`, a `history` and `info.model_stats`",
            &[Test::List("trajectory"), Test::List("history"), Test::Object("info.model_stats")],
        ),
    ],
    lists: &["attempts.**", "trajectory"],
    // Messages before the first step may be written after the steps.
    hooks: Hooks { is_whole: true, ..Hooks::NONE },
    quiet: &[
        // In a document with attempts: a copy of the best one.
        "trajectory",
        "history.*.content|agent|message_type|thought|action|is_demo",
        // Shown as the conversation.
        "history.*.role",
        "query.*.role|agent|message_type|thought|action",
        "messages.*.role|agent|message_type|thought|action",
        // Repeated by the thought.
        "response",
    ],
    ..Described::new(&catalog::SWE_AGENT, describe)
};

/// The commands of the producer's tools. Any other command is a shell command.
const COMMANDS: &[&str] = &[
    "open",
    "goto",
    "scroll_up",
    "scroll_down",
    "create",
    "edit",
    "insert",
    "search_dir",
    "search_file",
    "find_file",
    "submit",
    "str_replace_editor",
    "exit_forfeit",
    "skip",
    "view_image",
    "filemap",
    "undo_edit",
];

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    match entry.is_document || record.get("info").kind() == Kind::Object {
        true => document(record, out),
        false => step(record, out),
    }
}

/// A run, or one attempt of it.
fn document<'a>(document: Json<'a>, out: &mut Description<'a>) {
    let info = document.get("info");
    let replay = out.unpack(document.get("replay_config"));
    let title = replay.any(&["problem_statement.id", "problem_statement.instance_id"]);
    let place = document.get("environment");
    let is_named = place.raw().contains("__");
    out.run.titles.request = title.or(if is_named { place } else { Json::ABSENT });
    out.run.models.name = replay.get("agent.model.name");
    out.facts(document, &[("Environment", "environment")]);
    out.facts(
        info,
        &[
            (FactKind::Other("Exit status"), "exit_status"),
            (FactKind::Cost, "model_stats.instance_cost"),
            (FactKind::Other("API calls"), "model_stats.api_calls"),
            (FactKind::Other("SWE-agent"), "swe_agent_version"),
        ],
    );
    out.facts(replay, &[(FactKind::Model, "agent.model.name")]);
    out.run.status = info.get("exit_status").text().map(|status| match status.as_ref() {
        "submitted" => RunStatus::Ok,
        _ => RunStatus::Error,
    });
    // Replays write zeros.
    let count = |path| info.get(path).count().filter(|count| *count > 0);
    let (input, output) = (count("model_stats.tokens_sent"), count("model_stats.tokens_received"));
    out.run.totals.usage = Usage { input, output, ..Usage::default() };
    let history = document.get("history");
    let start = out.event(EventKind::RunStart, "trajectory");
    start.summary(place).value("Configuration", replay);
    if document.get("attempts").is_given() {
        // The members beside the attempts are a copy of the best attempt.
        return end(info, out);
    }
    if history.item(0).is_given() {
        start.part(Part::Messages(BlockRole::Conversation, content::messages(history)));
    }
    for message in history.items() {
        let is_shown = message.get("is_demo").is_true();
        let words = message.get("content");
        match message.get("role").label().as_ref() {
            _ if is_shown => drop(out.note("demonstration").text(content::first_words(message))),
            "system" => content::message(message, Joins::Nothing, out),
            "user" => {
                out.run.titles.words = issue(content::first_words(message), out).unwrap_or(words);
                content::message(message, Joins::Nothing, out);
            }
            _ => break,
        }
    }
    end(info, out);
}

/// The outcome, after the steps.
fn end<'a>(info: Json<'a>, out: &mut Description<'a>) {
    out.after_list();
    if info.get("exit_status").is_given() || info.get("submission").is_given() {
        out.event(EventKind::RunEnd, "end")
            .summary(info.get("exit_status"))
            .field("Exit status", info.get("exit_status"))
            .value("Statistics", info.get("model_stats"))
            .part(Part::Code("submission".into(), "diff", info.get("submission")));
    }
}

/// The issue in the text of the prompt.
fn issue<'a>(words: Json<'a>, out: &mut Description<'a>) -> Option<Json<'a>> {
    let text = out.text(words);
    let after = |mark| text.split_once(mark).map(|(_, issue): (_, &str)| issue.trim());
    let issue = after("<pr_description>").or_else(|| after("ISSUE:"))?;
    Some(out.string(issue))
}

/// Whether a response is nothing but the thought and the command in it, which is between marks.
fn is_told(response: &str, thought: &str, command: &str) -> bool {
    let Some((before, after)) = response.rsplit_once(command).filter(|_| !command.is_empty())
    else {
        return false;
    };
    let before = before.trim_end();
    // The mark before the command may name a language.
    let before = before.rsplit_once("```").filter(|(_, mark)| !mark.contains(char::is_whitespace));
    let Some((before, _)) = before else { return false };
    let after = after.trim_start();
    let after = after.strip_prefix("```").unwrap_or(after);
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    [words(before), words(after)].concat() == words(thought)
}

/// One step: the model's response, the command, and its output.
fn step<'a>(step: Json<'a>, out: &mut Description<'a>) {
    let (thought, response) = (step.get("thought"), step.get("response"));
    let action = step.get("action");
    let mut parts = content::pieces(step.get("thinking_blocks"));
    parts.push(Part::Text(thought.or(response)));
    let command = out.text(action).trim();
    if command.starts_with("exit_") && command != "exit_forfeit" {
        // Not a command of the model, but the reason why the agent stops.
        let item = out.event(EventKind::Note, command);
        item.text(thought).text(step.get("observation")).value(BlockRole::State, step.get("state"));
        return;
    }
    let first = command.split([' ', '\n']).next().unwrap_or_default();
    let name = COMMANDS.iter().find(|it| **it == first).copied().unwrap_or("bash");
    if !command.is_empty() {
        parts.push(Part::Call(name.into(), action));
    }
    let is_response =
        response.raw() == thought.raw() || is_told(out.text(response), out.text(thought), command);
    let item = out.model(parts, Joins::Nothing);
    item.asks(action);
    match is_response {
        true => drop(item.told(response)),
        false => drop(item.value(BlockRole::Response, response)),
    }
    let request = step.any(&["query", "messages"]);
    if request.item(0).is_given() {
        item.part(Part::Messages(BlockRole::Messages, content::messages(request)));
    }
    let observation = step.get("observation");
    let state = out.unpack(step.get("state"));
    let took = seconds_ns(step.get("execution_time").number());
    if command.is_empty() {
        out.item(What::Event(EventKind::Note)).name("observation").text(observation);
    } else {
        let call = out.call(Json::ABSENT, out.string(name), action);
        call.part(Part::Result(observation)).asked_by(0);
    }
    out.last()
        .took(took)
        .field("Seconds", step.get("execution_time"))
        .value(BlockRole::State, state);
}

#[cfg(test)]
mod tests {
    use super::is_told;

    #[test]
    fn a_response_is_shown_only_if_it_says_more_than_thought_and_command() {
        for (response, thought, expected) in [
            ("I look.\n\n```\nls -F\n```\n", "I look.", true),
            ("I look.\n```bash\nls -F\n```\nThen I see.", "I look.\n\nThen I see.", true),
            ("```\nls -F\n```", "", true),
            ("I look.\n```\nls -F\n```\nmast.py", "I look.", false),
            ("I look with ls -F.", "I look with", false),
            ("I look.", "I look.", false),
        ] {
            assert_eq!(is_told(response, thought, "ls -F"), expected, "{response}");
        }
        assert!(!is_told("", "", ""));
    }
}
