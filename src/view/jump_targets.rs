//! Places in a run that the user may want to go to: the cause of an error, the last answer, a change of the prompt.

use crate::list::folds::quiet_rows::is_copy;
use crate::list::form::has_words;
use crate::outline::Outline;
use traceloupe_core::model::EventKind;
use traceloupe_protocol::comparison::{CompareReason, Comparison};
use traceloupe_protocol::detail::ShownBlock;
use traceloupe_protocol::outline::RunLine;

/// Whether a row failed. Rows that were copied from another session do not count.
#[must_use]
pub fn has_failed(outline: &Outline, row: u32) -> bool {
    let is_error = outline.rows.kinds.get(row) == EventKind::Error as u8;
    (is_error || outline.rows.outcome(row).is_error()) && !is_copy(outline, row)
}

/// The row that made a row fail: the first failed row inside it, and so on inwards. A row with the same error wins over
/// others, because errors are usually passed on unchanged. A row with no failed row inside is its own cause.
#[must_use]
pub fn cause_of(outline: &Outline, row: u32) -> u32 {
    let rows = &outline.rows;
    let (mut cause, mut end) = (row, row + rows.nested.get(row));
    loop {
        let inside = || (cause + 1..=end).filter(|row| has_failed(outline, *row));
        let error = rows.errors.get(cause);
        let same = inside().find(|row| error != 0 && rows.errors.get(*row) == error);
        match same.or_else(|| inside().next()) {
            Some(next) => (cause, end) = (next, next + rows.nested.get(next)),
            None => return cause,
        }
    }
}

/// The last answer of a run: the last LLM call of the main agent that has text and did not fail. If there is none, the
/// last such call of any agent.
#[must_use]
pub fn last_answer(outline: &Outline, run: &RunLine) -> Option<u32> {
    let rows = &outline.rows;
    let is_answer = |row: &u32| {
        rows.kinds.get(*row) == EventKind::LlmCall as u8
            && has_words(outline, *row)
            && !has_failed(outline, *row)
    };
    let all = run.first_row..run.first_row + run.n_rows;
    let main = rows.lanes.get(run.first_row);
    let of_main = all.clone().rev().filter(|row| rows.lanes.get(*row) == main).find(is_answer);
    of_main.or_else(|| all.rev().find(is_answer))
}

/// The LLM calls by the same agent up to and including a row, in the same run, last one first.
pub fn calls_before(outline: &Outline, row: u32) -> impl Iterator<Item = u32> {
    let rows = &outline.rows;
    let first = outline.run_of(row).map_or(row, |(_, run)| run.first_row);
    let lane = rows.lanes.get(row);
    (first..=row).rev().filter(move |row| {
        rows.kinds.get(*row) == EventKind::LlmCall as u8 && rows.lanes.get(*row) == lane
    })
}

/// Whether the input of an LLM call differs from that of the call before it, apart from additions at the end.
#[must_use]
pub fn changes_prompt(comparison: &Comparison) -> bool {
    comparison.reason == CompareReason::PreviousCall
        && comparison.blocks.iter().any(|block| matches!(block, ShownBlock::Diff(..)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_core::model::BlockRole;
    use traceloupe_protocol::notes::ShownNote;

    #[test]
    fn only_a_text_that_differs_changes_the_prompt() {
        let with = |block| Comparison {
            reason: CompareReason::PreviousCall,
            blocks: vec![ShownBlock::Note(ShownNote::HiddenThinking), block],
            ..Comparison::default()
        };
        let new = ShownBlock::Messages(BlockRole::NewMessages, Vec::new(), Vec::new());
        assert!(!changes_prompt(&with(new)));
        let diff = || {
            ShownBlock::Diff(
                BlockRole::ChangedMessage("system".to_owned()),
                vec![('+', "Be brief.".to_owned())],
            )
        };
        assert!(changes_prompt(&with(diff())));
        let chosen = Comparison { reason: CompareReason::Chosen, ..with(diff()) };
        assert!(!changes_prompt(&chosen));
    }
}
