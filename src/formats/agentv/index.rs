//! What is found by a key, in tables that are all compiled once.

/// What is found by a key: pairs in order.
pub(super) struct Index(pub Vec<(u64, usize)>);

impl Index {
    pub fn new(mut pairs: Vec<(u64, usize)>) -> Self {
        crate::order::sort(&mut pairs);
        pairs.dedup();
        Self(pairs)
    }

    /// What has a key.
    pub fn at(&self, key: u64) -> &[(u64, usize)] {
        let from = self.0.partition_point(|it| it.0 < key);
        let until = self.0.partition_point(|it| it.0 <= key);
        self.0.get(from..until).unwrap_or_default()
    }

    /// What has the same key, for each key.
    pub fn groups(&self) -> impl Iterator<Item = &[(u64, usize)]> {
        self.0.chunk_by(|one, other| one.0 == other.0)
    }
}
