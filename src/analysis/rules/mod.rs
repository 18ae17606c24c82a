//! The rules, one file each: what it finds, its thresholds, its tests. What several of them need is beside this
//! folder. A rule is added with its file, its two lines here, and its entry in `view::words::findings`; the compiler
//! names every other place.
//!
//! Those with a function are looked for in the trace as a whole, by [`super::findings()`], which also puts all findings in
//! order and leaves out what a stronger one says already. The others need what is read of a file only when it is asked
//! for (why a call failed, what an edit did, what the context was): whoever has that calls them.

pub mod compaction;
mod cycle;
mod error_retry;
pub mod errors;
pub mod longest_call;
mod polling;
pub mod put_back;
mod repeat;
mod repeat_apart;
mod reported;
mod same_calls;
mod same_error;
mod same_result;

use serde::{Deserialize, Serialize};

use super::context::Context;
use super::draft::Draft;

/// What rules have in common, by which their findings are ordered and limited.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Family {
    /// Repetitions in a row.
    InRow,
    /// Repetitions with other calls between them.
    Apart,
    /// What the producer reported itself.
    Reported,
    /// Failures that are no repetitions.
    Failures,
    /// What became of the context of an agent.
    Context,
    /// What became of files.
    Edits,
    /// Where the time went.
    Time,
}

/// What a rule finds in a trace.
pub(super) type Find = fn(&Context<'_>) -> Vec<Draft>;

/// Declares the rules: their names, their ids, their families, and what finds them in a trace.
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

            /// The family that it is of.
            #[must_use]
            pub fn family(self) -> Family {
                match self {
                    $(Self::$rule => Family::$family,)*
                }
            }
        }

        /// The rules that are looked for in a whole trace.
        pub(super) const RULES: &[Find] = &[$($($find,)?)*];
    };
}

rules! {
    /// Calls in a row with the same arguments and, as far as they are known, the same results.
    #[default]
    Repeat = "repeat" in InRow by repeat::find;
    /// Calls in a row with different arguments and the same result.
    SameResult = "same-result" in InRow by same_result::find;
    /// Calls in a row with the same arguments that fail each time.
    ErrorRetry = "error-retry" in InRow by error_retry::find;
    /// Calls in a row with the same arguments and changing results.
    Polling = "polling" in InRow by polling::find;
    /// Calls in a row that have little more than their names in common.
    SameCalls = "same-calls" in InRow by same_calls::find;
    /// Five to twelve steps in turn with the same arguments.
    Cycle = "cycle" in InRow by cycle::find;
    /// The same call with the same result, with others between.
    RepeatApart = "repeat-apart" in Apart by repeat_apart::find;
    /// A call that fails in the same way, with others between.
    SameError = "same-error" in Apart by same_error::find;
    /// A loop warning of the producer that is about none of our stretches.
    Reported = "reported" in Reported by reported::find;
    /// Failures that are alike.
    Errors = "errors" in Failures;
    /// Edits that put back what an earlier one had replaced.
    PutBack = "put-back" in Edits;
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

    /// Whether it looks for possible loops, be it that the producer has found one.
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
