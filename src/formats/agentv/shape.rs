//! The shape of a record: the shapes of all eras, distinguished by their keys.

use super::keys::Keys;
use traceloupe_core::json::Kind;
use traceloupe_engine::kit::Sure;
use traceloupe_engine::{Probe, Verdict};

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
    /// The input of an evaluation: `EVAL.yaml` and `targets.yaml` of a run's folder.
    Task,
    /// The output of a command: `text` with a `trace` of events or a `trace_ref`.
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

impl Shape {
    /// The shape of a record, and whether only AgentV writes it. `None` for any other record.
    pub fn of(record: &Keys<'_>) -> Option<(Self, bool)> {
        if let Some(version) = record.at("schema_version").text() {
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
        if is_row(record) {
            return Some((Self::Row, true));
        }
        Self::of_answer(record)
            .or_else(|| Self::of_event(record))
            .or_else(|| is_turn(record).then_some((Self::Turn, true)))
            .or_else(|| {
                is_turn(&Keys::new(record.list("turns")?.item(0))).then_some((Self::Turns, true))
            })
            .or_else(|| Self::of_messages(record))
            .or_else(|| Self::of_summary(record))
    }

    /// A list of messages under `trace` is also the compact form.
    fn of_answer(record: &Keys<'_>) -> Option<(Self, bool)> {
        let text = record.at("text");
        if text.is_given() && record.at("trace_ref").kind() == Kind::String {
            return Some((Self::Answer, true));
        }
        let list = record.list("trace")?;
        let items = || list.items().take(8).map(Keys::new);
        let events = items().filter_map(|it| Self::of_event(&it)).map(|it| it.1).max();
        let is_sure =
            events.or_else(|| items().filter_map(|it| Self::of_messages(&it)).map(|it| it.1).max());
        let is_empty = text.kind() == Kind::String && list.items().next().is_none();
        is_sure.or(is_empty.then_some(false)).map(|is_sure| (Self::Answer, is_sure))
    }

    /// A trace event. Certain if a call or a result has a name and a time; `{"type", "name", "args"}` without a time is
    /// another producer's.
    fn of_event(record: &Keys<'_>) -> Option<(Self, bool)> {
        let kind = record.at("type").text()?;
        // Spans of Mastra have `isRootSpan`. Activities of Bot Framework have a type and a time as well: only they have
        // a sender, a recipient and a channel.
        let is_others = record.has("tool_name|isRootSpan")
            || record.has("from&channelId|replyToId")
            || record.has("from|recipient|conversation&from.id|recipient.id|conversation.id");
        if is_others || !EVENT_TYPES.contains(&&*kind) {
            return None;
        }
        // A time that is explicitly unknown counts: runs without times are written that way.
        let has_time =
            record.has("timestamp|start_time") || !record.json.field("timestamp").is_absent();
        let has_data = record.has("input|output|text");
        let is_call = matches!(&*kind, "tool_call" | "tool_result" | "model_step");
        if is_call && &*kind != "model_step" && !record.has("name") {
            return None;
        }
        let is_sure = match (is_call, has_time, has_data) {
            (true, true, _) => has_data || record.has("id"),
            (true, false, true) | (false, true, true) => false,
            _ => return None,
        };
        Some((Self::TraceEvent, is_sure))
    }

    fn of_messages(record: &Keys<'_>) -> Option<(Self, bool)> {
        if record.at("role").kind() == Kind::String {
            return is_compact(record).then_some((Self::Message, true));
        }
        // The more specific names first.
        let names = ["output_messages", "output", "messages"];
        let (name, list) = names.iter().find_map(|name| Some((*name, record.list(name)?)))?;
        // An `output` of messages without calls may come from any producer.
        let mut is_sure = false;
        for item in list.items().take(16).map(Keys::new) {
            item.at("role").text()?;
            is_sure |= name == "output_messages" || is_compact(&item);
        }
        is_sure.then_some((Self::Messages, true))
    }

    fn of_summary(record: &Keys<'_>) -> Option<(Self, bool)> {
        let is_graded = record.at("pass").bool().is_some() && record.has("score&component_results");
        let is_counted = "summary.passed&summary.total&assertions|assertion_results|graders";
        if is_graded || record.has(is_counted) {
            Some((Self::Grading, true))
        } else if record.has("metadata.eval_file&run_summary") {
            Some((Self::Benchmark, true))
        } else if is_task(record) {
            Some((Self::Task, false))
        } else {
            let is_timing =
                record.has("total_duration_seconds") || record.has("duration_ms&token_usage");
            let is_record = record.has("type|id|role|name|timestamp|spans");
            (is_timing && !is_record).then_some((Self::Timing, false))
        }
    }

    /// What the shape is, for the user.
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

/// How certain it is that records are AgentV's: the most certain shape among the first of them counts.
pub(super) fn verdict(probe: &Probe<'_>) -> Verdict {
    let mut likely = None;
    for record in probe.records {
        match Shape::of(&Keys::new(record.json())) {
            Some((shape, true)) => return Sure::Certain.verdict(shape.words()),
            found => likely = likely.or(found),
        }
    }
    // Some shapes have so few keys that the file name must decide.
    let is_named = |shape| match shape {
        Shape::Timing => probe.name == "timing.json",
        Shape::Task => matches!(probe.name, "EVAL.yaml" | "targets.yaml"),
        _ => true,
    };
    let likely = likely.filter(|(shape, _)| is_named(*shape));
    likely.map_or(Verdict::No, |(shape, _)| Sure::Likely.verdict(shape.words()))
}

/// Tests have ids and inputs, targets have names and providers.
fn is_task(record: &Keys<'_>) -> bool {
    let first = |lists: &str| Keys::new(record.at(lists).item(0));
    let test = first("tests|evalcases|eval_cases|cases");
    let target = first("targets");
    test.has("id&input|input_messages|criteria|expected_output")
        || target.has("provider&name|label|id")
}

/// A row has a score, and names its test or its target, or has scores of graders.
fn is_row(record: &Keys<'_>) -> bool {
    record.at("score").kind() == Kind::Number
        && (record.has("test_id|eval_id") || record.has("target&scores|evaluator_results|trace"))
}

/// A turn of a transcript. Entire CLI, from which AgentV took the shape, writes its version.
fn is_turn(record: &Keys<'_>) -> bool {
    record.at("v").kind() == Kind::Number
        && record.at("type").kind() == Kind::String
        && record.has("agent")
        && !record.has("cli_version")
}

/// Whether a message is in the compact form: calls with `tool`, their results inside.
fn is_compact(message: &Keys<'_>) -> bool {
    message.at("tool_calls").items().any(|call| call.field("tool").kind() == Kind::String)
}
