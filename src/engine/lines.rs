//! Line numbers of the items of a document.

use super::Record;

/// Computes the line number of each item of a document, in one pass over the items.
pub struct LineCounter<'a> {
    text: &'a str,
    start: u64,
    seen: usize,
    line: u32,
}

impl<'a> LineCounter<'a> {
    /// Counts within a document.
    #[must_use]
    pub fn new(document: &Record<'a>) -> Self {
        Self { text: document.text, start: document.start, seen: 0, line: document.line }
    }

    /// The item with its line. Items must come in the order of the document.
    #[must_use]
    pub fn place<'b>(&mut self, item: Record<'b>) -> Record<'b> {
        let at = usize::try_from(item.start.saturating_sub(self.start)).unwrap_or(0);
        if let Some(between) = self.text.as_bytes().get(self.seen..at) {
            let lines = memchr::memchr_iter(b'\n', between).count();
            self.line = self.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
            self.seen = at;
        }
        Record { line: self.line, ..item }
    }
}
