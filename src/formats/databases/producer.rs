//! The description of a program's database: its tables and columns, and how its rows are written.

use traceloupe_converters::sqlite::{Database, Row, Table, Value};
use traceloupe_core::json::{Json, is_strict, quoted};

/// A program that keeps sessions in a database.
#[derive(Debug)]
pub(super) struct Producer {
    pub(super) name: &'static str,
    /// How rows are identified.
    pub(super) ids: Ids,
    /// The table of sessions, and columns that it must have.
    pub(super) sessions: (&'static str, &'static [&'static str]),
    /// The column that names the session's parent.
    pub(super) parent: &'static str,
    /// The table of messages, and columns that it must have.
    pub(super) outer: (&'static str, &'static [&'static str]),
    /// How messages are sorted.
    pub(super) order: Order,
    /// The table of the parts of messages, the column that names their message, and the column that sorts them; `None`
    /// if parts are not rows of their own.
    pub(super) inner: Option<Inner>,
    /// Writes the beginning of a document, up to its list of messages.
    pub(super) begin: fn(Fields<'_>, &mut String),
    /// Writes a message; if parts are rows of their own, up to the list of them.
    pub(super) message: fn(Fields<'_>, &mut String),
}

/// How rows are identified.
#[derive(Debug)]
pub(super) enum Ids {
    /// A row's own id is in `id`, the id of its session in `session_id`.
    Columns,
    /// The same in columns of other names: the session's id, and the message's own id.
    Named(&'static str, &'static str),
    /// All rows are in one table. The `key` of a session is the first word followed by the session's id; the `key` of a
    /// message is the second word followed by the session's id and the message's own id, with a colon between them.
    Keys(&'static str, &'static str),
    /// A session is one row, with its id in this column. It is its own only message, and that message writes all
    /// messages.
    Row(&'static str),
}

/// How messages are sorted.
#[derive(Debug)]
pub(super) enum Order {
    /// By columns: a number, then a text if numbers are equal.
    Columns(&'static str, &'static str),
    /// The session lists the ids of its messages. Other messages no longer belong to it.
    Listed(fn(Fields<'_>) -> Vec<String>),
}

impl Ids {
    /// The column with a row's own id, and the column with its owner's id.
    pub(super) fn columns(&self) -> [&'static str; 2] {
        match self {
            Self::Columns => ["id", "session_id"],
            Self::Named(session, own) => [own, session],
            Self::Keys(..) => ["key", "key"],
            Self::Row(column) => [column, column],
        }
    }

    /// The id of a session.
    pub(super) fn session(&self, row: Fields<'_>) -> Option<String> {
        let [own, of] = self.columns();
        let column = if matches!(self, Self::Named(..)) { of } else { own };
        let id = row.get(column).text()?;
        match self {
            Self::Columns | Self::Named(..) | Self::Row(_) => Some(id.into_owned()),
            Self::Keys(begin, _) => id.strip_prefix(begin).map(str::to_owned),
        }
    }

    /// The session of a message or part, and its own id.
    pub(super) fn message(&self, row: Fields<'_>) -> Option<(String, String)> {
        let [own, of] = self.columns();
        let (own, of) = (row.get(own).text().unwrap_or_default(), row.get(of).text()?);
        match self {
            Self::Columns | Self::Named(..) | Self::Row(_) => {
                Some((of.into_owned(), own.into_owned()))
            }
            Self::Keys(_, begin) => {
                let (of, own) = of.strip_prefix(begin)?.split_once(':')?;
                Some((of.to_owned(), own.to_owned()))
            }
        }
    }
}

/// The parts of messages.
#[derive(Debug)]
pub(super) struct Inner {
    pub(super) table: (&'static str, &'static [&'static str]),
    pub(super) of: &'static str,
    pub(super) order: &'static str,
    /// Writes a part.
    pub(super) part: fn(Fields<'_>, &mut String),
}

/// The tables of a program in a database.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) producer: &'static Producer,
    pub(super) sessions: Table,
    pub(super) outer: Table,
    pub(super) inner: Option<Table>,
}

impl Producer {
    /// The tables of the program, if the database has all of them.
    pub(super) fn source(&'static self, database: &Database) -> Option<Source> {
        let table = |(name, columns): (&str, &[&str])| database.table(name, columns).cloned();
        Some(Source {
            producer: self,
            sessions: table(self.sessions)?,
            outer: table(self.outer)?,
            inner: match &self.inner {
                Some(inner) => Some(table(inner.table)?),
                None => None,
            },
        })
    }
}

/// The values of a row, to be written as members of an object.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    pub(super) row: &'a Row,
    pub(super) table: &'a Table,
}

impl<'a> Fields<'a> {
    pub(super) fn get(self, column: &str) -> Value<'a> {
        self.row.get(self.table, column)
    }

    /// Writes members, given as key and column. Columns without a value are left out.
    pub(super) fn write(self, members: &[(&str, &str)], out: &mut String) {
        for (key, column) in members {
            let written = match self.get(column) {
                Value::Null => continue,
                Value::Integer(number) => number.to_string(),
                Value::Real(number) if number.is_finite() => format!("{number:?}"),
                Value::Real(_) => "null".to_owned(),
                value => quoted(&value.text().unwrap_or_default()),
            };
            member(key, &written, out);
        }
    }

    /// Writes members whose values are JSON. A value that is not JSON is written as text.
    pub(super) fn write_json(self, members: &[(&str, &str)], out: &mut String) {
        for (key, column) in members {
            if let Some(text) = self.get(column).text() {
                member(key, &json(&text), out);
            }
        }
    }

    /// Writes the members of an object in a column. A value that is not an object is written as a member with the
    /// column's name.
    pub(super) fn write_members(self, column: &str, out: &mut String) {
        let Some(text) = self.get(column).text() else { return };
        let inside = text.trim().strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        match inside.filter(|_| is_strict(&text)) {
            Some(inside) if inside.trim().is_empty() => {}
            Some(inside) => {
                separate(out);
                out.push_str(inside.trim());
            }
            None => member(column, &json(&text), out),
        }
    }
}

/// A text that is JSON is kept; any other text becomes a JSON string.
fn json(text: &str) -> String {
    if is_strict(text) { text.trim().to_owned() } else { quoted(text) }
}

/// Writes a member whose value is already written as JSON.
pub(super) fn member(key: &str, written: &str, out: &mut String) {
    separate(out);
    out.push_str(&quoted(key));
    out.push(':');
    out.push_str(written);
}

/// Writes a comma, unless an object or a list has just begun.
pub(super) fn separate(out: &mut String) {
    if !out.is_empty() && !out.ends_with(['{', '[']) {
        out.push(',');
    }
}

/// The position of the last of some columns in a table.
pub(super) fn last_column(table: &Table, columns: &[&str]) -> usize {
    columns.iter().filter_map(|column| table.column(column)).max().unwrap_or(usize::MAX)
}

/// Writes members of another object, by their keys. Empty values are left out.
pub(super) fn copy(object: Json<'_>, keys: &[&str], out: &mut String) {
    for key in keys {
        let value = object.get(key);
        if value.is_given() && !["\"\"", "{}", "[]"].contains(&value.raw()) {
            member(key, value.raw(), out);
        }
    }
}

/// The value of a text, absent if it is not JSON.
pub(super) fn value(text: &str) -> Json<'_> {
    if is_strict(text) { Json::new(text) } else { Json::ABSENT }
}

/// Writes all members of a document except the list of its messages.
pub(super) fn around(document: Json<'_>, list: &str, out: &mut String) {
    for (key, value) in document.members().filter(|(key, _)| key != list) {
        member(&key, value.raw(), out);
    }
}

/// Writes the messages of a document, without the brackets of their list.
pub(super) fn messages(document: Json<'_>, list: &str, out: &mut String) {
    let list = document.get(list).raw();
    let inside = list.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    out.push_str(inside.unwrap_or_default().trim());
}
