//! Words that only the page shows, by area of the screen: labels, titles, buttons, sentences. Labels are in sentence case;
//! a single sentence has no full stop.
#![expect(missing_docs)] // a label needs no description beside its text

pub mod annotations;
pub mod app;
pub mod brief;
pub mod checks;
pub mod compare;
pub mod context;
pub mod costs;
pub mod event;
pub mod export;
pub mod files;
pub mod filter;
pub mod findings;
pub mod opening;
pub mod pane;
pub mod redaction;
pub mod replay;
pub mod runs;
pub mod search;
pub mod share;
pub mod shell;
pub mod statistics;
pub mod timeline;
pub mod views;
