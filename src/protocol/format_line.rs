//! Data about a format that needs no file, for the table on the empty page.

use serde::{Deserialize, Serialize};

/// Data about a format.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FormatLine {
    /// The producer's name.
    pub name: String,
    /// The versions and variants that can be read.
    pub versions: String,
    /// Where such files are found, or how to get them.
    pub found_at: String,
}
