//! What filled the context of an LLM call.

use serde::{Deserialize, Serialize};

use crate::columns::Column;

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

/// How many kinds of sources there are, if all tools are one.
pub const N_LAYERS: usize = 6;

impl ContextSource {
    /// The place of its kind among all kinds, from what is there first to what comes and goes.
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

/// What filled the contexts of several LLM calls of an agent, by kind of source. The parts are estimates as those of
/// [`ContextParts`].
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct ContextLayers {
    /// The event ids of the calls, in order.
    pub calls: Column<u32>,
    /// For each of them [`N_LAYERS`] numbers of tokens, which are its input tokens together.
    pub tokens: Column<f64>,
}

impl ContextLayers {
    /// The tokens of a call by [`ContextSource::layer`]; none if it is not among the calls.
    #[must_use]
    pub fn of(&self, call: u32) -> &[f64] {
        let at = self.calls.as_slice().iter().position(|it| *it == call);
        let of_call = at.and_then(|at| self.tokens.as_slice().chunks(N_LAYERS).nth(at));
        of_call.unwrap_or_default()
    }
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
