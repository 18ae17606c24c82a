//! The rows of an outline as flat columns: what is sent of them, and what the page keeps.

use serde::{Deserialize, Serialize};

use crate::view::wire::columns::Column;

/// Stands for no row.
pub const NO_ROW: u32 = u32::MAX;

/// So many rows are sent at once: a message of less than a megabyte, taken in within a few milliseconds.
pub const SLICE_ROWS: u32 = 16_384;

/// What is sent of some rows, one entry a row. All that follows from depths and kinds is worked out
/// where they arrive.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RowSlice {
    /// Ids of the events, for requests to the worker.
    pub ids: Column<u32>,
    /// [`crate::model::EventKind`] codes.
    pub kinds: Column<u8>,
    /// [`crate::model::Status`] codes.
    pub statuses: Column<u8>,
    /// [`crate::model::Flags`] bits.
    pub flags: Column<u16>,
    /// Nesting depth, 0 for roots.
    pub depths: Column<u16>,
    /// Index into the outline's names.
    pub names: Column<u32>,
    /// Index into the outline's names: the error type.
    pub errors: Column<u32>,
    /// Start in milliseconds since 1970; NaN where unknown.
    pub starts_ms: Column<f64>,
    /// Duration in milliseconds; NaN where unknown.
    pub durations_ms: Column<f64>,
    /// Tokens into the model, cached ones included; NaN where unknown.
    pub tokens_in: Column<f64>,
    /// Tokens out of the model; NaN where unknown.
    pub tokens_out: Column<f64>,
}

impl RowSlice {
    /// Puts other rows behind these.
    pub fn extend(&mut self, other: &Self) {
        self.ids.extend(&other.ids);
        self.kinds.extend(&other.kinds);
        self.statuses.extend(&other.statuses);
        self.flags.extend(&other.flags);
        self.depths.extend(&other.depths);
        self.names.extend(&other.names);
        self.errors.extend(&other.errors);
        self.starts_ms.extend(&other.starts_ms);
        self.durations_ms.extend(&other.durations_ms);
        self.tokens_in.extend(&other.tokens_in);
        self.tokens_out.extend(&other.tokens_out);
    }

    /// Makes room for so many more rows, so that no column moves while they come.
    pub fn reserve(&mut self, n: usize) {
        self.ids.reserve(n);
        self.kinds.reserve(n);
        self.statuses.reserve(n);
        self.flags.reserve(n);
        self.depths.reserve(n);
        self.names.reserve(n);
        self.errors.reserve(n);
        self.starts_ms.reserve(n);
        self.durations_ms.reserve(n);
        self.tokens_in.reserve(n);
        self.tokens_out.reserve(n);
    }
}

/// All rows: what was sent of them, and what follows from it, one entry a row.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// What was sent.
    pub sent: RowSlice,
    /// How many rows right behind this one are nested in it.
    pub nested: Column<u32>,
    /// The row that this one is nested in; [`NO_ROW`] for roots.
    pub parents: Column<u32>,
    /// Position among the rows of the same parent, from 1.
    pub positions: Column<u32>,
    /// How many rows are nested directly in this one.
    pub children: Column<u32>,
    /// How many of these are tool calls.
    pub tool_children: Column<u32>,
    /// The row of each event, by its id.
    pub rows_of: Column<u32>,
}

impl std::ops::Deref for Rows {
    type Target = RowSlice;

    fn deref(&self) -> &RowSlice {
        &self.sent
    }
}

impl Rows {
    /// The row of an event.
    #[must_use]
    pub fn row_of(&self, id: u32) -> Option<u32> {
        let row = self.rows_of.get(id);
        (row < self.ids.len() && self.ids.get(row) == id).then_some(row)
    }
}
