//! The ways to show an opened row.

use traceloupe_words::page::event as text;

/// How an opened row is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Tab {
    /// What happened, as the format reads it.
    Details,
    /// What changed since an earlier event.
    Changes,
    /// The records as indented JSON.
    Json,
    /// The exact bytes.
    Raw,
}

impl Tab {
    /// All of them, in their order.
    pub const ALL: [Self; 4] = [Self::Details, Self::Changes, Self::Json, Self::Raw];

    /// Its label.
    pub fn words(self) -> &'static str {
        match self {
            Self::Details => text::DETAILS,
            Self::Changes => text::CHANGES,
            Self::Json => "JSON",
            Self::Raw => text::RAW,
        }
    }

    /// The id of its tab in the body of a row.
    pub fn id(self, row: u32) -> String {
        format!("body-{row}-tab-{}", self.words())
    }

    /// The next tab for a key, wrapping around at the ends.
    pub fn next(self, key: &str) -> Option<Self> {
        let at = Self::ALL.iter().position(|it| *it == self)?;
        let last = Self::ALL.len() - 1;
        let to = match key {
            "ArrowRight" => (at + 1) % Self::ALL.len(),
            "ArrowLeft" => at.checked_sub(1).unwrap_or(last),
            "Home" => 0,
            "End" => last,
            _ => return None,
        };
        Self::ALL.get(to).copied()
    }
}
