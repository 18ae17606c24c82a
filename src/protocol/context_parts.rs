//! The contents of the context of an LLM call.

use serde::{Deserialize, Serialize};

use crate::columns::Column;

/// The source of a part of the context.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum ContextSource {
    /// Content before the first message: instructions, descriptions of tools.
    Instructions,
    /// Messages from the user.
    Person,
    /// Output of the model: text, thinking, calls.
    Model,
    /// Results of a tool, by its name.
    Tool(String),
    /// Content that remained after a compaction.
    Compaction,
    /// Content that no row of the file accounts for.
    Unseen,
}

/// How many kinds of sources there are, if all tools count as one.
pub const N_LAYERS: usize = 6;

impl ContextSource {
    /// The index of its kind, from the most permanent content to the most transient.
    #[must_use]
    pub fn layer(&self) -> usize {
        match self {
            Self::Instructions => 0,
            Self::Compaction => 1,
            Self::Person => 2,
            Self::Model => 3,
            Self::Tool(_) => 4,
            Self::Unseen => 5,
        }
    }
}

/// The contents of the contexts of several LLM calls of an agent, by kind of source. The parts are estimates, like
/// those of [`ContextParts`].
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ContextLayers {
    /// The event ids of the calls, in order.
    pub calls: Column<u32>,
    /// [`N_LAYERS`] numbers of tokens for each call, whose sum is the call's input tokens.
    pub tokens: Column<f64>,
}

impl ContextLayers {
    /// The tokens of a call by [`ContextSource::layer`]; empty if it is not among the calls.
    #[must_use]
    pub fn of(&self, call: u32) -> &[f64] {
        let at = self.calls.as_slice().iter().position(|it| *it == call);
        let of_call = at.and_then(|at| self.tokens.as_slice().chunks(N_LAYERS).nth(at));
        of_call.unwrap_or_default()
    }
}

/// The contents of the context of an LLM call. The total is from the file, and the parts are estimates: each step is
/// assumed to have added the number of tokens by which the input of the next call has grown.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ContextParts {
    /// The event id of the call.
    pub call: u32,
    /// Its input tokens, including cached ones.
    pub tokens: u64,
    /// The sources and their tokens, the largest first.
    pub parts: Vec<(ContextSource, f64)>,
    /// The steps that added most and are still in the context: event id, summary, tokens; the largest first.
    pub largest: Vec<(u32, String, f64)>,
}
