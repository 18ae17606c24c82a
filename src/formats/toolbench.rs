//! ToolBench: the answers of its models to questions about APIs.
//!
//! Read from the producer's code (github.com/OpenBMB/ToolBench, `toolbench/tooleval`) and from its published results.
//! Results of `ToolEval` are an object with the questions by their ids; an answer is a tree in `answer_details`: the
//! model's thoughts and calls, with branches where it backtracked. A call is a Python dictionary, often cut before its
//! end. Files of raw answers have the whole conversations in `answer_generation.train_messages`.

use traceloupe_core::json::quoted;
use traceloupe_engine::prelude::*;

/// The format.
pub static TOOLBENCH: Described = Described {
    signs: &[
        Sign::certain(
            On::Within(&["{}"]),
            "questions have an `answer` with `answer_details`",
            &[Test::Has("query"), Test::List("answer.answer_details")],
        ),
        Sign::record(
            "the document has the `train_messages` of an answer",
            &[Test::List("answer_generation.train_messages"), Test::Has("answer_generation.query")],
        ),
    ],
    lists: &["{}"],
    undivided: &["answer", "answer_generation"],
    quiet: &["answer.answer_details|total_steps", "answer_generation.train_messages"],
    ..Described::new(&catalog::TOOLBENCH, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    if entry.is_document {
        return out.nothing();
    }
    let answer = record.any(&["answer", "answer_generation"]);
    out.run.records = Records::Itself;
    let query = record.get("query").or(answer.get("query"));
    out.run.titles.words = query;
    let outcome = out.unpack(answer.get("final_answer"));
    let kind = answer.get("finish_type").or(outcome.get("return_type"));
    out.run.status = Some(match kind.is("give_answer") {
        true => RunStatus::Ok,
        false => RunStatus::Error,
    });
    out.facts(
        answer,
        &[
            (FactKind::Other("Method"), "method"),
            (FactKind::Other("Steps"), "total_steps"),
            (FactKind::Amount("Tokens"), "total_tokens"),
        ],
    );
    out.facts(record, &[("Won", "win"), ("Method", "forward_args.method")]);
    let tools = record.get("available_tools").or(answer.get("function"));
    out.event(EventKind::RunStart, "question")
        .summary(query)
        .value("Question", query)
        .value(BlockRole::Tools, tools);
    for root in answer.get("answer_details").items() {
        node(root, 0, out);
    }
    let conversation = answer.get("train_messages").items().last().unwrap_or_default();
    for message in conversation.items() {
        content::message(message, Joins::Nothing, out);
    }
    let words = outcome.get("final_answer").or(outcome);
    out.event(EventKind::RunEnd, kind.word().unwrap_or("answer".into()))
        .summary(words)
        .value(BlockRole::Answer, answer.get("final_answer"));
}

/// To which depth a tree is read.
const MAX_DEPTH: u16 = 400;

/// A node of the tree, and its children. Further children are other attempts.
fn node<'a>(node: Json<'a>, depth: u16, out: &mut Description<'a>) {
    let message = node.get("message");
    match node.get("role").label().as_ref() {
        _ if message.raw().len() <= 2 => {}
        "system" => drop(out.item(What::System).text(message)),
        "user" => drop(out.item(What::User).text(message)),
        "tool" => call(message, out),
        _ => drop(out.model(vec![Part::Text(message)], Joins::Nothing)),
    }
    let next = node.get("next");
    let branches = next.item(1).is_given();
    if depth >= MAX_DEPTH {
        out.event(EventKind::Note, "deeper").value("Steps", next);
        return;
    }
    for (at, child) in next.items().enumerate() {
        let name = format!("branch {}", at + 1);
        if branches {
            out.event(EventKind::Span, name.clone())
                .opens()
                .field("First step", child.get("message"));
        }
        self::node(child, depth + 1, out);
        if branches {
            out.item(What::End).name(name);
        }
    }
}

/// A call: `{'name': …, 'arguments': '…', 'response': '…'}`.
fn call<'a>(message: Json<'a>, out: &mut Description<'a>) {
    let text = out.text(message);
    let after = |key: &str| text.split_once(key).map(|(_, rest)| rest);
    let name = after("'name': '").map(|rest| rest.split('\'').next().unwrap_or(rest));
    let Some(name) = name else {
        out.item(What::Call).part(Part::Result(message));
        return;
    };
    let rest = after("'arguments': ").unwrap_or_default();
    let (arguments, response) = match rest.split_once(", 'response': ") {
        Some((arguments, response)) => (arguments, Some(response)),
        // Cut after the arguments, or inside them.
        None => match rest.find("}'") {
            Some(end) => (rest.get(..=end).unwrap_or(rest), None),
            None => (rest, None),
        },
    };
    let has_arguments = response.is_some() || arguments.len() < rest.len();
    let has_response = response.is_some_and(|it| {
        let quote = it.get(..1).unwrap_or_default();
        it.strip_suffix('}').is_some_and(|it| it.len() > 1 && it.ends_with(quote))
    });
    let response = response.map(|it| it.trim_end_matches('}'));
    let plain = |python: &str| {
        let text = python.trim_matches(['\'', '"']);
        text.replace("\\n", "\n").replace("\\'", "'").replace("\\\\", "\\")
    };
    let [name, arguments] = [name.to_owned(), plain(arguments)].map(|text| quoted(&text));
    let (name, arguments) = (out.json(&name), out.json(&arguments));
    let response = response.map(|it| out.string(&plain(it)));
    // What was cut is equal to nothing.
    let known = if has_arguments { arguments } else { Json::ABSENT };
    let call = out.call(Json::ABSENT, name, known);
    if !has_arguments {
        call.value(BlockRole::Arguments, arguments).summary(arguments);
    }
    let result = response.unwrap_or(message);
    match has_response {
        true => drop(call.part(Part::Result(result))),
        false => drop(call.value(BlockRole::Result, result).status(Status::Unknown)),
    }
    let is_fine = response.is_some_and(|it| it.raw().starts_with("\"{\\\"error\\\": \\\"\\\""));
    let is_error = response.is_some_and(|it| it.raw().starts_with("\"{\\\"error\\\""));
    if is_fine {
        call.status(Status::Ok);
    } else if is_error {
        call.status(Status::Failed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;
    use traceloupe_core::model::EventKind;

    /// Which of the arguments and the result of a call can be compared.
    fn compared(message: &str) -> [bool; 2] {
        let message = quoted(message);
        let node = format!(r#"{{"role":"tool","message":{message},"next":[]}}"#);
        let answer = format!(r#"{{"answer_details":[{node}],"finish_type":"give_answer"}}"#);
        let document = format!(r#"{{"1":{{"query":"Is it high tide?","answer":{answer}}}}}"#);
        let read = read(&TOOLBENCH, &[&[&document]]);
        let events = read.trace.events();
        let call = events.iter().find(|it| it.kind == EventKind::ToolCall).unwrap();
        [call.args_hash != 0, call.result_hash != 0]
    }

    #[test]
    fn what_was_cut_is_equal_to_nothing() {
        let whole = r#"{'name': 'tide', 'arguments': '{"at": "pier"}', 'response': '{"error": "", "response": "high"}'}"#;
        assert_eq!(compared(whole), [true, true]);
        for (end, is_whole) in [
            (r#": "high"#, [true, false]),
            (", 'response'", [true, false]),
            (r#": "pi"#, [false, false]),
        ] {
            let cut = whole.get(..whole.find(end).unwrap() + end.len()).unwrap();
            assert_eq!(compared(cut), is_whole, "{cut}");
        }
    }
}
