//! Places in the sources: where the bytes of an event are.

use super::SourceId;

/// A range of bytes in a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Span {
    /// The source that contains the bytes.
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

/// How many bits encode which item of a record an event is. Because they share one number with the source, a record
/// takes 24 bytes instead of 32.
const ITEM_BITS: u32 = 12;

/// The last item of a record that can be distinguished from the others.
const MAX_ITEM: u16 = (1 << ITEM_BITS) - 1;

/// The last source that can be distinguished from the others.
const MAX_SOURCE: u32 = (1 << (32 - ITEM_BITS)) - 1;

/// One record of an event, as a node of a linked list in the order of reading. It has the fields of a [`Place`]
/// separately, to avoid padding.
#[derive(Clone, Copy, Debug)]
pub(super) struct RecordNode {
    start: u64,
    /// The source in the upper bits; in the lower [`ITEM_BITS`], the item of the record that the event is.
    source_and_item: u32,
    len: u32,
    line: u32,
    pub(super) next: u32,
}

impl RecordNode {
    pub(super) fn new(place: Place, item: u16, next: u32) -> Self {
        let Place { span: Span { source, start, len }, line } = place;
        let source = source.number().min(MAX_SOURCE);
        let source_and_item = source << ITEM_BITS | u32::from(item.min(MAX_ITEM));
        Self { start, source_and_item, len, line, next }
    }

    pub(super) fn place(self) -> Place {
        let Self { start, source_and_item, len, line, .. } = self;
        let source = SourceId::from_index((source_and_item >> ITEM_BITS) as usize);
        Place { span: Span { source, start, len }, line }
    }

    /// Which item of the record the event is.
    pub(super) fn item(self) -> u16 {
        (self.source_and_item & u32::from(MAX_ITEM)) as u16
    }
}
