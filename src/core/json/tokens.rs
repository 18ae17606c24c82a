//! A tolerant tokenizer over any bytes, so that even broken JSON can be shown.

use super::lexer::{Escapes, is_space, run_end, string_scan};
use super::nesting::Nesting;
use crate::number;

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TokenKind {
    /// `{`
    ObjectStart,
    /// `}`
    ObjectEnd,
    /// `[`
    ArrayStart,
    /// `]`
    ArrayEnd,
    /// A string that is the key of a member.
    Key,
    /// A string that is a value.
    String,
    /// A number in JSON syntax.
    Number,
    /// `true`
    True,
    /// `false`
    False,
    /// `null`
    Null,
    /// A bare word: `NaN`, `-Infinity`, `undefined`, `01`…
    Odd,
    /// A string that never closes, or a bracket that closes nothing.
    Fault,
}

/// A token and its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// Offset of its first byte.
    pub start: usize,
    /// Offset after its last byte.
    pub end: usize,
    /// How many brackets are open around it. A bracket is not inside itself.
    pub depth: u32,
}

/// Iterates over the tokens of any bytes. Commas and colons are skipped, so extra ones do no harm. A document that was
/// cut off yields the tokens that it has.
#[derive(Clone, Debug)]
pub struct Tokens<'a> {
    bytes: &'a [u8],
    at: usize,
    nesting: Nesting,
    expects_key: bool,
    escapes: Escapes,
}

impl<'a> Tokens<'a> {
    /// Starts at the first byte.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            nesting: Nesting::default(),
            expects_key: false,
            escapes: Escapes::None,
        }
    }

    /// Starts inside a list or an object whose opening bracket is not part of the bytes.
    #[must_use]
    pub fn inside(bytes: &'a [u8], is_object: bool) -> Self {
        let mut tokens = Self::new(bytes);
        tokens.open(is_object);
        tokens
    }

    /// Which escapes the last string contains.
    pub(super) fn escapes(&self) -> Escapes {
        self.escapes
    }

    fn open(&mut self, is_object: bool) -> u32 {
        let depth = self.nesting.depth();
        self.nesting.push(is_object);
        self.expects_key = is_object;
        depth
    }

    fn close(&mut self, is_object: bool, kind: TokenKind) -> (TokenKind, u32) {
        if self.nesting.top() != Some(is_object) {
            return (TokenKind::Fault, self.nesting.depth());
        }
        self.nesting.pop();
        self.expects_key = false;
        (kind, self.nesting.depth())
    }

    fn string(&mut self, start: usize) -> (TokenKind, usize) {
        let is_key = std::mem::take(&mut self.expects_key);
        let Some((end, escapes)) = string_scan(self.bytes, start + 1) else {
            return (TokenKind::Fault, self.bytes.len());
        };
        self.escapes = escapes;
        (if is_key { TokenKind::Key } else { TokenKind::String }, end)
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        loop {
            let start = self.at;
            let byte = *self.bytes.get(start)?;
            let mut end = start + 1;
            let mut depth = self.nesting.depth();
            let kind = match byte {
                b',' => {
                    self.expects_key = self.nesting.top() == Some(true);
                    self.at = end;
                    continue;
                }
                b':' => {
                    self.expects_key = false;
                    self.at = end;
                    continue;
                }
                byte if is_space(byte) => {
                    self.at = end;
                    continue;
                }
                b'{' => {
                    depth = self.open(true);
                    TokenKind::ObjectStart
                }
                b'[' => {
                    depth = self.open(false);
                    TokenKind::ArrayStart
                }
                b'}' | b']' => {
                    let is_object = byte == b'}';
                    let kind = if is_object { TokenKind::ObjectEnd } else { TokenKind::ArrayEnd };
                    let (kind, outer) = self.close(is_object, kind);
                    depth = outer;
                    kind
                }
                b'"' => {
                    let (kind, string_end) = self.string(start);
                    end = string_end;
                    kind
                }
                _ => {
                    end = run_end(self.bytes, start);
                    match self.bytes.get(start..end).unwrap_or_default() {
                        b"true" => TokenKind::True,
                        b"false" => TokenKind::False,
                        b"null" => TokenKind::Null,
                        run if number::is_number(run) => TokenKind::Number,
                        _ => TokenKind::Odd,
                    }
                }
            };
            self.at = end;
            return Some(Token { kind, start, end, depth });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &[u8]) -> Vec<(TokenKind, u32)> {
        Tokens::new(text).map(|token| (token.kind, token.depth)).collect()
    }

    #[test]
    fn keys_and_values_are_told_apart() {
        use TokenKind::{ArrayEnd, ArrayStart, Key, Null, Number, ObjectEnd, ObjectStart, String};
        let expected = vec![
            (ObjectStart, 0),
            (Key, 1),
            (ArrayStart, 1),
            (String, 2),
            (Number, 2),
            (ArrayEnd, 1),
            (Key, 1),
            (ObjectStart, 1),
            (Key, 2),
            (Null, 2),
            (ObjectEnd, 1),
            (ObjectEnd, 0),
        ];
        assert_eq!(kinds(br#"{"a": ["b", 1,], "c" : {"d":null,},}"#), expected);
    }

    #[test]
    fn members_without_their_bracket_are_told_apart() {
        use TokenKind::{Key, Number, String};
        let members = Tokens::inside(br#""a": "b", "c": 1"#, true).map(|token| token.kind);
        assert_eq!(members.collect::<Vec<_>>(), [Key, String, Key, Number]);
        let items = Tokens::inside(br#""a", 1"#, false).map(|token| (token.kind, token.depth));
        assert_eq!(items.collect::<Vec<_>>(), [(String, 1), (Number, 1)]);
    }

    #[test]
    fn odd_words_and_faults_go_on() {
        use TokenKind::{ArrayStart, Fault, Key, ObjectEnd, ObjectStart, Odd};
        assert_eq!(
            kinds(b"{\"n\": NaN, \"i\":-Infinity]}"),
            [(ObjectStart, 0), (Key, 1), (Odd, 1), (Key, 1), (Odd, 1), (Fault, 1), (ObjectEnd, 0)]
        );
        assert_eq!(kinds(b"[\"cut"), [(ArrayStart, 0), (Fault, 1)]);
        assert_eq!(kinds(b"[\"cut\\"), [(ArrayStart, 0), (Fault, 1)]);
        assert_eq!(kinds(&[0xff, 0xfe, b'{']), [(Odd, 0), (ObjectStart, 0)]);
    }

    #[test]
    fn a_million_brackets_do_no_harm() {
        let text = vec![b'['; 1_000_000];
        assert_eq!(Tokens::new(&text).last().map(|token| token.depth), Some(999_999));
    }
}
