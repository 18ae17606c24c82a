//! Message shapes that many formats share, each read once here.

pub mod openai;
