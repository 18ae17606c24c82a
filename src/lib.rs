//! Traceloupe reads AI agent traces in the browser.
//!
//! The code is in the packages of the folders beside this file; `ARCHITECTURE.md` has the map. This package holds the
//! integration tests and the examples.
