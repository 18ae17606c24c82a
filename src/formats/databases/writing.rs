//! Writes a session as a document, a piece at a time.

use super::producer::{Fields, Order, last_column};
use super::{Source, StoredSessions};
use rustc_hash::FxHashMap;
use traceloupe_converters::sqlite::{Database, ReadSeek, RowPlace, SqliteFault};
use traceloupe_core::sorting;

/// How many bytes are written at once.
const PIECE_BYTES: usize = 64 << 10;

/// A session that is being written.
#[derive(Debug)]
pub struct Writing {
    steps: Vec<Step>,
    /// How many steps are done.
    at: usize,
    /// Whether the list that is being written already has a message, and whether it has a part.
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
    /// Begins to write a session, given by its number: sorts its rows.
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
        let Source { producer, outer, inner, sessions } = &stored.source;
        let (number, tie, listed) = match producer.order {
            Order::Columns(number, tie) => (number, tie, None),
            Order::Listed(list) => {
                let row = database.row(file, session.row, usize::MAX)?;
                let list = row.map(|row| list(Fields { row: &row, table: sessions }));
                let places = (0_i64..).zip(list.unwrap_or_default());
                ("", "", Some(places.map(|(at, id)| (id, at)).collect::<FxHashMap<_, _>>()))
            }
        };
        let [own, of] = producer.ids.columns();
        let last = last_column(outer, &[number, tie, own, of]);
        let mut messages = Vec::new();
        for place in &session.outer {
            let Some(row) = database.row(file, *place, last)? else { continue };
            let fields = Fields { row: &row, table: outer };
            let Some((_, id)) = producer.ids.message(fields) else { continue };
            let nth = match &listed {
                Some(listed) => listed.get(&id).copied(),
                None => Some(fields.get(number).integer().unwrap_or(0)),
            };
            if let Some(nth) = nth {
                let order = (nth, fields.get(tie).text().unwrap_or_default().into_owned());
                messages.push((order, id, *place));
            }
        }
        sorting::sort_by(&mut messages, |(one, ..), (other, ..)| one.cmp(other));
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
                sorting::sort_by(&mut own, |(one, _), (other, _)| one.cmp(other));
                steps.extend(own.into_iter().map(|(_, place)| Step::Part(place)));
                steps.push(Step::EndMessage);
            }
        }
        steps.push(Step::End);
        Ok(writing)
    }

    /// Writes the next piece of the document; nothing if it is complete.
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
        // The last value is written for a broken row: the lists inside it must be opened.
        let (table, place, write, instead): (_, _, fn(Fields<'_>, &mut String), _) = match step {
            Step::Begin(place) => {
                (&source.sessions, place, source.producer.begin, "{\"messages\":[")
            }
            Step::Message(place) => {
                self.has_part = false;
                let instead = if source.inner.is_some() { "{\"parts\":[" } else { "{}" };
                (&source.outer, place, source.producer.message, instead)
            }
            Step::Part(place) => {
                let (Some(inner), Some(table)) = (&source.producer.inner, &source.inner) else {
                    return Ok(());
                };
                (table, place, inner.part, "{}")
            }
            Step::EndMessage | Step::End => {
                out.push_str("]}");
                return Ok(());
            }
        };
        // Written to a string of its own, because commas depend on the preceding text.
        let mut own = String::new();
        match database.row(file, place, usize::MAX)? {
            Some(row) => write(Fields { row: &row, table }, &mut own),
            None => own.push_str(instead),
        }
        let before = match step {
            Step::Message(_) => &mut self.has_message,
            _ => &mut self.has_part,
        };
        if !own.is_empty() && std::mem::replace(before, true) && !matches!(step, Step::Begin(_)) {
            out.push(',');
        }
        out.push_str(&own);
        Ok(())
    }
}
