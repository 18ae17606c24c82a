//! Calls in a row that have little more than their names in common. Agents that work well make them all the time, so
//! most of these findings are left out unless they are requested ([`crate::Settings::with_names`]).

use super::Rule;
use crate::Severity;
use crate::draft::Draft;
use crate::rule_input::RuleInput;

pub(super) fn find(context: &RuleInput<'_>) -> Vec<Draft> {
    context.in_row(Rule::SameCalls, |it| {
        let is_found = !it.outcome.args.do_the_same() && !it.outcome.same_results;
        is_found.then_some(Severity::Info)
    })
}

#[cfg(test)]
mod tests {
    use crate::tests::notation::lines;

    #[test]
    fn different_calls_are_information_even_if_they_fail() {
        assert_eq!(lines("A(x)=1 A(y)=2 A(z)=3"), ["Info same-calls A x3 from 0"]);
        let failures = "A(v)=!a A(w)=!b A(x)=!c A(y)=!d A(z)=!e";
        assert_eq!(lines(failures), ["Info same-calls A x5 from 0"]);
    }
}
