//! EvalScope: predictions and reviews of an evaluation, one sample per line.
//!
//! Read from the producer's code (github.com/modelscope/evalscope, `api/evaluator/cache.py`) and from its examples of
//! January 2025. Since 1.0 a prediction has the messages of the conversation and the `model_output`, a review the score
//! of a sample. In earlier versions, both are the response of the API with the question beside it; the review is in its
//! choices. Predictions of agents (1.14, `api/agent/trace.py`) have an `agent_trace` with times, token counts and
//! errors of messages.

use traceloupe_engine::prelude::*;

/// The format.
pub static EVALSCOPE: Described = Described {
    signs: &[
        Sign::record(
            "records have an `index` and a `model_output` with choices",
            &[Test::Has("index"), Test::Object("model_output"), Test::List("messages")],
        ),
        Sign::record(
            "records have an `index` and the `sample_score` of a review",
            &[Test::HasAll(&["index", "sample_score.score.value"])],
        ),
        Sign::record(
            "responses have an `answer_id`, a `model_spec` and the `raw_input` of their sample",
            &[Test::HasAll(&["answer_id", "model_spec", "raw_input"])],
        ),
    ],
    undivided: &["model_output", "sample_score", "answer_id"],
    has_messages: true,
    quiet: &[
        "index|model|object|created",
        "model_output.model|time",
        "model_output.choices.*.message.role",
        "messages.*.role|id",
        "choices.*.message.role",
        "model_spec.model_id",
        "agent_trace.events.*",
        "agent_trace.total_usage",
    ],
    ..Described::new(&catalog::EVALSCOPE, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let sample = entry.json;
    let index = sample.get("index").label();
    out.run.records = Records::Itself;
    out.run.titles.own = out.string(&format!("Sample {index}"));
    out.facts(
        sample,
        &[
            (FactKind::Model, "model"),
            (FactKind::Other("Subset"), "subset_name"),
            (FactKind::Other("Expected"), "target"),
        ],
    );
    if sample.get("sample_score").is_given() {
        return review(sample, out);
    }
    out.at(sample.get("created"));
    out.run.models.name = sample.get("model");
    let raw = sample.get("raw_input");
    out.event(EventKind::RunStart, "sample")
        .summary(raw)
        .value("Sample", raw)
        .value("Metadata", sample.get("metadata"));
    let output = sample.get("model_output").or(sample);
    let trace = sample.get("agent_trace");
    conversation(sample, out);
    for words in sample.get("origin_prompt.data").items() {
        out.item(What::User).text(words);
    }
    // The messages may end with the answer.
    let answered = out.items.iter().rposition(|item| item.what() == What::Model);
    let choice = output.get("choices.0");
    let at = answered.unwrap_or(out.items.len());
    if answered.is_none() {
        content::answer(choice.get("message"), out);
    }
    let counts = output.get("usage");
    if let Some(item) = out.items.get_mut(at) {
        item.name(output.get("model"))
            .fields(choice, &[("Stop reason", "stop_reason"), ("Finish reason", "finish_reason")])
            .error(output.get("error"));
        // With a trace, these counts are the totals of all calls.
        if !trace.get("events.0").is_given() {
            item.tokens(Flavour::of(counts), counts)
                .took(traceloupe_engine::kit::seconds_ns(output.get("time").number()));
        }
    }
    run_of_agent(trace, out);
    let review = choice.get("review");
    if review.is_given() {
        scored(review.get("result"), out);
        out.last().fields(review, &[("Expected", "gold"), ("Predicted", "pred")]);
    }
}

/// The messages of a sample, with the data of the agent's trace about them.
fn conversation<'a>(sample: Json<'a>, out: &mut Description<'a>) {
    for message in sample.get("messages").items() {
        let first = out.items.len();
        content::message(message, Joins::Nothing, out);
        let is_of = |event: &Json<'_>| same(event.get("message_id"), message.get("id"));
        for event in sample.get("agent_trace.events").items().filter(is_of) {
            of_message(event, first, out);
        }
    }
}

/// Whether two ids are given and equal.
fn same(one: Json<'_>, other: Json<'_>) -> bool {
    one.word().is_some_and(|one| other.word().is_some_and(|other| one == other))
}

/// The data of an agent's trace about a message, whose items begin at `first`.
fn of_message<'a>(event: Json<'a>, first: usize, out: &mut Description<'a>) {
    let kind = event.get("type").label();
    let wanted = match kind.as_ref() {
        "model_generate" => What::Model,
        "tool_result" => What::Result,
        "error" => {
            failure(event, out);
            return;
        }
        _ => return,
    };
    let (took, end) = (millis_ns(event.get("latency_ms")), time_of(event.get("timestamp")));
    let begin = end.get().zip(took.get()).and_then(|(end, took)| end.checked_sub(took));
    let items = out.items.get_mut(first..).unwrap_or_default();
    let Some(item) = items.iter_mut().find(|item| item.what() == wanted) else { return };
    item.took(took);
    let counts = event.get("token_usage");
    if wanted == What::Model {
        item.starts(begin.into()).tokens(&COUNTS, counts);
        item.fields(event, &[("Stop reason", "payload.stop_reason")]);
    } else {
        item.starts(end);
        let error = event.get("payload.error");
        if has_content(error) {
            item.status(Status::Failed).field("Error", error);
        }
    }
}

/// The outcome and totals of an agent's run.
fn run_of_agent<'a>(trace: Json<'a>, out: &mut Description<'a>) {
    out.facts(
        trace,
        &[
            ("Framework", "framework"),
            ("Strategy", "strategy"),
            ("Environment", "environment"),
            ("Most steps", "max_steps"),
        ],
    );
    for event in trace.get("events").items().filter(|event| !event.get("message_id").is_given()) {
        out.at(event.get("timestamp"));
        match event.get("type").label().as_ref() {
            "error" => failure(event, out),
            kind => {
                let payload = event.get("payload");
                out.note(kind.replace('_', " ")).value("Details", payload);
            }
        }
    }
}

/// An error between the messages.
fn failure<'a>(event: Json<'a>, out: &mut Description<'a>) {
    let payload = event.get("payload");
    out.at(event.get("timestamp"));
    out.event(EventKind::Error, "error")
        .error(payload.get("message"))
        .field("Source", payload.get("source"));
}

/// The counts of a call in the trace of an agent.
static COUNTS: Flavour =
    Flavour { input: &["input"], output: &["output"], input_has_cached: true, ..Flavour::NONE };

/// The score of a sample.
fn review<'a>(review: Json<'a>, out: &mut Description<'a>) {
    let input = review.get("input");
    match input.kind() {
        Kind::String => drop(out.item(What::User).text(input)),
        _ => input.items().for_each(|it| content::message(it, Joins::Nothing, out)),
    }
    conversation(review, out);
    run_of_agent(review.get("agent_trace"), out);
    let score = review.get("sample_score.score");
    let main = score.get("main_score_name").label();
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
    out.run.grade.score = number.filter(|score| (0.0..=1.0).contains(score));
    out.run.status = Some(RunStatus::Ok);
    let item = out.event(EventKind::Evaluation, "score").summary(score);
    item.field(FactKind::Score, score);
    if let Some(score) = number.filter(|score| *score <= 0.0 || *score >= 1.0) {
        item.status(if score >= 1.0 { Status::Ok } else { Status::Failed });
    }
}
