//! What `agy --print --output-format stream-json` prints: an event per line, `init`, `step_update` and `result`.
//!
//! Read from lines of versions 1.2.4 and 1.2.17 that users quote, and from programs that read them. A step is reported
//! while it runs and when it is done, under its index: an answer in pieces, a call with its result. The request is not
//! printed. Cached tokens are not in the input; the counts of the result cover all steps.

use traceloupe_engine::prelude::*;

static COUNTS: Flavour = Flavour {
    input: &["input_tokens"],
    output: &["output_tokens"],
    cache_read: &["cache_read_tokens"],
    reasoning: &["thinking_tokens"],
    ..Flavour::NONE
};

/// An event.
pub(super) fn describe<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let kind = record.get("event").label();
    let told = record.get(&kind);
    out.run(record.get("conversation_id").or(told.get("conversation_id")));
    match kind.as_ref() {
        "init" => {
            out.run.models.name = told.get("model");
            let facts = [
                (FactKind::Folder, "cwd"),
                (FactKind::Model, "model"),
                (FactKind::Other("Permissions"), "permission_mode"),
            ];
            out.facts(told, &facts);
            out.event(EventKind::RunStart, "session")
                .summary(told.get("cwd"))
                .value(BlockRole::Tools, told.get("tools"));
        }
        "step_update" => step(told, out),
        "result" => {
            let error = told.get("error");
            let has_failed = told.get("status").is("ERROR") || has_content(error);
            out.run.status = Some(if has_failed { RunStatus::Error } else { RunStatus::Ok });
            out.run.totals.usage = COUNTS.read(told.get("usage"));
            out.run.titles.words = told.get("response");
            out.event(EventKind::RunEnd, "result")
                .text(told.get("response"))
                .took(seconds_ns(told.get("duration_seconds").number()))
                .error(error)
                .value("Denied", told.get("denied_actions"))
                .value(BlockRole::Usage, told.get("usage"));
        }
        _ => drop(out.note(kind.replace('_', " "))),
    }
}

fn step<'a>(step: Json<'a>, out: &mut Description<'a>) {
    let id = step.get("step_index");
    let took = seconds_ns(step.get("duration_seconds").number());
    let words = step.get("text_delta");
    let kind = step.get("step_type").label();
    match kind.as_ref() {
        "agent_response" => {
            let counts = step.get("usage");
            let item = out.model(vec![Part::piece(PieceOf::Text, words)], Joins::Id(id));
            item.parts.retain(|_| has_content(words));
            item.took(took).usage(COUNTS.read(counts)).value(BlockRole::Usage, counts);
        }
        "tool" | "subagent" => {
            let info = step.get("tool_info");
            let name = step.get("tool_name").or(info.get("name"));
            out.call(id, name, info.get("parameters")).or_known().asked_by(AskedBy::Last);
            let (output, error) = (info.get("output"), info.get("error"));
            if !step.get("state").is("ACTIVE") {
                let item = out.result(id, output).took(took).error(error);
                if item.ending.status.is_none() {
                    item.status(Status::Ok);
                }
            }
        }
        "user_input" if !has_content(words) => out.nothing(),
        "user_input" => drop(out.user_parts(vec![Part::Text(words)])),
        "checkpoint" => drop(out.event(EventKind::Compaction, "checkpoint").text(words)),
        _ => drop(out.note(kind.replace('_', " ")).text(words).error(step.get("error"))),
    }
}
