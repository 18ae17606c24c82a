//! Newtypes for the indices into the tables of a trace. Only the builder makes them.

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub(super) u32);

        impl $name {
            /// The place in its table, counted from 0.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The id at a place in its table. Looking up an id that is out of range gives `None`.
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
    /// An event, in the order of reading.
    EventId
);
id!(
    /// An interned name: a tool, a model, an error type. [`NameId::NONE`] is the empty name.
    NameId
);

impl NameId {
    /// The empty name, meaning "not known".
    pub const NONE: Self = Self(0);
}
