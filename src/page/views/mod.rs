//! The views of a trace: the timeline, and views that only some traces offer.

pub mod compare;
pub mod compare_sides;
pub mod registry;
pub mod solutions;
pub mod tabs;
