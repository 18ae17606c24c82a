//! Sessions: titles, facts, copies, forks, detection.

use super::*;
use traceloupe_core::model::{Fact, FactKind, FactValue, facts_of};

#[test]
fn titles_by_rank() {
    let summary = r#"{"type":"summary","summary":"Old work","leafUuid":"elsewhere"}"#;
    let own = r#"{"type":"summary","summary":"This work","leafUuid":"u1"}"#;
    let custom = r#"{"type":"custom-title","customTitle":"Mine","sessionId":"s"}"#;
    let ai = r#"{"type":"ai-title","aiTitle":"By the model","sessionId":"s"}"#;
    let hello = user("u1", "", 1, "  Hello\n there ");
    let title = |lines: &[&str]| read(&[lines]).runs()[0].title.clone().unwrap();
    assert_eq!(title(&[&hello]), "Hello there");
    // The summary of a conversation that is not in the file usually belongs to another session.
    assert_eq!(title(&[summary, &hello]), "Hello there");
    assert_eq!(title(&[summary, own, &hello]), "This work");
    assert_eq!(title(&[ai, custom, &hello, own]), "By the model");
    assert_eq!(title(&[custom, &hello, summary]), "Mine");
    let command =
        user("u0", "", 0, "<command-name>/review</command-name><command-args>all</command-args>");
    assert_eq!(title(&[&command]), "/review all");
    assert_eq!(title(&[&command, &hello]), "Hello there");
    let long = user("u1", "", 1, &"word ".repeat(50));
    assert_eq!(title(&[&long]).chars().count(), 121);
    // A summary of another open session is that session's title.
    let other =
        envelope("o", "u9", "", 5, r#""type":"user","message":{"role":"user","content":"Bye"}"#);
    let foreign = r#"{"type":"summary","summary":"Of the other","leafUuid":"u9"}"#;
    let trace = read(&[&[&other], &[foreign, &hello]]);
    let titles: Vec<_> = trace.runs().iter().map(|run| run.title.as_deref().unwrap()).collect();
    assert_eq!(titles, ["Of the other", "Hello there"]);
}

#[test]
fn the_latest_cost_of_a_session_is_that_of_the_run() {
    let user = r#"{"type":"user","sessionId":"s1","uuid":"u1","parentUuid":null,"timestamp":"2026-11-01T08:00:00Z","message":{"role":"user","content":"Mend it"}}"#;
    let state = |dollars: &str| {
        format!(
            r#"{{"type":"cost-state","sessionId":"s1","totalCostUSD":{dollars},"modelUsage":{{}}}}"#
        )
    };
    let trace = read(&[&[user, &state("0.25"), &state("1.5")]]);
    let costs: Vec<_> = facts_of(&trace.runs()[0].facts, &FactKind::Cost).collect();
    assert_eq!(costs, [&FactValue::Dollars(1.5)]);
}

#[test]
fn facts_are_said_once() {
    let fact = |version: &str| {
        envelope(
            "s",
            version,
            "",
            1,
            &format!(r#""type":"mode","cwd":"/w","gitBranch":"main","version":"{version}""#),
        )
    };
    let lines = [fact("1"), fact("2"), fact("1"), fact("2")];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let trace = read(&[&lines]);
    let expected = [
        (FactKind::Folder, "/w"),
        (FactKind::Branch, "main"),
        (FactKind::Version, "1"),
        (FactKind::Version, "2"),
    ];
    let expected = expected.map(|(kind, text)| Fact::new(kind, text.to_owned()));
    assert_eq!(trace.runs()[0].facts, expected);
    let iflow = user("u", "", 1, "x").replace(r#""sessionId":"s""#, r#""sessionId":"session-1""#);
    let written_by = Fact::new("Written by".into(), "iFlow".to_owned());
    assert!(read(&[&[&iflow]]).runs()[0].facts.contains(&written_by));
}

#[test]
fn a_resumed_copy_counts_once_whatever_the_order() {
    let message = |session: &str, uuid: &str, id: &str, second, output| {
        envelope(
            session,
            uuid,
            "",
            second,
            &assistant_rest(id, r#"{"type":"text","text":"x"}"#, output),
        )
    };
    let said = |session: &str| {
        envelope(session, "u1", "", 1, r#""type":"user","message":{"role":"user","content":"Hi"}"#)
    };
    let old = [said("old"), message("old", "a1", "m1", 2, 10), message("old", "a2", "m2", 3, 5)];
    // The copy has the final count of the first message, and continues.
    let new = [
        said("resumed"),
        message("resumed", "a1", "m1", 2, 12),
        message("resumed", "a9", "m9", 9, 7),
    ];
    let old: Vec<&str> = old.iter().map(String::as_str).collect();
    let new: Vec<&str> = new.iter().map(String::as_str).collect();
    for files in [[&old[..], &new[..]], [&new[..], &old[..]]] {
        let trace = read(&files);
        let find = |key: &str| {
            let at = trace.runs().iter().position(|run| run.key == key).unwrap();
            trace.totals(RunId::from_index(at))
        };
        assert_eq!((find("old").usage.output, find("old").usage_known), (Some(17), 2));
        assert_eq!((find("resumed").usage.output, find("resumed").usage_known), (Some(7), 1));
        assert_eq!((find("resumed").events, find("resumed").llm_calls), (3, 1));
        let copies = trace.events().iter().filter(|event| event.flags.has(Flags::COPY));
        assert_eq!(copies.count(), 2, "the message of the person and the LLM call");
        let resumed = trace.runs().iter().find(|run| run.key == "resumed").unwrap();
        assert_eq!(resumed.notes[..], [RunNote::Copies(2)]);
    }
    // The same session in two files: shown once.
    let trace = read(&[&old, &old]);
    assert_eq!(rows(&trace).len(), 3);
    assert_eq!(trace.places(trace.events().get(1).unwrap()).count(), 2);
    assert_eq!(trace.totals(RunId::from_index(0)).usage.output, Some(15));
}

#[test]
fn the_oldest_copy_owns_the_usage() {
    let message = |session: &str, uuid: &str, second| {
        envelope(session, uuid, "", second, &assistant_rest("m1", "", 10))
    };
    // The younger copy has other uuids, and a session id that sorts first. Its session began earlier than the other
    // one: only the time of the copy itself counts.
    let begun =
        envelope("a", "x", "", 1, r#""type":"user","message":{"role":"user","content":"Hi"}"#);
    let young = [begun, message("a", "a7", 9)];
    let old = [message("b", "a1", 2)];
    let young: Vec<&str> = young.iter().map(String::as_str).collect();
    let old: Vec<&str> = old.iter().map(String::as_str).collect();
    for files in [[&young[..], &old[..]], [&old[..], &young[..]]] {
        let trace = read(&files);
        for (at, run) in trace.runs().iter().enumerate() {
            let known = trace.totals(RunId::from_index(at)).usage_known;
            assert_eq!(known, u64::from(run.key == "b"), "{}", run.key);
        }
    }
}

#[test]
fn forks_are_counted() {
    let lines = [
        user("u1", "", 1, "Go"),
        user("u2", "u1", 2, "Left"),
        user("u3", "u1", 3, "Right"),
        user("u4", "u3", 4, "On"),
        result("u5", 5, "t1", "no fork", ""),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let trace = read(&[&lines]);
    assert_eq!(trace.runs()[0].notes[..], [RunNote::Forks(1)]);
    assert_eq!(rows(&trace).len(), 5, "in the order of the file");
}

#[test]
fn a_document_of_the_web() {
    let document = r#"{"loglines": [
        {"type":"user","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"Hi"}},
        {"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"Write","input":{"file_path":"/a"}}]}},
        {"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"ok"}]}},
        7]}"#;
    let trace = read(&[&[document]]);
    assert_eq!(
        rows(&trace),
        ["0 user  unknown", "0 llm-call  ok", "1 tool-call Write ok", "0 record  unknown"]
    );
    let tool = only(&trace, EventKind::ToolCall);
    assert_eq!(summary(&trace, tool, &[document]), r#"{"file_path":"/a"}"#);
    assert_eq!(detail(&trace, tool, &[document]).native_id.as_deref(), Some("t"));
    assert_eq!(trace.runs()[0].key, read(&[&[document]]).runs()[0].key);
}

#[test]
fn detection() {
    let verdict = |lines: &[&str]| {
        let source = SourceId::from_index(0);
        let records: Vec<ProbeRecord<'_>> = lines
            .iter()
            .map(|text| {
                ProbeRecord::new(&Record::new(traceloupe_core::json::Json::new(text), source, 0, 1))
            })
            .collect();
        ClaudeCode.sniff(&Probe { name: "x", records: &records, complete: true })
    };
    let summary = r#"{"type":"summary","summary":"x","leafUuid":"y"}"#;
    let mode = r#"{"type":"mode","mode":"normal","sessionId":"s"}"#;
    let full = user("u1", "", 1, "Hi");
    assert!(matches!(verdict(&[summary, mode, &full]), Verdict::Certain(_)));
    assert!(matches!(verdict(&[summary]), Verdict::Likely(_)));
    assert!(matches!(verdict(&[mode]), Verdict::Likely(_)));
    assert!(matches!(
        verdict(&[r#"{"loglines":[{"type":"user","message":{"role":"user","content":""}}]}"#]),
        Verdict::Certain(_)
    ));
    let qwen = full.replace(r#""content":"Hi""#, r#""parts":[{"text":"Hi"}]"#);
    let stream = r#"{"type":"user","session_id":"s","uuid":"u","parent_tool_use_id":null,"message":{"role":"user","content":"x"}}"#;
    for other in
        [&qwen, stream, "{}", "[]", r#"{"loglines":[1]}"#, r#"{"sessionId":"s","projectHash":"h"}"#]
    {
        assert_eq!(verdict(&[other]), Verdict::No, "{other}");
    }
}
