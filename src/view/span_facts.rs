//! When a row of a waterfall ran, and how much of the run's time it accounts for.

use crate::outline::Outline;
use crate::row_columns::NO_ROW;
use crate::waterfall::Waterfall;

/// The place of a row in its run. Times are in milliseconds, NaN where unknown.
#[derive(Clone, PartialEq, Debug)]
pub struct SpanFacts {
    /// When it began, since 1970.
    pub start_ms: f64,
    /// How long after the start of the run it began.
    pub since_ms: f64,
    /// Its duration.
    pub duration_ms: f64,
    /// Its self time: the part during which none of the rows inside it ran.
    pub own_ms: f64,
    /// The part during which the end of the run waited for it or for a row inside it.
    pub critical_ms: f64,
    /// Its parent row.
    pub parent: Option<u32>,
}

impl SpanFacts {
    /// The place of a row.
    #[must_use]
    pub fn of(outline: &Outline, waterfall: &Waterfall, row: u32) -> Self {
        let rows = &outline.rows;
        let run = outline.run_of(row).map(|(_, run)| run);
        let inside = row..row.saturating_add(1).saturating_add(rows.nested.get(row));
        let (start_ms, duration_ms) = (rows.starts_ms.get(row), rows.durations_ms.get(row));
        let (from, to) = (start_ms, start_ms + duration_ms);
        let parts = waterfall.critical_path();
        let first = parts.partition_point(|part| part.0 < inside.start);
        let parts = parts.get(first..).unwrap_or_default().iter();
        let parts = parts.take_while(|part| inside.contains(&part.0));
        // Rows nested in a row may run past its end.
        let parts = parts.map(|(_, begin, end)| (end.min(to) - begin.max(from)).max(0.0));
        let parent = rows.parents.get(row);
        Self {
            start_ms,
            since_ms: start_ms - run.map_or(f64::NAN, |run| run.start_ms),
            duration_ms,
            own_ms: waterfall.own_ms(row),
            critical_ms: parts.sum(),
            parent: (parent != NO_ROW).then_some(parent),
        }
    }

    /// The share of its time that is on the critical path, from 0 to 1. `None` for a row that takes no time.
    #[must_use]
    pub fn critical_share(&self) -> Option<f64> {
        (self.duration_ms > 0.0).then(|| (self.critical_ms / self.duration_ms).min(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::with_nested_times;

    #[test]
    fn a_row_is_on_the_critical_path_as_far_as_what_is_in_it_is() {
        // Two rows run in parallel inside the first one; the second of them ends later.
        let outline = with_nested_times(&[(0, 0.0, 100.0), (1, 10.0, 20.0), (1, 20.0, 60.0)]);
        let waterfall = Waterfall::new(&outline, &outline.runs[0], false);
        let facts = |row| SpanFacts::of(&outline, &waterfall, row);
        let whole = facts(0);
        assert_eq!((whole.critical_ms, whole.own_ms, whole.parent), (100.0, 30.0, None));
        assert_eq!(whole.critical_share(), Some(1.0));
        let last = facts(2);
        assert_eq!((last.since_ms, last.critical_ms, last.parent), (20.0, 60.0, Some(0)));
    }

    #[test]
    fn a_row_without_time_has_no_share() {
        let outline = with_nested_times(&[(0, 0.0, 100.0), (1, 10.0, f64::NAN)]);
        let waterfall = Waterfall::new(&outline, &outline.runs[0], false);
        assert_eq!(SpanFacts::of(&outline, &waterfall, 1).critical_share(), None);
    }
}
