//! The field that takes a search and a filter, the line of the filter above the rows, and what there is to filter by.

pub mod bar;
pub mod by;
pub mod completion;
pub mod facets;
pub mod field;
pub mod typed;
