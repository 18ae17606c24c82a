//! Real files of spans, HTTP recordings, Gemini CLI and Claude Code's stream that were once read wrongly: their counts,
//! made independently from the bytes.

use crate::harness;

use harness::{named, open_one, shared};
use traceloupe_core::model::{CallOutcome, EventKind};
use traceloupe_view::outline::Outline;

/// The counts of a file: LLM calls, tool calls, and tool calls that failed.
type Calls = (u64, u64, u64);
/// Input tokens with cached ones, and output tokens.
type Tokens = (u64, u64);

fn calls_of(outline: &Outline) -> Calls {
    let sum = |of: fn(&traceloupe_protocol::outline::Counts) -> u64| {
        outline.runs.iter().map(|run| of(&run.counts)).sum::<u64>()
    };
    let rows = &outline.rows;
    let all = outline.runs.iter().flat_map(|run| run.first_row..run.first_row + run.n_rows);
    let has_failed = |row: &u32| {
        EventKind::from_code(rows.kinds.get(*row)) == EventKind::ToolCall
            && CallOutcome::from_code(rows.statuses.get(*row)).is_error()
    };
    let n_failed = all.filter(has_failed).count() as u64;
    (sum(|it| it.llm_calls), sum(|it| it.tool_calls), n_failed)
}

fn tokens_of(outline: &Outline) -> Tokens {
    let usages = || outline.runs.iter().map(|run| &run.usage);
    let input = usages().filter_map(|usage| usage.total_input()).sum();
    (input, usages().filter_map(|usage| usage.output).sum())
}

#[track_caller]
fn check(path: &str, format: &str, calls: Calls, tokens: Tokens) {
    let Some(file) = shared(path) else { return };
    let (name, bytes) = named(file.parent().unwrap(), &file);
    let opened = open_one(&name, &bytes);
    let outline = opened.outline();
    let source = outline.sources.iter().find(|source| !source.is_container).unwrap();
    assert_eq!(source.format, format, "{name}");
    assert_eq!((calls_of(outline), tokens_of(outline)), (calls, tokens), "{name}");
}

#[test]
fn copilot_on_the_command_line_writes_resources_one_by_one() {
    check("misread/ot2-otel-raw.jsonl", "otel", (62, 113, 1), (6_225_557, 24_709));
}

#[test]
fn copilot_in_the_editor_writes_logs_without_spans() {
    check("misread/ot3-otel-traces.jsonl", "otel", (11, 4, 0), (534_441, 3_172));
}

#[test]
fn an_exporter_states_no_kinds_of_spans() {
    let path = "misread/ph2-URS-018_traces.jsonl";
    check(path, "otel", (17, 2, 0), (17_134, 13_933));
}

#[test]
fn gemini_cli_gives_ids_only_to_results() {
    let path = "misread/gm5-NotFollowingUserIntent.json";
    check(path, "gemini-cli", (63, 56, 9), (0, 0));
}

#[test]
fn gemini_cli_logs_each_response_twice() {
    check("misread/gm7-telemetry.log", "otel", (3, 3, 0), (39_145, 115));
}

#[test]
fn claude_code_states_usage_only_in_its_result() {
    let path = "misread/sj2-mp9zkenj.jsonl";
    check(path, "claude-stream", (59, 66, 25), (2_443_048, 21_933));
}

#[test]
fn recordings_of_http_have_parsed_bodies() {
    let path = "misread/vc1-anthropic_code_execution.yaml";
    check(path, "har", (2, 3, 0), (35_342, 634));
    check("misread/rl3-mldev.json", "har", (1, 0, 0), (2_600, 1_279));
}

#[test]
fn the_page_of_claude_sends_only_what_the_user_typed() {
    check("misread/ha2-claude.ai.har", "har", (1, 0, 0), (0, 0));
}

#[test]
fn langchain_and_the_client_that_it_uses_record_one_call() {
    let path = "traces/otlp/LARGE_agent-prism_quo_tav_openinference_2.5M.json";
    check(path, "otel", (3, 2, 0), (0, 0));
}
