//! Loop warnings in the file that match none of our stretches: one finding per pattern and run.

use super::Rule;
use crate::Severity;
use crate::draft::{Draft, What};
use crate::rule_input::RuleInput;

pub(super) fn find(context: &RuleInput<'_>) -> Vec<Draft> {
    let of = |report: &crate::producer_warnings::Report| Draft {
        rule: Rule::Reported,
        severity: Severity::Warning,
        run: report.run,
        lane: report.lane,
        first: report.first,
        last: report.last,
        what: What::Report { pattern: report.pattern, events: report.events.clone() },
    };
    context.reports.list.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use crate::tests::notation::lines;

    #[test]
    fn rotations_of_one_pattern_are_one_finding() {
        assert_eq!(
            lines("W:TOOL_CALL:A~->~TOOL_CALL:B A=1 W:TOOL_CALL:B~->~TOOL_CALL:A"),
            ["Warning reported TOOL_CALL:A -> TOOL_CALL:B x0 from 0 (reported 2)"]
        );
        assert_eq!(
            lines("A(x)=1 A(x)=1 A(x)=1 W:stuck"),
            ["Warning repeat A x3 from 0 (reported 1)"],
            "what is about a stretch of ours joins it"
        );
    }
}
