//! Text as a JSON string.

/// The literal of a string, with its quotes.
#[must_use]
pub fn quoted(text: &str) -> String {
    // A string can always be written.
    serde_json::to_string(text).unwrap_or_default()
}
