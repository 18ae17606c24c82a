//! The directory of a zip archive (APPNOTE 4.3), including zip64.
//!
//! This is our own parser because libraries key entries by name although archives with duplicate names exist, and
//! because a damaged entry must not hide the others.

use std::io::{Read, Seek, SeekFrom};

use rustc_hash::FxHashSet;
use thiserror::Error;

/// Why an archive or an entry cannot be read.
#[derive(Error, Debug)]
pub enum ZipFault {
    /// The archive has no end record: it is cut, or its writer never closed it.
    #[error("the archive has no table of contents; it is cut or was never closed")]
    NoDirectory,
    /// The directory is not at the offset that the end record states.
    #[error("the directory of the archive is broken")]
    BrokenDirectory,
    /// The entry is encrypted.
    #[error("the entry is encrypted")]
    Encrypted,
    /// The compression method is not supported.
    #[error("the entry is packed by method {0}")]
    Method(u16),
    /// The file itself could not be read.
    #[error("the file could not be read: {0}")]
    Io(#[from] std::io::Error),
}

impl ZipFault {
    /// A stable code for notices.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoDirectory => "zip-no-directory",
            Self::BrokenDirectory => "zip-broken-directory",
            Self::Encrypted => "zip-encrypted",
            Self::Method(_) => "zip-method",
            Self::Io(_) => "unreadable",
        }
    }
}

/// The compression method of Zstandard.
pub(super) const ZSTD: u16 = 93;

/// An entry of an archive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ZipEntry {
    /// Its number in the directory. Names may be duplicated; numbers are unique.
    pub index: usize,
    /// Its path, sanitized: relative, without `..`, drive letters, or control and bidi characters.
    pub name: String,
    /// Its unpacked size as stated in the directory. May be wrong.
    pub claimed_bytes: u64,
    /// Its packed size.
    pub packed_bytes: u64,
    /// Whether it is encrypted.
    pub is_encrypted: bool,
    /// The compression method: 0 is stored, 8 is deflate, 93 is zstd; no other can be read.
    pub method: u16,
    pub(super) crc: u32,
    pub(super) header_start: u64,
    /// Whether its bytes have no header of a zip before them, and no checksum: an entry of a tar archive.
    pub(super) is_bare: bool,
}

impl ZipEntry {
    /// An entry of a tar archive, whose bytes start at this offset.
    pub(super) fn bare(index: usize, name: String, start: u64, len_bytes: u64) -> Self {
        Self {
            index,
            name,
            claimed_bytes: len_bytes,
            packed_bytes: len_bytes,
            is_encrypted: false,
            method: 0,
            crc: 0,
            header_start: start,
            is_bare: true,
        }
    }

    /// Whether [`super::unzip`] can read it.
    #[must_use]
    pub fn is_readable(&self) -> bool {
        !self.is_encrypted && matches!(self.method, 0 | 8 | ZSTD)
    }
}

/// The longest directory that is read.
const MAX_DIRECTORY_BYTES: u64 = 256 << 20;

/// The first bytes of every entry of the directory.
const ENTRY_MARK: &[u8] = b"PK\x01\x02";

/// The longest end record: 22 bytes and a comment.
const MAX_END_BYTES: u64 = 22 + 0xffff;

/// The contents of the directory of an archive.
#[derive(Debug)]
pub struct ZipDirectory {
    /// The files, in the order of the directory. Folders and the entries that macOS adds are left out.
    pub entries: Vec<ZipEntry>,
    /// How many entries the archive claims to have, including folders.
    pub claimed_entries: u64,
    /// How many of them could not be read because the directory is damaged.
    pub missing_entries: u64,
}

/// Reads the directory of a zip archive. Skips and counts damaged entries.
///
/// # Errors
///
/// [`ZipFault::NoDirectory`], [`ZipFault::BrokenDirectory`] if it has no readable entry, or [`ZipFault::Io`].
pub fn zip_entries(mut reader: impl Read + Seek) -> Result<ZipDirectory, ZipFault> {
    let location = locate(&mut reader)?;
    if location.len_bytes > MAX_DIRECTORY_BYTES {
        return Err(ZipFault::BrokenDirectory);
    }
    reader.seek(SeekFrom::Start(location.start))?;
    let mut bytes = Vec::new();
    reader.take(location.len_bytes).read_to_end(&mut bytes)?;
    let (mut entries, mut starts) = (Vec::new(), FxHashSet::default());
    let mut rest = bytes.as_slice();
    while !rest.is_empty() {
        let read = entry(rest, entries.len())
            .filter(|(it, len)| it.header_start < location.start && !is_overlong(rest, *len));
        let Some((entry, entry_len)) = read else {
            let next = rest.get(1..).and_then(|rest| memchr::memmem::find(rest, ENTRY_MARK));
            rest = next.and_then(|at| rest.get(at + 1..)).unwrap_or_default();
            continue;
        };
        // Entries that share their bytes are no files of anyone, but a way to unpack a small archive to terabytes.
        if starts.insert(entry.header_start) {
            entries.push(entry);
        }
        rest = rest.get(entry_len..).unwrap_or_default();
    }
    if entries.is_empty() && location.len_bytes > 0 {
        return Err(ZipFault::BrokenDirectory);
    }
    let missing_entries = location.n_entries.saturating_sub(entries.len() as u64);
    entries.retain(|entry| {
        !entry.name.is_empty() && !entry.name.ends_with('/') && !entry.name.starts_with("__MACOSX/")
    });
    Ok(ZipDirectory { entries, claimed_entries: location.n_entries, missing_entries })
}

/// Whether an entry of this length would include later entries, which means that one of its lengths is damaged.
fn is_overlong(bytes: &[u8], entry_len: usize) -> bool {
    let (own, rest) = bytes.split_at_checked(entry_len).unwrap_or((bytes, &[]));
    // Cheap tests first: they are enough for every entry of an undamaged directory.
    !rest.is_empty()
        && !rest.starts_with(ENTRY_MARK)
        && own.get(1..).is_some_and(|own| memchr::memmem::find(own, ENTRY_MARK).is_some())
}

/// Where the directory is, and how many entries it has.
struct Location {
    start: u64,
    len_bytes: u64,
    n_entries: u64,
}

fn locate(reader: &mut (impl Read + Seek)) -> Result<Location, ZipFault> {
    let file_len = reader.seek(SeekFrom::End(0))?;
    let tail_start = file_len.saturating_sub(MAX_END_BYTES);
    reader.seek(SeekFrom::Start(tail_start))?;
    let mut tail = Vec::new();
    reader.take(MAX_END_BYTES).read_to_end(&mut tail)?;
    let at = memchr::memmem::rfind(&tail, b"PK\x05\x06").ok_or(ZipFault::NoDirectory)?;
    let end = tail.get(at..).unwrap_or_default();
    let fields = (u16_at(end, 10), u32_at(end, 12), u32_at(end, 16));
    let (Some(n_entries), Some(len), Some(start)) = fields else {
        return Err(ZipFault::NoDirectory);
    };
    let locator = at.checked_sub(20).and_then(|at| tail.get(at..));
    let locator = locator.filter(|locator| locator.starts_with(b"PK\x06\x07"));
    let is_wide = len == u32::MAX || start == u32::MAX;
    if !is_wide && (n_entries != u16::MAX || locator.is_none()) {
        return Ok(Location {
            start: u64::from(start),
            len_bytes: u64::from(len),
            n_entries: u64::from(n_entries),
        });
    }
    let end64 = locator.and_then(|locator| u64_at(locator, 8)).ok_or(ZipFault::BrokenDirectory)?;
    reader.seek(SeekFrom::Start(end64))?;
    let mut record = Vec::new();
    reader.take(56).read_to_end(&mut record)?;
    let fields = (u64_at(&record, 32), u64_at(&record, 40), u64_at(&record, 48));
    match (record.starts_with(b"PK\x06\x06"), fields) {
        (true, (Some(n_entries), Some(len_bytes), Some(start))) => {
            Ok(Location { start, len_bytes, n_entries })
        }
        _ => Err(ZipFault::BrokenDirectory),
    }
}

/// The entry at the start of these bytes, and its length there.
fn entry(bytes: &[u8], index: usize) -> Option<(ZipEntry, usize)> {
    if !bytes.starts_with(ENTRY_MARK) {
        return None;
    }
    let name_len = usize::from(u16_at(bytes, 28)?);
    let extra_len = usize::from(u16_at(bytes, 30)?);
    let comment_len = usize::from(u16_at(bytes, 32)?);
    let name = bytes.get(46..46 + name_len)?;
    let extra = bytes.get(46 + name_len..46 + name_len + extra_len)?;
    // The zip64 field contains only the values whose normal field is all ones, in this order.
    let mut wide = zip64_fields(extra);
    let mut field = |value: u32| {
        if value == u32::MAX { wide.next().unwrap_or(u64::from(value)) } else { u64::from(value) }
    };
    let claimed_bytes = field(u32_at(bytes, 24)?);
    let packed_bytes = field(u32_at(bytes, 20)?);
    let header_start = field(u32_at(bytes, 42)?);
    let entry = ZipEntry {
        index,
        name: clean_name(&String::from_utf8_lossy(name)),
        claimed_bytes,
        packed_bytes,
        is_encrypted: u16_at(bytes, 8)? & 1 == 1,
        method: u16_at(bytes, 10)?,
        crc: u32_at(bytes, 16)?,
        header_start,
        is_bare: false,
    };
    Some((entry, 46 + name_len + extra_len + comment_len))
}

fn zip64_fields(extra: &[u8]) -> impl Iterator<Item = u64> {
    let mut rest = extra;
    let mut found: &[u8] = &[];
    while let (Some(id), Some(len)) = (u16_at(rest, 0), u16_at(rest, 2)) {
        let end = 4 + usize::from(len);
        if id == 1 {
            found = rest.get(4..end).unwrap_or_default();
        }
        rest = rest.get(end..).unwrap_or_default();
    }
    found.as_chunks::<8>().0.iter().map(|field| u64::from_le_bytes(*field))
}

/// Turns a name into a safe relative path.
#[must_use]
pub fn clean_name(name: &str) -> String {
    let is_hidden = |it: char| {
        it.is_control()
            || matches!(it, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
    };
    let name: String = name.chars().filter(|it| !is_hidden(*it)).collect();
    let is_drive = |part: &str| part.len() == 2 && part.ends_with(':');
    let parts = name.split(['/', '\\']);
    let parts = parts.filter(|part| !matches!(*part, "" | "." | "..") && !is_drive(part));
    let mut clean = parts.collect::<Vec<_>>().join("/");
    if name.ends_with(['/', '\\']) && !clean.is_empty() {
        clean.push('/');
    }
    clean
}

pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|field| u16::from_le_bytes(*field))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|field| u32::from_le_bytes(*field))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|field| u64::from_le_bytes(*field))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_climb() {
        for (name, clean) in [
            ("a/b.jsonl", "a/b.jsonl"),
            ("../../../../tmp/evil.txt", "tmp/evil.txt"),
            ("..\\..\\evil.txt", "evil.txt"),
            ("/etc/evil", "etc/evil"),
            ("C:\\evil.txt", "evil.txt"),
            ("folder/", "folder/"),
            ("\u{202e}gpj.lnosj\n", "gpj.lnosj"),
            ("..", ""),
        ] {
            assert_eq!(clean_name(name), clean);
        }
    }
}
