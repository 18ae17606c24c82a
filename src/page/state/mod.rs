//! The state of the areas of the screen: handles and data without behaviour. It is the lowest area of the page, so that
//! [`Trace`](crate::app::trace::Trace) and [`Pane`](crate::app::pane::Pane) can consist of the states of all areas, and
//! areas need not import each other to read each other's state.

pub mod annotations;
pub mod checks;
pub mod event;
pub mod export;
pub mod filter;
pub mod handoff;
pub mod opening;
pub mod replay;
pub mod runs;
pub mod search;
pub mod timeline;
