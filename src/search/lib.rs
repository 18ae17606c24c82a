//! Queries, and where they match in text and in the bytes of a source.
//!
//! The search covers the trace as a user would read it: every string and key as decoded text (`\n`, `\u00e9`, `\/`),
//! every number and word as written, and anything that is not JSON as it is. A string that contains JSON is searched as
//! text first and, if that does not match, once more with its own escapes decoded.
//!
//! **Invariant.** The matches depend on the bytes alone, never on where the chunks end. Any bytes and any query take
//! time linear in the number of bytes.

mod anchors;
mod fold;
mod pattern;
mod query;
mod regex;
mod scanner;

pub use pattern::Pattern;
pub use query::{Fault, MAX_QUERY_CHARS, Query};
pub use scanner::{Hit, Scanner};
