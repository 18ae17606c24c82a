//! The list of lines: which rows are shown, in which order, what is folded, and what each line shows.

pub mod folds;
pub mod form;
pub mod line;
pub mod line_view;
pub mod merged;
pub mod mode;
pub mod scope;
pub mod visible_lines;
