//! View models of the page: rows, previews, blocks of an opened row, words. Pure functions from the
//! trace (in the worker) or the outline (on the page) to what is drawn; no component has arithmetic
//! of its own.

pub mod annotations;
pub mod ansi;
pub mod assembly;
pub mod columns;
pub mod context_use;
pub mod detail;
pub mod diff;
pub mod exhibits;
pub mod filter;
pub mod finding_words;
pub mod highlight;
pub mod hits;
pub mod json_lines;
pub mod line_view;
pub mod look;
pub mod loops;
pub mod opened;
pub mod outline;
pub mod outlining;
pub mod position;
pub mod preview;
pub mod replay;
pub mod route;
pub mod row_columns;
pub mod rows;
pub mod run_filter;
pub mod scroll;
pub mod statistics;
pub mod values;
pub mod words;

#[cfg(test)]
mod testing;
