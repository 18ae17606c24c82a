//! Writes a session as a document, a piece at a time.

use super::producer::Fields;
use super::{Source, StoredSessions};
use crate::input::sqlite::{Database, ReadSeek, RowPlace, SqliteFault, Table};
use crate::order;
use rustc_hash::FxHashMap;

/// How much is written at once.
const PIECE_BYTES: usize = 64 << 10;

/// A session that is being written.
#[derive(Debug)]
pub struct Writing {
    steps: Vec<Step>,
    /// How many of them are done.
    at: usize,
    /// Whether a message, and a part, was written before in the list that is being written.
    has_message: bool,
    has_part: bool,
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Begin(RowPlace),
    Message(RowPlace),
    Part(RowPlace),
    EndMessage,
    End,
}

impl Writing {
    /// Begins to write a session, by its number: sorts its rows.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn begin(
        stored: &StoredSessions,
        session: usize,
        database: &mut Database,
        file: &mut dyn ReadSeek,
    ) -> Result<Self, SqliteFault> {
        let mut writing = Self { steps: Vec::new(), at: 0, has_message: false, has_part: false };
        let Some(session) = stored.sessions.get(session) else { return Ok(writing) };
        let Source { producer, outer, inner, .. } = &stored.source;
        let (number, tie) = producer.order;
        let last = last_column(outer, &[number, tie, "id"]);
        let mut messages = Vec::new();
        for place in &session.outer {
            let Some(row) = database.row(file, *place, last)? else { continue };
            let key = |column| row.get(outer, column).text().unwrap_or_default().into_owned();
            let order = (row.get(outer, number).integer().unwrap_or(0), key(tie));
            messages.push((order, key("id"), *place));
        }
        order::sort_by_key(&mut messages, |(order, _, _)| order.clone());
        let mut parts: FxHashMap<String, Vec<(String, RowPlace)>> = FxHashMap::default();
        if let (Some(described), Some(inner)) = (&producer.inner, inner) {
            let last = last_column(inner, &[described.of, described.order]);
            for place in &session.inner {
                let Some(row) = database.row(file, *place, last)? else { continue };
                let key = |column| row.get(inner, column).text().unwrap_or_default().into_owned();
                parts.entry(key(described.of)).or_default().push((key(described.order), *place));
            }
        }
        let steps = &mut writing.steps;
        steps.push(Step::Begin(session.row));
        for (_, id, place) in messages {
            steps.push(Step::Message(place));
            if inner.is_some() {
                let mut own = parts.remove(&id).unwrap_or_default();
                order::sort_by(&mut own, |(one, _), (other, _)| one.cmp(other));
                steps.extend(own.into_iter().map(|(_, place)| Step::Part(place)));
                steps.push(Step::EndMessage);
            }
        }
        steps.push(Step::End);
        Ok(writing)
    }

    /// Writes the next piece of the document; nothing when it is complete.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn next(
        &mut self,
        stored: &StoredSessions,
        database: &mut Database,
        file: &mut dyn ReadSeek,
    ) -> Result<String, SqliteFault> {
        let mut out = String::new();
        while out.len() < PIECE_BYTES {
            let Some(step) = self.steps.get(self.at).copied() else { break };
            self.at += 1;
            self.write(step, &stored.source, database, file, &mut out)?;
        }
        Ok(out)
    }

    fn write(
        &mut self,
        step: Step,
        source: &Source,
        database: &mut Database,
        file: &mut dyn ReadSeek,
        out: &mut String,
    ) -> Result<(), SqliteFault> {
        // The last is what is written of a row that is broken: the lists in it must begin.
        let (table, place, write, instead): (_, _, fn(Fields<'_>, &mut String), _) = match step {
            Step::Begin(place) => {
                (&source.sessions, place, source.producer.begin, "{\"messages\":[")
            }
            Step::Message(place) => {
                self.has_part = false;
                if std::mem::replace(&mut self.has_message, true) {
                    out.push(',');
                }
                let instead = if source.inner.is_some() { "{\"parts\":[" } else { "{}" };
                (&source.outer, place, source.producer.message, instead)
            }
            Step::Part(place) => {
                let (Some(inner), Some(table)) = (&source.producer.inner, &source.inner) else {
                    return Ok(());
                };
                if std::mem::replace(&mut self.has_part, true) {
                    out.push(',');
                }
                (table, place, inner.part, "{}")
            }
            Step::EndMessage | Step::End => {
                out.push_str("]}");
                return Ok(());
            }
        };
        match database.row(file, place, usize::MAX)? {
            Some(row) => {
                // Written apart: what is written looks at what is before it.
                let mut own = String::new();
                write(Fields { row: &row, table }, &mut own);
                out.push_str(&own);
            }
            None => out.push_str(instead),
        }
        Ok(())
    }
}

/// The last of some columns of a table.
fn last_column(table: &Table, columns: &[&str]) -> usize {
    columns.iter().filter_map(|column| table.column(column)).max().unwrap_or(usize::MAX)
}
