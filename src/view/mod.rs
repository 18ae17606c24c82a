//! View models: what is shown of a trace, without a browser. Split by who uses it: [`wire`] travels
//! between the worker and the page, [`worker`] is made in the worker, [`page`] is asked for by the page.
//! Everything is a pure function, so that components have no arithmetic of their own.

pub mod page;
pub mod route;
pub mod wire;
pub mod words;
#[cfg(feature = "reader")]
pub mod worker;
