//! The message that the page shows when the worker has crashed.

use traceloupe_protocol::problem::Problem;

/// The problem to show when the worker has crashed with this error message.
#[must_use]
pub fn crashed(message: &str) -> Problem {
    let is_memory = ["memory", "allocation", "grow"].iter().any(|word| message.contains(word));
    match is_memory {
        true => Problem::OutOfMemory(message.to_owned()),
        false => Problem::Crash(message.to_owned()),
    }
}
