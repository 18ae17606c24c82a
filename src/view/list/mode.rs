//! How much of a run is shown.

/// Level of detail.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// Questions, answers and errors.
    Minimal,
    /// Every event on one line; long outputs are cut, and steps with many tool calls start
    /// collapsed.
    #[default]
    Normal,
    /// Everything open; nothing is folded or cut.
    Verbose,
}

impl Mode {
    /// The word used in storage and style sheets.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Minimal => "minimal",
            Self::Normal => "normal",
            Self::Verbose => "verbose",
        }
    }

    /// The mode for a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Minimal, Self::Normal, Self::Verbose].into_iter().find(|mode| mode.word() == word)
    }
}
