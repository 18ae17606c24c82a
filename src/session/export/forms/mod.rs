//! Writes a run in the formats of other programs, turn by turn; the mapping follows the table in
//! AgentV's design.
//!
//! Events are passed to [`FormWriter::push`] one by one, and the writer produces items of a list, as JSON or YAML. Only
//! the current turn is held in memory, with at most [`turns::MAX_CALLS`] of its calls.

mod adk;
mod agentv_events;
mod compact_inline;
mod mastra;
mod openai;
#[cfg(test)]
mod tests;
mod times;
mod turns;

use super::normal::{NormalEvent, Omitted};
use super::yaml;
use traceloupe_core::model::EventKind;
pub use traceloupe_protocol::export_form::ExportForm;
use traceloupe_protocol::notes::ExportNote;
use turns::{Message, Turn, Turns, Written};

/// How the run is identified in the output.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RunNames {
    /// The producer's id for the run.
    pub key: String,
    /// Whether user messages are events of their own. If not, new messages in the requests of LLM
    /// calls are written as messages.
    pub has_user_messages: bool,
}

/// Writes the events of a run in one format.
#[derive(Debug)]
pub struct FormWriter {
    form: ExportForm,
    is_yaml: bool,
    run: RunNames,
    turns: Turns,
    n_items: u64,
    /// Events that the format cannot express.
    n_without_place: u64,
    n_without_time: u64,
    out: String,
}

impl FormWriter {
    /// Begins the output.
    #[must_use]
    pub fn new(form: ExportForm, is_yaml: bool, run: RunNames) -> Self {
        Self {
            form,
            is_yaml,
            run,
            turns: Turns::default(),
            n_items: 0,
            n_without_place: 0,
            n_without_time: 0,
            out: String::new(),
        }
    }

    /// Whether events of a kind can be expressed in any of the formats; other events need not be
    /// read.
    #[must_use]
    pub fn has_place(kind: EventKind) -> bool {
        matches!(
            kind,
            EventKind::UserMessage
                | EventKind::SystemMessage
                | EventKind::LlmCall
                | EventKind::ToolCall
                | EventKind::Error
        )
    }

    /// Counts an event that none of the formats can express. It does not end the turn, because
    /// notes and states may come between a call and its answer.
    pub fn leave_out(&mut self) {
        self.n_without_place += 1;
    }

    /// Writes the next event of the run.
    pub fn push(&mut self, event: NormalEvent) {
        if !Self::has_place(event.kind) {
            return self.leave_out();
        }
        if event.start_ns.is_none() {
            self.n_without_time += 1;
        }
        for written in self.turns.push(event, &self.run, self.form != ExportForm::AgentvEvents) {
            self.write(&written);
        }
    }

    /// Ends the run.
    pub fn finish(&mut self) {
        if let Some(turn) = self.turns.end() {
            self.write(&Written::Turn(Box::new(turn)));
        }
        if !self.is_yaml {
            self.out.push_str(if self.n_items == 0 { "[]\n" } else { "\n]\n" });
        } else if self.n_items == 0 {
            self.out.push_str("[]\n");
        }
    }

    /// The output since the last call of `take`.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.out)
    }

    /// Length of that output in bytes.
    #[must_use]
    pub fn len_bytes(&self) -> usize {
        self.out.len()
    }

    /// What the format could not express.
    #[must_use]
    pub fn notes(&self, omitted: Omitted) -> Vec<ExportNote> {
        let n_without_time = match self.form {
            ExportForm::AgentvEvents => self.n_without_time,
            ExportForm::OpenAiMessages
            | ExportForm::AdkEvents
            | ExportForm::MastraMessages
            | ExportForm::CompactInline => 0,
        };
        let notes = [
            (self.n_without_place, ExportNote::EventsLeftOut(self.n_without_place)),
            (n_without_time, ExportNote::WithoutTime(n_without_time)),
            (omitted.cut_values, ExportNote::ValuesCut(omitted.cut_values)),
            (omitted.images, ExportNote::ImagesLeftOut(omitted.images)),
        ];
        notes.into_iter().filter(|(n, _)| *n > 0).map(|(_, note)| note).collect()
    }

    fn write(&mut self, written: &Written) {
        let items = match written {
            Written::Message(message) => self.message(message),
            Written::Turn(turn) => self.turn(turn),
        };
        if items.is_empty() {
            self.n_without_place += 1;
        }
        for item in items {
            self.item(&item);
        }
    }

    fn message(&self, message: &Message) -> Vec<String> {
        let item = match self.form {
            ExportForm::AgentvEvents => Some(agentv_events::message(message)),
            ExportForm::OpenAiMessages => openai::message(message),
            ExportForm::AdkEvents => adk::message(message, &self.run),
            ExportForm::MastraMessages => mastra::message(message, &self.run, self.n_items),
            ExportForm::CompactInline => compact_inline::message(message),
        };
        item.into_iter().collect()
    }

    fn turn(&self, turn: &Turn) -> Vec<String> {
        match self.form {
            ExportForm::AgentvEvents => agentv_events::turn(turn),
            ExportForm::OpenAiMessages => openai::turn(turn),
            ExportForm::AdkEvents => adk::turn(turn, &self.run),
            ExportForm::MastraMessages => vec![mastra::turn(turn, &self.run, self.n_items)],
            ExportForm::CompactInline => vec![compact_inline::turn(turn)],
        }
    }

    fn item(&mut self, json: &str) {
        if self.is_yaml {
            yaml::write_item(json, &mut self.out);
        } else {
            self.out.push_str(if self.n_items == 0 { "[\n" } else { ",\n" });
            self.out.push_str(json);
        }
        self.n_items += 1;
    }
}

/// JSON as text: the content of a string, anything else as it is.
fn plain(json: &str) -> String {
    if json.starts_with('"') {
        traceloupe_core::json::decode_string(json).into_owned()
    } else {
        json.to_owned()
    }
}
