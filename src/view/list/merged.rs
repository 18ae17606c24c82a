//! LLM calls without text in the timeline of a conversation. The first call that such an LLM call requested represents
//! it and shows its tokens and cost, so that one step does not take two lines.

use crate::list::folds::passes::{Fold, Pass, Walk};
use crate::list::form::{ListForm, has_words, is_conversation};
use crate::list::visible_lines::{Choice, Mode, is_expanded};
use crate::outline::Outline;
use crate::row_columns::NO_ROW;
use traceloupe_core::model::EventKind;

/// The pass.
pub const FOLD: Fold = Fold {
    begin: |scene, _| {
        let merged = Merged::of(scene.outline, scene.choice);
        merged.merges.then(|| Box::new(merged) as Box<dyn Pass + '_>)
    },
    reveal: |outline, choice, row| {
        if Merged::of(outline, choice).has(row) {
            choice.unmerged.insert(row);
        }
    },
};

impl Pass for Merged<'_> {
    fn at(&mut self, row: u32, _: &mut Walk) -> Option<u32> {
        self.has(row).then_some(row + 1)
    }
}

/// Which LLM calls of a run have no line of their own.
#[derive(Clone, Copy)]
pub struct Merged<'a> {
    outline: &'a Outline,
    choice: &'a Choice,
    is_timeline: bool,
    /// Whether calls are merged at all in this view.
    merges: bool,
}

impl<'a> Merged<'a> {
    /// The merged calls of the displayed run.
    #[must_use]
    pub fn of(outline: &'a Outline, choice: &'a Choice) -> Self {
        let run = outline.runs.get(choice.run as usize);
        let is_timeline = choice.form == ListForm::Timeline
            && !choice.leaves_out()
            && run.is_some_and(|run| is_conversation(outline, run));
        let merges = is_timeline && choice.mode == Mode::Normal && choice.all != Some(true);
        Self { outline, choice, is_timeline, merges }
    }

    /// Whether the run is a conversation drawn as a timeline.
    #[must_use]
    pub fn is_timeline(&self) -> bool {
        self.is_timeline
    }

    /// Whether an LLM call has no line of its own.
    #[must_use]
    pub fn has(&self, row: u32) -> bool {
        let choice = self.choice;
        self.merges
            && self.is_told_by_next(row)
            && !choice.unmerged.contains(row)
            && choice.within != Some(row)
            && is_expanded(self.outline, choice, row)
    }

    /// Whether a row is an LLM call without text or failure, followed by a call that it requested.
    fn is_told_by_next(&self, row: u32) -> bool {
        let (outline, rows) = (self.outline, &self.outline.rows);
        let next = row + 1;
        rows.kinds.get(row) == EventKind::LlmCall as u8
            && rows.nested.get(row) > 0
            && !has_words(outline, row)
            && !rows.outcome(row).is_error()
            && rows.kinds.get(next) == EventKind::ToolCall as u8
            && rows.parents.get(next) == row
            && outline.loops.badges(row).next().is_none()
    }

    /// The LLM call without a line that a row represents.
    #[must_use]
    pub fn told_by(&self, row: u32) -> Option<u32> {
        let asked = self.outline.rows.parents.get(row);
        let is_first = asked != NO_ROW && asked.checked_add(1) == Some(row);
        (is_first && self.has(asked)).then_some(asked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::visible_lines::{Line, lines, reveal};
    use crate::testing::talk;

    fn shown(outline: &Outline, choice: &Choice) -> Vec<u32> {
        lines(outline, choice).into_iter().filter_map(Line::row).collect()
    }

    #[test]
    fn calls_stand_for_the_llm_call_that_only_asked_for_them() {
        let outline = talk();
        let choice = Choice { collapse_over_tools: 5, ..Choice::default() };
        assert_eq!(shown(&outline, &choice), [0, 1, 2, 4, 5, 6, 8, 9]);
        let merged = Merged::of(&outline, &choice);
        assert_eq!([2, 4, 8].map(|row| merged.told_by(row)), [None, Some(3), Some(7)]);
        assert_eq!(merged.told_by(0), None);
    }

    #[test]
    fn an_llm_call_without_words_is_shown_where_it_is_wanted() {
        let outline = talk();
        let choice = Choice { collapse_over_tools: 5, ..Choice::default() };
        let all: Vec<u32> = (0..10).collect();
        let verbose = Choice { mode: Mode::Verbose, ..choice.clone() };
        assert_eq!(shown(&outline, &verbose), all);
        let expanded = Choice { all: Some(true), ..choice.clone() };
        assert_eq!(shown(&outline, &expanded), all);
        assert_eq!(shown(&outline, &reveal(&outline, &choice, 3)), [0, 1, 2, 3, 4, 5, 6, 8, 9]);
        let minimal = Choice { mode: Mode::Minimal, ..choice.clone() };
        assert_eq!(shown(&outline, &reveal(&outline, &minimal, 3)), [0, 1, 2, 3, 4, 5, 6, 8, 9]);
        // Its calls are collapsed, so no other row represents it.
        let folded = Choice { toggled: [3].into(), ..choice.clone() };
        assert_eq!(shown(&outline, &folded), [0, 1, 2, 3, 5, 6, 8, 9]);
        let waterfall = Choice { form: ListForm::Waterfall, ..choice };
        assert_eq!(shown(&outline, &waterfall), all);
    }
}
