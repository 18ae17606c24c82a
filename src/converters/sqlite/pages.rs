//! The pages of a database, and its header. A few pieces of the file are cached, so that neighbouring pages need only
//! one read.

use std::io::{Read, Seek, SeekFrom};
use std::rc::Rc;

use super::SqliteFault;
use traceloupe_input::SQLITE_MAGIC;

/// A file that can be read from any offset.
pub trait ReadSeek: Read + Seek {}

impl<T: Read + Seek + ?Sized> ReadSeek for T {}

/// How much is read at once, because each read of a file has a fixed cost. A multiple of every page size.
const PIECE_BYTES: usize = 1 << 18;

/// How many pieces are cached.
const KEPT_PIECES: usize = 16;

/// The length of the header.
pub(super) const HEADER_BYTES: usize = 100;

/// How texts are stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Encoding {
    Utf8,
    Utf16Le,
    Utf16Be,
}

/// The other fields of the header, besides the sizes.
pub(super) struct Header {
    pub(super) encoding: Encoding,
    pub(super) is_logged: bool,
}

/// The pages of a file.
#[derive(Debug)]
pub(super) struct Pages {
    page_bytes: usize,
    /// How much of a page is in use.
    pub(super) usable_bytes: usize,
    /// How many whole pages the file has.
    pub(super) n_pages: u32,
    /// Pieces of the file by number; the most recently used one is last.
    pieces: Vec<(u64, Vec<u8>)>,
    /// The page that was read last.
    last: Option<(u32, Rc<[u8]>)>,
}

impl Pages {
    /// Reads the header.
    pub(super) fn open(file: &mut dyn ReadSeek) -> Result<(Self, Header), SqliteFault> {
        let len_bytes = file.seek(SeekFrom::End(0))?;
        file.seek(SeekFrom::Start(0))?;
        let mut header = Vec::new();
        file.take(HEADER_BYTES as u64).read_to_end(&mut header)?;
        let page_bytes = match u16_at(&header, 16) {
            Some(1) => 1 << 16,
            Some(size) if size >= 512 && size.is_power_of_two() => usize::from(size),
            _ => return Err(SqliteFault::BrokenHeader),
        };
        let reserved = header.get(20).map_or(0, |reserved| usize::from(*reserved));
        let usable_bytes = page_bytes.saturating_sub(reserved);
        let encoding = match u32_at(&header, 56) {
            // A database without tables has no encoding yet.
            Some(0 | 1) => Encoding::Utf8,
            Some(2) => Encoding::Utf16Le,
            Some(3) => Encoding::Utf16Be,
            _ => return Err(SqliteFault::BrokenHeader),
        };
        if !header.starts_with(SQLITE_MAGIC) || usable_bytes < 480 {
            return Err(SqliteFault::BrokenHeader);
        }
        let n_pages = u32::try_from(len_bytes / page_bytes as u64).unwrap_or(u32::MAX);
        let is_logged = header.get(18..20).is_some_and(|versions| versions.contains(&2));
        let pages = Self { page_bytes, usable_bytes, n_pages, pieces: Vec::new(), last: None };
        Ok((pages, Header { encoding, is_logged }))
    }

    /// The length of all whole pages.
    pub(super) fn file_bytes(&self) -> u64 {
        u64::from(self.n_pages) * self.page_bytes as u64
    }

    /// The page with a number, counted from 1. `None` if the file has no such page.
    pub(super) fn page(
        &mut self,
        file: &mut dyn ReadSeek,
        number: u32,
    ) -> Result<Option<Rc<[u8]>>, SqliteFault> {
        if number == 0 || number > self.n_pages {
            return Ok(None);
        }
        if let Some((_, page)) = self.last.as_ref().filter(|(last, _)| *last == number) {
            return Ok(Some(Rc::clone(page)));
        }
        let start = u64::from(number - 1) * self.page_bytes as u64;
        let nth = start / PIECE_BYTES as u64;
        if let Some(at) = self.pieces.iter().position(|(known, _)| *known == nth) {
            let piece = self.pieces.remove(at);
            self.pieces.push(piece);
        } else {
            if self.pieces.len() >= KEPT_PIECES {
                self.pieces.remove(0);
            }
            file.seek(SeekFrom::Start(nth * PIECE_BYTES as u64))?;
            let mut piece = Vec::new();
            file.take(PIECE_BYTES as u64).read_to_end(&mut piece)?;
            self.pieces.push((nth, piece));
        }
        let at = usize::try_from(start % PIECE_BYTES as u64).unwrap_or(0);
        let piece = self.pieces.last().and_then(|(_, piece)| piece.get(at..at + self.page_bytes));
        let page: Option<Rc<[u8]>> = piece.map(Rc::from);
        self.last = page.as_ref().map(|page| (number, Rc::clone(page)));
        Ok(page)
    }
}

/// The number stored in two bytes.
pub(super) fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|field| u16::from_be_bytes(*field))
}

/// The number stored in four bytes.
pub(super) fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..)?.first_chunk().map(|field| u32::from_be_bytes(*field))
}
