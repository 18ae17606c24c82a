//! Numbers for style sheets.

use traceloupe_core::number::shortest;

/// A percentage for style sheets: `12.34%`. Hundredths are formatted as a whole number: the standard library takes a slow
/// way for fractions of which no digit is left.
#[must_use]
pub fn css_percent(percent: f64) -> String {
    #[expect(clippy::cast_possible_truncation)] // far below 2^53
    let hundredths = (percent * 100.0).round() as i64;
    let (sign, size) = (if hundredths < 0 { "-" } else { "" }, hundredths.unsigned_abs());
    format!("{sign}{}.{:02}%", size / 100, size % 100)
}

/// A length for style sheets, written as browsers write it: `12.5px`.
#[must_use]
pub fn css_px(px: f64) -> String {
    format!("{}px", shortest((px * 100.0).round() / 100.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_written_as_browsers_write_them() {
        let lengths = [0.0, 30.0, 12.5, 1e9 + 0.126];
        assert_eq!(lengths.map(css_px).join(" "), "0px 30px 12.5px 1000000000.13px");
    }

    #[test]
    fn percentages_of_style_sheets_are_as_the_standard_library_has_them() {
        for percent in [0.0, 0.004, 0.006, 1.0, 12.344, 12.346, 99.999, 100.0, -0.5, -12.34, 1e6] {
            assert_eq!(css_percent(percent), format!("{percent:.2}%"));
        }
        assert_eq!(css_percent(-0.001), "0.00%");
    }
}
