//! Attributes of spans that say what an agent did: OpenTelemetry's GenAI conventions and the dialects beside them.

mod attributes;
pub mod dialects;
mod messages;

pub use attributes::{Attributes, plain, says_anything};
pub use messages::{Exchange, message};
