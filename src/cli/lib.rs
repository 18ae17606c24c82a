//! The command `traceloupe` without its host: opens files in a session, asks for what the page asks for, and makes briefs,
//! summaries and checks of it. [`Opened`] is the way in. `main.rs` connects it to Node.
//!
//! Everything is made of the same values as on the page, so the figures are the same.

mod brief;
mod checks;
mod json;
mod opened;
mod redaction;
mod summary;

pub use brief::{Known, brief_of, known};
pub use checks::{Check, Failed, failed, failed_text};
pub use json::{failed_json, summary_json};
pub use opened::Opened;
pub use redaction::{Redacted, redacted};
pub use summary::summary;
