//! EvalScope: predictions and reviews of an evaluation, one sample per line.
//!
//! Read from the producer's code (github.com/modelscope/evalscope, `api/evaluator/cache.py`) and from its examples of
//! January 2025. Since 1.0 a prediction has the messages of the conversation and the `model_output`, a review the score of
//! a sample. Before, both are the response of the API with the question beside it; the review is in its choices.

use super::kit::{Described, Description, Entry, Joins, On, Sign, Test, What};
use super::shapes::content;
use super::shapes::tokens::Flavour;
use crate::catalog;
use crate::json::{Json, Kind, quoted};
use crate::model::{EventKind, RunStatus, Status};

/// The format.
pub static EVALSCOPE: Described = Described {
    signs: &[
        Sign::certain(
            On::Any,
            "records have an `index` and a `model_output` with choices",
            &[Test::Has("index"), Test::Object("model_output"), Test::List("messages")],
        ),
        Sign::certain(
            On::Any,
            "records have an `index` and the `sample_score` of a review",
            &[Test::Has("index"), Test::Has("sample_score.score.value")],
        ),
        Sign::certain(
            On::Any,
            "responses have an `answer_id`, a `model_spec` and the `raw_input` of their sample",
            &[Test::Has("answer_id"), Test::Has("model_spec"), Test::Has("raw_input")],
        ),
    ],
    undivided: &["model_output", "sample_score", "answer_id"],
    has_messages: true,
    quiet: &[
        "index",
        "model",
        "object",
        "created",
        "model_output.model",
        "model_output.time",
        "model_output.choices.*.message.role",
        "messages.*.role",
        "messages.*.id",
        "choices.*.message.role",
        "model_spec.model_id",
    ],
    ..Described::new(&catalog::EVALSCOPE, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let sample = entry.json;
    let index = sample.get("index").word().unwrap_or_default();
    out.run.is_own = true;
    out.run.title = Json::new(out.keep(&quoted(&format!("Sample {index}"))));
    out.facts(sample, &[("Model", "model"), ("Subset", "subset_name"), ("Expected", "target")]);
    if sample.get("sample_score").is_given() {
        return review(sample, out);
    }
    out.at(sample.get("created"));
    let raw = sample.get("raw_input");
    out.event(EventKind::RunStart, "sample")
        .summary(raw)
        .value("Sample", raw)
        .value("Metadata", sample.get("metadata"));
    let output = sample.get("model_output").given().unwrap_or(sample);
    for message in sample.get("messages").items() {
        content::message(message, Joins::Nothing, out);
    }
    for words in sample.get("origin_prompt.data").items() {
        out.item(What::User).text(words);
    }
    // The messages may end with the answer.
    let answered = out.items.iter().rposition(|item| item.what == What::Model);
    let choice = output.get("choices.0");
    let at = answered.unwrap_or(out.items.len());
    if answered.is_none() {
        content::answer(choice.get("message"), out);
    }
    let counts = output.get("usage");
    if let Some(item) = out.items.get_mut(at) {
        item.name(output.get("model").word().unwrap_or_default())
            .usage(Flavour::of(counts).read(counts))
            .took(super::kit::seconds_ns(output.get("time").number()))
            .fields(choice, &[("Stop reason", "stop_reason"), ("Finish reason", "finish_reason")])
            .value("Usage", counts)
            .error(output.get("error"));
    }
    let review = choice.get("review");
    if review.is_given() {
        scored(review.get("result"), out);
        out.last().fields(review, &[("Expected", "gold"), ("Predicted", "pred")]);
    }
}

/// The score of a sample.
fn review<'a>(review: Json<'a>, out: &mut Description<'a>) {
    let input = review.get("input");
    match input.kind() {
        Kind::String => drop(out.item(What::User).text(input)),
        _ => input.items().for_each(|it| content::message(it, Joins::Nothing, out)),
    }
    for message in review.get("messages").items() {
        content::message(message, Joins::Nothing, out);
    }
    let score = review.get("sample_score.score");
    let main = score.get("main_score_name").word().unwrap_or_default();
    let value = score.get("value");
    let first = value.members().find(|(name, _)| main.is_empty() || *name == main);
    scored(first.map_or(value, |(_, value)| value), out);
    out.last()
        .fields(score, &[("Predicted", "extracted_prediction"), ("Metric", "main_score_name")])
        .value("Scores", value)
        .value("Explanation", score.get("explanation"))
        .value("Prediction", score.get("prediction"));
}

/// An evaluation: a number from 0 to 1, or whether it is right.
fn scored<'a>(score: Json<'a>, out: &mut Description<'a>) {
    let number = score.bool().map(f64::from).or_else(|| score.number());
    out.run.score = number.filter(|score| (0.0..=1.0).contains(score));
    out.run.status = Some(RunStatus::Ok);
    let item = out.event(EventKind::Evaluation, "score").summary(score);
    item.field("Score", score);
    if let Some(score) = number.filter(|score| *score <= 0.0 || *score >= 1.0) {
        item.status(if score >= 1.0 { Status::Ok } else { Status::Error });
    }
}
