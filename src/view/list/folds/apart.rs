//! Folds of possible loops whose repetitions have other calls between them, such as an edit before each new run of the
//! tests. Everything after the first repetition folds into one line, which also states what was done in between.

use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::findings_by_row::are_near;
use crate::look::looks_of;
use crate::outline::Outline;
use crate::row_columns::NO_ROW;
use traceloupe_core::model::EventKind;
use traceloupe_protocol::outline::FindingLine;
use traceloupe_words as words;

/// The fewest repetitions that fold when other calls are between them.
const FEWEST: usize = 3;

/// Fills in which rows each finding with other calls between its repetitions folds, and what those calls were. All
/// other findings arrive with their folded rows.
pub fn fold_apart(outline: &mut Outline) {
    // Each stretch is folded by at most one finding.
    let mut taken: Vec<Range<u32>> = Vec::new();
    for at in 0..outline.findings.len() {
        let Some(finding) = outline.findings.get(at).filter(|it| it.is_apart()) else { continue };
        let stretch = stretch_of(outline, finding);
        let overlaps = |it: &Range<u32>| {
            taken.iter().any(|other| it.start < other.end && other.start < it.end)
        };
        let Some(stretch) = stretch.filter(|it| !overlaps(it)) else { continue };
        let outermost = siblings(outline, &stretch).collect();
        let between = between(outline, finding, stretch.clone());
        taken.push(stretch);
        if let Some(finding) = outline.findings.get_mut(at) {
            (finding.folded, finding.between) = (outermost, between);
        }
    }
}

/// What tools did between the repetitions of a finding, in words: `4 edits between them`. Empty if they did nothing, or
/// if the repetitions are far apart.
#[must_use]
pub fn words_between(outline: &Outline, finding: &FindingLine) -> String {
    let stretch = finding.is_apart().then(|| stretch_of(outline, finding)).flatten();
    let between = stretch.map(|it| between(outline, finding, it)).unwrap_or_default();
    words::findings::done_between(&between)
}

/// What tools did in a stretch of rows besides the repetitions of a finding, in words: `4 edits`.
#[must_use]
pub fn done_between(outline: &Outline, finding: &FindingLine, stretch: Range<u32>) -> String {
    words::done(&between(outline, finding, stretch))
}

/// The rows from after the step with the first repetition to the end of the step with the last one. `None` if they
/// include anything that deserves its own line: a user message, another agent, or a failure that is not one of the
/// repetitions.
fn stretch_of(outline: &Outline, finding: &FindingLine) -> Option<Range<u32>> {
    let rows = &outline.rows;
    let found = finding.rows.as_slice();
    if found.len() < FEWEST || !finding.is_loud() || !are_near(found) {
        return None;
    }
    let (first, last) = (step(outline, *found.first()?), step(outline, *found.last()?));
    let around = rows.parents.get(first);
    let are_beside = found.iter().all(|row| rows.parents.get(step(outline, *row)) == around);
    let after = |row: u32| row + rows.nested.get(row) + 1;
    let stretch = after(first)..after(last);
    let known: FxHashSet<u32> = found.iter().copied().collect();
    let is_plain = |row: u32| {
        let kind = EventKind::from_code(rows.kinds.get(row));
        let may_fold = match kind {
            EventKind::LlmCall | EventKind::ToolCall => outline.agents.at(row).is_none(),
            EventKind::Note | EventKind::Record | EventKind::State | EventKind::Span => true,
            _ => false,
        };
        let failed = rows.outcome(row).is_error();
        may_fold && (!failed || known.contains(&row))
    };
    let is_whole = |other: &FindingLine| {
        let ends = other.folded.first().zip(other.folded.as_slice().last());
        ends.is_none_or(|(from, to)| {
            let (from, to) = (from, after(*to));
            to <= stretch.start
                || from >= stretch.end
                || (from >= stretch.start && to <= stretch.end)
        })
    };
    let others = || outline.findings.iter().filter(|it| !it.is_apart());
    (!stretch.is_empty() && are_beside && stretch.clone().all(is_plain) && others().all(is_whole))
        .then_some(stretch)
}

/// The LLM call that requested a call, or the call itself.
fn step(outline: &Outline, row: u32) -> u32 {
    let parent = outline.rows.parents.get(row);
    let is_asked = parent != NO_ROW && outline.rows.kinds.get(parent) == EventKind::LlmCall as u8;
    if is_asked { parent } else { row }
}

/// The outermost rows of a stretch.
fn siblings<'a>(outline: &'a Outline, stretch: &Range<u32>) -> impl Iterator<Item = u32> + use<'a> {
    let end = stretch.end;
    let after = |row: &u32| Some(row + outline.rows.nested.get(*row) + 1);
    std::iter::successors(Some(stretch.start), after).take_while(move |row| *row < end)
}

/// What tools did between the repetitions, grouped by purpose, most frequent first: the word and the count.
fn between(
    outline: &Outline,
    finding: &FindingLine,
    stretch: Range<u32>,
) -> Vec<(&'static str, u64)> {
    let rows = &outline.rows;
    let is_between = |row: &u32| {
        rows.kinds.get(*row) == EventKind::ToolCall as u8
            && finding.rows.as_slice().binary_search(row).is_err()
    };
    looks_of(outline, stretch.filter(is_between))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::form::ListForm;
    use crate::list::visible_lines::{Choice, Line, lines};
    use crate::testing::assembled;
    use EventKind::{LlmCall, ToolCall, UserMessage};
    use traceloupe_core::model::NameId;
    use traceloupe_protocol::finding::{Evidence, Results, Rule, Severity, Steps};

    /// A command that LLM calls request repeatedly, with another call between each two of them.
    fn repeated(between: EventKind) -> Outline {
        let mut rows = vec![(0, UserMessage)];
        for _ in 0..3 {
            rows.extend([(0, LlmCall), (1, ToolCall), (0, LlmCall), (1, between)]);
        }
        let depths: Vec<u16> = rows.iter().map(|row| row.0).collect();
        let ids: Vec<u32> = (0..).take(rows.len()).collect();
        let finding = FindingLine {
            rule: Rule::SameError,
            severity: Severity::Warning,
            first: 2,
            mark: 2,
            last: 10,
            rows: [2, 6, 10].into_iter().collect(),
            evidence: Evidence::Steps(Steps {
                block: vec![(ToolCall, NameId::NONE)],
                repetitions: 3,
                results: Results::Errors,
                ..Steps::default()
            }),
            ..FindingLine::default()
        };
        assembled(&depths, &ids, rows.iter().map(|row| row.1), &[finding])
    }

    #[test]
    fn what_is_between_folds_with_the_repetitions() {
        let outline = repeated(ToolCall);
        let finding = &outline.findings[0];
        assert_eq!(finding.folded.as_slice(), [3, 5, 7, 9]);
        let said = "2 more calls that failed in the same way, 2 other calls between them";
        assert_eq!(words::findings::fold(&finding.evidence, &finding.between), said);
        assert_eq!(words_between(&outline, finding), "2 other calls between them");
        let choice = Choice { collapse_over_tools: 20, ..Choice::default() };
        let timeline = Choice { form: ListForm::Timeline, ..choice.clone() };
        let shown = lines(&outline, &timeline);
        assert!(shown.contains(&Line::Row(2)) && shown.contains(&Line::Fold(0)));
        assert!(!shown.contains(&Line::Row(6)) && shown.contains(&Line::Row(12)));
        let open = Choice { unfolded: [0].into(), ..timeline };
        assert!(lines(&outline, &open).contains(&Line::Row(6)));
        let of = |form| lines(&outline, &Choice { form, ..choice.clone() });
        assert!(of(ListForm::Transcript).contains(&Line::Fold(0)));
        assert!(!of(ListForm::Waterfall).contains(&Line::Fold(0)));
    }

    #[test]
    fn what_a_person_says_between_is_not_folded() {
        assert!(repeated(UserMessage).findings[0].folded.as_slice().is_empty());
    }
}
