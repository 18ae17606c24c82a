//! Databases. A single session is opened at once; if there are several, the user chooses. Each session is written as
//! the document that its program exports, and read in that form.

use crate::intake::archive::{Archive, MAX_INNER_ENTRIES, Task};
use crate::intake::files::Files;
use crate::intake::problems::{self, Code};
use crate::intake::{AfterSource, Intake, set_problem};
use crate::store::{Handle, Store, StoreReader};
use traceloupe_converters::sqlite::{Database, ReadSeek, SqliteFault};
use traceloupe_core::model::{SourceId, WarningPlace};
use traceloupe_core::warning_code::WarningCode;
use traceloupe_formats::databases::{self, StoredEntry, StoredSessions, Writing};
use traceloupe_input::clean_name;
use traceloupe_protocol::messages::EntryLine;
use traceloupe_protocol::problem::SourceFault;

/// A database whose sessions are being read.
pub(crate) struct OpenDatabase {
    id: SourceId,
    handle: Handle,
    database: Database,
    stored: StoredSessions,
    /// The session that is being written, and its source.
    current: Option<(SourceId, Writing)>,
    /// How many bytes of the file are not counted as read yet.
    left_bytes: u64,
}

impl OpenDatabase {
    pub(crate) fn is_writing(&self) -> bool {
        self.current.is_some()
    }
}

/// Finds the sessions of a database.
///
/// # Errors
/// Why there are none.
pub(crate) fn read_database(
    file: &mut dyn ReadSeek,
) -> Result<(Database, StoredSessions), SourceFault> {
    let of_fault = |broken: SqliteFault| problems::database(&broken);
    let mut database = Database::open(file).map_err(of_fault)?;
    match databases::sessions(&mut database, file).map_err(of_fault)? {
        Some(stored) if stored.entries.is_empty() => Err(problems::no_session_inside(&database)),
        Some(stored) => Ok((database, stored)),
        None => Err(problems::unknown_database(&database)),
    }
}

/// The file name of a session.
pub(crate) fn name_of(id: &str) -> String {
    format!("{}.json", clean_name(id))
}

impl Intake {
    pub(crate) fn open_database<S: Store>(
        &mut self,
        files: &mut Files<S>,
        id: SourceId,
    ) -> AfterSource {
        let Some(source) = files.source(id) else { return AfterSource::Next };
        let (path, name, handle) = (source.path.clone(), source.name().to_owned(), source.handle);
        let in_archive = self.state(id).is_some_and(|it| it.in_archive);
        let mut reader = StoreReader { store: &files.store, handle, at: 0 };
        let (database, stored) = match read_database(&mut reader) {
            Ok(read) => read,
            Err(fault) => {
                set_problem(files, id, fault);
                return AfterSource::Next;
            }
        };
        let wanted = self.wanted_of(&path);
        if wanted.is_none() && stored.entries.len() > 1 && !in_archive {
            let lines = (0..).zip(&stored.entries).map(|(index, entry)| entry_line(index, entry));
            return AfterSource::Choose(path, lines.collect());
        }
        let mut chosen = Vec::new();
        for (index, entry) in (0..).zip(&stored.entries).take(match wanted {
            Some(_) => usize::MAX,
            None => MAX_INNER_ENTRIES,
        }) {
            if wanted.as_ref().is_none_or(|wanted| wanted.contains(&index)) {
                chosen.extend(entry.sessions.iter().map(|session| Task::Session(*session)));
            }
        }
        if database.is_logged {
            self.warn(WarningCode::DatabaseLog, id, format!("{name}-wal"));
        }
        let n_entries = stored.entries.len();
        let archive = Archive { id, n_entries, n_sources: files.sources.len() };
        let is_outer = self.state(id).is_some_and(|it| it.nesting == 0);
        let left_bytes = if is_outer { files.store.len(handle) } else { 0 };
        let current = None;
        self.archives.database =
            Some(OpenDatabase { id, handle, database, stored, current, left_bytes });
        self.archives.begin(archive, chosen);
        AfterSource::Unpack
    }

    fn warn(&mut self, code: WarningCode, source: SourceId, detail: String) {
        self.builder.warn_at(code, WarningPlace { source, line: 0, byte: 0, detail });
    }

    /// Begins reading a session of the database.
    pub(crate) fn begin_session<S: Store>(&mut self, files: &mut Files<S>, session: usize) {
        let Some(mut open) = self.archives.database.take() else { return };
        let name = name_of(open.stored.id(session));
        if let Some((child, handle)) = self.begin_child(files, open.id, &name) {
            let mut reader = StoreReader { store: &files.store, handle, at: 0 };
            match Writing::begin(&open.stored, session, &mut open.database, &mut reader) {
                Ok(writing) => open.current = Some((child, writing)),
                Err(fault) => {
                    set_problem(files, child, problems::database(&fault));
                    self.end(files, child);
                }
            }
        }
        self.archives.database = Some(open);
    }

    /// Writes and reads the next piece of a session.
    pub(crate) fn write_step<S: Store>(&mut self, files: &mut Files<S>) {
        let Some(mut open) = self.archives.database.take() else { return };
        let Some((child, mut writing)) = open.current.take() else { return };
        let mut is_over = self.is_stopped;
        if is_over && let Some(state) = self.state_mut(child) {
            state.cut = Some(Code::Stopped);
        }
        if !is_over {
            let mut reader = StoreReader { store: &files.store, handle: open.handle, at: 0 };
            match writing.next(&open.stored, &mut open.database, &mut reader) {
                Ok(piece) => {
                    is_over = piece.is_empty();
                    let n_bytes = open.left_bytes.min(piece.len() as u64);
                    open.left_bytes -= n_bytes;
                    self.bytes_read += n_bytes;
                    self.keep_and_push(files, child, piece.as_bytes());
                }
                Err(fault) => {
                    self.fail_read(files, child, &fault.to_string());
                    is_over = true;
                }
            }
        }
        if is_over {
            self.end(files, child);
        } else {
            open.current = Some((child, writing));
        }
        self.archives.database = Some(open);
    }

    /// Finishes the database after all chosen sessions have been read.
    pub(crate) fn end_database(&mut self) {
        let Some(open) = self.archives.database.take() else { return };
        self.bytes_read += open.left_bytes;
        if open.database.n_broken > 0 {
            let detail = format!("{} pages and rows", open.database.n_broken);
            self.warn(WarningCode::DamagedDatabase, open.id, detail);
        }
    }
}

fn entry_line(index: u32, entry: &StoredEntry) -> EntryLine {
    EntryLine { index, path: name_of(&entry.id), len_bytes: entry.len_bytes, problem: None }
}
