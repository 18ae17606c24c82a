//! Splitting a long document at the list that holds its records: its items come one by one, like
//! lines, and what stands before and behind the list comes as objects of their own. So a document
//! needs no more memory than its longest item, and its first rows are there at once.

use crate::json::{self, Structure, TokenKind, Tokens, decode_string_bytes};

/// Says which list at the top level of a document is to be split, by the document's beginning, which
/// has been closed to strict JSON.
pub type AskList = Box<dyn Fn(&str) -> Option<&'static str>>;

/// A document that is longer than this is split, where it may be.
pub const SPLIT_FROM_BYTES: usize = 512 * 1024;

/// Whoever has not said by then how a document is to be split will not say it. Each question needs room
/// for what it is about, beside what is held.
const MAX_ASK_BYTES: usize = 4 << 20;

/// Whether documents are split, and when that is asked.
pub(super) struct Split {
    ask: Option<AskList>,
    from_bytes: usize,
    /// How much of the value at hand must be there for the next question.
    next_bytes: usize,
    /// The length of the source, where it is known.
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

/// What of a document the bytes at hand are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// All of it.
    Whole,
    /// Items of the list at which it is split.
    List,
    /// What stands behind that list.
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

    /// A value begins.
    pub fn begin(&mut self) {
        self.next_bytes = self.from_bytes;
    }

    /// How many bytes are missing until the next question. `None` if there will be none.
    pub fn room(&self, value_bytes: usize) -> Option<usize> {
        self.ask.as_ref()?;
        self.next_bytes.checked_sub(value_bytes).filter(|room| *room > 0)
    }

    /// Asks at which list the document that begins so is to be split.
    pub fn list(&mut self, beginning: &[u8]) -> Option<&'static str> {
        self.next_bytes = self.next_bytes.saturating_mul(2);
        if self.next_bytes > MAX_ASK_BYTES {
            self.next_bytes = 0;
        }
        (self.ask.as_ref()?)(&json::complete(beginning)?)
    }

    /// How many bytes of the source there are from an offset on, at most; 0 where that is not known.
    pub fn bytes_from(&self, start: u64) -> usize {
        let rest = self.source_bytes.map_or(0, |all| all.saturating_sub(start));
        usize::try_from(rest).unwrap_or(usize::MAX)
    }
}

/// The offset behind the bracket that opens a list at the top level of a document.
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

/// Inside of an object, as far as brackets go.
pub(super) fn inside_object() -> Structure {
    let mut structure = Structure::default();
    structure.close(b"{");
    structure
}

/// What stands behind the list of a document, as an object of the members that follow: the comma
/// becomes its opening bracket, so that every byte keeps its place. With the offset at which it
/// begins. `None` for what is no list of members.
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
