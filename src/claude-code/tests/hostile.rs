//! Records made of the right words in the wrong places.

use proptest::prelude::*;

use super::*;

/// JSON made of the words of the format: keys that are in the right place only by chance, values of any type.
fn json() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "user",
        "assistant",
        "system",
        "progress",
        "attachment",
        "summary",
        "text",
        "thinking",
        "tool_use",
        "tool_result",
        "image",
        "agent_progress",
        "queued_command",
        "compact_boundary",
        "api_error",
        "s",
        "o",
        "1",
        "2",
        "Task",
        "<synthetic>",
        "<command-name>",
        "",
        "2026-01-01T00:00:00Z",
        "[Request interrupted by user",
        "Exit code 1",
        "\\ud800",
        "\\n\u{7f}",
    ]);
    let word = words.prop_map(|word| format!("\"{word}\""));
    let leaf = prop_oneof![
        8 => word,
        1 => Just("null".to_owned()),
        2 => Just("true".to_owned()),
        1 => Just("1e999".to_owned()),
        1 => Just("-12345678901234567890123".to_owned()),
    ];
    let keys = prop::sample::select(vec![
        "type",
        "subtype",
        "uuid",
        "parentUuid",
        "sessionId",
        "agentId",
        "isSidechain",
        "isMeta",
        "isCompactSummary",
        "isApiErrorMessage",
        "timestamp",
        "message",
        "requestId",
        "toolUseResult",
        "data",
        "attachment",
        "parentToolUseID",
        "content",
        "id",
        "name",
        "input",
        "text",
        "thinking",
        "tool_use_id",
        "is_error",
        "model",
        "usage",
        "output_tokens",
        "prompt",
        "description",
        "leafUuid",
        "summary",
        "aiTitle",
        "error",
        "loglines",
        "durationMs",
        "interrupted",
        "role",
        "source",
        "cwd",
    ]);
    leaf.prop_recursive(5, 60, 8, move |inner| {
        prop_oneof![
            3 => prop::collection::vec((keys.clone(), inner.clone()), 0..8).prop_map(|fields| {
                let fields: Vec<String> =
                    fields.iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
                format!("{{{}}}", fields.join(","))
            }),
            1 => prop::collection::vec(inner, 0..5).prop_map(|items| format!("[{}]", items.join(","))),
        ]
    })
}

/// A record whose envelope is usually valid.
fn record() -> impl Strategy<Value = String> {
    let kind = prop::sample::select(vec!["user", "assistant", "progress", "system", "attachment"]);
    let id = || prop::sample::select(vec!["1", "2", "3", "4"]);
    let block =
        (prop::sample::select(vec!["tool_use", "tool_result", "text", "image"]), id(), json());
    let framed = (kind, id(), id(), prop::collection::vec(block, 0..4), json(), json()).prop_map(
        |(kind, uuid, parent, blocks, rich, data)| {
            let blocks: Vec<String> = blocks
                .iter()
                .map(|(kind, id, json)| {
                    format!(
                        r#"{{"type":"{kind}","id":"{id}","tool_use_id":"{id}","name":"Task","input":{json},"content":{json},"text":{json}}}"#
                    )
                })
                .collect();
            format!(
                r#"{{"type":"{kind}","sessionId":"s","uuid":"{uuid}","parentUuid":"{parent}","agentId":"{parent}","message":{{"id":"m{parent}","content":[{}]}},"toolUseResult":{rich},"data":{data},"parentToolUseID":"{uuid}"}}"#,
                blocks.join(",")
            )
        },
    );
    prop_oneof![framed, json()]
}

proptest! {
    #[test]
    fn nothing_panics_and_nothing_is_lost(lines in prop::collection::vec(record(), 1..12)) {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let trace = read(&[&lines]);
        let mut start = 0;
        for line in &lines {
            let end = start + line.len() as u64;
            let is_kept = trace.events().iter().flat_map(|event| trace.places(event)).any(|place| {
                let place_end = place.span.start + u64::from(place.span.len);
                start <= place.span.start && place_end <= end
            });
            prop_assert!(is_kept, "{line}");
            start = end + 1;
        }
        let n_ordered: usize =
            (0..trace.runs().len()).map(|run| trace.order(RunId::from_index(run)).len()).sum();
        prop_assert_eq!(n_ordered, trace.events().len());
        for event in trace.events() {
            prop_assert!(!detail(&trace, event, &lines).blocks.is_empty());
        }
    }
}
