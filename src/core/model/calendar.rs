//! Converts dates and times of day to and from nanoseconds since 1970-01-01 UTC.
//!
//! This code is written by hand because every record has a timestamp, and a library (with zones, spans, formats and
//! error texts) would add too much to the wasm. Tests compare the results with such a library.

const SECONDS_OF_DAY: i64 = 86_400;

/// Reads a date with an optional time of day, in ISO 8601 or RFC 3339: extended
/// (`2026-11-20T08:12:02.584Z`) or basic (`20261120T081202Z`), with `T` or a space, with or without
/// an offset (UTC is assumed without one), with or without seconds and a fraction. A zone name in
/// brackets is ignored, and so are fraction digits after the ninth. Returns `None` for anything
/// else, and for times that 64 bits of nanoseconds cannot hold (before 1677, after 2262).
pub(super) fn parse_date_time_ns(text: &[u8]) -> Option<i64> {
    let mut rest = Rest(text);
    let year = rest.number(4)?;
    let extended = rest.eat(b"-");
    let month = rest.number(2)?;
    if extended && !rest.eat(b"-") {
        return None;
    }
    let day = rest.number(2)?;
    if !(1..=12).contains(&month) || day < 1 || (day > 28 && day > days_of(year, month)) {
        return None;
    }
    let mut seconds = days_from_civil(year, month, day) * SECONDS_OF_DAY;
    let mut fraction_ns = 0;
    if rest.eat(b"Tt ") {
        let (hour, minute, second) = rest.time_of_day()?;
        seconds += hour * 3_600 + minute * 60 + second;
        fraction_ns = rest.fraction_ns()?;
        seconds -= rest.offset_seconds()?;
    }
    if let [b'[', .., b']'] = rest.0 {
        rest.0 = &[];
    }
    if !rest.0.is_empty() {
        return None;
    }
    seconds.checked_mul(1_000_000_000)?.checked_add(fraction_ns)
}

/// The part of a timestamp that has not been read yet.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    /// Consumes one byte if it is one of `any`.
    fn eat(&mut self, any: &[u8]) -> bool {
        match self.0.split_first() {
            Some((first, rest)) if any.contains(first) => {
                self.0 = rest;
                true
            }
            _ => false,
        }
    }

    fn digit(&mut self) -> Option<i64> {
        let (first, rest) = self.0.split_first()?;
        let digit = first.is_ascii_digit().then(|| i64::from(first - b'0'))?;
        self.0 = rest;
        Some(digit)
    }

    /// A number with this many digits.
    fn number(&mut self, digits: usize) -> Option<i64> {
        (0..digits).try_fold(0, |sum, _| Some(sum * 10 + self.digit()?))
    }

    /// Hour, minute and optional second. A leap second counts as the second before it.
    fn time_of_day(&mut self) -> Option<(i64, i64, i64)> {
        let hour = self.number(2)?;
        let extended = self.eat(b":");
        let minute = self.number(2)?;
        let has_second =
            if extended { self.eat(b":") } else { self.0.first().is_some_and(u8::is_ascii_digit) };
        let second = if has_second { self.number(2)? } else { 0 };
        (hour <= 23 && minute <= 59 && second <= 60).then_some((hour, minute, second.min(59)))
    }

    fn fraction_ns(&mut self) -> Option<i64> {
        if !self.eat(b".,") {
            return Some(0);
        }
        let mut unit_ns = 100_000_000;
        let mut ns = self.digit()? * unit_ns;
        while let Some(digit) = self.digit() {
            unit_ns /= 10;
            ns += digit * unit_ns;
        }
        Some(ns)
    }

    /// The UTC offset of the timestamp, in seconds; positive if its clock is ahead.
    fn offset_seconds(&mut self) -> Option<i64> {
        if self.eat(b"Zz") {
            return Some(0);
        }
        let sign = match self.0.first() {
            Some(b'+') => 1,
            Some(b'-') => -1,
            _ => return Some(0),
        };
        self.eat(b"+-");
        let hours = self.number(2)?;
        let minutes = if self.eat(b":") || self.0.first().is_some_and(u8::is_ascii_digit) {
            self.number(2)?
        } else {
            0
        };
        (hours <= 25 && minutes <= 59).then_some(sign * (hours * 3_600 + minutes * 60))
    }
}

/// Writes milliseconds since 1970 as `2026-11-20 08:12:02 UTC`; `None` outside the years 0 to 9999.
#[must_use]
pub fn utc_text(ms: i64) -> Option<String> {
    let seconds = ms.div_euclid(1_000);
    let (year, month, day) = civil_from_days(seconds.div_euclid(SECONDS_OF_DAY));
    let second = seconds.rem_euclid(SECONDS_OF_DAY);
    let (hour, minute, second) = (second / 3_600, second / 60 % 60, second % 60);
    (0..=9_999)
        .contains(&year)
        .then(|| format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02} UTC"))
}

fn days_of(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Days since 1970-01-01. The year is assumed to start in March, so that leap days come last.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let shifted_year = if month <= 2 { year - 1 } else { year };
    let era = shifted_year.div_euclid(400);
    let year_of_era = shifted_year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

/// The inverse of [`days_from_civil`]: year, month and day.
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;
    use jiff::civil::DateTime;
    use jiff::tz::TimeZone;
    use proptest::prelude::*;

    use super::*;

    /// Parses the same text with a library.
    fn by_jiff(text: &str) -> Option<i64> {
        let stamp = match text.parse::<Timestamp>() {
            Ok(stamp) => stamp,
            Err(_) => text.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok()?.timestamp(),
        };
        i64::try_from(stamp.as_nanosecond()).ok()
    }

    #[test]
    fn shapes_that_are_read() {
        for text in [
            "2026-11-20T08:12:02.584Z",
            "2026-11-20t08:12:02,584z",
            "2026-11-20 08:12:02+01:00",
            "2026-11-20T08:12:02-0330",
            "2026-11-20T08:12:02.5+05",
            "2026-11-20T08:12",
            "2026-11-20",
            "20261120T081202Z",
            "20261120T081202.25+0100",
            "2015-06-30T23:59:60Z",
            "2024-02-29T12:00:00",
            "1969-12-31T23:59:59.999Z",
            "2000-03-01T12:00:00Z",
            "2100-02-28T23:59:59.123456789Z",
            "2026-11-20T08:12:02+00:00[UTC]",
        ] {
            assert!(by_jiff(text).is_some(), "{text}");
            assert_eq!(parse_date_time_ns(text.as_bytes()), by_jiff(text), "{text}");
        }
        let cut = parse_date_time_ns(b"2026-11-20T08:12:02.1234567899Z");
        assert_eq!(cut, by_jiff("2026-11-20T08:12:02.123456789Z"));
    }

    #[test]
    fn shapes_that_are_refused() {
        for text in [
            "",
            "2026",
            "2026-11",
            "2026-1120",
            "2026-11-31",
            "2026-00-10",
            "2025-02-29",
            "2026-11-20T",
            "2026-11-20T24:00:00Z",
            "2026-11-20T08:60:00Z",
            "2026-11-20T08:12:61Z",
            "2026-11-20T08:12:02.Z",
            "2026-11-20T08:12:02Zz",
            "2026-11-20T08:12:02+1",
            "2026-11-20T08:12:02+99:00",
            "2026-11-20T08:12:02 CET",
            "1600-01-01T00:00:00Z",
            "2300-01-01T00:00:00Z",
        ] {
            assert_eq!(by_jiff(text), None, "{text}");
            assert_eq!(parse_date_time_ns(text.as_bytes()), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_time_is_read_and_written_as_the_library_does(
            ns in any::<i64>(), offset_minutes in -1_439i64..=1_439, digits in 0usize..=9,
        ) {
            let stamp = Timestamp::from_nanosecond(i128::from(ns)).unwrap();
            let offset = jiff::tz::Offset::from_seconds(offset_minutes as i32 * 60).unwrap();
            let text = format!("{stamp:.digits$}");
            prop_assert_eq!(parse_date_time_ns(text.as_bytes()), by_jiff(&text), "{}", text);
            let text = stamp.display_with_offset(offset).to_string();
            prop_assert_eq!(parse_date_time_ns(text.as_bytes()), Some(ns), "{}", text);
        }

        #[test]
        fn days_go_both_ways(ms in -62_167_219_200_000i64..253_402_300_800_000) {
            // The library ends a day before the year 9999 does.
            if let Ok(stamp) = Timestamp::from_millisecond(ms) {
                let expected = stamp.strftime("%Y-%m-%d %H:%M:%S UTC").to_string();
                prop_assert_eq!(utc_text(ms), Some(expected));
            }
        }

        #[test]
        fn no_text_breaks_it(text in "[0-9TZ:+.,\\[\\] -]{0,40}") {
            parse_date_time_ns(text.as_bytes());
        }
    }

    #[test]
    fn years_of_other_lengths_are_not_written() {
        assert_eq!(utc_text(0).as_deref(), Some("1970-01-01 00:00:00 UTC"));
        assert_eq!(utc_text(253_402_300_799_999).as_deref(), Some("9999-12-31 23:59:59 UTC"));
        assert_eq!(utc_text(253_402_300_800_000), None);
        assert_eq!(utc_text(i64::MAX), None);
        assert_eq!(utc_text(i64::MIN), None);
    }
}
