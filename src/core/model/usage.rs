//! Token usage of one LLM call.

use serde::{Deserialize, Serialize};

/// Tokens as reported by the producer. `None` means "not reported", never zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Input tokens. If the producer reports cached tokens separately (Anthropic), they are not included; otherwise
    /// (OpenAI) they are.
    pub input: Option<u64>,
    /// Output tokens.
    pub output: Option<u64>,
    /// Input tokens read from a cache.
    pub cache_read: Option<u64>,
    /// Input tokens written to a cache.
    pub cache_write: Option<u64>,
    /// Tokens of hidden reasoning, if reported.
    pub reasoning: Option<u64>,
    /// The producer replaced at least one count with a redaction marker.
    pub redacted: bool,
    /// `output` was counted before the response was complete, so it is a lower bound.
    pub unfinished: bool,
}

impl Usage {
    /// Whether nothing at all was reported.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// All tokens sent to the model, including cached ones, if any count is known.
    #[must_use]
    #[inline(never)]
    pub fn total_input(&self) -> Option<u64> {
        let known = [self.input, self.cache_read, self.cache_write];
        known.iter().flatten().copied().reduce(u64::saturating_add)
    }

    /// Output tokens, unless they were counted before the response was complete.
    #[must_use]
    pub fn final_output(&self) -> Option<u64> {
        self.output.filter(|_| !self.unfinished)
    }

    /// The counts; where they are unknown, those of another usage.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            input: self.input.or(other.input),
            output: self.output.or(other.output),
            cache_read: self.cache_read.or(other.cache_read),
            cache_write: self.cache_write.or(other.cache_write),
            reasoning: self.reasoning.or(other.reasoning),
            ..self
        }
    }

    /// The larger value of each field, for merging copies of one call's usage. The output is unfinished only if no copy
    /// has the final count.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        let has_final = self.final_output().or(other.final_output()).is_some();
        Self {
            input: self.input.max(other.input),
            output: self.output.max(other.output),
            cache_read: self.cache_read.max(other.cache_read),
            cache_write: self.cache_write.max(other.cache_write),
            reasoning: self.reasoning.max(other.reasoning),
            redacted: self.redacted || other.redacted,
            unfinished: !has_final && (self.unfinished || other.unfinished),
        }
    }

    /// Adds another call's usage. A field stays unknown only if it is unknown in both. A sum with an
    /// unfinished part is unfinished.
    #[inline(never)]
    pub fn add(&mut self, other: &Self) {
        let add = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (Some(a), Some(b)) => Some(a.saturating_add(b)),
            (known, None) | (None, known) => known,
        };
        self.input = add(self.input, other.input);
        self.output = add(self.output, other.output);
        self.cache_read = add(self.cache_read, other.cache_read);
        self.cache_write = add(self.cache_write, other.cache_write);
        self.reasoning = add(self.reasoning, other.reasoning);
        self.redacted |= other.redacted;
        self.unfinished |= other.unfinished;
    }
}

/// Usage as stored per call: token counts rarely need more than four bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct SmallUsage {
    /// [`UNKNOWN`] if not reported.
    counts: [u32; 5],
    redacted: bool,
    unfinished: bool,
}

const UNKNOWN: u32 = u32::MAX;

impl SmallUsage {
    /// `None` if a count does not fit.
    pub(super) fn new(usage: &Usage) -> Option<Self> {
        let Usage { input, output, cache_read, cache_write, reasoning, redacted, unfinished } =
            *usage;
        let mut counts = [UNKNOWN; 5];
        let given = [input, output, cache_read, cache_write, reasoning];
        for (small, count) in counts.iter_mut().zip(given) {
            if let Some(count) = count {
                *small = u32::try_from(count).ok().filter(|count| *count != UNKNOWN)?;
            }
        }
        Some(Self { counts, redacted, unfinished })
    }

    pub(super) fn usage(self) -> Usage {
        let known = |count: u32| (count != UNKNOWN).then_some(u64::from(count));
        let [input, output, cache_read, cache_write, reasoning] = self.counts.map(known);
        let Self { redacted, unfinished, .. } = self;
        Usage { input, output, cache_read, cache_write, reasoning, redacted, unfinished }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_kept_small_where_they_fit() {
        let usage = Usage {
            input: Some(0),
            output: Some(u64::from(u32::MAX) - 1),
            reasoning: Some(7),
            redacted: true,
            unfinished: true,
            ..Usage::default()
        };
        assert_eq!(SmallUsage::new(&usage).unwrap().usage(), usage);
        assert_eq!(SmallUsage::new(&Usage::default()).unwrap().usage(), Usage::default());
        for count in [u64::from(u32::MAX), 1 << 40] {
            assert!(SmallUsage::new(&Usage { input: Some(count), ..usage }).is_none());
        }
    }

    #[test]
    fn a_final_count_finishes_a_call_but_not_a_sum() {
        let streaming = Usage { output: Some(3), unfinished: true, ..Usage::default() };
        let whole = Usage { output: Some(40), ..Usage::default() };
        assert_eq!((streaming.final_output(), whole.final_output()), (None, Some(40)));
        assert_eq!(streaming.max(whole), whole);
        assert_eq!(whole.max(streaming), whole);
        assert_eq!(Usage::default().max(streaming), streaming);
        assert_eq!(streaming.max(Usage::default()), streaming);
        let mut sum = whole;
        sum.add(&streaming);
        assert_eq!((sum.output, sum.unfinished), (Some(43), true));
    }
}
