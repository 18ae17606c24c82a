//! Closes a document that was cut off.

use super::lexer::{Lexer, Mark};
use super::repair::patched;
use super::strict::is_strict;
use super::strict_notices::has_lone_surrogate;

/// Closes the beginning of a JSON value that was cut off, so that it is strict JSON: everything after the last whole
/// item of a list is dropped, and the missing closing brackets are added. All other bytes keep their places; they are
/// patched in the same way as by [`super::repair`]. Returns `None` if no list has a whole object or array as an item (a
/// list of numbers is not worth it), or if the value is broken before the cut.
#[must_use]
pub fn complete(bytes: &[u8]) -> Option<String> {
    // Nearly all text needs no patch, and finding out whether it does costs more than everything else.
    let plain = match std::str::from_utf8(bytes) {
        Ok(text) => Some(text),
        // The cut is inside a character.
        Err(fault) if fault.error_len().is_none() => {
            bytes.get(..fault.valid_up_to()).and_then(|whole| std::str::from_utf8(whole).ok())
        }
        Err(_) => None,
    };
    let whole = plain.filter(|_| !has_lone_surrogate(bytes)).and_then(closed);
    whole.or_else(|| closed(&patched(bytes).0))
}

/// The text up to its last whole item, closed. `None` if there is no such item, or if the result is not strict JSON.
fn closed(text: &str) -> Option<String> {
    let cut = last_whole_item(text.as_bytes())?;
    let mut text = text.get(..cut.end)?.to_owned();
    text.extend(cut.open.iter().rev().map(|&is_object| if is_object { '}' } else { ']' }));
    is_strict(&text).then_some(text)
}

struct Cut {
    end: usize,
    /// The brackets that are open there; `true` for an object's.
    open: Vec<bool>,
}

/// The end of the last object or array that is an item of a list, and the brackets that are open there.
fn last_whole_item(bytes: &[u8]) -> Option<Cut> {
    let mut open: Vec<bool> = Vec::new();
    let mut end = None;
    // How many of the brackets that were open at `end` are still open. Copying all of them at each item would be
    // quadratic.
    let mut common = 0;
    let (mut lexer, mut at) = (Lexer::default(), 0);
    while let Some((hit, mark)) = lexer.next(bytes, at) {
        at = hit + 1;
        match mark {
            Mark::Open { is_object } => open.push(is_object),
            Mark::Close { is_object } => {
                if open.pop() != Some(is_object) || open.is_empty() {
                    return None;
                }
                // An object that contains the list of the last item is whole too once it closes. That is the latest
                // place where everything can be closed.
                if open.last() == Some(&false) || open.len() < common {
                    end = Some(at);
                    common = open.len();
                }
            }
            Mark::Comma | Mark::StringStart | Mark::StringEnd => {}
        }
    }
    let end = end?;
    open.truncate(common);
    Some(Cut { end, open })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_incomplete_item_is_dropped() {
        let cut = br#"{"v":1,"events":[{"a":1},{"b":[1,2]},{"a":"x"#;
        assert_eq!(complete(cut).unwrap(), r#"{"v":1,"events":[{"a":1},{"b":[1,2]}]}"#);
        let nested = br#"{"r":[{"s":[{"x":1},{"y":2},{"z"#;
        assert_eq!(complete(nested).unwrap(), r#"{"r":[{"s":[{"x":1},{"y":2}]}]}"#);
        let after = br#"{"r":[{"x":1}],"end":{"a":1},"more":tr"#;
        assert_eq!(complete(after).unwrap(), r#"{"r":[{"x":1}]}"#);
    }

    #[test]
    fn there_must_be_a_list_with_a_whole_item() {
        for text in [r#"{"a":1,"b":"c"#, r#"{"a":{"b":1},"#, "[1,2,3", "", "{\"a\":[{\"b\"", "{}"] {
            assert_eq!(complete(text.as_bytes()), None, "{text}");
        }
        assert_eq!(complete(br#"{"a":oops,"b":[{},{"#), None);
    }

    #[test]
    fn what_is_not_strict_is_patched() {
        let beginning = |odd: &[u8]| [b"{\"r\":[{\"x\":", odd, b"},{\"y\":\"\xc3"].concat();
        for (odd, patched) in [
            (&b"NaN"[..], "\"\" "),
            (b"\"\t\"", "\" \""),
            (b"\"\\ud800\"", "\"\\ufffd\""),
            (b"\"\xff\"", "\"?\""),
            (b"\"\xc3\xa9\"", "\"\u{e9}\""),
        ] {
            let whole = format!("{{\"r\":[{{\"x\":{patched}}}]}}");
            assert_eq!(complete(&beginning(odd)), Some(whole));
        }
        assert_eq!(complete(b"[{\"x\":\"\xff\"}").as_deref(), Some("[{\"x\":\"?\"}]"));
    }

    #[test]
    fn a_deep_one_ends_soon() {
        let mut text = "[".repeat(500_000);
        text.push_str("{},");
        assert!(complete(text.as_bytes()).is_some());
        assert_eq!(complete("[{".repeat(500_000).as_bytes()), None);
    }
}
