//! Times and durations in nanoseconds, with "unknown" distinct from zero.

use super::calendar::parse_date_time_ns;

/// A time (since 1970-01-01 UTC) or a duration, in nanoseconds, that may be unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MaybeNs(i64);

impl MaybeNs {
    /// Not known.
    pub const UNKNOWN: Self = Self(i64::MIN);

    /// A known value.
    #[must_use]
    pub fn new(ns: i64) -> Self {
        Self(ns)
    }

    /// The value, if it is known.
    #[must_use]
    pub fn get(self) -> Option<i64> {
        (self.0 != i64::MIN).then_some(self.0)
    }

    /// Whether the value is known.
    #[must_use]
    pub fn is_known(self) -> bool {
        self.get().is_some()
    }
}

impl From<Option<i64>> for MaybeNs {
    fn from(value: Option<i64>) -> Self {
        value.map_or(Self::UNKNOWN, Self::new)
    }
}

/// Parses a timestamp: ISO 8601 or RFC 3339, with or without a zone (UTC is assumed without one, which keeps order and
/// distances), or a number whose digit count determines its unit (10 s, 13 ms, 16 µs, 19 ns), with or without a
/// fraction. `None` for anything else.
#[must_use]
#[inline(never)]
pub fn parse_time_ns(text: &str) -> Option<i64> {
    let text = text.trim();
    if text.bytes().next()?.is_ascii_digit()
        && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    {
        return parse_number_ns(text);
    }
    parse_date_time_ns(text.as_bytes())
}

fn parse_number_ns(text: &str) -> Option<i64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let unit_ns: i64 = match whole.len() {
        9 | 10 => 1_000_000_000,
        12 | 13 => 1_000_000,
        15 | 16 => 1_000,
        18 | 19 => 1,
        _ => return None,
    };
    let mut ns = whole.parse::<i64>().ok()?.checked_mul(unit_ns)?;
    let mut part_ns = unit_ns;
    for byte in fraction.bytes() {
        if !byte.is_ascii_digit() {
            return None;
        }
        part_ns /= 10;
        ns = ns.checked_add(i64::from(byte - b'0') * part_ns)?;
    }
    Some(ns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_of_every_shape() {
        let plain = 1_795_162_322_584_000_000;
        assert_eq!(parse_time_ns("2026-11-20T08:12:02.584Z"), Some(plain));
        assert_eq!(parse_time_ns("2026-11-20T08:12:02.584000Z"), Some(plain));
        assert_eq!(parse_time_ns("2026-11-20T09:12:02.584+01:00"), Some(plain));
        assert_eq!(parse_time_ns("2026-11-20T08:12:02.584"), Some(plain));
        assert_eq!(parse_time_ns("1795162322.584"), Some(plain));
        assert_eq!(parse_time_ns("1795162322584"), Some(plain));
        assert_eq!(parse_time_ns("1795162322584000"), Some(plain));
        assert_eq!(parse_time_ns("1795162322584000000"), Some(plain));
        assert_eq!(parse_time_ns("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(parse_time_ns("2024-02-29T00:00:00Z"), Some(1_709_164_800_000_000_000));
    }

    #[test]
    fn what_is_no_stamp() {
        for text in ["", "yesterday", "12", "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z", "1.2.3"]
        {
            assert_eq!(parse_time_ns(text), None, "{text}");
        }
    }
}
