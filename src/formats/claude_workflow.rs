//! Workflows of Claude Code: its record of a run of the tool `Workflow`, one document per run.
//!
//! Read from such documents of summer 2026 and from programs that read them; the producer describes the tool
//! (<https://code.claude.com/docs/en/workflows>), but not the file. A run is a workflow. Its agents are nested in the
//! phase that they name; their events are in transcripts of their own, beside those of the session.

use traceloupe_engine::prelude::*;

/// The format.
pub static CLAUDE_WORKFLOW: Described = Described {
    signs: &[Sign::certain(
        On::Document,
        "the document has a `runId`, and a `workflowProgress` of its agents",
        &[Test::Text("runId"), Test::List("workflowProgress")],
    )],
    lists: &["workflowProgress"],
    // The outcome may follow the list.
    hooks: Hooks { is_whole: true, ..Hooks::NONE },
    quiet: &[
        "runId|timestamp|startTime|durationMs|status|type|title|label|index|agentId|phaseIndex",
        "phaseTitle|startedAt|lastProgressAt",
    ],
    ..Described::new(&catalog::CLAUDE_WORKFLOW, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    match record.get("type").label().as_ref() {
        _ if entry.is_document => workflow(record, out),
        "workflow_phase" => {
            let title = record.get("title").label();
            out.event(EventKind::Span, title).span(record.get("index"), Json::ABSENT);
        }
        "workflow_agent" => agent(record, out),
        kind => drop(out.note(kind.replace('_', " "))),
    }
}

fn workflow<'a>(workflow: Json<'a>, out: &mut Description<'a>) {
    let run = out.run(workflow.get("runId"));
    run.titles.own = workflow.any(&["summary", "workflowName"]);
    run.times.start = time_of(workflow.any(&["startTime", "timestamp"]));
    run.times.duration = millis_ns(workflow.get("durationMs"));
    run.totals.counts.tool_calls = workflow.get("totalToolCalls").count();
    run.ended(workflow.get("status"));
    out.facts(
        workflow,
        &[
            (FactKind::Other("Workflow"), "workflowName"),
            (FactKind::Model, "defaultModel"),
            (FactKind::Other("Agents"), "agentCount"),
            (FactKind::Other("Tokens of all agents"), "totalTokens"),
            (FactKind::Other("Tool calls of all agents"), "totalToolCalls"),
        ],
    );
    out.at(workflow.any(&["startTime", "timestamp"]));
    out.event(EventKind::RunStart, "workflow")
        .summary(workflow.any(&["summary", "workflowName"]))
        .value(BlockRole::Arguments, workflow.get("args"))
        .value("Phases", workflow.get("phases"))
        .part(Part::Code("Script".into(), "javascript", workflow.get("script")));
    out.after_list();
    let (result, error) = (workflow.get("result"), workflow.get("error"));
    let is_stopped = out.run.status == Some(RunStatus::Cancelled);
    let item = out.event(EventKind::RunEnd, "result");
    item.error(error).value(BlockRole::Result, result).value("Log", workflow.get("logs"));
    if is_stopped {
        item.status(Status::Cancelled);
    }
}

fn agent<'a>(agent: Json<'a>, out: &mut Description<'a>) {
    let label = agent.any(&["label", "agentId"]);
    let item = out.event(EventKind::Agent, label);
    item.span(agent.get("agentId"), agent.get("phaseIndex"))
        .starts(time_of(agent.any(&["startedAt", "queuedAt"])))
        .took(millis_ns(agent.get("durationMs")))
        .error(agent.get("error"))
        .value(BlockRole::Prompt, agent.get("promptPreview"))
        .value(BlockRole::Result, agent.get("resultPreview"))
        .fields(
            agent,
            &[
                (FactKind::Other("Agent"), "agentType"),
                (FactKind::Model, "model"),
                (FactKind::Other("State"), "state"),
                (FactKind::Other("Tokens"), "tokens"),
                (FactKind::Other("Tool calls"), "toolCalls"),
                (FactKind::Attempt, "attempt"),
                (FactKind::Other("Last tool"), "lastToolName"),
                (FactKind::Other("What it did last"), "lastToolSummary"),
            ],
        );
    match agent.get("state").label().as_ref() {
        "done" => item.status(Status::Ok),
        "error" | "failed" => item.status(Status::Failed),
        "stopped" | "killed" => item.status(Status::Cancelled),
        _ => item,
    };
}
