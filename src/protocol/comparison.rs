//! The differences between two events, as sent to the page.

use serde::{Deserialize, Serialize};

use super::detail::ShownBlock;

/// The events to compare.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize)]
pub struct CompareRequest {
    /// Id of the event.
    pub id: u32,
    /// Id of the event to compare it with; `None` to choose one automatically.
    pub with: Option<u32>,
}

/// Why an event is compared with another one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum CompareReason {
    /// The user chose it.
    #[default]
    Chosen,
    /// It is the LLM call before this one, of the same agent.
    PreviousCall,
    /// It is the previous call of the same tool with the same arguments.
    SameArguments,
    /// It is the previous event of the same kind and name.
    SameName,
}

/// The differences between two events.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Comparison {
    /// The request.
    pub request: CompareRequest,
    /// Id of the earlier event; `None` if there is nothing to compare with.
    pub before: Option<u32>,
    /// Id of the later event: the two are in the order of the file, regardless of the request.
    pub after: u32,
    /// Why these two are compared.
    pub reason: CompareReason,
    /// The differences.
    pub blocks: Vec<ShownBlock>,
}
