//! LangSmith: runs, which are the steps of a trace.
//!
//! Read from the producer's SDK (github.com/langchain-ai/langsmith-sdk, `schemas.py`), its documentation of the run
//! format, and batches that the SDKs of Python and JavaScript sent in 2024. Runs come one per line, in a list, under
//! `runs`, or nested in `child_runs`; batches have lists `post` and `patch`, and a patch has no start: it completes a
//! posted run. Missing ids are in `dotted_order`, which has the ids of all enclosing steps. The output of `langsmith
//! trace export` has `run_id`, `token_usage`, `costs` and `custom_metadata` (github.com/langchain-ai/langchain-skills,
//! `query_traces.py`). Our run is their trace, and their run is a span.

use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::step::{Shape, unpacked};

/// The format.
pub static LANGSMITH: Described = Described {
    signs: &[
        Sign::certain(
            On::Within(&["post", "runs", "traces", "data"]),
            "runs have `run_type`, and `dotted_order`, `trace_id` or `parent_run_id`",
            &[
                Test::OneOf(
                    "run_type",
                    &["llm", "chain", "tool", "retriever", "embedding", "prompt", "parser"],
                ),
                Test::HasOne(&[
                    "dotted_order",
                    "trace_id",
                    "session_id",
                    "session_name",
                    "child_runs",
                    "parent_run_id",
                ]),
                Test::HasOne(&["start_time", "end_time"]),
            ],
        ),
        Sign::certain(
            On::Items("patch"),
            "`patch` has runs with `trace_id` and `dotted_order`",
            &[Test::Texts(&["trace_id", "dotted_order"])],
        ),
    ],
    lists: &["post|patch.**", "runs.**", "child_runs.**", "traces.**", "data.**"],
    quiet: &["name|run_type|start_time|end_time|status|trace_id|dotted_order"],
    ..Described::new(&catalog::LANGSMITH, describe)
};

static RUN: Shape = Shape {
    run: &["trace_id"],
    id: &["id", "run_id"],
    parent: &["parent_run_id"],
    name: &["name"],
    kind: &["run_type"],
    model: &[
        "extra.metadata.ls_model_name",
        "custom_metadata.ls_model_name",
        "extra.invocation_params.model",
        "extra.invocation_params.model_name",
        "outputs.model",
        "inputs.model",
    ],
    start: &["start_time"],
    end: &["end_time"],
    status: &["status"],
    error: &["error"],
    counts: &[
        "outputs.usage_metadata",
        "outputs.usage",
        "outputs.llm_output.token_usage",
        "outputs.llmOutput.tokenUsage",
        "outputs.generations.0.0.message.kwargs.usage_metadata",
        "extra.metadata.usage_metadata",
        "token_usage",
    ],
    cost: &["total_cost", "costs.total_cost"],
    input: &["inputs"],
    output: &["outputs"],
    facts: &[
        (FactKind::Other("Project"), "session_name"),
        (FactKind::Other("Thread"), "extra.metadata.thread_id"),
        (FactKind::Other("Tags"), "tags"),
    ],
    fields: &[
        (FactKind::Other("Prompt cost"), "prompt_cost"),
        (FactKind::Other("Completion cost"), "completion_cost"),
    ],
    values: &[
        (BlockRole::Named("Feedback"), "feedback_stats"),
        (BlockRole::Named("Parameters"), "extra.invocation_params"),
        (BlockRole::Named("Metadata"), "extra.metadata"),
        (BlockRole::Named("Metadata"), "custom_metadata"),
        (BlockRole::Named("Runtime"), "extra.runtime"),
        (BlockRole::Named("Events"), "events"),
    ],
    ..Shape::NONE
};

/// Where a list of runs has its trace id.
const OF_FIRST: &[&str] = &["runs.0.trace_id", "traces.0.trace_id", "data.0.trace_id"];

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if record.kind() != Kind::Object {
        return out.nothing();
    }
    if entry.is_document && record.get("run_type").is_absent() {
        out.run(record.any(OF_FIRST));
        out.event(EventKind::RunStart, "trace");
        return;
    }
    let mut step = RUN.step(record);
    // Bulk exports have the objects as JSON in strings.
    if record.get("outputs").kind() == Kind::String && !step.counts.is_given() {
        let outputs = unpacked(record.get("outputs"), out);
        let paths = RUN.counts.iter().filter_map(|path| path.strip_prefix("outputs."));
        let counts = paths.map(|path| outputs.get(path)).find(|it| it.is_given());
        step.counts = counts.unwrap_or_default();
        step.usage = Flavour::of(step.counts).read(step.counts);
    }
    let parameters = unpacked(record.get("extra"), out);
    if !step.model.is_given() && record.get("extra").kind() == Kind::String {
        let paths = RUN.model.iter().filter_map(|path| path.strip_prefix("extra."));
        let model = paths.map(|path| parameters.get(path)).find(|it| it.is_given());
        step.model = model.unwrap_or_default();
    }
    let order = record.get("dotted_order").text().unwrap_or_default();
    let mut ids = order.rsplit('.').map(|it| it.split_once('Z').map_or("", |(_, id)| id));
    let [id, parent] = [step.id, step.parent].map(|known| match (known.given(), ids.next()) {
        (None, Some(id)) if !id.is_empty() => out.string(id),
        (known, _) => known.unwrap_or_default(),
    });
    (step.id, step.parent) = (id, parent);
    step.run = step.run.or(record.get("session_id"));
    if !step.start.is_known() {
        step.tell_end(out);
        return;
    }
    if !step.end.is_known() {
        step.took = seconds_ns(record.get("latency").number());
    }
    // The record that newer SDKs send at the end also has the start, but not the inputs.
    let may_be_end = step.end.is_known() && record.get("inputs").raw().is_empty();
    let item = step.tell(out);
    if may_be_end {
        item.or_known();
    }
}
