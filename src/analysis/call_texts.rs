//! The texts of calls, which the index does not hold.

use traceloupe_core::model::EventId;

/// The texts of a call.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CallText {
    /// Its command, or what it types; empty if that is known to be nothing, `None` if its arguments are something else.
    pub command: Option<String>,
    /// Whether the command is typed into a program that runs.
    pub is_typed: bool,
    /// Whether its arguments have the whole text of a file that it writes.
    pub writes_file: bool,
    /// Its result, whole; `None` if it has none, or if it is too long to be compared.
    pub result: Option<String>,
}

/// Reads calls again.
pub trait CallTexts {
    /// The texts of a call; `None` if they cannot be read.
    fn of_call(&self, id: EventId) -> Option<CallText>;
}

/// No texts: for a trace that is still being read. Results are compared as they are written.
#[derive(Clone, Copy, Debug)]
pub struct NoTexts;

impl CallTexts for NoTexts {
    fn of_call(&self, _: EventId) -> Option<CallText> {
        None
    }
}
