//! Folds of possible loops: one line stands for all repetitions, in the place of the first hidden one.

use std::iter::Peekable;
use std::slice::Iter;

use crate::findings_by_row::Folded;
use crate::list::folds::passes::{Fold, Pass, Scene, Walk};
use crate::list::form::ListForm;
use crate::list::line::Line;
use crate::list::visible_lines::Mode;

/// The pass.
pub const FOLD: Fold = Fold {
    begin: |scene, first| {
        if scene.choice.mode != Mode::Normal {
            return None;
        }
        // Rows that are folded together with the row that starts the chosen agent are shown there.
        let from = first + u32::from(scene.choice.within.is_some());
        let folds = scene.outline.loops.folds_from(from).iter().peekable();
        Some(Box::new(LoopFolds { scene, folds, hidden_until: first }))
    },
    reveal: |outline, choice, row| choice.unfolded.extend(outline.loops.hiding(row)),
};

struct LoopFolds<'a> {
    scene: Scene<'a>,
    /// The folds that have not been reached yet.
    folds: Peekable<Iter<'a, Folded>>,
    hidden_until: u32,
}

impl LoopFolds<'_> {
    /// Whether a finding folds rows. A waterfall does not fold them, because it has to show the time between
    /// repetitions.
    fn may_fold(&self, finding: u32) -> bool {
        let is_apart =
            || self.scene.outline.findings.get(finding as usize).is_some_and(|it| it.is_apart());
        self.scene.choice.form != ListForm::Waterfall || !is_apart()
    }
}

impl Pass for LoopFolds<'_> {
    fn at(&mut self, row: u32, walk: &mut Walk) -> Option<u32> {
        while let Some(fold) = self.folds.next_if(|fold| fold.first <= row) {
            if !self.may_fold(fold.finding) {
                continue;
            }
            let is_here = fold.first == row && row >= self.hidden_until;
            if is_here && std::mem::replace(&mut walk.is_led, true) {
                continue; // inside the previous fold
            }
            if is_here && fold.leads {
                // One line replaces all repetitions, in the place of the first one.
                walk.lines.push(Line::Fold(fold.finding));
            }
            if !self.scene.choice.unfolded.contains(fold.finding) {
                self.hidden_until = self.hidden_until.max(fold.end);
            }
        }
        (row < self.hidden_until).then_some(self.hidden_until)
    }
}
