//! How long calls waited, and for what.

use crate::{about, duration};
use traceloupe_core::model::WaitFor;

/// That a call waited, beside its name.
#[must_use]
pub fn waited(what: WaitFor, ms: f64) -> String {
    match what {
        WaitFor::User => format!("waited {} for the user", duration(ms)),
        WaitFor::ApprovalProbably => {
            format!("waited {}, probably for approval", about(duration(ms)))
        }
        WaitFor::OtherCalls => "recorded with other calls, own time unknown".to_owned(),
    }
}

/// A pause on an axis or before a turn, where there is little room: whether it was waiting, and how long.
#[must_use]
pub fn pause(what: Option<WaitFor>, ms: f64) -> String {
    match what {
        Some(WaitFor::User) => format!("waited {}", duration(ms)),
        Some(WaitFor::ApprovalProbably) => format!("waited {}", about(duration(ms))),
        Some(WaitFor::OtherCalls) | None => format!("{} idle", duration(ms)),
    }
}

/// The same, with what was waited for.
#[must_use]
pub fn whole_pause(what: Option<WaitFor>, ms: f64) -> String {
    match what {
        Some(what @ (WaitFor::User | WaitFor::ApprovalProbably)) => waited(what, ms),
        Some(WaitFor::OtherCalls) | None => pause(what, ms),
    }
}

/// The duration of a call of which only the time until its result is known.
#[must_use]
pub fn at_most(ms: f64) -> String {
    match duration(ms) {
        known if known.is_empty() => known,
        known => format!("at most {known}, from call to result"),
    }
}
