//! SpecStory: histories of other agents, one Markdown file for each session.
//!
//! The file is Markdown, which `src/converters/markdown.rs` turns into records. A message is a row; everything that an
//! agent writes up to a result or the next user message is one LLM call. Calls have no ids, and their result is in the
//! same record. A file has only the times of messages, which are no durations of calls. Only the part of a call's arguments that SpecStory shows is known. There are no token counts.

use traceloupe_engine::prelude::*;

/// The format.
pub static SPECSTORY: Described = Described {
    signs: &[Sign::certain(
        On::First,
        "the file is a history of SpecStory",
        &[Test::Is("type", "specstory")],
    )],
    quiet: &["type|time|model|name|failed|exit|sidechain"],
    ..Described::new(&catalog::SPECSTORY, describe)
};

fn describe<'a>(entry: Entry<'a>, out: &mut Description<'a>) {
    let record = entry.json;
    let words = record.get("text");
    out.at(record.get("time"));
    if record.get("sidechain").is_true() {
        let name = Json::new("\"sidechain\"");
        out.run.agent.is_named(name);
    }
    let kind = record.get("type").label();
    let model = record.get("model").label();
    match kind.as_ref() {
        "specstory" => {
            out.at(record.get("started"));
            let run = out.run(record.get("session"));
            (run.titles.own, run.times.start) =
                (record.get("title"), time_of(record.get("started")));
            if record.get("session").is_absent() {
                run.reach = Reach::File;
            }
            out.facts(record, &[("Agent", "agent")]);
            out.event(EventKind::RunStart, "session");
        }
        "user" => drop(out.user(words)),
        "assistant" => drop(out.model(vec![Part::Text(words)], Joins::Neighbours).name(model)),
        "thinking" => drop(out.thinking(words).name(model)),
        "call" => {
            let name = record.get("name");
            out.ask(Json::ABSENT, name, record.get("input"));
            if let Some(item) = out.items.first_mut() {
                item.name(model);
            }
            let result = record.get("result");
            let item = out.result(Json::ABSENT, result);
            item.name(name).exit(record.get("exit")).failed(record.get("failed"));
        }
        _ => {}
    }
    for item in out.items.iter_mut().filter(|item| item.what() == What::Model) {
        item.begins(item.time.start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::read;

    #[test]
    fn the_times_of_messages_are_no_durations() {
        let lines = [
            r#"{"type":"specstory","session":"s"}"#,
            r#"{"type":"user","time":"2026-01-06 14:34:00Z","text":"Sweep"}"#,
            r#"{"type":"thinking","time":"2026-01-06 14:34:10Z","text":"With what?"}"#,
            r#"{"type":"assistant","time":"2026-01-06 14:34:20Z","text":"I sweep."}"#,
            r#"{"type":"call","time":"2026-01-06 14:34:50Z","name":"Edit","input":{"a":1},"result":"done"}"#,
        ];
        let read = read(&SPECSTORY, &[&lines]);
        assert_eq!(read.outline()[2..], ["llm-call ", " tool-call Edit"]);
        assert!(read.trace.events().iter().all(|event| !event.duration.is_known()));
    }
}
