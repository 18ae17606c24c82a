//! View models: what the interface shows of a trace, computed without a browser. [`wire`] holds the
//! types that travel between the worker and the page, [`page`] the code that runs on the page; what runs in the
//! worker is in the package `traceloupe-answers`. Everything here is a pure function, so components contain no
//! arithmetic.

pub mod page;
pub mod route;
pub mod text;
pub mod wire;
pub mod words;
