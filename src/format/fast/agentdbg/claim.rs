//! Detection of both dialects at once, so that AgentDbg and Maida can never be certain of the same
//! records.

use crate::format::{Probe, ProbeRecord, Verdict};

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

    /// Tells by the id of the run: spec 0.1 has UUIDs with dashes, Maida the 32 hex digits of an
    /// OpenTelemetry trace id. `spec_version` does not tell, for Maida's compatibility layer writes
    /// its own version into spec 0.1 files.
    fn of_run(record: &ProbeRecord<'_>) -> Option<Self> {
        if let Some(id) = record.str("run_id") {
            let is_trace_id = id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
            let is_old = record.str("spec_version").is_some_and(|spec| spec.starts_with("0.1"));
            return Some(if is_trace_id && !is_old { Self::Maida } else { Self::AgentDbg });
        }
        record.has("trace_id").then_some(Self::Maida)
    }

    /// Tells by the version alone, where a list is empty.
    fn of_spec(record: &ProbeRecord<'_>) -> Self {
        match record.str("spec_version") {
            Some(spec) if spec.starts_with("0.2") => Self::Maida,
            _ => Self::AgentDbg,
        }
    }
}

/// How sure a dialect is of the first records of a source.
#[must_use]
pub fn verdict(probe: &Probe<'_>, dialect: Dialect) -> Verdict {
    // The strongest claim wins, the first of equals: a file that mixes both is of one of them.
    let mut best: Option<(Dialect, Verdict)> = None;
    for record in probe.records {
        let Some(claim) = claim(record, probe.name) else { continue };
        if best.as_ref().is_none_or(|(_, verdict)| verdict.rank() < claim.1.rank()) {
            best = Some(claim);
        }
    }
    match best {
        Some((of, verdict)) if of == dialect => verdict,
        _ => Verdict::No,
    }
}

fn claim(record: &ProbeRecord<'_>, name: &str) -> Option<(Dialect, Verdict)> {
    if record.has_all(&["event_type", "event_id", "payload"]) {
        return event_claim(record);
    }
    if record.has_all(&["span_id", "trace_id", "attributes"]) {
        return span_claim(record);
    }
    if record.has("events") || record.has("runs") {
        return document_claim(record);
    }
    if let Some(verdict) = run_claim(record) {
        return Some(verdict);
    }
    // Hand-made events in the shape of the specification, without ids.
    if record.has_all(&["event_type", "payload"]) {
        let why = "records have `event_type` and `payload`, but no `event_id`".to_owned();
        let verdict =
            if name == "events.jsonl" { Verdict::Likely(why) } else { Verdict::Maybe(why) };
        return Some((Dialect::of_run(record).unwrap_or(Dialect::AgentDbg), verdict));
    }
    None
}

fn event_claim(record: &ProbeRecord<'_>) -> Option<(Dialect, Verdict)> {
    let dialect = Dialect::of_run(record).unwrap_or_else(|| Dialect::of_spec(record));
    let verdict = if record.has_all(&["spec_version", "run_id"]) {
        Verdict::Certain(
            "records have `spec_version`, `event_type`, `event_id` and `run_id`".into(),
        )
    } else {
        Verdict::Likely("records have `event_type`, `event_id` and `payload`".into())
    };
    Some((dialect, verdict))
}

fn span_claim(record: &ProbeRecord<'_>) -> Option<(Dialect, Verdict)> {
    // OpenTelemetry's own names are shared by many; `maida.` attributes are not.
    let is_maida = record
        .object("attributes")
        .is_some_and(|attributes| attributes.keys().any(|key| key.starts_with("maida.")));
    if is_maida {
        let why = "spans have `trace_id`, `span_id` and `maida.…` attributes".into();
        return Some((Dialect::Maida, Verdict::Certain(why)));
    }
    let keys = ["parent_span_id", "start_time", "duration_ms", "status_code", "events"];
    if record.has_all(&keys) {
        let why = "spans have `span_id`, `parent_span_id`, `duration_ms` and `status_code`".into();
        return Some((Dialect::Maida, Verdict::Likely(why)));
    }
    None
}

fn document_claim(record: &ProbeRecord<'_>) -> Option<(Dialect, Verdict)> {
    if !record.has("spec_version") {
        return None;
    }
    if let Some(run) = record.object("run") {
        let dialect = Dialect::of_run(&run).unwrap_or_else(|| Dialect::of_spec(record));
        let why = "the document has `spec_version`, `run` and `events`".into();
        return Some((dialect, Verdict::Certain(why)));
    }
    if record.has("runs") {
        let runs = record.list("runs", Probe::MAX_RECORDS);
        return match runs.iter().find_map(Dialect::of_run) {
            Some(dialect) => {
                let why = "the document has `spec_version` and a list of `runs`".into();
                Some((dialect, Verdict::Certain(why)))
            }
            None if runs.is_empty() => {
                let why = "the document has `spec_version` and an empty list of `runs`".into();
                Some((Dialect::of_spec(record), Verdict::Likely(why)))
            }
            None => None,
        };
    }
    let dialect = Dialect::of_run(record)?;
    let why = "the document has `spec_version`, the id of a run and `events`".into();
    Some((dialect, Verdict::Certain(why)))
}

fn run_claim(record: &ProbeRecord<'_>) -> Option<(Dialect, Verdict)> {
    if !record.object("counts").is_some_and(|counts| counts.has_all(&["llm_calls", "tool_calls"])) {
        return None;
    }
    let dialect = Dialect::of_run(record)?;
    let id =
        if dialect == Dialect::Maida && record.has("trace_id") { "trace_id" } else { "run_id" };
    let why = format!("the document has `{id}` and `counts` of LLM and tool calls");
    Some((dialect, Verdict::Certain(why)))
}
