//! Briefs of whole runs: everything in them is in the file, and their forms are reviewed.

use crate::harness;
use crate::snapshot::assert_reviewed;

use harness::briefs::{brief_of, prices};
use harness::{Opened, Outcome, at_least, open_one, traces};
use serde_json::{Value, json};
use traceloupe_core::model::RunOutcome;
use traceloupe_words::brief::{Charged, TimeOn, brief_html, brief_markdown};

/// A writer of a Claude Code session, one record every second.
#[derive(Default)]
struct Session(Vec<Value>);

impl Session {
    fn add(&mut self, mut record: Value) {
        let at = self.0.len();
        let (minute, second) = (at / 60, at % 60);
        record["uuid"] = json!(format!("u-{at}"));
        record["sessionId"] = json!("s-1");
        record["version"] = json!("2.1.0");
        record["cwd"] = json!("/srv/shop");
        record["timestamp"] = json!(format!("2026-01-05T10:{minute:02}:{second:02}.000Z"));
        self.0.push(record);
    }

    fn ask(&mut self, text: &str) {
        self.add(json!({ "type": "user", "message": { "role": "user", "content": text } }));
    }

    fn answer(&mut self, content: Value, stop_reason: &str) {
        let usage = json!({
            "input_tokens": 100, "cache_read_input_tokens": 20_000,
            "cache_creation_input_tokens": 1_000, "output_tokens": 50,
        });
        let message = json!({
            "id": format!("msg_{}", self.0.len()), "type": "message", "role": "assistant",
            "model": "claude-sonnet-4-5-20250929", "stop_reason": stop_reason, "usage": usage,
            "content": [content],
        });
        self.add(json!({ "type": "assistant", "message": message }));
    }

    fn say(&mut self, text: &str) {
        self.answer(json!({ "type": "text", "text": text }), "end_turn");
    }

    fn call(&mut self, name: &str, input: Value, result: &str, is_error: bool) {
        let id = format!("toolu_{}", self.0.len());
        self.answer(
            json!({ "type": "tool_use", "id": id, "name": name, "input": input }),
            "tool_use",
        );
        let result = json!({
            "type": "tool_result", "tool_use_id": id, "content": result, "is_error": is_error,
        });
        self.add(json!({ "type": "user", "message": { "role": "user", "content": [result] } }));
    }

    fn edit(&mut self, path: &str, old: &str, new: &str, is_error: bool) {
        let input = json!({ "file_path": path, "old_string": old, "new_string": new });
        self.call(
            "Edit",
            input,
            if is_error { "String to replace not found" } else { "ok" },
            is_error,
        );
    }

    fn run(&mut self, command: &str, result: &str, is_error: bool) {
        self.call("Bash", json!({ "command": command }), result, is_error);
    }

    fn open(&self) -> Opened {
        let lines: String = self.0.iter().map(|record| format!("{record}\n")).collect();
        open_one("session.jsonl", lines.as_bytes())
    }
}

/// A session with something in every section of a brief.
fn session() -> Session {
    let mut session = Session::default();
    session.ask("The total is **one cent** off. Fix it & commit.");
    session.edit("/srv/shop/src/total.ts", "round(a)", "round(a * 100) / 100", true);
    session.edit("/srv/shop/src/total.ts", "a\nb", "c", false);
    session.edit("/srv/shop/src/total.ts", "d", "e\nf\ng", false);
    session.call(
        "Write",
        json!({ "file_path": "/srv/shop/NEWS.md", "content": "one\ntwo\n" }),
        "ok",
        false,
    );
    for _ in 0..5 {
        session.run("npm run lint", "Exit code 1\nerror: `total` is unused", true);
    }
    session.run("npm test", "Exit code 1\nError: expected 1.10, got 1.11", true);
    session.edit("/srv/shop/src/total.ts", "g", "h", false);
    session.run("npm test", "ok", false);
    session.run("ls /srv/missing", "Exit code 2\nls: cannot access '/srv/missing'", true);
    session.ask("And now the <b>tax</b>");
    session.run(
        "git add -A && git commit -m 'Fix the total'",
        "[main 1a2b3c4] Fix the total\n 2 files changed",
        false,
    );
    session.run("git commit -m again", "Exit code 1\nnothing to commit", true);
    session.say("The total is right now.\n\n```ts\nround(a)\n```");
    session
}

#[test]
fn a_brief_has_what_the_run_did() {
    let mut opened = session().open();
    let brief = brief_of(&mut opened, 0, Some(&prices()));
    assert_eq!(brief.outcome, RunOutcome::Answered);
    let asked = brief.asked.as_ref().unwrap();
    assert_eq!(asked.text, "The total is **one cent** off. Fix it & commit.");
    assert_eq!((asked.event.number, asked.n_cut_bytes), (1, 0));
    let later: Vec<&str> = brief.later_messages.first.iter().map(|it| it.text.as_str()).collect();
    assert_eq!(later, ["And now the <b>tax</b>"]);
    assert!(brief.answer.as_ref().unwrap().text.starts_with("The total is right now."));
    let files: Vec<_> = brief.files.as_ref().unwrap().first.iter().collect();
    let said: Vec<_> = files
        .iter()
        .map(|it| (it.path.as_str(), it.added, it.removed, it.n_changes, it.is_new))
        .collect();
    assert_eq!(said, [("src/total.ts", 5, 4, 3, false), ("NEWS.md", 2, 0, 1, true)]);
    let commits: Vec<_> =
        brief.commits.first.iter().map(|it| (it.id.as_str(), it.subject.as_str())).collect();
    assert_eq!(commits, [("main 1a2b3c4", "Fix the total")]);
    let failures = &brief.failures;
    assert_eq!((failures.n, failures.n_in_loops), (9, 5));
    assert_eq!((failures.n_fixed, failures.n_never), (2, 2), "{failures:?}");
    assert_eq!(brief.loops.len(), 1);
    let usage = brief.usage;
    assert_eq!((usage.input, usage.cache_read), (Some(1_600), Some(320_000)));
    assert_eq!((usage.cache_write, usage.output), (Some(16_000), Some(800)));
    let sum: f64 = brief.cost_split.iter().map(|it| it.1).sum();
    assert!((sum - brief.cost.dollars).abs() < 1e-9 && sum > 0.0, "{brief:?}");
    assert!(brief.cost_split.iter().any(|it| it.0 == Charged::CacheWrite));
}

#[test]
fn its_forms_are_reviewed() {
    let mut opened = session().open();
    let brief = brief_of(&mut opened, 0, Some(&prices()));
    assert_reviewed("brief__session-markdown", &brief_markdown(&brief));
    assert_reviewed("brief__session-html", &brief_html(&brief));
}

#[test]
fn what_a_file_does_not_have_is_left_out() {
    let mut session = Session::default();
    session.ask("Hello");
    let brief = brief_of(&mut session.open(), 0, None);
    assert!(brief.answer.is_none() && brief.cost_split.is_empty() && brief.loops.is_empty());
    let markdown = brief_markdown(&brief);
    let headings: Vec<&str> = markdown.lines().filter(|it| it.starts_with("### ")).collect();
    assert_eq!(headings, ["### Run", "### Asked", "### Outcome"]);
}

#[test]
fn the_figures_of_a_brief_are_those_of_the_run() {
    let prices = prices();
    let (mut n, mut n_asked, mut n_timed, mut n_split) = (0, 0, 0, 0);
    for (name, bytes) in &traces() {
        let mut opened = open_one(name, bytes);
        let Outcome::Outline(outline) = &opened.outcome else { continue };
        let index = outline.run_to_read();
        if outline.runs.is_empty() {
            continue;
        }
        let brief = brief_of(&mut opened, index, Some(&prices));
        assert!(brief.files.is_some(), "{name}");
        let failures = &brief.failures;
        let n_known = failures.n_fixed + failures.n_never + failures.n_in_loops;
        assert!(n_known <= failures.n, "{name}: {failures:?}");
        if !brief.cost_split.is_empty() {
            let sum: f64 = brief.cost_split.iter().map(|it| it.1).sum();
            assert!((sum - brief.cost.dollars).abs() < 1e-6 + sum * 1e-9, "{name}: {sum}");
            n_split += 1;
        }
        if let Some(time) = &brief.time {
            assert!(time.shares.iter().all(|it| it.1 >= 1.0), "{name}: {time:?}");
            n_timed += u32::from(time.shares.iter().any(|it| it.0 == TimeOn::Tools));
        }
        n_asked += u32::from(brief.asked.is_some());
        n += 1;
        let html = brief_html(&brief);
        assert!(!html.contains("<script") && !html.contains("<img"), "{name}");
    }
    println!("{n} briefs, {n_asked} say what was asked, {n_timed} have times, {n_split} costs");
    assert!(n > at_least(150, 40) && n_asked * 2 > n);
}
