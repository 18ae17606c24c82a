//! The brackets beside the lines of possible loops, from the first line of a loop to its last.

use crate::view::page::line_view::{LineContext, LineView};
use crate::view::page::rows::Line;
use crate::view::wire::outline::{FindingLine, Outline};

/// The part of a bracket beside a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Bracket {
    /// Whether it begins there.
    pub is_first: bool,
    /// Whether it ends there.
    pub is_last: bool,
}

impl Bracket {
    /// Its style word.
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

/// Draws the brackets. `lines` are all lines, `views` those of some of them.
pub fn mark_loops(context: &LineContext<'_>, lines: &[Line], views: &mut [LineView]) {
    let outline = context.outline;
    let run = context.choice.run;
    let found = || outline.findings.iter().filter(|it| it.run == run && it.is_loud());
    let covers = |it: &FindingLine, at: Option<u32>| {
        at.and_then(|at| lines.get(at as usize)).is_some_and(|line| holds(outline, it, *line))
    };
    for view in views {
        // Of several the narrowest.
        let around = found().filter(|it| holds(outline, it, view.line));
        let Some(narrowest) = around.min_by_key(|it| it.last.saturating_sub(it.first)) else {
            continue;
        };
        view.bracket = Some(Bracket {
            is_first: !covers(narrowest, view.index.checked_sub(1)),
            is_last: !covers(narrowest, view.index.checked_add(1)),
        });
    }
}

/// Whether a line is one of a possible loop, or between two of them, by the same agent.
fn holds(outline: &Outline, finding: &FindingLine, line: Line) -> bool {
    let row = line.first_row(outline);
    let lanes = &outline.rows.lanes;
    // What the program reported stands on single events, and so do calls with others between them.
    finding.repetitions > 1
        && !finding.is_apart
        && (finding.first..=finding.last).contains(&row)
        && lanes.get(row) == lanes.get(finding.mark)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::page::line_view::line_view;
    use crate::view::page::prices::Costs;
    use crate::view::page::query::matching::Matching;
    use crate::view::page::rows::Choice;
    use crate::view::page::testing::{finding, with_findings};

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
            mark_loops(&context, lines, &mut views);
            views.iter().map(|view| view.bracket.map_or("", Bracket::word)).collect::<Vec<_>>()
        };
        let rows: Vec<Line> = (0..6).map(Line::Row).collect();
        assert_eq!(words(&rows), ["", "first", "inside", "inside", "last", ""]);
        let folded = [Line::Row(0), Line::Row(1), Line::Fold(0), Line::Row(5)];
        assert_eq!(words(&folded), ["", "first", "last", ""]);
        assert_eq!(words(&[Line::Row(1), Line::Row(5)]), ["only", ""]);
    }
}
