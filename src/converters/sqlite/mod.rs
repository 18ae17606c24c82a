//! Reads SQLite databases (<https://www.sqlite.org/fileformat2.html>), without SQL and without writing: the tables of a
//! file, the places of their rows, and the values of a row.
//!
//! This is our own reader because only a page of a few kilobytes is needed at a time. Tables `WITHOUT ROWID`, virtual
//! tables and indices are not read, and neither is the log beside a database (`-wal`): [`Database::is_logged`] reports
//! that there may be one.
//!
//! **Invariant.** The file may contain any bytes. A broken page or row is left out and counted
//! ([`Database::n_broken`]). No tree has more pages than the file, and the total of row bytes read is limited to a
//! small multiple of the size of the file, so reading ends even if pages refer to each other in a cycle.

mod pages;
mod record;
mod schema;
#[cfg(test)]
mod tests;
mod tree;

pub use pages::ReadSeek;
use pages::{Encoding, Pages};
pub use record::{Row, Value};
pub use schema::Table;
use schema::columns;
use thiserror::Error;
pub use tree::RowPlace;

/// How many times all bytes of the file may be read as rows.
const READ_TIMES: u64 = 16;

/// Why a database cannot be read.
#[derive(Error, Debug)]
pub enum SqliteFault {
    /// The first bytes are not those of a database.
    #[error("the beginning of the database is damaged")]
    BrokenHeader,
    /// The schema table cannot be read.
    #[error("the list of the database's tables is damaged")]
    BrokenSchema,
    /// The file itself could not be read.
    #[error("the file could not be read: {0}")]
    Io(#[from] std::io::Error),
}

impl SqliteFault {
    /// A stable code for notices.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::BrokenHeader => "database-broken-header",
            Self::BrokenSchema => "database-broken-schema",
            Self::Io(_) => "unreadable",
        }
    }
}

/// A database. The file is passed to each call, so that the database can be kept while the file is borrowed elsewhere.
#[derive(Debug)]
pub struct Database {
    pages: Pages,
    encoding: Encoding,
    /// The tables whose rows can be read, in the order of their creation.
    pub tables: Vec<Table>,
    /// Whether changes are first written to a log beside the file.
    pub is_logged: bool,
    /// How many pages and rows could not be read so far.
    pub n_broken: u64,
    /// How many more bytes of rows may be read.
    left_bytes: u64,
}

impl Database {
    /// Reads the header and the tables of a database.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is not a database, or has no readable schema.
    pub fn open(file: &mut dyn ReadSeek) -> Result<Self, SqliteFault> {
        let (pages, header) = Pages::open(file)?;
        let left_bytes = pages.file_bytes().saturating_mul(READ_TIMES).saturating_add(1 << 20);
        let mut database = Self {
            pages,
            encoding: header.encoding,
            tables: Vec::new(),
            is_logged: header.is_logged,
            n_broken: 0,
            left_bytes,
        };
        let schema = Table::of_schema();
        let places = database.places(file, &schema)?;
        for place in &places {
            let Some(row) = database.row(file, *place, usize::MAX)? else { continue };
            let text = |column: &str| row.get(&schema, column).text().unwrap_or_default();
            let root = match row.get(&schema, "rootpage") {
                Value::Integer(root) => u32::try_from(root).unwrap_or(0),
                _ => 0,
            };
            if text("type") != "table" || root == 0 {
                continue;
            }
            if let Some((columns, rowid)) = columns(&text("sql")) {
                database.tables.push(Table {
                    name: text("name").into_owned(),
                    columns,
                    rowid,
                    root,
                });
            }
        }
        if database.tables.is_empty() && database.n_broken > 0 {
            return Err(SqliteFault::BrokenSchema);
        }
        Ok(database)
    }

    /// The table with a name, if it has all of these columns.
    #[must_use]
    pub fn table(&self, name: &str, columns: &[&str]) -> Option<&Table> {
        let table = self.tables.iter().find(|table| table.name.eq_ignore_ascii_case(name))?;
        columns.iter().all(|column| table.column(column).is_some()).then_some(table)
    }
}
