//! OpenHands until the end of 2025 (V0): the stream of events of a conversation, and the results of its
//! evaluations.
//!
//! Read from the producer's code (github.com/OpenHands/OpenHands, `events/`) and from files of 0.20 to 0.35. An event
//! is an action or an observation; an observation names its action in `cause`. A trajectory is a list of events; a line
//! of `output.jsonl` is a run with the list in `history`, in the oldest ones as pairs of action and observation.
//! Actions from one response of the model repeat that response, and so do their observations. Times have no zone.

use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::content::call_of;
use traceloupe_engine::tokens::OPENHANDS_TOTALS;

const EVENT: &[Test] = &[
    Test::OneOf("source", &["user", "agent", "environment"]),
    Test::HasOne(&["args", "extras"]),
    Test::Has("message"),
    Test::HasOne(&["action", "observation"]),
];

/// The format.
pub static OPENHANDS_V0: Described = Described {
    signs: &[
        event(On::Any),
        event(On::Items("history")),
        event(On::Items("history.*.")),
        event(On::Items("trajectory")),
        Sign::record(
            "records have a `history` and the `agent_class` of their instance",
            &[Test::Text("instance_id"), Test::List("history"), Test::Has("metadata.agent_class")],
        ),
    ],
    lists: &["history", "trajectory"],
    quiet: &[
        "id|timestamp|source|cause|action|observation|message|success",
        "*.id|timestamp|source|cause|action|observation|message",
        // The response is shown with its first action.
        "tool_call_metadata.model_response",
        "*.tool_call_metadata.model_response",
        "tool_call_metadata.function_name|tool_call_id|total_calls_in_response",
        // Shown as the model wrote them.
        "args.command",
        "args.code|path|url|thought",
        "extras.command|code|path|agent_state",
        "*.extras.code",
        // Costs are repeated with every event.
        "metrics.costs",
        "metrics.response_latencies|token_usages",
        "llm_metrics.accumulated_token_usage|costs|response_latencies|token_usages",
    ],
    ..Described::new(&catalog::OPENHANDS_V0, describe)
};

const fn event(on: On) -> Sign {
    let why =
        "events have a `source`, and an `action` with `args` or an `observation` with `extras`";
    Sign::certain(on, why, EVENT)
}

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if entry.is_document {
        return document(record, out);
    }
    // The oldest histories have pairs.
    let pair = record.kind() == Kind::Array;
    let events = if pair { record.items().collect() } else { vec![record] };
    for event in events {
        out.at(event.get("timestamp"));
        match event.get("observation").is_given() {
            true => observation(event, out),
            false => action(event, out),
        }
    }
}

/// A line of `output.jsonl`.
fn document<'a>(document: Json<'a>, out: &mut Description<'a>) {
    if document.get("history").is_absent() {
        return;
    }
    out.run.records = Records::Itself;
    out.run.titles.request = document.get("instance_id");
    out.run.models.name = document.get("metadata.llm_config.model");
    let counts = document.get("metrics.accumulated_token_usage");
    out.run.totals.usage = OPENHANDS_TOTALS.read(counts);
    out.run.status = match document.get("error").given() {
        Some(_) => Some(RunStatus::Error),
        None => document.get("test_result").given().map(|_| RunStatus::Ok),
    };
    out.facts(
        document,
        &[
            (FactKind::Other("Instance"), "instance_id"),
            (FactKind::Model, "metadata.llm_config.model"),
            (FactKind::Other("Agent"), "metadata.agent_class"),
            (FactKind::Cost, "metrics.accumulated_cost"),
            (FactKind::Other("Resolved"), "report.resolved"),
        ],
    );
    out.event(EventKind::RunStart, "instance")
        .summary(document.get("instance_id"))
        .value(BlockRole::OtherInput("Instruction"), document.get("instruction"))
        .value("Metadata", document.get("metadata"));
    out.after_list();
    out.event(EventKind::RunEnd, "end")
        .error(document.get("error"))
        .part(Part::Code("patch".into(), "diff", document.get("test_result.git_patch")))
        .fields(document, &[(FactKind::Cost, "metrics.accumulated_cost")])
        .value(BlockRole::Usage, counts)
        .value("Report", document.get("report"));
}

fn action<'a>(event: Json<'a>, out: &mut Description<'a>) {
    let (id, args) = (event.get("id"), event.get("args"));
    let kind = event.get("action").label();
    let words = args.any(&["content", "final_thought", "thought"]);
    let is_agent = event.get("source").is("agent");
    match kind.as_ref() {
        "message" if is_agent => model(event, args.get("content"), None, out),
        "message" => {
            if out.run.titles.words.is_absent() {
                out.run.titles.words = args.get("content");
            }
            out.item(What::User).text(args.get("content"));
            for image in args.any(&["image_urls", "images_urls"]).items() {
                out.last().part(Part::Media("".into(), image));
            }
        }
        "system" => {
            out.item(What::System)
                .text(args.get("content"))
                .value(BlockRole::Tools, args.get("tools"));
            out.facts(args, &[("OpenHands", "openhands_version"), ("Agent", "agent_class")]);
        }
        "condensation" | "condensation_request" => {
            out.event(EventKind::Compaction, "condensation").text(args.get("summary"));
        }
        "recall" | "change_agent_state" | "null" | "pause" | "resume" => {
            let about = args.any(&["query", "agent_state"]);
            out.note(kind.replace('_', " ")).summary(about).field("About", about);
        }
        _ if !is_agent => drop(out.note(kind.replace('_', " ")).text(words)),
        _ => {
            let meta = event.get("tool_call_metadata");
            let name = meta.get("function_name").or(event.get("action"));
            let called = called(event).map(|(_, _, arguments)| arguments);
            let command = args.any(&["command", "code", "browser_actions", "url"]);
            let arguments = called.unwrap_or(if command.is_given() { command } else { args });
            let arguments = out.unpack(arguments);
            let asks = Part::Call(name.label(), arguments);
            let asked_by = out.items.len();
            model(event, Json::ABSENT, Some(asks), out);
            let call = out.call(id, name, arguments);
            call.asked_by(asked_by);
            match kind.as_ref() {
                "delegate" => drop(call.opens()),
                "finish" | "reject" => {
                    call.status(Status::Ok)
                        .fields(args, &[("Completed", "task_completed"), ("Outputs", "outputs")]);
                }
                _ => {}
            }
        }
    }
}

/// The call of the response that an action carries out.
fn called(event: Json<'_>) -> Option<(Json<'_>, Json<'_>, Json<'_>)> {
    let meta = event.get("tool_call_metadata");
    let calls = meta.get("model_response.choices.0.message.tool_calls");
    let id = meta.get("tool_call_id");
    calls.items().map(call_of).find(|call| id.is_given() && call.0.raw() == id.raw())
}

/// The model's response: the response itself with the first of its actions, and any further thought with each action.
fn model<'a>(event: Json<'a>, words: Json<'a>, asks: Option<Part<'a>>, out: &mut Description<'a>) {
    let response = event.get("tool_call_metadata.model_response");
    let message = response.get("choices.0.message");
    let first = message.get("tool_calls.0.id");
    let is_first = first.raw() == event.get("tool_call_metadata.tool_call_id").raw();
    let joins = response.get("id").given().map_or(Joins::Nothing, Joins::Id);
    let mut parts = Vec::new();
    if is_first && message.is_given() {
        let thinking = message.get("reasoning_content");
        parts.extend(thinking.given().map(Part::Thinking));
        parts.extend(content::pieces(message.get("content")));
    }
    let has_words = parts.iter().any(|part| matches!(part, Part::Text(_)));
    let thought = event.get("args.thought");
    if !has_words && !event.get("action").is("think") {
        let words = [words, thought, event.get("args.final_thought")];
        parts.extend(words.into_iter().find(|words| has_content(*words)).map(Part::Text));
    }
    parts.extend(asks);
    let usage = response.get("usage");
    let item = out.model(parts, joins).name(response.get("model"));
    item.asks(event.get("args"));
    if is_first || first.is_absent() {
        item.tokens(Flavour::of(usage), usage);
        item.fields(
            event,
            &[(FactKind::Amount("Cost so far in USD"), "llm_metrics.accumulated_cost")],
        );
    }
}

fn observation<'a>(event: Json<'a>, out: &mut Description<'a>) {
    let (content, extras) = (event.get("content"), event.get("extras"));
    let cause = event.get("cause");
    let kind = event.get("observation").label();
    match kind.as_ref() {
        "null" => out.nothing(),
        "agent_state_changed" => {
            let state = extras.get("agent_state");
            if state.is("error") {
                out.run.status = Some(RunStatus::Error);
            } else if state.is("finished") {
                out.run.status = Some(RunStatus::Ok);
            }
            out.event(EventKind::State, "agent state")
                .summary(state)
                .field("State", state)
                .text(content);
        }
        "recall" | "condense" | "loop_recovery" => drop(out.note(kind.into_owned()).text(content)),
        "error" if !cause.is_given() => drop(out.event(EventKind::Error, "error").error(content)),
        _ => {
            let code = extras.any(&["exit_code", "metadata.exit_code"]);
            let item = out.result(cause, content).exit(code).field("Exit code", code);
            item.failed_unless(event.get("success")).failed(extras.get("error"));
            let is_error = kind == "error" || content.raw().starts_with("\"ERROR:");
            if is_error || extras.get("last_browser_action_error").raw().len() > 2 {
                item.status(Status::Failed);
            } else if kind == "user_rejected" {
                item.status(Status::Rejected);
            }
            let image = extras.get("screenshot");
            if image.raw().starts_with("\"data:image") {
                item.part(Part::Media("".into(), image));
            }
            if kind == "delegate" {
                out.item(What::End).name("delegate");
            }
        }
    }
}
