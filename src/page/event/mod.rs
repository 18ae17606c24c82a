//! The contents of an opened row: blocks, values, images, and the tabs made of them.

pub mod body;
pub mod exhibits;
pub mod full_image;
pub mod tabs;
pub mod value_actions;
pub mod values;
