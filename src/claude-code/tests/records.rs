//! Records that are not simply messages.

use super::*;

#[test]
fn what_no_person_wrote_is_no_user_message() {
    let meta = envelope(
        "s",
        "u0",
        "",
        0,
        r#""type":"user","isMeta":true,"message":{"role":"user","content":[{"type":"text","text":"Base"}]}"#,
    );
    let mixed = envelope(
        "s",
        "u7",
        "",
        7,
        r#""type":"user","message":{"role":"user","content":[{"type":"text","text":"<ide_opened_file>x"},{"type":"text","text":"Why?"}]}"#,
    );
    let queued = envelope(
        "s",
        "u8",
        "",
        8,
        r#""type":"attachment","attachment":{"type":"queued_command","prompt":"And this","commandMode":"prompt"}"#,
    );
    let lines = [
        meta,
        user("u1", "", 1, "<command-name>/compact</command-name>"),
        user("u2", "", 2, "<local-command-stdout>ok</local-command-stdout>"),
        user("u3", "", 3, "<system-reminder>mind</system-reminder>"),
        user("u4", "", 4, "Stop hook feedback:\nno"),
        user("u5", "", 5, "<b>a person's own words</b>"),
        user("u6", "", 6, ""),
        mixed,
        queued,
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let trace = read(&[&lines]);
    let rows: Vec<String> =
        rows(&trace).into_iter().map(|row| row.replace(" unknown", "")).collect();
    assert_eq!(
        rows,
        [
            "0 system added context",
            "0 system command",
            "0 system command-output",
            "0 system system-reminder",
            "0 system hook",
            "0 user ",
            "0 system empty",
            "0 user ",
            "0 user queued_command",
        ]
    );
    assert_eq!(summary(&trace, trace.events().get(7).unwrap(), &lines), "\"Why?\"");
    assert_eq!(trace.runs()[0].title.as_deref(), Some("<b>a person's own words</b>"));
}

#[test]
fn what_another_agent_wrote_is_no_user_message() {
    let from = |uuid: &str, second, kind: &str| {
        let rest = format!(
            r#""type":"user","origin":{{"kind":"{kind}"}},"message":{{"role":"user","content":"Hello"}}"#
        );
        envelope("s", uuid, "", second, &rest)
    };
    let queued = envelope(
        "s",
        "u4",
        "",
        4,
        r#""type":"attachment","attachment":{"type":"queued_command","prompt":"And this","commandMode":"prompt","origin":{"kind":"peer"}}"#,
    );
    let lines =
        [from("u1", 1, "human"), from("u2", 2, "peer"), from("u3", 3, "coordinator"), queued];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let rows: Vec<String> =
        rows(&read(&[&lines])).into_iter().map(|row| row.replace(" unknown", "")).collect();
    assert_eq!(
        rows,
        [
            "0 user ",
            "0 system peer-message",
            "0 system coordinator-message",
            "0 system queued_command",
        ]
    );
}

#[test]
fn an_image_before_the_words() {
    let image =
        r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}"#;
    let line = envelope(
        "s",
        "u1",
        "",
        1,
        &format!(
            r#""type":"user","message":{{"role":"user","content":[{image},{{"type":"text","text":"See"}}]}}"#
        ),
    );
    let lines = [line.as_str()];
    let trace = read(&[&lines]);
    let message = only(&trace, EventKind::UserMessage);
    assert_eq!(summary(&trace, message, &lines), "\"See\"");
    assert_eq!(trace.runs()[0].title.as_deref(), Some("See"));
    let blocks = detail(&trace, message, &lines).blocks;
    assert!(
        matches!(&blocks[..], [Block::Media(media, _), Block::Text(..)] if media == "image/png")
    );
}

#[test]
fn compaction_and_its_summary_are_one_event() {
    let boundary =
        r#""type":"system","subtype":"compact_boundary","content":"Conversation compacted""#;
    let summary = r#""type":"user","isCompactSummary":true,"message":{"role":"user","content":"This session is being continued"}"#;
    let lines = [
        user("u1", "", 1, "Go"),
        envelope("s", "c1", "", 2, boundary),
        envelope("s", "c2", "c1", 2, summary),
        envelope("s", "c3", "c2", 3, r#""type":"system","subtype":"microcompact_boundary""#),
        envelope("s", "c4", "u1", 4, summary),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let trace = read(&[&lines]);
    assert_eq!(
        rows(&trace)[1..],
        [
            "0 compaction compact_boundary unknown",
            "0 compaction microcompact_boundary unknown",
            "0 compaction summary unknown",
        ]
    );
    assert_eq!(trace.places(trace.events().get(1).unwrap()).count(), 2);
}

#[test]
fn errors_of_the_api() {
    let overloaded = r#""type":"system","subtype":"api_error","error":{"status":529,"error":{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}}"#;
    let refused = r#""type":"system","subtype":"api_error","error":{"cause":{},"status":500}"#;
    let told = r#""type":"assistant","isApiErrorMessage":true,"error":"rate_limit","message":{"id":"x","model":"<synthetic>","role":"assistant","content":[{"type":"text","text":"API Error: 429"}],"usage":{"input_tokens":0,"output_tokens":0}}"#;
    let quiet = r#""type":"assistant","isApiErrorMessage":false,"message":{"id":"y","model":"<synthetic>","role":"assistant","content":[{"type":"text","text":"No response requested."}]}"#;
    let lines = [
        envelope("s", "e1", "", 1, overloaded),
        envelope("s", "e2", "", 2, refused),
        envelope("s", "e3", "", 3, told),
        envelope("s", "e4", "", 4, quiet),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let trace = read(&[&lines]);
    let errors: Vec<_> = trace.events().iter().map(|event| trace.error(event.error)).collect();
    let [a, b, c] = ["overloaded_error", "500", "rate_limit"].map(ErrorLabel::Type);
    assert_eq!(errors, [a, b, c, ErrorLabel::None]);
    assert_eq!(summary(&trace, trace.events().get(0).unwrap(), &lines), "\"Overloaded\"");
    assert_eq!(rows(&trace)[3], "0 system <synthetic> unknown");
    let totals = trace.totals(RunId::from_index(0));
    assert_eq!((totals.errors, totals.llm_calls), (3, 0));
}

#[test]
fn records_of_no_known_shape_are_kept() {
    let doubled = r#"{"type":"user","type":"user","sessionId":"s","uuid":7,"message":{"role":"user","role":"user","content":"twice"}}"#;
    let lines = [
        "[1,2]",
        "\"text\"",
        r#"{"no":"type"}"#,
        r#"{"type":"summary","summary":[1],"leafUuid":{}}"#,
        doubled,
        r#"{"type":"assistant","sessionId":"s","message":"no object"}"#,
        r#"{"type":"user","sessionId":"s","message":{"content":{"odd":1}}}"#,
        r#"{"type":"assistant","sessionId":["s"],"message":{"content":[1,"x",{"type":"tool_use","input":[1]},{"type":"tool_use"},{"type":"tool_result"}],"usage":7}}"#,
        r#"{"type":"some-new-type","sessionId":"s","isMeta":"yes","timestamp":{}}"#,
        "7",
    ];
    let trace = read(&[&lines]);
    assert_eq!(trace.runs().len(), 1);
    let kinds: Vec<&str> = trace.events().iter().map(|event| event.kind.word()).collect();
    assert_eq!(
        kinds,
        [
            "record",
            "record",
            "record",
            "note",
            "user",
            "llm-call",
            "system",
            "llm-call",
            "tool-call",
            "tool-call",
            "note",
            "note",
            "record"
        ]
    );
    assert_eq!(trace.warnings().as_slice()[0].count, 4);
    for event in trace.events() {
        assert!(!detail(&trace, event, &lines).blocks.is_empty(), "{:?}", event.kind);
    }
}
