//! One line of the timeline: a row, or a line that stands for folded rows.

use crate::outline::Outline;

/// One line of the timeline.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Line {
    /// A row of the outline.
    Row(u32),
    /// The line that folds and unfolds the repetitions of a finding.
    Fold(u32),
    /// The line that stands for a stretch of notes, copies or quick spans, by its first row.
    Notes(u32),
    /// The line for a stretch of rows without a match, by its first row, with the number of lines that it replaces.
    Misses(u32, u32),
}

impl Default for Line {
    fn default() -> Self {
        Self::Row(0)
    }
}

impl Line {
    /// The row this line shows; `None` for a fold line.
    #[must_use]
    pub fn row(self) -> Option<u32> {
        match self {
            Self::Row(row) => Some(row),
            Self::Fold(_) | Self::Notes(_) | Self::Misses(..) => None,
        }
    }

    /// The row this line shows, or the first row hidden by its fold.
    #[must_use]
    pub fn first_row(self, outline: &Outline) -> u32 {
        match self {
            Self::Row(row) | Self::Notes(row) | Self::Misses(row, _) => row,
            Self::Fold(finding) => {
                let finding = outline.findings.get(finding as usize);
                finding.and_then(|it| it.folded.first()).unwrap_or(0)
            }
        }
    }

    /// The same line in a later outline, which may have more events or different findings.
    #[must_use]
    pub fn moved(self, old: &Outline, new: &Outline) -> Option<Self> {
        match self {
            Self::Row(row) => new.row_of(old.rows.ids.get(row)).map(Self::Row),
            Self::Notes(row) => new.row_of(old.rows.ids.get(row)).map(Self::Notes),
            Self::Misses(row, n) => Some(Self::Misses(new.row_of(old.rows.ids.get(row))?, n)),
            Self::Fold(finding) => {
                let first = old.findings.get(finding as usize)?.folded.first()?;
                let row = new.row_of(old.rows.ids.get(first))?;
                let mut folds = new.loops.folds_from(row).iter();
                let fold = folds.find(|fold| fold.first != row || fold.leads)?;
                (fold.first == row).then_some(Self::Fold(fold.finding))
            }
        }
    }
}
