//! Counts, shares, tokens and sizes.

use traceloupe_core::number::fixed;

/// Formats a whole number with commas: `1,284`.
#[must_use]
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::with_capacity(digits.len() * 2);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats a number with its noun: `1 event`, `3 events`.
#[must_use]
pub fn counted(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(n), if n == 1 { one } else { many })
}

/// A share from 0 to 1 as a percentage: `53%`.
#[must_use]
pub fn percent(share: f64) -> String {
    format!("{}%", fixed(share * 100.0, 0))
}

/// Marks a formatted number as a lower bound if it is one: `≥ 640`. An empty text stays empty.
#[must_use]
pub fn at_least(number: String, is_lower_bound: bool) -> String {
    if is_lower_bound && !number.is_empty() { format!("≥ {number}") } else { number }
}

/// Marks a formatted number as an estimate: `≈ 640`. An empty text stays empty.
#[must_use]
pub fn about(number: String) -> String {
    if number.is_empty() { number } else { format!("≈ {number}") }
}

/// Formats a number of tokens: `640`, `2.1k`, `1.2M`. Empty for NaN.
#[must_use]
pub fn tokens(n: f64) -> String {
    if n.is_nan() {
        String::new()
    } else if n < 1e3 {
        fixed(n, 0)
    } else if n < 9_950.0 {
        format!("{}k", fixed(n / 1e3, 1))
    } else if n < 999_500.0 {
        format!("{}k", fixed(n / 1e3, 0))
    } else {
        format!("{}M", fixed(n / 1e6, 1))
    }
}

/// Formats a size in decimal units: `410 B`, `12.4 MB`.
#[must_use]
pub fn bytes(n: u64) -> String {
    #[expect(clippy::cast_precision_loss)]
    let size = n as f64;
    match n {
        0..1_000 => format!("{n} B"),
        1_000..1_000_000 => format!("{} kB", fixed(size / 1e3, 1)),
        1_000_000..1_000_000_000 => format!("{} MB", fixed(size / 1e6, 1)),
        _ => format!("{} GB", fixed(size / 1e9, 2)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(tokens(640.0), "640");
        assert_eq!(tokens(2_100.0), "2.1k");
        assert_eq!(tokens(412_345.0), "412k");
        assert_eq!(tokens(1_234_567.0), "1.2M");
        assert_eq!(tokens(f64::NAN), "");
        assert_eq!(bytes(410), "410 B");
        assert_eq!(bytes(12_400_000), "12.4 MB");
        assert_eq!(count(1_284), "1,284");
        assert_eq!(count(12), "12");
        assert_eq!(counted(1, "event", "events"), "1 event");
        assert_eq!((percent(0.534), percent(1.0)), ("53%".to_owned(), "100%".to_owned()));
    }
}
