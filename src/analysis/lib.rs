//! Findings about a trace: possible loops, and what a producer reported itself.
//!
//! The analysis is deterministic and uses no model. The recorded calls of each lane become
//! [`steps`]; repeated blocks of steps are [`stretches`]; [`results`] rates a stretch by comparing
//! its results; [`scattered`] finds calls that return with others between them; [`reported`] adds
//! the warnings found in the file. [`agentdbg_rule`] reproduces the rule of AgentDbg and Maida
//! exactly, so that its warnings can be compared with ours.
//!
//! **Invariant**: a fingerprint of 0 means "not in the file" and never counts as equal.

mod agentdbg_rule;
mod finding;
mod findings;
mod keys;
mod reported;
mod results;
mod scattered;
#[cfg(test)]
#[path = "../../tests/harness/shared.rs"]
mod shared;
mod statistics;
mod steps;
mod stretches;
#[cfg(test)]
mod tests;

pub use agentdbg_rule::{LoopRule, RuleWarning, Signature, Signatures, signatures, warnings};
pub use finding::{Arguments, Finding, Findings, Results, Settings, Severity, Waste};
pub use findings::{MAX_FINDINGS, findings, first_error};
pub use statistics::{Calls, PERCENTILES, Spread, by_agent, statistics};
