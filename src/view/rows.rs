//! The list of lines that the timeline shows: the rows of one run after collapsing, folding of
//! loops and the reading mode.

use std::collections::BTreeSet;

use super::outline::{FindingLine, NO_ROW, Outline};
use crate::model::{EventKind, Flags, Status};

/// How much is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// Questions, answers and errors.
    Minimal,
    /// Every event on one line; long outputs cut; many tool calls of one step collapsed.
    #[default]
    Normal,
    /// Everything open, nothing folded, nothing cut.
    Verbose,
}

impl Mode {
    /// The word for it in storage and style sheets.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Minimal => "minimal",
            Self::Normal => "normal",
            Self::Verbose => "verbose",
        }
    }

    /// The mode with a word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Minimal, Self::Normal, Self::Verbose].into_iter().find(|mode| mode.word() == word)
    }
}

/// What decides on the lines, apart from the outline.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Choice {
    /// Index of the run.
    pub run: u32,
    /// How much is shown.
    pub mode: Mode,
    /// Steps with more tool calls than this start collapsed in normal mode.
    pub collapse_over_tools: u32,
    /// Rows whose children are shown or hidden against the default.
    pub toggled: BTreeSet<u32>,
    /// Everything expanded (`Some(true)`) or collapsed (`Some(false)`) before `toggled` applies.
    pub all: Option<bool>,
    /// Findings whose repeats are unfolded.
    pub unfolded: BTreeSet<u32>,
    /// Only rows of these kinds, if any.
    pub kinds: Vec<EventKind>,
    /// Only rows with these names (indices into the outline's names), if any.
    pub names: Vec<u32>,
    /// Only failed rows.
    pub errors_only: bool,
}

impl Choice {
    /// Whether only some rows are wanted.
    #[must_use]
    pub fn is_filtered(&self) -> bool {
        self.errors_only || !self.kinds.is_empty() || !self.names.is_empty()
    }

    /// Wants all rows again.
    pub fn clear_filter(&mut self) {
        self.errors_only = false;
        self.kinds.clear();
        self.names.clear();
    }
}

/// One line of the timeline.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Line {
    /// A row of the outline.
    Row(u32),
    /// The line behind which the repeats of a finding are folded, or can be folded again.
    Fold(u32),
}

impl Line {
    /// The row this line shows, if it shows one.
    #[must_use]
    pub fn row(self) -> Option<u32> {
        match self {
            Self::Row(row) => Some(row),
            Self::Fold(_) => None,
        }
    }
}

/// Whether the children of a row are shown.
#[must_use]
pub fn is_expanded(outline: &Outline, choice: &Choice, row: u32) -> bool {
    let by_default = match choice.all {
        Some(all) => all,
        None => {
            // The root of a run is no step: collapsed it would hide the whole run.
            choice.mode == Mode::Verbose
                || outline.rows.kinds.get(row) == EventKind::RunStart as u8
                || outline.rows.tool_children.get(row) <= choice.collapse_over_tools
        }
    };
    by_default != choice.toggled.contains(&row)
}

/// The lines of a run.
#[must_use]
pub fn lines(outline: &Outline, choice: &Choice) -> Vec<Line> {
    let Some(run) = outline.runs.get(choice.run as usize) else { return Vec::new() };
    let end = run.first_row + run.n_rows;
    if choice.mode == Mode::Minimal || choice.is_filtered() {
        let last_answer = last_answer(outline, run.first_row, end);
        return (run.first_row..end)
            .filter(|row| passes(outline, choice, *row, last_answer))
            .map(Line::Row)
            .collect();
    }
    let folds = Folds::new(outline, choice);
    let mut lines = Vec::new();
    let mut row = run.first_row;
    while row < end {
        if let Some(finding) = folds.at(row) {
            // One line stands for all repeats, at the place of the first of them.
            if folds.is_first(finding, row) {
                lines.push(Line::Fold(finding));
            }
            if !choice.unfolded.contains(&finding) {
                row += outline.rows.nested.get(row) + 1;
                continue;
            }
        }
        lines.push(Line::Row(row));
        let nested = outline.rows.nested.get(row);
        row += if nested > 0 && !is_expanded(outline, choice, row) { nested + 1 } else { 1 };
    }
    lines
}

/// Rows that folding hides or could hide, as (row, finding) in order of rows.
struct Folds<'a> {
    rows: Vec<(u32, u32)>,
    findings: &'a [FindingLine],
}

impl<'a> Folds<'a> {
    fn new(outline: &'a Outline, choice: &Choice) -> Self {
        let mut rows = Vec::new();
        if choice.mode == Mode::Normal {
            for (at, finding) in outline.findings.iter().enumerate() {
                let at = u32::try_from(at).unwrap_or(u32::MAX);
                if finding.run == choice.run {
                    rows.extend(finding.folded.iter().map(|row| (*row, at)));
                }
            }
            rows.sort_unstable();
        }
        Self { rows, findings: &outline.findings }
    }

    fn at(&self, row: u32) -> Option<u32> {
        let at = self.rows.partition_point(|(other, _)| *other < row);
        self.rows.get(at).filter(|(other, _)| *other == row).map(|(_, finding)| *finding)
    }

    fn is_first(&self, finding: u32, row: u32) -> bool {
        self.findings.get(finding as usize).is_some_and(|it| it.folded.first() == Some(&row))
    }
}

fn last_answer(outline: &Outline, from: u32, to: u32) -> Option<u32> {
    let is_llm = |row: &u32| outline.rows.kinds.get(*row) == EventKind::LlmCall as u8;
    let main = (from..to).rev().filter(is_llm).find(|row| outline.rows.depths.get(*row) <= 1);
    main.or_else(|| (from..to).rev().find(is_llm))
}

fn passes(outline: &Outline, choice: &Choice, row: u32, last_answer: Option<u32>) -> bool {
    let rows = &outline.rows;
    let kind = EventKind::from_code(rows.kinds.get(row));
    let failed =
        Status::from_code(rows.statuses.get(row)) == Status::Error || kind == EventKind::Error;
    if choice.errors_only && !failed {
        return false;
    }
    if !choice.kinds.is_empty() && !choice.kinds.contains(&kind) {
        return false;
    }
    if !choice.names.is_empty() && !choice.names.contains(&rows.names.get(row)) {
        return false;
    }
    if choice.mode != Mode::Minimal || choice.is_filtered() {
        return true;
    }
    match kind {
        EventKind::UserMessage | EventKind::Error | EventKind::Compaction | EventKind::Record => {
            true
        }
        EventKind::LlmCall => {
            failed
                || Flags::from_bits(rows.flags.get(row)).has(Flags::ANSWER)
                || last_answer == Some(row)
        }
        _ => false,
    }
}

/// Opens whatever hides a row: its ancestors, and the fold it is behind. Gives the changed choice.
#[must_use]
pub fn reveal(outline: &Outline, choice: &Choice, row: u32) -> Choice {
    let mut choice = choice.clone();
    if let Some((run, _)) = outline.run_of(row) {
        choice.run = run;
    }
    for (at, finding) in outline.findings.iter().enumerate() {
        let covers =
            |folded: &u32| (*folded..=folded + outline.rows.nested.get(*folded)).contains(&row);
        if finding.folded.iter().any(covers) {
            choice.unfolded.insert(u32::try_from(at).unwrap_or(u32::MAX));
        }
    }
    for ancestor in ancestors(outline, row) {
        if !is_expanded(outline, &choice, ancestor) && !choice.toggled.remove(&ancestor) {
            choice.toggled.insert(ancestor);
        }
    }
    if !lines(outline, &choice).contains(&Line::Row(row)) {
        choice.mode = Mode::Normal;
        choice.clear_filter();
    }
    choice
}

/// The rows that a row is nested in, from the outermost.
#[must_use]
pub fn ancestors(outline: &Outline, row: u32) -> Vec<u32> {
    let parent_of = |row: &u32| Some(outline.rows.parents.get(*row)).filter(|it| *it != NO_ROW);
    let mut found: Vec<u32> = std::iter::successors(parent_of(&row), parent_of).collect();
    found.reverse();
    found
}

/// Position among siblings and their number, both counted from 1, as a tree tells them.
#[must_use]
pub fn position(outline: &Outline, row: u32) -> (u32, u32) {
    let n_siblings = match outline.rows.parents.get(row) {
        NO_ROW => outline.run_of(row).map_or(1, |(_, run)| run.n_roots),
        parent => outline.rows.children.get(parent),
    };
    (outline.rows.positions.get(row), n_siblings)
}

/// Where a line stands in the list of lines, or where it would stand if it were shown.
///
/// # Errors
/// The index of the first line behind it, if it is not there.
pub fn index_of(outline: &Outline, lines: &[Line], line: Line) -> Result<u32, u32> {
    // Lines come in the order of rows; a fold line stands just before the rows that it hides.
    let place = |line: &Line| match line {
        Line::Row(row) => (*row, 1),
        Line::Fold(finding) => {
            let finding = outline.findings.get(*finding as usize);
            (finding.and_then(|it| it.folded.first().copied()).unwrap_or(0), 0)
        }
    };
    let at = lines.binary_search_by_key(&place(&line), place);
    let number = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    at.map(number).map_err(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::outline::{Rows, RunLine};

    /// Rows as depths; kinds are tool calls below depth 0 and LLM calls at depth 0.
    fn outline(depths: &[u16]) -> Outline {
        let n = u32::try_from(depths.len()).unwrap();
        let nested = |at: usize| {
            let inside = depths[at + 1..].iter().take_while(|depth| **depth > depths[at]).count();
            u32::try_from(inside).unwrap()
        };
        let kind = |depth: &u16| {
            if *depth == 0 { EventKind::LlmCall as u8 } else { EventKind::ToolCall as u8 }
        };
        let parent = |at: usize| {
            (0..at)
                .rev()
                .find(|before| depths[*before] < depths[at])
                .map_or(NO_ROW, |row| row as u32)
        };
        let parents: Vec<u32> = (0..depths.len()).map(parent).collect();
        let children = |at: usize| parents.iter().filter(|it| **it == at as u32).count() as u32;
        let position =
            |at: usize| parents[..=at].iter().filter(|it| **it == parents[at]).count() as u32;
        let n_roots = parents.iter().filter(|it| **it == NO_ROW).count() as u32;
        Outline {
            runs: vec![RunLine { n_rows: n, n_roots, ..RunLine::default() }],
            rows: Rows {
                ids: (0..n).collect(),
                kinds: depths.iter().map(kind).collect(),
                statuses: depths.iter().map(|_| 0).collect(),
                depths: depths.iter().copied().collect(),
                nested: (0..depths.len()).map(nested).collect(),
                children: (0..depths.len()).map(children).collect(),
                // All nested rows of these trees are tool calls.
                tool_children: (0..depths.len()).map(children).collect(),
                positions: (0..depths.len()).map(position).collect(),
                parents: parents.iter().copied().collect(),
                ..Rows::default()
            },
            ..Outline::default()
        }
    }

    fn shown(outline: &Outline, choice: &Choice) -> Vec<u32> {
        lines(outline, choice).into_iter().filter_map(Line::row).collect()
    }

    fn choice() -> Choice {
        Choice { collapse_over_tools: 5, ..Choice::default() }
    }

    fn fold(folded: &[u32]) -> FindingLine {
        FindingLine {
            rule: "repeat".into(),
            severity: "critical".into(),
            run: 0,
            first: 0,
            mark: 0,
            last: 0,
            repetitions: 3,
            sentence: String::new(),
            badge: String::new(),
            evidence: Vec::new(),
            folded: folded.to_vec(),
            fold_words: String::new(),
            block_len: 1,
            reported: Vec::new(),
        }
    }

    #[test]
    fn many_tools_of_one_step_start_collapsed() {
        let few = outline(&[0, 1, 1, 1, 1, 1, 0]);
        assert_eq!(shown(&few, &choice()).len(), 7);
        let many = outline(&[0, 1, 1, 1, 1, 1, 1, 0]);
        assert_eq!(shown(&many, &choice()), [0, 7]);
        let verbose = Choice { mode: Mode::Verbose, ..choice() };
        assert_eq!(shown(&many, &verbose).len(), 8);
        let opened = Choice { toggled: [0].into(), ..choice() };
        assert_eq!(shown(&many, &opened).len(), 8);
    }

    #[test]
    fn a_run_start_with_many_tools_stays_open() {
        let mut tree = outline(&[0, 1, 1, 1, 1, 1, 1]);
        assert_eq!(shown(&tree, &choice()), [0]);
        tree.rows.kinds = [EventKind::RunStart as u8, 0, 0, 0, 0, 0, 0].into_iter().collect();
        assert_eq!(shown(&tree, &choice()).len(), 7);
    }

    #[test]
    fn everything_collapsed_and_expanded() {
        let tree = outline(&[0, 1, 2, 0]);
        assert_eq!(shown(&tree, &Choice { all: Some(false), ..choice() }), [0, 3]);
        assert_eq!(shown(&tree, &Choice { all: Some(true), ..choice() }), [0, 1, 2, 3]);
        let one = Choice { all: Some(false), toggled: [0].into(), ..choice() };
        assert_eq!(shown(&tree, &one), [0, 1, 3]);
    }

    #[test]
    fn repeats_stand_behind_one_line_and_come_back() {
        let mut tree = outline(&[0, 0, 1, 0, 0]);
        tree.findings.push(fold(&[1, 3]));
        let folded = lines(&tree, &choice());
        assert_eq!(folded, [Line::Row(0), Line::Fold(0), Line::Row(4)]);
        let unfolded = Choice { unfolded: [0].into(), ..choice() };
        assert_eq!(shown(&tree, &unfolded), [0, 1, 2, 3, 4]);
        let again = lines(&tree, &unfolded);
        assert_eq!(again[1], Line::Fold(0), "folding again is one line away");
        for (at, line) in again.iter().enumerate() {
            assert_eq!(index_of(&tree, &again, *line), Ok(at as u32));
        }
        assert_eq!(index_of(&tree, &folded, Line::Row(2)), Err(2));
        assert_eq!(shown(&tree, &reveal(&tree, &choice(), 2)), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn revealing_opens_the_ancestors() {
        let tree = outline(&[0, 1, 2, 0]);
        let closed = Choice { all: Some(false), ..choice() };
        assert_eq!(shown(&tree, &reveal(&tree, &closed, 2)), [0, 1, 2, 3]);
        assert_eq!(ancestors(&tree, 2), [0, 1]);
    }

    #[test]
    fn the_minimal_mode_keeps_the_answer() {
        let tree = outline(&[0, 1, 0, 1, 0]);
        let minimal = Choice { mode: Mode::Minimal, ..choice() };
        assert_eq!(shown(&tree, &minimal), [4]);
        assert_eq!(shown(&tree, &reveal(&tree, &minimal, 1)), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn positions_among_siblings() {
        let tree = outline(&[0, 1, 1, 2, 1, 0]);
        assert_eq!(position(&tree, 0), (1, 2));
        assert_eq!(position(&tree, 2), (2, 3));
        assert_eq!(position(&tree, 4), (3, 3));
        assert_eq!(position(&tree, 5), (2, 2));
    }
}
