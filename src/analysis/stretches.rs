//! Repeated blocks in a sequence of keys.
//!
//! A stretch is a run of keys in which each key equals the one a period earlier, long enough for several repetitions of
//! the block. Runs are as long as possible, so all rotations of a cycle are one stretch, which starts with the rotation
//! that comes first.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::Range;

use super::keys::UNIQUE;

/// A stretch of steps in which a block is repeated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stretch {
    /// The first step.
    pub(super) start: usize,
    /// How many steps it covers, including an unfinished last repetition.
    pub(super) len: usize,
    /// How many steps the block has.
    pub(super) period: usize,
}

impl Stretch {
    /// How many times the whole block occurs.
    pub(super) fn repetitions(&self) -> usize {
        self.len / self.period.max(1)
    }

    /// All steps.
    pub(super) fn steps(&self) -> Range<usize> {
        self.start..self.start + self.len
    }

    /// The steps of all whole repetitions.
    pub(super) fn full(&self) -> Range<usize> {
        self.start..self.start + self.repetitions() * self.period
    }

    /// The steps of a repetition, counted from 0.
    pub(super) fn repetition(&self, nth: usize) -> Range<usize> {
        let start = self.start + nth * self.period;
        start..start + self.period
    }
}

/// The limits of the search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// The longest period.
    pub(super) max_period: usize,
    /// The minimum number of repetitions.
    pub(super) min_repetitions: usize,
}

/// The stretches of a sequence whose first block `wanted` accepts, in order and without overlaps. If candidates
/// overlap, the longest one keeps its steps; of equally long ones, the one with the smaller period. The other keeps its
/// remaining steps, if they are enough.
pub(super) fn stretches(
    keys: &[u64],
    segments: impl Iterator<Item = Range<usize>>,
    limits: Limits,
    wanted: impl Fn(Range<usize>) -> bool,
) -> Vec<Stretch> {
    let mut candidates = BinaryHeap::new();
    for segment in segments {
        let keys = keys.get(segment.clone()).unwrap_or_default();
        for period in 1..=limits.max_period.min(keys.len() / limits.min_repetitions.max(1)) {
            runs(keys, period, |start, len| {
                if len / period < limits.min_repetitions || !is_primitive(keys, start, period) {
                    return;
                }
                let start = segment.start + start;
                if wanted(start..start + period) {
                    candidates.push((len, Reverse(period), Reverse(start)));
                }
            });
        }
    }
    choose(candidates, limits)
}

/// How many keys are compared at once, without a branch for each, because most are in no run.
const KEYS_AT_ONCE: usize = 32;

/// Calls `found` with the start and length of each maximal run with this period.
fn runs(keys: &[u64], period: usize, mut found: impl FnMut(usize, usize)) {
    let is_repeated = |(before, key): (&u64, &u64)| (before == key) & (*key != UNIQUE);
    let mut run = 0;
    let all_later = keys.get(period..).unwrap_or_default();
    let chunks = keys.chunks(KEYS_AT_ONCE).zip(all_later.chunks(KEYS_AT_ONCE));
    for (chunk, (keys, later)) in chunks.enumerate() {
        let pairs = keys.iter().zip(later);
        if run == 0 && !pairs.clone().fold(false, |any, pair| any | is_repeated(pair)) {
            continue;
        }
        for (at, pair) in (chunk * KEYS_AT_ONCE..).zip(pairs) {
            if is_repeated(pair) {
                run += 1;
            } else if run > 0 {
                found(at - run, run + period);
                run = 0;
            }
        }
    }
    if run > 0 {
        found(all_later.len() - run, run + period);
    }
}

/// Whether a block is not a repetition of a smaller block: `ABAB` is found as `AB`.
fn is_primitive(keys: &[u64], start: usize, period: usize) -> bool {
    let block = keys.get(start..start + period).unwrap_or_default();
    (1..=period / 2).filter(|smaller| period.is_multiple_of(*smaller)).all(|smaller| {
        let shifted = block.get(smaller..).unwrap_or_default();
        block.iter().zip(shifted).any(|(a, b)| a != b)
    })
}

type Candidates = BinaryHeap<(usize, Reverse<usize>, Reverse<usize>)>;

fn choose(mut candidates: Candidates, limits: Limits) -> Vec<Stretch> {
    let mut chosen: BTreeMap<usize, Stretch> = BTreeMap::new();
    while let Some((len, Reverse(period), Reverse(start))) = candidates.pop() {
        // An unfinished repetition at the end may be the beginning of the next stretch.
        let end = start + len / period * period;
        let mut free_from = start;
        let mut is_free = true;
        let mut keep = |range: Range<usize>| {
            if range.len() / period >= limits.min_repetitions {
                candidates.push((range.len(), Reverse(period), Reverse(range.start)));
            }
        };
        let before = chosen.range(..start).next_back().map(|(_, it)| *it);
        let inside = chosen.range(start..end).map(|(_, it)| *it);
        for taken in before.into_iter().chain(inside) {
            if taken.full().end > start {
                is_free = false;
                keep(free_from..taken.start.max(free_from));
                free_from = taken.full().end;
            }
        }
        if is_free {
            chosen.insert(start, Stretch { start, len, period });
        } else {
            keep(free_from..(start + len).max(free_from));
        }
    }
    let mut chosen: Vec<Stretch> = chosen.into_values().collect();
    let starts: Vec<usize> = chosen.iter().skip(1).map(|it| it.start).collect();
    for (it, next) in chosen.iter_mut().zip(starts) {
        it.len = it.len.min(next - it.start);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(text: &str) -> Vec<(usize, usize, usize)> {
        let keys: Vec<u64> = text.bytes().map(|it| u64::from(it) - 45).collect();
        let limits = Limits { max_period: 4, min_repetitions: 3 };
        let whole = std::iter::once(0..keys.len());
        stretches(&keys, whole, limits, |_| true)
            .iter()
            .map(|it| (it.start, it.len, it.period))
            .collect()
    }

    #[test]
    fn blocks_are_found_with_their_smallest_period() {
        assert_eq!(find("AA"), []);
        assert_eq!(find("xAAAy"), [(1, 3, 1)]);
        assert_eq!(find("ABABAB"), [(0, 6, 2)]);
        assert_eq!(find("AABAABAAB"), [(0, 9, 3)]);
        assert_eq!(find("xABCABCABCAB"), [(1, 11, 3)]);
        assert_eq!(find("ABCDABCDABCD"), [(0, 12, 4)]);
        assert_eq!(find("ABCDEABCDEABCDE"), []);
        assert_eq!(find("ABABABABABAB"), [(0, 12, 2)]);
    }

    #[test]
    fn overlapping_stretches_share_out_the_steps() {
        // The fourth A belongs to the longer stretch; three are left.
        assert_eq!(find("AAAABABABABAB"), [(0, 3, 1), (3, 10, 2)]);
        // Two would be left, which are not enough.
        assert_eq!(find("AAABABABABAB"), [(2, 10, 2)]);
        // What is no whole repetition may belong to the next stretch.
        assert_eq!(find("xaxaxaxaxbxbxbxcxcxcx"), [(0, 8, 2), (8, 6, 2), (14, 7, 2)]);
    }

    #[test]
    fn runs_begin_and_end_anywhere() {
        for start in [0, 1, 30, 31, 32, 33, 64, 95] {
            for len in [2, 3, 31, 32, 33, 64, 65] {
                for period in [1, 2, 31, 32, 33] {
                    let mut keys: Vec<u64> = (1_000..1_000 + start as u64).collect();
                    keys.extend((0..period + len).map(|at| 1 + (at % period) as u64));
                    for after in [0, 1, 40] {
                        let keys =
                            [&keys[..], &(5_000..5_000 + after).collect::<Vec<_>>()].concat();
                        let mut found = Vec::new();
                        runs(&keys, period, |start, len| found.push((start, len)));
                        assert_eq!(found, [(start, len + period)], "{period}");
                    }
                }
            }
        }
    }

    #[test]
    fn unique_keys_equal_nothing() {
        // '-' becomes the key 0.
        assert_eq!(find("-----"), []);
        assert_eq!(find("A-A-A-"), []);
    }
}
