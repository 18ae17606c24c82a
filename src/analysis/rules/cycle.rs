//! Cycles of five to twelve steps with the same arguments: the agent repeats itself without a change. Shorter blocks
//! belong to the other rules, and their steps are not reported again here.

use std::ops::Range;

use super::Rule;
use crate::doings::Doing;
use crate::draft::Draft;
use crate::in_row::{InRow, block_steps, has_calls};
use crate::keys::{Compare, UNIQUE, keys};
use crate::rule_input::RuleInput;
use crate::steps::LaneSteps;
use crate::stretches::{Limits, stretches};
use crate::{Results, Severity};
use traceloupe_core::model::LaneId;

/// The minimum and maximum number of steps in a block; a message and the calls that it requests count as one.
const BLOCK: std::ops::RangeInclusive<usize> = 5..=12;
/// The minimum number of repetitions, unless the settings require more.
const REPETITIONS: usize = 3;

pub(super) fn find(context: &RuleInput<'_>) -> Vec<Draft> {
    let mut found = Vec::new();
    for (at, lane) in context.lanes.iter().enumerate() {
        of_lane(context, (LaneId::from_index(at), lane), &mut found);
    }
    found
}

fn of_lane(context: &RuleInput<'_>, (id, lane): (LaneId, &LaneSteps), found: &mut Vec<Draft>) {
    let min_repetitions = context.settings.repetitions().max(REPETITIONS);
    if lane.list.len() < BLOCK.start() * min_repetitions {
        return;
    }
    let mut keys = keys(context.trace, lane, Compare::Calls);
    for shorter in context.stretches.iter().filter(|it| it.lane == id && it.is_exact) {
        if let Some(covered) = keys.get_mut(shorter.stretch.steps()) {
            covered.fill(UNIQUE);
        }
    }
    let limits = Limits { max_period: BLOCK.end() * 2, min_repetitions };
    let is_wanted = |block: Range<usize>| {
        BLOCK.contains(&block_steps(lane, block.clone())) && has_calls(lane, block)
    };
    for stretch in stretches(&keys, lane.segments(), limits, is_wanted) {
        let Some(it) = InRow::new(
            context.trace,
            &context.known,
            (id, lane),
            stretch,
            true,
            Severity::Critical,
        ) else {
            continue;
        };
        // Different results may mean progress.
        let severity = match it.outcome.results {
            _ if matches!(it.outcome.doing, Doing::Waits | Doing::Pages) => Severity::Info,
            Results::Same => Severity::Critical,
            Results::Changing | Results::Missing | Results::Errors => Severity::Warning,
        };
        found.push(Draft::in_row(Rule::Cycle, severity, &it));
    }
}

#[cfg(test)]
mod tests {
    use crate::tests::notation::lines;

    /// A block of `len` calls to alternating tools.
    fn block(len: usize) -> String {
        (0..len).map(|at| format!("T{at}(x)=r{at} ")).collect()
    }

    fn names(len: usize) -> String {
        (0..len).map(|at| format!("T{at}")).collect::<Vec<_>>().join(",")
    }

    #[test]
    fn blocks_of_five_to_twelve_steps_are_found_from_three_times_on() {
        for len in [5, 8, 12] {
            let found = format!("Critical cycle {} x3 from 0", names(len));
            assert_eq!(lines(&block(len).repeat(3)), [found]);
            assert_eq!(lines(&block(len).repeat(2)), [""; 0]);
        }
        assert!(
            lines(&block(13).repeat(3))[0].contains(" no-progress "),
            "that is of another rule"
        );
        let shorter = format!("Critical repeat {} x3 from 0", names(4));
        assert_eq!(lines(&block(4).repeat(3)), [shorter], "that is of another rule");
    }

    #[test]
    fn it_is_critical_only_if_nothing_else_comes_out() {
        let rounds = |last: &dyn Fn(usize) -> String| {
            (0..3).map(|nth| format!("{}{} ", block(4), last(nth))).collect::<String>()
        };
        let found = |severity: &str| [format!("{severity} cycle {},Z x3 from 0", names(4))];
        assert_eq!(lines(&rounds(&|_| "Z(x)=r".to_owned())), found("Critical"));
        assert_eq!(lines(&rounds(&|nth| format!("Z(x)={nth}"))), found("Warning"));
        assert_eq!(lines(&rounds(&|_| "Z(x)".to_owned())), found("Warning"));
        assert_eq!(lines(&rounds(&|_| "Z(x)=!no".to_owned())), found("Warning"));
        assert_eq!(lines(&rounds(&|nth| format!("Z({nth})=r"))), [""; 0], "other arguments");
    }

    #[test]
    fn what_a_shorter_rule_covers_is_left_to_it() {
        let inner = "A(x)=r A(x)=r A(x)=r B(x)=r C(x)=r D(x)=r ".repeat(3);
        let found = lines(&inner);
        assert!(found.iter().all(|it| it.contains(" repeat A x3 ")), "{found:?}");
        let nested = (0..5).map(|at| format!("L:m [T{at}(x)=r{at}] ")).collect::<String>();
        let found = lines(&nested.repeat(3));
        assert_eq!(found, ["Critical cycle m,T0,m,T1,m,T2,m,T3,m,T4 x3 from 0"]);
    }
}
