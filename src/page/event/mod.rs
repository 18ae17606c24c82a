//! The contents of an opened row: blocks, values, images.

pub mod actions;
pub mod body;
pub mod full_image;
pub mod state;
pub mod values;
