//! The brackets beside the lines of possible loops and of the explained finding, from its first line to its last.

use super::{LineContext, LineView};
use crate::findings_by_row::are_near;
use crate::list::visible_lines::Line;
use crate::outline::Outline;
use traceloupe_protocol::outline::FindingLine;

/// The part of a bracket beside a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Bracket {
    /// Whether it begins there.
    pub is_first: bool,
    /// Whether it ends there.
    pub is_last: bool,
}

impl Bracket {
    /// The style word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match (self.is_first, self.is_last) {
            (true, true) => "only",
            (true, false) => "first",
            (false, true) => "last",
            (false, false) => "inside",
        }
    }
}

/// The places of the finding that is being explained.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Alike {
    /// The rows of its repetitions or errors, in order.
    pub rows: Vec<u32>,
    /// The badge of all rows but the first, such as `like 3`.
    pub words: String,
}

/// The rows over which an agent repeated something.
struct Span {
    first: u32,
    last: u32,
    lane: u16,
}

impl Span {
    /// Findings that the producer reported refer to single events. Repetitions with other calls between them may be far
    /// apart.
    fn of_loop(outline: &Outline, finding: &FindingLine) -> Option<Self> {
        let FindingLine { first, last, .. } = *finding;
        let lane = outline.rows.lanes.get(finding.mark);
        let is_near = !finding.is_apart() || are_near(finding.rows.as_slice());
        (finding.repetitions() > 1 && is_near).then_some(Self { first, last, lane })
    }

    fn of_alike(outline: &Outline, alike: &Alike) -> Option<Self> {
        let (first, last) = (*alike.rows.first()?, *alike.rows.last()?);
        let lane = outline.rows.lanes.get(first);
        are_near(&alike.rows).then_some(Self { first, last, lane })
    }

    /// Whether a line is in the span and belongs to the same agent.
    fn holds(&self, outline: &Outline, line: Line) -> bool {
        let row = line.first_row(outline);
        (self.first..=self.last).contains(&row) && outline.rows.lanes.get(row) == self.lane
    }
}

/// Draws the brackets, and marks the evidence of the explained finding. `lines` are all lines, and `views` are the
/// views of some of them.
pub fn mark_loops(
    context: &LineContext<'_>,
    alike: &Alike,
    lines: &[Line],
    views: &mut [LineView],
) {
    let outline = context.outline;
    let run = context.choice.run;
    let found = outline.findings.iter().filter(|it| it.run == run && it.is_loud());
    let loops: Vec<Span> = found.filter_map(|it| Span::of_loop(outline, it)).collect();
    let explained = Span::of_alike(outline, alike);
    for view in views {
        let nth = view.row.and_then(|row| alike.rows.binary_search(&row).ok());
        view.is_found = nth.is_some();
        if nth.is_some_and(|nth| nth > 0) {
            view.badges.push(("dim", alike.words.clone()));
        }
        // The explained finding wins, otherwise the narrowest one.
        let around = loops.iter().filter(|it| it.holds(outline, view.line));
        let narrowest = around.min_by_key(|it| it.last.saturating_sub(it.first));
        let explained = explained.as_ref().filter(|it| it.holds(outline, view.line));
        let Some(span) = explained.or(narrowest) else { continue };
        let covers = |at: Option<u32>| {
            at.and_then(|at| lines.get(at as usize)).is_some_and(|it| span.holds(outline, *it))
        };
        view.bracket = Some(Bracket {
            is_first: !covers(view.index.checked_sub(1)),
            is_last: !covers(view.index.checked_add(1)),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::line_view;
    use super::*;
    use crate::list::visible_lines::Choice;
    use crate::prices::Costs;
    use crate::query::matching::Matching;
    use crate::testing::{finding, with_findings};
    use traceloupe_protocol::finding::Rule;

    #[test]
    fn a_bracket_runs_from_the_first_line_of_a_loop_to_its_last() {
        let found = FindingLine { first: 1, mark: 1, last: 4, ..finding(&[2, 4]) };
        let outline = with_findings(&[0; 6], &[found]);
        let choice = Choice::default();
        let (matching, costs) = (Matching::default(), Costs::default());
        let context = LineContext {
            outline: &outline,
            choice: &choice,
            matching: &matching,
            costs: &costs,
            waterfall: None,
            replay: None,
        };
        let words = |lines: &[Line]| {
            let views = (0..).zip(lines).map(|(at, line)| line_view(&context, at, *line));
            let mut views: Vec<LineView> = views.collect();
            mark_loops(&context, &Alike::default(), lines, &mut views);
            views.iter().map(|view| view.bracket.map_or("", Bracket::word)).collect::<Vec<_>>()
        };
        let rows: Vec<Line> = (0..6).map(Line::Row).collect();
        assert_eq!(words(&rows), ["", "first", "inside", "inside", "last", ""]);
        let folded = [Line::Row(0), Line::Row(1), Line::Fold(0), Line::Row(5)];
        assert_eq!(words(&folded), ["", "first", "last", ""]);
        assert_eq!(words(&[Line::Row(1), Line::Row(5)]), ["only", ""]);

        let rows: Vec<Line> = (0..6).map(Line::Row).collect();
        let views = (0..).zip(&rows).map(|(at, line)| line_view(&context, at, *line));
        let mut views: Vec<LineView> = views.collect();
        let alike = Alike { rows: vec![2, 5], words: "like 3".to_owned() };
        mark_loops(&context, &alike, &rows, &mut views);
        let brackets: Vec<_> =
            views.iter().map(|view| view.bracket.map_or("", Bracket::word)).collect();
        assert_eq!(brackets, ["", "first", "first", "inside", "inside", "last"]);
        let found = |view: &LineView| view.is_found.then(|| view.badges.last().cloned());
        let found: Vec<_> = views.iter().filter_map(found).flatten().collect();
        assert_eq!(found, [("dim", "like 3".to_owned())], "the first is like no other");
        assert_eq!(views.iter().filter(|view| view.is_found).count(), 2);
    }

    #[test]
    fn calls_with_few_others_between_have_a_bracket() {
        let brackets = |rows: &[u32]| {
            let (first, last) = (rows[0], rows[rows.len() - 1]);
            let rows = rows.iter().copied().collect();
            let rule = Rule::RepeatApart;
            let found = FindingLine { first, mark: first, last, rule, rows, ..finding(&[]) };
            let outline = with_findings(&[0; 40], &[found]);
            let choice = Choice::default();
            let (matching, costs) = (Matching::default(), Costs::default());
            let context = LineContext {
                outline: &outline,
                choice: &choice,
                matching: &matching,
                costs: &costs,
                waterfall: None,
                replay: None,
            };
            let lines: Vec<Line> = (0..40).map(Line::Row).collect();
            let mut views: Vec<LineView> =
                (0..).zip(&lines).map(|(at, line)| line_view(&context, at, *line)).collect();
            mark_loops(&context, &Alike::default(), &lines, &mut views);
            views.iter().filter(|view| view.bracket.is_some()).count()
        };
        assert_eq!(brackets(&[2, 6, 12]), 11);
        assert_eq!(brackets(&[2, 20, 39]), 0, "far apart");
    }
}
