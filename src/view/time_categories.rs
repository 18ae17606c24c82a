//! What the time of a row is spent on: models, groups of tools, the user.

use crate::outline::Outline;
use crate::row_columns::NO_ROW;
use traceloupe_core::model::EventKind;

/// What time is spent on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taker {
    /// Models.
    Models,
    /// Tools that run commands. All tool groups are derived from the names of the tools.
    Shell,
    /// Tools that read, write and search files.
    Files,
    /// Tools of MCP servers, and tools that read the web.
    Web,
    /// Calls of sub-agents, without the steps of the sub-agents, which count as what they are.
    Agents,
    /// All other tools.
    Tools,
    /// All other steps.
    Others,
    /// From the last step to the user's next message.
    Person,
    /// Time for which the file has no event.
    Nothing,
}

/// The parent of a row.
pub(super) fn around(outline: &Outline) -> impl Fn(&u32) -> Option<u32> {
    |row| Some(outline.rows.parents.get(*row)).filter(|it| *it != NO_ROW)
}

/// What the time of a row is spent on, and the row that determines it. Requests that an LLM call or a tool call makes
/// count as part of that call.
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
