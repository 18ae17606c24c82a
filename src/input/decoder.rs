//! The trait that all decoders implement.

use super::Notice;

/// Turns bytes into other bytes, chunk by chunk.
pub trait Decoder {
    /// Decodes the next bytes and appends the result to `out`. A packed byte can unpack to a thousand bytes, so push
    /// about 64 kB at a time.
    fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>);
    /// Ends the source.
    fn finish(&mut self, out: &mut Vec<u8>);
    /// The notices since the last call. Their offsets are in the *decoded* bytes.
    fn notices(&mut self) -> Vec<Notice>;
    /// The same notices, with lines and details if the decoder has them.
    fn remarks(&mut self) -> Vec<Remark> {
        self.notices().into_iter().map(Remark::from).collect()
    }
    /// Whether decoding has ended, so that the rest of the source need not be read.
    fn is_done(&self) -> bool {
        false
    }
}

/// A notice with its details.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// The notice.
    pub notice: Notice,
    /// The line in the *encoded* source, from 1; 0 if it has no lines.
    pub line: u32,
    /// A short description of the fault; may be empty.
    pub detail: String,
}

impl From<Notice> for Remark {
    fn from(notice: Notice) -> Self {
        Self { notice, line: 0, detail: String::new() }
    }
}
