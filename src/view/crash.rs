//! The message that the page shows when the worker has crashed.

use traceloupe_protocol::messages::Problem;
use traceloupe_protocol::problem::ProblemCode;

/// The problem to show when the worker has crashed with this error message.
#[must_use]
pub fn crashed(message: &str) -> Problem {
    let memory = ["memory", "allocation", "grow"].iter().any(|word| message.contains(word));
    if memory {
        return Problem {
            code: ProblemCode::OutOfMemory,
            what: "The trace needs more memory than this browser tab can use".to_owned(),
            next: "Split the file, or open only the run that you need; the page itself is fine"
                .to_owned(),
            details: message.to_owned(),
        };
    }
    Problem {
        code: ProblemCode::Crash,
        what: "The reader crashed. This is a bug in Traceloupe, not a problem with your file".to_owned(),
        next: "Open the file again, or another one; the page itself is fine. Please report it with the details below".to_owned(),
        details: message.to_owned(),
    }
}
