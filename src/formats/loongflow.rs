//! LoongFlow: messages of its agents, and the solutions of an evolution.
//!
//! Read from the producer's code (github.com/baidu-baige/LoongFlow, `agentsdk/message`, `agentsdk/memory`) and from the
//! published files of one run. A message consists of elements: content with its media type, thoughts, calls with a
//! `target`, and outputs with a `tool_name`. A solution has the plan behind it, its evaluation and its parent; a
//! history has the candidates of each round.

use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::content::Role;
use traceloupe_engine::shapes::media::is_media;
use traceloupe_engine::tokens::OPENAI;

/// The format.
pub static LOONGFLOW: Described = Described {
    signs: &[
        Sign::record(
            "messages have a `sender`, a `trace_id`, and elements with a media type, a target or a tool",
            &[
                Test::Text("role"),
                Test::HasAll(&["sender", "trace_id"]),
                Test::HasOne(&["content.0.mime_type", "content.0.target", "content.0.tool_name"]),
            ],
        ),
        Sign::record(
            "solutions have a `solution_id`, an `island_id`, an `iteration` and an `evaluation`",
            &[Test::HasAll(&["solution_id", "island_id", "iteration", "evaluation"])],
        ),
        Sign::record(
            "rounds have `candidates` with the path of a solution and of its evaluation",
            &[Test::HasAll(&[
                "round",
                "candidates.0.candidate_idx",
                "candidates.0.evaluation_file_path",
            ])],
        ),
    ],
    quiet: &[
        "id|timestamp|role|sender|trace_id|conversation_id",
        "content.*.type|mime_type|call_id|tool_name|target|status",
        "content.*.result.*.mime_type|type",
    ],
    ..Described::new(&catalog::LOONGFLOW, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    out.at(record.get("timestamp"));
    if record.get("candidates").is_given() {
        round(record, out);
    } else if record.get("role").is_given() {
        message(record, out);
    } else {
        solution(record, out);
    }
}

fn message<'a>(message: Json<'a>, out: &mut Description<'a>) {
    let sender = message.get("sender");
    let word = message.get("role").label();
    let role = content::role(&word);
    let conversation = message.get("conversation_id");
    if conversation.raw().len() > 2 {
        out.run.key = conversation;
    }
    let is_agent = matches!(role, Role::Model | Role::Tool) && sender.raw().len() > 2;
    if is_agent {
        out.run.agent.is_named(sender);
    }
    let (mut parts, mut calls, mut has_results) = (Vec::new(), Vec::new(), false);
    for it in message.get("content").items() {
        if it.get("target").is_given() {
            calls.push(it);
        } else if it.get("tool_name").is_given() {
            has_results = true;
            let value = it.get("result").item(0).get("data").or(it.get("result"));
            let item = out.result(it.get("call_id"), value);
            item.name(it.get("tool_name"));
            match it.get("status").label().to_ascii_lowercase().as_str() {
                "error" => drop(item.status(Status::Failed)),
                "success" => drop(item.status(Status::Ok)),
                _ => {}
            }
        } else if it.get("mime_type").is_given() {
            let data = it.get("data");
            let media = it.get("mime_type").label();
            parts.push(match data.text() {
                Some(_) if is_media(&media) => Part::Media(media, data),
                Some(_) => Part::Text(data),
                None => Part::Value(BlockRole::Content, data),
            });
        } else {
            let thought = it.any(&["content", "thought", "data"]);
            parts.push(Part::Thinking(thought));
        }
    }
    if parts.is_empty() && calls.is_empty() && has_results {
        return;
    }
    let counts = message.any(&["metadata.usage", "metadata.token_usage", "metadata"]);
    let at = out.items.len();
    match role {
        Role::Model | Role::Call => {
            out.model(parts, Joins::Nothing).usage(OPENAI.read(counts)).row.asks =
                message.get("content");
        }
        Role::System => out.item(What::System).parts = parts,
        _ => {
            out.run.titles.words = message.get("content.0.data");
            out.item(What::User).parts = parts;
        }
    }
    for call in calls {
        out.asked_by(at, call.get("call_id"), call.get("target"), call.get("arguments"));
    }
    out.nth(at).value("Metadata", message.get("metadata"));
}

/// A solution of the evolution.
fn solution<'a>(solution: Json<'a>, out: &mut Description<'a>) {
    let evaluation = out.unpack(solution.get("evaluation"));
    let failed = evaluation.get("status").word().is_some_and(|it| it.contains("failed"));
    out.run.titles.series = Series::All("evolution");
    let item = out.event(EventKind::Evaluation, "solution");
    item.summary(evaluation.get("summary").or(solution.get("summary")))
        .fields(
            solution,
            &[
                (FactKind::Score, "score"),
                (FactKind::Other("Iteration"), "iteration"),
                (FactKind::Other("Island"), "island_id"),
                (FactKind::Other("Solution"), "solution_id"),
                (FactKind::Other("Parent"), "parent_id"),
                (FactKind::Model, "model_name"),
            ],
        )
        .value("Plan", solution.get("generate_plan"))
        .part(Part::Code("solution".into(), "", solution.get("solution")))
        .value("Evaluation", evaluation)
        .value(BlockRole::Summary, solution.get("summary"));
    if failed {
        item.status(Status::Failed);
    }
}

/// A round with its candidates.
fn round<'a>(round: Json<'a>, out: &mut Description<'a>) {
    let name = format!("round {}", round.get("round").label());
    let first = round.get("candidates.0.reason");
    out.event(EventKind::Span, name.clone())
        .opens()
        .summary(first)
        .fields(round, &[("Round", "round")]);
    for candidate in round.get("candidates").items() {
        let reason = out.unpack(candidate.get("reason"));
        let status = reason.get("status").label();
        let item = out.event(EventKind::Evaluation, "candidate");
        item.summary(reason.any(&["summary", "content"]))
            .fields(
                candidate,
                &[
                    (FactKind::Score, "score"),
                    (FactKind::Other("Candidate"), "candidate_idx"),
                    (FactKind::Other("Solution"), "solution_file_path"),
                    (FactKind::Model, "model_name"),
                ],
            )
            .value("Evaluation", reason);
        match status.as_ref() {
            "success" => drop(item.status(Status::Ok)),
            status if status.contains("failed") => drop(item.status(Status::Failed)),
            _ => {}
        }
    }
    out.item(What::End).name(name);
}
