//! Zstandard (RFC 8878) with any number of frames, as used in `.zst` files and entries of zip archives.
//!
//! The decoder of `ruzstd` receives one block at a time, so that no step unpacks more than 128 KiB: a block of four
//! bytes can expand to that size.

use ruzstd::decoding::FrameDecoder;
use ruzstd::decoding::errors::FrameDecoderError;

use super::inflate::Volume;
use super::{Decoder, Notice};
use traceloupe_core::warning_code::WarningCode;

/// The largest window that is accepted: the one that `zstd --long` writes.
const MAX_WINDOW_BYTES: u64 = 128 << 20;

/// How many decoded bytes are taken from the decoder at once.
const STEP_BYTES: usize = 64 * 1024;

const FRAME_MAGIC: u32 = 0xfd2f_b528;

/// The magic number of skippable frames; its last four bits may be anything.
const SKIPPED_MAGIC: u32 = 0x184d_2a50;

/// Unpacks Zstandard. Outputs everything that can be unpacked. Notices: `truncated-zstd`, `zstd-crc`, `corrupt-zstd`
/// (damaged, or not Zstandard at all), `zstd-window` (needs too much memory) and `bomb`.
pub struct Unzstd {
    stage: Stage,
    /// The bytes of the current stage so far.
    held: Vec<u8>,
    decoder: Box<FrameDecoder>,
    n_frames: u32,
    volume: Volume,
    notices: Vec<Notice>,
}

/// What the next bytes are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// The magic number of a frame, and one more byte.
    Magic,
    /// The header of a frame, with its length in bytes.
    Header(usize),
    /// The header of a block.
    BlockHeader,
    /// A block with its header: its length in bytes, and whether it is the last one of its frame.
    Block(usize, bool),
    Checksum,
    /// The header of a skippable frame.
    SkippedHeader,
    /// A number of bytes to skip.
    Skipped(u64),
    Done,
}

impl Default for Unzstd {
    fn default() -> Self {
        Self::new()
    }
}

impl Unzstd {
    /// Creates a decoder that expects the first frame.
    #[must_use]
    pub fn new() -> Self {
        let mut decoder = Box::new(FrameDecoder::new());
        decoder.set_max_window_size(MAX_WINDOW_BYTES);
        Self {
            stage: Stage::Magic,
            held: Vec::new(),
            decoder,
            n_frames: 0,
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

    /// How many bytes the stage needs.
    fn needed(&self) -> usize {
        match self.stage {
            Stage::Magic => 5,
            Stage::Header(len) | Stage::Block(len, _) => len,
            Stage::BlockHeader => 3,
            Stage::Checksum => 4,
            Stage::SkippedHeader => 8,
            Stage::Skipped(_) | Stage::Done => 0,
        }
    }

    /// Processes the bytes of a complete stage, and continues with the next stage.
    fn take(&mut self, out: &mut Vec<u8>) {
        let bytes = std::mem::take(&mut self.held);
        match self.stage {
            Stage::Magic => self.magic(bytes),
            Stage::Header(_) => match self.decoder.init(bytes.as_slice()) {
                Ok(()) => self.stage = Stage::BlockHeader,
                Err(FrameDecoderError::WindowSizeTooBig { .. }) => {
                    self.stop(WarningCode::ZstdWindow);
                }
                Err(_) => self.stop(WarningCode::CorruptZstd),
            },
            Stage::BlockHeader => self.block_header(bytes),
            Stage::Block(_, is_last) => {
                self.decode(&bytes, out);
                if is_last && self.stage != Stage::Done {
                    self.n_frames += 1;
                    let is_finished = self.decoder.is_finished();
                    self.stage = if is_finished { Stage::Magic } else { Stage::Checksum };
                } else if self.stage != Stage::Done {
                    self.stage = Stage::BlockHeader;
                }
            }
            Stage::Checksum => {
                self.decode(&bytes, out);
                self.drain(out);
                let stated = self.decoder.get_checksum_from_data();
                if stated != self.decoder.get_calculated_checksum() {
                    self.notice(WarningCode::ZstdCrc);
                }
                if self.stage != Stage::Done {
                    self.stage = Stage::Magic;
                }
            }
            Stage::SkippedHeader => {
                let len = bytes.last_chunk().map_or(0, |len| u32::from_le_bytes(*len));
                self.stage = Stage::Skipped(u64::from(len));
            }
            Stage::Skipped(_) | Stage::Done => {}
        }
    }

    fn magic(&mut self, bytes: Vec<u8>) {
        let magic = bytes.first_chunk().map_or(0, |magic| u32::from_le_bytes(*magic));
        if magic == FRAME_MAGIC {
            self.stage = Stage::Header(header_len(bytes.last().copied().unwrap_or(0)));
            self.held = bytes;
        } else if magic & !0xf == SKIPPED_MAGIC {
            self.stage = Stage::SkippedHeader;
            self.held = bytes;
        } else if self.n_frames > 0 {
            // Anything else after the last frame is ignored.
            self.stage = Stage::Done;
        } else {
            self.stop(WarningCode::CorruptZstd);
        }
    }

    /// The three bytes before a block: whether it is the last one, its type and its size.
    fn block_header(&mut self, bytes: Vec<u8>) {
        const RUN: u32 = 1;
        const RESERVED: u32 = 3;
        const MAX_BLOCK_BYTES: u32 = 128 << 10;
        let word = bytes.iter().rev().fold(0, |word, byte| (word << 8) | u32::from(*byte));
        let (kind, size) = ((word >> 1) & 3, word >> 3);
        if kind == RESERVED || size > MAX_BLOCK_BYTES {
            return self.stop(WarningCode::CorruptZstd);
        }
        let len = if kind == RUN { 1 } else { size as usize };
        self.stage = Stage::Block(3 + len, word & 1 == 1);
        self.held = bytes;
    }

    /// Decodes a block or a checksum.
    fn decode(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        match self.decoder.decode_from_to(bytes, &mut []) {
            Ok(_) => self.drain(out),
            Err(_) => {
                self.close(out);
                self.stop(WarningCode::CorruptZstd);
            }
        }
    }

    /// Outputs the contents of the window of a frame that ends early, by adding an empty last block and a checksum.
    fn close(&mut self, out: &mut Vec<u8>) {
        for end in [&[1_u8, 0, 0][..], &[0; 4]] {
            if !self.decoder.is_finished() && self.decoder.decode_from_to(end, &mut []).is_err() {
                return;
            }
        }
        self.drain(out);
    }

    /// Outputs the decoded bytes, except for the window.
    fn drain(&mut self, out: &mut Vec<u8>) {
        loop {
            let (before, ready) = (out.len(), self.decoder.can_collect().min(STEP_BYTES));
            if ready == 0 {
                return;
            }
            out.resize(before + ready, 0);
            let room = out.get_mut(before..).unwrap_or_default();
            let written = self.decoder.decode_from_to(&[], room).map_or(0, |(_, written)| written);
            out.truncate(before + written);
            self.volume.output_bytes += written as u64;
            if self.volume.is_bomb() {
                return self.stop(WarningCode::Bomb);
            }
            if written == 0 {
                return;
            }
        }
    }
}

/// The length of a frame's header including its magic number, from the byte after that number.
fn header_len(descriptor: u8) -> usize {
    let is_single_segment = descriptor & 0x20 != 0;
    let size_len = match descriptor >> 6 {
        0 => usize::from(is_single_segment),
        1 => 2,
        2 => 4,
        _ => 8,
    };
    let dictionary_len = [0, 1, 2, 4].get(usize::from(descriptor & 3)).copied().unwrap_or(0);
    5 + usize::from(!is_single_segment) + dictionary_len + size_len
}

impl Decoder for Unzstd {
    fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        self.volume.input_bytes += bytes.len() as u64;
        let mut rest = bytes;
        while !rest.is_empty() && self.stage != Stage::Done {
            let n_held = if let Stage::Skipped(left) = &mut self.stage {
                let skipped = usize::try_from(*left).unwrap_or(usize::MAX).min(rest.len());
                *left -= skipped as u64;
                if *left == 0 {
                    self.n_frames += 1;
                    self.stage = Stage::Magic;
                }
                skipped
            } else {
                let wanted = self.needed().saturating_sub(self.held.len()).min(rest.len());
                self.held.extend_from_slice(rest.get(..wanted).unwrap_or_default());
                wanted
            };
            rest = rest.get(n_held..).unwrap_or_default();
            // A stage may need no more bytes than the previous one left over.
            while self.needed() > 0 && self.held.len() >= self.needed() {
                self.take(out);
            }
        }
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        let is_whole = match self.stage {
            Stage::Magic => self.held.is_empty() && self.n_frames > 0,
            Stage::Done => true,
            _ => false,
        };
        if !is_whole {
            self.close(out);
            self.notice(WarningCode::TruncatedZstd);
        }
        self.stage = Stage::Done;
    }

    fn notices(&mut self) -> Vec<Notice> {
        std::mem::take(&mut self.notices)
    }

    fn is_done(&self) -> bool {
        self.stage == Stage::Done
    }
}

#[cfg(test)]
mod tests {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    fn zstd(text: &[u8]) -> Vec<u8> {
        compress_to_vec(text, CompressionLevel::Fastest)
    }

    fn unzstd(bytes: &[u8], chunk: usize) -> (Vec<u8>, Vec<&'static str>) {
        let mut decoder = Unzstd::new();
        let mut out = Vec::new();
        for chunk in bytes.chunks(chunk) {
            decoder.push(chunk, &mut out);
        }
        decoder.finish(&mut out);
        (out, decoder.notices().into_iter().map(|notice| notice.code.word()).collect())
    }

    fn text() -> Vec<u8> {
        (0..200_000_u32).flat_map(|it| (it % 70_001).to_le_bytes()).collect()
    }

    #[test]
    fn frames_skipped_ones_and_garbage() {
        let (one, two) = (zstd(b"one "), zstd(&text()));
        let skipped = [&b"\x5a\x2a\x4d\x18\x03\0\0\0"[..], b"abc"].concat();
        let expected = ([&b"one "[..], &text()].concat(), vec![]);
        for chunk in [1, 7, 65536] {
            assert_eq!(unzstd(&[&one[..], &two].concat(), chunk), expected);
            assert_eq!(unzstd(&[&skipped[..], &one, &skipped, &two].concat(), chunk), expected);
            assert_eq!(unzstd(&[&one[..], &two, b"garbage"].concat(), chunk), expected);
        }
    }

    #[test]
    fn faults_keep_what_there_is() {
        let (text, whole) = (text(), zstd(&text()));
        let (out, codes) = unzstd(&whole[..whole.len() / 2], 1000);
        assert_eq!(codes, ["truncated-zstd"]);
        assert!(out.len() > 100_000 && text.starts_with(&out), "{}", out.len());
        // A raw block of 4 bytes with a checksum.
        let frame = b"\x28\xb5\x2f\xfd\x24\x04\x21\0\0text\x7f\x31\x7d\x5f";
        let (out, codes) = unzstd(frame, 3);
        assert_eq!((out.as_slice(), codes.as_slice()), (&b"text"[..], &["zstd-crc"][..]));
        assert_eq!(unzstd(b"\x28\xb5\x2f\xfd\0\x58\x07\0\0", 2).1, ["corrupt-zstd"]);
        assert_eq!(unzstd(b"no zstd at all", 5).1, ["corrupt-zstd"]);
        assert_eq!(unzstd(b"\x28\xb5", 5), (vec![], vec!["truncated-zstd"]));
        // A window of 2 GiB.
        assert_eq!(unzstd(b"\x28\xb5\x2f\xfd\0\xa8\x01\0\0", 5).1, ["zstd-window"]);
    }

    #[test]
    fn a_bomb_is_stopped_block_by_block() {
        // Blocks of 128 KiB of one byte each.
        let mut bomb = b"\x28\xb5\x2f\xfd\0\x58".to_vec();
        (0..100_000).for_each(|_| bomb.extend(b"\x02\0\x10x"));
        let mut decoder = Unzstd::new();
        let mut n_bytes = 0;
        for chunk in bomb.chunks(64) {
            let mut out = Vec::new();
            decoder.push(chunk, &mut out);
            n_bytes += out.len();
        }
        assert_eq!(decoder.notices()[0].code, WarningCode::Bomb);
        assert!(decoder.is_done() && n_bytes < 80 << 20, "{n_bytes}");
    }
}
