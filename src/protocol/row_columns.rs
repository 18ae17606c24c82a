//! The rows of an outline as flat columns.

use serde::{Deserialize, Serialize};

use crate::columns::Column;
use traceloupe_core::model::{CallOutcome, Flags, TimeBasis, WaitFor};

/// Rows per message. This keeps a message below a megabyte and its processing to a few
/// milliseconds.
pub const SLICE_ROWS: u32 = 16_384;

/// A slice of rows as sent, one entry per row. The receiver computes everything that can be derived from depths and
/// kinds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RowSlice {
    /// Event ids, used in requests to the worker.
    pub ids: Column<u32>,
    /// [`traceloupe_core::model::EventKind`] codes.
    pub kinds: Column<u8>,
    /// [`traceloupe_core::model::CallOutcome`] codes.
    pub statuses: Column<u8>,
    /// [`traceloupe_core::model::Flags`] bits.
    pub flags: Column<u16>,
    /// Nesting depth, 0 for roots.
    pub depths: Column<u16>,
    /// The agent, as an index into the lanes of the run.
    pub lanes: Column<u16>,
    /// Index into the outline's names.
    pub names: Column<u32>,
    /// What the file states about the error, as an index into the outline's errors.
    pub errors: Column<u32>,
    /// Start in milliseconds since 1970, after a wait that preceded the work; NaN if unknown.
    pub starts_ms: Column<f64>,
    /// Duration in milliseconds; NaN if unknown, and for a row that only waited.
    pub durations_ms: Column<f64>,
    /// Input tokens, including cached ones; NaN if unknown.
    pub tokens_in: Column<f64>,
    /// Output tokens; NaN if unknown.
    pub tokens_out: Column<f64>,
    /// Token counts beyond input and output, with four numbers per call that has any of them, in order of rows: the
    /// row, tokens read from a cache, tokens written to a cache, and reasoning tokens. See [`RowSlice::shares_of`].
    pub shares: Column<u32>,
    /// Rows of the calls whose cost the file states, in order.
    pub given_rows: Column<u32>,
    /// Those costs, in dollars.
    pub given_dollars: Column<f64>,
    /// The rows that waited, in order. See [`traceloupe_core::model::Wait`].
    pub waits: Vec<RowWait>,
}

/// The time for which a row waited.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RowWait {
    /// The row.
    pub row: u32,
    /// What it waited for.
    pub what: WaitFor,
    /// When it began to wait, in milliseconds since 1970.
    pub from_ms: f64,
    /// When it ended, in milliseconds since 1970.
    pub to_ms: f64,
}

impl RowWait {
    /// The length of the wait, in milliseconds.
    #[must_use]
    pub fn len_ms(&self) -> f64 {
        (self.to_ms - self.from_ms).max(0.0)
    }
}

/// How many numbers in [`RowSlice::shares`] there are per call.
const SHARES: usize = 4;

/// Stands for the tokens read from a cache if the other input tokens are unknown.
pub const ONLY_CACHED: u32 = u32::MAX;

impl RowSlice {
    /// Appends the rows of another slice.
    pub fn extend(&mut self, other: &Self) {
        self.ids.extend(&other.ids);
        self.kinds.extend(&other.kinds);
        self.statuses.extend(&other.statuses);
        self.flags.extend(&other.flags);
        self.depths.extend(&other.depths);
        self.lanes.extend(&other.lanes);
        self.names.extend(&other.names);
        self.errors.extend(&other.errors);
        self.starts_ms.extend(&other.starts_ms);
        self.durations_ms.extend(&other.durations_ms);
        self.tokens_in.extend(&other.tokens_in);
        self.tokens_out.extend(&other.tokens_out);
        self.shares.extend(&other.shares);
        self.given_rows.extend(&other.given_rows);
        self.given_dollars.extend(&other.given_dollars);
        self.waits.extend_from_slice(&other.waits);
    }

    /// Tokens of a call that were read from a cache, written to a cache, and used for reasoning; 0 if the file does not
    /// state them. The first is [`ONLY_CACHED`] if nothing else is known about the input.
    #[must_use]
    pub fn shares_of(&self, row: u32) -> [u32; 3] {
        let (calls, _) = self.shares.as_slice().as_chunks::<SHARES>();
        let found = calls.binary_search_by_key(&row, |[row, ..]| *row).ok();
        found.and_then(|at| calls.get(at)).map_or([0; 3], |[_, shares @ ..]| *shares)
    }

    /// The cost of a call in dollars, if the file states it.
    #[must_use]
    pub fn given_dollars_of(&self, row: u32) -> Option<f64> {
        let at = self.given_rows.as_slice().binary_search(&row).ok()?;
        self.given_dollars.as_slice().get(at).copied()
    }

    /// The time for which a row waited, if it did.
    #[must_use]
    pub fn wait_of(&self, row: u32) -> Option<RowWait> {
        let at = self.waits.binary_search_by_key(&row, |wait| wait.row).ok()?;
        self.waits.get(at).copied()
    }

    /// The outcome of the event in a row.
    #[must_use]
    pub fn outcome(&self, row: u32) -> CallOutcome {
        CallOutcome::from_code(self.statuses.get(row))
    }

    /// The basis of a row's duration.
    #[must_use]
    pub fn time_basis(&self, row: u32) -> TimeBasis {
        Flags::from_bits(self.flags.get(row)).basis_of(!self.durations_ms.get(row).is_nan())
    }

    /// Reserves space for `n` more rows, so that appending does not move the columns.
    pub fn reserve(&mut self, n: usize) {
        self.ids.reserve(n);
        self.kinds.reserve(n);
        self.statuses.reserve(n);
        self.flags.reserve(n);
        self.depths.reserve(n);
        self.lanes.reserve(n);
        self.names.reserve(n);
        self.errors.reserve(n);
        self.starts_ms.reserve(n);
        self.durations_ms.reserve(n);
        self.tokens_in.reserve(n);
        self.tokens_out.reserve(n);
    }
}
