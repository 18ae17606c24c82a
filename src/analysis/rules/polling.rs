//! Calls in a row with the same arguments and changing results, for example by an agent that waits for something.

use super::Rule;
use crate::doings::Doing;
use crate::draft::Draft;
use crate::rule_input::RuleInput;
use crate::{Results, Severity};

/// The number of repetitions that makes it a warning; fewer are information.
const WARNING: usize = 20;
/// The same for one change: made again, it gives another result because it changes the same thing once more.
const CHANGE: usize = 5;

pub(super) fn find(context: &RuleInput<'_>) -> Vec<Draft> {
    context.in_row(Rule::Polling, |it| {
        let is_found = it.outcome.args.do_the_same() && it.outcome.results == Results::Changing;
        let warning = match it.outcome.doing {
            // Something else comes each time, or has not come yet.
            Doing::Pages | Doing::Waits => usize::MAX,
            Doing::Changes => CHANGE,
            Doing::Looks | Doing::Other => WARNING,
        };
        let is_many = it.repetitions() >= warning;
        is_found.then_some(if is_many { Severity::Warning } else { Severity::Info })
    })
}

#[cfg(test)]
mod tests {
    use crate::tests::notation::lines;

    #[test]
    fn it_is_a_warning_from_twenty_times_on() {
        let polled = |times: usize| (0..times).map(|at| format!("A(x)={at} ")).collect::<String>();
        assert_eq!(lines(&polled(19)), ["Info polling A x19 from 0"]);
        assert_eq!(lines(&polled(20)), ["Warning polling A x20 from 0"]);
    }
}
