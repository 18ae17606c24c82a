//! Groups events into turns: an answer of the model with the tool calls that follow it.

use rustc_hash::FxHashSet;

use super::RunNames;
use crate::export::normal::NormalEvent;
use traceloupe_core::model::{EventKind, key_hash};

/// The most calls held per turn; a longer turn is split.
pub const MAX_CALLS: usize = 500;

/// The most bytes held per turn.
const MAX_BYTES: usize = 8 << 20;

/// A message that is not an answer of the model.
#[derive(Debug)]
pub struct Message {
    /// `user`, `system`, or `error`.
    pub role: String,
    /// Its text.
    pub text: String,
    /// The event itself, or the LLM call in whose request the message is new.
    pub event: NormalEvent,
}

/// An answer of the model with its tool calls.
#[derive(Debug, Default)]
pub struct Turn {
    /// The LLM call; `None` for tool calls without one.
    pub answer: Option<NormalEvent>,
    /// The tool calls, each with its id.
    pub calls: Vec<(String, NormalEvent)>,
    /// Calls requested by the answer that have no events of their own: id, name, arguments.
    pub asked: Vec<(String, String, String)>,
    n_bytes: usize,
}

impl Turn {
    /// All events of the turn, in order.
    pub fn events(&self) -> impl Iterator<Item = &NormalEvent> {
        self.answer.iter().chain(self.calls.iter().map(|(_, call)| call))
    }

    /// The first event.
    pub fn first(&self) -> Option<&NormalEvent> {
        self.events().next()
    }
}

/// A complete item, ready to be written.
#[derive(Debug)]
pub enum Written {
    /// A message.
    Message(Box<Message>),
    /// A turn.
    Turn(Box<Turn>),
}

impl Written {
    fn turn(turn: Turn) -> Self {
        Self::Turn(Box::new(turn))
    }

    fn message(role: &str, text: String, event: NormalEvent) -> Self {
        Self::Message(Box::new(Message { role: role.to_owned(), text, event }))
    }
}

/// Collects events into turns.
#[derive(Debug, Default)]
pub struct Turns {
    open: Option<Turn>,
    /// Hashes of the ids already used by calls.
    ids: FxHashSet<u64>,
    n_calls: u64,
}

impl Turns {
    /// Adds the next event and returns what is complete.
    pub fn push(&mut self, event: NormalEvent, run: &RunNames, with_inputs: bool) -> Vec<Written> {
        let mut written = Vec::new();
        match event.kind {
            EventKind::ToolCall => {
                if !self.fits(&event) {
                    written.extend(self.end().map(Written::turn));
                }
                let id = self.id_of(&event);
                let turn = self.open.get_or_insert_default();
                turn.n_bytes += event.arguments.as_ref().map_or(0, String::len)
                    + event.outcome().map_or(0, str::len);
                turn.calls.push((id, event));
            }
            EventKind::LlmCall => {
                written.extend(self.end().map(Written::turn));
                if with_inputs && !run.has_user_messages {
                    let inputs = event.inputs.iter();
                    let message = inputs
                        .map(|(role, text)| Written::message(role, text.clone(), bare(&event)));
                    written.extend(message);
                }
                self.open = Some(Turn { answer: Some(event), ..Turn::default() });
            }
            _ => {
                written.extend(self.end().map(Written::turn));
                let role = match event.kind {
                    EventKind::UserMessage => "user",
                    EventKind::SystemMessage => "system",
                    _ => "error",
                };
                let text = event.text.clone().or_else(|| error_words(&event)).unwrap_or_default();
                written.push(Written::message(role, text, event));
            }
        }
        written
    }

    /// Ends the open turn and returns it.
    pub fn end(&mut self) -> Option<Turn> {
        let mut turn = self.open.take()?;
        if turn.calls.is_empty()
            && let Some(answer) = &mut turn.answer
        {
            for (name, arguments) in std::mem::take(&mut answer.tool_calls) {
                self.n_calls += 1;
                turn.asked.push((format!("call_{}", self.n_calls), name, arguments));
            }
        }
        Some(turn)
    }

    /// Whether a call belongs to the open turn. Calls without a preceding answer each form a turn,
    /// because the file does not say that they were requested together.
    fn fits(&self, call: &NormalEvent) -> bool {
        self.open.as_ref().is_some_and(|turn| {
            turn.answer.as_ref().is_some_and(|answer| answer.lane == call.lane)
                && turn.calls.len() < MAX_CALLS
                && turn.n_bytes < MAX_BYTES
        })
    }

    /// The producer's id of a call if it is not used yet, otherwise a new one.
    fn id_of(&mut self, call: &NormalEvent) -> String {
        self.n_calls += 1;
        let own = call.native_id.as_ref().filter(|id| self.ids.insert(key_hash(&[id])));
        own.cloned().unwrap_or_else(|| format!("call_{}", self.n_calls))
    }
}

/// A copy of the LLM call that keeps only what its input messages need: time and agent.
fn bare(event: &NormalEvent) -> NormalEvent {
    NormalEvent {
        native_id: None,
        usage: None,
        text: None,
        thinking: None,
        tool_calls: Vec::new(),
        inputs: Vec::new(),
        ..event.clone()
    }
}

fn error_words(event: &NormalEvent) -> Option<String> {
    let message = event.error_message.as_deref()?;
    Some(super::plain(message))
}
