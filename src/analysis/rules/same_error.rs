//! A call that fails with the same error between two messages from the user, with others between, such as a test that
//! keeps failing regardless of edits.

use super::Rule;
use crate::draft::Draft;
use crate::rule_input::RuleInput;
use crate::{Results, Severity};

/// The number of equal failures that is a warning.
const FAILURES: usize = 3;
/// The number of equal failures that is critical.
const CRITICAL: usize = 5;

pub(super) fn find(context: &RuleInput<'_>) -> Vec<Draft> {
    context.apart(Rule::SameError, Results::Errors, FAILURES, |group| {
        let is_critical = group.events.len() >= CRITICAL;
        group.fails.then_some(if is_critical { Severity::Critical } else { Severity::Warning })
    })
}

#[cfg(test)]
mod tests {
    use crate::tests::notation::lines;

    #[test]
    fn it_is_critical_from_five_failures_on_whatever_is_edited() {
        let failing = |times: usize| {
            (0..times).map(|at| format!("A(x)=!no edit(f)=ok C{at}(c)={at} ")).collect::<String>()
        };
        assert_eq!(lines(&failing(2)), [""; 0]);
        assert_eq!(lines(&failing(4)), ["Warning same-error A x4 from 0"]);
        assert_eq!(lines(&failing(5)), ["Critical same-error A x5 from 0"]);
    }
}
