//! Reads many small parts of files with few read operations.

use super::store::Store;
use crate::answers::Answers;
use crate::render::values::ReadError;
use traceloupe_core::model::Span;

/// Spans with a smaller gap between them are read together, because reading the gap costs less than a second read.
const MAX_GAP_BYTES: u64 = 32 << 10;

/// Reads the span of each item, and calls `each` with its bytes, in span order. There are fewer bytes if the source has
/// become shorter.
pub(super) fn read_together<S: Store, T>(
    answers: &Answers<'_, S>,
    wanted: &mut [T],
    span_of: impl Fn(&T) -> Span,
    mut each: impl FnMut(&T, Result<&[u8], &ReadError>),
) {
    for (range, group) in grouped(wanted, &span_of) {
        let bytes = answers.read(range);
        for one in group {
            let span = span_of(one);
            each(
                one,
                bytes.as_deref().map(|bytes| {
                    let from = usize::try_from(span.start - range.start).unwrap_or(usize::MAX);
                    let own = bytes.get(from..).unwrap_or_default();
                    own.get(..span.len as usize).unwrap_or(own)
                }),
            );
        }
    }
}

/// Groups items with nearby spans, with the range that covers all spans of the group.
fn grouped<'a, T>(wanted: &'a mut [T], span_of: &impl Fn(&T) -> Span) -> Vec<(Span, &'a [T])> {
    traceloupe_core::sorting::sort_by_key(wanted, |it| (span_of(it).source, span_of(it).start));
    let mut groups = Vec::new();
    let mut rest: &[T] = wanted;
    while let Some(first) = rest.first().map(span_of) {
        // A span may lie inside another one, so the last one to begin need not be the last one to end.
        let mut end = first.start;
        let near = rest.iter().take_while(|it| {
            let span = span_of(it);
            let is_near =
                span.source == first.source && span.start.saturating_sub(end) <= MAX_GAP_BYTES;
            end = if is_near { end.max(span.start + u64::from(span.len)) } else { end };
            is_near
        });
        let n = near.count();
        let Some((group, after)) = rest.split_at_checked(n.max(1)) else { break };
        let len = u32::try_from(end - first.start).unwrap_or(u32::MAX);
        groups.push((Span { len, ..first }, group));
        rest = after;
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use traceloupe_core::model::SourceId;

    fn wanted(at: usize, source: usize, start: u64, len: u32) -> (usize, Span) {
        (at, Span { source: SourceId::from_index(source), start, len })
    }

    #[test]
    fn a_group_is_read_to_the_furthest_end() {
        let far = 1_000 + MAX_GAP_BYTES;
        let mut all = [
            wanted(0, 0, far + 1_000, 50),
            wanted(1, 0, 100, 2_000),
            wanted(2, 0, 150, 20),
            wanted(3, 0, 2_100 + MAX_GAP_BYTES, 7),
            wanted(4, 1, 2_000, 7),
            wanted(5, 0, 9_999_999, 1),
        ];
        let groups: Vec<_> = grouped(&mut all, &|it| it.1)
            .into_iter()
            .map(|(range, group)| {
                let ids: Vec<usize> = group.iter().map(|it| it.0).collect();
                (range.source.index(), range.start, range.len, ids)
            })
            .collect();
        let gap = u32::try_from(MAX_GAP_BYTES).unwrap();
        assert_eq!(
            groups,
            [
                (0, 100, 2_000 + gap + 7, vec![1, 2, 0, 3]),
                (0, 9_999_999, 1, vec![5]),
                (1, 2_000, 7, vec![4]),
            ]
        );
    }
}
