//! Decides which lines the timeline shows: the rows of one run after collapsing, folding and the view mode.

use std::ops::Range;
use std::sync::Arc;
use traceloupe_core::number_set::NumberSet;

use crate::list::folds::passes::{FOLD_PASSES, folded};
use crate::list::form::ListForm;
pub use crate::list::line::Line;
pub use crate::list::mode::Mode;
use crate::list::scope::{self, ancestors_within};
use crate::outline::Outline;
use crate::query::RowFilter;
use crate::query::matching::Matching;
use crate::query::texts::Texts;
use crate::row_columns::NO_ROW;
use traceloupe_core::model::{EventKind, Flags};
use traceloupe_protocol::outline::FindingLine;

/// The inputs, besides the outline, that decide which lines are shown.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Choice {
    /// Index of the run.
    pub run: u32,
    /// If only the rows of one agent are shown: the row that starts that agent.
    pub within: Option<u32>,
    /// Level of detail.
    pub mode: Mode,
    /// How the rows are drawn.
    pub form: ListForm,
    /// Steps with more tool calls than this start collapsed in normal mode.
    pub collapse_over_tools: u32,
    /// Rows whose children are shown or hidden contrary to the default.
    pub toggled: NumberSet,
    /// Overrides the default: everything expanded (`Some(true)`) or collapsed (`Some(false)`).
    /// `toggled` still applies.
    pub all: Option<bool>,
    /// Findings whose repetitions have been unfolded.
    pub unfolded: NumberSet,
    /// First rows of the stretches of notes, copies and quick spans that are unfolded, or folded after everything was expanded.
    pub notes: NumberSet,
    /// LLM calls without text that are shown even though a tool call represents them
    /// ([`Merged`](crate::list::merged::Merged)).
    pub unmerged: NumberSet,
    /// Rows that are shown even though the search found nothing in them.
    pub shown: Vec<Range<u32>>,
    /// Which rows are shown.
    pub query: RowFilter,
    /// Whether rows that do not match are dimmed instead of hidden.
    pub dims: bool,
    /// Results from the worker for the texts in the filter.
    pub texts: Arc<Texts>,
}

impl Choice {
    /// Whether any filter is set.
    #[must_use]
    pub fn is_filtered(&self) -> bool {
        !self.query.is_empty()
    }

    /// Whether rows are hidden by a filter.
    #[must_use]
    pub fn leaves_out(&self) -> bool {
        self.is_filtered() && !self.dims
    }

    /// Removes all filters.
    pub fn clear_filter(&mut self) {
        self.query = RowFilter::default();
        self.texts = Arc::default();
    }
}

/// Whether the children of a row are shown.
#[must_use]
pub fn is_expanded(outline: &Outline, choice: &Choice, row: u32) -> bool {
    if choice.within == Some(row) {
        return true;
    }
    let by_default = match choice.all {
        Some(all) => all,
        None => {
            // The root of a run is not a step: collapsing it would hide the whole run.
            choice.mode == Mode::Verbose
                || outline.rows.kinds.get(row) == EventKind::RunStart as u8
                || is_said(outline, choice, row)
                || is_short_waterfall(outline, choice)
                || (outline.rows.tool_children.get(row) <= choice.collapse_over_tools
                    || starts_agents(outline, row)
                    || holds_the_run(outline, row))
                    && !is_told_by_card(outline, choice, row)
        }
    };
    by_default != choice.toggled.contains(row)
}

/// Whether a sub-agent is inside an LLM call. Users look for the calls that start agents.
fn starts_agents(outline: &Outline, row: u32) -> bool {
    let agents = outline.agents.as_slice();
    let next = agents.get(agents.partition_point(|agent| agent.row <= row));
    outline.rows.kinds.get(row) == EventKind::LlmCall as u8
        && next.is_some_and(|agent| agent.row <= row + outline.rows.nested.get(row))
}

/// Whether a row is a root agent or span that contains most of its run. Some traces have it in place of a run start.
fn holds_the_run(outline: &Outline, row: u32) -> bool {
    let rows = &outline.rows;
    [EventKind::Agent, EventKind::Span].map(|it| it as u8).contains(&rows.kinds.get(row))
        && rows.parents.get(row) == NO_ROW
        && outline.run_of(row).is_some_and(|(_, run)| rows.nested.get(row) > run.n_rows / 2)
}

/// A waterfall with fewer rows starts fully expanded.
const SHORT_WATERFALL: u32 = 200;

fn is_short_waterfall(outline: &Outline, choice: &Choice) -> bool {
    choice.form == ListForm::Waterfall
        && choice.mode == Mode::Normal
        && outline.runs.get(choice.run as usize).is_some_and(|it| it.n_rows < SHORT_WATERFALL)
}

/// Whether a row is an agent inside another one whose card represents its work: always in a transcript, and in a
/// timeline if the agent had no failures and no possible loops.
fn is_told_by_card(outline: &Outline, choice: &Choice, row: u32) -> bool {
    let agent = scope::card(outline, choice, row).filter(|agent| agent.is_inner);
    agent.is_some_and(|agent| match choice.form {
        ListForm::Transcript => true,
        ListForm::Timeline => {
            let is_inside = |it: &FindingLine| (row..agent.end).contains(&it.first);
            agent.n_errors == 0 && !outline.findings.iter().any(|it| it.is_loud() && is_inside(it))
        }
        ListForm::Waterfall => false,
    })
}

/// Whether a row is an LLM call in a transcript, where its children are part of the conversation.
fn is_said(outline: &Outline, choice: &Choice, row: u32) -> bool {
    choice.form == ListForm::Transcript && outline.rows.kinds.get(row) == EventKind::LlmCall as u8
}

/// Whether rows are listed without collapsing or folding, because rows before them may be missing.
#[must_use]
pub fn is_flat(choice: &Choice) -> bool {
    choice.mode == Mode::Minimal || choice.leaves_out()
}

/// The rows of the run that match the filter.
#[must_use]
pub fn matching(outline: &Outline, choice: &Choice) -> Matching {
    Matching::of(outline, choice.run, &choice.query, &choice.texts)
}

/// The lines of a run, in display order.
#[must_use]
pub fn lines(outline: &Outline, choice: &Choice) -> Vec<Line> {
    lines_of(outline, choice, &matching(outline, choice))
}

/// The lines of a run, given which of its rows match the filter.
#[must_use]
pub fn lines_of(outline: &Outline, choice: &Choice, matching: &Matching) -> Vec<Line> {
    let Range { start: first, end } = scope::range(outline, choice);
    if is_flat(choice) {
        let last_answer = last_answer(outline, first, end);
        return (first..end)
            .filter(|row| passes(outline, choice, matching, *row, last_answer))
            .map(Line::Row)
            .collect();
    }
    folded(outline, choice, first..end)
}

fn last_answer(outline: &Outline, from: u32, to: u32) -> Option<u32> {
    let is_llm = |row: &u32| outline.rows.kinds.get(*row) == EventKind::LlmCall as u8;
    let main = (from..to).rev().filter(is_llm).find(|row| outline.rows.depths.get(*row) <= 1);
    main.or_else(|| (from..to).rev().find(is_llm))
}

fn passes(
    outline: &Outline,
    choice: &Choice,
    matching: &Matching,
    row: u32,
    last_answer: Option<u32>,
) -> bool {
    if choice.mode != Mode::Minimal || choice.leaves_out() {
        return matching.has(row);
    }
    let rows = &outline.rows;
    let kind = EventKind::from_code(rows.kinds.get(row));
    let failed = rows.outcome(row).is_error() || kind == EventKind::Error;
    match kind {
        EventKind::UserMessage
        | EventKind::Error
        | EventKind::Compaction
        | EventKind::Record
        | EventKind::Evaluation => true,
        EventKind::LlmCall => {
            failed
                || Flags::from_bits(rows.flags.get(row)).has(Flags::ANSWER)
                || last_answer == Some(row)
        }
        _ => failed,
    }
}

/// The choice changed so that a row is visible: its ancestors are expanded and its fold is
/// unfolded.
#[must_use]
pub fn reveal(outline: &Outline, choice: &Choice, row: u32) -> Choice {
    let mut choice = choice.clone();
    if let Some((run, _)) = outline.run_of(row) {
        choice.run = run;
    }
    if !scope::range(outline, &choice).contains(&row) {
        choice.within = None;
    }
    for ancestor in ancestors_within(outline, &choice, row) {
        if !is_expanded(outline, &choice, ancestor) && !choice.toggled.remove(ancestor) {
            choice.toggled.insert(ancestor);
        }
    }
    let listed = scope::range(outline, &choice);
    let is_shown = !is_flat(&choice) || {
        let last_answer = last_answer(outline, listed.start, listed.end);
        passes(outline, &choice, &matching(outline, &choice), row, last_answer)
    };
    if !is_shown {
        if choice.mode == Mode::Minimal {
            choice.mode = Mode::Normal;
        }
        choice.clear_filter();
    }
    // What folds depends on the mode and the filter.
    for fold in FOLD_PASSES {
        (fold.reveal)(outline, &mut choice, row);
    }
    choice
}

/// The ancestors of a row, outermost first.
#[must_use]
pub fn ancestors(outline: &Outline, row: u32) -> Vec<u32> {
    let parent_of = |row: &u32| Some(outline.rows.parents.get(*row)).filter(|it| *it != NO_ROW);
    let mut found: Vec<u32> = std::iter::successors(parent_of(&row), parent_of).collect();
    found.reverse();
    found
}

/// The number of siblings of a row, including itself.
#[must_use]
pub fn n_siblings(outline: &Outline, row: u32) -> u32 {
    match outline.rows.parents.get(row) {
        NO_ROW => outline.run_of(row).map_or(1, |(_, run)| run.n_roots),
        parent => outline.rows.children.get(parent),
    }
}

/// The index of a line in the list of lines.
///
/// # Errors
/// If the line is not in the list: the index at which it would be inserted.
pub fn index_of(outline: &Outline, lines: &[Line], line: Line) -> Result<u32, u32> {
    // Lines are in row order; a fold line comes directly before the rows that it hides.
    let place = |line: &Line| (line.first_row(outline), line.row().is_some());
    let at = lines.binary_search_by_key(&place(&line), place);
    let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    at.map(number).map_err(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{assembled, finding, outline, with_findings, with_ids, with_kinds};
    use traceloupe_core::model::CallOutcome;

    fn shown(outline: &Outline, choice: &Choice) -> Vec<u32> {
        lines(outline, choice).into_iter().filter_map(Line::row).collect()
    }

    fn choice() -> Choice {
        Choice { collapse_over_tools: 5, ..Choice::default() }
    }

    #[test]
    fn many_tools_of_one_step_start_collapsed() {
        let few = outline(&[0, 1, 1, 1, 1, 1, 0]);
        assert_eq!(shown(&few, &choice()).len(), 7);
        let many = outline(&[0, 1, 1, 1, 1, 1, 1, 0]);
        assert_eq!(shown(&many, &choice()), [0, 7]);
        let verbose = Choice { mode: Mode::Verbose, ..choice() };
        assert_eq!(shown(&many, &verbose).len(), 8);
        let opened = Choice { toggled: [0].into(), ..choice() };
        assert_eq!(shown(&many, &opened).len(), 8);
    }

    #[test]
    fn a_run_start_with_many_tools_stays_open() {
        let depths = [0, 1, 1, 1, 1, 1, 1];
        assert_eq!(shown(&outline(&depths), &choice()), [0]);
        let kinds = [EventKind::RunStart].into_iter().chain([EventKind::ToolCall; 6]);
        let tree = with_kinds(&depths, kinds);
        assert_eq!(shown(&tree, &choice()).len(), 7);
    }

    #[test]
    fn the_agent_that_a_run_is_inside_of_stays_open() {
        let depths = [0, 0, 1, 1, 1, 1, 1, 1, 0];
        for (kind, n_shown) in
            [(EventKind::Agent, 9), (EventKind::Span, 9), (EventKind::LlmCall, 3)]
        {
            let kinds = [EventKind::RunStart, kind].into_iter().chain([EventKind::ToolCall; 7]);
            let tree = with_kinds(&depths, kinds);
            assert_eq!(shown(&tree, &choice()).len(), n_shown, "{kind:?}");
        }
        // One of several agents.
        let depths = [0, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 0, 1];
        let kinds =
            depths.map(|depth| if depth == 0 { EventKind::Agent } else { EventKind::ToolCall });
        let tree = with_kinds(&depths, kinds.into_iter());
        assert_eq!(shown(&tree, &choice()), [0, 7, 14, 15]);
    }

    #[test]
    fn everything_collapsed_and_expanded() {
        let tree = outline(&[0, 1, 2, 0]);
        assert_eq!(shown(&tree, &Choice { all: Some(false), ..choice() }), [0, 3]);
        assert_eq!(shown(&tree, &Choice { all: Some(true), ..choice() }), [0, 1, 2, 3]);
        let one = Choice { all: Some(false), toggled: [0].into(), ..choice() };
        assert_eq!(shown(&tree, &one), [0, 1, 3]);
    }

    #[test]
    fn repeats_are_folded_into_one_line_and_unfolded() {
        let tree = with_findings(&[0, 0, 1, 0, 0], &[finding(&[1, 3])]);
        let folded = lines(&tree, &choice());
        assert_eq!(folded, [Line::Row(0), Line::Fold(0), Line::Row(4)]);
        let unfolded = Choice { unfolded: [0].into(), ..choice() };
        assert_eq!(shown(&tree, &unfolded), [0, 1, 2, 3, 4]);
        let again = lines(&tree, &unfolded);
        assert_eq!(again[1], Line::Fold(0), "folding again is one line away");
        for (at, line) in again.iter().enumerate() {
            assert_eq!(index_of(&tree, &again, *line), Ok(at as u32));
        }
        assert_eq!(index_of(&tree, &folded, Line::Row(2)), Err(2));
        assert_eq!(shown(&tree, &reveal(&tree, &choice(), 2)), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn notes_in_a_row_are_folded_into_one_line() {
        use EventKind::{LlmCall, Note, ToolCall};
        let kinds = [Note, Note, LlmCall, ToolCall, Note, Note, Note, LlmCall, Note];
        let tree = with_kinds(&[0, 0, 0, 1, 1, 1, 0, 0, 0], kinds.into_iter());
        let folded = lines(&tree, &choice());
        let rows = |rows: &[u32]| rows.iter().map(|row| Line::Row(*row)).collect::<Vec<_>>();
        // The notes at rows 4 and 5 have a different parent than the one at row 6. That one stays alone, and so does
        // the last one, because nothing marks them as bookkeeping.
        let notes = [&[Line::Notes(0)][..], &rows(&[2, 3]), &[Line::Notes(4)], &rows(&[6, 7, 8])];
        assert_eq!(folded, notes.concat());
        let open = reveal(&tree, &choice(), 5);
        assert_eq!(shown(&tree, &open), [2, 3, 4, 5, 6, 7, 8]);
        let unfolded = lines(&tree, &open);
        for (at, line) in unfolded.iter().enumerate() {
            assert_eq!(index_of(&tree, &unfolded, *line), Ok(at as u32));
        }
        assert_eq!(reveal(&tree, &open, 4), open, "it is shown already");
        let all = Choice { all: Some(true), ..choice() };
        assert_eq!(shown(&tree, &all).len(), 9);
        assert_eq!(shown(&tree, &Choice { notes: [0].into(), ..all }).len(), 7);
        let verbose = Choice { mode: Mode::Verbose, ..choice() };
        assert_eq!(shown(&tree, &verbose).len(), 9);
        assert_eq!(lines(&tree, &verbose).len(), 9, "nothing is folded there");
    }

    #[test]
    fn folds_hide_separate_and_nested_rows() {
        // The second fold begins inside the first, and each contains a row that the other does not.
        let depths = [0, 0, 1, 0, 0, 0, 0, 0];
        let tree = with_findings(&depths, &[finding(&[1, 5]), finding(&[2, 6])]);
        let lines_of = |unfolded: &[u32]| {
            let unfolded = unfolded.iter().copied().collect();
            lines(&tree, &Choice { unfolded, ..choice() })
        };
        let rows = |rows: &[u32]| rows.iter().map(|row| Line::Row(*row)).collect::<Vec<_>>();
        assert_eq!(lines_of(&[]), [&rows(&[0])[..], &[Line::Fold(0)], &rows(&[3, 4, 7])].concat());
        let outer = [&rows(&[0])[..], &[Line::Fold(0)], &rows(&[1])];
        let inner = [&[Line::Fold(1)][..], &rows(&[3, 4, 5, 7])];
        assert_eq!(lines_of(&[0]), [outer.concat(), inner.concat()].concat());
        let all = [Line::Fold(0), Line::Fold(1)];
        let both = lines_of(&[0, 1]);
        assert_eq!(both.iter().filter(|line| all.contains(line)).count(), 2);
        assert_eq!(both.len(), 10);
        assert_eq!(shown(&tree, &reveal(&tree, &choice(), 6)), [0, 3, 4, 6, 7]);
    }

    #[test]
    fn lines_are_found_again_when_more_has_been_read() {
        let old = with_findings(&[0; 6], &[finding(&[1, 2]), finding(&[4, 5])]);
        // Two more events have arrived above, and the first finding no longer exists.
        let ids = [0, 6, 7, 1, 2, 3, 4, 5];
        let kinds = ids.iter().map(|_| EventKind::ToolCall);
        let new = assembled(&[0; 8], &ids, kinds, &[finding(&[6, 7])]);
        assert_eq!(Line::Row(3).moved(&old, &new), Some(Line::Row(5)));
        assert_eq!(Line::Fold(1).moved(&old, &new), Some(Line::Fold(0)));
        assert_eq!(Line::Fold(0).moved(&old, &new), None);
        assert_eq!(Line::Row(1).moved(&new, &old), None, "not read yet");
        let mut fewer = with_ids(&[0; 5], &[0, 1, 2, 3, 4]);
        fewer.absorbed = vec![(5, 3)];
        assert_eq!(Line::Row(5).moved(&old, &fewer), Some(Line::Row(3)));
    }

    #[test]
    fn revealing_opens_the_ancestors() {
        let tree = outline(&[0, 1, 2, 0]);
        let closed = Choice { all: Some(false), ..choice() };
        assert_eq!(shown(&tree, &reveal(&tree, &closed, 2)), [0, 1, 2, 3]);
        assert_eq!(ancestors(&tree, 2), [0, 1]);
    }

    #[test]
    fn the_minimal_mode_keeps_the_answer() {
        let tree = outline(&[0, 1, 0, 1, 0]);
        let minimal = Choice { mode: Mode::Minimal, ..choice() };
        assert_eq!(shown(&tree, &minimal), [4]);
        assert_eq!(shown(&tree, &reveal(&tree, &minimal, 1)), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn the_minimal_mode_shows_failed_calls() {
        let kinds = [EventKind::UserMessage, EventKind::ToolCall, EventKind::ToolCall];
        let mut tree = with_kinds(&[0, 0, 0], kinds.into_iter());
        let rows = Arc::get_mut(&mut tree.rows).unwrap();
        let statuses = [CallOutcome::Unknown, CallOutcome::Ok, CallOutcome::Failed];
        rows.sent.statuses = statuses.into_iter().map(|it| it as u8).collect();
        let minimal = Choice { mode: Mode::Minimal, ..choice() };
        assert_eq!(shown(&tree, &minimal), [0, 2]);
    }

    #[test]
    fn positions_among_siblings() {
        let tree = outline(&[0, 1, 1, 2, 1, 0]);
        let place = |row| (tree.rows.positions.get(row), n_siblings(&tree, row));
        assert_eq!(place(0), (1, 2));
        assert_eq!(place(2), (2, 3));
        assert_eq!(place(4), (3, 3));
        assert_eq!(place(5), (2, 2));
    }
}
