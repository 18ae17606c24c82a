//! Calls of one tool that fail in the same way between two messages from the user, with others between, such as a test
//! that keeps failing regardless of edits. The whole texts are compared, because the line that tells most is often the
//! same for different errors.

use super::Rule;
use crate::compare_repetitions::is_refused;
use crate::draft::Draft;
use crate::equal_call_groups::Sort;
use crate::rule_input::RuleInput;
use crate::{Results, Severity};
use traceloupe_core::model::EventId;

/// The number of failures of one call with the same text that is a warning if nothing was changed between them. The same
/// for calls with different arguments that were refused before they ran: the complaint is about what they all lack.
const UNCHANGED: usize = 3;
/// The same whatever was changed, and if only the line that tells most is the same. It is never critical, because
/// something is done between.
const FAILURES: usize = 5;
/// The same if that line is an exception or of a compiler, which says more than the name of a test that fails.
const EXCEPTIONS: usize = 4;
/// The same for calls with different arguments.
const OTHER_CALLS: usize = 6;

pub(super) fn find(context: &RuleInput<'_>) -> Vec<Draft> {
    context.apart(Rule::SameError, Results::Errors, UNCHANGED, |group| {
        let mut calls = group.events.iter().filter_map(|id| context.trace.event(*id));
        let is_same = group.same_args || calls.all(is_refused);
        let says_why = |id: &EventId| {
            let event = context.trace.event(*id);
            event.is_some_and(|it| context.known.of(context.trace, it).says_why)
        };
        let fewest = match (group.sort, is_same) {
            (Sort::Worked | Sort::Written | Sort::SameScreen, _) => return None,
            (Sort::SameText, true) if group.most_unchanged >= UNCHANGED => UNCHANGED,
            (Sort::SameLine, _) if group.events.iter().all(says_why) => EXCEPTIONS,
            (Sort::SameLine, _) => FAILURES,
            (Sort::SameText, _) if group.same_args => FAILURES,
            (Sort::SameText, _) => OTHER_CALLS,
        };
        (group.events.len() >= fewest).then_some(Severity::Warning)
    })
}

#[cfg(test)]
mod tests {
    use crate::tests::notation::lines;

    #[test]
    fn it_is_a_warning_from_five_equal_failures_on_whatever_is_edited() {
        let failing = |times: usize, call: &dyn Fn(usize) -> String| {
            let round = |at: usize| format!("{} edit(f)=ok C{at}(c)={at} ", call(at));
            (0..times).map(round).collect::<String>()
        };
        let same = |_: usize| "A(x)=!no".to_owned();
        assert_eq!(lines(&failing(4, &same)), [""; 0]);
        assert_eq!(lines(&failing(5, &same)), ["Warning same-error A x5 from 0"]);
        assert_eq!(lines(&failing(9, &same)), ["Warning same-error A x9 from 0"]);
        let same_line = |at: usize| format!("A(x)=!no{at}");
        assert_eq!(lines(&failing(4, &same_line)), [""; 0]);
        assert_eq!(lines(&failing(5, &same_line)), ["Warning same-error A x5 from 0"]);
        let other_call = |at: usize| format!("A({at})=!no");
        assert_eq!(lines(&failing(5, &other_call)), [""; 0]);
        assert_eq!(lines(&failing(6, &other_call)), ["Warning same-error A x6 from 0"]);
        let other_line = |at: usize| format!("A({at})=!no{at}");
        assert_eq!(lines(&failing(9, &other_line)), [""; 0], "different errors of different calls");
    }

    #[test]
    fn four_exceptions_are_enough() {
        let round =
            |at: usize| format!("sh(run~{at};)=!ValueError:~no~x{at} edit(f)=ok B{at}(b)={at} ");
        let same = |times: usize| {
            (0..times).map(|at| round(at).replace(&format!("run~{at}"), "run")).collect::<String>()
        };
        assert_eq!(lines(&same(3)), [""; 0]);
        assert_eq!(lines(&same(4)), ["Warning same-error sh x4 from 0"]);
        assert_eq!(lines(&(0..4).map(round).collect::<String>()), [""; 0], "of different calls");
    }

    #[test]
    fn three_are_enough_if_nothing_is_changed_between() {
        assert_eq!(lines("A(x)=!no B(1)=1 A(x)=!no B(2)=2"), [""; 0]);
        let three = "A(x)=!no B(1)=1 A(x)=!no B(2)=2 A(x)=!no";
        assert_eq!(lines(three), ["Warning same-error A x3 from 0"]);
        assert_eq!(lines("A(x)=!no B(1)=1 A(x)=!no edit(f)=ok A(x)=!no"), [""; 0]);
        let editor = |does: &str| three.replace("B(1)", &format!("str_replace_editor({does})"));
        assert_eq!(lines(&editor("view")), ["Warning same-error A x3 from 0"]);
        assert_eq!(lines(&editor("insert")), [""; 0]);
        let other_text = "A(x)=!no1 B(1)=1 A(x)=!no2 B(2)=2 A(x)=!no3";
        assert_eq!(lines(other_text), [""; 0], "only one line is the same");
    }

    #[test]
    fn three_different_calls_that_are_refused_with_the_same_complaint_are_enough() {
        let calls = |mark: &str| {
            let call = |at: usize| format!("write(x{at})={mark}path B{at}(b)={at} ");
            lines(&(0..3).map(call).collect::<String>())
        };
        assert_eq!(calls("?"), ["Warning same-error write x3 from 0"]);
        assert_eq!(calls("!"), [""; 0]);
    }

    #[test]
    fn a_failure_that_only_the_text_states_is_one() {
        let rounds = |result: &str| {
            let round =
                |at: usize| format!("sh(pytest)={result} edit(f{at})=ok{at} B{at}(b)={at} ");
            lines(&(0..5).map(round).collect::<String>())
        };
        assert_eq!(rounds("FAILED~a"), ["Warning same-error sh x5 from 0"]);
        assert_eq!(rounds("passed"), [""; 0], "tests that pass after each edit");
        let looked = |at: usize| format!("sh(cat~log)=FAILED~a edit(f{at})=ok{at} B{at}(b)={at} ");
        assert_eq!(lines(&(0..5).map(looked).collect::<String>()), [""; 0], "it shows a failure");
    }
}
