//! gzip as found in the wild: several members, padding, truncation, bad checksums, bombs.

use super::inflate::{Inflater, State, Volume};
use super::{Decoder, Notice};
use traceloupe_core::warning_code::WarningCode;

/// A header is refused if its name and comment are longer than this.
const MAX_HEADER_BYTES: usize = 256 * 1024;

/// Inflates gzip with any number of members. Outputs everything that can be inflated. Notices: `truncated-gzip`,
/// `gzip-crc`, `corrupt-gzip` (damaged, or not gzip at all) and `bomb`.
pub struct Gunzip {
    stage: Stage,
    members: u32,
    volume: Volume,
    notices: Vec<Notice>,
}

enum Stage {
    Header(Vec<u8>),
    Body(Box<Inflater>),
    Trailer(Vec<u8>, (u32, u32)),
    Done,
}

impl Default for Gunzip {
    fn default() -> Self {
        Self::new()
    }
}

impl Gunzip {
    /// Creates a decoder that expects the first header.
    #[must_use]
    pub fn new() -> Self {
        Self {
            stage: Stage::Header(Vec::new()),
            members: 0,
            volume: Volume::default(),
            notices: Vec::new(),
        }
    }

    fn notice(&mut self, code: WarningCode) {
        if self.notices.iter().all(|notice| notice.code != code) {
            self.notices.push(Notice { code, offset: self.volume.output_bytes });
        }
    }

    fn stop(&mut self, code: WarningCode) {
        self.notice(code);
        self.stage = Stage::Done;
    }

    /// Reads bytes of the header; returns how many it used.
    fn header(&mut self, bytes: &[u8]) -> usize {
        let Stage::Header(held) = &mut self.stage else { return 0 };
        if held.is_empty() && self.members > 0 {
            // Tapes and block devices pad with zeros, and another member may follow.
            let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
            if zeros > 0 {
                return zeros;
            }
        }
        let before = held.len();
        held.extend(bytes.iter().take(MAX_HEADER_BYTES.saturating_sub(before) + 1));
        match header_len(held) {
            Header::Len(len) => {
                self.stage = Stage::Body(Box::new(Inflater::new()));
                len - before
            }
            Header::Cut if held.len() <= MAX_HEADER_BYTES => bytes.len(),
            // Anything else after the last member is ignored.
            _ if self.members > 0 => {
                self.stage = Stage::Done;
                bytes.len()
            }
            _ => {
                self.stop(WarningCode::CorruptGzip);
                bytes.len()
            }
        }
    }

    fn body(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> usize {
        let Stage::Body(inflater) = &mut self.stage else { return 0 };
        let mut at = 0;
        loop {
            let rest = bytes.get(at..).unwrap_or_default();
            let (used, state) = inflater.step(rest, out, &mut self.volume);
            at += used;
            if self.volume.is_bomb() {
                self.stop(WarningCode::Bomb);
                return bytes.len();
            }
            match state {
                State::Full => {}
                State::Hungry => return at,
                State::End => {
                    let check = inflater.check();
                    self.members += 1;
                    self.stage = Stage::Trailer(Vec::new(), check);
                    return at;
                }
                State::Corrupt => {
                    self.stop(WarningCode::CorruptGzip);
                    return bytes.len();
                }
            }
        }
    }

    fn trailer(&mut self, bytes: &[u8]) -> usize {
        let Stage::Trailer(held, (crc, len)) = &mut self.stage else { return 0 };
        let taken = bytes.len().min(8 - held.len());
        held.extend(bytes.iter().take(taken));
        if let Ok(trailer) = <[u8; 8]>::try_from(held.as_slice()) {
            let expected = u64::from(*crc) | (u64::from(*len) << 32);
            self.stage = Stage::Header(Vec::new());
            if u64::from_le_bytes(trailer) != expected {
                self.notice(WarningCode::GzipCrc);
            }
        }
        taken
    }
}

impl Decoder for Gunzip {
    fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let mut at = 0;
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            at += match self.stage {
                Stage::Header(_) => self.header(rest),
                Stage::Body(_) => self.body(rest, out),
                Stage::Trailer(..) => self.trailer(rest),
                Stage::Done => return,
            };
        }
    }

    fn finish(&mut self, _out: &mut Vec<u8>) {
        let is_whole = match &self.stage {
            Stage::Header(held) => held.is_empty() && self.members > 0,
            Stage::Done => true,
            Stage::Body(_) | Stage::Trailer(..) => false,
        };
        if !is_whole {
            self.notice(WarningCode::TruncatedGzip);
        }
        self.stage = Stage::Done;
    }

    fn notices(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.notices)
    }

    fn is_done(&self) -> bool {
        matches!(self.stage, Stage::Done)
    }
}

enum Header {
    Len(usize),
    Cut,
    Bad,
}

/// The length of the gzip header at the start of these bytes (RFC 1952, 2.3).
fn header_len(bytes: &[u8]) -> Header {
    let magic = [0x1f, 0x8b, 8];
    if bytes.iter().zip(magic).any(|(byte, expected)| *byte != expected) {
        return Header::Bad;
    }
    header_end(bytes).map_or(Header::Cut, Header::Len)
}

fn header_end(bytes: &[u8]) -> Option<usize> {
    let flags = *bytes.get(3)?;
    let mut at = 10;
    if flags & 4 != 0 {
        let (low, high) = (*bytes.get(at)?, *bytes.get(at + 1)?);
        at += 2 + usize::from(u16::from_le_bytes([low, high]));
    }
    for flag in [8, 16] {
        if flags & flag != 0 {
            at += memchr::memchr(0, bytes.get(at..)?)? + 1;
        }
    }
    if flags & 2 != 0 {
        at += 2;
    }
    (at <= bytes.len()).then_some(at)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn gunzip(bytes: &[u8], chunk: usize) -> (Vec<u8>, Vec<&'static str>) {
        let mut decoder = Gunzip::new();
        let mut out = Vec::new();
        for chunk in bytes.chunks(chunk) {
            decoder.push(chunk, &mut out);
        }
        decoder.finish(&mut out);
        (out, decoder.notices().into_iter().map(|notice| notice.code.word()).collect())
    }

    #[test]
    fn members_padding_and_garbage() {
        let (one, two) = (gzip(b"one "), gzip(b"two"));
        let zeros = vec![0; 512];
        for chunk in [1, 7, 65536] {
            let expected = (b"one two".to_vec(), vec![]);
            assert_eq!(gunzip(&[&one[..], &two].concat(), chunk), expected);
            assert_eq!(gunzip(&[&one[..], &zeros, &two, &zeros].concat(), chunk), expected);
            assert_eq!(gunzip(&[&one[..], &two, b"garbage"].concat(), chunk), expected);
        }
    }

    #[test]
    fn named_headers_are_passed_over() {
        let plain = gzip(b"text");
        let mut named = plain[..10].to_vec();
        named[3] = 4 | 8 | 16 | 2;
        named.extend(b"\x03\0abcname\0comment\0\x01\x02");
        named.extend(&plain[10..]);
        for chunk in [1, 3, 100] {
            assert_eq!(gunzip(&named, chunk), (b"text".to_vec(), vec![]));
        }
    }

    #[test]
    fn faults_keep_what_there_is() {
        let text: Vec<u8> = (0..20_000_u32).flat_map(|it| it.to_le_bytes()).collect();
        let whole = gzip(&text);
        let (out, codes) = gunzip(&whole[..whole.len() / 2], 1000);
        assert_eq!(codes, ["truncated-gzip"]);
        assert!(out.len() > 10_000 && text.starts_with(&out), "{}", out.len());
        let mut bad = whole.clone();
        let crc = bad.len() - 8;
        bad[crc] ^= 1;
        assert_eq!(gunzip(&bad, 1000), (text, vec!["gzip-crc"]));
        assert_eq!(gunzip(&[&whole[..10], &[0xff; 20]].concat(), 5).1, ["corrupt-gzip"]);
        assert_eq!(gunzip(b"\x1f\x8b\x09 unknown method", 5).1, ["corrupt-gzip"]);
        assert_eq!(gunzip(b"\x1f\x8b", 5), (vec![], vec!["truncated-gzip"]));
    }
}
