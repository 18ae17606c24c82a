//! The entries of a tar archive (POSIX ustar and pax, GNU): a header of 512 bytes before each file, without a directory.

use std::io::{Read, Seek, SeekFrom};

use super::zip_directory::{ZipDirectory, ZipEntry, ZipFault, clean_name, zip_entries};

const BLOCK_BYTES: u64 = 512;

/// Where every header says that it is one.
const MAGIC: (usize, &[u8]) = (257, b"ustar");

/// The longest name in a header of its own that is read.
const MAX_NAME_BYTES: u64 = 64 << 10;

/// The most headers that are read.
const MAX_HEADERS: u64 = 1 << 20;

/// Whether a file begins like a tar archive.
pub(super) fn is_tar(head: &[u8]) -> bool {
    head.get(MAGIC.0..).is_some_and(|rest| rest.starts_with(MAGIC.1))
}

/// The entries of a zip or tar archive.
///
/// # Errors
///
/// As for [`zip_entries`].
pub fn archive_entries(mut reader: impl Read + Seek) -> Result<ZipDirectory, ZipFault> {
    let mut head = Vec::new();
    reader.by_ref().take(512).read_to_end(&mut head)?;
    if is_tar(&head) { tar_entries(reader) } else { zip_entries(reader) }
}

/// Finds the files of an archive by going from header to header.
///
/// # Errors
///
/// [`ZipFault::NoDirectory`] if it does not begin with a header, or [`ZipFault::Io`].
fn tar_entries(mut reader: impl Read + Seek) -> Result<ZipDirectory, ZipFault> {
    let len_bytes = reader.seek(SeekFrom::End(0))?;
    let (mut entries, mut long_name, mut at) = (Vec::new(), None, 0);
    for _ in 0..MAX_HEADERS {
        let mut header = [0; BLOCK_BYTES as usize];
        reader.seek(SeekFrom::Start(at))?;
        if reader.read_exact(&mut header).is_err() || !is_tar(&header) {
            break;
        }
        let size = number(header.get(124..136).unwrap_or_default());
        let start = at + BLOCK_BYTES;
        let padded = size.div_ceil(BLOCK_BYTES).saturating_mul(BLOCK_BYTES);
        at = start.saturating_add(padded);
        match header.get(156) {
            Some(kind @ (b'L' | b'x')) => {
                let mut bytes = Vec::new();
                reader.by_ref().take(size.min(MAX_NAME_BYTES)).read_to_end(&mut bytes)?;
                long_name = if *kind == b'L' { Some(text(&bytes)) } else { pax_path(&bytes) };
            }
            Some(b'0' | 0 | b'7') => {
                let name = long_name.take().unwrap_or_else(|| short_name(&header));
                let name = clean_name(&name);
                // macOS adds a file with attributes to each file.
                let is_own = !name.rsplit('/').next().unwrap_or_default().starts_with("._");
                if is_own && !name.is_empty() && !name.ends_with('/') {
                    entries.push(ZipEntry::bare(entries.len(), name, start, size));
                }
            }
            _ => long_name = None,
        }
        if at >= len_bytes {
            break;
        }
    }
    if entries.is_empty() && at == 0 {
        return Err(ZipFault::NoDirectory);
    }
    Ok(ZipDirectory { claimed_entries: entries.len() as u64, entries, missing_entries: 0 })
}

/// A text up to the first NUL.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes.split(|byte| *byte == 0).next().unwrap_or_default()).into_owned()
}

/// A number in octal digits, or in binary if it is too long for them.
fn number(field: &[u8]) -> u64 {
    match field {
        [0x80, rest @ ..] => rest.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte)),
        digits => u64::from_str_radix(text(digits).trim(), 8).unwrap_or(0),
    }
}

fn short_name(header: &[u8]) -> String {
    let name = text(header.get(..100).unwrap_or_default());
    // Headers of GNU have other fields in the place of the prefix.
    let has_prefix = header.get(262) == Some(&0);
    match text(header.get(345..500).unwrap_or_default()) {
        prefix if has_prefix && !prefix.is_empty() => format!("{prefix}/{name}"),
        _ => name,
    }
}

/// The path in an extended header: lines of a length, a key and a value.
fn pax_path(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let mut lines = text.lines().filter_map(|line| line.split_once(' ')?.1.strip_prefix("path="));
    lines.next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn block(name: &str, kind: u8, content: &[u8]) -> Vec<u8> {
        let mut header = vec![0; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
        header[156] = kind;
        header[257..263].copy_from_slice(b"ustar\0");
        header.extend(content);
        header.resize(header.len().next_multiple_of(512), 0);
        header
    }

    fn names(archive: &[u8]) -> Vec<(String, u64)> {
        let entries = tar_entries(Cursor::new(archive)).unwrap().entries;
        entries.into_iter().map(|it| (it.name, it.claimed_bytes)).collect()
    }

    #[test]
    fn files_are_found_by_their_headers() {
        let parts = [
            block("a/", b'5', b""),
            block("a/one.json", b'0', b"{}"),
            block("PaxHeaders/x", b'x', b"24 path=a/a-long-name.md\n"),
            block("short", b'0', &[b'x'; 600]),
            block("././@LongLink", b'L', b"a/another.md\0"),
            block("short", 0, b"x"),
            block("a/._one.json", b'0', b"x"),
            block("../up", b'0', b"x"),
            vec![0; 1024],
        ];
        let expected =
            [("a/one.json", 2), ("a/a-long-name.md", 600), ("a/another.md", 1), ("up", 1)];
        let expected: Vec<_> = expected.map(|(name, len)| (name.to_owned(), len)).into();
        let archive = parts.concat();
        assert_eq!(names(&archive), expected);
        for len in 512..archive.len() {
            assert!(names(&archive[..len]).len() <= expected.len());
        }
        assert!(tar_entries(Cursor::new(b"no")).is_err());
    }
}
