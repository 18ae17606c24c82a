//! Reads the beginnings of the entries of an archive, or of the sessions of a database, for the list that the user
//! chooses from.

use std::io::BufReader;

use super::head::head;
use super::store::{Handle, Store, StoreReader};
use crate::intake::database::{name_of, read_database};
use traceloupe_converters::sqlite::Database;
use traceloupe_formats as formats;
use traceloupe_formats::databases::{StoredSessions, Writing};
use traceloupe_input::SQLITE_MAGIC;
use traceloupe_input::{Decoder, ZipEntry, archive_entries, unzip};
use traceloupe_protocol::head::{HEAD_BYTES, Head, LONG_HEAD_BYTES};

/// How much of the archive is read at once.
const READ_BYTES: usize = 64 << 10;

/// How many packed bytes are unpacked at once. They may expand a thousandfold.
const PACKED_BYTES: usize = 1 << 10;

/// How many bytes of entries with the outcomes of documents are read.
const MAX_SUMMARIES_BYTES: usize = 32 << 20;

/// An archive whose entries are being examined.
pub struct EntryHeads<S> {
    store: S,
    archive: Handle,
    entries: Vec<ZipEntry>,
    /// If it is a database, the source that is read instead of entries.
    database: Option<(Database, StoredSessions)>,
    /// The outcomes of documents, by the prefix of the names of their entries.
    outcomes: Vec<(String, String)>,
}

impl<S: Store> EntryHeads<S> {
    /// Reads the directory of an archive, or finds the sessions of a database. `None` if there is neither.
    pub fn open(store: S, archive: Handle) -> Option<Self> {
        let outcomes = Vec::new();
        if store.read(archive, 0, SQLITE_MAGIC.len()).is_ok_and(|begin| begin == SQLITE_MAGIC) {
            let mut reader = StoreReader { store: &store, handle: archive, at: 0 };
            let database = Some(read_database(&mut reader).ok()?);
            return Some(Self { store, archive, entries: Vec::new(), database, outcomes });
        }
        let reader = StoreReader { store: &store, handle: archive, at: 0 };
        let directory = archive_entries(BufReader::with_capacity(READ_BYTES, reader)).ok()?;
        let entries = directory.entries;
        let mut heads = Self { store, archive, entries, database: None, outcomes };
        heads.outcomes = heads.told_outcomes();
        Some(heads)
    }

    /// The outcomes of the documents of the archive, where an entry states them.
    fn told_outcomes(&self) -> Vec<(String, String)> {
        let names: Vec<&str> = self.entries.iter().map(|entry| entry.name.as_str()).collect();
        let summaries = formats::summaries_of_trace(&names).into_iter();
        let told = summaries.filter_map(|at| {
            let (bytes, _) = self.beginning(self.entries.get(at)?, MAX_SUMMARIES_BYTES)?;
            Some(formats::outcomes(&String::from_utf8_lossy(&bytes)))
        });
        told.flatten().collect()
    }

    /// The outcome of the document of an entry; empty if no entry states it.
    fn outcome(&self, entry: &ZipEntry) -> String {
        let of_entry = |(start, _): &&(String, String)| {
            let rest = entry.name.strip_prefix(start.as_str());
            rest.is_some_and(|rest| rest.starts_with(['.', '/']))
        };
        self.outcomes.iter().find(of_entry).map(|(_, words)| words.clone()).unwrap_or_default()
    }

    /// Summarises the beginning of an entry. `index` is the entry's place in the list, `entry` its index in the
    /// archive, and `likely` the format of the entry before it. An entry that cannot be unpacked is listed as cut.
    /// Opening it shows why.
    pub fn head(&mut self, index: u32, entry: u32, likely: &str) -> Head {
        let unread = || Head { index, start_ms: f64::NAN, is_cut: true, ..Head::default() };
        if self.database.is_some() {
            return self.head_of_session(index, entry, likely).unwrap_or_else(unread);
        }
        let found = self.entries.iter().find(|it| u32::try_from(it.index) == Ok(entry));
        let look = |max_bytes: u32| {
            let (bytes, is_whole) = self.beginning(found?, max_bytes as usize)?;
            Some(head(index, &found?.name, &bytes, is_whole, likely))
        };
        let first = look(HEAD_BYTES).unwrap_or_else(unread);
        let head = if first.is_cut { look(LONG_HEAD_BYTES).unwrap_or(first) } else { first };
        Head { outcome: found.map(|entry| self.outcome(entry)).unwrap_or_default(), ..head }
    }

    /// Summarises the beginning of a session's document.
    fn head_of_session(&mut self, index: u32, entry: u32, likely: &str) -> Option<Head> {
        let (database, stored) = self.database.as_mut()?;
        let session = *stored.entries.get(entry as usize)?.sessions.first()?;
        let mut reader = StoreReader { store: &self.store, handle: self.archive, at: 0 };
        let mut writing = Writing::begin(stored, session, database, &mut reader).ok()?;
        let mut bytes = Vec::new();
        let mut head_of = |max_bytes: u32| {
            let mut is_whole = false;
            while !is_whole && bytes.len() <= max_bytes as usize {
                let piece = writing.next(stored, database, &mut reader).ok()?;
                is_whole = piece.is_empty();
                bytes.extend_from_slice(piece.as_bytes());
            }
            let first = bytes.get(..max_bytes as usize).unwrap_or(&bytes);
            Some(head(index, &name_of(stored.id(session)), first, is_whole, likely))
        };
        let first = head_of(HEAD_BYTES)?;
        if first.is_cut { head_of(LONG_HEAD_BYTES) } else { Some(first) }
    }

    /// The first bytes of an entry, and whether that is the whole entry. `None` if it cannot be unpacked.
    fn beginning(&self, entry: &ZipEntry, max_bytes: usize) -> Option<(Vec<u8>, bool)> {
        let reader = StoreReader { store: &self.store, handle: self.archive, at: 0 };
        let (mut decoder, mut packed) = unzip(reader, entry).ok()?;
        let mut bytes = Vec::new();
        while bytes.len() <= max_bytes && !decoder.is_done() && packed.start < packed.end {
            let left = usize::try_from(packed.end - packed.start).unwrap_or(READ_BYTES);
            let piece = self.store.read(self.archive, packed.start, left.min(READ_BYTES)).ok()?;
            if piece.is_empty() {
                break;
            }
            packed.start += piece.len() as u64;
            for few in piece.chunks(PACKED_BYTES) {
                if bytes.len() <= max_bytes {
                    decoder.push(few, &mut bytes);
                }
            }
        }
        let is_whole = bytes.len() <= max_bytes;
        bytes.truncate(max_bytes);
        Some((bytes, is_whole))
    }
}
