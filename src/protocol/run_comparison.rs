//! Two runs, compared step by step, as sent to the page.

use serde::{Deserialize, Serialize};

/// Two runs, aligned.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RunComparison {
    /// Indices of the two runs.
    pub runs: (u32, u32),
    /// The steps in order. Where steps differ, those of the first run come first.
    pub lines: Vec<PairLine>,
    /// How many steps were not compared because a run has too many of them.
    pub n_left_out: u64,
    /// The changes of the runs to files. Files that both runs have changed come first.
    pub files: Vec<FilePair>,
}

/// A file that at least one of two runs has changed.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct FilePair {
    /// Its path, relative to the directory of the run if known.
    pub path: String,
    /// The net change of all edits in each run: lines added and removed. `None` if the run did not change the file.
    pub both: [Option<(u32, u32)>; 2],
    /// Whether both runs have changed the same lines in the same way; `None` if unknown.
    pub is_same: Option<bool>,
}

/// Two corresponding steps, or one without a counterpart.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct PairLine {
    /// Id of the event in the first run.
    pub first: Option<u32>,
    /// Id of the event in the second run.
    pub second: Option<u32>,
    /// How the two differ.
    pub fate: Fate,
    /// The summary of the first step; if the steps are the same, the summary of both.
    pub first_words: String,
    /// The summary of the second step, if it differs.
    pub second_words: String,
    /// How many lines each of them adds to files and removes, if its arguments contain the change.
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
    /// A step of the same kind and name, with other text or arguments.
    Changed,
    /// Only the first run has it.
    OnlyFirst,
    /// Only the second run has it.
    OnlySecond,
}

impl Fate {
    /// All differences.
    pub const ALL: [Self; 5] =
        [Self::Same, Self::OtherResult, Self::Changed, Self::OnlyFirst, Self::OnlySecond];
}
