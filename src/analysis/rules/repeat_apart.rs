//! The same call with the same result between two messages from the user, with others between them, and without a
//! change that may affect it; the same text that is written into the same file again and again, which other text replaced
//! or which was never changed; and a terminal that shows the same whatever is typed, because its program hangs.

use super::Rule;
use crate::draft::Draft;
use crate::equal_call_groups::Sort;
use crate::rule_input::RuleInput;
use crate::{Results, Severity};

/// The number of equal calls with equal results that is a warning.
const REPEATS: usize = 6;
/// The number of times that a file gets the same text that is a warning.
const WRITES: usize = 4;
/// The number of times that a terminal shows the same after something else is typed that is a warning.
const SCREENS: usize = 10;

pub(super) fn find(context: &RuleInput<'_>) -> Vec<Draft> {
    let mut found = context.apart(Rule::RepeatApart, Results::Same, REPEATS, |group| {
        let fewest = match group.sort {
            Sort::Worked => REPEATS,
            Sort::SameScreen if !group.same_args => SCREENS,
            Sort::Written | Sort::SameScreen | Sort::SameLine | Sort::SameText => return None,
        };
        (group.events.len() >= fewest).then_some(Severity::Warning)
    });
    // What the tool answers does not matter.
    found.extend(context.apart(Rule::RepeatApart, Results::Missing, WRITES, |group| {
        (group.sort == Sort::Written).then_some(Severity::Warning)
    }));
    found
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

    #[test]
    fn four_times_the_same_text_in_the_same_file_are_a_warning() {
        let rounds = |times: usize, write: &str| {
            let round = |at: usize| format!("{write}=ok{at} B{at}(b)={at} edit(f@g{at})=ok{at} ");
            lines(&(0..times).map(round).collect::<String>())
        };
        let document = "sh(cat~>~f~<<E~\\nx~\\nE)";
        assert_eq!(rounds(3, document), [""; 0]);
        assert_eq!(rounds(4, document), ["Warning repeat-apart sh x4 from 0"]);
        assert_eq!(rounds(4, "write_file(x@f)"), ["Warning repeat-apart write_file x4 from 0"]);
        assert_eq!(rounds(9, "edit(x@f)"), [""; 0], "other text may have to be replaced again");
        assert_eq!(rounds(9, "sh(git~add~-A)"), [""; 0], "the same command adds other files");
        assert_eq!(rounds(9, "sh(cat~>~f~<<E~\\nx~\\nE~\\npython~f)"), [""; 0], "and runs it");
    }

    #[test]
    fn another_call_that_is_repeated_within_the_loop_is_no_loop_of_its_own() {
        let between = |times: usize| {
            (0..times).map(|at| format!("A(x)=r C{at}(c)={at} ")).collect::<String>()
        };
        let thrice = "B(y)=s B(y)=s B(y)=s ";
        let found = lines(&format!("{}{thrice}{}", between(3), between(3)));
        assert_eq!(found, ["Warning repeat-apart A x6 from 0"]);
        let failed = thrice.replace('s', "!no");
        assert_eq!(lines(&format!("{}{failed}{}", between(3), between(3))).len(), 2);
    }

    #[test]
    fn a_terminal_that_shows_the_same_whatever_is_typed_hangs() {
        let typed = |times: usize, screen: &dyn Fn(usize) -> String| {
            let call = |at: usize| format!("keys(k{at})={} B{at}(b)={at} ", screen(at));
            lines(&(0..times).map(call).collect::<String>())
        };
        let same = |_: usize| "screen".to_owned();
        assert_eq!(typed(9, &same), [""; 0]);
        assert_eq!(typed(10, &same), ["Warning repeat-apart keys x10 from 0"]);
        assert_eq!(typed(20, &|at| format!("screen{at}x")), [""; 0], "it shows something else");
        assert_eq!(typed(20, &|_| "no~output".to_owned()), [""; 0], "it shows nothing");
    }
}
