//! View models: what the interface shows of a trace, computed without a browser. [`wire`] holds the
//! types that travel between the worker and the page, [`worker`] the code that runs in the worker,
//! [`page`] the code that runs on the page. Everything here is a pure function, so components
//! contain no arithmetic.

pub mod page;
pub mod route;
pub mod text;
pub mod wire;
pub mod words;
#[cfg(feature = "reader")]
pub mod worker;
