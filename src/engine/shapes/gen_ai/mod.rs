//! Attributes of spans that describe the work of an agent: OpenTelemetry's GenAI conventions and related dialects.

mod attributes;
pub mod beeai;
pub mod dialects;
mod messages;

pub use attributes::{Attributes, plain, says_anything};
pub use messages::{Exchange, message};
