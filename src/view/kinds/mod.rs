//! What kinds of rows there are for a reader, and how each of them looks: its icon, and its word in styles and filters.

pub mod icon;
pub mod look;
pub mod row_kind;
