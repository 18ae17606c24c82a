//! Ids: indices into the tables of a trace. Only the builder creates them.

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize,
        )]
        pub struct $name(pub(super) u32);

        impl $name {
            /// The index in the table, from 0.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The index as it is sent to the page.
            #[must_use]
            pub fn number(self) -> u32 {
                self.0
            }

            /// The id for an index. Looking up an id that is out of range gives `None`.
            #[must_use]
            pub fn from_index(index: usize) -> Self {
                Self(u32::try_from(index).unwrap_or(u32::MAX))
            }
        }
    };
}

id!(
    /// A file, an archive entry, or bytes derived from one (see `session`).
    SourceId
);
id!(
    /// A run.
    RunId
);
id!(
    /// A lane: the events of one agent of a run.
    LaneId
);
id!(
    /// An event, numbered in the order of reading. Ids do not change when the trace is finished.
    EventId
);
id!(
    /// An interned name: a tool, a model, an error type. [`NameId::NONE`] is the empty name.
    NameId
);

id!(
    /// What the file states about an error, interned. [`ErrorId::NONE`] stands for nothing.
    ErrorId
);

impl ErrorId {
    /// The file states nothing about an error.
    pub const NONE: Self = Self(0);
}

impl NameId {
    /// The empty name, meaning "not known".
    pub const NONE: Self = Self(0);
}
