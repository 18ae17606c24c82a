//! Whether a session is still reading or has a complete trace. Jobs work on this state.

use crate::intake::Intake;
use traceloupe_core::model::Trace;

/// The state of a session.
pub(super) enum State {
    Reading(Box<Intake>),
    Done(Box<Done>),
}

/// A complete trace.
pub(super) struct Done {
    pub(super) trace: Trace,
    pub(super) bytes_read: u64,
    /// Whether the user has stopped the reading.
    pub(super) is_stopped: bool,
}

impl State {
    /// The trace as far as it has been read.
    pub(super) fn trace(&self) -> &Trace {
        match self {
            Self::Reading(intake) => intake.builder.trace(),
            Self::Done(done) => &done.trace,
        }
    }
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Reading(_) => "Reading",
            Self::Done(_) => "Done",
        })
    }
}
