//! The call that took most of a run's time, if it is worth reporting.

use super::Rule;
use crate::{Evidence, Finding, Place, Severity, Waste};
use traceloupe_core::model::{EventId, LaneId, RunId};

/// A shorter call is not worth reporting, whatever its share is, in milliseconds.
pub const LEAST_MS: f64 = 60e3;

/// The minimum share of the active time.
const LEAST_SHARE: f64 = 0.25;

/// In a run with fewer calls, the longest one carries no information.
pub const LEAST_CALLS: u64 = 5;

/// A call with its duration.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Call {
    /// The call.
    pub event: EventId,
    /// Its lane.
    pub lane: LaneId,
    /// The duration without idle times, in milliseconds.
    pub active_ms: f64,
}

/// The longest call of a run that was active for `all_ms` milliseconds; the first one if several are equally long.
#[must_use]
pub fn find(run: RunId, all_ms: f64, calls: impl Iterator<Item = Call>) -> Option<Finding> {
    let mut longest: Option<Call> = None;
    for call in calls {
        if call.active_ms > longest.map_or(LEAST_MS, |it| it.active_ms) {
            longest = Some(call);
        }
    }
    let Call { event, lane, active_ms } = longest?;
    let share = active_ms / all_ms;
    (LEAST_SHARE..=1.0).contains(&share).then_some(())?;
    Some(Finding {
        rule: Rule::LongestCall,
        severity: Severity::Info,
        place: Place::of_events(run, lane, vec![event])?,
        evidence: Evidence::Time { active_ms, share },
        waste: Waste::default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_named_from_a_minute_and_a_quarter_of_the_time_on() {
        let longest = |all_ms: f64, took: &[f64]| {
            let call = |(at, active_ms): (usize, &f64)| Call {
                event: EventId::from_index(at),
                lane: LaneId::from_index(0),
                active_ms: *active_ms,
            };
            let found = find(RunId::from_index(0), all_ms, took.iter().enumerate().map(call));
            found.map(|it| it.place.first.index())
        };
        assert_eq!(longest(200e3, &[61e3, 90e3, 90e3]), Some(1));
        assert_eq!(longest(200e3, &[59e3, 60e3]), None, "less than a minute");
        assert_eq!(longest(400e3, &[61e3, 90e3]), None, "less than a quarter");
        assert_eq!(longest(80e3, &[90e3]), None, "longer than the run");
    }
}
