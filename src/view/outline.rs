//! The outline of a trace as the page holds it: what the worker has sent, and what is derived from it for each row.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use traceloupe_analysis::Finding;
use traceloupe_core::model::{ErrorLabel, EventId};
use traceloupe_protocol::outline::{FindingLine, OutlineHead, RunLine};

use crate::agents::Agents;
use crate::findings_by_row::Loops;
use crate::row_columns::Rows;
use crate::stretches::Stretches;
use crate::turns::Turns;

/// The outline of a trace.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// Everything but the rows, as sent.
    pub head: OutlineHead,
    /// The rows.
    pub rows: Arc<Rows>,
    /// What the findings mean for each row.
    pub loops: Arc<Loops>,
    /// The steps that fold because they only look something up.
    pub steps: Arc<Stretches>,
    /// The turns of all runs.
    pub turns: Arc<Turns>,
    /// The sub-agents of all runs.
    pub agents: Arc<Agents>,
}

impl From<OutlineHead> for Outline {
    /// An outline without rows.
    fn from(head: OutlineHead) -> Self {
        Self { head, ..Self::default() }
    }
}

impl Deref for Outline {
    type Target = OutlineHead;

    fn deref(&self) -> &OutlineHead {
        &self.head
    }
}

impl DerefMut for Outline {
    fn deref_mut(&mut self) -> &mut OutlineHead {
        &mut self.head
    }
}

impl Outline {
    /// What the file states about the error of a row.
    #[must_use]
    pub fn error(&self, row: u32) -> ErrorLabel<&str> {
        let label = self.errors.get(self.rows.errors.get(row) as usize).copied();
        label.unwrap_or_default().map(|name| self.name(name))
    }

    /// The row of an event, or of the event that absorbed it.
    #[must_use]
    pub fn row_of(&self, id: u32) -> Option<u32> {
        self.rows.row_of(self.present(id))
    }

    /// A finding by its rows. Selecting it goes to its first event.
    #[must_use]
    pub fn line_of(&self, finding: &Finding) -> FindingLine {
        let row = |id: EventId| self.row_of(id.number()).unwrap_or(u32::MAX);
        FindingLine::new(finding, finding.place.first, &row)
    }

    /// The index in this outline of a run from an earlier outline. A run that turns out to be part
    /// of another one shifts all later runs; such a run maps to the run that now contains its first
    /// event.
    #[must_use]
    pub fn same_run(&self, old: &Self, run: u32) -> Option<u32> {
        let known = old.runs.get(run as usize)?;
        let is_same = |it: &RunLine| it.key == known.key && it.format == known.format;
        // Common case: nothing has moved.
        if self.runs.get(run as usize).is_some_and(is_same) {
            return Some(run);
        }
        let found = self.runs.iter().position(is_same).and_then(|at| u32::try_from(at).ok());
        found.or_else(|| {
            let first = (known.n_rows > 0).then(|| old.rows.ids.get(known.first_row))?;
            Some(self.run_of(self.row_of(first)?)?.0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::with_ids;

    #[test]
    fn runs_and_events_are_found_again_in_a_later_outline() {
        let run = |key: &str, format: &str, first_row, n_rows| RunLine {
            key: key.to_owned(),
            format: format.to_owned(),
            first_row,
            n_rows,
            ..RunLine::default()
        };
        let mut old = with_ids(&[0; 6], &[0, 1, 2, 3, 4, 5]);
        old.runs = vec![run("a", "f", 0, 2), run("b", "f", 2, 2), run("a", "g", 4, 2)];
        // Event 2 became part of event 0, and its run part of the first one.
        let mut new = with_ids(&[0; 5], &[0, 1, 3, 4, 5]);
        new.runs = vec![run("a", "f", 0, 3), run("a", "g", 3, 2)];
        new.absorbed = vec![(2, 0)];
        let runs = [0, 1, 2, 3].map(|at| new.same_run(&old, at));
        assert_eq!(runs, [Some(0), Some(0), Some(1), None]);
        let rows = [0, 1, 2, 3, 6].map(|id| new.row_of(id));
        assert_eq!(rows, [Some(0), Some(1), Some(0), Some(2), None]);
    }
}
