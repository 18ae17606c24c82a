//! Private keys in PEM and in the armour of PGP: the lines between their marks.

use memchr::memmem;

use crate::bytes;
use crate::finding::{Found, Kind, Spread};

const BEGIN: &[u8] = b"-----BEGIN ";
const END: &[u8] = b"-----END ";
const PRIVATE: &[u8] = b"PRIVATE KEY";
/// The mark at the beginning is at most this long.
const MAX_MARK_BYTES: usize = 80;
/// The largest key: RSA with 16,384 bits has 12 kB.
const MAX_KEY_BYTES: usize = 1 << 15;
/// Shorter runs between the marks are words of a header.
const MIN_LINE_BYTES: usize = 16;

/// Finds each line of each private key. Lines are found one by one, because what is between them differs: escapes in
/// strings, quotes in code.
pub(crate) fn find(text: &[u8], found: &mut Vec<Found>) {
    for begin in memmem::find_iter(text, BEGIN) {
        let mark_start = begin + BEGIN.len();
        let mark = bytes::of(text, mark_start..(mark_start + MAX_MARK_BYTES).min(text.len()));
        let Some(mark_end) = memmem::find(mark, b"-----") else { continue };
        if memmem::find(bytes::of(mark, 0..mark_end), PRIVATE).is_none() {
            continue;
        }
        let start = mark_start + mark_end + 5;
        let most = bytes::of(text, start..(start + MAX_KEY_BYTES).min(text.len()));
        let end = start + memmem::find(most, END).unwrap_or_else(|| cut_off(most));
        lines(text, start, end, found);
    }
    for start in memmem::find_iter(text, b"PuTTY-User-Key-File-") {
        let most = bytes::of(text, start..(start + MAX_KEY_BYTES).min(text.len()));
        if let Some(private) = memmem::find(most, b"Private-Lines:") {
            let end = memmem::find(most, b"Private-MAC:").unwrap_or(most.len());
            lines(text, start + private, start + end, found);
        }
    }
}

/// A key without an end is cut off: it ends where the base64 does, within a few characters of other things.
fn cut_off(text: &[u8]) -> usize {
    let mut end = 0;
    let mut at = 0;
    while at < text.len() {
        let run = bytes::run_end(text, at, text.len(), is_line_byte);
        if run - at >= MIN_LINE_BYTES {
            end = run;
        } else if run > end + MAX_MARK_BYTES {
            break;
        }
        at = run + 1;
    }
    end
}

fn is_line_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=')
}

fn lines(text: &[u8], start: usize, end: usize, found: &mut Vec<Found>) {
    let mut at = start;
    while at < end {
        // The letter of an escape is no part of the line after it.
        if bytes::at(text, at) == b'\\' {
            at += 2;
            continue;
        }
        let run = bytes::run_end(text, at, end - at, is_line_byte);
        // The last line is shorter than the others.
        if run - at >= MIN_LINE_BYTES || (run > at && run - at >= 4 && ends_key(text, run, end)) {
            let spread = Spread::Everywhere;
            found.push(Found {
                range: at..run,
                kind: Kind::PrivateKey,
                label: "private-key",
                spread,
            });
        }
        at = run.max(at) + usize::from(run == at);
    }
}

fn ends_key(text: &[u8], run: usize, end: usize) -> bool {
    !bytes::of(text, run..end)
        .iter()
        .any(|byte| is_line_byte(*byte) && !matches!(byte, b'n' | b'r'))
}
