//! What the worker makes of a trace, without a browser: a session that holds the trace and answers the page, rows and
//! values as they are shown, checks against expectations, exports.
//!
//! A package of its own, because the library is made for speed and this is made for size: it answers a person, and
//! does not run over every byte of a file.

pub mod expect;
pub mod export;
pub mod session;
pub mod view;
