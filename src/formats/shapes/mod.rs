//! Message shapes that several formats share, written down once.

pub mod anthropic;
pub mod openai;
pub(crate) mod tolerant;

pub(crate) use tolerant::{FromRaw, Raw, tolerant_object};
