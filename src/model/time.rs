//! Times and durations in nanoseconds, with "unknown" kept apart from zero.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

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

/// Reads a stamp: RFC 3339 with or without zone (without: taken as UTC, so that order and distance
/// are kept), or a number whose count of digits says its unit (10 s, 13 ms, 16 µs, 19 ns), with
/// or without fraction. Anything else is `None`.
#[must_use]
pub fn parse_time_ns(text: &str) -> Option<i64> {
    let text = text.trim();
    if text.bytes().next()?.is_ascii_digit()
        && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    {
        return parse_number_ns(text);
    }
    if let Some(ns) = parse_plain_utc(text.as_bytes()) {
        return Some(ns);
    }
    let stamp = match text.parse::<Timestamp>() {
        Ok(stamp) => stamp,
        Err(_) => text.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp(),
    };
    i64::try_from(stamp.as_nanosecond()).ok()
}

/// The one shape nearly every producer writes, `YYYY-MM-DDTHH:MM:SS[.fff…]Z`, without the general
/// parser: a stamp stands in every record, and this is an order of magnitude faster.
fn parse_plain_utc(text: &[u8]) -> Option<i64> {
    let digits = |from: usize, to: usize| {
        text.get(from..to)?.iter().try_fold(0i64, |sum, byte| {
            byte.is_ascii_digit().then(|| sum * 10 + i64::from(byte - b'0'))
        })
    };
    let is = |at: usize, byte: u8| text.get(at) == Some(&byte);
    if !(is(4, b'-') && is(7, b'-') && is(10, b'T') && is(13, b':') && is(16, b':')) {
        return None;
    }
    let (year, month, day) = (digits(0, 4)?, digits(5, 7)?, digits(8, 10)?);
    let (hour, minute, second) = (digits(11, 13)?, digits(14, 16)?, digits(17, 19)?);
    if !(1..=12).contains(&month) || !(1..=28).contains(&day) && day > days_of(year, month) {
        return None;
    }
    if day < 1 || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let (mut at, mut fraction_ns, mut unit_ns) = (19, 0i64, 100_000_000i64);
    if is(19, b'.') {
        at = 20;
        while let Some(byte) = text.get(at).filter(|byte| byte.is_ascii_digit()) {
            fraction_ns += i64::from(byte - b'0') * unit_ns;
            unit_ns /= 10;
            at += 1;
        }
    }
    if !(is(at, b'Z') && text.len() == at + 1) {
        return None;
    }
    // Days since 1970-01-01 by the usual shift of the year's start to March.
    let shifted_year = if month <= 2 { year - 1 } else { year };
    let era = shifted_year.div_euclid(400);
    let year_of_era = shifted_year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    let days = era * 146_097 + day_of_era - 719_468;
    let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second;
    seconds.checked_mul(1_000_000_000)?.checked_add(fraction_ns)
}

fn days_of(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
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

    #[test]
    fn the_fast_road_agrees_with_the_general_parser() {
        for text in
            ["1969-12-31T23:59:59.999Z", "2000-03-01T12:00:00Z", "2100-02-28T23:59:59.123456789Z"]
        {
            let general = text.parse::<Timestamp>().unwrap().as_nanosecond();
            assert_eq!(parse_plain_utc(text.as_bytes()).map(i128::from), Some(general), "{text}");
        }
    }
}
