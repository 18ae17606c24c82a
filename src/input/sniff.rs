//! Recognises the container of a file by its first bytes.

use memchr::memmem;

use super::tar::is_tar;

/// The first bytes of every SQLite database.
pub const SQLITE_MAGIC: &[u8] = b"SQLite format 3\0";

/// The container or encoding of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Container {
    /// Text, as far as its first bytes show.
    Plain,
    /// gzip.
    Gzip,
    /// A zip archive.
    Zip,
    /// A tar archive.
    Tar,
    /// A SQLite database.
    Sqlite,
    /// Zstandard.
    Zstd,
    /// UTF-16, little endian.
    Utf16Le,
    /// UTF-16, big endian.
    Utf16Be,
    /// A web page, such as a 404 or login page saved as a trace.
    Html,
    /// A binary file, such as an image or a program.
    Binary,
}

impl Container {
    /// Whether it has other files in it, which are read in its place.
    #[must_use]
    pub fn is_packed(self) -> bool {
        matches!(self, Self::Gzip | Self::Zip | Self::Tar | Self::Sqlite | Self::Zstd)
    }
}

const UTF8_BOM: &[u8] = b"\xef\xbb\xbf";

/// How many bytes are examined.
const SNIFFED_BYTES: usize = 64 * 1024;

/// The container of a file, from its first bytes. A few kilobytes are enough.
#[must_use]
pub fn sniff(head: &[u8]) -> Container {
    let head = head.get(..SNIFFED_BYTES).unwrap_or(head);
    let starts = |magics: &[&[u8]]| magics.iter().any(|magic| head.starts_with(magic));
    if starts(&[b"\x1f\x8b"]) {
        Container::Gzip
    } else if starts(&[b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08"]) {
        Container::Zip
    } else if starts(&[SQLITE_MAGIC]) {
        Container::Sqlite
    } else if is_tar(head) {
        Container::Tar
    } else if starts(&[b"\x28\xb5\x2f\xfd"]) || is_skipped_frame(head) {
        Container::Zstd
    } else if starts(&[b"\xff\xfe"]) {
        Container::Utf16Le
    } else if starts(&[b"\xfe\xff"]) {
        Container::Utf16Be
    } else if starts(BINARY_MAGICS) {
        Container::Binary
    } else if is_html(head) {
        Container::Html
    } else if let Some(utf16) = utf16_without_bom(head) {
        utf16
    } else if is_binary(head) {
        Container::Binary
    } else {
        Container::Plain
    }
}

/// Whether the bytes start with a skippable Zstandard frame, which parallel compressors write first.
fn is_skipped_frame(head: &[u8]) -> bool {
    matches!(head, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

const BINARY_MAGICS: &[&[u8]] = &[
    b"\x89PNG",
    b"\xff\xd8\xff",
    b"GIF8",
    b"RIFF",
    b"%PDF",
    b"\x7fELF",
    b"\0asm",
    b"7z\xbc\xaf\x27\x1c",
    b"\xfd7zXZ\0",
    b"BZh",
];

/// Whether text starts like a web page.
pub(super) fn is_html(head: &[u8]) -> bool {
    let text = head.strip_prefix(UTF8_BOM).unwrap_or(head).trim_ascii_start();
    [&b"<!doctype"[..], b"<html"]
        .iter()
        .any(|tag| text.get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag)))
}

/// Detects UTF-16 without a byte order mark: JSON is mostly ASCII, so every other byte is 0.
fn utf16_without_bom(head: &[u8]) -> Option<Container> {
    let (pairs, _) = head.get(..512).unwrap_or(head).as_chunks::<2>();
    if pairs.len() < 4 {
        return None;
    }
    let zeros = |nth: fn(&[u8; 2]) -> u8| pairs.iter().filter(|pair| nth(pair) == 0).count();
    let (first, second) = (zeros(|pair| pair[0]), zeros(|pair| pair[1]));
    let (many, few) = (pairs.len() * 4 / 5, pairs.len() / 20);
    if second >= many && first <= few {
        Some(Container::Utf16Le)
    } else if first >= many && second <= few {
        Some(Container::Utf16Be)
    } else {
        None
    }
}

/// Whether bytes are binary: many control bytes, and no line that starts like a record. A run of
/// NULs alone does not make a file binary.
fn is_binary(head: &[u8]) -> bool {
    let is_control = |byte: &&u8| matches!(**byte, 0..=8 | 0x0e..=0x1a | 0x1c | 0x1d | 0x1f);
    let controls = head.iter().filter(is_control).count();
    let has_record = |start: &[u8]| {
        head.starts_with(start)
            || memmem::find_iter(head, start)
                .any(|at| matches!(head.get(at.wrapping_sub(1)), Some(b'\n' | 0)))
    };
    let begins: [&[u8]; 4] = [b"{\"", b"[{\"", b"[\"", b"[["];
    controls * 10 > head.len() && !begins.into_iter().any(has_record)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_are_told_by_content() {
        for (head, expected) in [
            (&b""[..], Container::Plain),
            (b"{\"a\":1}", Container::Plain),
            (b"\xef\xbb\xbf{}", Container::Plain),
            (b"\x1f\x8b\x08", Container::Gzip),
            (b"PK\x03\x04...", Container::Zip),
            (b"SQLite format 3\0\x10\0", Container::Sqlite),
            (b"\x28\xb5\x2f\xfd.", Container::Zstd),
            (b"\x50\x2a\x4d\x18.", Container::Zstd),
            (b"\xff\xfe{\0", Container::Utf16Le),
            (b"{\0\"\0a\0\"\0:\0", Container::Utf16Le),
            (b"\0{\0\"\0a\0\"\0:", Container::Utf16Be),
            (b"\xef\xbb\xbf\n <!DocType html>", Container::Html),
            (b"<html lang=en>", Container::Html),
            (b"\x89PNG\r\n", Container::Binary),
            (&[0; 100], Container::Binary),
            (b"\x1b[31m{\"a\":1}\x1b[0m", Container::Plain),
        ] {
            assert_eq!(sniff(head), expected, "{head:?}");
        }
        let hole = [b"{\"a\":1}\n".as_slice(), &[0; 4096]].concat();
        assert_eq!(sniff(&hole), Container::Plain);
    }
}
