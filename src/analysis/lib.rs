//! Findings about a trace: possible loops, the producer's own warnings, and other notable facts.
//!
//! The analysis is deterministic and uses no model. The recorded calls of each lane become [`steps`]; repeated blocks
//! of steps are [`stretches`]; [`compare_repetitions`] compares the results of a stretch; [`equal_call_groups`] finds calls that are
//! repeated with others between them; [`producer_warnings`] adds the warnings found in the file. The [`rules`] decide which of
//! these are a [`Finding`], and its severity. [`agentdbg_rule`] reproduces the rule of AgentDbg and Maida exactly, so
//! that their warnings can be compared with ours.
//!
//! **Invariant**: a fingerprint of 0 means "not in the file" and never counts as equal.

mod agentdbg_rule;
mod call_texts;
mod compare_repetitions;
mod doings;
mod draft;
mod equal_call_groups;
mod finding;
mod findings;
mod in_row;
mod keys;
mod known_calls;
mod producer_warnings;
mod rule_input;
pub mod rules;
mod settings;
#[cfg(test)]
#[path = "../../tests/harness/shared.rs"]
mod shared;
mod statistics;
mod steps;
mod stretches;
#[cfg(test)]
mod tests;

pub use agentdbg_rule::{LoopRule, RuleWarning, Signature, Signatures, signatures, warnings};
pub use call_texts::{CallText, CallTexts, NoTexts};
pub use doings::changes_something;
pub use finding::{
    Arguments, Evidence, Failures, Finding, Findings, Place, Results, Severity, Steps, Waste,
};
pub use findings::{findings, first_error};
pub use rules::{Family, Rule};
pub use settings::{MAX_FINDINGS, Settings};
pub use statistics::{Calls, PERCENTILES, Spread, by_agent, statistics};
