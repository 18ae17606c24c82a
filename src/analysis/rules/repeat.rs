//! Calls in a row with the same arguments and, as far as known, the same results.

use super::Rule;
use crate::doings::Doing;
use crate::draft::Draft;
use crate::in_row::{InRow, ONE_CALL, serious};
use crate::rule_input::RuleInput;
use crate::{Results, Severity};

/// The number of times that a call waits in vain that is a warning.
const WAITS: usize = 20;

pub(super) fn find(context: &RuleInput<'_>) -> Vec<Draft> {
    context.in_row(Rule::Repeat, severity)
}

fn severity(it: &InRow) -> Option<Severity> {
    let outcome = it.outcome;
    match outcome.results {
        _ if !outcome.args.do_the_same() => None,
        Results::Same | Results::Missing if outcome.doing == Doing::Waits => {
            Some(if it.repetitions() >= WAITS { Severity::Warning } else { Severity::Info })
        }
        Results::Same => Some(serious(it)),
        // The results are not known to be equal, so it cannot be critical.
        Results::Missing if outcome.is_one_call && outcome.has_calls => {
            Some(if it.repetitions() >= ONE_CALL { Severity::Warning } else { Severity::Info })
        }
        Results::Missing => Some(Severity::Warning),
        Results::Changing | Results::Errors => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::notation::lines;

    #[test]
    fn one_call_is_critical_from_five_times_on_and_several_in_turn_from_three() {
        assert_eq!(lines(&"A(x)=r ".repeat(2)), [""; 0]);
        assert_eq!(lines(&"A(x)=r ".repeat(4)), ["Warning repeat A x4 from 0"]);
        assert_eq!(lines(&"A(x)=r ".repeat(5)), ["Critical repeat A x5 from 0"]);
        assert_eq!(lines(&"A(x)=1 B(y)=2 ".repeat(3)), ["Critical repeat A,B x3 from 0"]);
    }

    #[test]
    fn what_came_out_is_not_known_to_be_the_same() {
        assert_eq!(lines(&"A(x) ".repeat(4)), ["Info repeat A x4 from 0"]);
        assert_eq!(lines(&"A(x) ".repeat(9)), ["Warning repeat A x9 from 0"]);
        assert_eq!(lines(&"A(x) B(x) ".repeat(3)), ["Warning repeat A,B x3 from 0"]);
    }

    #[test]
    fn calls_without_arguments_are_only_the_same_if_their_results_are() {
        let calls = |call: &str, times: usize| lines(&format!("{call} ").repeat(times));
        assert_eq!(calls("look=r", 5), ["Critical repeat look x5 from 0"]);
        assert_eq!(calls("look", 9), ["Info same-calls look x9 from 0"]);
        assert_eq!(calls("edit=ok", 9), ["Info same-result edit x9 from 0"], "a confirmation");
        assert_eq!(calls("edit(f)=ok", 5), ["Critical repeat edit x5 from 0"]);
        assert_eq!(lines("A=!a A=!b A=!c"), ["Info same-calls A x3 from 0"]);
        assert_eq!(lines("A=!a A=!a A=!a"), ["Warning error-retry A x3 from 0"]);
    }
}
