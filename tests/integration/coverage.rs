//! Nothing of a record is lost: every value in a file is shown in an opened row, in the facts of its run or in the row
//! itself, or it is among the values that the row already expresses (types, times).

mod of_format;

use crate::harness;

use std::collections::BTreeSet;

use harness::claims::event_ids;
use harness::{Opened, files_below, fixtures, named, open_one, shared_also};
use of_format::OF_FORMAT;
use serde_json::Value;
use traceloupe_protocol::detail::{ShownBlock, ShownMessage};
use traceloupe_protocol::json_line::plain;
use traceloupe_protocol::messages::{Request, Response};
use traceloupe_protocol::value::Shown;
use traceloupe_words as words;

/// Keys that a row already expresses: its kind, its author and its time; ids by which records became one row.
const STOOD_FOR: &[&str] = &[
    "event",
    "event_type",
    "run_id",
    // The order of the events of a stream.
    "sequence_number",
    "type",
    "role",
    "from",
    "object",
    "timestamp",
    "created",
    "created_at",
    "streamed",
    "date",
    "request_created_at",
    "response_created_at",
    "delay_ms",
    "record_type",
    "message_type",
    "turn_id",
    "media_type",
    "id",
    "interaction_id",
    "call_id",
    "callId",
    "step_id",
    "tool_call_id",
    "tool_use_id",
    "toolUseId",
    "CallId",
    "Id",
    "encrypted_content",
    "toolCallId",
    "mimeType",
    "thinkingSignature",
    "signature",
    "toolUseID",
];

/// The same for logs of agents: ids of messages, steps and entries, and marks of a format.
const OF_AGENTS: &[&str] = &[
    "sentAt",
    "status",
    "v",
    "subtype",
    "timestamp_ms",
    "messageId",
    "session_id",
    "context_usage",
    "parentUuid",
    "stepUuid",
    "uuid",
    "message_id",
    "redactedContent",
    "version",
    "agent_id",
    "parent_tool_call_id",
    "assistantEntryId",
    "replyToId",
    "entryId",
    "parentEntryId",
    "modelApi",
    "provider",
    "runId",
    "seq",
    "step_index",
    "subCallId",
    "createdAt",
    "source",
    "traceSchema",
];

/// Keys of spans that a row already expresses: its place in the tree, its kind, its times and its outcome.
const OF_SPANS: &[&str] = &[
    // Pairs of a key and a value: the service and its version are facts of the run.
    "_rawAttributes",
    "parentObservationId",
    "parent_observation_id",
    "parent_run_id",
    "observationId",
    "context.span_id",
    "dotted_order",
    "run_type",
    "span_kind",
    "mlflow.spanType",
    "mlflow.traceRequestId",
    "started_at",
    "ended_at",
    "start_ns",
    "start_time_unix_nano",
    "end_time_unix_nano",
    "latency",
    "level",
    "status",
    "state",
    "traceId",
    "traceID",
    "trace_id",
    "spanId",
    "spanID",
    "span_id",
    "parentSpanId",
    "parent_span_id",
    "parent_id",
    "parentId",
    "kind",
    "span.kind",
    "startTimeUnixNano",
    "endTimeUnixNano",
    "timeUnixNano",
    "start_time",
    "end_time",
    "startTime",
    "endTime",
    "duration",
    "duration_ms",
    "code",
    "status_code",
    "otel.status_code",
    "time",
    "trace_state",
    "refType",
    "severityNumber",
    "severityText",
    "input.mime_type",
    "output.mime_type",
    "success",
    "span_count",
    "finish_reason",
    "index",
    "event.name",
    "flags",
    "limit",
    "offset",
    "total",
    "ts",
];

/// Keys in the fixtures of no known format whose values are times, or ids in the row's link.
const OF_RECORDS: &[&str] =
    &["uid", "t", "at", "stamp", "start", "end", "latency_ms", "latency_seconds", "elapsed_ms"];

/// Names of events and log records that became part of a row, and names that the kind of a row expresses.
const NAMES: &[&str] = &[
    "exception",
    "data.input",
    "data.output",
    "metadata",
    "gen_ai.content.prompt",
    "gen_ai.content.completion",
    "user_prompt",
    "api_request",
    "api_error",
    "tool_result",
    "gen_ai.choice",
];

/// Keys of instrumentation libraries.
const LIBRARIES: [&str; 2] = ["scope", "instrumentationLibrary"];

/// Keys of running totals: the usage of each call is shown instead.
const TOTALS: [&str; 2] = ["total_token_usage", "model_context_window"];

/// Leaves with their keys, including those of JSON in strings.
fn leaves(key: &str, value: &Value, found: &mut Vec<(String, String)>) {
    match value {
        Value::Object(members) => {
            // An attribute of OTLP or Jaeger.
            if let (Some(Value::String(key)), Some(value)) =
                (members.get("key"), members.get("value"))
            {
                return leaves(key, value, found);
            }
            let is_dropped = |key: &str| TOTALS.contains(&key) || LIBRARIES.contains(&key);
            for (name, value) in members.iter().filter(|(key, _)| !is_dropped(key)) {
                // The value of an attribute in OTLP's notation.
                let is_typed = name.ends_with("Value") || name == "values";
                let key = if is_typed { key } else { name };
                leaves(key, value, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| leaves(key, item, found)),
        Value::String(text) if text.starts_with(['{', '[', '"']) => {
            match serde_json::from_str(text) {
                Ok(inner) => leaves(key, &inner, found),
                Err(_) => found.push((key.to_owned(), text.clone())),
            }
        }
        Value::String(text) if !text.is_empty() => found.push((key.to_owned(), text.clone())),
        // Without an exponent, as files write them.
        Value::Number(number) if number.is_f64() => {
            let number = number.as_f64().unwrap_or_default();
            found.push((key.to_owned(), number.to_string()));
        }
        Value::Number(number) => found.push((key.to_owned(), number.to_string())),
        Value::Bool(_) | Value::Null | Value::String(_) => {}
    }
}

fn add_shown(shown: &Shown, text: &mut String) {
    match shown {
        Shown::Text(words, ..) => text.push_str(words),
        Shown::Json(lines, _) => text.push_str(&plain(lines)),
        Shown::Media(_) => text.push_str("an image"),
        Shown::Unreadable(why) => panic!("{why:?}"),
    }
    text.push('\n');
}

fn add_block(block: &ShownBlock, text: &mut String) {
    match block {
        ShownBlock::Table(role, rows) => {
            text.push_str(&words::role(role));
            for (kind, shown) in rows {
                text.push_str(&words::fact(kind));
                text.push('\n');
                add_shown(shown, text);
            }
        }
        ShownBlock::Value(role, _, shown) | ShownBlock::Code(role, _, shown) => {
            text.push_str(&words::role(role));
            text.push('\n');
            add_shown(shown, text);
        }
        ShownBlock::Messages(_, before, new) => {
            for ShownMessage { name, content, .. } in before.iter().chain(new) {
                text.push_str(name);
                content.iter().for_each(|block| add_block(block, text));
            }
        }
        ShownBlock::Error(kind, message, stack) => {
            text.push_str(&traceloupe_words::error_label(kind.as_str()));
            [message, stack].into_iter().flatten().for_each(|shown| add_shown(shown, text));
        }
        ShownBlock::Note(note) => text.push_str(&words::shown_note(note)),
        ShownBlock::Patch(patch) => text.push_str(patch),
        ShownBlock::Command(shown) => add_shown(shown, text),
        ShownBlock::Tasks(tasks) => {
            tasks.iter().flat_map(|(state, words)| [state, words]).for_each(|it| text.push_str(it));
        }
        // The old and the new text.
        ShownBlock::Diff(role, lines) => {
            text.push_str(&format!("{}\n", words::role(role)));
            for other in ['+', '-'] {
                let side = lines.iter().filter(|(sign, _)| *sign != other);
                side.for_each(|(_, line)| text.push_str(&format!("{line}\n")));
            }
        }
        ShownBlock::Grid(_, _, rows) => rows.iter().flatten().for_each(|it| add_shown(it, text)),
        ShownBlock::Media(_) => {}
    }
}

/// Everything that the page shows of a trace, with every row opened.
fn all_text(opened: &mut Opened) -> String {
    let mut text = String::new();
    for id in event_ids(opened.outline()) {
        let Response::Detail(detail) = opened.ask(&Request::Detail(id)) else { panic!() };
        detail.blocks.iter().for_each(|block| add_block(block, &mut text));
    }
    for run in (0..).take(opened.outline().runs.len()) {
        let Response::Annotations(list) = opened.ask(&Request::Annotations(run, Vec::new())) else {
            panic!()
        };
        for line in list.lines {
            let extra = line.extra.iter().map(|(_, value)| value.as_str());
            let words = [&line.content, &line.address, &line.source, &line.severity, &line.status];
            let words = words.into_iter().chain([&line.author, &line.time]).map(String::as_str);
            words.chain(extra).for_each(|it| text.push_str(&format!("{it}\n")));
        }
    }
    let outline = opened.outline();
    for run in &outline.runs {
        text.push_str(&format!("{}\n{}\n{}\n", run.key, run.title, run.groups.join("\n")));
        let facts = run.facts.iter().map(|fact| words::fact_value(&fact.value));
        facts.for_each(|value| text.push_str(&format!("{value}\n")));
    }
    outline.names.iter().for_each(|name| text.push_str(&format!("{name}\n")));
    text
}

/// A small number as Python writes it: `3e-06`.
fn as_power(text: &str) -> String {
    let number = text.parse::<f64>().map(|number| format!("{number:e}")).unwrap_or_default();
    match number.split_once("e-") {
        Some((digits, power)) => format!("{digits}e-{power:0>2}"),
        None => text.to_owned(),
    }
}

/// The values that are shown nowhere, with their keys.
fn lost(name: &str, bytes: &[u8]) -> BTreeSet<(String, String)> {
    let mut opened = open_one(name, bytes);
    let shown = all_text(&mut opened);
    let mut found = Vec::new();
    // The data of server-sent events.
    let text = String::from_utf8_lossy(bytes);
    let data: String = text.lines().filter_map(|line| line.strip_prefix("data:")).collect();
    let bytes = if data.is_empty() { bytes } else { data.as_bytes() };
    for value in serde_json::Deserializer::from_slice(bytes).into_iter::<Value>() {
        // Markdown, YAML and damaged lines: this test reads JSON.
        let Ok(value) = value else { break };
        leaves("", &value, &mut found);
    }
    let is_lost = |(key, text): &(String, String)| {
        let begin: String = text.chars().take(60).collect();
        let key = key.as_str();
        // Zipkin's mark for success, and votes, which are shown as thumbs.
        if key == "error" && text == "false" || text.starts_with(":feedback:") {
            return false;
        }
        // References of Inspect are shown as the values that they stand for, which are values of the file themselves.
        if text.starts_with("attachment://") || text.starts_with("tc://") {
            return false;
        }
        // Codex's report on a sub-agent is shown as its content.
        if let Some(report) = text.strip_prefix("<subagent_notification>")
            && let Some(report) = report.trim().strip_suffix("</subagent_notification>")
            && let Ok(report) = serde_json::from_str::<Value>(report)
        {
            let mut inside = Vec::new();
            leaves("", &report, &mut inside);
            let is_shown = |it: &(String, String)| {
                let begin: String = it.1.chars().take(60).collect();
                it.0 == "status" || shown.contains(&begin)
            };
            return !inside.iter().all(is_shown);
        }
        // The outcome of a Codex script is the status of its row, and its run time is the row's duration.
        if text.starts_with("Script ") && text.ends_with(" seconds\nOutput:\n") {
            return false;
        }
        // Pieces of arguments are shown in their JSON, calls in text without their tags, and conversations in one text
        // as their turns.
        const TAGS: &str = "<tool_call> <tool_response> <function= <parameter= OBSERVATION: arguments \
             Human: Assistant: USER: ASSISTANT: FUNCTION RESPONSE: <functioncall> <|endoftext|>";
        let is_piece = ["arguments", "arguments_part", "partial_json", "delta", "input"]
            .contains(&key)
            && serde_json::from_str::<Value>(text).is_err()
            || TAGS.split(' ').any(|tag| text.contains(tag));
        let mut words = text.split(|c: char| !c.is_alphanumeric());
        if is_piece && words.all(|word| TAGS.contains(word) || shown.contains(word)) {
            return false;
        }
        let is_role = key.ends_with(".role") || key.ends_with("message_content.type");
        if is_role || NAMES.iter().any(|name| text.trim_start_matches("claude_code.") == *name) {
            return false;
        }
        let is_stood_for =
            [STOOD_FOR, OF_AGENTS, OF_SPANS, OF_RECORDS].iter().any(|keys| keys.contains(&key));
        let is_image = text.starts_with("data:") || (key == "data" && text.starts_with("iVBOR"));
        !is_stood_for && !is_image && !shown.contains(&begin) && !shown.contains(&as_power(text))
    };
    found.into_iter().filter(is_lost).collect()
}

#[test]
fn every_value_of_the_fixtures_is_shown() {
    let mut found = Vec::new();
    for fixture in fixtures::fixtures() {
        // This test reads strict JSON.
        if fixture.expect.warnings.contains_key("trailing-comma") || fixture.bytes.starts_with(b"#")
        {
            continue;
        }
        let own = OF_FORMAT.iter().find(|(format, _)| *format == fixture.format);
        let is_own = |key: &str| own.is_some_and(|(_, keys)| keys.contains(&key));
        let lost = lost(&fixture.name, &fixture.bytes).into_iter().filter(|it| !is_own(&it.0));
        found.extend(lost.map(|it| (fixture.name.clone(), it)));
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn every_value_of_real_files_is_shown() {
    let Some(root) = shared_also("traces") else { return };
    let (mut n, mut found) = (0, Vec::new());
    for folder in [
        "amp",
        "codex-rollout",
        "factory-droid",
        "kimi-cli",
        "kiro",
        "letta",
        "openclaw",
        "pi-agent",
        "invariant-explorer",
        "openai-chat-log",
        "otlp",
        "otlp-tempo",
        "jaeger",
        "zipkin",
        "otel-sdk-spans",
        "langchain-messages",
        "langfuse",
        "langgraph-stream",
        "langsmith",
        "openai-agents-trace",
        "phoenix",
    ] {
        for path in files_below(&root.join(folder)) {
            let (name, bytes) = named(&root, &path);
            if name.ends_with(".md") {
                continue;
            }
            // Longer values than an opened row shows at once.
            let has_long = ["opencode_ai-sdk_doStream", "ai-sdk-v6_all-spans"];
            if bytes.len() > 300_000 || has_long.iter().any(|it| name.contains(it)) {
                continue;
            }
            let lost = lost(&name, &bytes);
            let keys: BTreeSet<&str> = lost.iter().map(|(key, _)| key.as_str()).collect();
            if !keys.is_empty() {
                if std::env::var_os("SHOW").is_some() {
                    println!("{name}: {lost:?}");
                }
                found.push(format!("{name}: values of {keys:?}"));
            }
            n += 1;
        }
    }
    assert!(found.is_empty(), "{found:#?}");
    assert!(n > 8, "{n}");
}
