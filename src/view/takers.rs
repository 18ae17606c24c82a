//! What the time of a row goes to: models, groups of tools, the user.

use crate::outline::Outline;
use crate::row_columns::NO_ROW;
use traceloupe_core::model::EventKind;

/// What time goes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taker {
    /// Models.
    Models,
    /// Tools that run commands. As all groups of tools it is told from their names.
    Shell,
    /// Tools that read, write and search files.
    Files,
    /// Tools of MCP servers, and those that read the web.
    Web,
    /// Calls of sub-agents, without their steps: these are what they are.
    Agents,
    /// All other tools.
    Tools,
    /// All other steps.
    Others,
    /// From the last step to the next message of the person.
    Person,
    /// Nothing that the file tells of.
    Nothing,
}

/// The row around a row.
pub(super) fn around(outline: &Outline) -> impl Fn(&u32) -> Option<u32> {
    |row| Some(outline.rows.parents.get(*row)).filter(|it| *it != NO_ROW)
}

/// What the time of a row goes to, and the row that says so. The requests that an LLM call or a tool call makes are its
/// own time.
pub(super) fn taken_by(outline: &Outline, row: u32) -> (Taker, u32) {
    const MAX_LEVELS: usize = 100;
    let rows = &outline.rows;
    for row in std::iter::successors(Some(row), around(outline)).take(MAX_LEVELS) {
        let taker = match EventKind::from_code(rows.kinds.get(row)) {
            EventKind::LlmCall => Taker::Models,
            EventKind::ToolCall => Taker::Tools,
            EventKind::Agent => break,
            _ => continue,
        };
        return (taker, row);
    }
    (Taker::Others, row)
}
