//! Places in the sources: where the bytes of an event are.

use super::SourceId;

/// A range of bytes in a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Span {
    /// The source that holds the bytes.
    pub source: SourceId,
    /// Offset of the first byte.
    pub start: u64,
    /// Length in bytes.
    pub len: u32,
}

/// The byte range of a record, with the line it starts on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The bytes.
    pub span: Span,
    /// The line of the first byte, from 1.
    pub line: u32,
}

/// One record of an event, as a node of a linked list in the order of reading. It holds the fields
/// of a [`Place`] one by one, to avoid padding.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    start: u64,
    source: SourceId,
    len: u32,
    line: u32,
    pub(super) next: u32,
}

impl Part {
    pub(super) fn new(place: Place, next: u32) -> Self {
        let Place { span: Span { source, start, len }, line } = place;
        Self { start, source, len, line, next }
    }

    pub(super) fn place(self) -> Place {
        let Self { start, source, len, line, .. } = self;
        Place { span: Span { source, start, len }, line }
    }
}
