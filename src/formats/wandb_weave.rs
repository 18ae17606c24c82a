//! W&B Weave: calls of operations, as its interface and its API export them.
//!
//! Read from the producer's documentation (docs.wandb.ai, call schema reference) and code; no real file was at hand.
//! Calls come one per line, in a list, under `calls`, or under `raw_logging_results` in the results of the Holistic
//! Agent Leaderboard (github.com/princeton-pli/hal-harness, `hal/utils/weave_utils.py`). The kind of a call is in its
//! attributes only if the program set it; for the clients that Weave records by itself, it follows from the operation's
//! name. Token counts are kept by model, and the calls that enclose an LLM call repeat them. A run is a trace, or a
//! task of the leaderboard; a call is a span.

use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::step::{Shape, SpanKind, kind_of_word};

/// The format.
pub static WANDB_WEAVE: Described = Described {
    signs: &[Sign::certain(
        On::Within(&["calls", "raw_logging_results"]),
        "calls have `op_name`, `inputs` and `started_at`",
        &[Test::Texts(&["op_name", "trace_id"]), Test::Has("started_at"), Test::Object("inputs")],
    )],
    lists: &["calls", "raw_logging_results"],
    quiet: &[
        "trace_id|started_at|ended_at|op_name|display_name|deleted_at",
        "summary.weave.status",
    ],
    ..Described::new(&catalog::WANDB_WEAVE, describe)
};

static CALL: Shape = Shape {
    // The leaderboard's agents make a trace of each LLM call.
    run: &["attributes.weave_task_id", "trace_id"],
    id: &["id"],
    parent: &["parent_id"],
    name: &["display_name"],
    kind: &["attributes.weave.kind", "attributes.kind"],
    model: &["inputs.model", "output.model"],
    start: &["started_at"],
    end: &["ended_at"],
    status: &["summary.weave.status"],
    error: &["exception"],
    input: &["inputs"],
    output: &["output"],
    facts: &[
        (FactKind::Other("Project"), "project_id"),
        (FactKind::Other("Thread"), "thread_id"),
        (FactKind::Other("User"), "wb_user_id"),
    ],
    fields: &[
        (FactKind::Other("Turn"), "turn_id"),
        (FactKind::Other("W&B run"), "wb_run_id"),
        (FactKind::Other("Operation"), "op_name"),
    ],
    values: &[
        (BlockRole::Named("Costs"), "summary.weave.costs"),
        (BlockRole::Named("Attributes"), "attributes"),
    ],
    ..Shape::NONE
};

/// The kind of a call, by a part of the name of its operation.
const OPERATIONS: &[(&str, SpanKind)] = &[
    ("completions.create", SpanKind::Llm),
    ("completions.parse", SpanKind::Llm),
    ("responses.create", SpanKind::Llm),
    ("responses.parse", SpanKind::Llm),
    ("messages.create", SpanKind::Llm),
    ("messages.stream", SpanKind::Llm),
    ("generate_content", SpanKind::Llm),
    ("chat.complete", SpanKind::Llm),
    ("litellm.completion", SpanKind::Llm),
    ("litellm.acompletion", SpanKind::Llm),
    ("langchain.Llm.", SpanKind::Llm),
    ("langchain.ChatModel.", SpanKind::Llm),
    ("langchain.Tool.", SpanKind::Tool),
    ("call_tool", SpanKind::Tool),
    ("langchain.", SpanKind::Step),
    ("Evaluation.", SpanKind::Step),
    (".score", SpanKind::Evaluation),
    ("scorer", SpanKind::Evaluation),
];

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if entry.is_document && record.get("raw_eval_results").is_given() {
        out.run(record.get("raw_logging_results.0.attributes.weave_task_id"));
        out.event(EventKind::RunStart, "evaluation")
            .value("Configuration", record.get("config"))
            .value(BlockRole::OtherOutput("Results"), record.get("results"));
        return;
    }
    if record.kind() != Kind::Object || entry.is_document {
        return out.nothing();
    }
    let mut step = CALL.step(record);
    // A reference has the name between the last slash and a hash.
    let operation = record.get("op_name").text().unwrap_or_default();
    let short = operation.rsplit('/').next().unwrap_or_default();
    let short = short.split(':').next().unwrap_or_default();
    if step.kind == SpanKind::Plain {
        let found = OPERATIONS.iter().find(|(piece, _)| short.contains(piece));
        step.kind = found.map_or(kind_of_word(short), |(_, kind)| *kind);
    }
    if !step.name.is_given() {
        step.name = out.string(short);
    }
    let by_model = record.get("summary.usage");
    if let Some((model, counts)) = by_model.members().next() {
        (step.counts, step.usage) = (by_model, Flavour::of(counts).read(counts));
        if !step.model.is_given() {
            step.model = out.string(&model);
        }
    }
    if !step.end.is_known() {
        let ms = record.get("summary.weave.latency_ms").number();
        step.took = seconds_ns(ms.map(|ms| ms / 1000.0));
    }
    step.tell(out);
}
