//! Results of the KernelLLM generator (July 2025): one document with what was asked for, the machine,
//! and a list of generations. Run times are in milliseconds.

use crate::formats::LineCounter;
use crate::formats::Record;
use crate::formats::by_hand::set_summary;
use crate::formats::fields::{fields, given, items, text, word};
use crate::json::Json;
use crate::model::{Evaluation, EventKind, NameId, RunId, TraceBuilder};

use super::reader::{BenchReader, float, is_filled, set_outcome};

/// What a generation says of itself.
#[derive(Clone, Copy, Default)]
pub(super) struct Generation<'a> {
    round: Option<&'a str>,
    compiled: Option<&'a str>,
    correct: Option<&'a str>,
    max_diff: Option<&'a str>,
    runtime: Option<&'a str>,
    speedup: Option<&'a str>,
    /// The code that was generated.
    pub code: Option<&'a str>,
    compilation_error: Option<&'a str>,
    runtime_error: Option<&'a str>,
    generation_error: Option<&'a str>,
}

impl<'a> Generation<'a> {
    /// Reads a generation.
    pub fn new(raw: &'a str) -> Self {
        let keys = [
            "round",
            "compiled",
            "correctness",
            "max_diff",
            "runtime",
            "speedup",
            "generated_code",
            "compilation_error",
            "runtime_error",
            "generation_error",
        ];
        let [
            round,
            compiled,
            correct,
            max_diff,
            runtime,
            speedup,
            code,
            compilation_error,
            runtime_error,
            generation_error,
        ] = fields(raw, keys).unwrap_or_default();
        Self {
            round,
            compiled,
            correct,
            max_diff,
            runtime,
            speedup,
            code,
            compilation_error,
            runtime_error,
            generation_error,
        }
    }

    /// How it came out, in the words of a trace's status; empty where it does not say.
    pub fn status(&self) -> &'static str {
        let says_timeout = |raw: Option<&str>| {
            text(raw).is_some_and(|words| {
                let words = words.to_ascii_lowercase();
                words.contains("timeout") || words.contains("timed out")
            })
        };
        if [self.runtime, self.runtime_error].into_iter().any(says_timeout) {
            "TIMEOUT"
        } else if is_filled(self.generation_error) {
            "GENERATION_ERROR"
        } else if is_filled(self.compilation_error) || self.compiled == Some("false") {
            "COMPILE_ERROR"
        } else if is_filled(self.runtime_error) {
            "RUNTIME_ERROR"
        } else {
            match self.correct {
                Some("true") => "PASSED",
                Some("false") => "INCORRECT_NUMERICAL",
                _ => "",
            }
        }
    }
}

/// Adds the document as the definition of its run, and its generations.
pub(super) fn result(reader: &BenchReader, record: &Record<'_>, out: &mut TraceBuilder) {
    let [spec, generations] =
        fields(record.json, ["kernel_spec", "generations"]).unwrap_or_default();
    let run = reader.run(None::<Json<'_>>, out);
    let [file] = spec.and_then(|raw| fields(raw, ["description_file"])).unwrap_or_default();
    if let Some(file) = word(file) {
        let name = file.rsplit('/').next().unwrap_or_default().to_owned();
        out.run_mut(run).title.get_or_insert(name);
    }
    let id = reader.named(EventKind::Note, run, record, "Kernel spec", out);
    set_summary(id, record, given(spec), out);
    out.exhibits_mut().definitions.push(id);
    let mut lines = LineCounter::new(record);
    for (at, item) in generations.map(items).unwrap_or_default().into_iter().enumerate() {
        generation(reader, &lines.place(record.inner(item)), at, run, out);
    }
}

fn generation(
    reader: &BenchReader,
    record: &Record<'_>,
    at: usize,
    run: RunId,
    out: &mut TraceBuilder,
) {
    let it = Generation::new(record.text);
    let round = word(it.round).unwrap_or_else(|| at.to_string().into());
    let name = format!("round {round}");
    let id = reader.named(EventKind::Evaluation, run, record, &name, out);
    let status = it.status();
    let status_name = out.name(status);
    let passed = (!status.is_empty()).then_some(status == "PASSED");
    if let Some(event) = out.event_mut(id) {
        set_outcome(event, passed, status_name);
    }
    let errors = [it.generation_error, it.compilation_error, it.runtime_error];
    let told = errors.into_iter().find(|raw| is_filled(*raw));
    set_summary(id, record, told.flatten().or(Some(record.text)), out);
    let name = out.name(&name);
    out.exhibits_mut().evaluations.push(Evaluation {
        event: id,
        name,
        workload: NameId::NONE,
        status: status_name,
        passed,
        // Generators of this family write -1 for what did not run.
        latency_ms: float(it.runtime).filter(|ms| *ms >= 0.0),
        speedup: float(it.speedup).filter(|times| times.is_finite() && *times >= 0.0),
        max_diff: float(it.max_diff).filter(|diff| !diff.is_sign_negative()),
        has_code: it.code.is_some(),
    });
}
