//! All words of the page, by area: labels, titles, buttons, sentences. Sentences that the worker writes too are
//! in `traceloupe_words`. Labels are in sentence case; a single sentence has no full stop.

pub mod annotations;
pub mod app;
pub mod checks;
pub mod compare;
pub mod counts;
pub mod event;
pub mod export;
pub mod files;
pub mod filter;
pub mod opening;
pub mod outcomes;
pub mod pane;
pub mod replay;
pub mod runs;
pub mod search;
pub mod shell;
pub mod timeline;
pub mod views;
