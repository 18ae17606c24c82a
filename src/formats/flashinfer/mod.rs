//! FlashInfer-Bench: what a GPU kernel is to compute (*Definition*), code that does (*Solution*), how it
//! came out (*Trace*), and the results of the KernelLLM generator that its authors kept beside them.
//!
//! Read: one JSON file for each Definition and Solution, Trace as JSON lines (`workload` alone too),
//! lists of any of these; as of July 2025 (`type` for `op_type`, `device` for `hardware`, `log_file`) and
//! as of today (<https://github.com/flashinfer-ai/flashinfer-bench>, docs/flashinfer-trace). The kernel
//! signature of June 2025 is a Definition with `code` in place of `reference`.
//!
//! All that belongs to one definition is one run, whichever files it stands in. Definitions, solutions
//! and evaluations are events and, as exhibits, fill the tabs *Kernel signature* and *Result*. Infinite
//! and NaN errors are strings in the files.

mod code;
mod detail;
mod kernel_llm;
mod reader;
#[cfg(test)]
mod tests;

use super::fields::{JsonValue, fields, first_items, given};
use super::{EventRecords, Format, Probe, ProbeRecord, Reader, Verdict};
use crate::catalog;
use crate::json::Kind;
use crate::model::{Detail, SourceId};

/// The format of FlashInfer-Bench.
#[derive(Clone, Copy, Debug)]
pub struct FlashInfer;

const ID: &str = "flashinfer-bench";

impl Format for FlashInfer {
    fn id(&self) -> &'static str {
        catalog::FLASHINFER.id
    }

    fn name(&self) -> &'static str {
        catalog::FLASHINFER.name
    }

    fn sniff(&self, probe: &Probe<'_>) -> Verdict {
        let mut best = Verdict::No;
        for record in probe.records {
            let verdict = claim(record);
            if verdict.rank() > best.rank() {
                best = verdict;
            }
        }
        best
    }

    fn reader(&self, source: SourceId) -> Box<dyn Reader> {
        Box::new(reader::BenchReader::new(source))
    }

    fn detail(&self, event: &EventRecords<'_>, out: &mut Detail) {
        detail::detail(event, out);
    }
}

fn claim(record: &ProbeRecord<'_>) -> Verdict {
    let is_object = |key: &str| record.get(key).is_some_and(|raw| raw.starts_with('{'));
    let is_list = |key: &str| record.get(key).is_some_and(|raw| raw.starts_with('['));
    if record.str("definition").is_some() && is_object("workload") {
        return Verdict::Certain("records have a `definition` and a `workload`".to_owned());
    }
    if record.str("definition").is_some() && is_object("spec") && is_list("sources") {
        return Verdict::Certain("it has a `definition`, a `spec` and `sources`".to_owned());
    }
    if record.str("definition").is_some() && is_object("evaluation") {
        return Verdict::Likely("records have a `definition` and an `evaluation`".to_owned());
    }
    if record.list("generations", 1).first().is_some_and(|it| it.has("generated_code")) {
        return Verdict::Certain("its `generations` have `generated_code`".to_owned());
    }
    if is_list("generations") && is_object("kernel_spec") {
        return Verdict::Certain("it has a `kernel_spec` and `generations`".to_owned());
    }
    if is_object("axes") && (is_object("inputs") || is_object("outputs")) {
        let is_whole = record.has("reference") || record.has("code");
        let why = "it has `axes`, `inputs` and `outputs`".to_owned();
        return if is_whole { Verdict::Certain(why) } else { Verdict::Likely(why) };
    }
    if record.str("definition").is_some() && is_list("sources") {
        return Verdict::Likely("it has a `definition` and `sources`".to_owned());
    }
    Verdict::No
}

/// What a record is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    Definition,
    Solution,
    Trace,
    /// A result of KernelLLM, which holds generations.
    KernelLlm,
    /// One of its generations.
    Generation,
    Unknown,
}

/// Tells what a record is by its keys. `None` for text that is no object.
fn shape_of<'a>(value: impl JsonValue<'a>) -> Option<Shape> {
    let value = value.json();
    let keys = [
        "definition",
        "workload",
        "sources",
        "axes",
        "inputs",
        "outputs",
        "generations",
        "kernel_spec",
        "round",
        "generated_code",
        "evaluation",
    ];
    let [
        definition,
        workload,
        sources,
        axes,
        inputs,
        outputs,
        generations,
        spec,
        round,
        code,
        evaluation,
    ] = fields(value, keys)?;
    let generations = given(generations).filter(|list| list.kind() == Kind::Array);
    let first = generations.and_then(|raw| first_items(raw, 1).first().copied());
    let has_code =
        first.and_then(|it| fields(it, ["generated_code"])).is_some_and(|[it]| it.is_some());
    Some(if generations.is_some() && (spec.is_some() || has_code) {
        Shape::KernelLlm
    } else if definition.is_some() && (workload.is_some() || evaluation.is_some()) {
        Shape::Trace
    } else if definition.is_some() && sources.is_some() {
        Shape::Solution
    } else if axes.is_some() && (inputs.is_some() || outputs.is_some()) {
        Shape::Definition
    } else if round.is_some() || code.is_some() {
        Shape::Generation
    } else {
        Shape::Unknown
    })
}
