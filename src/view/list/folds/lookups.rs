//! Long stretches of steps that only look something up. In the timeline of a conversation, the first two are shown and
//! the others fold into one line with a summary: `9 more steps: 4 reads, 3 searches, 2 replies`.

use crate::findings_by_row::Took;
use crate::icon::Icon;
use crate::list::folds::passes::{Fold, Pass, Scene, Walk};
use crate::list::folds::quiet_rows::{is_bookkeeping, is_copy, shows_notes, toggle_notes};
use crate::list::form::has_words;
use crate::list::line::Line;
use crate::list::merged::Merged;
use crate::list::visible_lines::{Choice, Mode};
use crate::look::{look, looks_of};
use crate::outline::Outline;
use crate::stretches::{Stretch, Stretches};
use traceloupe_core::model::{CallOutcome, EventKind, Flags};

/// How many lines of a stretch stay visible.
const SHOWN: u32 = 2;

/// The fewest lines that fold.
const FEWEST: u32 = 4;

/// A call that takes longer is worth its own line, in milliseconds.
const SLOW_MS: f64 = 10_000.0;

/// An LLM call with more rows inside is not examined.
const MAX_INSIDE: u32 = 200;

/// The pass.
pub const FOLD: Fold = Fold {
    begin: |scene, _| {
        let stretches = folded_steps(scene.outline, scene.choice)?;
        Some(Box::new(StepFolds { scene, stretches }))
    },
    reveal: |outline, choice, row| {
        if let Some(first) = steps_hiding(outline, choice, row) {
            toggle_notes(choice, first);
        }
    },
};

struct StepFolds<'a> {
    scene: Scene<'a>,
    stretches: &'a Stretches,
}

impl Pass for StepFolds<'_> {
    fn at(&mut self, row: u32, walk: &mut Walk) -> Option<u32> {
        let stretch = self.stretches.at(row).filter(|it| it.end <= self.scene.end)?;
        walk.lines.push(Line::Notes(row));
        (!shows_notes(self.scene.choice, row)).then_some(stretch.end)
    }
}

/// The stretches of an outline that fold, as far as its other columns are known.
#[must_use]
pub fn step_folds(outline: &Outline) -> Stretches {
    let quick: Vec<bool> = outline.names.iter().map(looks_up).collect();
    let is_quick = |name: u32| quick.get(name as usize) == Some(&true);
    let mut found = Vec::new();
    for run in &outline.runs {
        let (mut row, end) = (run.first_row, run.first_row + run.n_rows);
        let mut open = Open::default();
        while row < end {
            let after = row + outline.rows.nested.get(row) + 1;
            let n = match lines(outline, row, is_quick) {
                // The rows inside may form a stretch of their own.
                None => {
                    open.close(outline, &mut found);
                    row += 1;
                    continue;
                }
                Some(n) => n,
            };
            if open.parent != outline.rows.parents.get(row) {
                open.close(outline, &mut found);
            }
            open.parent = outline.rows.parents.get(row);
            open.add(row..after, n);
            row = after;
        }
        // In a live run, the last steps stay visible.
        if !outline.is_live {
            open.close(outline, &mut found);
        }
    }
    Stretches::new(found)
}

/// A stretch that may continue.
#[derive(Default)]
struct Open {
    parent: u32,
    /// How many lines it has before the folded part, and in it.
    n_shown: u32,
    n_folded: u32,
    /// The folded part: its first row, and the one after its last.
    folds: Option<(u32, u32)>,
}

impl Open {
    /// Adds rows that are drawn as `n` lines. Notes between steps have no lines.
    fn add(&mut self, rows: std::ops::Range<u32>, n: u32) {
        if self.n_shown < SHOWN {
            self.n_shown += n;
        } else if n > 0 {
            self.n_folded += n;
            self.folds = Some((self.folds.map_or(rows.start, |it| it.0), rows.end));
        }
    }

    fn close(&mut self, outline: &Outline, found: &mut Vec<Stretch>) {
        let Self { n_folded, folds, .. } = std::mem::take(self);
        if let Some((first, end)) = folds.filter(|_| n_folded >= FEWEST) {
            found.push(Stretch { first, end, took: Took::of(&outline.rows, first..end) });
        }
    }
}

/// Whether a tool with this name only looks something up, or keeps a list of tasks.
#[must_use]
pub fn looks_up(name: &str) -> bool {
    matches!(look(EventKind::ToolCall, name).0, Icon::Read | Icon::Search | Icon::Tasks)
}

/// How many lines a row takes with everything nested in it, if it may be part of a stretch: a call that only looks
/// something up, an LLM call that requested nothing else, a program's own note.
fn lines(outline: &Outline, row: u32, is_quick: impl Fn(u32) -> bool) -> Option<u32> {
    let rows = &outline.rows;
    let kind = |row: u32| EventKind::from_code(rows.kinds.get(row));
    let is_plain = |row: u32| {
        (rows.outcome(row).has_worked() || rows.outcome(row) == CallOutcome::Unknown)
            && (rows.durations_ms.get(row).is_nan() || rows.durations_ms.get(row) < SLOW_MS)
            && !is_copy(outline, row)
            && !outline.loops.has(row)
            && !Flags::from_bits(rows.flags.get(row)).has(Flags::ANSWER)
    };
    let is_call = |row: u32| {
        kind(row) == EventKind::ToolCall
            && rows.nested.get(row) == 0
            && is_quick(rows.names.get(row))
            && is_plain(row)
    };
    let nested = rows.nested.get(row);
    match kind(row) {
        EventKind::Note => is_bookkeeping(outline, row).then_some(0),
        EventKind::ToolCall => is_call(row).then_some(1),
        EventKind::LlmCall if (1..=MAX_INSIDE).contains(&nested) && is_plain(row) => {
            let mut inside = row + 1..=row + nested;
            let n_calls = (row + 1..=row + nested).filter(|row| is_call(*row)).count();
            let is_well = inside.all(|row| is_call(row) || is_bookkeeping(outline, row));
            let n_lines = u32::try_from(n_calls).ok()? + u32::from(has_words(outline, row));
            (is_well && n_calls > 0).then_some(n_lines)
        }
        _ => None,
    }
}

/// Whether stretches of steps fold: in the timeline of a conversation, unless the user's choice of rows overrides it.
fn folds_steps(outline: &Outline, choice: &Choice) -> bool {
    choice.mode == Mode::Normal
        && !choice.is_filtered()
        && Merged::of(outline, choice).is_timeline()
}

/// The stretches that fold.
#[must_use]
pub fn folded_steps<'a>(outline: &'a Outline, choice: &Choice) -> Option<&'a Stretches> {
    folds_steps(outline, choice).then_some(&*outline.steps)
}

/// The first row of the stretch that hides a row.
#[must_use]
pub fn steps_hiding(outline: &Outline, choice: &Choice, row: u32) -> Option<u32> {
    let first = folded_steps(outline, choice)?.around(row)?.first;
    (!shows_notes(choice, first)).then_some(first)
}

/// What the steps of a stretch are, grouped by purpose, most frequent first: the word and the count.
#[must_use]
pub fn kinds_of(outline: &Outline, stretch: &Stretch) -> Vec<(&'static str, u64)> {
    let rows = &outline.rows;
    let is_line = |row: &u32| match EventKind::from_code(rows.kinds.get(*row)) {
        EventKind::ToolCall => true,
        EventKind::LlmCall => has_words(outline, *row),
        _ => false,
    };
    looks_of(outline, (stretch.first..stretch.end).filter(is_line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::list::form::ListForm;
    use crate::list::visible_lines::{self, Line, index_of, reveal};
    use crate::query::parse::parse;
    use crate::testing::with_named_calls;

    const READS: [&str; 7] = ["Read"; 7];

    fn choice() -> Choice {
        Choice { collapse_over_tools: 20, ..Choice::default() }
    }

    #[test]
    fn look_ups_behind_the_second_one_fold_into_a_line() {
        let outline = with_named_calls(&READS);
        let row = Line::Row;
        // The LLM calls have no text, so the calls that they requested represent them.
        let folded = [row(0), row(2), row(4), Line::Notes(5), row(15)];
        assert_eq!(visible_lines::lines(&outline, &choice()), folded);
        let stretch = outline.steps.at(5).copied().unwrap();
        assert_eq!((stretch.first, stretch.end), (5, 15));
        assert_eq!(kinds_of(&outline, &stretch), [("read", 5)]);
        let open = reveal(&outline, &choice(), 8);
        let unfolded = visible_lines::lines(&outline, &open);
        assert_eq!(unfolded.len(), 10);
        assert_eq!(unfolded[3..5], [Line::Notes(5), row(6)]);
        for (at, line) in unfolded.iter().enumerate() {
            assert_eq!(index_of(&outline, &unfolded, *line), Ok(at as u32));
        }
        assert_eq!(reveal(&outline, &open, 10), open, "it is shown already");
        let minimal = Choice { mode: Mode::Minimal, ..choice() };
        let revealed = reveal(&outline, &minimal, 8);
        assert!(
            visible_lines::lines(&outline, &revealed).contains(&row(8)),
            "in another mode, too"
        );
    }

    #[test]
    fn what_changes_something_or_failed_is_a_row() {
        let n_folded = |names: &[&str]| {
            let outline = with_named_calls(names);
            let lines = visible_lines::lines(&outline, &choice());
            lines.iter().filter(|line| matches!(line, Line::Notes(_))).count()
        };
        assert_eq!(n_folded(&["Read", "Read", "Edit", "Grep", "Read", "Read", "Read", "Edit"]), 0);
        assert_eq!(n_folded(&["Read", "Grep", "Bash", "Read", "Grep", "Grep"]), 0);
        assert_eq!(n_folded(&["Read", "Read", "Read", "Grep", "Read"]), 0, "too few to fold");
        assert_eq!(n_folded(&["Read", "Read", "Read", "Grep", "TodoWrite", "Glob", "Edit"]), 1);
        let mut outline = with_named_calls(&READS);
        let rows = std::sync::Arc::get_mut(&mut outline.rows).unwrap();
        rows.sent.statuses.set(10, CallOutcome::Failed as u8);
        assert_eq!(step_folds(&outline).around(8), None);
    }

    #[test]
    fn the_last_steps_of_a_run_that_is_followed_are_rows() {
        let mut outline = with_named_calls(&READS);
        let rows = std::sync::Arc::get_mut(&mut outline.rows).unwrap();
        // Without the answer, the stretch continues to the end.
        rows.sent.kinds.set(15, EventKind::Note as u8);
        outline.runs[0].n_rows = 15;
        outline.n_rows = 15;
        assert!(step_folds(&outline).at(5).is_some());
        outline.is_live = true;
        assert!(step_folds(&outline).at(5).is_none());
    }

    #[test]
    fn only_a_timeline_in_which_nothing_else_decides_folds_them() {
        let outline = with_named_calls(&READS);
        let folds =
            |choice: &Choice| visible_lines::lines(&outline, choice).contains(&Line::Notes(5));
        for form in [ListForm::Transcript, ListForm::Waterfall] {
            assert!(!folds(&Choice { form, ..choice() }), "{form:?}");
        }
        for mode in [Mode::Verbose, Mode::Minimal] {
            assert!(!folds(&Choice { mode, ..choice() }), "{mode:?}");
        }
        let mut filtered = choice();
        (filtered.query, filtered.dims) = (parse("tool:Read").query, true);
        assert!(!folds(&filtered));
        assert!(folds(&choice()));
    }
}
