//! All findings of a run as one list: possible loops, then the longest call, findings that the producer reported,
//! errors, compactions, edits that were reverted, repetitions that may be intended, and muted findings.

use std::collections::HashSet;
use std::sync::Arc;

use crate::evidence::{alike, rows_of};
use crate::muted;
use crate::outline::Outline;
use traceloupe_protocol::causes::Causes;
use traceloupe_protocol::finding::{Family, Severity};
use traceloupe_protocol::outline::FindingLine;

/// The parts of the list, in display order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Part {
    /// Possible loops.
    Loops,
    /// The call that took most of the time.
    Longest,
    /// Findings that the producer of the trace reported itself.
    Reported,
    /// Errors.
    Errors,
    /// Compactions of the context.
    Compactions,
    /// Files with edits that were reverted.
    RevertedEdits,
    /// Repetitions that may be intended.
    Quiet,
}

impl Part {
    /// The part that a finding belongs to, unless it is muted.
    #[must_use]
    pub fn of(line: &FindingLine) -> Self {
        match line.rule.family() {
            Family::InRow | Family::Apart | Family::Reported if !line.may_be_loud() => Self::Quiet,
            Family::InRow | Family::Apart => Self::Loops,
            Family::Reported => Self::Reported,
            Family::Failures => Self::Errors,
            Family::Context => Self::Compactions,
            Family::Edits => Self::RevertedEdits,
            Family::Time => Self::Longest,
        }
    }
}

/// An entry of the list: a group of similar findings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Identifies the entry, even after other entries have been added or removed ([`muted::key`]).
    pub key: u64,
    /// The part of the list that it belongs to while it is not muted.
    pub part: Part,
    /// Whether the user has muted it: then it is at the end of the list.
    pub is_muted: bool,
    /// Its findings, as indices into the list. Selecting the entry goes to the first one.
    pub findings: Vec<u32>,
}

/// The findings of a run.
#[derive(Debug, Default)]
pub struct FindingList {
    outline: Arc<Outline>,
    own: Vec<FindingLine>,
    entries: Vec<Entry>,
}

impl FindingList {
    /// The findings of a run: those of the outline, and those that the page derived from later responses (`own`).
    /// `muted` holds the keys of the findings that the user has muted.
    #[must_use]
    pub fn new(
        outline: Arc<Outline>,
        run: u32,
        mut own: Vec<FindingLine>,
        causes: &Causes,
        muted: &HashSet<u64>,
    ) -> Self {
        for line in &mut own {
            line.is_muted = muted.contains(&muted::key(&outline, line));
        }
        let mut list = Self { outline, own, entries: Vec::new() };
        list.entries = list.in_order(run, causes);
        list
    }

    fn in_order(&self, run: u32, causes: &Causes) -> Vec<Entry> {
        let all = (0..).zip(self.outline.findings.iter().chain(&self.own));
        let all = all.filter(|(_, line)| line.run == run);
        // What was fixed needs no work any more.
        let mut all: Vec<(bool, Part, bool, bool, u32)> = all
            .map(|(at, line)| {
                let is_worst = line.severity == Severity::Critical;
                (line.is_muted, Part::of(line), !is_worst, line.is_fixed(), at)
            })
            .collect();
        traceloupe_core::sorting::sort(&mut all);
        let mut entries = Vec::new();
        for of_part in all.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let Some((is_muted, part, ..)) = of_part.first().copied() else { continue };
            let lines = of_part.iter().filter_map(|it| Some((it.4, self.get(it.4)?)));
            let groups = alike(&self.outline, &lines.collect::<Vec<_>>(), causes);
            entries.extend(groups.into_iter().filter_map(|findings| {
                let key = muted::key(&self.outline, self.get(*findings.first()?)?);
                Some(Entry { key, part, is_muted, findings })
            }));
        }
        entries
    }

    /// The outline of the trace.
    #[must_use]
    pub fn outline(&self) -> &Outline {
        &self.outline
    }

    /// The entries, in the order of the list.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The entries of one part that are not muted.
    pub fn of(&self, part: Part) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |it| !it.is_muted && it.part == part)
    }

    /// The muted entries.
    pub fn muted(&self) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(|it| it.is_muted)
    }

    /// A finding by its index. The findings of the outline come first.
    #[must_use]
    pub fn get(&self, at: u32) -> Option<&FindingLine> {
        let (at, ours) = (at as usize, &self.outline.findings);
        ours.get(at).or_else(|| self.own.get(at.checked_sub(ours.len())?))
    }

    /// The findings of an entry.
    #[must_use]
    pub fn lines(&self, entry: &Entry) -> Vec<&FindingLine> {
        entry.findings.iter().filter_map(|at| self.get(*at)).collect()
    }

    /// The finding that selecting an entry goes to.
    #[must_use]
    pub fn first(&self, entry: &Entry) -> Option<&FindingLine> {
        self.get(*entry.findings.first()?)
    }

    /// The rows where an entry was found, in order: one per repetition.
    #[must_use]
    pub fn rows(&self, entry: &Entry) -> Vec<u32> {
        let lines = self.lines(entry).into_iter();
        let mut rows: Vec<u32> = lines.flat_map(rows_of).collect();
        traceloupe_core::sorting::sort(&mut rows);
        rows.dedup();
        rows
    }

    /// Possible loops and findings reported by the producer, most severe first.
    #[must_use]
    pub fn loud(&self) -> Vec<&Entry> {
        let mut loud: Vec<&Entry> = self.of(Part::Loops).chain(self.of(Part::Reported)).collect();
        traceloupe_core::sorting::sort_by_key(&mut loud, |entry| {
            let is_worst = self.first(entry).is_some_and(|it| it.severity == Severity::Critical);
            (!is_worst, entry.findings.first().copied())
        });
        loud
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{finding, with_findings};
    use traceloupe_protocol::finding::{Evidence, Rule};

    fn line(rule: Rule, severity: Severity, row: u32) -> FindingLine {
        let rows = [row].into_iter().collect();
        FindingLine { rule, severity, first: row, mark: row, last: row, rows, ..finding(&[]) }
    }

    fn parts(list: &FindingList) -> Vec<(Part, Vec<u32>)> {
        list.entries().iter().map(|it| (it.part, it.findings.clone())).collect()
    }

    #[test]
    fn the_worst_loops_come_first_and_what_may_be_fine_last() {
        let found = [
            line(Rule::SameCalls, Severity::Info, 0),
            line(Rule::Repeat, Severity::Warning, 1),
            line(Rule::Reported, Severity::Warning, 2),
            line(Rule::SameError, Severity::Critical, 3),
        ];
        let outline = Arc::new(with_findings(&[0; 6], &found));
        let own = |row| line(Rule::Errors, Severity::Warning, row);
        let path = "a.rs".to_owned();
        let edits = FindingLine {
            evidence: Evidence::Edits { path },
            ..line(Rule::RevertedEdits, Severity::Info, 4)
        };
        let own = vec![edits, own(4), own(5), line(Rule::LongestCall, Severity::Info, 5)];
        let of = |muted: &HashSet<u64>| {
            FindingList::new(outline.clone(), 0, own.clone(), &Causes::default(), muted)
        };
        let list = of(&HashSet::new());
        let expected = [
            (Part::Loops, vec![3]),
            (Part::Loops, vec![1]),
            (Part::Longest, vec![7]),
            (Part::Reported, vec![2]),
            (Part::Errors, vec![5]),
            (Part::Errors, vec![6]),
            (Part::RevertedEdits, vec![4]),
            (Part::Quiet, vec![0]),
        ];
        assert_eq!(parts(&list), expected);
        let loud: Vec<_> = list.loud().iter().map(|it| it.findings[0]).collect();
        assert_eq!(loud, [3, 1, 2]);
        assert_eq!(list.get(7).map(|it| it.rule), Some(Rule::LongestCall));
        assert_eq!(list.get(8), None);
        let muted = HashSet::from([muted::key(&outline, &own[1])]);
        let with_muted = parts(&of(&muted));
        assert_eq!(with_muted.last(), Some(&(Part::Errors, vec![5])), "any of them can be muted");
        assert_eq!(with_muted.len(), expected.len());
        assert_eq!(of(&muted).muted().map(|it| &it.findings[..]).collect::<Vec<_>>(), [[5]]);
        assert_eq!(of(&muted).of(Part::Errors).count(), 1, "the other error is where it was");
        let other = FindingList::new(outline.clone(), 1, vec![], &Causes::default(), &muted);
        assert_eq!(other.entries(), []);
    }
}
