//! Calls in a row with different arguments and the same result, which may be a failure.

use super::Rule;
use crate::Severity;
use crate::draft::Draft;
use crate::rule_input::RuleInput;

pub(super) fn find(context: &RuleInput<'_>) -> Vec<Draft> {
    context.in_row(Rule::SameResult, |it| {
        let is_found = !it.outcome.args.do_the_same() && it.outcome.same_results;
        is_found.then_some(Severity::Warning)
    })
}

#[cfg(test)]
mod tests {
    use crate::tests::notation::lines;

    #[test]
    fn equal_receipts_of_different_changes_say_nothing() {
        assert_eq!(lines("A(x)=r A(y)=r A(z)=r"), ["Warning same-result A x3 from 0"]);
        assert_eq!(lines("A(x)=!r A(y)=!r A(z)=!r"), ["Warning same-result A x3 from 0"]);
        assert_eq!(lines("edit(x)=r edit(y)=r edit(z)=r"), ["Info same-calls edit x3 from 0"]);
    }
}
