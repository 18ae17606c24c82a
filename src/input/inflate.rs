//! Inflating, with limits.

use flate2::{Decompress, FlushDecompress, Status};

use super::Crc32;

/// The maximum unpacked size of a source.
const MAX_OUTPUT_BYTES: u64 = 4 << 30;

/// The ratio is checked only above this size, because smaller output is harmless.
const MIN_BOMB_BYTES: u64 = 64 << 20;

/// The highest ratio allowed. Real logs reach 200; deflate cannot exceed 1,032.
const MAX_RATIO: u64 = 1000;

/// How much memory for output is reserved per step.
const STEP_BYTES: usize = 64 * 1024;

/// Counts input and output over all members of a source.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Volume {
    pub input_bytes: u64,
    pub output_bytes: u64,
}

impl Volume {
    /// Whether this is a decompression bomb.
    pub fn is_bomb(&self) -> bool {
        self.output_bytes > MAX_OUTPUT_BYTES
            || (self.output_bytes > MIN_BOMB_BYTES
                && self.output_bytes / self.input_bytes.max(1) > MAX_RATIO)
    }
}

/// The state after a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// All input has been used; more is needed.
    Hungry,
    /// The output is full: call again.
    Full,
    /// The stream has ended.
    End,
    /// The stream is broken.
    Corrupt,
}

/// A raw deflate stream.
pub(super) struct Inflater {
    inner: Decompress,
    crc: Crc32,
}

impl Inflater {
    pub fn new() -> Self {
        Self { inner: Decompress::new(false), crc: Crc32::default() }
    }

    /// Inflates at most one step; returns how many bytes it used.
    pub fn step(&mut self, bytes: &[u8], out: &mut Vec<u8>, volume: &mut Volume) -> (usize, State) {
        let before = (self.inner.total_in(), out.len());
        out.reserve(STEP_BYTES);
        let result = self.inner.decompress_vec(bytes, out, FlushDecompress::None);
        let used = self.inner.total_in() - before.0;
        let written = out.get(before.1..).unwrap_or_default();
        self.crc.update(written);
        volume.input_bytes += used;
        volume.output_bytes += written.len() as u64;
        let used = usize::try_from(used).unwrap_or(bytes.len());
        let state = match result {
            Ok(Status::StreamEnd) => State::End,
            Err(_) => State::Corrupt,
            Ok(_) if used == 0 && written.is_empty() => {
                if bytes.is_empty() {
                    State::Hungry
                } else {
                    State::Corrupt
                }
            }
            Ok(_) if used < bytes.len() || out.len() == out.capacity() => State::Full,
            Ok(_) => State::Hungry,
        };
        (used, state)
    }

    /// The checksum and length (modulo 2^32) of the output.
    pub fn check(&self) -> (u32, u32) {
        (self.crc.sum(), self.crc.len_bytes())
    }
}
