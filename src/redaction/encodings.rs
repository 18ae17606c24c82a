//! The texts that are encoded in a text, and how a replacement in one of them is written where it is encoded.

use std::ops::Range;

use memchr::{memchr, memchr3};
use traceloupe_core::json::{base64, decode_escape};

use crate::bytes;
use crate::edits::{Edit, Encoding, apply};

/// A text that is encoded in another one.
pub(crate) struct Encoded {
    pub encoding: Encoding,
    /// The decoded text.
    pub text: Vec<u8>,
    /// The bytes that encode it.
    range: Range<usize>,
    /// Where runs of the decoded text begin in the text around it. Only for encodings in which each character has its
    /// own place.
    runs: Vec<Run>,
    alphabet: Alphabet,
}

/// A run of decoded bytes: as written, or one escape.
#[derive(Clone, Copy)]
struct Run {
    decoded: usize,
    around: usize,
    is_escape: bool,
}

/// How base64 is written.
#[derive(Clone, Copy, Default)]
struct Alphabet {
    is_url_safe: bool,
    is_padded: bool,
    is_upper_case: bool,
}

impl Encoded {
    /// The edits of the decoded text, as edits of the text around it.
    pub fn outwards(&self, edits: Vec<Edit>, out: &mut Vec<Edit>) {
        match self.encoding {
            Encoding::Escapes => out.extend(edits.into_iter().map(|edit| self.placed(edit))),
            Encoding::Percent => out.extend(edits.into_iter().map(|mut edit| {
                edit.text = percent_encoded(&edit.text);
                self.placed(edit)
            })),
            Encoding::Base64 | Encoding::Hex => {
                if edits.is_empty() {
                    return;
                }
                let text = apply(&self.text, &edits);
                let text = match self.encoding {
                    Encoding::Hex => hex_encoded(&text, self.alphabet.is_upper_case),
                    _ => base64_encoded(&text, self.alphabet),
                };
                let replaced = edits.into_iter().flat_map(|it| it.replaced).collect();
                out.push(Edit { range: self.range.clone(), text, replaced });
            }
        }
    }

    fn placed(&self, edit: Edit) -> Edit {
        let start = self.place(edit.range.start, false);
        let end = self.place(edit.range.end, true).max(start);
        Edit { range: start..end, ..edit }
    }

    /// The offset in the text around of an offset in the decoded text. An offset within an escape is that of its start
    /// or its end.
    fn place(&self, decoded: usize, is_end: bool) -> usize {
        let next = self.runs.partition_point(|run| run.decoded <= decoded);
        let Some(run) = next.checked_sub(1).and_then(|at| self.runs.get(at)) else {
            return self.range.start;
        };
        let past = decoded - run.decoded;
        match (past, run.is_escape) {
            (0, _) | (_, false) => run.around + past,
            (_, true) if is_end => self.runs.get(next).map_or(self.range.end, |run| run.around),
            (_, true) => run.around,
        }
    }
}

/// Shorter encoded texts are not decoded.
const MIN_BASE64_BYTES: usize = 16;
const MIN_HEX_BYTES: usize = 16;
/// A shorter text with escapes has room for no secret.
const MIN_ESCAPED_BYTES: usize = 6;

/// Calls `each` with every text that is encoded in a text.
pub(crate) fn decoded(text: &[u8], may_join_lines: bool, each: &mut impl FnMut(Encoded)) {
    escaped(text, each);
    percent(text, each);
    digits(text, may_join_lines, each);
}

/// The pieces of a text that have escapes, between the quotes that are not escaped: the strings of JSON, if it is JSON.
fn escaped(text: &[u8], each: &mut impl FnMut(Encoded)) {
    let mut piece = 0;
    let mut at = 0;
    let mut has_escape = false;
    let mut flush = |range: Range<usize>, has_escape: bool| {
        if has_escape && range.len() >= MIN_ESCAPED_BYTES {
            unescape(text, range, each);
        }
    };
    while let Some(next) = memchr3(b'"', b'\\', b'\n', bytes::from(text, at)) {
        let found = at + next;
        if bytes::at(text, found) == b'\\' {
            has_escape = true;
            at = (found + 2).min(text.len());
        } else {
            flush(piece..found, has_escape);
            has_escape = false;
            at = found + 1;
            piece = at;
        }
    }
    flush(piece..text.len(), has_escape);
}

fn unescape(text: &[u8], range: Range<usize>, each: &mut impl FnMut(Encoded)) {
    let mut out = Vec::with_capacity(range.len());
    let mut runs = vec![Run { decoded: 0, around: range.start, is_escape: false }];
    let mut at = range.start;
    let mut is_changed = false;
    while let Some(next) = memchr(b'\\', bytes::of(text, at..range.end)) {
        let start = at + next;
        out.extend_from_slice(bytes::of(text, at..start));
        let (character, len) = escape_of(bytes::of(text, start..range.end));
        let Some(character) = character else {
            out.push(b'\\');
            at = start + 1;
            continue;
        };
        is_changed = true;
        runs.push(Run { decoded: out.len(), around: start, is_escape: true });
        out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        at = start + len;
        runs.push(Run { decoded: out.len(), around: at, is_escape: false });
    }
    out.extend_from_slice(bytes::of(text, at..range.end));
    if is_changed {
        let alphabet = Alphabet::default();
        each(Encoded { encoding: Encoding::Escapes, text: out, range, runs, alphabet });
    }
}

/// The escapes of JSON, and those that other languages have besides: `\'`, `\x41`.
fn escape_of(escape: &[u8]) -> (Option<char>, usize) {
    match escape {
        [_, quote @ (b'\'' | b'`'), ..] => (Some(char::from(*quote)), 2),
        [_, b'x', high, low, ..] => match hex_pair(*high, *low) {
            Some(byte) if byte.is_ascii() => (Some(char::from(byte)), 4),
            _ => (None, 1),
        },
        _ => decode_escape(escape),
    }
}

fn hex_pair(high: u8, low: u8) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|it| u8::try_from(it).ok());
    Some(digit(high)? << 4 | digit(low)?)
}

/// The runs of a text without spaces and quotes in which characters are percent-encoded.
fn percent(text: &[u8], each: &mut impl FnMut(Encoded)) {
    let in_run =
        |byte: u8| byte > b' ' && !matches!(byte, b'"' | b'\'' | b'<' | b'>' | b'\\' | b'`');
    let mut at = 0;
    while let Some(next) = memchr(b'%', bytes::from(text, at)) {
        let found = at + next;
        if hex_pair(bytes::at(text, found + 1), bytes::at(text, found + 2)).is_none() {
            at = found + 1;
            continue;
        }
        let start = at.max(bytes::run_start(text, found, found - at, in_run));
        let end = bytes::run_end(text, found, text.len(), in_run);
        each(percent_decoded(text, start..end));
        at = end;
    }
}

fn percent_decoded(text: &[u8], range: Range<usize>) -> Encoded {
    let mut out = Vec::with_capacity(range.len());
    let mut runs = vec![Run { decoded: 0, around: range.start, is_escape: false }];
    let mut at = range.start;
    while at < range.end {
        let byte = bytes::at(text, at);
        let pair = (byte == b'%' && at + 2 < range.end)
            .then(|| hex_pair(bytes::at(text, at + 1), bytes::at(text, at + 2)));
        if let Some(decoded) = pair.flatten() {
            runs.push(Run { decoded: out.len(), around: at, is_escape: true });
            out.push(decoded);
            at += 3;
            runs.push(Run { decoded: out.len(), around: at, is_escape: false });
        } else {
            out.push(byte);
            at += 1;
        }
    }
    let alphabet = Alphabet::default();
    Encoded { encoding: Encoding::Percent, text: out, range, runs, alphabet }
}

fn percent_encoded(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() * 2);
    for byte in text {
        // A percent sign is of an encoding further inside, which is encoded again.
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~') {
            out.push(*byte);
        } else {
            out.push(b'%');
            out.extend(hex_encoded(&[*byte], true));
        }
    }
    out
}

fn is_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_')
}

/// The runs of hexadecimal digits and of base64 that stand for text.
fn digits(text: &[u8], may_join_lines: bool, each: &mut impl FnMut(Encoded)) {
    let mut start = 0;
    while start < text.len() {
        let end = bytes::run_end(text, start, text.len(), is_base64);
        if end - start < MIN_BASE64_BYTES {
            start = end + 1;
            continue;
        }
        let end = if may_join_lines { joined_end(text, start, end) } else { end };
        let padding = bytes::run_end(text, end, 2, |byte| byte == b'=');
        if !hex(text, start..end, each) && !base64(text, start..padding, each) {
            // A path or a name before the base64 shifts its groups.
            let pieces =
                bytes::of(text, start..end).split(|byte| matches!(byte, b'/' | b'-' | b'_'));
            let mut piece_start = start;
            for piece in pieces {
                let piece_end = piece_start + piece.len();
                if piece_start > start && piece.len() >= MIN_BASE64_BYTES {
                    let end = if piece_end == end { padding } else { piece_end };
                    base64(text, piece_start..end, each);
                }
                piece_start = piece_end + 1;
            }
        }
        start = padding.max(end) + 1;
    }
}

/// Base64 in lines of one length is one text.
fn joined_end(text: &[u8], start: usize, first_end: usize) -> usize {
    const MIN_LINE_BYTES: usize = 60;
    let line = first_end - start;
    if line < MIN_LINE_BYTES || !line.is_multiple_of(4) {
        return first_end;
    }
    let mut end = first_end;
    loop {
        let rest = bytes::from(text, end);
        let gap = if rest.starts_with(b"\r\n") { 2 } else { usize::from(rest.starts_with(b"\n")) };
        let next = bytes::run_end(text, end + gap, line, is_base64);
        let len = next - (end + gap);
        if gap == 0 || len == 0 {
            return end;
        }
        end = next;
        if len < line {
            return end;
        }
    }
}

/// How many characters show whether digits stand for text.
const PROBED_BYTES: usize = 24;

/// Whether bytes are text: UTF-8 without control characters other than white space.
fn is_text(bytes: &[u8]) -> bool {
    let is_control = |byte: &u8| matches!(byte, 0..=8 | 14..=26 | 28..=31 | 127);
    match std::str::from_utf8(bytes) {
        Ok(_) => !bytes.iter().any(is_control),
        Err(error) => {
            // The last character may be cut off.
            error.error_len().is_none() && !bytes.iter().any(is_control)
        }
    }
}

fn base64(text: &[u8], range: Range<usize>, each: &mut impl FnMut(Encoded)) -> bool {
    let encoded = bytes::of(text, range.clone());
    let probe = encoded.get(..PROBED_BYTES).unwrap_or(encoded);
    if !is_text(&base64::decode(probe, &mut Vec::new(), probe.len() == encoded.len())) {
        return false;
    }
    let decoded = base64::decode(encoded, &mut Vec::new(), true);
    if !is_text(&decoded) {
        return false;
    }
    let alphabet = Alphabet {
        is_url_safe: encoded.iter().any(|byte| matches!(byte, b'-' | b'_')),
        is_padded: encoded.ends_with(b"=") || encoded.len().is_multiple_of(4),
        is_upper_case: false,
    };
    each(Encoded { encoding: Encoding::Base64, text: decoded, range, runs: Vec::new(), alphabet });
    true
}

fn base64_encoded(text: &[u8], alphabet: Alphabet) -> Vec<u8> {
    const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digit = |value: u32| match value & 63 {
        62 if alphabet.is_url_safe => b'-',
        63 if alphabet.is_url_safe => b'_',
        value => bytes::at(STANDARD, value as usize),
    };
    let mut out = Vec::with_capacity(text.len() / 3 * 4 + 4);
    for group in text.chunks(3) {
        let byte = |at: usize| u32::from(bytes::at(group, at));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        let digits = [digit(bits >> 18), digit(bits >> 12), digit(bits >> 6), digit(bits)];
        out.extend(digits.iter().take(group.len() + 1));
        if alphabet.is_padded {
            out.extend(std::iter::repeat_n(b'=', 3 - group.len()));
        }
    }
    out
}

fn hex(text: &[u8], range: Range<usize>, each: &mut impl FnMut(Encoded)) -> bool {
    let encoded = bytes::of(text, range.clone());
    let is_hex = encoded.len() >= MIN_HEX_BYTES
        && encoded.len().is_multiple_of(2)
        && encoded.iter().all(u8::is_ascii_hexdigit)
        // Digits alone may be a number, which must stay one.
        && (encoded.iter().any(u8::is_ascii_alphabetic) || bytes::before(text, range.start) == b'"');
    if !is_hex {
        return false;
    }
    let pairs = encoded.chunks_exact(2);
    let decoded: Option<Vec<u8>> =
        pairs.map(|pair| hex_pair(bytes::at(pair, 0), bytes::at(pair, 1))).collect();
    let Some(decoded) = decoded.filter(|it| is_text(it)) else { return false };
    let is_upper_case = encoded.iter().any(u8::is_ascii_uppercase);
    let alphabet = Alphabet { is_upper_case, ..Alphabet::default() };
    each(Encoded { encoding: Encoding::Hex, text: decoded, range, runs: Vec::new(), alphabet });
    true
}

fn hex_encoded(text: &[u8], is_upper_case: bool) -> Vec<u8> {
    let digits: &[u8; 16] = if is_upper_case { b"0123456789ABCDEF" } else { b"0123456789abcdef" };
    let pair = |byte: &u8| {
        [bytes::at(digits, usize::from(byte >> 4)), bytes::at(digits, usize::from(byte & 15))]
    };
    text.iter().flat_map(pair).collect()
}

/// The ways in which a value may be written in the middle of base64 or of hexadecimal digits: the digits that do not
/// depend on the bytes beside it.
pub(crate) fn fragments(value: &[u8]) -> Vec<Vec<u8>> {
    let mut all = vec![hex_encoded(value, false), hex_encoded(value, true)];
    for is_url_safe in [false, true] {
        let alphabet = Alphabet { is_url_safe, ..Alphabet::default() };
        for shift in 0..3 {
            let shifted: Vec<u8> =
                std::iter::repeat_n(0, shift).chain(value.iter().copied()).collect();
            let encoded = base64_encoded(&shifted, alphabet);
            // The first and the last digit of a group of bits that are not all of the value.
            let start = (shift * 8).div_ceil(6);
            let end = shifted.len() * 8 / 6;
            all.push(bytes::of(&encoded, start..end).to_vec());
        }
    }
    all.sort_unstable();
    all.dedup();
    all
}
