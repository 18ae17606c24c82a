//! The sources of an opened trace, and the store that holds their bytes.

use crate::intake::problems;
use crate::intake::source::Source;
use crate::render::values::ReadError;
use crate::store::Store;
use traceloupe_core::model::{SourceId, Span};

/// All sources, in the order in which they were started, and their bytes.
#[derive(Debug)]
pub(crate) struct Files<S> {
    pub(crate) store: S,
    pub(crate) sources: Vec<Source>,
}

impl<S: Store> Files<S> {
    pub(crate) fn new(store: S) -> Self {
        Self { store, sources: Vec::new() }
    }

    pub(crate) fn source(&self, id: SourceId) -> Option<&Source> {
        self.sources.get(id.index())
    }

    pub(crate) fn source_mut(&mut self, id: SourceId) -> Option<&mut Source> {
        self.sources.get_mut(id.index())
    }

    /// Reads bytes that have been indexed. A span may extend beyond the end of its source, because the record of a
    /// truncated document was closed with brackets that are not in the file.
    ///
    /// # Errors
    /// If the store cannot read the bytes, or has fewer of them than when they were indexed.
    pub(crate) fn read(&self, span: Span) -> Result<Vec<u8>, ReadError> {
        let Some(source) = self.source(span.source) else {
            return Err(ReadError("There is no such file in this trace".to_owned()));
        };
        let bytes = self
            .store
            .read(source.handle, span.start, span.len as usize)
            .map_err(|reason| problems::read_error(&source.path, &reason))?;
        if bytes.len() < self.len_in_source(span) as usize {
            return Err(problems::read_error(&source.path, "the file is shorter than before"));
        }
        Ok(bytes)
    }

    /// How many bytes of a span are in its source.
    pub(crate) fn len_in_source(&self, span: Span) -> u32 {
        let len = self.source(span.source).map_or(0, |source| source.len_bytes);
        u32::try_from(len.saturating_sub(span.start)).map_or(span.len, |rest| span.len.min(rest))
    }
}
