//! `agentv.transcript.v1`: a row for each message; several tests and targets may share a file.
//!
//! Tokens, duration and cost of the whole transcript stand on every row. A tool without times of its own has those
//! of the run.

use super::members::Members;
use super::run::{fact, facts, identify, own_fact, totals};
use super::talk::message;
use crate::format::kit::{Description, Lent, millis_ns, time_of};
use crate::json::{Json, quoted};

/// Describes a row.
pub(super) fn row<'a>(row: &Members<'a>, out: &mut Description<'a>) {
    let trace = row.object("trace");
    let source = row.object("source");
    let id = trace.at(&["trace_id"]);
    let of = |names: &[&str]| row.at(names).word().unwrap_or_default();
    let name = format!("{} · {}", of(&["test_id", "eval_id"]), of(&["target"]));
    let is_named = id.word().is_some();
    let key = if is_named { id } else { Json::new(out.keep(&quoted(&name))) };
    let run = out.run(key);
    run.is_of_file = !is_named;
    run.gives_way = true;
    run.model = source.at(&["model"]);
    let stamp = time_of(source.at(&["timestamp"]));
    let took = millis_ns(row.at(&["transcript_duration_ms"]));
    let end = stamp.get().zip(took.get()).map(|(start, took)| start.saturating_add(took));
    run.lent = Lent::OfMessages(stamp, end.into());
    identify(row, out);
    let told: &[(_, &[&str])] = &[
        ("Provider", &["provider"]),
        ("Session", &["session_id"]),
        ("Directory", &["cwd"]),
        ("Model", &["model"]),
    ];
    facts(&source, told, out);
    let format = source.at(&["format"]);
    if !format.is("agentv_result") {
        fact("Imported from", format, out);
    }
    fact("Trace id", id, out);
    fact("Redaction", row.object("capture").at(&["redaction_level"]), out);
    let [duration, cost, tokens] =
        ["transcript_duration_ms", "transcript_cost_usd", "transcript_token_usage"]
            .map(|name| row.at(&[name]));
    totals(duration, cost, tokens, out);
    if source.at(&["kind"]).is("imported_transcript") {
        own_fact("Kind", "imported transcript", out);
    }
    // Of messages that are no LLM call it is the span of the root.
    message(row, trace.at(&["span_id"]), out);
    if let Some(item) = out.items.first_mut() {
        item.position = row.at(&["message_index"]).count();
    }
}
