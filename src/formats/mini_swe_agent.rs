//! mini-swe-agent: the trajectory of a run, as `<instance>.traj.json`.
//!
//! Read from the producer's code (github.com/SWE-agent/mini-swe-agent, `agents/default.py`, `models/`) and from the
//! lists of messages in its tests. A trajectory is one document with `info` and the `messages` of the conversation.
//! Version 1 has the command in a code block of the answer, and its output in the next user message; version 2 has
//! function calls, or items of the Responses API, with the command and its outcome in `extra`. The last message has the
//! role `exit`.

use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::responses;

/// The format.
pub static MINI_SWE_AGENT: Described = Described {
    signs: &[
        Sign::certain(
            On::First,
            "the document names its `trajectory_format`",
            &[Test::Starts("trajectory_format", "mini-swe-agent"), Test::List("messages")],
        ),
        Sign::certain(
            On::First,
            "the document has `messages`, and `info` with `mini_version` or `model_stats`",
            &[
                Test::List("messages"),
                Test::Has("info.exit_status"),
                Test::HasOne(&["info.mini_version", "info.model_stats"]),
            ],
        ),
        Sign::likely(
            On::Any,
            "messages of the user begin with `<returncode>`",
            &[Test::Is("role", "user"), Test::Starts("content", "<returncode>")],
        ),
    ],
    lists: &["messages"],
    has_messages: true,
    quiet: &[
        "role|timestamp|type|object|model|trajectory_format",
        "extra.timestamp",
        "extra.response.model|choices",
        "extra.actions.*.command|tool_call_id",
        "output.*.type",
    ],
    ..Described::new(&catalog::MINI_SWE_AGENT, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.at(record.any(&["extra.timestamp", "timestamp", "extra.response.created", "created_at"]));
    if entry.is_document || record.get("info").is_given() {
        return document(record, out);
    }
    let role = record.get("role").label();
    let extra = record.get("extra");
    match role.as_ref() {
        "exit" => {
            out.run.status = status(extra.get("exit_status"));
            out.event(EventKind::RunEnd, "exit")
                .summary(extra.get("exit_status"))
                .text(record.get("content"))
                .part(Part::Code("submission".into(), "diff", extra.get("submission")));
        }
        "assistant" => answer(record, out),
        "" if record.get("object").is("response") => answer(record, out),
        "user" if is_output(record) => output(record, Json::ABSENT, out),
        "tool" => output(record, record.get("tool_call_id"), out),
        "" if record.get("call_id").is_given() => output(record, record.get("call_id"), out),
        "user" => {
            out.run.titles.words = task(record, out);
            content::message(record, Joins::Nothing, out);
        }
        _ => content::message(record, Joins::Nothing, out),
    }
}

/// The document around the messages.
fn document<'a>(document: Json<'a>, out: &mut Description<'a>) {
    let info = document.get("info");
    // The end of a long document has the id after the messages.
    out.run.gives_way = true;
    let mut first = document.get("messages").items().take(MAX_BEFORE_TASK);
    match first.find(|message| message.get("role").is("user")) {
        Some(message) => out.run.titles.words = task(message, out),
        None => out.run.titles.own = document.get("instance_id"),
    }
    out.run.status = status(info.get("exit_status"));
    out.run.models.name = info.any(&["config.model.model_name", "config.model.name"]);
    out.facts(
        info,
        &[
            (FactKind::Model, "config.model.model_name"),
            (FactKind::Other("Exit status"), "exit_status"),
            (FactKind::Cost, "model_stats.instance_cost"),
            (FactKind::Other("API calls"), "model_stats.api_calls"),
            (FactKind::Other("mini-swe-agent"), "mini_version"),
        ],
    );
    out.facts(document, &[("Instance", "instance_id"), ("Format", "trajectory_format")]);
    out.event(EventKind::RunStart, "trajectory")
        .summary(document.get("instance_id"))
        .value("Configuration", info.get("config"));
    out.after_list();
    if info.get("exit_status").is_given() {
        out.event(EventKind::RunEnd, "end")
            .summary(info.get("exit_status"))
            .field("Exit status", info.get("exit_status"))
            .value("Statistics", info.get("model_stats"))
            .part(Part::Code("submission".into(), "diff", info.get("submission")));
    }
}

/// How many messages may precede the task.
const MAX_BEFORE_TASK: usize = 4;

/// The text that the producer's templates put before the task.
const BEFORE_TASK: &[&str] = &[
    "<pr_description>",
    "Consider the following PR description:",
    "Please solve this issue:",
    "Your task:",
    "Task:",
];

/// The first line of the task in a message, without the text of the template before it.
fn task<'a>(message: Json<'a>, out: &mut Description<'a>) -> Json<'a> {
    let words = content::first_words(message);
    let text = out.text(words).trim_start();
    let rest = BEFORE_TASK
        .iter()
        .fold(text, |rest, lead| rest.strip_prefix(lead).map_or(rest, str::trim_start));
    match rest.lines().next().filter(|_| rest.len() < text.len()) {
        Some(line) => out.string(line),
        None => words,
    }
}

fn status(exit: Json<'_>) -> Option<RunStatus> {
    exit.text().filter(|it| !it.is_empty()).map(|status| match status.as_ref() {
        "Submitted" | "submitted" => RunStatus::Ok,
        "UserInterruption" => RunStatus::Cancelled,
        _ => RunStatus::Error,
    })
}

/// The model's response, with the command in its text.
fn answer<'a>(message: Json<'a>, out: &mut Description<'a>) {
    let response = message.get("extra.response").or(message);
    match message.get("output").is_given() {
        true => responses::items(message.get("output"), out),
        false => content::answer(message, out),
    }
    let usage = response.get("usage");
    let calls = out.items.len();
    let Some(item) = out.find(What::Model) else { return };
    item.name(response.get("model"))
        .tokens(Flavour::of(usage), usage)
        .fields(message, &[(FactKind::Cost, "extra.cost")]);
    if calls > 1 {
        return;
    }
    let mut commands: Vec<_> = message
        .get("extra.actions")
        .items()
        .map(|action| (action.get("tool_call_id"), action.get("command")))
        .collect();
    if commands.is_empty() {
        commands.extend(block(message, out).map(|command| (Json::ABSENT, command)));
    }
    for (id, command) in commands {
        out.asked_by(0, id, Json::new("\"bash\""), command);
    }
}

/// The command in the only shell code block.
fn block<'a>(message: Json<'a>, out: &mut Description<'a>) -> Option<Json<'a>> {
    let text = out.text(content::first_words(message));
    let mut blocks = ["```mswea_bash_command\n", "```bash\n"].into_iter().flat_map(|mark| {
        text.split(mark).skip(1).map(|after| after.split("\n```").next().unwrap_or(after))
    });
    let command = blocks.next().filter(|_| blocks.next().is_none())?;
    Some(out.string(command))
}

/// Whether a user message is the output of a command.
fn is_output(message: Json<'_>) -> bool {
    let content = message.any(&["content.0.text", "content"]);
    message.any(&["extra.returncode", "extra.raw_output"]).is_given()
        || [
            "\"<returncode>",
            "\"<warning>\\nThe output",
            "\"Observation:",
            "\"<exception>",
            "\"diff --git ",
        ]
        .iter()
        .any(|mark| content.raw().starts_with(mark))
}

/// The output of a command.
fn output<'a>(message: Json<'a>, id: Json<'a>, out: &mut Description<'a>) {
    let extra = message.get("extra");
    let shown = message.any(&["content", "output"]);
    let text = out.text(message.any(&["content.0.text", "content", "output"]));
    let stated = text.strip_prefix("<returncode>").and_then(|it| it.split('<').next());
    let code = extra.get("returncode").given().or(stated.map(Json::new)).unwrap_or_default();
    out.result(id, shown)
        .name(if id.is_given() { "" } else { "bash" })
        .exit(code)
        .fields(extra, &[("Exit code", "returncode")])
        .log(BlockRole::Output, extra.get("raw_output"))
        .error(extra.get("exception_info"));
}
