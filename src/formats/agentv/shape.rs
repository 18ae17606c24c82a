//! What a record is: the shapes of all eras, told apart by their keys.

use super::members::Members;
use crate::format::fields::{fields, first_items, text};
use crate::json::{KeySet, Kind};
use crate::number;

/// The shapes of AgentV's records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// A row of results: a number `score`, and the id of a test or a target.
    Row,
    /// `agentv.trace.v1`: a document of spans.
    Spans,
    /// `agentv.transcript.v1`: one message of a transcript.
    TranscriptRow,
    /// `agentv.normalized_transcript.v1`: a document of turns.
    Turns,
    /// One turn of such a transcript on a line: `{"v":1,"agent","type"}`.
    Turn,
    /// `agentv.replay_fixture.v1`: recorded messages of one test.
    Fixture,
    /// `agentv.metrics.v1`.
    Metrics,
    /// `grading.json`, in three shapes.
    Grading,
    /// `timing.json`.
    Timing,
    /// `benchmark.json`: a summary of many runs.
    Benchmark,
    /// What was evaluated: `EVAL.yaml` and `targets.yaml` of a run's folder.
    Task,
    /// What a command answers: `text` with a `trace` of events or a `trace_ref`.
    Answer,
    /// One event of such a trace.
    TraceEvent,
    /// Messages in a document: `output_messages`, `output`, `messages`.
    Messages,
    /// One message.
    Message,
}

/// The types of trace events.
const EVENT_TYPES: [&str; 5] = ["model_step", "tool_call", "tool_result", "message", "error"];

/// Where a document of messages may keep them, the surer names first.
pub(super) const MESSAGE_LISTS: [&str; 3] = ["output_messages", "output", "messages"];

impl Shape {
    /// What a record is, and whether only AgentV writes so. `None` for anything else.
    pub fn of(members: &Members<'_>) -> Option<(Self, bool)> {
        if let Some(version) = text(members.get("schema_version")) {
            let shape = match version.strip_prefix("agentv.")?.split_once(".v")?.0 {
                "trace" => Self::Spans,
                "transcript" => Self::TranscriptRow,
                "normalized_transcript" => Self::Turns,
                "replay_fixture" => Self::Fixture,
                "metrics" => Self::Metrics,
                _ => return None,
            };
            return Some((shape, true));
        }
        if members.get("score").and_then(number::parse).is_some() && is_row(members) {
            return Some((Self::Row, true));
        }
        Self::of_answer(members)
            .or_else(|| Self::of_event(members))
            .or_else(|| Self::of_turns(members))
            .or_else(|| Self::of_messages(members))
            .or_else(|| Self::of_summary(members))
    }

    fn of_answer(members: &Members<'_>) -> Option<(Self, bool)> {
        if text(members.get("trace_ref")).is_some() && members.has("text") {
            return Some((Self::Answer, true));
        }
        let list = members.list("trace")?;
        let found = first_items(list, 8);
        let events = found.iter().filter_map(|item| Self::of_event(&Members::new(*item)?));
        let sure = events.map(|(_, is_sure)| is_sure).reduce(|a, b| a || b);
        let is_told = members.get("text").is_some_and(|raw| raw.starts_with('"'));
        // A list of messages under `trace` is compact form as well.
        let messages = found
            .iter()
            .filter_map(|item| Self::of_messages(&Members::new(*item)?))
            .max_by_key(|it| it.1);
        match (sure, messages) {
            (Some(is_sure), _) => Some((Self::Answer, is_sure)),
            (None, Some((_, is_sure))) => Some((Self::Answer, is_sure)),
            (None, None) => (is_told && found.is_empty()).then_some((Self::Answer, false)),
        }
    }

    /// A trace event. Sure where a call or a result has a name and a time; `{"type", "name", "args"}`
    /// without a time is another producer's.
    fn of_event(members: &Members<'_>) -> Option<(Self, bool)> {
        let kind = text(members.get("type"))?;
        if !EVENT_TYPES.contains(&kind.as_ref()) || members.has("tool_name") || is_activity(members)
            // Those are spans of Mastra.
            || members.has("isRootSpan")
        {
            return None;
        }
        // A time that is told to be unknown is one, too: so a run without times is written out.
        let has_time = members.any(&["timestamp", "start_time"]).is_some()
            || members.others(&[]).any(|(key, _)| key == "timestamp");
        let has_data = ["input", "output", "text"].iter().any(|name| members.has(name));
        let is_call = matches!(kind.as_ref(), "tool_call" | "tool_result" | "model_step");
        let is_named = members.has("name") || kind == "model_step";
        match (is_call, has_time, has_data) {
            (true, true, _) if is_named => Some((Self::TraceEvent, has_data || members.has("id"))),
            (true, false, true) if is_named => Some((Self::TraceEvent, false)),
            (false, true, true) => Some((Self::TraceEvent, false)),
            _ => None,
        }
    }

    fn of_turns(members: &Members<'_>) -> Option<(Self, bool)> {
        if members.get("v").and_then(number::parse).is_some()
            && members.has("agent")
            && text(members.get("type")).is_some()
            // Entire CLI, from which AgentV has the shape.
            && !members.has("cli_version")
        {
            return Some((Self::Turn, true));
        }
        let turns = members.list("turns")?;
        let [first] = first_items(turns, 1)[..] else { return None };
        let is_turn = Self::of_turns(&Members::new(first)?) == Some((Self::Turn, true));
        is_turn.then_some((Self::Turns, true))
    }

    fn of_messages(members: &Members<'_>) -> Option<(Self, bool)> {
        if text(members.get("role")).is_some() {
            return is_compact(members).then_some((Self::Message, true));
        }
        let (name, list) =
            MESSAGE_LISTS.iter().find_map(|name| Some((*name, members.list(name)?)))?;
        let mut seen = None;
        for item in list.items().take(16) {
            let item = Members::new(item)?;
            text(item.get("role"))?;
            let is_sure = is_compact(&item) || name == "output_messages";
            seen = Some(seen.unwrap_or(false) || is_sure);
        }
        // An `output` of messages without calls may be anybody's.
        seen.filter(|is_sure| *is_sure).map(|is_sure| (Self::Messages, is_sure))
    }

    fn of_summary(members: &Members<'_>) -> Option<(Self, bool)> {
        let summary = members.object("summary");
        let is_counted = summary.has("passed") && summary.has("total");
        if is_counted && members.any(&["assertions", "assertion_results", "graders"]).is_some() {
            return Some((Self::Grading, true));
        }
        if matches!(members.get("pass"), Some("true" | "false"))
            && members.get("score").and_then(number::parse).is_some()
            && members.has("component_results")
        {
            return Some((Self::Grading, true));
        }
        if members.object("metadata").has("eval_file") && members.has("run_summary") {
            return Some((Self::Benchmark, true));
        }
        if is_task(members) {
            return Some((Self::Task, false));
        }
        let is_timing = members.has("total_duration_seconds")
            || (members.has("duration_ms") && members.has("token_usage"));
        let is_record =
            members.any(&["type", "id", "role", "name", "timestamp", "spans"]).is_some();
        (is_timing && !is_record).then_some((Self::Timing, false))
    }

    /// What the shape is, for people.
    pub fn words(self) -> &'static str {
        match self {
            Self::Row => "rows of results have a `score` and the id of a test",
            Self::Spans => "the document says `agentv.trace.v1`",
            Self::TranscriptRow => "rows say `agentv.transcript.v1`",
            Self::Turns => "the document has `turns` of an agent",
            Self::Turn => "lines have `v`, `agent` and `type`",
            Self::Fixture => "rows say `agentv.replay_fixture.v1`",
            Self::Metrics => "the document says `agentv.metrics.v1`",
            Self::Grading => "the document has assertions and a summary of how many passed",
            Self::Timing => "the document has the duration and the tokens of a run",
            Self::Benchmark => "the document has `run_summary` of an eval file",
            Self::Task => "the document has tests or targets of an eval",
            Self::Answer => "the document has a `trace` of tool calls and results",
            Self::TraceEvent => "events have `type`, `name` and a time",
            Self::Messages | Self::Message => "messages have `tool_calls` with `tool`",
        }
    }
}

/// Tests have ids and inputs, targets have names and providers.
fn is_task(members: &Members<'_>) -> bool {
    let has = |names: [&str; 4], needed: [&[&str]; 2]| {
        let list = members.any_value(&names).filter(|value| value.kind() == Kind::Array);
        let first = list.and_then(|list| Members::new(list.item(0)));
        first.is_some_and(|item| needed.iter().all(|names| item.any(names).is_some()))
    };
    has(
        ["tests", "evalcases", "eval_cases", "cases"],
        [&["id"], &["input", "input_messages", "criteria", "expected_output"]],
    ) || has(["targets"; 4], [&["name", "label", "id"], &["provider"]])
}

/// Activities of Bot Framework have a type and a time as well: who talks to whom, and where, is theirs.
fn is_activity(members: &Members<'_>) -> bool {
    ["from", "recipient", "conversation"].iter().any(|name| members.object(name).has("id"))
        || members.has("from") && members.any(&["channelId", "replyToId"]).is_some()
}

/// A row names its test or its target, or has scores of graders.
fn is_row(members: &Members<'_>) -> bool {
    members.any(&["test_id", "eval_id"]).is_some()
        || (members.has("target")
            && members.any(&["scores", "evaluator_results", "trace"]).is_some())
}

/// Whether a message is in the compact form: calls with `tool`, their results inside.
fn is_compact(message: &Members<'_>) -> bool {
    let mut calls = message.value("tool_calls").unwrap_or_default().items();
    calls.any(|call| {
        fields(call, const { &KeySet::new(["tool"]) }).is_some_and(|[tool]| text(tool).is_some())
    })
}
