//! The contents of an opened row: blocks, values, media.

pub mod actions;
pub mod body;
pub mod change;
pub mod clicks;
pub mod code;
pub mod compare;
pub mod cost;
pub mod full_image;
pub mod heights;
pub mod json;
pub mod landing;
pub mod link;
pub mod media;
mod nodes;
pub mod prompt_change;
pub mod prose;
pub mod rendered;
mod repeats;
mod requesting_call;
mod tab;
pub mod values;
