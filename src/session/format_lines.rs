//! What is known about the formats without a file.

use traceloupe_core::catalog::cards;
use traceloupe_protocol::format_line::FormatLine;

/// Describes each format, in catalogue order.
#[must_use]
pub fn format_lines() -> Vec<FormatLine> {
    let line = |entry: &traceloupe_core::catalog::Entry| FormatLine {
        name: entry.name.to_owned(),
        versions: entry.versions.to_owned(),
        found_at: entry.found_at.to_owned(),
    };
    cards().map(|card| line(&card.entry)).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_format_has_a_line_that_says_something() {
        let lines = super::format_lines();
        assert_eq!(lines.len(), traceloupe_core::catalog::cards().count());
        for line in lines {
            assert!(!line.versions.is_empty() && !line.found_at.is_empty(), "{line:?}");
        }
    }
}
