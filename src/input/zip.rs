//! Unpacks one entry of a zip archive.

use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use traceloupe_core::warning_code::WarningCode;

use super::inflate::{Inflater, State, Volume};
use super::zip_directory::{ZSTD, ZipEntry, ZipFault, u16_at};
use super::{Crc32, Decoder, Notice, Unzstd};

/// Unpacks an entry from its packed bytes, chunk by chunk. For a damaged entry, it outputs what can be unpacked, and a
/// notice at the offset reached: `zip-crc`, `zip-size` (the directory states another size), `truncated-zip`,
/// `corrupt-zip` or `bomb`.
pub struct Unzip {
    body: Body,
    expected_bytes: u64,
    /// Entries of tar archives have no checksum.
    expected_crc: Option<u32>,
    volume: Volume,
    is_done: bool,
    notices: Vec<Notice>,
}

enum Body {
    Stored(Crc32),
    Deflated(Box<Inflater>),
    Zstd(Box<Unzstd>, Crc32),
}

/// A decoder for an entry of an archive, and the range of the entry's packed bytes. Reads only the
/// entry's own header.
///
/// # Errors
///
/// [`ZipFault::Encrypted`], [`ZipFault::Method`], or [`ZipFault::BrokenDirectory`] if the entry's
/// header is not at the offset that the directory states.
pub fn unzip(
    mut reader: impl Read + Seek,
    entry: &ZipEntry,
) -> Result<(Unzip, Range<u64>), ZipFault> {
    if entry.is_encrypted {
        return Err(ZipFault::Encrypted);
    }
    if !entry.is_readable() {
        return Err(ZipFault::Method(entry.method));
    }
    if entry.is_bare {
        let start = entry.header_start;
        return Ok((Unzip::new(entry), start..start.saturating_add(entry.packed_bytes)));
    }
    reader.seek(SeekFrom::Start(entry.header_start))?;
    let mut header = [0; 30];
    reader.read_exact(&mut header).map_err(|_| ZipFault::BrokenDirectory)?;
    let (Some(name_len), Some(extra_len)) = (u16_at(&header, 26), u16_at(&header, 28)) else {
        return Err(ZipFault::BrokenDirectory);
    };
    if !header.starts_with(b"PK\x03\x04") {
        return Err(ZipFault::BrokenDirectory);
    }
    let start = entry.header_start + 30 + u64::from(name_len) + u64::from(extra_len);
    Ok((Unzip::new(entry), start..start.saturating_add(entry.packed_bytes)))
}

impl Unzip {
    fn new(entry: &ZipEntry) -> Self {
        let body = match entry.method {
            0 => Body::Stored(Crc32::default()),
            ZSTD => Body::Zstd(Box::default(), Crc32::default()),
            _ => Body::Deflated(Box::new(Inflater::new())),
        };
        Self {
            body,
            expected_bytes: entry.claimed_bytes,
            expected_crc: (!entry.is_bare).then_some(entry.crc),
            volume: Volume::default(),
            is_done: false,
            notices: Vec::new(),
        }
    }

    fn stop(&mut self, code: WarningCode) {
        self.is_done = true;
        self.notices.push(Notice { code, offset: self.volume.output_bytes });
    }

    /// Handles the output of the Zstandard decoder, from an offset of `out`.
    fn take_zstd(&mut self, out: &[u8], notices: Vec<Notice>) {
        if let Body::Zstd(_, crc) = &mut self.body {
            crc.update(out);
        }
        self.volume.output_bytes += out.len() as u64;
        for notice in notices {
            self.stop(match notice.code {
                WarningCode::TruncatedZstd => WarningCode::TruncatedZip,
                WarningCode::Bomb | WarningCode::ZstdWindow => notice.code,
                // The archive has a checksum of its own.
                WarningCode::ZstdCrc => continue,
                _ => WarningCode::CorruptZip,
            });
        }
    }

    /// Compares the whole output with what the directory states.
    fn check(&mut self, crc: u32) {
        self.is_done = true;
        let offset = self.volume.output_bytes;
        if offset != self.expected_bytes {
            self.notices.push(Notice { code: WarningCode::ZipSize, offset });
        }
        if self.expected_crc.is_some_and(|expected| crc != expected) {
            self.notices.push(Notice { code: WarningCode::ZipCrc, offset });
        }
    }
}

impl Decoder for Unzip {
    fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let mut at = 0;
        while !self.is_done {
            let rest = bytes.get(at..).unwrap_or_default();
            let inflater = match &mut self.body {
                Body::Stored(crc) => {
                    crc.update(rest);
                    self.volume.output_bytes += rest.len() as u64;
                    out.extend_from_slice(rest);
                    return;
                }
                Body::Zstd(decoder, _) => {
                    let before = out.len();
                    decoder.push(rest, out);
                    let notices = decoder.notices();
                    return self.take_zstd(out.get(before..).unwrap_or_default(), notices);
                }
                Body::Deflated(inflater) => inflater,
            };
            let (used, state) = inflater.step(rest, out, &mut self.volume);
            at += used;
            if self.volume.is_bomb() {
                return self.stop(WarningCode::Bomb);
            }
            match state {
                State::Full => {}
                State::Hungry => return,
                State::End => {
                    let (crc, _) = inflater.check();
                    return self.check(crc);
                }
                State::Corrupt => return self.stop(WarningCode::CorruptZip),
            }
        }
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        if self.is_done {
            return;
        }
        if let Body::Zstd(decoder, _) = &mut self.body {
            let before = out.len();
            decoder.finish(out);
            let notices = decoder.notices();
            self.take_zstd(out.get(before..).unwrap_or_default(), notices);
        }
        match &self.body {
            _ if self.is_done => {}
            Body::Stored(crc) | Body::Zstd(_, crc) => {
                let crc = crc.sum();
                self.check(crc);
            }
            Body::Deflated(_) => self.stop(WarningCode::TruncatedZip),
        }
    }

    fn notices(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.notices)
    }

    fn is_done(&self) -> bool {
        self.is_done
    }
}
