//! How a trace comes onto the page: files, addresses, messages, growing files, and what has been opened.

pub mod actions;
pub mod address;
pub mod append;
pub mod empty;
pub mod follow;
pub mod history;
pub mod intake;
pub mod live;
pub mod loading;
pub mod messages;
pub mod outline;
pub mod spare;
pub mod state;
pub mod ways_in;
