//! What is said of whole runs: `run.json`, `meta.json`, `RUN_START` and `RUN_END`, and what is missing.

use crate::formats::fields::{JsonValue, count, fields, given, millis, text, time, word};
use crate::json::Json;
use crate::model::{EventKind, RunCounts, RunId, RunStatus, SourceId, TraceBuilder};

use super::Dialect;

/// The note on a run whose process died.
const NO_RUN_END: &str = "Ended without RUN_END";
/// The note on a run of which only `run.json`, `meta.json` or an entry of a list was opened.
const NO_EVENTS: &str = "Only the summary of this run was opened, not its events";
/// Maida's way to the same end: the root span is written last.
const NO_ROOT: &str = "The root span is missing: the process ended early, or the run still goes on";

/// Reads a run's own record (`run.json`, `meta.json`, an entry of a list). `None` if it names no run.
pub(super) fn read_run(raw: &str, dialect: Dialect, out: &mut TraceBuilder) -> Option<RunId> {
    let keys = [
        "run_id",
        "trace_id",
        "run_name",
        "started_at",
        "ended_at",
        "duration_ms",
        "status",
        "counts",
        "spec_version",
    ];
    let [run_id, trace_id, name, started, ended, duration, status, counts, spec] =
        fields(raw, keys)?;
    let key = word(trace_id).or_else(|| word(run_id))?;
    let id = out.run(dialect.format_id(), &key);
    let run = out.run_mut(id);
    // What the run's record says wins over what RUN_START and RUN_END say, whichever is read first.
    if let Some(name) = text(name) {
        run.title = Some(name.into_owned());
    }
    let duration = millis(duration);
    for (slot, value) in [
        (&mut run.start, time(started)),
        (&mut run.end, time(ended)),
        (&mut run.duration, duration),
    ] {
        if value.is_known() {
            *slot = value;
        }
    }
    match text(status).as_deref().map_or(RunStatus::Unknown, status_of) {
        RunStatus::Unknown => {}
        RunStatus::Running if run.status != RunStatus::Unknown => {}
        status => run.status = status,
    }
    if let Some([llm_calls, tool_calls, errors, loop_warnings]) =
        counts.and_then(|raw| fields(raw, ["llm_calls", "tool_calls", "errors", "loop_warnings"]))
    {
        run.counts = RunCounts {
            llm_calls: count(llm_calls).or(run.counts.llm_calls),
            tool_calls: count(tool_calls).or(run.counts.tool_calls),
            errors: count(errors).or(run.counts.errors),
            loop_warnings: count(loop_warnings).or(run.counts.loop_warnings),
        };
    }
    add_facts(id, &[("Spec version", spec)], out);
    Some(id)
}

/// Adds facts to a run: labels with raw values; a list is joined with spaces. The first value of a
/// label stays.
pub(in crate::formats) fn add_facts<'a, V: JsonValue<'a>>(
    run: RunId,
    facts: &[(&str, Option<V>)],
    out: &mut TraceBuilder,
) {
    let run = out.run_mut(run);
    for (label, raw) in facts {
        let Some(raw) = given(*raw) else { continue };
        let value = match word(Some(raw)) {
            Some(value) => value.into_owned(),
            None => raw.json().items().filter_map(Json::word).collect::<Vec<_>>().join(" "),
        };
        if !value.is_empty() && !run.facts.iter().any(|(known, _)| known == label) {
            run.facts.push(((*label).to_owned(), value));
        }
    }
}

/// Takes over how a run came out from its last event. The run's own record wins.
pub(in crate::formats) fn end_status(run: RunId, status: &str, out: &mut TraceBuilder) {
    let run = out.run_mut(run);
    if matches!(run.status, RunStatus::Unknown | RunStatus::Running) {
        run.status = match status_of(status) {
            RunStatus::Unknown => run.status,
            status => status,
        };
    }
}

fn status_of(word: &str) -> RunStatus {
    match word {
        "ok" | "OK" => RunStatus::Ok,
        "error" | "ERROR" => RunStatus::Error,
        "running" => RunStatus::Running,
        "cancelled" => RunStatus::Cancelled,
        _ => RunStatus::Unknown,
    }
}

/// Says of every run what is missing, when all files are read: no end, no events, events after the
/// end.
pub(in crate::formats) fn close_runs(dialect: Dialect, out: &mut TraceBuilder) {
    #[derive(Clone, Copy, Default)]
    struct Seen {
        events: u64,
        has_start: bool,
        end: Option<SourceId>,
        after_end: u64,
    }
    let trace = out.trace();
    let mut seen = vec![Seen::default(); trace.runs().len()];
    for event in trace.events() {
        let Some(seen) = seen.get_mut(event.run.index()) else { continue };
        seen.events += 1;
        let source = trace.places(event).next().map(|place| place.span.source);
        match event.kind {
            EventKind::RunStart => seen.has_start = true,
            EventKind::RunEnd if seen.end.is_none() => seen.end = source,
            _ if seen.end.is_some() && seen.end == source => seen.after_end += 1,
            _ => {}
        }
    }
    for (at, seen) in seen.into_iter().enumerate() {
        let is_partial = out.is_partial();
        let run = out.run_mut(RunId::from_index(at));
        if run.format != dialect.format_id() {
            continue;
        }
        let note = match (seen.events, dialect) {
            _ if is_partial => None,
            (0, _) => Some(NO_EVENTS),
            (_, Dialect::Maida) => (!seen.has_start).then_some(NO_ROOT),
            (_, Dialect::AgentDbg) => seen.end.is_none().then_some(NO_RUN_END),
        };
        if let Some(note) = note {
            if seen.events == 0 {
                run.notes.push(note.to_owned());
            } else {
                run.no_end = Some(note);
                if run.status == RunStatus::Unknown {
                    run.status = RunStatus::Running;
                }
            }
        }
        if seen.after_end > 0 {
            // agentdbg 0.1.0 closed a run at once when the traced function was async.
            let n = seen.after_end;
            let verb = if n == 1 { "event follows" } else { "events follow" };
            run.notes.push(format!("{n} {verb} RUN_END, as agentdbg 0.1.0 wrote async runs"));
        }
    }
}
