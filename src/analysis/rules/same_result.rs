//! Calls in a row with different arguments and the same result, which may be a failure.

use super::Rule;
use crate::doings::Doing;
use crate::draft::Draft;
use crate::rule_input::RuleInput;
use crate::{Results, Severity};

/// The number of equal messages in a row that is a warning.
const MESSAGES: usize = 4;
/// The number of equal failures of different calls that is a warning.
const FAILURES: usize = 5;
/// The number of different calls in a row that were refused with the same complaint, before they ran, that is a warning.
const REFUSALS: usize = 3;
/// The number of different look-ups without a result that is a warning.
const LOOK_UPS: usize = 8;
/// The same for calls of which it is not known that they look something up.
const OTHERS: usize = 12;

pub(super) fn find(context: &RuleInput<'_>) -> Vec<Draft> {
    context.in_row(Rule::SameResult, |it| {
        let outcome = it.outcome;
        let is_found = !outcome.args.do_the_same() && outcome.same_results;
        let warning = match (outcome.has_calls, outcome.results, outcome.doing) {
            (false, ..) => MESSAGES,
            (true, Results::Errors, _) if outcome.is_refused => REFUSALS,
            (true, Results::Errors, _) => FAILURES,
            (true, _, Doing::Looks) if outcome.finds_nothing => LOOK_UPS,
            (true, _, Doing::Other) if outcome.finds_nothing => OTHERS,
            // Equal answers to different calls are often confirmations.
            _ => usize::MAX,
        };
        let is_many = it.repetitions() >= warning;
        is_found.then_some(if is_many { Severity::Warning } else { Severity::Info })
    })
}

#[cfg(test)]
mod tests {
    use crate::tests::notation::lines;

    #[test]
    fn only_failures_and_look_ups_in_vain_are_a_warning() {
        let calls = |name: &str, result: &str, times: usize| {
            let call = |at: usize| format!("{name}(x{at})={result} ");
            lines(&(0..times).map(call).collect::<String>())
        };
        let severity = |name: &str, result: &str, times: usize| {
            let found = calls(name, result, times);
            assert_eq!(found.len(), 1, "{found:?}");
            found[0].split(' ').next().map(str::to_owned)
        };
        let (info, warning) = (Some("Info".to_owned()), Some("Warning".to_owned()));
        assert_eq!(severity("A", "!r", 4), info);
        assert_eq!(severity("A", "!r", 5), warning);
        assert_eq!(severity("grep", "no~matches", 7), info);
        assert_eq!(severity("grep", "no~matches", 8), warning);
        assert_eq!(severity("sh", "no~output", 11), info);
        assert_eq!(severity("sh", "no~output", 12), warning);
        assert_eq!(severity("grep", "r", 20), info, "it found something");
        assert_eq!(
            severity("edit", "no~output", 20),
            info,
            "changes are confirmed in the same way"
        );
    }

    #[test]
    fn a_call_that_is_refused_with_the_same_complaint_is_a_warning_from_three_on() {
        let calls = |mark: &str, times: usize| {
            let calls: String = (0..times).map(|at| format!("write(x{at})={mark}path ")).collect();
            lines(&format!("read(y)=y {calls}edit(z)=z"))
        };
        assert_eq!(calls("?", 2), [""; 0]);
        assert_eq!(calls("?", 3), ["Warning same-result write x3 from 1"]);
        assert_eq!(calls("!", 3), ["Info same-result write x3 from 1"], "it ran, and failed");
    }

    #[test]
    fn one_other_result_does_not_hide_the_rest() {
        let call = |at: usize| {
            let result = if at == 3 { "a.rs" } else { "no~matches" };
            format!("grep(x{at})={result} ")
        };
        let found = lines(&(0..14).map(call).collect::<String>());
        assert_eq!(found.last().unwrap(), "Warning same-result grep x10 from 4", "{found:?}");
    }

    #[test]
    fn equal_messages_in_a_row_are_a_monologue() {
        assert_eq!(lines("L:m(p1)=a L:m(p2)=a L:m(p3)=a"), ["Info same-result m x3 from 0"]);
        let four = "L:m(p1)=a L:m(p2)=a L:m(p3)=a L:m(p4)=a";
        assert_eq!(lines(four), ["Warning same-result m x4 from 0"]);
    }
}
