//! What a program's database is: its tables and columns, and how its rows are written.

use traceloupe_converters::sqlite::{Database, Row, Table, Value};
use traceloupe_core::json::{Json, is_strict, quoted};

/// A program that keeps sessions in a database.
#[derive(Debug)]
pub(super) struct Producer {
    pub(super) name: &'static str,
    /// How rows say what they are.
    pub(super) ids: Ids,
    /// The table of sessions, and columns that it must have.
    pub(super) sessions: (&'static str, &'static [&'static str]),
    /// The column that names the session that started a session.
    pub(super) parent: &'static str,
    /// The table of messages.
    pub(super) outer: (&'static str, &'static [&'static str]),
    /// How messages are sorted.
    pub(super) order: Order,
    /// The table of the parts of messages, if they are rows of their own, the column that names their message, and the
    /// one by which they are sorted.
    pub(super) inner: Option<Inner>,
    /// Writes the beginning of a document, up to its list of messages.
    pub(super) begin: fn(Fields<'_>, &mut String),
    /// Writes a message; if parts are rows of their own, up to the list of them.
    pub(super) message: fn(Fields<'_>, &mut String),
}

/// How rows say what they are.
#[derive(Debug)]
pub(super) enum Ids {
    /// Their own id is in `id`, that of their session in `session_id`.
    Columns,
    /// The same in columns of other names: the session's, and the message's own.
    Named(&'static str, &'static str),
    /// All rows are in one table. The `key` of a session begins with the first word, and its id follows; that of a message
    /// begins with the second one, and the ids of its session and of itself follow, with a colon between them.
    Keys(&'static str, &'static str),
    /// A session is one row, with its id in this column: the only message of itself, which writes all messages.
    Row(&'static str),
}

/// How messages are sorted.
#[derive(Debug)]
pub(super) enum Order {
    /// By columns: a number, and a text among equal numbers.
    Columns(&'static str, &'static str),
    /// The session lists the ids of its messages. Others do not belong to it any more.
    Listed(fn(Fields<'_>) -> Vec<String>),
}

impl Ids {
    /// The column that says what a row is, and that which says whose it is.
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

    /// Writes members: the key of each, and its column. Columns without a value are left out.
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

    /// Writes members whose values are JSON. What is no JSON is written as text.
    pub(super) fn write_json(self, members: &[(&str, &str)], out: &mut String) {
        for (key, column) in members {
            if let Some(text) = self.get(column).text() {
                member(key, &json(&text), out);
            }
        }
    }

    /// Writes the members of an object that stands in a column. What is no object is a member of the column's name.
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

/// The text of a JSON value, or a text as one.
fn json(text: &str) -> String {
    if is_strict(text) { text.trim().to_owned() } else { quoted(text) }
}

/// Writes a member whose value is written already.
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

/// The last of some columns of a table.
pub(super) fn last_column(table: &Table, columns: &[&str]) -> usize {
    columns.iter().filter_map(|column| table.column(column)).max().unwrap_or(usize::MAX)
}

/// Writes members of another object, by their keys. What is empty is left out.
pub(super) fn copy(object: Json<'_>, keys: &[&str], out: &mut String) {
    for key in keys {
        let value = object.get(key);
        if value.is_given() && !["\"\"", "{}", "[]"].contains(&value.raw()) {
            member(key, value.raw(), out);
        }
    }
}

/// The value of a text, absent if it is no JSON.
pub(super) fn value(text: &str) -> Json<'_> {
    if is_strict(text) { Json::new(text) } else { Json::ABSENT }
}

/// Writes all members of a document but the list of its messages.
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
