//! Times and durations in the notations of producers.

use crate::fields;
use traceloupe_core::json::{Json, Kind};
use traceloupe_core::model::{MaybeNs, parse_time_ns};

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

/// The time from one timestamp to another. Unknown if either is unknown, or if the second is earlier.
#[must_use]
pub fn between(start: Json<'_>, end: Json<'_>) -> MaybeNs {
    fields::between(time_of(start), time_of(end))
}
