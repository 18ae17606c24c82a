//! Cuts the records of events out of their sources, as files that can be opened again. The records must be lines.

use super::store::{Handle, Store};
use crate::intake::files::Files;
use crate::render::values::ReadError;
use std::collections::VecDeque;
use traceloupe_core::model::{SourceId, Span, Trace};
use traceloupe_protocol::messages::MadeFile;

/// How many bytes are copied in one step.
const PIECE_BYTES: u64 = 1 << 20;

/// A job that cuts records out of their sources.
#[derive(Debug)]
pub(super) struct Excerpt {
    ids: Vec<u32>,
    /// The ranges that are still to be copied, by source; `None` before they are known.
    ranges: Option<VecDeque<Range>>,
    /// The files, the last of which is being written.
    made: Vec<(SourceId, MadeFile)>,
}

/// Bytes of a source to copy.
#[derive(Clone, Copy, Debug)]
struct Range {
    source: SourceId,
    start: u64,
    end: u64,
    /// The next byte to copy.
    at: u64,
    /// Whether it is the whole source, which need not consist of lines.
    is_source: bool,
}

/// What a step has come to.
#[derive(Debug)]
pub(super) enum Outcome {
    /// There is more to copy.
    Working,
    /// The files are complete.
    Files(Vec<MadeFile>),
    /// The records are not lines, so they cannot be cut out.
    NotLines,
}

impl Excerpt {
    pub(super) fn new(ids: &[u32]) -> Self {
        Self { ids: ids.to_vec(), ranges: None, made: Vec::new() }
    }

    /// Starts again, because events have been joined.
    pub(super) fn restart<S: Store>(&mut self, files: &mut Files<S>) {
        self.drop_files(files);
        self.ranges = None;
    }

    /// Drops what has been written.
    pub(super) fn drop_files<S: Store>(&mut self, files: &mut Files<S>) {
        for (_, file) in self.made.drain(..) {
            files.store.remove(Handle(file.handle));
        }
    }

    /// Copies some bytes.
    pub(super) fn step<S: Store>(
        &mut self,
        files: &mut Files<S>,
        trace: &Trace,
    ) -> Result<Outcome, ReadError> {
        let Some(ranges) = &mut self.ranges else {
            let Some(ranges) = ranges_of(files, trace, &self.ids) else {
                return Ok(Outcome::NotLines);
            };
            self.ranges = Some(ranges);
            return Ok(Outcome::Working);
        };
        let mut n_left = PIECE_BYTES;
        while let Some(mut range) = ranges.pop_front() {
            let into = file_for(&mut self.made, files, range.source);
            n_left = n_left.saturating_sub(range.end - range.at);
            if !range.copy(files, into)? {
                return Ok(Outcome::NotLines);
            }
            if range.at < range.end {
                ranges.push_front(range);
            }
            if n_left == 0 {
                return Ok(Outcome::Working);
            }
        }
        let mut made: Vec<MadeFile> = self.made.drain(..).map(|(_, file)| file).collect();
        for file in &mut made {
            file.len = files.store.len(Handle(file.handle));
        }
        Ok(Outcome::Files(made))
    }
}

/// The file that records of a source are copied to.
fn file_for<S: Store>(
    made: &mut Vec<(SourceId, MadeFile)>,
    files: &mut Files<S>,
    source: SourceId,
) -> Handle {
    if let Some((_, file)) = made.last().filter(|(of, _)| *of == source) {
        return Handle(file.handle);
    }
    let handle = files.store.create();
    let file = MadeFile {
        name: files.source(source).map_or(String::new(), |it| it.path.clone()),
        media: "application/octet-stream".to_owned(),
        handle: handle.0,
        is_made: true,
        ..MadeFile::default()
    };
    made.push((source, file));
    handle
}

impl Range {
    fn of(span: Span) -> Self {
        let Span { source, start, len } = span;
        Self { source, start, end: start + u64::from(len), at: start, is_source: false }
    }

    /// Copies the next bytes. Returns whether they are lines, as far as can be seen from the bytes around them.
    fn copy<S: Store>(&mut self, files: &mut Files<S>, into: Handle) -> Result<bool, ReadError> {
        let to = self.end.min(self.at + PIECE_BYTES);
        let from = if self.at == self.start { self.at.saturating_sub(1) } else { self.at };
        // One byte more, which ends the line. The last line of a file may have no end.
        let len = u32::try_from(to + 1 - from).unwrap_or(u32::MAX);
        let bytes = files.read(Span { source: self.source, start: from, len })?;
        let inside = |at: u64| usize::try_from(at - from).unwrap_or(usize::MAX).min(bytes.len());
        let (before, rest) = bytes.split_at(inside(self.at));
        let (body, after) = rest.split_at(inside(to) - before.len());
        files.store.append(into, body);
        self.at = to;
        if self.is_source {
            return Ok(true);
        }
        if to == self.end {
            files.store.append(into, b"\n");
        }
        let ends_line = to < self.end || matches!(after, [] | [b'\n' | b'\r']);
        Ok(ends_line && matches!(before, [] | [b'\n']))
    }
}

/// What all events of a source together say about it.
struct Extent {
    first: Range,
    /// The start of its last record.
    last_start: u64,
    has_wanted: bool,
    has_others: bool,
}

/// The ranges to copy, in order. A source all of whose events are wanted is copied as a whole. Of the others, the first
/// record is always copied, because it often says what the file is. `None` if a source with other events is a single
/// record.
fn ranges_of<S: Store>(files: &Files<S>, trace: &Trace, ids: &[u32]) -> Option<VecDeque<Range>> {
    let mut wanted = vec![false; trace.events().len()];
    for id in ids {
        if let Some(is_wanted) = wanted.get_mut(*id as usize) {
            *is_wanted = true;
        }
    }
    let mut ranges = Vec::new();
    let mut extents: Vec<Option<Extent>> = files.sources.iter().map(|_| None).collect();
    for (event, is_wanted) in trace.events().iter().zip(wanted) {
        for place in trace.places(event) {
            let range = Range::of(place.span);
            let Some(extent) = extents.get_mut(range.source.index()) else { continue };
            let extent = extent.get_or_insert(Extent {
                first: range,
                last_start: range.start,
                has_wanted: false,
                has_others: false,
            });
            if range.start < extent.first.start {
                extent.first = range;
            }
            extent.last_start = extent.last_start.max(range.start);
            extent.has_wanted |= is_wanted;
            extent.has_others |= !is_wanted;
            if is_wanted {
                ranges.push(range);
            }
        }
    }
    let is_partial = |extent: &Option<Extent>| extent.as_ref().is_some_and(|it| it.has_others);
    ranges.retain(|range| extents.get(range.source.index()).is_some_and(is_partial));
    for extent in extents.iter().flatten().filter(|extent| extent.has_wanted) {
        if !extent.has_others {
            let source = extent.first.source;
            let end = files.source(source).map_or(0, |source| source.len_bytes);
            ranges.push(Range { start: 0, at: 0, end, is_source: true, source });
        } else if extent.first.start == extent.last_start {
            return None;
        } else {
            ranges.push(extent.first);
        }
    }
    traceloupe_core::sorting::sort_by_key(&mut ranges, |range| (range.source.index(), range.start));
    // Records that overlap, or whose lines follow one another, are copied together.
    let mut joined: VecDeque<Range> = VecDeque::new();
    for range in ranges {
        match joined.back_mut() {
            Some(last) if last.source == range.source && range.start <= last.end + 1 => {
                last.end = last.end.max(range.end);
            }
            _ => joined.push_back(range),
        }
    }
    Some(joined)
}
