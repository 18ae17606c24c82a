//! LM Evaluation Harness: the samples of a task, `samples_<task>_<time>.jsonl`, one per line, which `--log_samples` writes.
//!
//! Read from the producer's code (<https://github.com/EleutherAI/lm-evaluation-harness>, `evaluator.py`,
//! `loggers/evaluation_tracker.py`) and from files that version 0.4.13 wrote. A sample has one request or several:
//! texts to generate, or continuations for which only the likelihood is requested. A request with a chat template has
//! the messages as JSON in a string. Until 0.4.3 requests were a list. A sample is written once per filter of its
//! answers. There are no times, no token counts, and no model.

use traceloupe_engine::prelude::*;

/// The format.
pub static LM_EVAL: Described = Described {
    signs: &[Sign::record(
        "samples have a `doc_id`, `arguments`, `resps` and `filtered_resps`",
        &[
            Test::HasAll(&["doc_id", "doc", "arguments"]),
            Test::List("resps"),
            Test::List("filtered_resps"),
        ],
    )],
    quiet: &["doc_id|filter|metrics"],
    ..Described::new(&catalog::LM_EVAL, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let sample = entry.json;
    let id = sample.get("doc_id").label();
    let filter = sample.get("filter").word().filter(|filter| filter != "none");
    let title = match filter {
        Some(filter) => {
            out.facts(sample, &[("Filter", "filter")]);
            format!("Sample {id}, {filter}")
        }
        None => format!("Sample {id}"),
    };
    out.run.records = Records::Itself;
    out.run.titles.own = out.string(&title);
    out.facts(sample, &[("Expected", "target")]);
    let doc = sample.get("doc");
    out.event(EventKind::RunStart, "sample").summary(doc).value("Document", doc);
    requests(sample, out);
    scores(sample, out);
}

/// The model's prompts and responses.
fn requests<'a>(sample: Json<'a>, out: &mut Description<'a>) {
    let arguments = sample.get("arguments");
    let requests: Vec<Json<'a>> = match arguments.kind() {
        Kind::Object => arguments.members().map(|(_, request)| request).collect(),
        _ => arguments.items().collect(),
    };
    let part = |request: Json<'a>, key: &str, index| match request.kind() {
        Kind::Object => request.get(key),
        _ => request.item(index),
    };
    let mut asked = "";
    for (number, request) in requests.into_iter().enumerate() {
        let context = part(request, "arg_0", 0);
        let context = context.item(0).or(context);
        let wanted = part(request, "arg_1", 1);
        let answers = sample.get("resps").item(number);
        // The choices of a question share their context.
        if context.raw() != asked {
            asked = context.raw();
            question(context, out);
        } else {
            out.last().told(context);
        }
        if wanted.kind() == Kind::String {
            let likelihood = answers.item(0);
            out.item(What::Model)
                .joins(Joins::Nothing)
                .text(wanted)
                .field("Log-likelihood", likelihood.item(0).or(likelihood))
                .field("Is the likeliest", likelihood.item(1));
            continue;
        }
        for answer in answers.items() {
            out.item(What::Model).joins(Joins::Nothing).text(answer).members("Parameters", wanted);
        }
    }
}

/// The prompt of the model: a text, or messages as JSON in a string; all messages before the last one are examples.
fn question<'a>(context: Json<'a>, out: &mut Description<'a>) {
    let messages = out.unpack(context);
    let last = messages.items().last().unwrap_or_default();
    if !last.get("role").is_given() {
        out.item(What::User).text(context);
        return;
    }
    let first = messages.item(0);
    if first.get("role").is("system") {
        out.item(What::System).text(first.get("content"));
    }
    out.item(What::User).part(Part::Prompt(messages)).summary(last.get("content")).told(context);
}

/// The scores of a sample. The first number from 0 to 1 is the score of the run.
fn scores<'a>(sample: Json<'a>, out: &mut Description<'a>) {
    let number = |value: Json<'_>| value.bool().map(f64::from).or_else(|| value.number());
    let mut metrics: Vec<_> = sample
        .get("metrics")
        .items()
        .filter_map(|name| name.word())
        .map(|name| (sample.field(&name), name))
        .collect();
    if metrics.is_empty() {
        // Before 0.4.5, and in lmms-eval, the metrics are not listed: they are the numbers of a sample.
        let numbers = sample.members().filter(|(name, value)| {
            !["doc_id", "target"].contains(&name.as_ref()) && number(*value).is_some()
        });
        metrics.extend(numbers.map(|(name, value)| (value, name)));
    }
    let numbers = || metrics.iter().filter_map(|(value, _)| number(*value));
    let score = numbers().find(|score| (0.0..=1.0).contains(score));
    out.run.grade.score = score;
    out.run.status = Some(RunStatus::Ok);
    let item = out.event(EventKind::Evaluation, "score");
    if let Some((value, _)) = metrics.first() {
        item.summary(*value);
    }
    if let Some(score) = score.filter(|score| *score <= 0.0 || *score >= 1.0) {
        item.status(if score >= 1.0 { Status::Ok } else { Status::Failed });
    }
    for (value, name) in metrics {
        item.field(name.into_owned(), value);
    }
    let kept = sample.get("filtered_resps");
    if has_content(kept) && kept.raw() != sample.get("resps").raw() {
        item.value("Filtered answers", kept);
    }
    item.field("Expected", sample.get("target"));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    #[test]
    fn metrics_without_a_list_of_their_names_are_the_numbers() {
        let sample = r#"{"doc_id":3,"doc":{},"target":4,"arguments":[["2+2?",{"until":[]}]],"resps":[["5"]],"filtered_resps":["5"],"exact_match":0.0}"#;
        let read = read(&LM_EVAL, &[&[sample]]);
        assert_eq!(read.trace.runs()[0].score, Some(0.0));
        let score = read.trace.events().get(3).unwrap();
        assert_eq!((score.kind, score.status), (EventKind::Evaluation, Status::Failed));
    }
}
