//! A document that was cut, closed again.

use super::repair::patched;
use super::lexer::string_end;
use super::strict::is_strict;

/// The beginning of a cut JSON value, closed so that it is strict JSON: the last item of a list that
/// is whole is kept, what comes after it is dropped, and the closers that are missing are added. So
/// all bytes but the closers are where they were; they are patched like those of [`super::repair`]. `None` when no list holds a whole object or array
/// (a list of numbers is not worth it), or when the value is broken before the cut.
#[must_use]
pub fn complete(bytes: &[u8]) -> Option<String> {
    let (mut text, _) = patched(bytes);
    let cut = last_whole_item(text.as_bytes())?;
    text.truncate(cut.end);
    text.extend(cut.open.iter().rev().map(|&is_object| if is_object { '}' } else { ']' }));
    is_strict(&text).then_some(text)
}

struct Cut {
    end: usize,
    open: Vec<bool>,
}

/// Where the last object or array ends that is an item of a list, and what is open around it.
fn last_whole_item(bytes: &[u8]) -> Option<Cut> {
    let mut open: Vec<bool> = Vec::new();
    let mut end = None;
    // How many brackets have stayed open ever since that place: copying them all at each item would
    // be quadratic.
    let mut common = 0;
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => match string_end(bytes, at + 1) {
                Some(end) => {
                    at = end;
                    continue;
                }
                None => break,
            },
            b'{' | b'[' => open.push(*byte == b'{'),
            b'}' | b']' => {
                if open.pop() != Some(*byte == b'}') {
                    return None;
                }
                if open.is_empty() {
                    return None;
                }
                if open.last() == Some(&false) {
                    end = Some(at + 1);
                    common = open.len();
                } else if open.len() < common {
                    // The list around the last item has closed in an object: that field is whole
                    // too, and it is the latest place where everything can be closed.
                    end = Some(at + 1);
                    common = open.len();
                }
            }
            _ => {}
        }
        at += 1;
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
    fn a_deep_one_ends_soon() {
        let mut text = "[".repeat(500_000);
        text.push_str("{},");
        assert!(complete(text.as_bytes()).is_some());
        assert_eq!(complete("[{".repeat(500_000).as_bytes()), None);
    }
}
