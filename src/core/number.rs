//! Parses and writes numbers in JSON syntax.
//!
//! The exact parser of the standard library has a table of 10 kB that does not compress, and both programs would
//! contain it. This one is exact for up to 15 digits and exponents up to 22; beyond that it is off by at most a few
//! units in the last place.

/// Powers of ten that a float represents exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// A float with this many digits before its point is too large, and one with this many after it is indistinguishable
/// from 0.
const MAX_EXPONENT: i32 = 400;

/// The value of a JSON number. `None` for anything else, and for numbers that a float cannot represent.
#[must_use]
pub fn parse(raw: &str) -> Option<f64> {
    is_number(raw.as_bytes()).then_some(())?;
    let (digits, written) = raw.split_once(['e', 'E']).unwrap_or((raw, "0"));
    let (mantissa, places) = mantissa(digits);
    let sign = if written.starts_with('-') { -1 } else { 1 };
    let exponent = written.trim_start_matches(['+', '-']).parse().unwrap_or(i32::MAX);
    let exponent = exponent.saturating_mul(sign).saturating_add(places);
    #[expect(clippy::cast_precision_loss, reason = "the nearest float is meant")]
    let value = scale(mantissa as f64, exponent.clamp(-MAX_EXPONENT, MAX_EXPONENT));
    let value = if raw.starts_with('-') { -value } else { value };
    value.is_finite().then_some(value)
}

/// The first digits of a number as a whole number, and the power of ten by which to multiply it.
fn mantissa(digits: &str) -> (u64, i32) {
    let (mut mantissa, mut places) = (0_u64, 0_i32);
    let mut is_fraction = false;
    for byte in digits.bytes() {
        match byte {
            b'.' => is_fraction = true,
            // Further digits make no difference.
            b'0'..=b'9' if mantissa < u64::MAX / 100 => {
                mantissa = mantissa * 10 + u64::from(byte - b'0');
                places = places.saturating_sub(i32::from(is_fraction));
            }
            b'0'..=b'9' => places = places.saturating_add(i32::from(!is_fraction)),
            _ => {}
        }
    }
    (mantissa, places)
}

fn scale(mut value: f64, exponent: i32) -> f64 {
    let mut left = exponent.unsigned_abs() as usize;
    while left > 0 {
        let step = left.min(POWERS.len() - 1);
        let power = POWERS.get(step).copied().unwrap_or(1.0);
        value = if exponent < 0 { value / power } else { value * power };
        left -= step;
    }
    value
}

/// A number with `places` digits after its point, at most 18, for displaying values with at most 15 significant digits.
///
/// The standard library formats fractions exactly, with 18 kB of code that the page would have to contain.
#[must_use]
#[inline(never)]
pub fn fixed(value: f64, places: u32) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    let unit = 10_u64.pow(places.min(18));
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "saturates; not negative"
    )]
    let units = (value.abs() * unit as f64).round_ties_even() as u64;
    let sign = if value < 0.0 && units > 0 { "-" } else { "" };
    match places {
        0 => format!("{sign}{units}"),
        _ => format!("{sign}{}.{:0>2$}", units / unit, units % unit, places as usize),
    }
}

/// A number with all of its first 15 significant digits, and without trailing zeros.
#[must_use]
pub fn shortest(value: f64) -> String {
    const DIGITS: u32 = 15;
    let size = value.abs();
    if size >= 1e15 {
        return scientific(value, DIGITS - 1);
    }
    let before = (1..DIGITS).find(|n| size < POWERS.get(*n as usize).copied().unwrap_or(f64::MAX));
    let text = fixed(value, DIGITS - before.unwrap_or(DIGITS));
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// A number in scientific notation, with `places` digits after the point: `1.23e-5`.
#[must_use]
pub fn scientific(value: f64, places: u32) -> String {
    let (mut digits, mut exponent) = (value, 0);
    while digits.is_finite() && digits.abs() >= 10.0 {
        (digits, exponent) = (digits / 10.0, exponent + 1);
    }
    while digits != 0.0 && digits.abs() < 1.0 {
        (digits, exponent) = (digits * 10.0, exponent - 1);
    }
    // Rounded up to the next power of ten.
    let text = match fixed(digits, places) {
        text if text.trim_start_matches('-').starts_with("10") => {
            exponent += 1;
            fixed(digits / 10.0, places)
        }
        text => text,
    };
    format!("{text}e{exponent}")
}

/// The nearest number from `least` to `most`. Unlike `clamp` it never panics, so it needs no panic message.
#[must_use]
pub fn within(value: f64, least: f64, most: f64) -> f64 {
    value.min(most).max(least)
}

/// Whether a run of bytes is a number in JSON syntax.
#[must_use]
pub fn is_number(run: &[u8]) -> bool {
    fn digits(run: &[u8]) -> (usize, &[u8]) {
        let len = run.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(run.len());
        (len, run.get(len..).unwrap_or_default())
    }
    let run = run.strip_prefix(b"-").unwrap_or(run);
    let leading_zero = run.first() == Some(&b'0');
    let (len, mut rest) = digits(run);
    if len == 0 || (leading_zero && len > 1) {
        return false;
    }
    if let Some(fraction) = rest.strip_prefix(b".") {
        let (len, after) = digits(fraction);
        if len == 0 {
            return false;
        }
        rest = after;
    }
    if let Some(exponent) = rest.strip_prefix(b"e").or_else(|| rest.strip_prefix(b"E")) {
        let exponent =
            exponent.strip_prefix(b"+").or_else(|| exponent.strip_prefix(b"-")).unwrap_or(exponent);
        let (len, after) = digits(exponent);
        return len > 0 && after.is_empty();
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_of_common_size_are_exact() {
        for raw in ["0", "-0", "1", "-1.5", "0.1", "12.0", "1e3", "1.25E-3", "1763971200.123456"] {
            assert_eq!(parse(raw), raw.parse().ok(), "{raw}");
        }
        for raw in ["", "+1", ".5", "5.", "01", "NaN", "inf", "0x1", "1e", "\"1\"", "1 "] {
            assert_eq!(parse(raw), None, "{raw}");
        }
    }

    #[test]
    fn numbers_of_any_size_end() {
        assert_eq!(parse("1e400"), None);
        assert_eq!(parse("-1e99999999999999999999"), None);
        assert_eq!(parse("1e-99999999999999999999"), Some(0.0));
        assert_eq!(
            parse(&format!("{}e-399", "0".repeat(0) + &"9".repeat(400))),
            parse("9.999999999999999999")
        );
        assert_eq!(parse(&format!("0.{}1", "0".repeat(500))), Some(0.0));
    }

    #[test]
    fn numbers_are_told_from_words() {
        for good in ["0", "-0.0", "1e400", "12345678901234567890123", "1.5E-3", "-7"] {
            assert!(is_number(good.as_bytes()), "{good}");
        }
        for bad in ["", "-", "01", "1.", ".5", "1e", "+1", "NaN", "0x1", "1.2.3"] {
            assert!(!is_number(bad.as_bytes()), "{bad}");
        }
    }

    #[test]
    fn numbers_are_written_with_the_digits_that_matter() {
        assert_eq!(fixed(1.26, 1), "1.3");
        assert_eq!(fixed(-0.04, 1), "0.0");
        assert_eq!(fixed(-2.5, 0), "-2");
        assert_eq!(fixed(0.007, 2), "0.01");
        assert_eq!((fixed(f64::NAN, 2), fixed(1e300, 0).len()), ("NaN".to_owned(), 20));
        for (value, text) in [
            (0.0, "0"),
            (1.5, "1.5"),
            (-12.0, "-12"),
            (0.1 + 0.2, "0.3"),
            (1_763_971_200_123.456, "1763971200123.46"),
            (999_999_999_999_999.0, "999999999999999"),
            (2e15, "2.00000000000000e15"),
        ] {
            assert_eq!(shortest(value), text);
        }
        assert_eq!(scientific(0.000_012_34, 2), "1.23e-5");
        assert_eq!(scientific(-9.999e7, 2), "-1.00e8");
        assert_eq!(scientific(0.0, 2), "0.00e0");
        assert_eq!(
            [within(-1.0, 0.0, 5.0), within(7.0, 0.0, 5.0), within(7.0, 0.0, -1.0)],
            [0.0, 5.0, 0.0]
        );
    }

    proptest! {
        #[test]
        fn fractions_are_written_as_the_standard_library_writes_them(
            thousandths in -1_000_000_000_000_i64..1_000_000_000_000, places in 0_u32..6,
        ) {
            #[expect(clippy::cast_precision_loss)] // below 2^53
            let value = thousandths as f64 / 1e3;
            let (ours, theirs) = (fixed(value, places), format!("{value:.*}", places as usize));
            // They may differ if a digit can be rounded up as well as down.
            let [ours_value, theirs_value] = [&ours, &theirs].map(|it| it.parse::<f64>().unwrap());
            prop_assert!((ours_value - theirs_value).abs() <= 1.01 / f64::from(10_u32.pow(places)), "{ours} {theirs}");
            prop_assert_eq!(ours.len().abs_diff(theirs.len()) <= 1, true);
            prop_assert_eq!(shortest(value), format!("{value}"));
        }

        #[test]
        fn other_numbers_are_near_those_of_the_standard_library(float in any::<f64>()) {
            prop_assume!(float.is_finite());
            for raw in [format!("{float}"), format!("{float:e}")] {
                let found = parse(&raw).unwrap_or(f64::NAN);
                let is_near = (found - float).abs() <= float.abs() * 1e-14 + f64::MIN_POSITIVE;
                prop_assert!(is_near || float.abs() > 1e308, "{raw}: {found}");
            }
        }

        #[test]
        fn up_to_15_digits_are_exact(digits in 0_u64..1_000_000_000_000_000, places in 0_usize..=15) {
            let raw = format!("{digits}e-{places}");
            prop_assert_eq!(parse(&raw), raw.parse().ok());
        }
    }
}
