//! The databases in which programs keep their sessions. A session is written as the document that its program would
//! export, so that the program's format reads it.
//!
//! A program is recognised by its tables and their columns ([`PRODUCERS`]). The content of a document is described once
//! per program ([`Producer`]); [`writing`] turns rows into a document, piece by piece.

mod agno;
mod amazon_q;
mod crush;
mod cursor;
mod forge;
mod goose;
mod hermes;
mod opencode;
mod producer;
mod writing;
mod zed;

use producer::{Fields, Producer, Source, last_column};
use rustc_hash::FxHashMap;
pub use writing::Writing;

use traceloupe_converters::sqlite::{Database, ReadSeek, RowPlace, SqliteFault};

/// The programs whose databases are known.
static PRODUCERS: [&Producer; 11] = [
    &opencode::OPENCODE_TWO,
    &opencode::OPENCODE,
    &goose::GOOSE,
    &crush::CRUSH,
    &cursor::CURSOR,
    &zed::ZED,
    &forge::FORGE,
    &agno::AGNO,
    &hermes::HERMES,
    &amazon_q::KIRO,
    &amazon_q::AMAZON_Q,
];

/// How many parents of a session are followed.
const MAX_PARENTS: usize = 64;

/// The sessions of a database.
#[derive(Debug)]
pub struct StoredSessions {
    source: Source,
    sessions: Vec<Session>,
    /// The entries that the user can choose from. The number of an entry is its place here.
    pub entries: Vec<StoredEntry>,
}

/// A session that was started by the user, with all sessions that it started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredEntry {
    /// The id of the session.
    pub id: String,
    /// The size of its rows.
    pub len_bytes: u64,
    /// Its sessions, by number, starting with the session itself.
    pub sessions: Vec<usize>,
}

/// A session.
#[derive(Debug)]
struct Session {
    id: String,
    row: RowPlace,
    /// Its messages.
    outer: Vec<RowPlace>,
    /// The parts of its messages, if they are rows of their own.
    inner: Vec<RowPlace>,
    len_bytes: u64,
    parent: Option<usize>,
}

/// Whether a database belongs to a known program.
#[must_use]
pub fn is_known(database: &Database) -> bool {
    PRODUCERS.iter().any(|producer| producer.source(database).is_some())
}

/// The names of the programs whose databases are known.
#[must_use]
pub fn known_programs() -> Vec<&'static str> {
    let mut names: Vec<&str> = PRODUCERS.iter().map(|producer| producer.name).collect();
    names.dedup();
    names
}

/// Finds the sessions of a database, and where their rows are. `None` if its program is not known.
///
/// # Errors
///
/// If the file cannot be read.
pub fn sessions(
    database: &mut Database,
    file: &mut dyn ReadSeek,
) -> Result<Option<StoredSessions>, SqliteFault> {
    // A database that was also written by an older version may have the tables of both.
    let mut found: Option<StoredSessions> = None;
    let sources: Vec<Source> =
        PRODUCERS.iter().filter_map(|producer| producer.source(database)).collect();
    for source in sources {
        if found.as_ref().is_some_and(|stored| !stored.entries.is_empty()) {
            break;
        }
        found = Some(of_source(source, database, file)?);
    }
    Ok(found)
}

/// The sessions in the tables of a program.
fn of_source(
    source: Source,
    database: &mut Database,
    file: &mut dyn ReadSeek,
) -> Result<StoredSessions, SqliteFault> {
    let mut stored = StoredSessions { source, sessions: Vec::new(), entries: Vec::new() };
    let mut of_id = FxHashMap::default();
    let mut parents = Vec::new();
    let Source { producer, sessions: table, .. } = &stored.source;
    let last = last_column(table, &[producer.ids.columns()[0], producer.parent]);
    for place in database.places(file, table)? {
        let Some(row) = database.row(file, place, last)? else { continue };
        let fields = Fields { row: &row, table };
        let Some(id) = producer.ids.session(fields) else { continue };
        parents.push(fields.get(producer.parent).text().map(std::borrow::Cow::into_owned));
        of_id.insert(id.clone(), stored.sessions.len());
        stored.sessions.push(Session {
            id,
            row: place,
            outer: Vec::new(),
            inner: Vec::new(),
            len_bytes: row.len_bytes,
            parent: None,
        });
    }
    for (session, parent) in stored.sessions.iter_mut().zip(parents) {
        session.parent = parent.and_then(|parent| of_id.get(&parent).copied());
    }
    stored.find_rows(database, file, &of_id)?;
    stored.group();
    Ok(stored)
}

impl StoredSessions {
    /// Finds the rows of all sessions. Only the beginning of each row is read.
    fn find_rows(
        &mut self,
        database: &mut Database,
        file: &mut dyn ReadSeek,
        of_id: &FxHashMap<String, usize>,
    ) -> Result<(), SqliteFault> {
        let outer = std::iter::once((true, &self.source.outer));
        for (is_outer, table) in outer.chain(self.source.inner.iter().map(|table| (false, table))) {
            let ids = &self.source.producer.ids;
            let last = last_column(table, &ids.columns());
            for place in database.places(file, table)? {
                let Some(row) = database.row(file, place, last)? else { continue };
                let of = ids.message(Fields { row: &row, table });
                let session = of.and_then(|(session, _)| of_id.get(&session));
                let Some(session) = session.and_then(|at| self.sessions.get_mut(*at)) else {
                    continue;
                };
                if is_outer { &mut session.outer } else { &mut session.inner }.push(place);
                // A session may be its own message.
                if place != session.row {
                    session.len_bytes = session.len_bytes.saturating_add(row.len_bytes);
                }
            }
        }
        Ok(())
    }

    /// Makes an entry of each session that no other session started, with all sessions that it started. Sessions
    /// without messages are left out.
    fn group(&mut self) {
        let parent = |at: usize| self.sessions.get(at).and_then(|session| session.parent);
        let mut of_root: FxHashMap<usize, usize> = FxHashMap::default();
        let mut rooted: Vec<(usize, usize)> = Vec::new();
        for (at, session) in self.sessions.iter().enumerate() {
            if session.outer.is_empty() {
                continue;
            }
            let mut root = at;
            for _ in 0..MAX_PARENTS {
                let Some(above) = parent(root).filter(|above| *above != root) else { break };
                root = above;
            }
            // Sessions that started each other in a cycle become separate entries.
            rooted.push((if parent(root).is_some() { at } else { root }, at));
        }
        for (root, at) in rooted {
            let (Some(session), Some(first)) = (self.sessions.get(at), self.sessions.get(root))
            else {
                continue;
            };
            let nth = *of_root.entry(root).or_insert_with(|| {
                let entry =
                    StoredEntry { id: first.id.clone(), len_bytes: 0, sessions: Vec::new() };
                self.entries.push(entry);
                self.entries.len() - 1
            });
            if let Some(entry) = self.entries.get_mut(nth) {
                entry.len_bytes = entry.len_bytes.saturating_add(session.len_bytes);
                let place = if at == root { 0 } else { entry.sessions.len() };
                entry.sessions.insert(place, at);
            }
        }
    }

    /// The id of a session, by its number.
    #[must_use]
    pub fn id(&self, session: usize) -> &str {
        self.sessions.get(session).map_or("", |session| &session.id)
    }
}
