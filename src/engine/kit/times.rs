//! Times and durations in the notations of producers.

use crate::fields;
use traceloupe_core::json::{Json, Kind};
use traceloupe_core::model::{MaybeNs, parse_time_ns};
use traceloupe_core::number::parse;

/// A time: a timestamp in a string or a number. Lists of seconds and nanoseconds are also accepted.
#[must_use]
pub fn time_of(value: Json<'_>) -> MaybeNs {
    match value.kind() {
        Kind::Number => parse_time_ns(value.raw()).into(),
        Kind::String => value.text().and_then(|text| parse_time_ns(&text)).into(),
        Kind::Array => {
            let (seconds, nanos) = (value.item(0).integer(), value.item(1).integer());
            seconds
                .zip(nanos)
                .and_then(|(s, ns)| s.checked_mul(1_000_000_000)?.checked_add(ns))
                .into()
        }
        _ => MaybeNs::UNKNOWN,
    }
}

/// A duration in seconds. Negative and absurdly long durations are unknown.
#[must_use]
pub fn seconds_ns(seconds: Option<f64>) -> MaybeNs {
    // Thirty years, far below the limit of the number type.
    let ns = seconds.map(|seconds| seconds * 1e9).filter(|ns| (0.0..1e18).contains(ns));
    #[expect(clippy::cast_possible_truncation)]
    ns.map(|ns| ns as i64).into()
}

/// A duration in milliseconds, like [`seconds_ns`].
#[must_use]
pub fn millis_ns(millis: Json<'_>) -> MaybeNs {
    seconds_ns(millis.number().map(|millis| millis / 1000.0))
}

/// A duration in the notation of ISO 8601 up to hours, such as `PT1M2.5S`.
#[must_use]
pub fn iso_duration_ns(value: Json<'_>) -> MaybeNs {
    let text = value.text().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix("PT").filter(|it| !it.is_empty()) else {
        return MaybeNs::UNKNOWN;
    };
    let mut seconds = 0.0;
    for (unit, factor) in [('H', 3_600.0), ('M', 60.0), ('S', 1.0)] {
        if let Some((number, after)) = rest.split_once(unit) {
            let Some(number) = parse(number) else { return MaybeNs::UNKNOWN };
            (seconds, rest) = (seconds + number * factor, after);
        }
    }
    seconds_ns(Some(seconds).filter(|_| rest.is_empty()))
}

/// The time from one timestamp to another. Unknown if either is unknown, or if the second is earlier.
#[must_use]
pub fn between(start: Json<'_>, end: Json<'_>) -> MaybeNs {
    fields::between(time_of(start), time_of(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_of_iso_8601_are_read() {
        let of = |text: &str| iso_duration_ns(Json::new(text)).get();
        assert_eq!(of("\"PT1H2M3.5S\""), Some(3_723_500_000_000));
        assert_eq!(of("\"PT0.036S\""), Some(36_000_000));
        assert_eq!(of("\"PT2M\""), Some(120_000_000_000));
        for text in
            ["\"PT\"", "\"PT3\"", "\"P1D\"", "\"PTxS\"", "\"PT1S2M\"", "\"PT-1S\"", "3", "null"]
        {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
