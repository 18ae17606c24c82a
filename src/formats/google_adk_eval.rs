//! Evaluations of Google's Agent Development Kit: eval sets, results, and the older lists of queries.
//!
//! Read from `eval_set.py`, `eval_case.py` and `eval_result.py` of google/adk-python, an eval set of February 2026 and
//! a list of queries of ADK's samples (2025).
//!
//! A case is a run. It has its invocations with the expectations for the agent or, in results, the agent's work and the
//! outcome of each metric. A list of queries is one conversation.

use traceloupe_engine::prelude::*;
use traceloupe_engine::tokens::GEMINI;

/// The format.
pub static GOOGLE_ADK_EVAL: Described = Described {
    signs: &[
        Sign::record(
            "there are cases of an eval set, with conversations",
            &[
                Test::HasOne(&["eval_set_id", "evalSetId"]),
                Test::HasOne(&["eval_cases", "evalCases"]),
            ],
        ),
        Sign::record(
            "there are results of the cases of an eval set",
            &[
                Test::HasOne(&["eval_set_id", "evalSetId"]),
                Test::HasOne(&["eval_case_results", "evalCaseResults"]),
            ],
        ),
        Sign::record(
            "queries have `expected_tool_use`",
            &[Test::Text("query"), Test::List("expected_tool_use")],
        ),
    ],
    lists: &[
        "eval_cases.**",
        "evalCases.**",
        "eval_case_results.**",
        "evalCaseResults.**",
        "conversation",
        "eval_metric_result_per_invocation",
        "evalMetricResultPerInvocation",
        "data",
    ],
    quiet: &["creation_timestamp|creationTimestamp", "user_content.role", "final_response.role"],
    ..Described::new(&catalog::GOOGLE_ADK_EVAL, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    let actual = record.any(&["actual_invocation", "actualInvocation"]);
    out.at(record.any(&["creation_timestamp", "creationTimestamp"]));
    out.at(actual.any(&["creation_timestamp", "creationTimestamp"]));
    let case = record.any(&["eval_id", "evalId"]);
    if case.is_given() {
        self::case(record, case, out);
    } else if record.get("query").is_given() {
        query(record, out);
    } else if actual.is_given() {
        invocation(actual, out);
        metrics(record.any(&["eval_metric_results", "evalMetricResults"]), out);
        let expected = record.any(&["expected_invocation", "expectedInvocation"]);
        if let Some(item) = out.items.iter_mut().rfind(|item| item.what() == What::Model) {
            item.value("Expected", expected);
        }
    } else if record.any(&["user_content", "userContent"]).is_given() {
        invocation(record, out);
    } else {
        // The set around the cases, or the members after them.
        out.run.records = Records::Following;
        out.facts(
            record,
            &[
                ("Eval set", "eval_set_id"),
                ("Eval set", "evalSetId"),
                ("Result", "eval_set_result_name"),
                ("Result", "evalSetResultName"),
                ("Name", "name"),
                ("Description", "description"),
            ],
        );
    }
}

/// The members around the invocations of a case.
fn case<'a>(case: Json<'a>, id: Json<'a>, out: &mut Description<'a>) {
    let session = case.any(&["session_id", "sessionId"]);
    let status = case.any(&["final_eval_status", "finalEvalStatus"]);
    let run = out.run(if session.is_given() { session } else { id });
    (run.titles.own, run.records, run.reach) = (id, Records::Itself, Reach::File);
    run.status = match status.word().as_deref() {
        Some("1" | "PASSED") => Some(RunStatus::Ok),
        Some("2" | "FAILED") => Some(RunStatus::Error),
        _ => None,
    };
    // The session has data that the invocations lack.
    let session = case.any(&["session_details", "sessionDetails"]);
    for event in session.get("events").items() {
        run.totals.usage.add(&GEMINI.read(event.any(&["usage_metadata", "usageMetadata"])));
        let model = event.any(&["model_version", "modelVersion"]);
        if model.is_given() {
            run.models.name = model;
        }
    }
    out.facts(
        case,
        &[
            ("User", "user_id"),
            ("User", "userId"),
            ("App", "session_input.app_name"),
            ("App", "sessionInput.appName"),
        ],
    );
    out.event(EventKind::RunStart, "eval case").summary(id).field("Status", status);
    metrics(case.any(&["overall_eval_metric_results", "overallEvalMetricResults"]), out);
}

/// The outcomes of metrics.
fn metrics<'a>(results: Json<'a>, out: &mut Description<'a>) {
    for result in results.items() {
        let name = result.any(&["metric_name", "metricName"]).label();
        let status = result.any(&["eval_status", "evalStatus"]).word();
        let score = result.get("score");
        let item = out.event(EventKind::Evaluation, name).summary(score);
        item.field(FactKind::Score, score).fields(result, &[("Threshold", "threshold")]);
        match status.as_deref() {
            Some("1" | "PASSED") => item.status(Status::Ok),
            Some("2" | "FAILED") => item.status(Status::Failed),
            _ => item,
        };
    }
}

/// The user's question, the agent's calls on the way, and its answer.
fn invocation<'a>(record: Json<'a>, out: &mut Description<'a>) {
    let asked = record.any(&["user_content", "userContent"]);
    content::asked(asked, out);
    let between = record.any(&["intermediate_data", "intermediateData"]);
    for call in between.any(&["tool_uses", "toolUses"]).items() {
        let (id, name, arguments) = content::call_of(call);
        out.ask(id, name, arguments);
    }
    for result in between.any(&["tool_responses", "toolResponses"]).items() {
        let value = result.get("response");
        let failed = value.any(&["is_error", "isError"]);
        let has_error = has_content(value.get("error"));
        let name = result.get("name").label();
        let item = out.result(result.get("id"), value).name(name).failed(failed);
        if has_error {
            item.status(Status::Failed);
        }
    }
    for event in between.any(&["invocation_events", "invocationEvents"]).items() {
        let content = event.get("content");
        let role = content.get("role").label();
        content::message_of_role(&role, content, Joins::Nothing, out);
        out.last().field("Agent", event.get("author"));
    }
    // Each is the name of an agent with its text.
    for words in between.any(&["intermediate_responses", "intermediateResponses"]).items() {
        let parts = content::pieces(words.item(1));
        out.model(parts, Joins::Nothing).field("Agent", words.item(0));
    }
    let answer = record.any(&["final_response", "finalResponse"]);
    if answer.is_given() {
        content::message_of_role("model", answer, Joins::Nothing, out);
    }
}

/// A query of a list, with the expectations for the agent.
fn query<'a>(record: Json<'a>, out: &mut Description<'a>) {
    out.user(record.get("query"));
    for call in record.get("expected_tool_use").items() {
        out.ask(Json::ABSENT, call.get("tool_name"), call.get("tool_input"));
        let output = call.get("mock_tool_output");
        if output.is_given() {
            out.result(Json::ABSENT, output);
        }
    }
    for words in record.get("expected_intermediate_agent_responses").items() {
        out.item(What::Model)
            .joins(Joins::Nothing)
            .text(words.get("text"))
            .field("Agent", words.get("author"));
    }
    let reference = record.get("reference");
    if has_content(reference) {
        out.item(What::Model).joins(Joins::Nothing).text(reference);
    }
}
