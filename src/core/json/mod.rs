//! JSON as it is found in traces: validation, repairs that keep every byte in its place, cursors, and fingerprints.
//! Depends on nothing else in this crate except sorting and the codes of notices, and never recurses over the data.
//!
//! | To | Use |
//! | --- | --- |
//! | validate a record | [`Inspector`], [`is_strict`] |
//! | repair a record, or close a document that was cut off | [`repair()`], [`complete()`] |
//! | read its values | [`Json`] |
//! | compare values | [`fingerprint()`], [`shape()`] |
//! | go through any bytes, even broken ones | [`Tokens`], [`Structure`] |
//! | decode base64 in strings | [`base64`] |
//! | show values of any size, or write them as text | [`Shortener`], [`text`] |
//!
//! All of them read bytes with `lexer`; only the validating walk (`strict`) has a faster scanner of its own (`marks`).
//! `decode` is the only decoder of JSON escapes; `inspected` in `src/converters` reads JavaScript escapes.
//!
//! **Invariant.** Any bytes are valid input: every function terminates, in time linear in the input and with at most
//! linear memory.

pub mod base64;
mod complete;
mod cursor;
mod decode;
mod fingerprint;
mod hash;
mod inside;
mod label;
mod lexer;
mod marks;
mod nesting;
mod path;
mod python;
mod repair;
mod shape;
mod shorten;
mod strict;
mod strict_notices;
mod tape;
pub mod text;
mod tokens;
mod wanted;

pub use complete::complete;
pub use cursor::{Json, Kind};
pub use decode::{
    decode_escape, decode_inner, decode_start, decode_string, decode_string_bytes, escaped_range,
    unfinished,
};
pub use fingerprint::{ArgumentHashes, ArgumentRole, RoleOfKey, fingerprint};
pub use inside::{Items, Members};
pub use lexer::{Structure, trim};
pub use path::{Step, path_to, value_at, write_path};
pub use python::python_repr_to_json;
pub use repair::{Repaired, reason, repair};
pub use shape::shape;
pub use shorten::{Gap, GapKind, Gaps, Keep, Short, Shortener};
pub use strict::is_strict;
pub use strict_notices::{Inspected, Inspector, MAX_DEPTH, has_lone_surrogate, inspect};
pub use text::quoted;
pub use tokens::{Token, TokenKind, Tokens};
pub use wanted::KeySet;

use crate::warning_code::WarningCode;

/// A repair, or something else about the JSON that the user should know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Notice {
    /// A stable code such as `trailing-comma`.
    pub code: WarningCode,
    /// Offset of the first byte that the notice is about.
    pub offset: u64,
}

impl Notice {
    /// A notice about the byte at an offset.
    #[must_use]
    pub fn new(code: WarningCode, offset: usize) -> Self {
        Self { code, offset: offset as u64 }
    }

    /// Adds a notice, unless there is already one with its code.
    pub(crate) fn add_once(notices: &mut Vec<Self>, code: WarningCode, offset: usize) {
        if notices.iter().all(|it| it.code != code) {
            notices.push(Self::new(code, offset));
        }
    }
}
