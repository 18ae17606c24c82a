//! FlashInfer-Bench: the specification of a GPU kernel (*Definition*), code that implements it (*Solution*), its result
//! (*Trace*), and the results of the KernelLLM generator that its authors kept beside them.
//!
//! Read: one JSON file for each Definition and Solution, Trace as JSON lines (`workload` alone too), lists of any of
//! these; in the form of July 2025 (`type` for `op_type`, `device` for `hardware`, `log_file`) and in today's
//! (<https://github.com/flashinfer-ai/flashinfer-bench>, docs/flashinfer-trace). The kernel signature of June 2025 is a
//! Definition with `code` in place of `reference`.
//!
//! Everything that belongs to one definition is one run, regardless of its file. Definitions, solutions and evaluations
//! are events and, as exhibits, fill the tabs *Kernel signature* and *Result*. Infinite and NaN errors are strings in
//! the files.

mod evaluation;
mod signature;
#[cfg(test)]
mod tests;

use traceloupe_engine::prelude::*;

/// Only the keys of a document show which kind it is.
const DEFINITION: Test = Test::Text("definition");

/// The format.
pub static FLASHINFER: Described = Described {
    signs: &[
        Sign::record(
            "records have a `definition` and a `workload`",
            &[DEFINITION, Test::Object("workload")],
        ),
        Sign::record(
            "it has a `definition`, a `spec` and `sources`",
            &[DEFINITION, Test::Object("spec"), Test::List("sources")],
        ),
        Sign::record(
            "its `generations` have `generated_code`",
            &[Test::Has("generations.0.generated_code")],
        ),
        Sign::record(
            "it has a `kernel_spec` and `generations`",
            &[Test::List("generations"), Test::Object("kernel_spec")],
        ),
        Sign::record(
            "it has `axes`, `inputs` and source code",
            &[Test::Object("axes"), Test::Object("inputs"), Test::HasOne(&["reference", "code"])],
        ),
        Sign::record(
            "it has `axes`, `outputs` and source code",
            &[Test::Object("axes"), Test::Object("outputs"), Test::HasOne(&["reference", "code"])],
        ),
        Sign::likely(
            On::Any,
            "records have a `definition` and an `evaluation`",
            &[DEFINITION, Test::Object("evaluation")],
        ),
        Sign::likely(
            On::Any,
            "it has a `definition` and `sources`",
            &[DEFINITION, Test::List("sources")],
        ),
        Sign::likely(
            On::Any,
            "it has `axes` and `inputs`",
            &[Test::Object("axes"), Test::Object("inputs")],
        ),
        Sign::likely(
            On::Any,
            "it has `axes` and `outputs`",
            &[Test::Object("axes"), Test::Object("outputs")],
        ),
    ],
    lists: &["generations"],
    quiet: &["sources.*.path"],
    hooks: Hooks { is_whole: true, ..Hooks::NONE },
    ..Described::new(&catalog::FLASHINFER, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    let has = |key: &str| !record.field(key).is_absent();
    if entry.is_document {
        evaluation::kernel_spec(record, out);
    } else if has("definition") && (has("workload") || has("evaluation")) {
        evaluation::trace(record, out);
    } else if has("definition") && has("sources") {
        signature::solution(record, out);
    } else if has("axes") && (has("inputs") || has("outputs")) {
        signature::definition(record, out);
    } else if has("round") || has("generated_code") {
        evaluation::generation(record, out);
    }
}

/// Sets the run of a record: that of its definition.
fn run<'a>(definition: Json<'a>, out: &mut Description<'a>) {
    out.run(definition).titles.own = definition;
}

/// Shows source code under its path, if there is any.
fn source<'a>(path: &str, language: &'static str, text: Json<'a>, item: &mut Item<'a>) {
    if has_content(text) {
        item.part(Part::Code(path.to_owned().into(), language, text));
    }
}
