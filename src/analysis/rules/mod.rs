//! The rules, with one file for each: what it finds, its thresholds, its tests. Code that several of them need is
//! beside this folder. To add a rule, add its file, its two lines here, and its entry in `words::findings`; the
//! compiler reports every other place.
//!
//! Rules with a function search the trace as a whole. [`super::findings()`] calls them, sorts all findings, and leaves
//! out those that a stronger one already covers. The other rules need parts of a file that are read only on request
//! (why a call failed, what an edit did, what the context was); the code that has these parts calls them.

pub mod compaction;
mod cycle;
mod error_retry;
pub mod errors;
pub mod longest_call;
mod no_progress;
mod polling;
mod repeat;
mod repeat_apart;
mod reported;
pub mod reverted_edits;
mod same_calls;
mod same_error;
mod same_result;

use serde::{Deserialize, Serialize};

use super::draft::Draft;
use super::rule_input::RuleInput;

/// Groups of similar rules, by which their findings are ordered and limited.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Family {
    /// Repetitions in a row.
    InRow,
    /// Repetitions with other calls between them.
    Apart,
    /// Warnings that the producer reported itself.
    Reported,
    /// Failures that are not repetitions.
    Failures,
    /// Changes to the context of an agent.
    Context,
    /// Changes to files.
    Edits,
    /// Use of time.
    Time,
}

/// A function that finds the drafts of a rule in a trace.
pub(super) type Find = fn(&RuleInput<'_>) -> Vec<Draft>;

/// Declares the rules: their names, their ids, their families, and the functions that find them in a trace.
macro_rules! rules {
    ($($(#[$attribute:meta])* $rule:ident = $id:literal in $family:ident $(by $find:path)?;)*) => {
        /// A rule.
        #[derive(
            Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
        )]
        pub enum Rule {
            $($(#[$attribute])* $rule,)*
        }

        impl Rule {
            /// All rules.
            pub const ALL: &[Self] = &[$(Self::$rule,)*];

            /// Its id in exports, style sheets and messages to other pages. It never changes.
            #[must_use]
            pub fn id(self) -> &'static str {
                match self {
                    $(Self::$rule => $id,)*
                }
            }

            /// The family of the rule.
            #[must_use]
            pub fn family(self) -> Family {
                match self {
                    $(Self::$rule => Family::$family,)*
                }
            }
        }

        /// The rules that search the whole trace.
        pub(super) const RULES: &[Find] = &[$($($find,)?)*];
    };
}

rules! {
    /// Calls in a row with the same arguments and, as far as known, the same results.
    #[default]
    Repeat = "repeat" in InRow by repeat::find;
    /// Calls in a row with different arguments and the same result.
    SameResult = "same-result" in InRow by same_result::find;
    /// Calls in a row with the same arguments that fail every time.
    ErrorRetry = "error-retry" in InRow by error_retry::find;
    /// Calls in a row with the same arguments and changing results.
    Polling = "polling" in InRow by polling::find;
    /// Calls in a row that have little more than their names in common.
    SameCalls = "same-calls" in InRow by same_calls::find;
    /// Cycles of five to twelve steps with the same arguments.
    Cycle = "cycle" in InRow by cycle::find;
    /// The same call with the same result, repeated with others between.
    RepeatApart = "repeat-apart" in Apart by repeat_apart::find;
    /// Calls in a row that were all made before, with the same results.
    NoProgress = "no-progress" in Apart by no_progress::find;
    /// A call that repeatedly fails in the same way, with others between.
    SameError = "same-error" in Apart by same_error::find;
    /// A loop warning of the producer that matches none of our stretches.
    Reported = "reported" in Reported by reported::find;
    /// Similar failures.
    Errors = "errors" in Failures;
    /// Edits that restore what an earlier edit had replaced.
    RevertedEdits = "put-back" in Edits;
    /// A compaction of an agent's context.
    Compaction = "compaction" in Context;
    /// The call that took most of the run's time.
    LongestCall = "longest-call" in Time;
}

impl Rule {
    /// Whether other calls were made between the repetitions.
    #[must_use]
    pub fn is_apart(self) -> bool {
        self.family() == Family::Apart
    }

    /// Whether the rule is about possible loops, including those that the producer has found.
    #[must_use]
    pub fn is_about_loops(self) -> bool {
        match self.family() {
            Family::InRow | Family::Apart | Family::Reported => true,
            Family::Failures | Family::Context | Family::Edits | Family::Time => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_rules_have_one_id() {
        let ids: std::collections::BTreeSet<_> = Rule::ALL.iter().map(|rule| rule.id()).collect();
        assert_eq!(ids.len(), Rule::ALL.len());
        let is_id = |it: char| it.is_ascii_lowercase() || it == '-';
        assert!(ids.iter().all(|id| id.chars().all(is_id)), "{ids:?}");
    }
}
