//! Splits a long document at the list that contains its records: items are passed on one by one, like lines, and the
//! parts before and after the list become objects of their own. A document thus needs no more memory than its longest
//! item, and its first rows appear at once.

use std::borrow::Cow;

use traceloupe_core::json::{self, Structure, TokenKind, Tokens, decode_string_bytes};

/// Where to split a document, as far as its beginning shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SplitAt {
    /// At this list of its top level.
    List(Cow<'static, str>),
    /// Nowhere so far; more of the document may change that.
    NotYet,
    /// Nowhere, whatever follows.
    Never,
}

/// Returns where to split a document. The argument is the document's beginning, closed to strict JSON.
pub type AskList = Box<dyn Fn(&str) -> SplitAt>;

/// Documents longer than this are split if they can be.
pub const SPLIT_FROM_BYTES: usize = 512 * 1024;

/// If there is no answer once the beginning is this long, the question is not asked again: each question needs memory
/// for the beginning of the document, in addition to what is already held.
const MAX_ASK_BYTES: usize = 4 << 20;

/// Whether documents are split, and when the question is asked.
pub(super) struct Split {
    ask: Option<AskList>,
    from_bytes: usize,
    /// The length that the current value must reach before the next question.
    next_bytes: usize,
    /// The length of the source, if known.
    source_bytes: Option<u64>,
}

impl Default for Split {
    fn default() -> Self {
        Self {
            ask: None,
            from_bytes: SPLIT_FROM_BYTES,
            next_bytes: SPLIT_FROM_BYTES,
            source_bytes: None,
        }
    }
}

/// Which part of a document the current bytes are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum DocumentPart {
    /// The whole document.
    Whole,
    /// Items of the list at which it is split.
    List,
    /// What follows that list.
    Tail,
}

impl Split {
    pub fn ask(&mut self, ask: AskList, from_bytes: usize) {
        self.ask = Some(ask);
        self.from_bytes = from_bytes.max(1);
        self.next_bytes = self.from_bytes;
    }

    pub fn expect(&mut self, source_bytes: u64) {
        self.source_bytes = Some(source_bytes);
    }

    /// Begins a value.
    pub fn begin(&mut self) {
        self.next_bytes = self.from_bytes;
    }

    /// How many bytes are missing until the next question; `None` if there will be no further question.
    pub fn room(&self, value_bytes: usize) -> Option<usize> {
        self.ask.as_ref()?;
        self.next_bytes.checked_sub(value_bytes).filter(|room| *room > 0)
    }

    /// Asks at which list to split the document with this beginning.
    pub fn list(&mut self, beginning: &[u8]) -> Option<Cow<'static, str>> {
        self.next_bytes = self.next_bytes.saturating_mul(2);
        if self.next_bytes > MAX_ASK_BYTES {
            self.next_bytes = 0;
        }
        match (self.ask.as_ref()?)(&json::complete(beginning)?) {
            SplitAt::List(list) => return Some(list),
            SplitAt::NotYet => {}
            SplitAt::Never => self.next_bytes = 0,
        }
        None
    }

    /// The maximum number of bytes of the source after an offset; 0 if unknown.
    pub fn bytes_from(&self, start: u64) -> usize {
        let rest = self.source_bytes.map_or(0, |all| all.saturating_sub(start));
        usize::try_from(rest).unwrap_or(usize::MAX)
    }
}

/// The offset after the bracket that opens a list at the top level of a document.
pub(super) fn list_start(document: &[u8], list: &str) -> Option<usize> {
    let mut is_wanted = false;
    for token in Tokens::new(document) {
        let text = document.get(token.start..token.end).unwrap_or_default();
        match (token.kind, token.depth) {
            (TokenKind::Key, 1) => is_wanted = decode_string_bytes(text) == list,
            (TokenKind::ArrayStart, 1) if is_wanted => return Some(token.end),
            _ => is_wanted = false,
        }
    }
    None
}

/// The bracket state inside an object.
pub(super) fn inside_object() -> Structure {
    let mut structure = Structure::default();
    structure.close(b"{");
    structure
}

/// The part of a document after its list, as an object of the remaining members: the comma becomes the opening bracket,
/// so that every byte keeps its place. Also returns the offset where the object starts. `None` if this is not a list of
/// members.
pub(super) fn tail_object(tail: &[u8]) -> Option<(Vec<u8>, usize)> {
    let offset = tail.iter().position(|byte| !byte.is_ascii_whitespace())?;
    let rest = tail.get(offset..)?;
    match rest.split_first()? {
        (b',', members) => {
            let mut text = Vec::with_capacity(rest.len());
            text.push(b'{');
            text.extend_from_slice(members);
            Some((text, offset))
        }
        (b'}', _) => Some((b"{}".to_vec(), offset)),
        _ => None,
    }
}

/// The brackets that close the part of a document before its list.
pub(super) const HEAD_END: &[u8; 2] = b"]}";

/// Turns bytes of a file that were passed on as the part of a document before or after its list back into an object.
/// The bytes have the length of the object: the object before the list ends two bytes after the list's opening bracket.
pub fn restore_part(bytes: &mut [u8]) {
    if let Some(first @ b',') = bytes.first_mut() {
        *first = b'{';
    } else if let Some((before, end)) = bytes.split_last_chunk_mut()
        && before.first() == Some(&b'{')
        && before.last() == Some(&b'[')
        && !ends_in_string(before)
    {
        *end = *HEAD_END;
    }
}

/// Whether a text ends inside a string, because a message may also end with a bracket.
fn ends_in_string(text: &[u8]) -> bool {
    let (mut is_inside, mut is_escaped) = (false, false);
    for byte in text {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_inside,
            b'"' => is_inside = !is_inside,
            _ => {}
        }
    }
    is_inside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn restored(bytes: &str) -> String {
        let mut bytes = bytes.as_bytes().to_vec();
        restore_part(&mut bytes);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn parts_become_objects_again() {
        assert_eq!(restored(r#"{"id":1,"list":[{"a"#), r#"{"id":1,"list":[{"a"#);
        assert_eq!(restored(r#"{"id":1,"list":[{""#), r#"{"id":1,"list":[]}"#);
        assert_eq!(restored(",\n \"end\":2}"), "{\n \"end\":2}");
        assert_eq!(restored(r#"{"list":[]}"#), r#"{"list":[]}"#);
        assert_eq!(restored(r#"{"list":[1]}"#), r#"{"list":[1]}"#);
        assert_eq!(restored(r#"{"say":"\"["}"#), r#"{"say":"\"["}"#);
        assert_eq!(restored(r#"{"say":"\\","list":["x"#), r#"{"say":"\\","list":[]}"#);
    }
}
