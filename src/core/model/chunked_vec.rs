//! A list in chunks, which grows without moving its entries.
//!
//! A full `Vec` moves to an allocation twice as large, and wasm memory never shrinks, so a million events would take
//! three times the memory that they need.

/// Entries per chunk.
const CHUNK_LEN: usize = 1 << 13;

/// A list that only grows, in chunks.
#[derive(Debug, Clone)]
pub struct ChunkedVec<T> {
    /// All chunks but the last are full.
    chunks: Vec<Vec<T>>,
}

impl<T> Default for ChunkedVec<T> {
    fn default() -> Self {
        Self { chunks: Vec::new() }
    }
}

impl<T> ChunkedVec<T> {
    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.chunks.last().map_or(0, |last| (self.chunks.len() - 1) * CHUNK_LEN + last.len())
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// An entry.
    #[inline]
    #[must_use]
    pub fn get(&self, at: usize) -> Option<&T> {
        self.chunks.get(at / CHUNK_LEN)?.get(at % CHUNK_LEN)
    }

    /// An entry, mutable.
    #[inline]
    pub fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        self.chunks.get_mut(at / CHUNK_LEN)?.get_mut(at % CHUNK_LEN)
    }

    /// Appends an entry.
    pub fn push(&mut self, entry: T) {
        match self.chunks.last_mut() {
            Some(last) if last.len() < CHUNK_LEN => last.push(entry),
            None => self.chunks.push(vec![entry]),
            Some(_) => {
                let mut chunk = Vec::with_capacity(CHUNK_LEN);
                chunk.push(entry);
                self.chunks.push(chunk);
            }
        }
    }

    /// Removes all entries. The first chunk keeps its memory.
    pub fn clear(&mut self) {
        self.chunks.truncate(1);
        self.chunks.iter_mut().for_each(Vec::clear);
    }

    /// The entries in order.
    pub fn iter(&self) -> Iter<'_, T> {
        self.chunks.iter().flatten()
    }

    /// The entries before an index, from the last to the first.
    pub fn iter_back_from(&self, end: usize) -> impl Iterator<Item = (usize, &T)> {
        (0..end.min(self.len())).rev().filter_map(|at| Some((at, self.get(at)?)))
    }
}

/// The entries of a [`ChunkedVec`] in order.
pub type Iter<'a, T> = std::iter::Flatten<std::slice::Iter<'a, Vec<T>>>;

impl<'a, T> IntoIterator for &'a ChunkedVec<T> {
    type Item = &'a T;
    type IntoIter = Iter<'a, T>;

    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_across_chunks() {
        let mut table = ChunkedVec::default();
        assert!(table.is_empty() && table.get(0).is_none());
        let n = 2 * CHUNK_LEN + 3;
        for at in 0..n {
            assert_eq!(table.len(), at);
            table.push(at);
        }
        assert!(table.iter().copied().eq(0..n));
        assert!(table.iter_back_from(n + 5).map(|(at, _)| at).eq((0..n).rev()));
        for at in [0, CHUNK_LEN - 1, CHUNK_LEN, 2 * CHUNK_LEN, n - 1] {
            assert_eq!(table.get(at), Some(&at));
        }
        assert_eq!(table.get(n), None);
        *table.get_mut(CHUNK_LEN).unwrap() = 7;
        assert_eq!(table.get(CHUNK_LEN), Some(&7));
        table.clear();
        assert!(table.is_empty() && table.iter().next().is_none());
        table.push(1);
        assert_eq!((table.len(), table.get(0)), (1, Some(&1)));
    }
}
