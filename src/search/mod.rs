//! A query, and where it stands in text and in the bytes of a source.
//!
//! What is searched is what a reader of the trace would read: every string and every key as the text
//! it means (`\n`, `\u00e9`, `\/` seen through), every number and word as it is written, and what is
//! no JSON at all as it stands. A string that holds JSON is searched as that text, and where it does
//! not have the query, once more with its own escapes seen through.
//!
//! **Invariant.** What is found depends on the bytes alone, never on where the pieces end in which
//! they come. Any bytes and any query end in time linear in the bytes.

mod anchors;
mod fold;
mod pattern;
mod query;
mod regex;
mod scanner;

pub use pattern::Pattern;
pub use query::{Fault, MAX_QUERY_CHARS, Query};
pub use scanner::{Hit, Scanner};
