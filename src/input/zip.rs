//! Reading one entry of a zip archive.

use std::io::{Read, Seek, SeekFrom};

use super::inflate::{Inflater, State, Volume};
use super::zip_directory::{ZipEntry, ZipFault, all_entries, u16_at};
use super::{Crc32, Notice};

const CHUNK_BYTES: usize = 64 * 1024;

/// Reads the entry with a number ([`super::ZipEntry::index`]) and gives its bytes to `sink` piece by
/// piece, until that says `false`. Broken entries give what there is, and a notice at the offset
/// where it was noticed: `zip-crc`, `zip-size` (the size in the table is a lie), `truncated-zip`,
/// `corrupt-zip`, `bomb`.
///
/// # Errors
///
/// Every [`ZipFault`].
pub fn zip_read(
    mut reader: impl Read + Seek,
    index: usize,
    sink: &mut dyn FnMut(&[u8]) -> bool,
) -> Result<Vec<Notice>, ZipFault> {
    let entries = all_entries(&mut reader)?;
    let entry = entries.get(index).ok_or(ZipFault::NoEntry)?;
    if entry.is_encrypted {
        return Err(ZipFault::Encrypted);
    }
    if !entry.is_readable() {
        return Err(ZipFault::Method(entry.method));
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
    let data_start = entry.header_start + 30 + u64::from(name_len) + u64::from(extra_len);
    reader.seek(SeekFrom::Start(data_start))?;
    let packed = reader.take(entry.packed_bytes);
    let (ending, check, volume) =
        if entry.method == 0 { copy(packed, sink)? } else { inflate(packed, sink)? };
    Ok(verdict(entry, ending, check, volume))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Ending {
    Whole,
    Stopped,
    Faulty(&'static str),
}

type Outcome = Result<(Ending, u32, Volume), ZipFault>;

fn copy(mut packed: impl Read, sink: &mut dyn FnMut(&[u8]) -> bool) -> Outcome {
    let mut volume = Volume::default();
    let mut crc = Crc32::default();
    let mut buffer = vec![0; CHUNK_BYTES];
    loop {
        let len = packed.read(&mut buffer)?;
        let bytes = buffer.get(..len).unwrap_or_default();
        if bytes.is_empty() {
            return Ok((Ending::Whole, crc.sum(), volume));
        }
        crc.update(bytes);
        volume.output_bytes += len as u64;
        if !sink(bytes) {
            return Ok((Ending::Stopped, crc.sum(), volume));
        }
    }
}

fn inflate(mut packed: impl Read, sink: &mut dyn FnMut(&[u8]) -> bool) -> Outcome {
    let mut volume = Volume::default();
    let mut inflater = Inflater::new();
    let mut buffer = vec![0; CHUNK_BYTES];
    let mut out = Vec::new();
    let ending = 'read: loop {
        let len = packed.read(&mut buffer)?;
        let bytes = buffer.get(..len).unwrap_or_default();
        if bytes.is_empty() {
            break Ending::Faulty("truncated-zip");
        }
        let mut at = 0;
        loop {
            let rest = bytes.get(at..).unwrap_or_default();
            let (used, state) = inflater.step(rest, &mut out, &mut volume);
            at += used;
            if !out.is_empty() && !sink(&out) {
                break 'read Ending::Stopped;
            }
            out.clear();
            if volume.is_bomb() {
                break 'read Ending::Faulty("bomb");
            }
            match state {
                State::Full => {}
                State::Hungry => break,
                State::End => break 'read Ending::Whole,
                State::Corrupt => break 'read Ending::Faulty("corrupt-zip"),
            }
        }
    };
    Ok((ending, inflater.check().0, volume))
}

fn verdict(entry: &ZipEntry, ending: Ending, crc: u32, volume: Volume) -> Vec<Notice> {
    let offset = volume.output_bytes;
    let mut notices = Vec::new();
    match ending {
        Ending::Stopped => {}
        Ending::Faulty(code) => notices.push(Notice { code, offset }),
        Ending::Whole => {
            if offset != entry.claimed_bytes {
                notices.push(Notice { code: "zip-size", offset });
            }
            if crc != entry.crc {
                notices.push(Notice { code: "zip-crc", offset });
            }
        }
    }
    notices
}
