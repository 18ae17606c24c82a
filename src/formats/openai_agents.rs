//! OpenAI Agents SDK: traces as its exporter sends them.
//!
//! Read from the producer's documentation and code (github.com/openai/openai-agents-python, `tracing`), and from
//! requests of 2025 to its collector. Traces and spans are objects in one list, in lists under `data`, or one per line;
//! processors of others write traces with their spans inside, or beside them. Spans are written when they end, and a
//! trace may lack an object of its own. The data of a span is in `span_data`. Spans of responses have only the id of
//! the response unless a processor adds its content. A run is a trace; an agent is a step in which its LLM calls and
//! tools are nested.

use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::step::{Shape, SpanKind};

/// The format.
pub static OPENAI_AGENTS: Described = Described {
    signs: &[
        Sign::certain(
            On::Within(&["data", "spans", "traces.*.spans"]),
            "objects are spans with `span_data`",
            &[Test::Is("object", "trace.span"), Test::Object("span_data")],
        ),
        Sign::record(
            "records are traces with `workflow_name`",
            &[Test::Is("object", "trace"), Test::Text("workflow_name")],
        ),
    ],
    lists: &["data", "spans", "traces.**"],
    quiet: &["object|trace_id|started_at|ended_at", "span_data.type|name"],
    ..Described::new(&catalog::OPENAI_AGENTS, describe)
};

static SPAN: Shape = Shape {
    run: &["trace_id"],
    id: &["id"],
    parent: &["parent_id"],
    name: &["span_data.name"],
    kind: &["span_data.type"],
    model: &["span_data.model", "span_data.response.model"],
    start: &["started_at"],
    end: &["ended_at"],
    error: &["error"],
    counts: &["span_data.usage", "span_data.response.usage"],
    // If a response has only its id, some processors write its content beside it.
    input: &["span_data.input", "span_data.from_agent", "span_data_input"],
    output: &[
        "span_data.output",
        "span_data.response.output",
        "span_data.result",
        "span_data.to_agent",
        "span_data.data",
        "span_data_response",
    ],
    fields: &[
        (FactKind::Other("Response"), "span_data.response_id"),
        (FactKind::Other("Tools"), "span_data.tools"),
        (FactKind::Other("Handoffs"), "span_data.handoffs"),
        (FactKind::Other("Output type"), "span_data.output_type"),
        (FactKind::Other("Server"), "span_data.server"),
        (FactKind::Other("Triggered"), "span_data.triggered"),
    ],
    values: &[
        (BlockRole::Named("Model configuration"), "span_data.model_config"),
        (BlockRole::Named("MCP"), "span_data.mcp_data"),
    ],
    ..Shape::NONE
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    // A document may have the trace beside its spans.
    let record = match entry.is_document && record.get("trace.object").is("trace") {
        true => record.get("trace"),
        false => record,
    };
    if record.kind() != Kind::Object || entry.is_document && record.get("object").is_absent() {
        out.nothing();
    } else if record.get("object").is("trace.span") {
        let mut step = SPAN.step(record);
        if step.kind != SpanKind::Llm && !step.name.is_given() {
            step.name = record.get("span_data.type");
        }
        if matches!(step.kind, SpanKind::Agent | SpanKind::Step) {
            // The names of agents would be read as messages.
            let (from, to) = (record.get("span_data.from_agent"), record.get("span_data.to_agent"));
            (step.input, step.output) = (Json::ABSENT, record.get("span_data.result"));
            let words = [from.word(), to.word()].map(Option::unwrap_or_default).join(" → ");
            let words = out.json(&traceloupe_core::json::quoted(&words));
            let item = step.tell(out).or_known().field("From", from).field("To", to);
            if to.is_given() {
                item.summary(words);
            }
            return;
        }
        step.tell(out).or_known();
    } else {
        let run = out.run(record.get("id"));
        run.titles.own = record.get("workflow_name");
        run.times.order_rows = true;
        out.facts(record, &[("Workflow", "workflow_name"), ("Group", "group_id")]);
        // Processors may write a trace when it begins, and again when it ends.
        out.event(EventKind::RunStart, "trace")
            .span(record.get("id"), Json::ABSENT)
            .or_known()
            .summary(record.get("workflow_name"))
            .value("Metadata", record.get("metadata"));
    }
}
