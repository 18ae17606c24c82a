//! What was expected of a run, in AgentV's words: trajectories of tools and expected messages, read
//! from JSON or YAML ([`read()`]), held against the calls of a run of any format ([`Checker`]), and
//! reported as hits and misses with AgentV's own sentences ([`Report`]).
//!
//! The rules are those of AgentV's graders (`tool-trajectory.ts`, `trajectory.ts`, and
//! `expected_messages` of 0.25). Two
//! generations of them differ in what they say: see [`Edition`]. Calls come in one by one and none of
//! their values is kept.

mod args;
mod checker;
mod glob;
mod items;
mod messages;
mod raw;
mod read;
mod read_steps;
mod steps;
mod trajectory;

#[cfg(test)]
mod tests;

use crate::view::wire::report;
pub use checker::{CallValues, Checker, ToolCall};
pub use read::{MAX_TEXT_BYTES, Unreadable, read};
pub use report::{Assertion, CheckReport, Edition, LineKind, Report, ReportLine, TestReport};
pub use steps::StepType;

/// All that was expected: the tests of a file, or one test without an id.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Expectations {
    /// The tests, in the order of the file.
    pub tests: Vec<Test>,
}

/// What one test expects.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Test {
    /// Its id; empty where it has none.
    pub id: String,
    /// What is checked.
    pub checks: Vec<Check>,
    /// Evaluators that need more than a trace (a model's judgement, a script): name and type.
    pub skipped: Vec<String>,
}

/// One evaluator.
#[derive(Clone, PartialEq, Debug)]
pub struct Check {
    /// Its name, or its type where it has none.
    pub name: String,
    /// Its type, as the file writes it.
    pub kind: String,
    /// How much it counts among the checks of its test.
    pub weight: f64,
    /// What it expects.
    pub rule: Rule,
}

/// What a check expects.
#[derive(Clone, PartialEq, Debug)]
pub enum Rule {
    /// `tool_trajectory`.
    Trajectory(trajectory::Trajectory),
    /// The tool calls of `expected_messages`.
    Messages(Vec<messages::ExpectedCall>),
    /// `trajectory:*`.
    Steps(steps::StepCheck),
}
