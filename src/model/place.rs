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
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// Where the record stands.
    pub place: Place,
    pub(super) next: u32,
}
