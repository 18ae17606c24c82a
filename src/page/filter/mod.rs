//! The field for search and filter, the filter bar above the rows, and the facets to filter by.

pub mod bar;
pub mod by;
pub mod completion;
pub mod facets;
pub mod field;
pub mod typed;
