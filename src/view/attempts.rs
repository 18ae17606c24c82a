//! Calls that made several attempts, some of which failed.

use crate::outline::Outline;
use crate::row_columns::NO_ROW;
use traceloupe_core::model::EventKind;

/// A call with more rows inside is not examined.
const MAX_INSIDE: u32 = 200;

/// An attempt.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Try {
    /// Its row.
    pub row: u32,
    /// The pause before this attempt, in milliseconds: since the end of the previous attempt, or since the call began.
    /// NaN if unknown.
    pub waited_ms: f64,
}

/// How many of the attempts directly inside a call failed, and how many there were.
#[must_use]
pub fn failed_attempts(outline: &Outline, row: u32) -> Option<(u64, u64)> {
    let tries = rows_of_tries(outline, row)?;
    let has_failed = |row: &&u32| outline.rows.outcome(**row).is_error();
    Some((tries.iter().filter(has_failed).count() as u64, tries.len() as u64))
}

/// The attempts directly inside a call. Empty if there was no retry.
#[must_use]
pub fn tries(outline: &Outline, row: u32) -> Vec<Try> {
    let rows = &outline.rows;
    let mut since_ms = rows.starts_ms.get(row);
    let tries = rows_of_tries(outline, row).unwrap_or_default().into_iter();
    let tries = tries.map(|row| {
        let waited_ms = (rows.starts_ms.get(row) - since_ms).max(0.0);
        since_ms = rows.starts_ms.get(row) + rows.durations_ms.get(row);
        Try { row, waited_ms }
    });
    tries.collect()
}

/// Whether failed rows are attempts of one call whose last attempt succeeded.
#[must_use]
pub fn worked_in_the_end(outline: &Outline, failed: &[u32]) -> bool {
    let Some(first) = failed.first() else { return false };
    let call = outline.rows.parents.get(*first);
    if call == NO_ROW {
        return false;
    }
    let tries = rows_of_tries(outline, call).unwrap_or_default();
    let worked = |row: &u32| outline.rows.outcome(*row).has_worked();
    failed.iter().all(|row| tries.contains(row)) && tries.last().is_some_and(worked)
}

/// The rows with the first name that has a failed row. `None` for a call that failed itself, and if there was no retry.
fn rows_of_tries(outline: &Outline, row: u32) -> Option<Vec<u32>> {
    let rows = &outline.rows;
    let is_call = [EventKind::ToolCall as u8, EventKind::Span as u8].contains(&rows.kinds.get(row));
    let has_failed = |row: u32| rows.outcome(row).is_error();
    let nested = rows.nested.get(row);
    if !is_call || !(2..=MAX_INSIDE).contains(&nested) || has_failed(row) {
        return None;
    }
    let inside = || (row + 1..=row + nested).filter(|it| rows.parents.get(*it) == row);
    let name = inside().find(|it| has_failed(*it)).map(|it| rows.names.get(it))?;
    let tries: Vec<u32> = inside().filter(|it| rows.names.get(*it) == name).collect();
    (tries.len() > 1).then_some(tries)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{with_kinds, with_timed_kinds};
    use traceloupe_core::model::CallOutcome;

    #[test]
    fn tries_of_the_same_name_are_counted_if_the_call_did_not_fail() {
        use EventKind::{LlmCall, Span, ToolCall};
        let of = |failed: &[u32]| {
            let kinds = [ToolCall, Span, Span, Span, LlmCall];
            let mut outline = with_kinds(&[0, 1, 1, 1, 0], kinds.into_iter());
            let rows = std::sync::Arc::get_mut(&mut outline.rows).unwrap();
            failed.iter().for_each(|row| rows.sent.statuses.set(*row, CallOutcome::Failed as u8));
            failed_attempts(&outline, 0)
        };
        assert_eq!(of(&[1, 2]), Some((2, 3)));
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[0, 1]), None, "its own failure is said");
        assert_eq!(of(&[4]), None, "not inside");
    }

    #[test]
    fn a_try_says_how_long_nothing_was_tried_before_it() {
        use EventKind::{Span, ToolCall};
        let times = [(0, 0.0, 900.0), (1, 100.0, 200.0), (1, 500.0, 100.0), (1, 550.0, 100.0)];
        let mut outline = with_timed_kinds(&times, &[ToolCall, Span, Span, Span], &[]);
        let rows = std::sync::Arc::get_mut(&mut outline.rows).unwrap();
        rows.sent.statuses.set(1, CallOutcome::Failed as u8);
        let waited: Vec<_> = tries(&outline, 0).iter().map(|it| (it.row, it.waited_ms)).collect();
        assert_eq!(waited, [(1, 100.0), (2, 200.0), (3, 0.0)]);
        assert!(tries(&outline, 1).is_empty());
        assert!(!worked_in_the_end(&outline, &[1]), "it is not known");
        let rows = std::sync::Arc::get_mut(&mut outline.rows).unwrap();
        rows.sent.statuses.set(3, CallOutcome::Ok as u8);
        assert!(worked_in_the_end(&outline, &[1]));
        assert!(!worked_in_the_end(&outline, &[0, 1]) && !worked_in_the_end(&outline, &[]));
    }
}
