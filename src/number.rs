//! Numbers as JSON writes them.
//!
//! The exact parser of the standard library has a table of 10 kB that compression cannot shrink; both
//! programs would carry it. This one is exact for up to 15 digits and exponents up to 22, and else at most
//! a few units in the last place away.

/// Powers of ten that a float holds exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
];

/// No float of so many digits before or after its point differs from 0 or fits.
const MAX_EXPONENT: i32 = 400;

/// The value of a JSON number. `None` for anything else and for numbers that a float cannot hold.
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

/// The first digits of a number as a whole number, and the power of ten that it is to be multiplied with.
fn mantissa(digits: &str) -> (u64, i32) {
    let (mut mantissa, mut places) = (0_u64, 0_i32);
    let mut is_fraction = false;
    for byte in digits.bytes() {
        match byte {
            b'.' => is_fraction = true,
            // More digits than this make no difference.
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

/// Whether a run of bytes is a number as JSON writes them.
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

    proptest! {
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
