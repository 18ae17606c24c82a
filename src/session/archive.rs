//! Archives: the only trace-like entry of an archive is opened at once, and so are the entries that make one
//! trace; of several the person chooses.

use std::io::BufReader;
use std::ops::Range;

use super::database::OpenDatabase;
use super::files::Files;
use super::intake::{AfterSource, Intake, PIECE_BYTES, set_problem};
use super::pace::Progress;
use super::problems::{self, Code};
use super::store::{Handle, Store, StoreReader};
use traceloupe_core::model::{SourceId, WarningPlace};
use traceloupe_core::notice::NoticeCode;
use traceloupe_formats as formats;
use traceloupe_input::{
    Assembly, Decoder, Document, Piece, Unzip, ZipDirectory, ZipEntry, unzip, zip_entries,
};
use traceloupe_protocol::messages::EntryLine;
use traceloupe_protocol::problem::{SourceFault, ZipProblem};

/// How much is read of an archive at once: each read of a file has a fixed cost.
const READ_BYTES: usize = 1 << 20;

/// The maximum number of bytes that one packed byte can become.
const MAX_RATIO: u64 = 1032;

/// How many entries of an archive inside an archive are read.
pub(super) const MAX_INNER_ENTRIES: usize = 100;

/// How large a trace in several entries may be unpacked, if it is to be opened at once.
const MAX_TRACE_BYTES: u64 = 64 << 20;

/// The archives that are being unpacked.
#[derive(Default)]
pub(super) struct ArchiveQueue {
    current: Option<Unpacking>,
    /// The document that is being put together.
    assembled: Option<Assembled>,
    /// The database whose sessions are read.
    pub(super) database: Option<OpenDatabase>,
    /// What to do next; the last item first.
    tasks: Vec<Task>,
}

pub(super) enum Task {
    /// A session of the database, by its number.
    Session(usize),
    Entry(SourceId, ZipEntry),
    /// A document in several entries of an archive begins: its name.
    Begin(SourceId, String),
    /// The next piece of it, and the entry that the piece is of.
    Piece(Piece, Option<ZipEntry>),
    /// It has ended.
    Complete,
    /// All entries of an archive have been read.
    End(Archive),
}

/// An archive whose entries are read.
pub(super) struct Archive {
    pub(super) id: SourceId,
    pub(super) n_entries: usize,
    /// How many sources there were before its entries.
    pub(super) n_sources: usize,
}

/// An entry that is being unpacked.
struct Unpacking {
    archive: SourceId,
    child: SourceId,
    /// The archive's bytes, and the range of them that is still to be unpacked.
    handle: Handle,
    packed: Range<u64>,
    decoder: Unzip,
    /// The piece of a document that it is, and the bytes of it so far.
    piece: Option<(Piece, Vec<u8>)>,
}

/// A document in several entries that is being put together.
struct Assembled {
    archive: SourceId,
    child: SourceId,
    assembly: Assembly,
}

impl ArchiveQueue {
    pub(super) fn is_empty(&self) -> bool {
        self.current.is_none() && self.tasks.is_empty()
    }

    pub(super) fn begin(&mut self, archive: Archive, mut tasks: Vec<Task>) {
        if !tasks.is_empty() {
            tasks.push(Task::End(archive));
        }
        tasks.reverse();
        self.tasks.append(&mut tasks);
    }
}

/// What to do to read some documents of an archive.
fn tasks_of(archive: SourceId, documents: Vec<Document>, entries: &[ZipEntry]) -> Vec<Task> {
    let mut tasks = Vec::new();
    for Document { name, pieces } in documents {
        let entry = |piece: &Piece| piece.entry().and_then(|at| entries.get(at).cloned());
        if let [only @ Piece::Entry(_)] = pieces.as_slice() {
            tasks.extend(entry(only).map(|entry| Task::Entry(archive, entry)));
            continue;
        }
        tasks.push(Task::Begin(archive, name));
        tasks.extend(pieces.iter().map(|piece| Task::Piece(*piece, entry(piece))));
        tasks.push(Task::Complete);
    }
    tasks
}

impl Intake {
    pub(super) fn open_archive<S: Store>(
        &mut self,
        files: &mut Files<S>,
        id: SourceId,
    ) -> AfterSource {
        let Some(source) = files.source(id) else { return AfterSource::Next };
        let (path, handle) = (source.path.clone(), source.handle);
        let in_archive = self.state(id).is_some_and(|it| it.in_archive);
        let reader = StoreReader { store: &files.store, handle, at: 0 };
        let directory = match zip_entries(BufReader::with_capacity(READ_BYTES, reader)) {
            Ok(directory) => directory,
            Err(fault) => {
                set_problem(files, id, problems::archive(&fault));
                return AfterSource::Next;
            }
        };
        let ZipDirectory { entries, claimed_entries, missing_entries } = directory;
        let wanted = self.wanted_of(&path);
        let names: Vec<&str> = entries.iter().map(|entry| entry.name.as_str()).collect();
        let documents = formats::documents_of_trace(&names);
        let likely: Vec<&ZipEntry> = match &documents {
            Some(documents) => {
                let pieces = documents.iter().flat_map(|document| &document.pieces);
                pieces.filter_map(|piece| entries.get(piece.entry()?)).collect()
            }
            None => entries.iter().filter(|entry| looks_like_trace(entry)).collect(),
        };
        let len_bytes = likely.iter().fold(0, |sum: u64, it| sum.saturating_add(it.claimed_bytes));
        let is_small = in_archive || len_bytes <= MAX_TRACE_BYTES;
        if let Some(mut documents) = documents {
            if let Some(wanted) = &wanted {
                documents.retain(|it| {
                    first_of(it, &entries).is_some_and(|it| wanted.contains(&index_of(it)))
                });
            } else if !is_small {
                let lines = documents.iter().filter_map(|it| document_line(it, &entries));
                return AfterSource::Choose(path, lines.collect());
            }
            let archive = Archive { id, n_entries: entries.len(), n_sources: files.sources.len() };
            self.warn_of_missing(id, missing_entries, claimed_entries);
            self.archives.begin(archive, tasks_of(id, documents, &entries));
            return AfterSource::Unpack;
        }
        let chosen: Vec<ZipEntry> = match &wanted {
            Some(wanted) => {
                entries.iter().filter(|it| wanted.contains(&index_of(it))).cloned().collect()
            }
            None if likely.len() == 1 => likely.into_iter().cloned().collect(),
            None if entries.len() == 1 => entries.clone(),
            None if likely.is_empty() => {
                set_problem(files, id, SourceFault::NoTraceInside(entries.len() as u64));
                return AfterSource::Next;
            }
            // The person chooses only from the outer archive: an inner one is read completely.
            None if in_archive => likely.into_iter().take(MAX_INNER_ENTRIES).cloned().collect(),
            None => {
                let lines = likely.into_iter().map(entry_line).collect();
                return AfterSource::Choose(path, lines);
            }
        };
        let archive = Archive { id, n_entries: entries.len(), n_sources: files.sources.len() };
        self.warn_of_missing(id, missing_entries, claimed_entries);
        let tasks = chosen.into_iter().map(|entry| Task::Entry(id, entry)).collect();
        self.archives.begin(archive, tasks);
        AfterSource::Unpack
    }

    /// The entries of an archive that the person has chosen. `None` if the choice is about another archive.
    pub(super) fn wanted_of(&self, path: &str) -> Option<Vec<u32>> {
        let chosen = self.chosen.iter().flatten().filter(|(archive, _)| *archive == path);
        Some(chosen.map(|(_, index)| *index).collect::<Vec<_>>()).filter(|it| !it.is_empty())
    }

    fn warn_of_missing(&mut self, archive: SourceId, n_missing: u64, n_claimed: u64) {
        if n_missing > 0 {
            let detail = format!("{n_missing} of {n_claimed} entries");
            let place = WarningPlace { source: archive, line: 0, byte: 0, detail };
            self.builder.warn_at(NoticeCode::ZipEntriesMissing, place);
        }
    }

    /// Unpacks some packed bytes of one entry.
    pub(super) fn unpack_step<S: Store>(&mut self, files: &mut Files<S>) -> Progress {
        if let Some(mut entry) = self.archives.current.take() {
            if !self.is_stopped && self.unpack_piece(files, &mut entry) {
                self.archives.current = Some(entry);
            } else {
                self.end_entry(files, entry);
            }
        } else if self.archives.database.as_ref().is_some_and(OpenDatabase::is_writing) {
            self.write_step(files);
        } else if self.is_stopped {
            self.archives.tasks.clear();
            self.archives.database = None;
            self.complete(files);
        } else {
            match self.archives.tasks.pop() {
                Some(Task::Entry(archive, entry)) => self.begin_entry(files, archive, &entry),
                Some(Task::Begin(archive, name)) => {
                    if let Some((child, _)) = self.begin_child(files, archive, &name) {
                        let assembly = Assembly::default();
                        self.archives.assembled = Some(Assembled { archive, child, assembly });
                    }
                }
                Some(Task::Piece(piece, entry)) => self.begin_piece(files, piece, entry.as_ref()),
                Some(Task::Complete) => self.complete(files),
                Some(Task::Session(session)) => self.begin_session(files, session),
                Some(Task::End(archive)) => {
                    self.end_database();
                    end_archive(files, &archive);
                }
                None => {}
            }
        }
        if self.archives.is_empty() { Progress::Finished } else { Progress::Working }
    }

    /// Begins a source in an archive. Gives it with the bytes of the archive.
    pub(super) fn begin_child<S: Store>(
        &mut self,
        files: &mut Files<S>,
        archive: SourceId,
        name: &str,
    ) -> Option<(SourceId, Handle)> {
        let source = files.source(archive)?;
        let handle = source.handle;
        let path = format!("{}/{name}", source.path);
        let nesting = self.state(archive).map_or(0, |it| it.nesting) + 1;
        let kept = files.store.create();
        let child = self.begin_nested(files, &path, kept, nesting);
        if let Some(child) = self.state_mut(child) {
            child.in_archive = true;
        }
        Some((child, handle))
    }

    /// Begins the next piece of the document that is being put together.
    fn begin_piece<S: Store>(
        &mut self,
        files: &mut Files<S>,
        piece: Piece,
        entry: Option<&ZipEntry>,
    ) {
        let Some(assembled) = &self.archives.assembled else { return };
        let (archive, child) = (assembled.archive, assembled.child);
        let Some(entry) = entry else { return self.add_piece(files, piece, &[]) };
        let Some(handle) = files.source(archive).map(|source| source.handle) else { return };
        if let Some(fault) = problem_of(entry) {
            return set_problem(files, child, fault);
        }
        match unzip(StoreReader { store: &files.store, handle, at: 0 }, entry) {
            Ok((decoder, packed)) => {
                let piece = Some((piece, Vec::new()));
                let unpacking = Unpacking { archive, child, handle, packed, decoder, piece };
                self.archives.current = Some(unpacking);
            }
            Err(fault) => set_problem(files, child, problems::archive(&fault)),
        }
    }

    /// Adds a piece to the document that is being put together.
    fn add_piece<S: Store>(&mut self, files: &mut Files<S>, piece: Piece, bytes: &[u8]) {
        let Some(assembled) = &mut self.archives.assembled else { return };
        let (child, mut out) = (assembled.child, Vec::new());
        assembled.assembly.add(piece, bytes, &mut out);
        self.keep_and_push(files, child, &out);
    }

    /// Ends the document that is being put together.
    fn complete<S: Store>(&mut self, files: &mut Files<S>) {
        if let Some(assembled) = self.archives.assembled.take() {
            self.end(files, assembled.child);
        }
    }

    fn begin_entry<S: Store>(&mut self, files: &mut Files<S>, archive: SourceId, entry: &ZipEntry) {
        let Some((child, handle)) = self.begin_child(files, archive, &entry.name) else { return };
        if let Some(child) = self.state_mut(child) {
            // Room is made for the claimed size, so an impossible one is not believed.
            let is_possible = entry.claimed_bytes / MAX_RATIO <= entry.packed_bytes;
            child.expected_bytes = Some(entry.claimed_bytes).filter(|_| is_possible);
        }
        if let Some(fault) = problem_of(entry) {
            return set_problem(files, child, fault);
        }
        let reader = StoreReader { store: &files.store, handle, at: 0 };
        match unzip(reader, entry) {
            Ok((decoder, packed)) => {
                let piece = None;
                let unpacking = Unpacking { archive, child, handle, packed, decoder, piece };
                self.archives.current = Some(unpacking);
            }
            Err(fault) => {
                set_problem(files, child, problems::archive(&fault));
                self.end(files, child);
            }
        }
    }

    /// Unpacks the next packed bytes of an entry. Returns whether there may be more.
    fn unpack_piece<S: Store>(&mut self, files: &mut Files<S>, entry: &mut Unpacking) -> bool {
        let left = entry.packed.end.saturating_sub(entry.packed.start);
        let len = usize::try_from(left).map_or(READ_BYTES, |left| left.min(READ_BYTES));
        if len == 0 || entry.decoder.is_done() {
            return false;
        }
        let bytes = match files.store.read(entry.handle, entry.packed.start, len) {
            Ok(bytes) => bytes,
            Err(reason) => {
                self.fail_read(files, entry.child, &reason);
                return false;
            }
        };
        entry.packed.start += bytes.len() as u64;
        if self.state(entry.archive).is_some_and(|archive| archive.nesting == 0) {
            self.bytes_read += bytes.len() as u64;
        }
        let mut out = Vec::new();
        for piece in bytes.chunks(PIECE_BYTES) {
            entry.decoder.push(piece, &mut out);
            match &mut entry.piece {
                Some((_, held)) => held.append(&mut out),
                None => self.keep_and_push(files, entry.child, &out),
            }
            out.clear();
        }
        !bytes.is_empty()
    }

    fn end_entry<S: Store>(&mut self, files: &mut Files<S>, mut entry: Unpacking) {
        let is_unreadable =
            self.state(entry.child).is_some_and(|it| it.cut == Some(Code::UnreadableFile));
        if self.is_stopped && !entry.decoder.is_done() {
            if let Some(child) = self.state_mut(entry.child) {
                child.cut = Some(Code::Stopped);
            }
        } else if !is_unreadable {
            entry.decoder.finish(&mut Vec::new());
            if let Some((piece, held)) = &entry.piece {
                self.add_piece(files, *piece, held);
            }
            self.take_remarks(files, entry.archive, entry.child, entry.decoder.remarks());
        }
        if entry.piece.is_some() {
            // The document has more pieces.
            return;
        }
        // If the entry is an archive, its own entries are read next.
        self.end(files, entry.child);
    }
}

fn end_archive<S: Store>(files: &mut Files<S>, archive: &Archive) {
    let inside = files.sources.iter().skip(archive.n_sources);
    let is_no_trace = inside.filter(|source| !source.is_container).all(|source| {
        source.problem.as_ref().is_some_and(|fault| problems::is_no_trace(fault.code()))
    });
    if is_no_trace {
        set_problem(files, archive.id, SourceFault::NoTraceInside(archive.n_entries as u64));
    }
}

fn index_of(entry: &ZipEntry) -> u32 {
    u32::try_from(entry.index).unwrap_or(u32::MAX)
}

/// Why an entry cannot be read, if it cannot.
fn problem_of(entry: &ZipEntry) -> Option<SourceFault> {
    if entry.is_encrypted {
        return Some(SourceFault::Zip(ZipProblem::Encrypted));
    }
    (!entry.is_readable()).then_some(SourceFault::Zip(ZipProblem::Method(entry.method)))
}

/// The first entry of a document, by which it is chosen.
fn first_of<'e>(document: &Document, entries: &'e [ZipEntry]) -> Option<&'e ZipEntry> {
    document.pieces.iter().find_map(|piece| entries.get(piece.entry()?))
}

/// A document of which a person may choose.
fn document_line(document: &Document, entries: &[ZipEntry]) -> Option<EntryLine> {
    let own = document.pieces.iter().filter_map(|piece| entries.get(piece.entry()?));
    let first = first_of(document, entries)?;
    let len_bytes = own.fold(0, |sum: u64, it| sum.saturating_add(it.claimed_bytes));
    Some(EntryLine { path: document.name.clone(), len_bytes, ..entry_line(first) })
}

fn entry_line(entry: &ZipEntry) -> EntryLine {
    EntryLine {
        index: index_of(entry),
        path: entry.name.clone(),
        len_bytes: entry.claimed_bytes,
        problem: problem_of(entry),
    }
}

/// Whether the name of an entry is one that traces have. This only keeps images and programs out of the
/// choice: formats are detected by content.
fn looks_like_trace(entry: &ZipEntry) -> bool {
    const ENDINGS: [&str; 13] = [
        ".json", ".jsonl", ".ndjson", ".log", ".txt", ".gz", ".sse", ".har", ".eval", ".trace",
        ".af", ".zip", ".zst",
    ];
    let path = entry.name.to_ascii_lowercase();
    ENDINGS.iter().any(|ending| path.ends_with(ending))
}
