//! What filled the context of an LLM call.

use serde::{Deserialize, Serialize};

/// Where a part of the context comes from.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ContextSource {
    /// What was there before the first message: instructions, descriptions of tools.
    Instructions,
    /// Messages of the person.
    Person,
    /// What the model wrote: text, thinking, calls.
    Model,
    /// Results of a tool, by its name.
    Tool(String),
    /// What a compaction left.
    Compaction,
    /// What no row of the file accounts for.
    Unseen,
}

/// What filled the context of an LLM call. The total is from the file, the parts are estimates: a step is
/// taken to have added what the input of the next call has grown by.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ContextParts {
    /// The event id of the call.
    pub call: u32,
    /// Its input tokens, including cached ones.
    pub tokens: u64,
    /// The sources and their tokens, the largest first.
    pub parts: Vec<(ContextSource, f64)>,
    /// The steps that added most and are still there: event id, words, tokens; the largest first.
    pub largest: Vec<(u32, String, f64)>,
}
