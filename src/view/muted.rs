//! Findings that the user has muted.

use std::collections::HashSet;
use std::sync::Arc;

use crate::findings_by_row::Loops;
use crate::outline::Outline;
use traceloupe_core::model::hash_of;
use traceloupe_protocol::outline::FindingLine;

/// Identifies a finding while more of the trace is read: its rule, its run, and its first event. Rows move, and
/// findings are computed anew.
#[must_use]
pub fn key(outline: &Outline, finding: &FindingLine) -> u64 {
    hash_of((finding.rule.id(), finding.run, outline.rows.ids.get(finding.first)))
}

/// Mutes the findings with these keys, and only those.
pub fn apply(outline: &mut Outline, keys: &HashSet<u64>) {
    let is_muted: Vec<bool> =
        outline.findings.iter().map(|finding| keys.contains(&key(outline, finding))).collect();
    let mut has_changed = false;
    for (finding, is_muted) in outline.findings.iter_mut().zip(is_muted) {
        has_changed |= finding.is_muted != is_muted;
        finding.is_muted = is_muted;
    }
    if has_changed {
        outline.loops = Arc::new(Loops::new(&outline.findings, &outline.rows));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row_columns::Rows;
    use traceloupe_protocol::finding::{Rule, Severity};
    use traceloupe_protocol::outline::OutlineHead;

    fn outline(ids: &[u32]) -> Outline {
        let mut rows = Rows::default();
        for id in ids {
            rows.sent.ids.push(*id);
            rows.nested.push(0);
        }
        let finding = |first: u32| FindingLine {
            rule: Rule::Repeat,
            severity: Severity::Warning,
            first,
            mark: first,
            rows: [first, first + 1].into_iter().collect(),
            folded: [first + 1].into_iter().collect(),
            ..FindingLine::default()
        };
        let findings = vec![finding(0), finding(2)];
        let loops = Arc::new(Loops::new(&findings, &rows));
        let head = OutlineHead { findings, ..OutlineHead::default() };
        Outline { rows: Arc::new(rows), loops, ..Outline::from(head) }
    }

    #[test]
    fn a_finding_is_muted_and_taken_back() {
        let mut outline = outline(&[5, 6, 7, 8]);
        let keys = HashSet::from([key(&outline, &outline.findings[1])]);
        apply(&mut outline, &keys);
        assert_eq!(
            outline.findings.iter().map(FindingLine::is_loud).collect::<Vec<_>>(),
            [true, false]
        );
        assert!(outline.loops.has(0) && !outline.loops.has(2));
        apply(&mut outline, &HashSet::new());
        assert!(outline.findings[1].is_loud() && outline.loops.has(2));
    }

    #[test]
    fn it_is_known_again_when_rows_have_moved() {
        let before = outline(&[5, 6, 7, 8]);
        let keys = HashSet::from([key(&before, &before.findings[0])]);
        // A different event is now in the first row.
        let mut after = outline(&[4, 5, 6, 7, 8]);
        after.findings[0].first = 1;
        apply(&mut after, &keys);
        assert!(after.findings[0].is_muted && !after.findings[1].is_muted);
    }
}
