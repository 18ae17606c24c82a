//! The same call with the same result between two messages from the user, with others between them, and without a
//! change that may affect it.

use super::Rule;
use crate::draft::Draft;
use crate::equal_call_groups::Sort;
use crate::rule_input::RuleInput;
use crate::{Results, Severity};

/// The number of equal calls with equal results that is a warning.
const REPEATS: usize = 6;

pub(super) fn find(context: &RuleInput<'_>) -> Vec<Draft> {
    context.apart(Rule::RepeatApart, Results::Same, REPEATS, |group| {
        (group.sort == Sort::Worked).then_some(Severity::Warning)
    })
}

#[cfg(test)]
mod tests {
    use crate::tests::notation::lines;

    #[test]
    fn six_times_with_nothing_changed_are_a_warning() {
        let between = |times: usize| {
            (0..times).map(|at| format!("A(x)=r B(b{at})={at} C{at}(c)={at} ")).collect::<String>()
        };
        assert_eq!(lines(&between(5)), [""; 0]);
        assert_eq!(lines(&between(6)), ["Warning repeat-apart A x6 from 0"]);
        assert_eq!(lines(&format!("{} edit(f)=ok {}", between(5), between(5))), [""; 0]);
    }
}
