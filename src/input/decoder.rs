//! What all decoders have in common.

use super::Notice;

/// Turns bytes into other bytes, as they come.
pub trait Decoder {
    /// Decodes the next bytes and appends what they give to `out`. A packed byte can give a thousand
    /// others, so push some 64 kB at a time.
    fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>);
    /// The source has ended.
    fn finish(&mut self, out: &mut Vec<u8>);
    /// What was wrong, with offsets into the *decoded* bytes; each notice is given once.
    fn notices(&mut self) -> Vec<Notice>;
    /// Whether the rest of the source would give nothing: it can be left unread.
    fn is_done(&self) -> bool {
        false
    }
}
