//! promptfoo: results of an evaluation, as one document (`promptfoo eval -o results.json`) or one result per line
//! (`-o results.jsonl`).
//!
//! Read from the types of the producer (github.com/promptfoo/promptfoo, `src/types`, `EvaluateResult` and
//! `EvaluateSummaryV3`) and from a file of 2026. A result is a run: the prompt of one test case, the response of one
//! provider, and the result of each assertion. Prompts may be messages in a string.

use traceloupe_core::model::{RunStatus, RunVerdict};
use traceloupe_engine::prelude::*;

/// The format.
pub static PROMPTFOO: Described = Described {
    signs: &[Sign::certain(
        On::Within(&["results.results", "results"]),
        "results have the raw prompt, the provider and the score of a test case",
        &[Test::HasAll(&["prompt.raw", "provider", "success", "latencyMs"])],
    )],
    lists: &["results.results", "results"],
    quiet: &[
        "latencyMs|success|score|error",
        "gradingResult.pass|score",
        "gradingResult.componentResults.*.pass",
    ],
    ..Described::new(&catalog::PROMPTFOO, describe)
};

/// The counts of a response.
static COUNTS: Flavour = Flavour {
    input: &["prompt"],
    output: &["completion"],
    reasoning: &["completionDetails.reasoning"],
    input_has_cached: true,
    ..Flavour::NONE
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let result = entry.json;
    out.run.records = Records::Itself;
    if entry.is_document {
        return evaluation(result, out);
    }
    let case = result.get("testCase");
    let variables = result.get("vars").given().unwrap_or_else(|| case.get("vars"));
    out.run.titles.own = case.get("description");
    let provider = result.any(&["provider.id", "provider"]).label();
    out.facts(
        result,
        &[
            (FactKind::Provider, "provider.id"),
            (FactKind::Cost, "cost"),
            (FactKind::Other("Prompt"), "prompt.label"),
        ],
    );
    out.event(EventKind::RunStart, "test case")
        .summary(case.get("description"))
        .value("Variables", variables)
        .value("Assertions", case.get("assert"));

    asked(result.get("prompt.raw"), out);
    let response = result.get("response");
    let counts = response.get("tokenUsage");
    let output = response.get("output");
    let grading = result.get("gradingResult");
    // A response that was not graded failed earlier.
    let failure = if grading.is_given() { Json::ABSENT } else { result.get("error") };
    let error = response.get("error").or(failure);
    let at = out.items.len();
    answered(output, out);
    let item = match out.items.get_mut(at) {
        Some(item) => item,
        None => out.item(What::Model),
    };
    item.joins(Joins::Nothing)
        .name(provider)
        .tokens(&COUNTS, counts)
        .took(millis_ns(result.get("latencyMs")))
        .fields(response, &[("From the cache", "cached"), ("Finish reason", "finishReason")])
        .error(error);

    let passed = result.get("success").bool();
    let number = result.get("score").number();
    out.run.grade.score = number.filter(|score| (0.0..=1.0).contains(score));
    out.run.grade.verdict = passed.map(RunVerdict::of);
    out.run.status = Some(if error.is_given() { RunStatus::Error } else { RunStatus::Ok });
    for graded in grading.get("componentResults").items() {
        assertion(graded, out);
    }
    if grading.get("componentResults").item(0).is_absent() && !error.is_given() {
        let reason = grading.get("reason").given().unwrap_or_else(|| result.get("error"));
        out.event(EventKind::Evaluation, "score")
            .summary(reason)
            .field("Reason", reason)
            .failed_unless(result.get("success"));
    }
}

/// A model's response: text, a value, or the calls that it requests, alone or in a message.
fn answered<'a>(output: Json<'a>, out: &mut Description<'a>) {
    let is_list = output.kind() == Kind::Array;
    let calls = if is_list { output } else { output.get("tool_calls") };
    let are_calls = calls.get("0.function.name").is_given();
    let parts = match output.kind() {
        Kind::String => vec![Part::Text(output)],
        Kind::Object if are_calls => content::pieces(output.get("content")),
        _ if are_calls => Vec::new(),
        _ => vec![Part::Value(BlockRole::Output, output)],
    };
    let model = out.items.len();
    out.model(parts, Joins::Nothing);
    for call in calls.items().filter(|_| are_calls) {
        let (id, name, arguments) = content::call_of(call);
        out.asked_by(model, id, name, arguments);
    }
}

/// The evaluation around its results.
fn evaluation<'a>(document: Json<'a>, out: &mut Description<'a>) {
    let description = document.get("config.description");
    out.run.titles.own = description.given().unwrap_or_else(|| document.get("evalId"));
    out.at(document.get("results.timestamp"));
    out.event(EventKind::RunStart, "evaluation")
        .summary(description)
        .value("Statistics", document.any(&["results.stats", "stats"]))
        .value(BlockRole::OtherInput("Prompts"), document.get("results.prompts"))
        .value("Configuration", document.get("config"));
}

/// A model's prompt: text, or messages in a string.
fn asked<'a>(raw: Json<'a>, out: &mut Description<'a>) {
    let messages = out.unpack(raw);
    if messages.kind() != Kind::Array {
        out.user(raw);
        return;
    }
    for message in messages.items() {
        if message.get("role").is("user") {
            out.run.titles.words = content::first_words(message);
        }
        content::message(message, Joins::Nothing, out);
    }
}

/// The result of one assertion.
fn assertion<'a>(result: Json<'a>, out: &mut Description<'a>) {
    let assertion = result.get("assertion");
    let name = assertion.any(&["metric", "type"]).word().unwrap_or_else(|| "score".into());
    let reason = result.get("reason");
    out.event(EventKind::Evaluation, name)
        .summary(reason)
        .field("Reason", reason)
        .field(FactKind::Score, result.get("score"))
        .value("Assertion", assertion)
        .failed_unless(result.get("pass"));
}
