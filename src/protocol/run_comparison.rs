//! Two runs beside each other, step by step, as sent to the page.

use serde::{Deserialize, Serialize};

/// Two runs, aligned.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RunComparison {
    /// Indices of the two runs.
    pub runs: (u32, u32),
    /// The steps in order. Where steps differ, those of the first run come first.
    pub lines: Vec<PairLine>,
    /// How many steps were not compared, because a run has too many of them.
    pub n_left_out: u64,
    /// What the runs did to files, those first that both have changed.
    pub files: Vec<FilePair>,
}

/// A file that at least one of two runs has changed.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct FilePair {
    /// Its path, as seen from the directory of the run where that is known.
    pub path: String,
    /// How many lines all edits of a run come to: added and removed. `None` if it did not change the file.
    pub both: [Option<(u32, u32)>; 2],
    /// Whether both have changed the same lines in the same way; `None` where that is not known.
    pub is_same: Option<bool>,
}

/// Two steps that correspond to each other, or one that has no counterpart.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PairLine {
    /// Id of the event in the first run.
    pub first: Option<u32>,
    /// Id of the event in the second run.
    pub second: Option<u32>,
    /// How the two differ.
    pub fate: Fate,
    /// What the first one says; of steps that are the same, what both say.
    pub first_words: String,
    /// What the second one says, if that is not the same.
    pub second_words: String,
    /// How many lines each of them adds to files and removes, if it says what it changes.
    pub changed_lines: [Option<(u32, u32)>; 2],
}

/// How two steps differ.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Fate {
    /// They are the same, as far as the files show.
    #[default]
    Same,
    /// The same call gave another result.
    OtherResult,
    /// A step of the same kind and name, with other words or arguments.
    Changed,
    /// Only the first run has it.
    OnlyFirst,
    /// Only the second run has it.
    OnlySecond,
}

impl Fate {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Same, Self::OtherResult, Self::Changed, Self::OnlyFirst, Self::OnlySecond];
}
