//! Anchors: values that other records refer to by name, such as long texts that a producer writes once.

use rustc_hash::FxHashMap;

use super::{NameId, Span};

/// The place of a value that records refer to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Anchor {
    /// The JSON value.
    pub span: Span,
    /// The media type if the value is a string that contains an image.
    pub media: NameId,
}

/// The anchors of a trace, by hashed name ([`key_hash`](super::key_hash)).
#[derive(Debug, Default)]
pub(super) struct Anchors(FxHashMap<u64, Anchor>);

impl Anchors {
    /// Adds an anchor. If a name is added twice, its first anchor is kept.
    pub fn add(&mut self, key: u64, anchor: Anchor) {
        self.0.entry(key).or_insert(anchor);
    }

    /// The anchor with a name.
    pub fn get(&self, key: u64) -> Option<Anchor> {
        self.0.get(&key).copied()
    }
}
