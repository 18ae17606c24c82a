//! Calls that tried the same several times, some of them in vain.

use crate::model::{EventKind, Status};
use crate::view::wire::outline::Outline;

/// A call with more rows inside of it is not looked into.
const MAX_INSIDE: u32 = 200;

/// How many tries directly inside a call failed, and how many there were: of the first name of which one failed. `None` for
/// a call that failed itself, and if nothing was tried again.
#[must_use]
pub fn failed_tries(outline: &Outline, row: u32) -> Option<(u64, u64)> {
    let rows = &outline.rows;
    let is_call = [EventKind::ToolCall as u8, EventKind::Span as u8].contains(&rows.kinds.get(row));
    let has_failed = |row: u32| rows.statuses.get(row) == Status::Error as u8;
    let nested = rows.nested.get(row);
    if !is_call || !(2..=MAX_INSIDE).contains(&nested) || has_failed(row) {
        return None;
    }
    let inside = || (row + 1..=row + nested).filter(|it| rows.parents.get(*it) == row);
    let name = inside().find(|it| has_failed(*it)).map(|it| rows.names.get(it))?;
    let tries = || inside().filter(|it| rows.names.get(*it) == name);
    let (failed, tried) = (tries().filter(|it| has_failed(*it)).count(), tries().count());
    (tried > 1).then_some((failed as u64, tried as u64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::page::testing::with_kinds;

    #[test]
    fn tries_of_the_same_name_are_counted_if_the_call_did_not_fail() {
        use EventKind::{LlmCall, Span, ToolCall};
        let of = |failed: &[u32]| {
            let kinds = [ToolCall, Span, Span, Span, LlmCall];
            let mut outline = with_kinds(&[0, 1, 1, 1, 0], kinds.into_iter());
            let rows = std::sync::Arc::get_mut(&mut outline.rows).unwrap();
            failed.iter().for_each(|row| rows.sent.statuses.set(*row, Status::Error as u8));
            failed_tries(&outline, 0)
        };
        assert_eq!(of(&[1, 2]), Some((2, 3)));
        assert_eq!(of(&[]), None);
        assert_eq!(of(&[0, 1]), None, "its own failure is said");
        assert_eq!(of(&[4]), None, "not inside");
    }
}
