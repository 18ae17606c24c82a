//! Archives: one trace-like entry is opened at once, several are offered for choice.

use std::io::BufReader;
use std::ops::Range;

use super::intake::PIECE_BYTES;
use super::protocol::EntryLine;
use super::source::Source;
use super::store::{Store, StoreReader};
use super::{AfterSource, Session, problems};
use crate::input::{Decoder, Unzip, ZipEntry, ZipFault, unzip, zip_entries};
use crate::model::SourceId;

/// Archives are read in pieces of this size: every read of a file has a price of its own.
const READ_BYTES: usize = 1 << 20;

/// How many bytes a packed byte can give.
const MAX_RATIO: u64 = 1032;

/// How many entries of an archive inside an archive are read.
const MAX_INNER_ENTRIES: usize = 100;

impl<S: Store> Session<S> {
    pub(super) fn read_archive(&mut self, id: SourceId) -> AfterSource {
        let Some(source) = self.sources.get(id.index()) else { return AfterSource::Next };
        let (path, handle, in_archive) = (source.path.clone(), source.handle, source.in_archive);
        let reader =
            BufReader::with_capacity(READ_BYTES, StoreReader { store: &self.store, handle, at: 0 });
        let entries = match zip_entries(reader) {
            Ok(entries) => entries,
            Err(fault) => {
                self.fail(id, problems::archive(&fault));
                return AfterSource::Next;
            }
        };
        let wanted = self.request.entries.as_ref().map(|chosen| {
            let here = chosen.iter().filter(|(archive, _)| *archive == path);
            here.map(|(_, index)| *index).collect::<Vec<_>>()
        });
        // Another archive's choice says nothing of this one.
        let wanted = wanted.filter(|wanted| !wanted.is_empty());
        let likely: Vec<&ZipEntry> =
            entries.iter().filter(|entry| looks_like_trace(entry)).collect();
        let chosen: Vec<ZipEntry> = match &wanted {
            Some(wanted) => {
                entries.iter().filter(|it| wanted.contains(&index_of(it))).cloned().collect()
            }
            None if likely.len() == 1 => likely.into_iter().cloned().collect(),
            None if entries.len() == 1 => entries.clone(),
            None if likely.is_empty() => {
                self.fail(id, problems::no_trace_inside(entries.len()));
                return AfterSource::Next;
            }
            // Only the outer archive's entries can be chosen: of an inner one all are read.
            None if in_archive => likely.into_iter().take(MAX_INNER_ENTRIES).cloned().collect(),
            None => {
                let lines = likely.into_iter().map(entry_line).collect();
                return AfterSource::Choose(path, lines);
            }
        };
        let n_before = self.sources.len();
        for entry in &chosen {
            self.read_entry(id, &path, entry);
        }
        let mut read = self.sources.iter().skip(n_before).filter(|source| !source.is_container);
        let is_no_trace = |source: &Source| {
            source.problem.as_ref().is_some_and(|(code, _)| problems::is_no_trace(code))
        };
        if !chosen.is_empty() && read.all(is_no_trace) {
            self.fail(id, problems::no_trace_inside(entries.len()));
        }
        AfterSource::Next
    }

    fn read_entry(&mut self, archive: SourceId, archive_path: &str, entry: &ZipEntry) {
        let Some(source) = self.sources.get(archive.index()) else { return };
        let (archive_handle, nesting) = (source.handle, source.nesting + 1);
        let handle = self.store.create();
        let child = self.begin_nested(&format!("{archive_path}/{}", entry.name), handle, nesting);
        if let Some(child) = self.sources.get_mut(child.index()) {
            child.in_archive = true;
        }
        if let Some(problem) = problem_of(entry) {
            self.fail(child, problem);
            return;
        }
        let reader = StoreReader { store: &self.store, handle: archive_handle, at: 0 };
        match unzip(BufReader::with_capacity(READ_BYTES, reader), entry.index) {
            Ok((decoder, packed)) => {
                self.expect(child, entry);
                self.unpack_entry(archive, child, decoder, packed);
            }
            Err(fault) => self.fail(child, problems::archive(&fault)),
        }
        self.end(child);
    }

    /// The size that an archive claims makes room in memory, so it must be a possible one.
    fn expect(&mut self, child: SourceId, entry: &ZipEntry) {
        let is_possible = entry.claimed_bytes / MAX_RATIO <= entry.packed_bytes;
        if let Some(child) = self.sources.get_mut(child.index()).filter(|_| is_possible) {
            child.expected_bytes = Some(entry.claimed_bytes);
        }
    }

    /// Reads the packed bytes piece by piece, and sends on what they give.
    fn unpack_entry(
        &mut self,
        archive: SourceId,
        child: SourceId,
        mut decoder: Unzip,
        packed: Range<u64>,
    ) {
        let Some(handle) = self.sources.get(archive.index()).map(|source| source.handle) else {
            return;
        };
        let mut out = Vec::new();
        let mut at = packed.start;
        while at < packed.end && !decoder.is_done() {
            let len = usize::try_from(packed.end - at).map_or(READ_BYTES, |it| it.min(READ_BYTES));
            let bytes = match self.store.read(handle, at, len) {
                Ok(bytes) if bytes.is_empty() => break,
                Ok(bytes) => bytes,
                Err(reason) => return self.fail(child, super::unreadable(&reason)),
            };
            at += bytes.len() as u64;
            for piece in bytes.chunks(PIECE_BYTES) {
                decoder.push(piece, &mut out);
                self.keep_and_push(child, &out);
                out.clear();
            }
        }
        decoder.finish(&mut out);
        self.take_notices(archive, child, decoder.notices());
    }
}

fn index_of(entry: &ZipEntry) -> u32 {
    u32::try_from(entry.index).unwrap_or(u32::MAX)
}

/// Why an entry cannot be read, if it cannot: code and words.
fn problem_of(entry: &ZipEntry) -> Option<(String, String)> {
    if entry.is_encrypted {
        return Some(problems::archive(&ZipFault::Encrypted));
    }
    (!entry.is_readable()).then(|| problems::archive(&ZipFault::Method(entry.method)))
}

fn entry_line(entry: &ZipEntry) -> EntryLine {
    EntryLine {
        index: index_of(entry),
        path: entry.name.clone(),
        len_bytes: entry.claimed_bytes,
        problem: problem_of(entry).map(|(_, words)| words),
    }
}

/// Whether an entry's name is one that traces have. Only used to leave pictures and programs out of
/// the choice; what an entry is, its content says.
fn looks_like_trace(entry: &ZipEntry) -> bool {
    const ENDINGS: [&str; 11] = [
        ".json", ".jsonl", ".ndjson", ".log", ".txt", ".gz", ".sse", ".har", ".eval", ".trace",
        ".zip",
    ];
    let path = entry.name.to_ascii_lowercase();
    ENDINGS.iter().any(|ending| path.ends_with(ending))
}
