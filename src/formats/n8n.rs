//! n8n: executions of workflows, as its API returns them.
//!
//! Read from the producer's types (`IRunExecutionData` of <https://github.com/n8n-io/n8n>) and from descriptions of
//! executions by others; no real file was at hand. An execution is a document, or one of a page under `data`. It has
//! the runs of each node under the node's name. The sub-nodes of an agent, such as its model and its tools, name the
//! agent as the node before them, and have their input under `inputOverride`.

use std::collections::BTreeMap;

use traceloupe_engine::prelude::*;
use traceloupe_engine::tokens::OPENAI;

/// The format.
pub static N8N: Described = Described {
    signs: &[Sign::certain(
        On::Within(&["data"]),
        "executions have `data.resultData.runData`",
        &[
            Test::Object("data.resultData.runData"),
            Test::HasOne(&["workflowId", "workflowData", "startedAt", "mode"]),
        ],
    )],
    lists: &["data"],
    quiet: &[
        "startedAt|stoppedAt|status|finished",
        "data.resultData.runData.*.*.startTime|executionTime|executionStatus|executionIndex",
    ],
    ..Described::new(&catalog::N8N, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if entry.is_document || record.kind() != Kind::Object {
        return out.nothing();
    }
    let result = record.get("data.resultData");
    let (start, end) = (record.get("startedAt"), record.get("stoppedAt"));
    let run = out.run(record.get("id"));
    run.times.order_rows = true;
    run.titles.own = record.get("workflowData.name");
    (run.times.start, run.times.end) = (time_of(start), time_of(end));
    run.ended(record.get("status"));
    out.facts(record, &[("Workflow", "workflowId"), ("Mode", "mode")]);
    out.at(start);
    out.event(EventKind::RunStart, "execution")
        .field("Last node", result.get("lastNodeExecuted"))
        .value("Workflow", record.get("workflowData"));
    let nodes = record.get("workflowData.nodes").items();
    let mut types = BTreeMap::new();
    for node in nodes {
        if let Some(name) = node.get("name").word() {
            types.insert(name, node.get("type"));
        }
    }
    for (name, runs) in result.get("runData").members() {
        let kind = types.get(&name).copied().unwrap_or_default();
        for (nth, task) in (0_u32..).zip(runs.items()) {
            let id = out.string(&id_of(&name, nth));
            node(&name, kind, task, out);
            let item = out.last();
            item.id = item.id.or(id);
            item.span(id, Json::ABSENT)
                .starts(time_of(task.get("startTime")))
                .took(millis_ns(task.get("executionTime")))
                .outcome(task.get("executionStatus"))
                .error(task.get("error"))
                .told(task.get("source"))
                .told(task.get("metadata.subRun"));
            let around = task.get("source.0.previousNode").word();
            if let Some(around) = around.filter(|_| hangs(task)) {
                let nth = task.get("source.0.previousNodeRun").count().unwrap_or_default();
                let nth = u32::try_from(nth).unwrap_or_default();
                let parent = out.string(&id_of(&around, nth));
                out.last().span.parent = parent;
            }
        }
    }
    let error = result.get("error");
    if has_content(error) {
        out.event(EventKind::Error, "execution failed").starts(time_of(end)).error(error).last();
    }
}

/// Whether a node is a sub-node of the one before it, as a model or a tool is of its agent.
fn hangs(task: Json<'_>) -> bool {
    let mut outputs = task.get("data").members();
    task.get("inputOverride").is_given() || outputs.any(|(key, _)| key.starts_with("ai_"))
}

/// The id of a run of a node.
fn id_of(name: &str, nth: u32) -> String {
    format!("{name} {nth}")
}

/// A run of a node.
fn node<'a>(name: &str, kind: Json<'a>, task: Json<'a>, out: &mut Description<'a>) {
    let side = |side: &str, of: &str| task.get(side).get(of).get("0.0.json");
    let of = ["ai_languageModel", "ai_tool"];
    let [model, tool] = of.map(|of| (side("inputOverride", of), side("data", of)));
    let label = out.string(name);
    if model.0.is_given() || model.1.is_given() {
        let (input, output) = model;
        let words = input.get("messages");
        let only = words.item(0);
        let words = if words.item(1).is_absent() && only.is_given() { only } else { words };
        let answer = output.get("response.generations.0.0");
        let named = answer.any(&["generationInfo.model_name", "generationInfo.model"]);
        let item = out.model(vec![Part::Prompt(words)], Joins::Nothing);
        if has_content(answer.get("text")) {
            item.part(Part::Text(answer.get("text")));
        }
        item.name(input.any(&["options.model", "options.model_name"]).or(named).or(label))
            .tokens(&OPENAI, output.get("tokenUsage"))
            .field("Finish reason", answer.get("generationInfo.finish_reason"))
            .value("Options", input.get("options"));
    } else if tool.0.is_given() || tool.1.is_given() {
        let (input, output) = tool;
        let item = out.call(input.get("toolCallId"), label, input.get("query").or(input));
        let result = output.get("response").or(output);
        if has_content(result) {
            item.part(Part::Result(result));
        }
    } else {
        let main = task.get("data.main");
        let said = main.get("0.0.json.chatInput");
        if has_content(said) && !task.get("source.0").is_given() {
            out.user(said);
            return;
        }
        let what = match kind.label().ends_with(".agent") {
            true => What::Event(EventKind::Agent),
            false => What::Span,
        };
        let answer = main.get("0.0.json.output");
        let output = if main.is_given() { main } else { task.get("data") };
        out.item(what)
            .name(label)
            .text(if answer.kind() == Kind::String { answer } else { Json::ABSENT })
            .value(BlockRole::Output, output)
            .value(BlockRole::Input, task.get("inputOverride"));
    }
}
