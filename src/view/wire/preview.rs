//! The one-line summary of a row.

use serde::{Deserialize, Serialize};

/// What stands on a row beside its name.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Preview {
    /// The words.
    pub text: String,
    /// How many lines the call adds to files and how many it removes, if it says what it changes.
    pub changed_lines: Option<(u32, u32)>,
}

impl From<String> for Preview {
    fn from(text: String) -> Self {
        Self { text, changed_lines: None }
    }
}
