//! archi (formerly A2rchi): the stream of its chat endpoint, and the traces that it stores.
//!
//! Seen: `POST /api/get_chat_response_stream` of archi at f4775da and main (NDJSON, one event a line), `GET
//! /api/trace/<id>` (`{"success": true, "trace": {…}}`), the trace alone, its `events` alone, and loaded conversations,
//! whose messages contain their traces. From the stream's design document: server-sent events with `text` (`delta`),
//! `thinking`, `tool_end`, `cancelled` and `error`; and the older `step` events.
//!
//! One answer of the agent is a run. A thinking step with the text that follows it is one LLM call; the tool calls that
//! it requested are nested in it. Text is **cumulative**: each `chunk` has the whole text of the answer so far, across
//! tool calls, and the end event repeats it. `tool_start` is sent together with the output, so the duration of a tool
//! is unknown unless `tool_end` states it or the two timestamps differ. A stream that was cancelled simply stops. In a
//! comparison of two answers each `arm` is a lane.

#[cfg(test)]
mod tests;

use rustc_hash::FxHashSet;

use traceloupe_core::model::{Event, EventId, Flags, Run, RunId, TraceBuilder};
use traceloupe_engine::is_nameless;
use traceloupe_engine::kit::Sure;
use traceloupe_engine::prelude::*;
use traceloupe_engine::tokens::OPENAI;

/// The format.
pub static ARCHI: Described = Described {
    signs: &[
        Sign::record(TRACE, &[Test::List("events"), Test::HasAll(TRACE_KEYS)]),
        Sign::record(
            TRACE,
            &[Test::List("trace.events"), Test::HasAll(&["trace.trace_id", "trace.pipeline_name"])],
        ),
        event(
            Sure::Certain,
            "the first event is `meta` with `stream_started`",
            &[Test::Is("type", "meta"), Test::Is("event", "stream_started")],
        ),
        event(
            Sure::Certain,
            "thinking has a `step_id`",
            &[Test::OneOf("type", &["thinking_start", "thinking_end"]), Test::Has("step_id")],
        ),
        event(
            Sure::Certain,
            "calls have `tool_call_id`, `tool_name` and `tool_args`",
            &[CALL, Test::HasAll(&["tool_call_id", "tool_name", "tool_args"])],
        ),
        event(
            Sure::Certain,
            "outputs have `tool_call_id` and `output`",
            &[Test::Is("type", "tool_output"), Test::HasAll(&["tool_call_id", "output"])],
        ),
        event(
            Sure::Certain,
            "chunks have `content` and `accumulated`",
            &[Test::Is("type", "chunk"), Test::HasAll(&["content", "accumulated"])],
        ),
        event(Sure::Certain, "the end has `archi_msg_id`", &[END, Test::Has("archi_msg_id")]),
        event(
            Sure::Likely,
            "the end has `message_id`, `user_message_id` and `trace_id`",
            &[END, Test::HasAll(&["message_id", "user_message_id", "trace_id"])],
        ),
        event(
            Sure::Likely,
            "steps have `step_type` and `content`",
            &[Test::Is("type", "step"), Test::HasAll(&["step_type", "content"])],
        ),
        event(
            Sure::Likely,
            "ends of calls have `tool_call_id` and `status`",
            &[Test::Is("type", "tool_end"), Test::HasAll(&["tool_call_id", "status"])],
        ),
        event(
            Sure::Likely,
            "events have a `conversation_id` or a `delta`",
            &[
                Test::OneOf("type", &["text", "chunk", "thinking", "cancelled", "error"]),
                Test::HasOne(&["conversation_id", "delta"]),
            ],
        ),
        event(
            Sure::Maybe,
            "calls have `name` and `args`",
            &[
                Test::Is("type", "tool_call"),
                Test::HasAll(&["name", "args"]),
                Test::Lacks("timestamp"),
            ],
        ),
        Sign::certain(
            On::Within(&["messages"]),
            "messages have a `sender` and the trace of their tool calls",
            &[Test::HasAll(&["sender", "trace.total_tool_calls"]), Test::List("trace.events")],
        ),
        Sign::maybe(
            On::Within(&["messages"]),
            "messages have `sender`, `content` and `message_id`",
            &[Test::HasAll(&["sender", "content", "message_id"])],
        ),
    ],
    lists: &["trace.events", "events", "messages.**", "traces.**"],
    quiet: &[
        "type|timestamp|conversation_id|arm|step_type|accumulated|delta|duration_ms|tool_name",
        "name|truncated|full_length|padding|sender",
    ],
    hooks: Hooks { join: Some(close), ..Hooks::NONE },
    ..Described::new(&catalog::ARCHI, describe)
};

const CALL: Test = Test::Is("type", "tool_start");
const END: Test = Test::Is("type", "final");
const TRACE: &str = "there is a trace with `trace_id`, `pipeline_name` and `events`";
const TRACE_KEYS: &[&str] = &["trace_id", "conversation_id", "pipeline_name"];

/// A sign for an event, alone or in a stored trace.
const fn event(sure: Sure, why: &'static str, tests: &'static [Test]) -> Sign {
    Sign { sure, on: On::Within(&["events", "trace.events"]), why, tests }
}

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    (out.run.reach, out.run.titles.series) = (Reach::File, Series::Further("Answer"));
    out.at(record.any(&["timestamp", "final_response_msg_ts"]));
    if record.get("sender").is_given() {
        message(entry, out);
    } else if entry.is_document {
        out.nothing();
        if !record.any(&["messages", "traces"]).is_given() {
            let trace = record.get("trace").or(record);
            if trace.get("events").is_given() {
                out.run.records = Records::Next;
            }
            stored(trace, out);
        }
    } else {
        out.run.agent.is(record.get("arm"));
        out.run.agent.name = record.get("arm");
        out.run
            .about
            .growing
            .push((FactKind::Other("Conversation"), record.get("conversation_id")));
        of_stream(record, out);
    }
}

/// A message of a loaded conversation. An answer belongs to the run that its question began.
fn message<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let message = entry.json;
    let content = message.get("content");
    if message.get("sender").word().is_some_and(|it| it.eq_ignore_ascii_case("user")) {
        (out.run.records, out.run.titles.words) = (Records::Next, content);
        out.item(What::User).text(content);
        return;
    }
    stored(message.get("trace"), out);
    out.run.records = Records::EarlierToo;
    if let (false, Some(id)) = (out.run.key.is_given(), message.get("message_id").word()) {
        out.run.key = out.string(&format!("message {id}"));
    }
    if entry.is_document {
        out.nothing();
        out.after_list();
    }
    words(content, Joins::Nothing, out);
}

/// The run's data in a stored trace.
fn stored<'a>(trace: Json<'a>, out: &mut Description<'a>) {
    out.run.ended(trace.get("status"));
    let reason = trace.get("cancellation_reason").word();
    let by = trace.get("cancelled_by").word().map(|by| format!(" by {by}"));
    let note = reason.map(|reason| match out.run.status {
        Some(RunStatus::Error) => format!("Failed: {reason}"),
        _ => format!("Cancelled{}: {reason}", by.unwrap_or_default()),
    });
    let run = &mut out.run;
    run.key = trace.get("trace_id");
    (run.times.start, run.times.end) =
        (time_of(trace.get("started_at")), time_of(trace.get("completed_at")));
    run.times.duration = millis_ns(trace.get("total_duration_ms"));
    run.totals.counts.tool_calls = trace.get("total_tool_calls").count();
    run.about.notes.extend(note.map(Into::into));
    out.facts(
        trace,
        &[
            ("Conversation", "conversation_id"),
            ("Pipeline", "pipeline_name"),
            ("Message", "message_id"),
            ("Config", "config_id"),
        ],
    );
}

/// An event of the stream, or of a stored trace.
fn of_stream<'a>(event: Json<'a>, out: &mut Description<'a>) {
    let kind = event.get("type").label();
    let id = event.any(&["tool_call_id", "id"]);
    let name = event.any(&["tool_name", "name"]);
    match (kind.as_ref(), event.get("step_type").word().as_deref()) {
        ("meta", _) => {
            (out.run.records, out.run.status) = (Records::Next, Some(RunStatus::Running));
            let item = out.event(EventKind::RunStart, "").field("Event", event.get("event"));
            if event.get("padding").is_given() {
                item.part(Part::Note("Padding is not shown".into()));
            }
        }
        ("thinking_start", _) => {
            step(event, out).status(Status::Missing).time.has_begun = true;
        }
        ("thinking_end" | "thinking", _) => {
            let item =
                step(event, out).status(Status::Ok).took(millis_ns(event.get("duration_ms")));
            let words = event.any(&["thinking_content", "content"]);
            if has_content(words) {
                item.part(Part::Thinking(words));
            }
        }
        ("chunk" | "text", _) => text(&kind, event, out),
        ("tool_start" | "tool_call" | "tool_use", _) | ("step", Some("tool_call")) => {
            let arguments = event.any(&["tool_args", "args", "input"]);
            // Arguments that were not JSON are kept as the model wrote them.
            let raw = arguments.get("_raw_arguments").given();
            // The callbacks of LangChain write arguments in Python's notation.
            out.may_be_python();
            out.call(id, name, raw.unwrap_or(arguments)).asked_by(AskedBy::Last);
        }
        ("tool_output" | "tool_result", _) | ("step", Some("tool_result")) => {
            out.may_be_python();
            let output = event.any(&["output", "content", "result"]);
            let item = out.result(id, output).name(name);
            item.status(Status::Ok).error(event.get("error_message"));
            if event.get("truncated").is_true() {
                item.flags.set(Flags::TRUNCATED);
                item.part(Part::Note(cut(output, event.get("full_length").count()).into()));
            }
        }
        ("step", _) => {
            out.model(vec![Part::Text(event.get("content"))], Joins::Nothing).status(Status::Ok);
        }
        ("tool_end", _) => {
            out.update(id)
                .name("tool end")
                .outcome(event.get("status"))
                .took(millis_ns(event.get("duration_ms")))
                .error(event.get("error_message"));
        }
        ("usage", _) => usage(event, out),
        ("final", _) => {
            words(event.get("response"), Joins::Nothing, out);
            if event.get("usage").is_given() {
                usage(event.get("usage"), out);
            }
            let item = end(RunStatus::Ok, "completed", out)
                .members(BlockRole::Response, event.get("response"));
            (item.row.has_rest, item.calls_model) = (true, event.get("model"));
            let message = event.any(&["message_id", "archi_msg_id"]);
            out.facts(event, &[(FactKind::Model, "model"), (FactKind::Other("Trace"), "trace_id")]);
            out.run.about.facts.push(("Message".into(), message));
        }
        ("done", _) => drop(end(RunStatus::Ok, "done", out)),
        ("cancelled", _) => {
            end(RunStatus::Cancelled, "cancelled", out).field("Reason", event.get("reason"));
        }
        ("error", _) => {
            out.run.status = Some(RunStatus::Error);
            let code = event.any(&["error_code", "code", "status"]);
            let message = event.any(&["message", "error_message", "error"]);
            let label = code.word().unwrap_or("error".into());
            let item = out.event(EventKind::Error, label.clone()).status(Status::Failed);
            item.ending.error = label.into();
            item.part(Part::Error(code, message, Json::ABSENT));
        }
        ("warning", _) => drop(out.note("warning").text(event.any(&["message", "content"]))),
        _ => {}
    }
}

/// The start or the end of a model's thinking, with which an LLM call begins.
fn step<'d, 'a>(event: Json<'a>, out: &'d mut Description<'a>) -> &'d mut Item<'a> {
    let id = event.get("step_id");
    out.item(What::Model).id(id).joins(Joins::Id(id))
}

/// A piece of the text of an answer: the whole text so far, or the next piece.
fn text<'a>(kind: &str, event: Json<'a>, out: &mut Description<'a>) {
    let content = event.get("content");
    let is_chunk = kind == "chunk";
    let is_piece = event.get("delta").is_true() || is_chunk && !event.get("accumulated").is_true();
    // Stored texts have neither.
    if is_chunk || is_piece || event.get("conversation_id").is_given() {
        out.run.status = Some(RunStatus::Running);
    }
    match (content.kind(), is_piece) {
        (Kind::String, true) => {
            let piece = Part::piece(PieceOf::Text, content);
            out.item(What::Model).joins(Joins::Open).part(piece).retold();
        }
        (Kind::String, false) => words(content, Joins::Open, out),
        _ => drop(out.note(kind.to_owned())),
    }
}

/// The whole text of an answer so far.
fn words<'a>(text: Json<'a>, joins: Joins<'a>, out: &mut Description<'a>) {
    if text.kind() == Kind::String {
        let piece = Part::piece(PieceOf::TextSoFar, text);
        let item = out.item(What::Model).joins(joins).part(piece);
        if matches!(joins, Joins::Nothing) {
            item.status(Status::Ok);
        }
    }
}

/// Token counts of a whole answer, added to its last LLM call.
fn usage<'a>(counts: Json<'a>, out: &mut Description<'a>) {
    // The producer writes 0 if it does not know.
    out.run.models.context_window = counts.get("context_window").count().filter(|it| *it > 0);
    let about = ["type", "timestamp", "conversation_id", "arm"];
    let shown = counts.members().filter(|(key, _)| !about.contains(&&**key)).collect();
    out.usage(OPENAI.read(counts)).again().group(BlockRole::Usage, shown);
}

/// The end of a run. An error that ended it takes precedence.
fn end<'d, 'a>(
    status: RunStatus,
    label: &'static str,
    out: &'d mut Description<'a>,
) -> &'d mut Item<'a> {
    (out.run.status, out.run.gives_way, out.run.agent.has_ended) = (Some(status), true, true);
    out.event(EventKind::RunEnd, label)
}

/// How much of an output the producer kept.
fn cut(output: Json<'_>, full_chars: Option<u64>) -> String {
    let Some(full_chars) = full_chars else { return "The producer cut the rest".to_owned() };
    let kept_chars = output.text().map_or(0, |text| text.chars().count() as u64);
    let (kept, full) = (grouped(kept_chars), grouped(full_chars));
    format!("Showing {kept} of {full} characters: the producer cut the rest")
}

/// A number with commas between its thousands, as the producer's page writes it.
fn grouped(n: u64) -> String {
    match n {
        0..1_000 => n.to_string(),
        _ => format!("{},{:03}", grouped(n / 1_000), n % 1_000),
    }
}

/// The note on a trace that was stored while the agent was at work.
const STILL_RUNNING: &str = "The trace was stored while the agent was still running";

/// After everything is read: sets the status of calls without an end, and of runs without one.
fn close(out: &mut TraceBuilder) {
    let is_ours = |run: &Run| run.format == ARCHI.names.0;
    // The agents that have a later step.
    let mut went_on = FxHashSet::default();
    for at in (0..out.trace().events().len()).rev().map(EventId::from_index) {
        let is_call = |it: &&Event| matches!(it.kind, EventKind::LlmCall | EventKind::ToolCall);
        let Some(event) = out.trace().event(at).filter(is_call) else { continue };
        let Some(run) = out.trace().run(event.run).filter(|run| is_ours(run)) else { continue };
        let is_over = !went_on.insert(event.lane) || run.status == RunStatus::Ok;
        let status = match (event.kind, event.status) {
            (EventKind::LlmCall, Status::Missing | Status::Unknown) if is_over => Status::Ok,
            // The call's text is there.
            (EventKind::LlmCall, Status::Missing) if event.flags.has(Flags::ANSWER) => {
                Status::Unknown
            }
            (_, Status::Missing) if run.status == RunStatus::Cancelled => Status::Cancelled,
            (_, status) => status,
        };
        if let Some(event) = out.event_mut(at) {
            event.status = status;
        }
    }
    let n_runs = if out.is_partial() { 0 } else { out.trace().runs().len() };
    for at in 0..n_runs {
        let run = out.run_mut(RunId::from_index(at));
        match is_ours(run) && run.status == RunStatus::Running {
            true if is_nameless(&run.key) => {
                run.no_end = Some(traceloupe_core::model::NoEnd::FinalEvent)
            }
            true => run.notes.push(STILL_RUNNING.to_owned()),
            false => {}
        }
    }
}
