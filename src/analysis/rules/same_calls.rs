//! Calls in a row that have little more than their names in common. Agents that work well make them all the time, so
//! most of these findings are left out unless they are requested ([`crate::Settings::with_names`]).

use super::Rule;
use crate::draft::Draft;
use crate::rule_input::RuleInput;
use crate::{Results, Severity};

/// The number of repetitions that makes failures of different calls a warning.
const FAILURES: usize = 5;

pub(super) fn find(context: &RuleInput<'_>) -> Vec<Draft> {
    context.in_row(Rule::SameCalls, |it| {
        let is_found = !it.outcome.args.do_the_same() && !it.outcome.same_results;
        let is_failing = it.outcome.results == Results::Errors && it.repetitions() >= FAILURES;
        is_found.then_some(if is_failing { Severity::Warning } else { Severity::Info })
    })
}

#[cfg(test)]
mod tests {
    use crate::tests::notation::lines;

    #[test]
    fn different_failures_are_a_warning_from_five_times_on() {
        assert_eq!(lines("A(x)=1 A(y)=2 A(z)=3"), ["Info same-calls A x3 from 0"]);
        let four = "A(v)=!a A(w)=!b A(x)=!c A(y)=!d";
        assert_eq!(lines(four), ["Info same-calls A x4 from 0"]);
        assert_eq!(lines(&format!("{four} A(z)=!e")), ["Warning same-calls A x5 from 0"]);
    }
}
