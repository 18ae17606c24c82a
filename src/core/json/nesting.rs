//! Which brackets are open.

/// A stack of the open brackets, with one bit for each that is set for an object's. Thus a gigabyte of `[` does no
/// harm, and up to 64 levels need no heap.
#[derive(Clone, Default, Debug)]
pub(super) struct Nesting {
    /// The innermost levels, which are not in `outer`. The lowest bit is the innermost level.
    word: u64,
    /// The other levels, 64 per word.
    outer: Vec<u64>,
    depth: u32,
}

impl Nesting {
    /// How many brackets are open.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    #[inline]
    pub fn push(&mut self, is_object: bool) {
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.outer.push(self.word);
        }
        self.word = (self.word << 1) | u64::from(is_object);
        self.depth = self.depth.saturating_add(1);
    }

    #[inline]
    pub fn pop(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.word >>= 1;
        if self.depth > 0 && self.depth.is_multiple_of(64) {
            self.word = self.outer.pop().unwrap_or_default();
        }
    }

    /// Whether the innermost bracket is an object's. `None` if none is open.
    #[inline]
    pub fn top(&self) -> Option<bool> {
        (self.depth > 0).then_some(self.word & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_kept() {
        let is_object = |level: u32| level.is_multiple_of(3) || level % 7 == 2;
        for levels in [1_u32, 63, 64, 65, 128, 129, 1000] {
            let mut nesting = Nesting::default();
            nesting.pop();
            assert_eq!(nesting.top(), None);
            (0..levels).for_each(|level| nesting.push(is_object(level)));
            for level in (0..levels).rev() {
                assert_eq!((nesting.depth(), nesting.top()), (level + 1, Some(is_object(level))));
                nesting.pop();
                // From one word to the next and back.
                nesting.push(!is_object(level));
                assert_eq!(nesting.top(), Some(!is_object(level)));
                nesting.pop();
            }
            assert_eq!((nesting.depth(), nesting.top()), (0, None));
        }
    }
}
