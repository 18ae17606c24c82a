//! Rows that fold into one line: a program's own notes, rows copied from elsewhere, spans of a program's own work
//! between its calls, and the start records of every program that took part.

use crate::list::folds::passes::{Fold, Pass, Scene, Walk};
use crate::list::form::ListForm;
use crate::list::line::Line;
use crate::list::visible_lines::{Choice, Mode};
use crate::outline::Outline;
use crate::row_columns::NO_ROW;
use traceloupe_core::model::{CallOutcome, EventKind, Flags};
use traceloupe_protocol::outline::RunLine;

/// The pass.
pub const FOLD: Fold = Fold {
    begin: |scene, first| {
        let pass = || Box::new(NoteFolds { scene, unfolded_until: first }) as Box<dyn Pass + '_>;
        (scene.choice.mode == Mode::Normal).then(pass)
    },
    reveal: |outline, choice, row| {
        if let Some(first) = notes_around(outline, row).filter(|first| !shows_notes(choice, *first))
            && Quiet::of(outline, first).is_some_and(|quiet| may_fold(choice, quiet))
        {
            toggle_notes(choice, first);
        }
    },
};

struct NoteFolds<'a> {
    scene: Scene<'a>,
    /// The end of the current stretch that would fold but is shown.
    unfolded_until: u32,
}

impl Pass for NoteFolds<'_> {
    fn at(&mut self, row: u32, walk: &mut Walk) -> Option<u32> {
        let Scene { outline, choice, end } = self.scene;
        if walk.is_led || row < self.unfolded_until {
            return None;
        }
        let quiet = Quiet::of(outline, row).filter(|it| may_fold(choice, *it))?;
        let stop = notes_end(outline, row, end);
        if !notes_fold(outline, row, stop) {
            return None;
        }
        let is_shown = shows_notes(choice, row);
        // In a waterfall they would be an empty first line.
        let is_left_out = quiet == Quiet::Starts && choice.form == ListForm::Waterfall;
        if is_shown || !is_left_out {
            walk.lines.push(Line::Notes(row));
        }
        match (is_shown, quiet) {
            (true, Quiet::Notes | Quiet::Starts) => {
                walk.lines.extend((row..stop).map(Line::Row));
                Some(stop)
            }
            // These are handled like any other rows.
            (true, Quiet::Copies | Quiet::Spans) => {
                self.unfolded_until = stop;
                None
            }
            (false, _) => Some(stop),
        }
    }
}

/// Whether rows of a kind fold. A waterfall shows where the time went, so it shows all spans.
fn may_fold(choice: &Choice, quiet: Quiet) -> bool {
    quiet != Quiet::Spans || choice.form != ListForm::Waterfall
}

/// Unfolds the stretch that begins at a row, or folds it again.
pub(super) fn toggle_notes(choice: &mut Choice, first: u32) {
    if !choice.notes.remove(first) {
        choice.notes.insert(first);
    }
}

/// Whether a row is a note that does not show what the agent did: progress, a snapshot, a duration. Notes that failed
/// or were stopped, contain other rows or belong to a possible loop do not count.
#[must_use]
pub fn is_bookkeeping(outline: &Outline, row: u32) -> bool {
    let rows = &outline.rows;
    rows.kinds.get(row) == EventKind::Note as u8
        && !(rows.outcome(row).is_error() || rows.outcome(row).is_stopped())
        && rows.nested.get(row) == 0
        && !outline.loops.has(row)
}

/// Whether a row is the start of a run that contains no other rows and did not fail.
fn is_bare_start(outline: &Outline, row: u32) -> bool {
    let rows = &outline.rows;
    rows.kinds.get(row) == EventKind::RunStart as u8
        && !rows.outcome(row).is_error()
        && rows.nested.get(row) == 0
}

/// Whether a row is a copy of something that happened elsewhere, such as the history at the beginning of a forked
/// session.
#[must_use]
pub fn is_copy(outline: &Outline, row: u32) -> bool {
    Flags::from_bits(outline.rows.flags.get(row)).has(Flags::COPY)
}

/// The most rows inside a span that are examined.
const MAX_INSIDE: u32 = 64;

/// The share of a run's time below which a span is quick.
const QUICK: f64 = 0.01;

/// Whether a row is a quick span without calls, in a run that has calls: handling of a request, rendering of a prompt,
/// parsing of an answer. Spans that failed, take long or belong to a possible loop do not count.
#[must_use]
pub fn is_quick_span(outline: &Outline, row: u32) -> bool {
    let rows = &outline.rows;
    let is_span = |row: u32| rows.kinds.get(row) == EventKind::Span as u8;
    let nested = rows.nested.get(row);
    if !is_span(row) || nested > MAX_INSIDE {
        return false;
    }
    let Some((_, run)) = outline.run_of(row) else { return false };
    let has_calls = run.counts.llm_calls + run.counts.tool_calls > 0;
    // An unknown duration does not count as quick.
    let is_quick = |row: u32| rows.durations_ms.get(row) <= run.duration_ms * QUICK;
    let is_well = |row: u32| {
        let status = rows.outcome(row);
        status.has_worked() || status == CallOutcome::Unknown
    };
    has_calls
        && is_quick(row)
        && (row..=row + nested).all(|it| is_span(it) && is_well(it) && !outline.loops.has(it))
}

/// What kind of rows fold into one line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quiet {
    /// A program's own notes.
    Notes,
    /// Rows that were copied from elsewhere.
    Copies,
    /// Quick spans without calls.
    Spans,
    /// Run starts that contain no rows. A trace has one for each of its services.
    Starts,
}

impl Quiet {
    /// What a row may fold with.
    #[must_use]
    pub fn of(outline: &Outline, row: u32) -> Option<Self> {
        if is_copy(outline, row) {
            Some(Self::Copies)
        } else if is_bookkeeping(outline, row) {
            Some(Self::Notes)
        } else if is_bare_start(outline, row) {
            Some(Self::Starts)
        } else {
            is_quick_span(outline, row).then_some(Self::Spans)
        }
    }
}

/// The fewest rows that fold, unless the first one is a [bookkeeping](Flags::BOOKKEEPING) note.
const FEWEST: u32 = 2;

/// Whether the stretch from one row up to another folds into a line.
pub(super) fn notes_fold(outline: &Outline, first: u32, end: u32) -> bool {
    let Some(quiet) = Quiet::of(outline, first) else { return false };
    let is_long = end - first >= FEWEST;
    match quiet {
        Quiet::Copies => {
            // If a run contains nothing else, it is what the user wants to see.
            let is_all = |run: &RunLine| run.first_row == first && run.n_rows == end - first;
            is_long && outline.run_of(first).is_some_and(|(_, run)| !is_all(run))
        }
        Quiet::Notes => {
            is_long || Flags::from_bits(outline.rows.flags.get(first)).has(Flags::BOOKKEEPING)
        }
        Quiet::Spans | Quiet::Starts => is_long,
    }
}

/// Whether a row continues the stretch of another row, before or after it.
fn is_like(outline: &Outline, quiet: Quiet, one: u32, row: u32) -> bool {
    let rows = &outline.rows;
    let is_near = match quiet {
        Quiet::Copies => true,
        Quiet::Notes | Quiet::Starts => rows.parents.get(row) == rows.parents.get(one),
        // Including the rows inside it.
        Quiet::Spans => rows.depths.get(row) >= rows.depths.get(one),
    };
    is_near && Quiet::of(outline, row) == Some(quiet)
}

/// The row after the stretch that begins at a row.
#[must_use]
pub fn notes_end(outline: &Outline, first: u32, end: u32) -> u32 {
    let Some(quiet) = Quiet::of(outline, first) else { return first };
    (first..end).find(|row| !is_like(outline, quiet, first, *row)).unwrap_or(end)
}

/// The outermost quick span that contains a row, which may be the row itself.
fn outermost(outline: &Outline, row: u32) -> u32 {
    let parent_of = |row: &u32| {
        let parent = outline.rows.parents.get(*row);
        (parent != NO_ROW && Quiet::of(outline, parent) == Some(Quiet::Spans)).then_some(parent)
    };
    std::iter::successors(Some(row), parent_of).last().unwrap_or(row)
}

/// The first row of the stretch of quick spans that a row is in.
fn first_span(outline: &Outline, row: u32, from: u32) -> u32 {
    let mut first = outermost(outline, row);
    loop {
        let before = first.checked_sub(1).filter(|before| *before >= from);
        let before = before.filter(|it| Quiet::of(outline, *it) == Some(Quiet::Spans));
        let Some(before) = before.map(|it| outermost(outline, it)) else { return first };
        if outline.rows.parents.get(before) != outline.rows.parents.get(first) {
            return first;
        }
        first = before;
    }
}

/// The first row of the stretch that a row is in, if it is folded.
pub(super) fn notes_around(outline: &Outline, row: u32) -> Option<u32> {
    let quiet = Quiet::of(outline, row)?;
    let (_, run) = outline.run_of(row)?;
    let first = match quiet {
        Quiet::Spans => first_span(outline, row, run.first_row),
        Quiet::Notes | Quiet::Copies | Quiet::Starts => {
            let goes_on = |other: &u32| is_like(outline, quiet, row, *other);
            (run.first_row..row).rev().take_while(goes_on).last().unwrap_or(row)
        }
    };
    let end = notes_end(outline, first, run.first_row + run.n_rows);
    notes_fold(outline, first, end).then_some(first)
}

/// Whether the rows of a stretch are shown.
#[must_use]
pub fn shows_notes(choice: &Choice, first: u32) -> bool {
    (choice.all == Some(true)) != choice.notes.contains(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::form::ListForm;
    use crate::list::visible_lines::{Line, lines, reveal};

    /// A request with its handling, and two LLM calls with other work between them.
    fn outline() -> Outline {
        use EventKind::{Agent, LlmCall, Span};
        let rows = [
            (0, 0.0, 1_000.0, Agent),
            (1, 0.0, 1.0, Span),
            (2, 0.0, 0.5, Span),
            (1, 1.0, 1.0, Span),
            (1, 2.0, 400.0, LlmCall),
            (1, 402.0, 1.0, Span),
            (1, 403.0, 300.0, Span),
            (2, 403.0, 1.0, Span),
            (2, 405.0, 1.0, Span),
            (2, 407.0, 1.0, Span),
            (1, 704.0, 290.0, LlmCall),
        ];
        let times: Vec<_> = rows.iter().map(|it| (it.0, it.1, it.2)).collect();
        let kinds: Vec<_> = rows.iter().map(|it| it.3).collect();
        let mut outline = crate::testing::with_timed_kinds(&times, &kinds, &[]);
        (outline.runs[0].counts.llm_calls, outline.runs[0].duration_ms) = (2, 1_000.0);
        outline
    }

    #[test]
    fn quick_spans_without_calls_fold_into_a_line() {
        let outline = outline();
        let mut choice = Choice { collapse_over_tools: 20, ..Choice::default() };
        let row = Line::Row;
        let folded = [row(0), Line::Notes(1), row(4), row(5), row(6), Line::Notes(7), row(10)];
        assert_eq!(lines(&outline, &choice), folded, "a slow span stays, and so does a single one");
        for hidden in [1, 2, 3, 8] {
            let shown = reveal(&outline, &choice, hidden);
            assert!(lines(&outline, &shown).contains(&row(hidden)), "{hidden}");
        }
        choice.form = ListForm::Waterfall;
        assert_eq!(lines(&outline, &choice).len(), 11, "a waterfall shows all spans");
    }

    #[test]
    fn starts_of_several_services_fold_into_a_line_and_a_single_one_stays() {
        use EventKind::{LlmCall, RunStart};
        let times = [(0, 0.0, 1.0), (0, 0.0, 1.0), (0, 1.0, 1.0), (0, 3.0, 1.0)];
        let of = |kinds: &[EventKind]| crate::testing::with_timed_kinds(&times, kinds, &[]);
        let mut choice = Choice { form: ListForm::Waterfall, ..Choice::default() };
        let row = Line::Row;
        let two = of(&[RunStart, RunStart, LlmCall, LlmCall]);
        assert_eq!(lines(&two, &choice), [row(2), row(3)], "a waterfall begins with its bars");
        let found = lines(&two, &reveal(&two, &choice, 1));
        assert_eq!(
            found,
            [Line::Notes(0), row(0), row(1), row(2), row(3)],
            "what is found is shown"
        );
        choice.form = ListForm::Timeline;
        assert_eq!(lines(&two, &choice), [Line::Notes(0), row(2), row(3)]);
        let one = of(&[RunStart, LlmCall, LlmCall, LlmCall]);
        assert_eq!(lines(&one, &choice).len(), 4);
    }

    #[test]
    fn spans_that_failed_and_those_of_a_program_without_calls_are_rows() {
        let choice = Choice { collapse_over_tools: 20, ..Choice::default() };
        let mut outline = outline();
        let failed = |row| if row == 2 { CallOutcome::Failed as u8 } else { CallOutcome::Ok as u8 };
        let rows = std::sync::Arc::get_mut(&mut outline.rows).unwrap();
        rows.sent.statuses = (0..11).map(failed).collect();
        assert!(lines(&outline, &choice).contains(&Line::Row(2)));
        assert!(!lines(&outline, &choice).contains(&Line::Notes(1)));
        outline.runs[0].counts.llm_calls = 0;
        assert_eq!(lines(&outline, &choice).len(), 11);
    }
}
