//! The rows of an outline as flat columns: the columns as sent, and the columns derived from them.

use traceloupe_protocol::columns::Column;
use traceloupe_protocol::row_columns::RowSlice;

/// Means "no row".
pub const NO_ROW: u32 = u32::MAX;

/// All rows: the columns as sent and those derived from them, one entry per row.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// The columns as sent.
    pub sent: RowSlice,
    /// How many of the rows directly after this one are nested in it, at any depth.
    pub nested: Column<u32>,
    /// The parent row; [`NO_ROW`] for roots.
    pub parents: Column<u32>,
    /// Position among the rows with the same parent, from 1.
    pub positions: Column<u32>,
    /// Number of direct children.
    pub children: Column<u32>,
    /// How many of those are tool calls.
    pub tool_children: Column<u32>,
    /// The row of each event, by event id.
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
