//! How the list of rows is drawn: as a conversation, as a timeline, or as a waterfall of spans. It is always one list
//! with one selection. Only the set of lines and their appearance differ.

use crate::list::folds::quiet_rows::is_bookkeeping;
use crate::outline::Outline;
use crate::row_columns::NO_ROW;
use traceloupe_core::model::{EventKind, Flags};
use traceloupe_protocol::outline::RunLine;
use traceloupe_protocol::route::TIMELINE;

/// How the list is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum ListForm {
    /// Messages as text, with one line for each event between them.
    Transcript,
    /// One line per row.
    #[default]
    Timeline,
    /// One line per row, beside bars on a common time axis.
    Waterfall,
}

impl ListForm {
    /// Its id in links and in browser storage.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Transcript => "transcript",
            Self::Timeline => TIMELINE,
            Self::Waterfall => "waterfall",
        }
    }

    /// The form with an id.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        [Self::Transcript, Self::Timeline, Self::Waterfall].into_iter().find(|form| form.id() == id)
    }

    /// Whether a run can be drawn in this form.
    #[must_use]
    pub fn is_offered(self, run: &RunLine) -> bool {
        match self {
            Self::Transcript => has(run, EventKind::UserMessage) && has(run, EventKind::LlmCall),
            Self::Timeline => true,
            Self::Waterfall => run.columns.bars && run.columns.durations,
        }
    }
}

fn has(run: &RunLine, kind: EventKind) -> bool {
    run.kinds.iter().any(|(it, _)| *it == kind as u8)
}

/// Whether a run is a conversation with a user, rather than the spans of a program.
#[must_use]
pub fn is_conversation(outline: &Outline, run: &RunLine) -> bool {
    ListForm::Transcript.is_offered(run)
        && !has(run, EventKind::Span)
        && !outline.turns.of(run).is_empty()
}

/// How many rows back the previous speaker is looked for.
const MAX_BACK: u32 = 400;

fn kind(outline: &Outline, row: u32) -> EventKind {
    EventKind::from_code(outline.rows.kinds.get(row))
}

fn has_only_calls(outline: &Outline, row: u32) -> bool {
    Flags::from_bits(outline.rows.flags.get(row)).has(Flags::ONLY_CALLS)
}

/// Whether a model begins to speak at this row: it is an LLM call, and the agent's last message came from the user or
/// from another model.
#[must_use]
pub fn begins_to_speak(outline: &Outline, row: u32) -> bool {
    if kind(outline, row) != EventKind::LlmCall {
        return false;
    }
    let rows = &outline.rows;
    let first = outline.run_of(row).map_or(row, |(_, run)| run.first_row);
    let lane = rows.lanes.get(row);
    let mut before = (first.max(row.saturating_sub(MAX_BACK))..row).rev();
    let last = before.find(|row| {
        rows.lanes.get(*row) == lane
            && matches!(kind(outline, *row), EventKind::LlmCall | EventKind::UserMessage)
    });
    last.is_none_or(|last| {
        kind(outline, last) == EventKind::UserMessage || rows.names.get(last) != rows.names.get(row)
    })
}

/// Whether a transcript draws a row as text: a message of the user or of a model, or the row where a model's turn to
/// speak begins with a call.
#[must_use]
pub fn is_speech(outline: &Outline, row: u32) -> bool {
    match kind(outline, row) {
        EventKind::UserMessage => true,
        EventKind::LlmCall => !has_only_calls(outline, row) || begins_to_speak(outline, row),
        _ => false,
    }
}

/// Whether a row has text that a transcript shows.
#[must_use]
pub fn has_words(outline: &Outline, row: u32) -> bool {
    !has_only_calls(outline, row)
}

/// Whether a transcript leaves a row out because it is not part of the conversation: notes without content, program
/// state, and LLM calls that only show the calls that they requested.
#[must_use]
pub fn is_left_out(outline: &Outline, row: u32) -> bool {
    let failed = outline.rows.outcome(row).is_error();
    match kind(outline, row) {
        EventKind::Note => is_bookkeeping(outline, row),
        EventKind::State => !failed && !outline.loops.has(row),
        EventKind::RunStart | EventKind::RunEnd => !failed,
        EventKind::LlmCall => !failed && !is_speech(outline, row),
        _ => false,
    }
}

/// The deepest indentation in a transcript, in steps.
const MAX_INDENT: u16 = 6;

/// How many steps a row is indented in a transcript: one for each agent, call or span around it. If only the rows of
/// one agent are shown, the row that starts it is not indented.
#[must_use]
pub fn indent(outline: &Outline, within: Option<u32>, row: u32) -> u16 {
    let parent_of = |row: &u32| Some(outline.rows.parents.get(*row)).filter(|it| *it != NO_ROW);
    let around = std::iter::successors(parent_of(&row), parent_of).take(64);
    let around = around.take_while(|row| within.is_none_or(|within| *row > within));
    let counted = around.filter(|row| {
        matches!(kind(outline, *row), EventKind::ToolCall | EventKind::Agent | EventKind::Span)
    });
    u16::try_from(counted.count()).unwrap_or(MAX_INDENT).min(MAX_INDENT)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{talk, with_kinds};
    use std::sync::Arc;
    use traceloupe_core::model::CallOutcome;

    #[test]
    fn calls_without_words_are_left_out_unless_a_model_begins_with_one() {
        let outline = talk();
        let left_out: Vec<u32> = (0..10).filter(|row| is_left_out(&outline, *row)).collect();
        assert_eq!(left_out, [3, 5]);
        let speech: Vec<u32> = (0..10).filter(|row| is_speech(&outline, *row)).collect();
        assert_eq!(speech, [0, 1, 6, 7, 9]);
        let begins: Vec<u32> = (0..10).filter(|row| begins_to_speak(&outline, *row)).collect();
        assert_eq!(begins, [1, 7]);
        assert!(!has_words(&outline, 7));
    }

    #[test]
    fn states_are_no_part_of_a_conversation_unless_they_failed() {
        use EventKind::{LlmCall, State, UserMessage};
        let kinds = [UserMessage, State, LlmCall, State];
        let mut outline = with_kinds(&[0, 0, 0, 0], kinds.into_iter());
        let rows = Arc::get_mut(&mut outline.rows).unwrap();
        rows.sent.statuses = [0, 0, 0, CallOutcome::Failed as u8].into_iter().collect();
        let left_out: Vec<u32> = (0..4).filter(|row| is_left_out(&outline, *row)).collect();
        assert_eq!(left_out, [1]);
    }

    #[test]
    fn only_what_is_inside_agents_and_calls_is_indented() {
        use EventKind::{Agent, LlmCall, ToolCall};
        let kinds = [LlmCall, ToolCall, Agent, LlmCall, ToolCall];
        let outline = with_kinds(&[0, 1, 2, 3, 4], kinds.into_iter());
        let indents: Vec<u16> = (0..5).map(|row| indent(&outline, None, row)).collect();
        assert_eq!(indents, [0, 0, 1, 2, 2]);
        let inside: Vec<u16> = (1..5).map(|row| indent(&outline, Some(1), row)).collect();
        assert_eq!(inside, [0, 0, 1, 1]);
    }

    #[test]
    fn a_form_is_found_by_its_id() {
        for form in [ListForm::Transcript, ListForm::Timeline, ListForm::Waterfall] {
            assert_eq!(ListForm::from_id(form.id()), Some(form));
        }
        assert_eq!(ListForm::from_id("signature"), None);
    }
}
