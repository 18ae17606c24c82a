//! Conversations of data sets with shapes of their own, one per line: pairs of a preferred and a rejected answer,
//! battles of two models, trees of replies, and conversations in one text.
//!
//! Sources: the cards and files of Anthropic's HH-RLHF, TRL (<https://huggingface.co/docs/trl/dataset_formats>),
//! UltraFeedback, LMSYS's Chatbot Arena and MT-bench (github.com/lm-sys/FastChat), Open Assistant
//! (<https://projects.laion.ai/Open-Assistant/docs/data/schemas>) and Glaive's function calling.

use traceloupe_core::json::{KeySet, quoted};
use traceloupe_engine::prelude::*;
use traceloupe_engine::shapes::content::Role;

/// Describes a record if it is a conversation of such a data set.
pub(super) fn describe<'a>(record: Json<'a>, out: &mut Description<'a>) -> bool {
    let keys = const {
        &KeySet::new([
            "chosen",
            "rejected",
            "conversation_a",
            "conversation_b",
            "message_tree_id",
            "chat",
            "choices",
        ])
    };
    let [chosen, rejected, one, other, tree, chat, choices] =
        record.fields(keys).unwrap_or_default();
    if has_content(chosen) && has_content(rejected) {
        preference(record, chosen, rejected, out);
    } else if one.kind() == Kind::Array && other.kind() == Kind::Array {
        battle(record, [(one, "model_a"), (other, "model_b")], out);
    } else if tree.is_given() && record.any(&["prompt.text", "text"]).is_given() {
        out.run(tree);
        let prompt = record.get("prompt");
        replies(if prompt.kind() == Kind::Object { prompt } else { record }, out);
    } else if chat.kind() == Kind::String {
        let system = record.get("system");
        if has_content(system) {
            out.item(What::System).text(system);
        }
        out.run.records = Records::Itself;
        return transcript(chat, out);
    } else if choices.get("0.turns.0").is_given() {
        answers(record, choices.get("0.turns"), out);
    } else {
        return false;
    }
    true
}

/// The prompt, the preferred answer, and the rejected one.
fn preference<'a>(
    record: Json<'a>,
    chosen: Json<'a>,
    rejected: Json<'a>,
    out: &mut Description<'a>,
) {
    out.run.records = Records::Itself;
    let first = chosen.item(0);
    let is_answer =
        first.any(content::ROLE).word().is_none_or(|it| content::role(&it) == Role::Model);
    if is_answer {
        let system = record.get("system");
        if has_content(system) {
            out.item(What::System).text(system);
        }
        let question = record.any(&[
            "prompt",
            "question",
            "instruction",
            "input",
            "query",
            "conversations",
            "messages",
        ]);
        // A text that holds a whole conversation begins with the question.
        if turns(out.text(chosen)).is_empty() {
            told(question, "user", out);
        }
    }
    told(chosen, "assistant", out);
    if out.items.is_empty() {
        return;
    }
    out.last()
        .value("Answer that is not preferred", rejected)
        .fields(record, &[("Score", "score_chosen"), ("Score of the other", "score_rejected")]);
}

/// Adds messages, a conversation in a text, or the text of a role.
fn told<'a>(value: Json<'a>, word: &str, out: &mut Description<'a>) {
    match value.kind() {
        Kind::Array => value.items().for_each(|it| content::said(it, Joins::Nothing, out)),
        Kind::Object => content::said(value, Joins::Nothing, out),
        Kind::String if !transcript(value, out) => {
            if word == "user" {
                out.user(value);
            } else {
                out.model(vec![Part::Text(value)], Joins::Nothing);
            }
        }
        _ => {}
    }
}

/// The same conversation with two models, and which of them was preferred.
fn battle<'a>(record: Json<'a>, sides: [(Json<'a>, &'static str); 2], out: &mut Description<'a>) {
    out.run.records = Records::Itself;
    out.facts(record, &[("Question", "question_id"), ("Judge", "judge"), ("Language", "language")]);
    for (conversation, model) in sides {
        let model = record.get(model);
        out.event(EventKind::Agent, model.label()).opens();
        let first = out.items.len();
        conversation.items().for_each(|it| content::said(it, Joins::Nothing, out));
        for item in out.items.iter_mut().skip(first).filter(|it| it.what() == What::Model) {
            item.name = model.label();
        }
        out.item(What::End).name(model.label());
    }
    let winner = record.get("winner");
    if has_content(winner) {
        out.event(EventKind::Evaluation, "winner").summary(winner).field("Winner", winner);
    }
}

/// A message of Open Assistant with the replies to it: the best ones are the conversation, the others are notes.
fn replies<'a>(message: Json<'a>, out: &mut Description<'a>) {
    let mut message = message;
    while message.kind() == Kind::Object {
        let text = message.get("text");
        out.at(message.get("created_date"));
        if message.get("role").is("assistant") {
            out.model(vec![Part::Text(text)], Joins::Nothing)
                .name(message.get("model_name").word().unwrap_or_default());
        } else {
            if out.run.titles.words.is_absent() {
                out.run.titles.words = text;
            }
            out.item(What::User).text(text);
        }
        let rank = |it: &Json<'_>| it.get("rank").count().unwrap_or(u64::MAX);
        let replies: Vec<_> = message.get("replies").items().collect();
        let best = (0..replies.len()).min_by_key(|at| replies.get(*at).map(rank));
        message = Json::ABSENT;
        for (at, reply) in replies.into_iter().enumerate() {
            if Some(at) == best {
                message = reply;
            } else {
                let words = reply.get("text");
                out.note("other reply").text(words).value("Replies to it", reply.get("replies"));
            }
        }
    }
}

/// A model's answers to the questions of MT-bench, which are in a file of their own.
fn answers<'a>(record: Json<'a>, turns: Json<'a>, out: &mut Description<'a>) {
    let (question, model) = (record.get("question_id"), record.get("model_id"));
    let title = out.string(&format!("question {}", question.label()));
    out.run.records = Records::Itself;
    (out.run.titles.own, out.run.models.name) = (title, model);
    out.at(record.get("tstamp"));
    for turn in turns.items() {
        out.model(vec![Part::Text(turn)], Joins::Nothing).name(model.label());
    }
}

/// Adds a conversation contained in a text. `false` if there is none.
fn transcript<'a>(value: Json<'a>, out: &mut Description<'a>) -> bool {
    let turns = turns(out.text(value));
    for (word, text) in &turns {
        let text = text.trim().trim_end_matches("<|endoftext|>").trim_end();
        if text.is_empty() {
            continue;
        }
        let message = out.json(&format!("{{\"content\":{}}}", quoted(text)));
        if *word == "user" && out.run.titles.words.is_absent() {
            out.run.titles.words = message.get("content");
        }
        content::message_of_role(word, message, Joins::Nothing, out);
        out.last().told(value);
    }
    !turns.is_empty()
}

/// The prefix of each role's text, after an empty line.
const SPEAKERS: &[(&str, &str)] = &[
    ("Human:", "user"),
    ("Assistant:", "assistant"),
    ("USER:", "user"),
    ("ASSISTANT:", "assistant"),
    ("FUNCTION RESPONSE:", "tool"),
];

/// The turns of a conversation in a text. Empty if the text does not begin with one.
fn turns(text: &str) -> Vec<(&'static str, String)> {
    let mut turns: Vec<(&str, String)> = Vec::new();
    let mut is_after_blank = true;
    for line in text.lines() {
        let speaker = SPEAKERS.iter().filter(|_| is_after_blank);
        let begun =
            speaker.filter_map(|(mark, word)| Some((*word, line.strip_prefix(mark)?))).next();
        is_after_blank = line.trim().is_empty();
        match (begun, turns.last_mut()) {
            (Some((word, rest)), _) => turns.push((word, rest.to_owned())),
            (None, Some((_, words))) => {
                words.push('\n');
                words.push_str(line);
            }
            (None, None) if is_after_blank => {}
            (None, None) => return Vec::new(),
        }
    }
    if turns.len() < 2 { Vec::new() } else { turns }
}

#[cfg(test)]
mod tests {
    use super::super::CHAT;
    use crate::testing::{read, sniff};
    use traceloupe_engine::Verdict;

    fn outline(record: &str) -> Vec<String> {
        assert!(matches!(sniff(&CHAT, "x", &[record]), Verdict::Likely(_)), "{record}");
        read(&CHAT, &[&[record]]).outline()
    }

    #[test]
    fn pairs_of_answers_are_the_preferred_one_after_what_was_asked() {
        for record in [
            r#"{"chosen":"\n\nHuman: How tall?\n\nAssistant: Ten.","rejected":"\n\nHuman: How tall?\n\nAssistant: No."}"#,
            r#"{"prompt":"How tall?","chosen":"Ten.","rejected":"No."}"#,
            r#"{"prompt":"\n\nHuman: How tall?\n\nAssistant:","chosen":"Ten.","rejected":"No."}"#,
            r#"{"prompt":"How tall?","chosen":[{"role":"user","content":"How tall?"},{"role":"assistant","content":"Ten."}],"rejected":[{"role":"user","content":"How tall?"},{"role":"assistant","content":"No."}]}"#,
            r#"{"prompt":[{"role":"user","content":"How tall?"}],"chosen":[{"role":"assistant","content":"Ten."}],"rejected":[{"role":"assistant","content":"No."}]}"#,
            r#"{"conversations":[{"from":"human","value":"How tall?"}],"chosen":{"from":"gpt","value":"Ten."},"rejected":{"from":"gpt","value":"No."}}"#,
        ] {
            assert_eq!(outline(record), ["user ", "llm-call "], "{record}");
        }
    }

    #[test]
    fn models_of_a_battle_are_agents() {
        let record = r#"{"model_a":"keel-1","model_b":"mast-2","winner":"model_b","conversation_a":[{"role":"user","content":"Hi"},{"role":"assistant","content":"A"}],"conversation_b":[{"role":"user","content":"Hi"},{"role":"assistant","content":"B"}]}"#;
        let expected = [
            "agent keel-1",
            " user ",
            " llm-call keel-1",
            "agent mast-2",
            " user ",
            " llm-call mast-2",
            "evaluation winner",
        ];
        assert_eq!(outline(record), expected);
    }

    #[test]
    fn the_best_replies_of_a_tree_are_a_conversation() {
        let record = r#"{"message_tree_id":"t","prompt":{"text":"Why?","role":"prompter","replies":[{"text":"Rain.","role":"assistant","rank":1,"replies":[]},{"text":"Wind.","role":"assistant","rank":0,"replies":[{"text":"Ah.","role":"prompter"}]}]}}"#;
        assert_eq!(outline(record), ["user ", "note other reply", "llm-call ", "user "]);
        let message = r#"{"message_id":"m","message_tree_id":"t","text":"Why?","role":"prompter"}"#;
        assert_eq!(outline(message), ["user "]);
    }

    #[test]
    fn conversations_in_a_text_have_their_calls() {
        let record = r#"{"system":"SYSTEM: You have functions.","chat":"USER: Depth?\n\n\nASSISTANT: <functioncall> {\"name\": \"sound\", \"arguments\": '{\"at\": \"quay\"}'} <|endoftext|>\n\n\nFUNCTION RESPONSE: {\"m\": 4}\n\n\nASSISTANT: Four metres. <|endoftext|>\n\n\n"}"#;
        let expected = ["system ", "user ", "llm-call ", " tool-call sound", "llm-call "];
        assert_eq!(outline(record), expected);
    }

    #[test]
    fn answers_of_mt_bench_are_llm_calls() {
        let record = r#"{"question_id":81,"model_id":"keel-1","choices":[{"index":0,"turns":["One","Two"]}],"tstamp":1686286924.8}"#;
        assert_eq!(outline(record), ["llm-call keel-1", "llm-call keel-1"]);
    }
}
