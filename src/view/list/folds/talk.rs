//! Rows that a transcript leaves out, without a line in their place. See [`is_left_out`].

use crate::list::folds::passes::{Fold, Pass, Scene, Walk};
use crate::list::form::{ListForm, is_left_out};
use crate::list::visible_lines::Mode;

/// The pass. A row that is left out can only be shown in another form.
pub const FOLD: Fold = Fold {
    begin: |scene, _| {
        let choice = scene.choice;
        let is_talk = choice.form == ListForm::Transcript && choice.mode != Mode::Verbose;
        is_talk.then(|| Box::new(TalkFolds(scene)) as Box<dyn Pass + '_>)
    },
    reveal: |_, _, _| {},
};

struct TalkFolds<'a>(Scene<'a>);

impl Pass for TalkFolds<'_> {
    fn at(&mut self, row: u32, _: &mut Walk) -> Option<u32> {
        is_left_out(self.0.outline, row).then(|| self.0.after(row))
    }
}
