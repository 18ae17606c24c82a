//! The filter of rows: its line above the rows, and what there is to filter by.

pub mod bar;
pub mod by;
pub mod completion;
pub mod facets;
pub mod state;
