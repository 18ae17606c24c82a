//! JSON as it is really found: a tolerant tokenizer, repairs that keep every byte in its place, and
//! fingerprints. Knows nobody; nothing in here recurses over the data.
//!
//! **Invariant.** Any bytes are fine input: everything ends, in time linear in the input, with a
//! heap that is linear in it at most.

mod complete;
mod decode;
mod fingerprint;
mod hash;
mod inspect;
mod lexer;
mod marks;
mod members;
mod nesting;
mod path;
mod python;
mod quote;
mod repair;
mod shape;
mod shorten;
mod strict;
mod tape;
pub mod text;
mod tokens;

pub use complete::complete;
pub use decode::{decode_inner, decode_string, decode_string_bytes, number, unfinished};
pub use fingerprint::fingerprint;
pub use inspect::{Inspector, LONE_SURROGATE, MAX_DEPTH, has_lone_surrogate, inspect};
pub use lexer::{Structure, trim};
pub use members::{each_item, each_member, first_items};
pub use path::{Step, path_to, value_at, write_path};
pub use python::python_repr_to_json;
pub use quote::quoted;
pub use repair::{Repaired, reason, repair};
pub use shape::shape;
pub use shorten::{Gap, GapKind, Gaps, Keep, Short, Shortener};
pub use strict::is_strict;
pub use tokens::{Token, TokenKind, Tokens};

/// Something that was put right, or that a reader should know of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Notice {
    /// A stable code such as `trailing-comma`.
    pub code: &'static str,
    /// Offset of the first byte to blame, in the bytes that were looked at.
    pub offset: u64,
}

impl Notice {
    /// A notice about the byte at an offset.
    #[must_use]
    pub fn new(code: &'static str, offset: usize) -> Self {
        Self { code, offset: offset as u64 }
    }

    /// Adds a notice, unless there is one of its code already.
    pub(crate) fn add_once(notices: &mut Vec<Self>, code: &'static str, offset: usize) {
        if notices.iter().all(|it| it.code != code) {
            notices.push(Self::new(code, offset));
        }
    }
}
