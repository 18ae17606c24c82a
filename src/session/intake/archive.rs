//! Archives. Their entries are opened like the files of a folder: all together, or if there are many, those that the user
//! chooses. Entries that form one trace are opened at once.

use std::io::BufReader;
use std::ops::Range;

use crate::intake::database::OpenDatabase;
use crate::intake::files::Files;
use crate::intake::problems::{self, Code};
use crate::intake::{AfterSource, Intake, PIECE_BYTES, set_problem};
use crate::pace::Progress;
use crate::store::{Handle, Store, StoreReader};
use traceloupe_core::model::{SourceId, WarningPlace};
use traceloupe_core::warning_code::WarningCode;
use traceloupe_formats as formats;
use traceloupe_input::{
    Assembly, Decoder, Document, Piece, Unzip, ZipDirectory, ZipEntry, archive_entries, unzip,
};
use traceloupe_protocol::file_selection::{LeftOut, leave_out, left_out_ending, open_together};
use traceloupe_protocol::messages::EntryLine;
use traceloupe_protocol::problem::{SourceFault, ZipProblem};

/// How much of an archive is read at once. Each read has a fixed cost.
const READ_BYTES: usize = 1 << 20;

/// The most bytes that one packed byte can expand to.
const MAX_RATIO: u64 = 1032;

/// How many entries are read from an archive inside an archive.
pub(crate) const MAX_INNER_ENTRIES: usize = 100;

/// The largest unpacked size of a trace in several entries that is opened without asking.
const MAX_TRACE_BYTES: u64 = 64 << 20;

/// The archives that are being unpacked.
#[derive(Default)]
pub(crate) struct ArchiveQueue {
    current: Option<Unpacking>,
    /// The document that is being assembled.
    assembled: Option<Assembled>,
    /// The database whose sessions are being read.
    pub(crate) database: Option<OpenDatabase>,
    /// What to do next, in reverse order.
    tasks: Vec<Task>,
}

pub(crate) enum Task {
    /// Read a session of the database, by its number.
    Session(usize),
    Entry(SourceId, ZipEntry),
    /// Begin a document that consists of several entries, with this name.
    Begin(SourceId, String),
    /// Read the next piece of the document, from this entry.
    Piece(Piece, Option<ZipEntry>),
    /// Complete the document.
    Complete,
    /// Finish an archive after all of its entries have been read.
    End(Archive),
}

/// An archive whose entries are being read.
pub(crate) struct Archive {
    pub(crate) id: SourceId,
    pub(crate) n_entries: usize,
    /// How many sources there were before its entries were added.
    pub(crate) n_sources: usize,
}

/// An entry that is being unpacked.
struct Unpacking {
    archive: SourceId,
    child: SourceId,
    /// The archive's bytes, and the range that remains to be unpacked.
    handle: Handle,
    packed: Range<u64>,
    decoder: Unzip,
    /// If it is a piece of a document: that piece, and its bytes so far.
    piece: Option<(Piece, Vec<u8>)>,
}

/// A document in several entries that is being assembled.
struct Assembled {
    archive: SourceId,
    child: SourceId,
    assembly: Assembly,
}

impl ArchiveQueue {
    pub(crate) fn is_empty(&self) -> bool {
        self.current.is_none() && self.tasks.is_empty()
    }

    pub(crate) fn begin(&mut self, archive: Archive, mut tasks: Vec<Task>) {
        if !tasks.is_empty() {
            tasks.push(Task::End(archive));
        }
        tasks.reverse();
        self.tasks.append(&mut tasks);
    }
}

/// The tasks for reading some documents of an archive.
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
    pub(crate) fn open_archive<S: Store>(
        &mut self,
        files: &mut Files<S>,
        id: SourceId,
    ) -> AfterSource {
        let Some(source) = files.source(id) else { return AfterSource::Next };
        let (path, handle) = (source.path.clone(), source.handle);
        // The page can list an archive only if it has the file itself.
        let in_archive = self.state(id).is_some_and(|it| it.in_archive || it.nesting > 0);
        let reader = StoreReader { store: &files.store, handle, at: 0 };
        let directory = match archive_entries(BufReader::with_capacity(READ_BYTES, reader)) {
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
        if let Some(mut documents) = documents {
            let pieces = documents.iter().flat_map(|document| &document.pieces);
            let len_bytes = len_of(pieces.filter_map(|piece| entries.get(piece.entry()?)));
            let is_small = in_archive || len_bytes <= MAX_TRACE_BYTES;
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
        let n_entries = entries.len();
        let ending = |entry: &ZipEntry| left_out_ending(&format!("{path}/{}", entry.name));
        let mut left_out = LeftOut::new();
        let chosen: Vec<ZipEntry> = if let Some(wanted) = &wanted {
            entries.iter().filter(|it| wanted.contains(&index_of(it))).cloned().collect()
        } else if n_entries == 1 {
            entries
        } else {
            let (mut read, others): (Vec<ZipEntry>, Vec<ZipEntry>) =
                entries.iter().cloned().partition(|entry| ending(entry).is_none());
            if read.is_empty() {
                set_problem(files, id, SourceFault::NoTraceInside(n_entries as u64));
                return AfterSource::Next;
            }
            // The user only chooses from the outermost archive. The list names all entries, because the user may know
            // better.
            if !in_archive && !open_together(read.len(), len_of(read.iter())) {
                return AfterSource::Choose(path, entries.iter().map(entry_line).collect());
            }
            others.iter().filter_map(ending).for_each(|it| leave_out(&mut left_out, it, 1));
            let n_beyond = read.len().saturating_sub(MAX_INNER_ENTRIES);
            if n_beyond > 0 {
                read.truncate(MAX_INNER_ENTRIES);
                leave_out(&mut left_out, "", u32::try_from(n_beyond).unwrap_or(u32::MAX));
            }
            // As the files of a folder are.
            traceloupe_core::sorting::sort_by(&mut read, |one, other| one.name.cmp(&other.name));
            read
        };
        if let Some(source) = files.source_mut(id) {
            source.left_out = left_out;
        }
        let archive = Archive { id, n_entries, n_sources: files.sources.len() };
        self.warn_of_missing(id, missing_entries, claimed_entries);
        let tasks = chosen.into_iter().map(|entry| Task::Entry(id, entry)).collect();
        self.archives.begin(archive, tasks);
        AfterSource::Unpack
    }

    /// The entries of an archive that the user has chosen. `None` if the choice is for another archive.
    pub(crate) fn wanted_of(&self, path: &str) -> Option<Vec<u32>> {
        let chosen = self.chosen.iter().flatten().filter(|(archive, _)| *archive == path);
        Some(chosen.map(|(_, index)| *index).collect::<Vec<_>>()).filter(|it| !it.is_empty())
    }

    fn warn_of_missing(&mut self, archive: SourceId, n_missing: u64, n_claimed: u64) {
        if n_missing > 0 {
            let detail = format!("{n_missing} of {n_claimed} entries");
            let place = WarningPlace { source: archive, line: 0, byte: 0, detail };
            self.builder.warn_at(WarningCode::ZipEntriesMissing, place);
        }
    }

    /// Unpacks some packed bytes of one entry.
    pub(crate) fn unpack_step<S: Store>(&mut self, files: &mut Files<S>) -> Progress {
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

    /// Begins a source inside an archive, and returns it with the bytes of the archive.
    pub(crate) fn begin_child<S: Store>(
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

    /// Begins the next piece of the document that is being assembled.
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

    /// Adds a piece to the document that is being assembled.
    fn add_piece<S: Store>(&mut self, files: &mut Files<S>, piece: Piece, bytes: &[u8]) {
        let Some(assembled) = &mut self.archives.assembled else { return };
        let (child, mut out) = (assembled.child, Vec::new());
        assembled.assembly.add(piece, bytes, &mut out);
        self.keep_and_push(files, child, &out);
    }

    /// Finishes the document that is being assembled.
    fn complete<S: Store>(&mut self, files: &mut Files<S>) {
        if let Some(assembled) = self.archives.assembled.take() {
            self.end(files, assembled.child);
        }
    }

    fn begin_entry<S: Store>(&mut self, files: &mut Files<S>, archive: SourceId, entry: &ZipEntry) {
        let Some((child, handle)) = self.begin_child(files, archive, &entry.name) else { return };
        if let Some(child) = self.state_mut(child) {
            // The claimed size is reserved in memory, so an impossible claim is ignored.
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
            // The document has further pieces.
            return;
        }
        // If the entry is an archive itself, its entries are read next.
        self.end(files, entry.child);
    }
}

fn end_archive<S: Store>(files: &mut Files<S>, archive: &Archive) {
    let inside = files.sources.iter().skip(archive.n_sources).filter(|it| !it.is_container);
    let faults = inside.map(|source| source.problem.as_ref());
    if !faults.clone().all(|fault| fault.is_some_and(|fault| fault.code().is_no_trace())) {
        return;
    }
    // A recording of Playwright is an archive of several files.
    let mut kinds = faults.flatten().filter_map(|fault| match fault {
        SourceFault::OtherFile(kind) => Some(*kind),
        _ => None,
    });
    let kind = kinds.next().filter(|first| kinds.all(|kind| kind == *first));
    let nothing = SourceFault::NoTraceInside(archive.n_entries as u64);
    set_problem(files, archive.id, kind.map_or(nothing, SourceFault::OtherFile));
}

fn len_of<'e>(entries: impl Iterator<Item = &'e ZipEntry>) -> u64 {
    entries.fold(0, |sum: u64, it| sum.saturating_add(it.claimed_bytes))
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

/// The first entry of a document, which identifies the document in a choice.
fn first_of<'e>(document: &Document, entries: &'e [ZipEntry]) -> Option<&'e ZipEntry> {
    document.pieces.iter().find_map(|piece| entries.get(piece.entry()?))
}

/// The line of a document in the list that the user chooses from.
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
