//! Places in the sources: where the bytes of an event stand.

use super::SourceId;

/// A stretch of bytes in a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Span {
    /// The source that holds the bytes.
    pub source: SourceId,
    /// Offset of the first byte.
    pub start: u64,
    /// Length in bytes.
    pub len: u32,
}

/// A record's stretch of bytes, with the line that it begins on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The bytes.
    pub span: Span,
    /// The line of the first byte, counted from 1.
    pub line: u32,
}

/// One record of an event; the records of an event form a list in the order in which they were read.
/// The fields of a [`Place`] one by one, which leaves no gaps.
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
