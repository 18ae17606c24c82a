//! Calls in a row with the same arguments that fail every time.

use super::Rule;
use crate::Results;
use crate::draft::Draft;
use crate::in_row::serious;
use crate::rule_input::RuleInput;

pub(super) fn find(context: &RuleInput<'_>) -> Vec<Draft> {
    context.in_row(Rule::ErrorRetry, |it| {
        let is_found = it.outcome.args.do_the_same() && it.outcome.results == Results::Errors;
        is_found.then(|| serious(it))
    })
}

#[cfg(test)]
mod tests {
    use crate::tests::notation::lines;

    #[test]
    fn a_failure_counts_whatever_its_text_is() {
        assert_eq!(lines("A(x)=!1 A(x)=!2 A(x)=!3"), ["Warning error-retry A x3 from 0"]);
        assert_eq!(lines(&"A(x)=!1 ".repeat(5)), ["Critical error-retry A x5 from 0"]);
        assert_eq!(lines("A(x)=!1 A(x)=!1 A(x)=ok"), ["Info polling A x3 from 0"]);
    }
}
