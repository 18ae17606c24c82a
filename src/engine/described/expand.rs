//! Prompts, responses and Python's notation: taken apart only when they are shown.

use crate::kit::{Description, Part};
use crate::shapes::conversation;

impl Description<'_> {
    /// Takes apart what is only read when it is shown: prompts, answers, Python's notation of data.
    pub(super) fn expand(&mut self) {
        for at in 0..self.items.len() {
            let Some(item) = self.items.get_mut(at) else { return };
            let mut parts = Vec::new();
            let mut told = Vec::new();
            for part in std::mem::take(&mut item.parts) {
                match part {
                    Part::Prompt(value) => {
                        parts.extend(conversation::prompt(self.data(value, &mut told)));
                    }
                    Part::Answer(value) => {
                        parts.extend(conversation::answer(self.data(value, &mut told)));
                    }
                    Part::Arguments(value) if self.is_python => {
                        parts.push(Part::Arguments(self.data(value, &mut told)));
                    }
                    Part::Result(value) if self.is_python => {
                        parts.push(Part::Result(self.data(value, &mut told)));
                    }
                    part => parts.push(part),
                }
            }
            let Some(item) = self.items.get_mut(at) else { return };
            item.parts = parts;
            item.row.told.extend(told);
        }
    }
}
