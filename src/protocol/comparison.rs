//! What differs between two events, as sent to the page.

use serde::{Deserialize, Serialize};

use super::detail::ShownBlock;

/// What is compared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct CompareRequest {
    /// Id of the event.
    pub id: u32,
    /// Id of the event that it is compared with; `None` for the one that suits it.
    pub with: Option<u32>,
}

/// Why an event is compared with another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum CompareReason {
    /// The reader has chosen it.
    #[default]
    Chosen,
    /// It is the LLM call before this one, of the same agent.
    PreviousCall,
    /// It is the last call before this one of the same tool with the same arguments.
    SameArguments,
    /// It is the last event before this one of the same kind and name.
    SameName,
}

/// What differs between two events.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Comparison {
    /// What was asked for.
    pub request: CompareRequest,
    /// Id of the earlier event; `None` if there is nothing to compare with.
    pub before: Option<u32>,
    /// Id of the later event: the two are in the order of the file, whichever was asked about.
    pub after: u32,
    /// Why these two.
    pub reason: CompareReason,
    /// What differs.
    pub blocks: Vec<ShownBlock>,
}
