//! A run in the forms of other programs: the table of AgentV's design, written turn by turn.
//!
//! Events go in one by one ([`FormWriter::push`]), items of a list come out, as JSON or as YAML. Only
//! the turn that is not over yet is held, and at most [`turns::MAX_CALLS`] calls of it.

mod adk;
mod agentv_events;
mod compact_inline;
mod mastra;
mod openai;
#[cfg(test)]
mod tests;
mod times;
mod turns;

use super::normal::{Left, NormalEvent};
use super::yaml;
use crate::model::EventKind;
pub use crate::view::wire::export_form::Form;
use turns::{Said, Turn, Turns, Written};

/// What a run is called in what is written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RunNames {
    /// The producer's id of the run.
    pub key: String,
    /// Whether messages of persons are events of their own; where they are not, what is new in the
    /// requests of the model's calls is written as messages.
    pub has_user_messages: bool,
}

/// Writes the events of a run in a form.
#[derive(Debug)]
pub struct FormWriter {
    form: Form,
    is_yaml: bool,
    run: RunNames,
    turns: Turns,
    n_items: u64,
    /// Events that the form has no place for.
    n_without_place: u64,
    n_without_time: u64,
    out: String,
}

impl FormWriter {
    /// Begins a list.
    #[must_use]
    pub fn new(form: Form, is_yaml: bool, run: RunNames) -> Self {
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

    /// Whether events of a kind have a place in any form; what others say need not be read.
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

    /// Counts an event that has no place in any form. It does not end a turn: notes and states stand
    /// between a call and its answer.
    pub fn leave_out(&mut self) {
        self.n_without_place += 1;
    }

    /// Takes the next event of the run.
    pub fn push(&mut self, event: NormalEvent) {
        if !Self::has_place(event.kind) {
            return self.leave_out();
        }
        if event.start_ns.is_none() {
            self.n_without_time += 1;
        }
        for written in self.turns.push(event, &self.run, self.form != Form::AgentvEvents) {
            self.write(&written);
        }
    }

    /// The run is over.
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

    /// What has been written since the last time.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.out)
    }

    /// How much has been written since then, in bytes.
    #[must_use]
    pub fn len_bytes(&self) -> usize {
        self.out.len()
    }

    /// What the form could not hold, in sentences.
    #[must_use]
    pub fn notes(&self, left: Left) -> Vec<String> {
        let mut notes = Vec::new();
        let mut note = |count: u64, one: &str, many: &str| match count {
            0 => {}
            1 => notes.push(format!("1 {one}")),
            _ => notes.push(format!("{count} {many}")),
        };
        note(
            self.n_without_place,
            "event has no place in this form and was left out",
            "events have no place in this form and were left out",
        );
        if self.form == Form::AgentvEvents {
            note(
                self.n_without_time,
                "event has no time in the file: its timestamp is null",
                "events have no time in the file: their timestamp is null",
            );
        }
        note(
            left.cut_values,
            "value of more than 4 MiB was cut",
            "values of more than 4 MiB were cut",
        );
        note(left.images, "image was left out", "images were left out");
        notes
    }

    fn write(&mut self, written: &Written) {
        let items = match written {
            Written::Said(said) => self.said(said),
            Written::Turn(turn) => self.turn(turn),
        };
        if items.is_empty() {
            self.n_without_place += 1;
        }
        for item in items {
            self.item(&item);
        }
    }

    fn said(&self, said: &Said) -> Vec<String> {
        let item = match self.form {
            Form::AgentvEvents => Some(agentv_events::said(said)),
            Form::OpenAiMessages => openai::said(said),
            Form::AdkEvents => adk::said(said, &self.run),
            Form::MastraMessages => mastra::said(said, &self.run, self.n_items),
            Form::CompactInline => compact_inline::said(said),
        };
        item.into_iter().collect()
    }

    fn turn(&self, turn: &Turn) -> Vec<String> {
        match self.form {
            Form::AgentvEvents => agentv_events::turn(turn),
            Form::OpenAiMessages => openai::turn(turn),
            Form::AdkEvents => adk::turn(turn, &self.run),
            Form::MastraMessages => vec![mastra::turn(turn, &self.run, self.n_items)],
            Form::CompactInline => vec![compact_inline::turn(turn)],
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

/// JSON as words: the text of a string, anything else as it is.
fn plain(json: &str) -> String {
    if json.starts_with('"') {
        crate::json::decode_string(json).into_owned()
    } else {
        json.to_owned()
    }
}
