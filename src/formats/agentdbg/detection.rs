//! Detection of both dialects at once, so that AgentDbg and Maida can never be certain of the same
//! records.

use traceloupe_engine::kit::Sure;
use traceloupe_engine::{Probe, ProbeRecord, Verdict};

/// Which of the two formats of one family of files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// Spec 0.1: events with `run_id`.
    AgentDbg,
    /// Spec 0.2: spans with `trace_id`, and spec 0.1 events made of them.
    Maida,
}

impl Dialect {
    /// The id of the format.
    #[must_use]
    pub fn format_id(self) -> &'static str {
        match self {
            Self::AgentDbg => "agentdbg",
            Self::Maida => "maida",
        }
    }

    /// Decides by the id of the run: spec 0.1 has UUIDs with dashes, Maida the 32 hex digits of an OpenTelemetry trace
    /// id. `spec_version` does not decide, because Maida's compatibility layer writes its own version into spec 0.1
    /// files.
    fn of_run(record: &ProbeRecord<'_>) -> Option<Self> {
        if let Some(id) = record.str("run_id") {
            let is_trace_id = id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
            let is_old = record.str("spec_version").is_some_and(|spec| spec.starts_with("0.1"));
            return Some(if is_trace_id && !is_old { Self::Maida } else { Self::AgentDbg });
        }
        record.has("trace_id").then_some(Self::Maida)
    }

    /// Decides by the version alone, where a list is empty.
    fn of_spec(record: &ProbeRecord<'_>) -> Self {
        match record.str("spec_version") {
            Some(spec) if spec.starts_with("0.2") => Self::Maida,
            _ => Self::AgentDbg,
        }
    }
}

/// The dialect of a record, how certain it is, and why.
type Claim = (Dialect, Sure, &'static str);

/// How certain it is that the first records of a source are of a dialect.
#[must_use]
pub fn verdict(probe: &Probe<'_>, dialect: Dialect) -> Verdict {
    let claims = probe.records.iter().filter_map(|record| claim(record, probe.name));
    // The strongest claim wins, the first of equals: a file that mixes both dialects counts as one of them.
    match claims.reduce(|best, other| if other.1 > best.1 { other } else { best }) {
        Some((of, sure, why)) if of == dialect => sure.verdict(why),
        _ => Verdict::No,
    }
}

fn claim(record: &ProbeRecord<'_>, name: &str) -> Option<Claim> {
    let of_run = Dialect::of_run(record);
    if record.has_all(&["event_type", "event_id", "payload"]) {
        let (sure, why) = match record.has_all(&["spec_version", "run_id"]) {
            true => (
                Sure::Certain,
                "records have `spec_version`, `event_type`, `event_id` and `run_id`",
            ),
            false => (Sure::Likely, "records have `event_type`, `event_id` and `payload`"),
        };
        return Some((of_run.unwrap_or(Dialect::of_spec(record)), sure, why));
    }
    if record.has_all(&["span_id", "trace_id", "attributes"]) {
        return span_claim(record);
    }
    if record.has("events") || record.has("runs") {
        return document_claim(record, of_run);
    }
    if record.object("counts").is_some_and(|it| it.has_all(&["llm_calls", "tool_calls"]))
        && let Some(dialect) = of_run
    {
        let why = match dialect == Dialect::Maida && record.has("trace_id") {
            true => "the document has `trace_id` and `counts` of LLM and tool calls",
            false => "the document has `run_id` and `counts` of LLM and tool calls",
        };
        return Some((dialect, Sure::Certain, why));
    }
    // Hand-written events in the shape of the specification, without ids.
    let sure = if name == "events.jsonl" { Sure::Likely } else { Sure::Maybe };
    let why = "records have `event_type` and `payload`, but no `event_id`";
    let is_event = record.has_all(&["event_type", "payload"]);
    is_event.then(|| (of_run.unwrap_or(Dialect::AgentDbg), sure, why))
}

/// Many producers use OpenTelemetry's own names; only Maida uses `maida.` attributes.
fn span_claim(record: &ProbeRecord<'_>) -> Option<Claim> {
    let attributes = record.object("attributes");
    if attributes.is_some_and(|it| it.keys().any(|key| key.starts_with("maida."))) {
        let why = "spans have `trace_id`, `span_id` and `maida.…` attributes";
        return Some((Dialect::Maida, Sure::Certain, why));
    }
    let keys = ["parent_span_id", "start_time", "duration_ms", "status_code", "events"];
    let why = "spans have `span_id`, `parent_span_id`, `duration_ms` and `status_code`";
    record.has_all(&keys).then_some((Dialect::Maida, Sure::Likely, why))
}

fn document_claim(record: &ProbeRecord<'_>, of_run: Option<Dialect>) -> Option<Claim> {
    if !record.has("spec_version") {
        return None;
    }
    let of_spec = Dialect::of_spec(record);
    if let Some(run) = record.object("run") {
        let why = "the document has `spec_version`, `run` and `events`";
        return Some((Dialect::of_run(&run).unwrap_or(of_spec), Sure::Certain, why));
    }
    if record.has("runs") {
        let runs = record.list("runs", Probe::MAX_RECORDS);
        let why = "the document has `spec_version` and an empty list of `runs`";
        if runs.is_empty() {
            return Some((of_spec, Sure::Likely, why));
        }
        let why = "the document has `spec_version` and a list of `runs`";
        return Some((runs.iter().find_map(Dialect::of_run)?, Sure::Certain, why));
    }
    let why = "the document has `spec_version`, the id of a run and `events`";
    Some((of_run?, Sure::Certain, why))
}
