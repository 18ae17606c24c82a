//! Records about whole runs: `run.json`, `meta.json`, and what is missing after all files are read.

use traceloupe_core::json::Json;
use traceloupe_core::model::{
    EventKind, FactKind, NoEnd, RunCounts, RunId, RunStatus, SourceId, TraceBuilder,
};
use traceloupe_engine::fields::millis;
use traceloupe_engine::kit::{Description, time_of};

use super::Dialect;

/// The note on a run if only `run.json`, `meta.json` or an entry of a list was opened.
const NO_EVENTS: &str = "Only the summary of this run was opened, not its events";

/// The labels of the facts of a run, and their names in `RUN_START`.
pub const FACTS: [(FactKind<&str>, &str); 4] = [
    (FactKind::Other("Python"), "python_version"),
    (FactKind::Other("Platform"), "platform"),
    (FactKind::Folder, "cwd"),
    (FactKind::Other("Command"), "argv"),
];

/// The id of the run that a document is about.
pub(super) fn key(document: Json<'_>) -> Json<'_> {
    document.any(&["trace_id", "run_id"])
}

/// Describes a run by its own record (`run.json`, `meta.json`, an entry of a list, a part of an export). `false` if it
/// is not such a record.
pub(super) fn run<'a>(record: Json<'a>, out: &mut Description<'a>) -> bool {
    let counts = record.get("counts");
    let status = record.get("status");
    let id = key(record);
    if id.word().is_none() || counts.is_absent() && status.is_absent() {
        return false;
    }
    out.facts(record, &[("Spec version", "spec_version")]);
    let run = out.run(id);
    run.titles.own = record.get("run_name");
    run.times.start = time_of(record.get("started_at"));
    run.times.end = time_of(record.get("ended_at"));
    run.times.duration = millis(record.get("duration_ms").present());
    run.status = status_of(&status.text().unwrap_or_default());
    run.totals.counts = read_counts(counts);
    true
}

/// The producer's own counts.
pub(super) fn read_counts(counts: Json<'_>) -> RunCounts {
    let count = |name| counts.get(name).count();
    RunCounts {
        llm_calls: count("llm_calls"),
        tool_calls: count("tool_calls"),
        errors: count("errors"),
        loop_warnings: count("loop_warnings"),
    }
}

/// The outcome of a run, from the producer's word for it.
pub fn status_of(word: &str) -> Option<RunStatus> {
    match word {
        "ok" | "OK" => Some(RunStatus::Ok),
        "error" | "ERROR" => Some(RunStatus::Error),
        "running" => Some(RunStatus::Running),
        "cancelled" => Some(RunStatus::Cancelled),
        _ => None,
    }
}

/// Notes on every run what is missing after all files are read: no end, no events, events after the end.
pub fn close(dialect: Dialect, out: &mut TraceBuilder) {
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
        // A process that died wrote no end. Maida writes the root span last.
        let no_end = match dialect {
            _ if is_partial || seen.events == 0 => None,
            Dialect::Maida => (!seen.has_start).then_some(NoEnd::RootSpan),
            Dialect::AgentDbg => seen.end.is_none().then_some(NoEnd::RunEnd),
        };
        if no_end.is_some() {
            run.no_end = no_end;
            if run.status == RunStatus::Unknown {
                run.status = RunStatus::Running;
            }
        } else if seen.events == 0 && !is_partial {
            run.notes.push(NO_EVENTS.to_owned());
        }
        if seen.after_end > 0 {
            // agentdbg 0.1.0 closed a run at once when the traced function was async.
            let n = seen.after_end;
            let verb = if n == 1 { "event follows" } else { "events follow" };
            run.notes.push(format!("{n} {verb} RUN_END, as agentdbg 0.1.0 wrote async runs"));
        }
    }
}
