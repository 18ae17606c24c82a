//! The index pass over definitions, solutions and traces.

use crate::formats::by_hand::set_summary;
use crate::formats::fields::{JsonValue, entries, fields, given, text, time, word};
use crate::formats::{Reader, Record};
use crate::json::Json;
use crate::model::{
    Evaluation, Event, EventId, EventKind, NameId, NewEvent, RunId, SourceId, Status, TraceBuilder,
    key_hash,
};
use crate::notice::NoticeCode;
use crate::number;

use super::{ID, Shape, kernel_llm, shape_of};

/// Reads the records of one source.
pub(super) struct BenchReader {
    source: SourceId,
}

impl BenchReader {
    pub fn new(source: SourceId) -> Self {
        Self { source }
    }

    /// The run of a definition, or of this source where a record names none.
    pub fn run<'a>(&self, definition: Option<impl JsonValue<'a>>, out: &mut TraceBuilder) -> RunId {
        match word(definition) {
            Some(name) => {
                let run = out.run(ID, &name);
                out.run_mut(run).title.get_or_insert_with(|| name.into_owned());
                run
            }
            None => out.run(ID, &format!("source {}", self.source.index())),
        }
    }

    /// Adds an event to the only lane of a run.
    pub fn push(
        &self,
        kind: EventKind,
        run: RunId,
        record: &Record<'_>,
        out: &mut TraceBuilder,
    ) -> EventId {
        let lane = out.lane(run, "");
        out.push(NewEvent { kind, run, lane, place: record.place() })
    }

    /// Adds an event and gives it a name.
    pub fn named(
        &self,
        kind: EventKind,
        run: RunId,
        record: &Record<'_>,
        name: &str,
        out: &mut TraceBuilder,
    ) -> EventId {
        let id = self.push(kind, run, record, out);
        let name = out.name(name);
        if let Some(event) = out.event_mut(id) {
            event.name = name;
        }
        id
    }

    fn definition(&self, record: &Record<'_>, out: &mut TraceBuilder) {
        let keys = ["name", "description", "reference", "code"];
        let [name, description, reference, code] = fields(record.json, keys).unwrap_or_default();
        let run = self.run(name, out);
        let words = format!("Definition {}", word(name).unwrap_or_default());
        let id = self.named(EventKind::Note, run, record, words.trim_end(), out);
        let told = [description, reference, code].into_iter().find(|raw| is_filled(*raw));
        set_summary(id, record, told.flatten().or(Some(record.json)), out);
        out.exhibits_mut().definitions.push(id);
    }

    fn solution(&self, record: &Record<'_>, out: &mut TraceBuilder) {
        let keys = ["name", "definition", "description", "spec"];
        let [name, definition, description, spec] = fields(record.json, keys).unwrap_or_default();
        let run = self.run(definition, out);
        let solution = word(name).unwrap_or_default();
        let words = format!("Solution {solution}");
        let id = self.named(EventKind::Note, run, record, words.trim_end(), out);
        let told = [description, spec].into_iter().find(|raw| is_filled(*raw));
        set_summary(id, record, told.flatten().or(Some(record.json)), out);
        let solution = out.name(&solution);
        out.exhibits_mut().solutions.push((id, solution));
    }

    fn trace(&self, record: &Record<'_>, out: &mut TraceBuilder) {
        let keys = ["definition", "workload", "solution", "evaluation"];
        let [definition, workload, solution, evaluation] =
            fields(record.json, keys).unwrap_or_default();
        let run = self.run(definition, out);
        let solution = word(solution).unwrap_or_default();
        let [uuid, axes] =
            workload.and_then(|raw| fields(raw, ["uuid", "axes"])).unwrap_or_default();
        let evaluation = given(evaluation).filter(|raw| raw.raw() != "{}");
        let name = if solution.is_empty() { "Workload" } else { &solution };
        let id = self.named(EventKind::Evaluation, run, record, name, out);
        let native = native_id(uuid, &solution);
        let Some(evaluation) = evaluation else {
            if let Some(event) = out.event_mut(id) {
                event.status = Status::NoResult;
                event.id_hash = native.map_or(0, |native| key_hash(&[&native]));
            }
            return set_summary(id, record, given(axes).or(workload), out);
        };
        let keys = ["status", "timestamp", "log", "correctness", "performance"];
        let [status, stamp, log, correctness, performance] =
            fields(evaluation, keys).unwrap_or_default();
        let status = word(status).unwrap_or_default();
        let passed = has_passed(&status);
        let status_name = out.name(&status);
        if let Some(event) = out.event_mut(id) {
            set_outcome(event, passed, status_name);
            event.start = time(stamp);
            event.id_hash = native.map_or(0, |native| key_hash(&[&native]));
        }
        let told = [performance, log, correctness].into_iter().find(|raw| is_filled(*raw));
        set_summary(id, record, told.flatten().or(given(axes)).or(workload), out);
        let [latency, speedup] = performance
            .and_then(|raw| fields(raw, ["latency_ms", "speedup_factor"]))
            .unwrap_or_default();
        let [max_absolute] =
            correctness.and_then(|raw| fields(raw, ["max_absolute_error"])).unwrap_or_default();
        let name = out.name(&solution);
        let workload = out.name(&axes_in_words(axes));
        out.exhibits_mut().evaluations.push(Evaluation {
            event: id,
            name,
            workload,
            status: status_name,
            passed,
            latency_ms: float(latency).filter(|ms| *ms >= 0.0),
            speedup: float(speedup).filter(|times| times.is_finite()),
            max_diff: float(max_absolute),
            has_code: false,
        });
    }

    fn unknown(&self, record: &Record<'_>, out: &mut TraceBuilder) {
        let run = self.run(None::<Json<'_>>, out);
        let id = self.push(EventKind::Record, run, record, out);
        set_summary(id, record, Some(record.json), out);
        out.warn(NoticeCode::UnknownRecord, &record.place(), "");
    }
}

impl Reader for BenchReader {
    fn record(&mut self, record: &Record<'_>, out: &mut TraceBuilder) {
        match shape_of(record.json) {
            Some(Shape::Definition) => self.definition(record, out),
            Some(Shape::Solution) => self.solution(record, out),
            Some(Shape::Trace) => self.trace(record, out),
            Some(Shape::KernelLlm) => kernel_llm::result(self, record, out),
            Some(Shape::Generation | Shape::Unknown) | None => self.unknown(record, out),
        }
    }

    fn finish(&mut self, _out: &mut TraceBuilder) {}
}

/// The axes of a workload: `M=4, N=128`.
fn axes_in_words(axes: Option<Json<'_>>) -> String {
    const MAX_CHARS: usize = 80;
    let axes = axes.map(entries).unwrap_or_default();
    let words = axes.iter().filter_map(|(axis, raw)| Some(format!("{axis}={}", raw.word()?)));
    let words: String = words.collect::<Vec<_>>().join(", ").chars().take(MAX_CHARS).collect();
    words
}

/// Whether a status means that the solution is right; `None` for no status.
pub(super) fn has_passed(status: &str) -> Option<bool> {
    (!status.is_empty()).then(|| {
        ["passed", "pass", "ok", "success"].iter().any(|word| status.eq_ignore_ascii_case(word))
    })
}

/// How an evaluation came out: whether it passed, and the status that it failed with.
pub(super) fn set_outcome(event: &mut Event, passed: Option<bool>, status: NameId) {
    event.status = match passed {
        Some(true) => Status::Ok,
        Some(false) => Status::Error,
        None => Status::Unknown,
    };
    if passed == Some(false) {
        event.error = status;
    }
}

/// The id of a trace: that of its workload, with the solution that ran it.
pub(super) fn native_id<'a>(uuid: Option<impl JsonValue<'a>>, solution: &str) -> Option<String> {
    let uuid = word(uuid)?;
    Some(if solution.is_empty() { uuid.into_owned() } else { format!("{uuid} {solution}") })
}

/// A number, or one that is written as a string because JSON has no infinity and no NaN.
pub(super) fn float<'a>(value: Option<impl JsonValue<'a>>) -> Option<f64> {
    let raw = given(value)?.json().raw();
    match text(Some(raw)) {
        Some(words) => match words.trim() {
            "Infinity" | "inf" => Some(f64::INFINITY),
            "-Infinity" | "-inf" => Some(f64::NEG_INFINITY),
            "NaN" | "nan" => Some(f64::NAN),
            digits => number::parse(digits),
        },
        None => number::parse(raw),
    }
}

/// Whether a value says anything.
pub(super) fn is_filled<'a>(value: Option<impl JsonValue<'a>>) -> bool {
    given(value).is_some_and(|value| !matches!(value.json().raw(), "\"\"" | "{}" | "[]"))
}
