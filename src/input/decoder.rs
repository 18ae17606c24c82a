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
    /// The same with the lines and in words, where a decoder knows these.
    fn remarks(&mut self) -> Vec<Remark> {
        self.notices().into_iter().map(Remark::from).collect()
    }
    /// Whether the rest of the source would give nothing: it can be left unread.
    fn is_done(&self) -> bool {
        false
    }
}

/// A notice with what more there is to say of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remark {
    /// The notice.
    pub notice: Notice,
    /// The line of the *encoded* source, counted from 1; 0 where it has none.
    pub line: u32,
    /// What was found, in few words, or nothing.
    pub detail: String,
}

impl From<Notice> for Remark {
    fn from(notice: Notice) -> Self {
        Self { notice, line: 0, detail: String::new() }
    }
}
