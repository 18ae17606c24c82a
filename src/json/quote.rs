//! From text to a JSON string.

/// The literal of a string, with its quotes.
#[must_use]
pub fn quoted(text: &str) -> String {
    // Writing a string cannot fail.
    serde_json::to_string(text).unwrap_or_default()
}
