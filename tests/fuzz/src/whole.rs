//! Opens a file in a whole session.

use super::harness::claims::{check_event, check_outline, event_ids};
use super::harness::{self, Opening, Outcome};

/// How many rows are opened.
const MAX_OPENED_ROWS: usize = 8;

/// Opens a file in slices, checks the invariants of every trace, and opens some rows. If an archive offers a choice of
/// entries, the first one is chosen.
pub fn open(name: &str, bytes: &[u8], format: Option<&'static str>) {
    let slice_len = [13, 1000, 1 << 20][bytes.len() % 3];
    let mut opening = Opening { slice_len: Some(slice_len), format, ..Opening::default() };
    let mut opened = harness::open(&[(name, bytes)], &opening);
    if let Outcome::Choose(asked) = &opened.outcome {
        let first = |(path, entries): &(String, Vec<_>)| {
            let entry: &traceloupe_protocol::messages::EntryLine = entries.first()?;
            Some((path.clone(), entry.index))
        };
        opening.entries = Some(asked.iter().filter_map(first).collect());
        opened = harness::open(&[(name, bytes)], &opening);
    }
    check_outline(&opened);
    let Outcome::Outline(outline) = &opened.outcome else { return };
    let ids = event_ids(outline);
    let step = (ids.len() / MAX_OPENED_ROWS).max(1);
    for id in ids.into_iter().step_by(step) {
        check_event(&mut opened, id);
    }
}
