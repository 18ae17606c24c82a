//! Compares calls with the tool calls of `expected_messages`, position by position.

use serde_json::Value;

use super::Edition;
use super::args::{same, same_result};
use super::items::{Seen, ToolNames};
use traceloupe_protocol::report::{CheckNote, CheckReport};

/// A tool call in an expected message.
#[derive(Clone, PartialEq, Debug)]
pub struct ExpectedCall {
    /// The tool's name.
    pub tool: String,
    /// The expected input, if any.
    pub input: Option<Value>,
    /// The expected output as JSON, if any. AgentV's code ignores it; its design does not.
    pub output: Option<String>,
}

/// The result of comparing a call with the expected one at its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Compared {
    OtherTool,
    OtherInput,
    OtherOutput,
    Same,
}

impl ExpectedCall {
    /// Compares the name, input and output (as JSON) of a call.
    pub(super) fn compare(
        &self,
        name: &str,
        input: Option<&Value>,
        output: Option<&str>,
    ) -> Compared {
        if name != self.tool {
            return Compared::OtherTool;
        }
        if let Some(expected) = &self.input
            && !input.is_some_and(|input| same(expected, input))
        {
            return Compared::OtherInput;
        }
        match &self.output {
            Some(expected) if !output.is_some_and(|output| same_result(expected, output)) => {
                Compared::OtherOutput
            }
            _ => Compared::Same,
        }
    }
}

/// Adds the results to the report.
pub(super) fn evaluate(
    expected: &[ExpectedCall],
    seen: &[Seen],
    names: &ToolNames,
    compared: &[Compared],
    report: &mut CheckReport,
) {
    let mut n_ignoring_output = 0;
    for (i, call) in expected.iter().enumerate() {
        let tool = &call.tool;
        let (Some(actual), Some(compared)) = (seen.get(i), compared.get(i)) else {
            let words =
                format!("tool_calls[{i}]: expected {tool}, but no more tool calls in trace");
            report.miss(words, Vec::new());
            continue;
        };
        let events = vec![actual.event];
        match compared {
            Compared::OtherTool => {
                let got = names.name(actual.tool);
                report.miss(format!("tool_calls[{i}]: expected {tool}, got {got}"), events);
            }
            Compared::OtherInput => {
                report.miss(format!("tool_calls[{i}]: {tool} input mismatch"), events);
            }
            Compared::OtherOutput => {
                n_ignoring_output += 1;
                report.miss(format!("tool_calls[{i}]: {tool} output mismatch"), events);
            }
            Compared::Same => {
                report.hit(format!("tool_calls[{i}]: {tool} matched"), events);
            }
        }
    }
    let n_expected = expected.len() as u64;
    let n_hits = report.n_hits;
    report.set_score(n_hits, n_expected, Edition::First);
    if expected.iter().any(|call| call.output.is_some()) {
        #[expect(clippy::cast_precision_loss)] // counts
        let theirs = (n_hits + n_ignoring_output) as f64 / n_expected.max(1) as f64;
        report.note(CheckNote::OutputsCompared(theirs));
    }
}
