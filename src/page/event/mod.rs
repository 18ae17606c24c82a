//! The contents of an opened row: blocks, values, images, and the tabs made of them.

pub mod actions;
pub mod body;
pub mod exhibits;
pub mod full_image;
pub mod state;
pub mod values;
