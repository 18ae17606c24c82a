//! The kinds of rows as the user sees them, and the look of each: its icon, and its word in styles and filters.

pub mod icon;
pub mod look;
pub mod row_kind;
