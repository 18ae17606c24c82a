//! Message shapes that several formats share, written down once.

pub mod anthropic;
pub mod content;
pub mod conversation;
pub mod exit_code;
pub mod media;
mod pieces;
pub mod responses;
pub mod rpc;
pub mod step;
pub mod stream;
mod tags;
pub mod tokens;
pub(crate) mod tolerant;

pub(crate) use tolerant::{FromRaw, Raw, tolerant_object};
