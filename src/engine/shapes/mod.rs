//! Message shapes that several formats share.

pub mod content;
pub mod conversation;
pub mod exit_code;
pub mod failure;
pub mod gen_ai;
pub mod media;
mod pieces;
pub mod responses;
pub mod rpc;
pub mod step;
pub mod stream;
mod tags;
