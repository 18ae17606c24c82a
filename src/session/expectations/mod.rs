//! Checks a run against AgentV expectations. Expectations (tool trajectories and expected messages)
//! are parsed from JSON or YAML ([`read()`]), compared with the calls of a run of any format
//! ([`Checker`]), and reported as hits and misses in AgentV's own wording ([`Report`]).
//!
//! The rules follow AgentV's graders (`tool-trajectory.ts`, `trajectory.ts`, and
//! `expected_messages` of 0.25). Two versions of their wording are supported, see [`Edition`].
//! Calls are processed one by one; their values are not kept.

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

pub use checker::{CallValues, Checker, ToolCall};
pub use read::{MAX_TEXT_BYTES, Unreadable, read};
pub use report::{Assertion, CheckReport, Edition, LineKind, Report, ReportLine, TestReport};
pub use steps::StepType;
use traceloupe_protocol::report;

/// All expectations: the tests of a file, or a single test without an id.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Expectations {
    /// The tests, in file order.
    pub tests: Vec<Test>,
}

/// The expectations of one test.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Test {
    /// Its id; empty if it has none.
    pub id: String,
    /// Its checks.
    pub checks: Vec<Check>,
    /// Evaluators that need more than a trace (a judging model, a script): name and type.
    pub skipped: Vec<String>,
}

/// One evaluator.
#[derive(Clone, PartialEq, Debug)]
pub struct Check {
    /// Its name, or its type if it has none.
    pub name: String,
    /// Its type, as written in the file.
    pub kind: String,
    /// Its weight in the score of the test.
    pub weight: f64,
    /// What it expects.
    pub rule: Rule,
}

/// The rule of a check.
#[derive(Clone, PartialEq, Debug)]
pub enum Rule {
    /// `tool_trajectory`.
    Trajectory(trajectory::Trajectory),
    /// The tool calls of `expected_messages`.
    Messages(Vec<messages::ExpectedCall>),
    /// `trajectory:*`.
    Steps(steps::StepCheck),
}
