//! Events of spec 0.1.

use std::borrow::Cow;

use traceloupe_core::json::{Json, KeySet, Kind};
use traceloupe_core::model::{BlockRole, EventKind, EventNote, FactKind, MaybeNs, Status, Usage};
use traceloupe_engine::fields::millis;
use traceloupe_engine::kit::{Description, Item, Joins, Part, has_content, time_of};
use traceloupe_engine::shapes::conversation::gist;
use traceloupe_engine::tokens::Flavour;

use super::runs::{FACTS, read_counts, status_of};
use super::{Dialect, SdkSpan, is_redacted, mark};

/// Describes a record as an event. `false` if it is not an event.
pub(super) fn event<'a>(record: Json<'a>, dialect: Dialect, out: &mut Description<'a>) -> bool {
    let keys = const {
        &KeySet::new([
            "event_type",
            "event_id",
            "run_id",
            "parent_id",
            "ts",
            "duration_ms",
            "name",
            "payload",
            "meta",
            "timestamp",
        ])
    };
    let Some([kind, id, run, parent, ts, duration, name, payload, meta, timestamp]) =
        record.fields(keys)
    else {
        return false;
    };
    let Some(kind) = kind.word() else { return false };
    let span = SdkSpan::of(meta);
    let mut duration = millis(duration.present());
    let mut is_point = true;
    out.run(run);
    match kind.as_ref() {
        "LLM_CALL" => {
            llm_call(name, payload, out);
            is_point = false;
        }
        "TOOL_CALL" => {
            tool_call(name, payload, span.handoff, dialect, out);
            is_point = false;
        }
        "STATE_UPDATE" => state(name.text().unwrap_or_default(), payload, out),
        "ERROR" => {
            let parts = ["error_type", "message", "stack"].map(|key| payload.get(key));
            error(parts, name, out);
        }
        "LOOP_WARNING" => loop_warning(payload, name, out),
        "RUN_START" => {
            run_start(name, payload, out);
            is_point = false;
        }
        "RUN_END" => {
            run_end(payload, out);
            // The duration is that of the run; the event has no time of its own.
            duration = MaybeNs::UNKNOWN;
        }
        _ => drop(out.event(EventKind::Record, kind.into_owned()).value("Payload", payload)),
    }
    // Maida opens the span of a call only when it records the call.
    if dialect == Dialect::Maida && duration == MaybeNs::new(0) {
        duration = MaybeNs::UNKNOWN;
    }
    let item = out.last();
    if !has_content(item.summary_value()) {
        item.summary(payload);
    }
    // Point events that Maida puts on a root span have the id of the root.
    if is_point {
        item.id(id).span.parent = parent;
    } else {
        item.span(id, parent);
    }
    span.time(time_of(ts.or(timestamp)), duration, item);
    item.span.may_lack_parent = true;
    item.once().value(BlockRole::Meta, meta);
    mark(record, item);
    true
}

/// The more specific name if it is given, else that of the event.
fn named<'a>(better: Json<'a>, name: Json<'a>) -> Cow<'a, str> {
    better.word().or_else(|| name.text()).unwrap_or_default()
}

fn llm_call<'a>(name: Json<'a>, payload: Json<'a>, out: &mut Description<'a>) {
    let keys = const {
        &KeySet::new([
            "model",
            "prompt",
            "response",
            "usage",
            "status",
            "error",
            "provider",
            "temperature",
            "stop_reason",
        ])
    };
    let [model, prompt, response, usage, status, error, provider, temperature, stop] =
        payload.fields(keys).unwrap_or_default().map(|value| value.given().unwrap_or_default());
    let item = out.model(Vec::new(), Joins::Nothing).name(named(model, name));
    let message = failure(status, error, item);
    asked(prompt, response, message, item);
    item.usage(read_usage(usage)).value(BlockRole::Usage, usage);
    item.field(FactKind::Provider, provider);
    item.field("Temperature", temperature);
    item.field("Stop reason", stop);
}

/// Adds the prompt and the response of a model. For a failed call the error matters more than the prompt.
pub fn asked<'a>(prompt: Json<'a>, response: Json<'a>, message: Json<'a>, item: &mut Item<'a>) {
    if has_content(prompt) {
        item.part(Part::Prompt(prompt));
    }
    if has_content(response) {
        item.part(Part::Answer(response));
    }
    let words = response.given().map(|response| Json::new(gist(response)));
    item.prompt(prompt)
        .answer(response)
        .summary(words.or_else(|| message.given()).unwrap_or(prompt));
}

fn tool_call<'a>(
    name: Json<'a>,
    payload: Json<'a>,
    handoff: Json<'a>,
    dialect: Dialect,
    out: &mut Description<'a>,
) {
    let keys = const { &KeySet::new(["tool_name", "args", "result", "status", "error"]) };
    let [tool, args, result, status, error] = payload.fields(keys).unwrap_or_default();
    // The LangChain handler passes `str(args)` on.
    out.may_be_python();
    let args = args.given().unwrap_or_default();
    let item = out.call(Json::ABSENT, tool, args).name(named(tool, name)).value("Handoff", handoff);
    let message = failure(status, error, item);
    // A null is a result if the call succeeded: the tool returned nothing.
    if result.is_given() || item.ending.status == Some(Status::Ok) && !result.is_absent() {
        item.part(Part::Result(result));
    }
    if dialect == Dialect::Maida {
        item.structure(args);
    }
    item.summary(gist_of_call(handoff, args, result, message));
}

/// The summary of a call.
pub fn gist_of_call<'a>(
    handoff: Json<'a>,
    args: Json<'a>,
    result: Json<'a>,
    message: Json<'a>,
) -> Json<'a> {
    let told = Some(args).filter(|args| !matches!(args.raw(), "{}" | "\"{}\""));
    let values = [Some(handoff), told, Some(result), Some(message)];
    values.into_iter().flatten().find(|it| it.is_given()).unwrap_or(args)
}

/// Sets the outcome of a call and adds its error: an object, or a string. Returns the error's message.
fn failure<'a>(status: Json<'a>, error: Json<'a>, item: &mut Item<'a>) -> Json<'a> {
    if status.is("ok") {
        item.status(Status::Ok);
    }
    if status.is("error") {
        item.status(Status::Failed);
    }
    if !has_content(error) || error.raw() == "false" {
        return Json::ABSENT;
    }
    item.status(Status::Failed);
    if error.kind() != Kind::Object {
        item.ending.error = type_in(&error.text().unwrap_or_default()).into();
        item.part(Part::Error(Json::ABSENT, error, Json::ABSENT));
        return error;
    }
    let parts = ["error_type", "message", "stack"].map(|key| error.field(key));
    item.ending.error = parts[0].label().into();
    error_part(parts, item);
    parts[1]
}

/// The part before the colon in a text such as `ValueError: no such file`. Empty if there is none.
fn type_in(text: &str) -> String {
    let is_name = |name: &&str| {
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
        !name.is_empty() && name.bytes().all(is_part)
    };
    let name = text.split_once(':').map(|(name, _)| name).filter(is_name);
    name.unwrap_or_default().to_owned()
}

/// Adds an error whose type, message and stack are known.
pub fn error_part<'a>([kind, message, stack]: [Json<'a>; 3], item: &mut Item<'a>) {
    // The text of `traceback.format_exc()` outside of an exception, where the LangChain handler calls it.
    let is_stack = has_content(stack) && !stack.is("NoneType: None\n");
    if !is_stack {
        item.told(stack);
    }
    let stack = if is_stack { stack } else { Json::ABSENT };
    if [kind, message, stack].into_iter().any(has_content) {
        item.part(Part::Error(kind, message.given().unwrap_or_default(), stack));
    }
}

/// Describes an error that is an event, by its type, message and stack.
pub fn error<'a>(parts: [Json<'a>; 3], name: Json<'a>, out: &mut Description<'a>) {
    let [kind, message, _] = parts;
    let item = out.event(EventKind::Error, named(kind, name));
    item.ending.error = item.name.clone().into();
    item.status(Status::Failed).summary(message);
    error_part(parts, item);
}

/// Describes a state.
pub fn state<'a>(name: Cow<'a, str>, payload: Json<'a>, out: &mut Description<'a>) {
    let [state, diff] = ["state", "diff"].map(|key| out.unpack(payload.field(key)));
    let item = out.event(EventKind::State, name).value(BlockRole::State, state).value("Diff", diff);
    item.summary(state.or(diff));
}

/// Describes a loop warning. Maida writes the ids of its evidence as JSON in a string, with a mark in place of each id.
pub fn loop_warning<'a>(payload: Json<'a>, name: Json<'a>, out: &mut Description<'a>) {
    let pattern = payload.get("pattern");
    let written = payload.get("evidence_event_ids");
    let evidence = out.unpack(written);
    // `name` is the pattern cut to 79 characters.
    let item = out.event(EventKind::LoopWarning, named(pattern, name)).summary(pattern);
    item.fields(
        payload,
        &[
            ("Pattern", "pattern"),
            ("Repetitions", "repetitions"),
            ("Window size", "window_size"),
            ("Pattern type", "pattern_type"),
            ("Pattern length", "pattern_length"),
        ],
    );
    if evidence.items().any(|id| id.is("__MISSING__")) {
        item.told(written).part(Part::Note(EventNote::NoEvidence));
    } else {
        item.value("Evidence", evidence);
    }
}

/// The data of a run in its `RUN_START`. The run's own record takes precedence over `RUN_START` and `RUN_END`.
fn run_start<'a>(name: Json<'a>, payload: Json<'a>, out: &mut Description<'a>) {
    let title = payload.get("run_name");
    out.facts(payload, &FACTS);
    out.run.gives_way = true;
    out.run.titles.own = if title.word().is_some() { title } else { name };
    let told = payload.get("argv").or(title);
    out.event(EventKind::RunStart, name.text().unwrap_or_default()).summary(told);
}

fn run_end<'a>(payload: Json<'a>, out: &mut Description<'a>) {
    let (status, summary) = (payload.get("status"), payload.get("summary"));
    let run = &mut out.run;
    run.gives_way = true;
    run.status = status_of(&status.text().unwrap_or_default());
    run.times.duration = millis(summary.get("duration_ms").present());
    run.totals.counts = read_counts(summary);
    // The run's own status states the outcome: a run that ended in an error is not one more error.
    out.event(EventKind::RunEnd, status.label())
        .field("Status", status)
        .value("Counts", summary)
        .summary(summary.or(status));
}

/// Token counts under the names of any API. The producer's redaction replaces some counts by a string, because their
/// keys contain "token": such a count is unknown, and marked.
fn read_usage(counts: Json<'_>) -> Usage {
    let redacted = is_redacted(counts) || counts.members().any(|(_, count)| is_redacted(count));
    Usage { redacted, ..Flavour::of(counts).read(counts) }
}
