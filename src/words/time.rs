//! Durations and times of day.

use traceloupe_core::number::{fixed, shortest};

/// Formats a duration: `<0.1 ms`, `12 ms`, `3.4 s`, `4 min 12 s`, `2 h 5 min`. Empty for NaN.
#[must_use]
pub fn duration(ms: f64) -> String {
    if ms.is_nan() {
        return String::new();
    }
    let ms = ms.max(0.0);
    if ms < 0.05 && ms > 0.0 {
        return "<0.1 ms".to_owned();
    }
    if ms < 1.0 && ms > 0.0 {
        return format!("{} ms", fixed(ms, 1));
    }
    if ms < 999.5 {
        return format!("{} ms", fixed(ms, 0));
    }
    if ms < 59_950.0 {
        return format!("{} s", fixed(ms / 1e3, 1));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // not NaN, not negative
    let seconds = (ms / 1e3).round() as u64;
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes} min {rest} s"),
        1..48 => format!("{hours} h {minutes} min"),
        _ => format!("{} d {} h", hours / 24, hours % 24),
    }
}

/// Formats a time on an axis or in a narrow column: `0`, `250 ms`, `4.5 s`, `2:41`, `1:02:41`. Empty for NaN.
#[must_use]
pub fn short_time(ms: f64) -> String {
    if ms.is_nan() {
        return String::new();
    }
    if ms < 1_000.0 {
        return if ms > 0.0 { format!("{} ms", fixed(ms, 0)) } else { "0".to_owned() };
    }
    if ms < 60_000.0 {
        return format!("{} s", shortest((ms / 100.0).round() / 10.0));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // not negative
    let seconds = (ms / 1e3).round() as u64;
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{rest:02}"),
        _ => format!("{hours}:{minutes:02}:{rest:02}"),
    }
}

/// Formats a duration in a column of such: `0:12`, `2:41`, `1:02:41`. Empty for NaN.
#[must_use]
pub fn minutes(ms: f64) -> String {
    match ms < 60_000.0 {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // less than a minute
        true => match (ms / 1e3).round() as u64 {
            60 => "1:00".to_owned(),
            seconds => format!("0:{seconds:02}"),
        },
        false => short_time(ms),
    }
}

/// Formats a playback time: `0:07.3`, `12:40.0`.
#[must_use]
pub fn clock(ms: f64) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // not negative
    let tenths = (ms.max(0.0) / 100.0).round() as u64;
    format!("{}:{:02}.{}", tenths / 600, tenths / 10 % 60, tenths % 10)
}

/// Formats a date and time: `2026-11-20 08:12:02 UTC`. Empty for NaN and for times out of range.
#[must_use]
pub fn stamp(ms: f64) -> String {
    if ms.is_nan() {
        return String::new();
    }
    #[expect(clippy::cast_possible_truncation)] // saturates; out of range is refused below
    traceloupe_core::model::utc_text(ms as i64).unwrap_or_default()
}

/// Day and time (UTC) as in tables: `1 Mar, 14:33`, or `1 Mar 2026, 14:33`. Empty for NaN.
#[must_use]
pub fn day_and_minute(ms: f64, has_year: bool) -> String {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let stamp = stamp(ms);
    let part = |range| stamp.get(range).unwrap_or_default();
    let month = part(5..7).parse().ok().and_then(|month: usize| MONTHS.get(month.checked_sub(1)?));
    let Some(month) = month else { return String::new() };
    let year = if has_year { format!(" {}", part(0..4)) } else { String::new() };
    format!("{} {month}{year}, {}", part(8..10).trim_start_matches('0'), part(11..16))
}

/// Date and time (UTC) without seconds: `2026-03-01 14:33`. Empty for NaN.
#[must_use]
pub fn stamp_of_minute(ms: f64) -> String {
    stamp(ms).get(..16).unwrap_or_default().to_owned()
}

/// The time of day (UTC) of a time in milliseconds since 1970: `14:33:02`. Empty for NaN.
#[must_use]
pub fn time_of_day(ms: f64) -> String {
    stamp(ms).get(11..19).unwrap_or_default().to_owned()
}

/// The time of day (UTC) to the millisecond: `14:33:02.080`. Empty for NaN.
#[must_use]
pub fn time_of_day_ms(ms: f64) -> String {
    match time_of_day(ms) {
        time if time.is_empty() => time,
        time => {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // below 1,000
            let rest = ms.rem_euclid(1_000.0) as u32;
            format!("{time}.{rest:03}")
        }
    }
}

/// When a file was written: `written 2026-03-01 14:33:02`.
#[must_use]
pub fn written(time: &str) -> String {
    format!("written {time}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        let cases = [
            (0.0, "0 ms"),
            (0.25, "0.2 ms"),
            (12.0, "12 ms"),
            (3_400.0, "3.4 s"),
            (59_949.0, "59.9 s"),
            (252_000.0, "4 min 12 s"),
            (7_500_000.0, "2 h 5 min"),
            (200_000_000.0, "2 d 7 h"),
            (f64::NAN, ""),
        ];
        for (ms, words) in cases {
            assert_eq!(duration(0.003), "<0.1 ms");
            assert_eq!(duration(ms), words, "{ms}");
        }
    }

    #[test]
    fn the_time_of_day_is_without_a_date() {
        assert_eq!(time_of_day(1_767_607_382_000.0), "10:03:02");
        assert_eq!(time_of_day(f64::NAN), "");
        assert_eq!(time_of_day_ms(1_767_607_382_080.5), "10:03:02.080");
        assert_eq!(time_of_day_ms(f64::NAN), "");
        assert_eq!(stamp(0.0), "1970-01-01 00:00:00 UTC");
    }
}
