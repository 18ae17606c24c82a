//! Steps of ReAct agents, as DSPy and many independent programs write them.
//!
//! Read from the code of about twenty such programs, from that of DSPy (github.com/stanfordnlp/dspy,
//! `predict/react.py`), and from their tests. A step has a thought, an action and an observation: an LLM call, the tool
//! call that it requested, and the call's result. Steps are a list, the lines of a file, or a list in a document with
//! the question and the answer. An action is the name of a tool with its arguments in a key beside it, an object with
//! both, or a text such as `search[words]` and `search({"q": 1})`. The last action often has no tool: it gives the
//! answer. DSPy numbers the keys of one object: `thought_0`, `tool_name_0`, `tool_args_0`, `observation_0`.

use traceloupe_core::sorting::sort_by_key;
use traceloupe_engine::prelude::*;

/// The format.
pub static REACT: Described = Described {
    signs: &[
        Sign::record(
            "keys are numbered: `thought_0`, `tool_name_0`, `tool_args_0`",
            &[Test::HasOne(&["trajectory.tool_name_0", "tool_name_0"])],
        ),
        Sign::likely(
            On::Within(LISTS),
            "steps have a `thought`, an `action` and an `observation`",
            &[Test::HasOne(THOUGHT), Test::HasOne(ACTION), Test::HasOne(OBSERVATION)],
        ),
        Sign::likely(
            On::Within(LISTS),
            "steps have a `thought`, an `action` and an `action_input`",
            &[
                Test::HasOne(THOUGHT),
                Test::HasOne(ACTION),
                Test::HasOne(&["action_input", "Action Input"]),
            ],
        ),
    ],
    lists: LISTS,
    quiet: &["timestamp|time|ts"],
    ..Described::new(&catalog::REACT, describe)
};

const LISTS: &[&str] =
    &["steps", "trajectory", "history", "trace", "reasoning_steps", "react_steps"];
const THOUGHT: &[&str] = &["thought", "Thought", "thoughts"];
const ACTION: &[&str] = &["action", "Action", "tool", "tool_name"];
const OBSERVATION: &[&str] = &["observation", "Observation", "obs"];
const ARGUMENTS: &[&str] = &[
    "action_input",
    "Action Input",
    "actionInput",
    "action_args",
    "args",
    "arguments",
    "tool_input",
    "tool_args",
    "input",
    "parameters",
    "params",
];
const QUESTION: &[&str] = &["question", "query", "task", "goal", "instruction", "problem", "input"];
const ANSWER: &[&str] = &["final_answer", "finalAnswer", "answer", "final_output", "output"];
const MODEL: &[&str] = &["model", "model_name"];
const RUN: &[&str] = &["run_id", "session_id", "trace_id", "episode_id"];

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.at(record.any(&["timestamp", "time", "ts", "created_at"]));
    out.may_be_python();
    let numbered = ["trajectory", ""].map(|path| match path {
        "" => record,
        path => record.get(path),
    });
    let is_numbered = |it: &Json<'_>| it.get("tool_name_0").is_given();
    if let Some(steps) = numbered.into_iter().find(is_numbered) {
        question(record, out);
        of_numbered_keys(steps, out);
        return extracted(record, out);
    }
    if entry.is_document {
        question(record, out);
        if out.items.is_empty() {
            out.event(EventKind::RunStart, "");
        }
        out.after_list();
        return end(record, out);
    }
    out.run.key = record.any(RUN);
    let step = Step {
        thought: record.any(THOUGHT),
        action: record.any(ACTION),
        arguments: record.any(ARGUMENTS),
        observation: record.any(OBSERVATION),
    };
    if step.thought.is_given() || step.action.is_given() || step.observation.is_given() {
        out.run.titles.words = record.any(&["question", "query", "task"]);
        take(step, record, out);
    } else if record.any(QUESTION).is_given() {
        out.run.titles.words = record.any(QUESTION);
        out.run.models.name = record.any(MODEL);
        out.item(What::User).text(record.any(QUESTION));
    } else {
        end(record, out);
        if out.items.is_empty() {
            out.note("record");
        }
    }
}

/// The task of a run: the members before its steps.
fn question<'a>(document: Json<'a>, out: &mut Description<'a>) {
    out.run.records = Records::Itself;
    let question = document.any(QUESTION);
    out.run.titles.words = question;
    out.run.titles.own = document.get("title");
    out.run.models.name = document.any(MODEL);
    out.facts(document, &[(FactKind::Model, "model"), (FactKind::Model, "model_name")]);
    let instructions = document.any(&["system_prompt", "system"]);
    if has_content(instructions) {
        out.item(What::System).text(instructions);
    }
    if has_content(question) {
        out.item(What::User).text(question);
    }
}

/// The outcome of a run, if the document states it.
fn end<'a>(document: Json<'a>, out: &mut Description<'a>) {
    let worked = document.any(&["success", "solved", "completed"]).bool();
    if let Some(worked) = worked {
        out.run.status = Some(if worked { RunStatus::Ok } else { RunStatus::Error });
    }
    let usage = document.any(&["usage", "token_usage", "tokens"]);
    out.run.totals.usage = Flavour::of(usage).read(usage);
    let answer = document.any(ANSWER);
    if has_content(answer) {
        out.event(EventKind::RunEnd, "answer").summary(answer).value(BlockRole::Answer, answer);
    }
}

/// The members of a step.
#[derive(Clone, Copy, Default)]
struct Step<'a> {
    thought: Json<'a>,
    action: Json<'a>,
    arguments: Json<'a>,
    observation: Json<'a>,
}

/// Adds the LLM call of a step and its tool call. `record` has all other data about the step.
fn take<'a>(step: Step<'a>, record: Json<'a>, out: &mut Description<'a>) {
    let (name, arguments) = called(step.action, step.arguments, out);
    let ends = ends(name);
    if !step.thought.is_given() && !name.is_given() {
        out.note("observation").value("Observation", step.observation);
        return;
    }
    let usage = record.any(&["usage", "token_usage", "tokens"]);
    let model = out.items.len();
    let item = out
        .model(vec![Part::Text(step.thought)], Joins::Nothing)
        .name(record.any(MODEL))
        .usage(Flavour::of(usage).read(usage))
        .field("Step", record.any(&["step", "step_number", "iteration"]));
    item.value(BlockRole::Usage, usage).asks(step.action);
    if step.action.kind() == Kind::String {
        match step.action == name {
            true => item.told(step.action),
            // The action as the model wrote it, because its arguments were found in it.
            false => item.field("Action", step.action),
        };
    }
    if ends {
        item.part(Part::Text(arguments)).field("Action", name);
        if has_content(step.observation) {
            item.value("Observation", step.observation);
        }
        out.run.status = Some(RunStatus::Ok);
        return;
    }
    if !name.is_given() {
        if has_content(step.observation) {
            out.note("observation").value("Observation", step.observation);
        }
        return;
    }
    let error = record.get("error");
    let has_error = has_content(error) && error.bool() != Some(false);
    let failed =
        has_error || has_failed(step.observation) || record.get("success").bool() == Some(false);
    let item = out.asked_by(model, Json::ABSENT, name, arguments);
    item.took(millis_ns(record.any(&["duration_ms", "latency_ms"])));
    if step.observation.is_given() {
        item.part(Part::Result(step.observation)).status(Status::Ok);
    }
    if failed {
        item.status(Status::Failed);
    }
    if has_error {
        item.error(error);
    }
}

/// Whether a tool reported a failure. Independent programs report it as text.
fn has_failed(observation: Json<'_>) -> bool {
    let text = observation.label();
    let starts =
        ["Error:", "ERROR:", "error:", "Error executing", "Execution error in ", "Traceback (most"];
    starts.iter().any(|start| text.starts_with(start)) || has_content(observation.get("error"))
}

/// The tool that an action names, and its arguments. The name is absent if there is no action.
fn called<'a>(
    action: Json<'a>,
    arguments: Json<'a>,
    out: &mut Description<'a>,
) -> (Json<'a>, Json<'a>) {
    let action = out.unpack(action);
    if action.kind() == Kind::Object {
        let function = action.get("function");
        let of = if function.kind() == Kind::Object { function } else { action };
        let name = of.any(&["name", "tool", "tool_name", "function", "type", "action"]);
        let own = of.any(&[
            "args",
            "arguments",
            "input",
            "parameters",
            "params",
            "action_input",
            "answer",
        ]);
        return (name, own.or(arguments));
    }
    let text = out.text(action).trim();
    if text.is_empty() || ["none", "null", "n/a"].iter().any(|it| text.eq_ignore_ascii_case(it)) {
        return (Json::ABSENT, arguments);
    }
    if !arguments.is_given()
        && let Some((name, inner)) = split(text)
    {
        return (out.string(name), out.string(inner));
    }
    // A sentence is an input to a text-based environment, not a tool.
    let is_name = arguments.is_given() || !text.contains(char::is_whitespace) || ends(action);
    match is_name {
        true => (action, arguments),
        false => (Json::new("\"action\""), action),
    }
}

/// A call in one text, `name[words]` or `name(arguments)`, as its name and the text in the brackets.
fn split(text: &str) -> Option<(&str, &str)> {
    let open = text.find(['[', '('])?;
    let (name, inner) = text.split_at_checked(open)?;
    let inner = match inner.strip_prefix('[') {
        Some(inner) => inner.strip_suffix(']')?,
        None => inner.strip_prefix('(')?.strip_suffix(')')?,
    };
    let name = name.trim_end();
    let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | '-' | '.' | ':' | '/');
    let is_name = !name.is_empty() && (name.chars().all(is_part) || is_end(name));
    is_name.then(|| (name, inner.trim()))
}

/// Whether an action gives the answer instead of calling a tool.
fn ends(name: Json<'_>) -> bool {
    name.word().is_some_and(|name| is_end(&name))
}

fn is_end(name: &str) -> bool {
    let name = name.trim().to_ascii_lowercase().replace([' ', '-'], "_");
    ["finish", "final_answer", "finalanswer", "finalize", "answer"].contains(&name.as_str())
}

/// The steps of an object with numbered keys.
fn of_numbered_keys<'a>(keys: Json<'a>, out: &mut Description<'a>) {
    let mut found = Vec::new();
    for (key, value) in keys.members() {
        let Some((name, number)) = key.rsplit_once('_') else { continue };
        let place =
            ["thought", "tool_name", "tool_args", "observation"].iter().position(|it| *it == name);
        if let Some((place, number)) = place.zip(number.parse::<u32>().ok()) {
            found.push((number, place, value));
        }
    }
    sort_by_key(&mut found, |(number, place, _)| (*number, *place));
    for step in found.chunk_by(|one, other| one.0 == other.0) {
        let at = |place| step.iter().find(|it| it.1 == place).map_or(Json::ABSENT, |it| it.2);
        let step = Step { thought: at(0), action: at(1), arguments: at(2), observation: at(3) };
        take(step, Json::ABSENT, out);
    }
}

/// The answer that DSPy lets a model extract from the steps.
fn extracted<'a>(document: Json<'a>, out: &mut Description<'a>) {
    let (reasoning, answer) = (document.get("reasoning"), document.any(ANSWER));
    if reasoning.is_given() {
        let thinking = Part::Thinking(reasoning);
        out.model(vec![thinking], Joins::Nothing).value(BlockRole::Answer, answer);
        return;
    }
    end(document, out);
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn a_call_in_a_text_is_a_name_and_what_is_in_its_brackets() {
        for (text, expected) in [
            ("Search[old harbour]", Some(("Search", "old harbour"))),
            ("weigh({\"kg\": [1, 2]})", Some(("weigh", "{\"kg\": [1, 2]}"))),
            ("Final Answer[yes (or no)]", Some(("Final Answer", "yes (or no)"))),
            ("list_files()", Some(("list_files", ""))),
            ("go to desk (the near one)", None),
            ("print(1) and more", None),
            ("[1]", None),
            ("wait", None),
        ] {
            assert_eq!(split(text), expected, "{text}");
        }
    }
}
