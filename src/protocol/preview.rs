//! The one-line summary of a row.

use serde::{Deserialize, Serialize};

use super::value::Cut;

/// The content of a row besides its name.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Preview {
    /// The text.
    pub text: String,
    /// How many lines the call adds to files and how many it removes, if its arguments contain the change.
    pub changed_lines: Option<(u32, u32)>,
    /// The first image of a message or of a call.
    pub image: Option<Cut>,
}

impl From<String> for Preview {
    fn from(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}
