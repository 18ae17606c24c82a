//! How a trace comes onto the page: files, addresses, messages, growing files, and what has been opened.

pub mod appending;
pub mod arrival;
pub mod arriving;
pub mod beginning;
pub mod boot;
pub mod empty;
pub mod following;
pub mod intake;
pub mod live;
pub mod messages;
pub mod openings;
pub mod spare;
pub mod ways_in;
