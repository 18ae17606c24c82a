//! Times in the notations of other programs.

use traceloupe_core::model::utc_text;

/// A time in ISO 8601, UTC, with as many digits as it needs: `2026-01-05T10:00:00.250Z`. `None` for
/// years with more than four digits.
pub fn iso(ns: i64) -> Option<String> {
    let (seconds, rest_ns) = (ns.div_euclid(1_000_000_000), ns.rem_euclid(1_000_000_000));
    let text = utc_text(seconds.checked_mul(1_000)?)?;
    let (date, rest) = text.split_once(' ')?;
    let time = rest.get(..8)?;
    let fraction = match rest_ns {
        0 => String::new(),
        _ if rest_ns % 1_000_000 == 0 => format!(".{:03}", rest_ns / 1_000_000),
        _ if rest_ns % 1_000 == 0 => format!(".{:06}", rest_ns / 1_000),
        _ => format!(".{rest_ns:09}"),
    };
    Some(format!("{date}T{time}{fraction}Z"))
}

/// Nanoseconds as a decimal number in units of `unit_ns`, without rounding.
pub fn decimal(ns: i64, unit_ns: i64) -> String {
    let (whole, rest) = (ns.div_euclid(unit_ns), ns.rem_euclid(unit_ns));
    if rest == 0 {
        return whole.to_string();
    }
    let digits = unit_ns.ilog10() as usize;
    let text = format!("{whole}.{rest:0digits$}");
    text.trim_end_matches('0').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_core::model::parse_time_ns;

    #[test]
    fn times_are_read_back_as_they_were() {
        for ns in [
            0,
            1_500_000_000_000_000_000,
            1_795_162_322_584_000_000,
            1_795_162_322_584_123_000,
            1_795_162_322_000_000_001,
        ] {
            let text = iso(ns).unwrap();
            assert_eq!(parse_time_ns(&text), Some(ns), "{text}");
        }
        assert_eq!(iso(1_795_162_322_584_000_000).unwrap(), "2026-11-20T08:12:02.584Z");
    }

    #[test]
    fn durations_keep_their_digits() {
        assert_eq!(decimal(400_000_000, 1_000_000), "400");
        assert_eq!(decimal(400_500_000, 1_000_000), "400.5");
        assert_eq!(decimal(1_743_712_220_385_936_000, 1_000_000_000), "1743712220.385936");
    }
}
