//! Archives: one trace-like entry is opened at once, several are offered for choice.

use super::source::Cut;
use crate::notice::NoticeCode;
use std::io::BufReader;
use std::ops::Range;

use super::intake::PIECE_BYTES;
use super::source::Source;
use super::store::{Handle, Store, StoreReader};
use super::{AfterSource, Session, problems};
use crate::input::{Decoder, Unzip, ZipDirectory, ZipEntry, ZipFault, unzip, zip_entries};
use crate::model::{SourceId, WarningPlace};
use crate::view::wire::protocol::EntryLine;

/// Archives are read in pieces of this size: every read of a file has a price of its own.
const READ_BYTES: usize = 1 << 20;

/// How many bytes a packed byte can give.
const MAX_RATIO: u64 = 1032;

/// How many entries of an archive inside an archive are read.
const MAX_INNER_ENTRIES: usize = 100;

impl<S: Store> Session<S> {
    pub(super) fn open_archive(&mut self, id: SourceId) -> AfterSource {
        let Some(source) = self.sources.get(id.index()) else { return AfterSource::Next };
        let (path, handle, in_archive) = (source.path.clone(), source.handle, source.in_archive);
        let reader =
            BufReader::with_capacity(READ_BYTES, StoreReader { store: &self.store, handle, at: 0 });
        let ZipDirectory { entries, claimed_entries, missing_entries } = match zip_entries(reader) {
            Ok(directory) => directory,
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
        let archive = Archive { id, n_entries: entries.len(), n_sources: self.sources.len() };
        if missing_entries > 0 {
            let detail = format!("{missing_entries} of {claimed_entries} entries");
            let place = WarningPlace { source: id, line: 0, byte: 0, detail };
            self.builder.warn_at(NoticeCode::ZipEntriesMissing, place);
        }
        self.unpacking.begin(archive, &chosen);
        AfterSource::Unpack
    }

    /// Unpacks a little of the archives that have been opened: some packed bytes of one entry.
    /// Returns whether there is more to unpack.
    pub fn unpack_some(&mut self) -> bool {
        if let Some(mut entry) = self.unpacking.current.take() {
            let goes_on = !self.is_stopped && self.unpack_piece(&mut entry);
            if goes_on {
                self.unpacking.current = Some(entry);
            } else {
                self.end_entry(entry);
            }
        } else if self.is_stopped {
            self.unpacking.waiting.clear();
        } else {
            match self.unpacking.waiting.pop() {
                Some(Waiting::Entry(archive, entry)) => self.begin_entry(archive, &entry),
                Some(Waiting::End(archive)) => self.end_archive(&archive),
                None => return false,
            }
        }
        self.unpacking.current.is_some() || !self.unpacking.waiting.is_empty()
    }

    fn begin_entry(&mut self, archive: SourceId, entry: &ZipEntry) {
        let Some(source) = self.sources.get(archive.index()) else { return };
        let (handle, nesting) = (source.handle, source.nesting + 1);
        let path = format!("{}/{}", source.path, entry.name);
        let kept = self.store.create();
        let child = self.begin_nested(&path, kept, nesting);
        if let Some(child) = self.sources.get_mut(child.index()) {
            child.in_archive = true;
            // The size that an archive claims makes room in memory, so it must be a possible one.
            let is_possible = entry.claimed_bytes / MAX_RATIO <= entry.packed_bytes;
            child.expected_bytes = Some(entry.claimed_bytes).filter(|_| is_possible);
        }
        if let Some(problem) = problem_of(entry) {
            return self.fail(child, problem);
        }
        let reader = StoreReader { store: &self.store, handle, at: 0 };
        match unzip(reader, entry) {
            Ok((decoder, packed)) => {
                self.unpacking.current = Some(Entry { archive, child, handle, packed, decoder });
            }
            Err(fault) => {
                self.fail(child, problems::archive(&fault));
                self.end(child);
            }
        }
    }

    /// Sends on what the next packed bytes of an entry give. Returns whether there may be more.
    fn unpack_piece(&mut self, entry: &mut Entry) -> bool {
        let left = entry.packed.end.saturating_sub(entry.packed.start);
        let len = usize::try_from(left).map_or(READ_BYTES, |left| left.min(READ_BYTES));
        if len == 0 || entry.decoder.is_done() {
            return false;
        }
        let bytes = match self.store.read(entry.handle, entry.packed.start, len) {
            Ok(bytes) => bytes,
            Err(reason) => {
                self.fail(entry.child, super::unreadable(&reason));
                return false;
            }
        };
        entry.packed.start += bytes.len() as u64;
        if self.sources.get(entry.archive.index()).is_some_and(|archive| archive.nesting == 0) {
            self.bytes_read += bytes.len() as u64;
        }
        let mut out = Vec::new();
        for piece in bytes.chunks(PIECE_BYTES) {
            entry.decoder.push(piece, &mut out);
            self.keep_and_push(entry.child, &out);
            out.clear();
        }
        !bytes.is_empty()
    }

    fn end_entry(&mut self, mut entry: Entry) {
        if self.is_stopped && !entry.decoder.is_done() {
            if let Some(child) = self.sources.get_mut(entry.child.index()) {
                child.cut = Some(Cut::Stopped);
            }
        } else {
            entry.decoder.finish(&mut Vec::new());
            self.take_notices(entry.archive, entry.child, entry.decoder.remarks());
        }
        // An archive in it puts its own entries in front of those that wait.
        self.end(entry.child);
    }

    fn end_archive(&mut self, archive: &Archive) {
        let mut read =
            self.sources.iter().skip(archive.n_sources).filter(|source| !source.is_container);
        let is_no_trace = |source: &Source| {
            source.problem.as_ref().is_some_and(|(code, _)| problems::is_no_trace(code))
        };
        if read.all(is_no_trace) {
            self.fail(archive.id, problems::no_trace_inside(archive.n_entries));
        }
    }
}

/// The entries of archives that are being unpacked, and those that wait for it.
#[derive(Default)]
pub(super) struct Unpacking {
    current: Option<Entry>,
    /// The next one last.
    waiting: Vec<Waiting>,
}

enum Waiting {
    Entry(SourceId, ZipEntry),
    /// All entries of an archive have been read.
    End(Archive),
}

/// An archive whose entries are read.
struct Archive {
    id: SourceId,
    n_entries: usize,
    /// How many sources there were before its entries.
    n_sources: usize,
}

/// An entry that is being unpacked.
struct Entry {
    archive: SourceId,
    child: SourceId,
    /// Where the archive is kept, and which of its bytes are to be unpacked yet.
    handle: Handle,
    packed: Range<u64>,
    decoder: Unzip,
}

impl Unpacking {
    fn begin(&mut self, archive: Archive, entries: &[ZipEntry]) {
        let id = archive.id;
        if !entries.is_empty() {
            self.waiting.push(Waiting::End(archive));
        }
        let entries = entries.iter().rev().map(|entry| Waiting::Entry(id, entry.clone()));
        self.waiting.extend(entries);
    }
}

impl std::fmt::Debug for Unpacking {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Unpacking").field("waiting", &self.waiting.len()).finish_non_exhaustive()
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
