//! Similar failures: those with the same name, and the same reason except for numbers and paths.

use super::Rule;
use crate::{Evidence, Failures, Finding, Place, Severity, Waste};
use traceloupe_core::model::{EventId, LaneId, RunId};
use traceloupe_core::reason::Reason;

/// A failed event, with the error that its file states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failed {
    /// The event.
    pub event: EventId,
    /// Its lane.
    pub lane: LaneId,
    /// The same for similar failures.
    pub key: u64,
    /// The reason of the failure.
    pub reason: Reason,
    /// Whether a later call with the same target worked, if that is known.
    pub is_fixed: Option<bool>,
}

/// Groups the failures of a run by similarity, in the order of the first failure of each group. `is_mended` returns for
/// failed events whether they are retries of one call whose last attempt worked.
#[must_use]
pub fn find(
    run: RunId,
    failed: impl Iterator<Item = Failed>,
    is_mended: impl Fn(&[EventId]) -> bool,
) -> Vec<Finding> {
    let mut groups: Vec<Vec<Failed>> = Vec::new();
    for it in failed {
        match groups.iter_mut().find(|group| group.first().is_some_and(|first| first.key == it.key))
        {
            Some(group) => group.push(it),
            None => groups.push(vec![it]),
        }
    }
    let finding = |group: Vec<Failed>| {
        let events: Vec<EventId> = group.iter().map(|it| it.event).collect();
        let n_of =
            |is_fixed| group.iter().filter(|it| it.is_fixed == Some(is_fixed)).count() as u64;
        let (n_fixed, n_never_fixed) = (n_of(true), n_of(false));
        let Failed { lane, reason, .. } = group.into_iter().next()?;
        let worked_in_the_end = is_mended(&events);
        let count = events.len() as u64;
        Some(Finding {
            rule: Rule::Errors,
            severity: Severity::Warning,
            place: Place::of_events(run, lane, events)?,
            evidence: Evidence::Failures(Failures {
                count,
                reason,
                worked_in_the_end,
                n_fixed,
                n_never_fixed,
            }),
            waste: Waste::default(),
        })
    };
    groups.into_iter().filter_map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_core::model::ErrorLabel;

    #[test]
    fn failures_with_one_key_are_one_finding() {
        let failed = |(at, key): (usize, u64)| Failed {
            event: EventId::from_index(at),
            lane: LaneId::from_index(0),
            key,
            reason: Reason::of(ErrorLabel::None, &format!("reason {at}")),
            is_fixed: [Some(true), Some(false), None].get(at % 3).copied().flatten(),
        };
        let all = [(3, 1), (5, 2), (8, 1)].into_iter().map(failed);
        let found = find(RunId::from_index(0), all, |events| events.len() == 2);
        let told: Vec<_> = found
            .iter()
            .map(|it| {
                let Evidence::Failures(failures) = &it.evidence else { panic!("{it:?}") };
                let ids: Vec<_> = it.place.events.iter().map(|id| id.index()).collect();
                let fixed = (failures.n_fixed, failures.n_never_fixed);
                (ids, failures.reason.line.as_str(), failures.worked_in_the_end, fixed)
            })
            .collect();
        assert_eq!(
            told,
            [(vec![3, 8], "reason 3", true, (1, 0)), (vec![5], "reason 5", false, (0, 0))]
        );
    }
}
