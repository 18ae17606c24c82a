//! Strings that contain something in another encoding: JSON, base64 of text, text with escapes. They are decoded on
//! request, through as many layers as there are.

use crate::render::detail::is_json;
use crate::render::values::show_owned;
use traceloupe_core::json::{base64, decode_string, quoted};
use traceloupe_protocol::value::Shown;

/// The fewest digits of base64. Shorter strings are just as often words.
const MIN_DIGITS: usize = 24;

/// The decoded content of a string. `None` if it is not encoded, or if that is uncertain.
#[must_use]
pub fn decoded(text: &str) -> Option<String> {
    let text = text.trim();
    if text.len() > 2 && is_json(text) {
        return Some(text.to_owned());
    }
    text_of_base64(text).or_else(|| without_escapes(text))
}

/// The decoded content of a string, for display; the string itself if it is not encoded.
#[must_use]
pub fn show(text: &str) -> Shown {
    let inner = decoded(text).unwrap_or_else(|| text.to_owned());
    if is_json(&inner) { show_owned(inner.trim().as_bytes()) } else { Shown::text(inner, None) }
}

/// Base64 of readable text.
fn text_of_base64(text: &str) -> Option<String> {
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || b"+/-_".contains(&byte);
    let digits = text.trim_end_matches('=');
    let is_whole = match text.len() - digits.len() {
        0 => digits.len() % 4 != 1,
        n_filled => text.len().is_multiple_of(4) && n_filled < 3,
    };
    if digits.len() < MIN_DIGITS || !is_whole || !digits.bytes().all(is_digit) {
        return None;
    }
    let inner = String::from_utf8(base64::decode(digits.as_bytes(), &mut Vec::new(), true)).ok()?;
    let is_readable = |char: char| !char.is_control() || char.is_ascii_whitespace();
    inner.chars().all(is_readable).then_some(inner)
}

/// A single-line text in which line breaks are escaped, as when JSON was encoded as a string twice.
fn without_escapes(text: &str) -> Option<String> {
    if text.contains('\n') || text.matches("\\n").count() < 2 && !text.contains("\\\"") {
        return None;
    }
    // Quotation marks without a backslash are part of the text.
    let mut string = String::with_capacity(text.len() + 2);
    let mut is_escaped = false;
    for char in text.chars() {
        if char == '"' && !is_escaped {
            string.push('\\');
        }
        is_escaped = char == '\\' && !is_escaped;
        string.push(char);
    }
    let inner = decode_string(&format!("\"{string}\"")).into_owned();
    (inner != text && quoted(&inner) != text).then_some(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_in_other_forms() {
        for (text, expected) in [
            (r#"{"a":1}"#, Some(r#"{"a":1}"#)),
            (" [1, 2] ", Some("[1, 2]")),
            ("TG9va2luZyBmb3IgYSBob3RlbCBpbiBHcmF6Pw==", Some("Looking for a hotel in Graz?")),
            ("eyJmcm9tIjoiR3JheiIsInRvIjoiV2llbiJ9", Some(r#"{"from":"Graz","to":"Wien"}"#)),
            (r"first\nsecond\nthird", Some("first\nsecond\nthird")),
            (r#"{\"a\":\"b\"}"#, Some(r#"{"a":"b"}"#)),
            ("just words", None),
            ("{not json}", None),
            ("", None),
            ("[]", None),
            // Looks like base64, but does not decode to text.
            ("ThisIsTheNameOfAClassInSomeProgram00", None),
            ("0123456789abcdef0123456789abcdef01234567", None),
            (r"C:\new", None),
        ] {
            assert_eq!(decoded(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_json_inside_is_shown_as_json() {
        assert!(matches!(show("eyJmcm9tIjoiR3JheiIsInRvIjoiV2llbiJ9"), Shown::Json(..)));
        assert_eq!(show("words"), Shown::text("words", None));
    }
}
