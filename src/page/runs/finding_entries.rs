//! The findings and errors of a run as one list: possible loops first, then what the program reported itself, errors,
//! compactions, and repetitions that may be fine.

use crate::app::pane::Pane;
use crate::reactive::{Memo, memo};
use crate::runs::findings::{
    ErrorLine, Found, REPORTED, errors, of_run, put_back_in, said_of, said_of_longest,
};
use crate::shared::Shared;
use crate::words::runs as text;
use crate::words::{counts, files};
use traceloupe_protocol::outline::FindingLine;
use traceloupe_view::bracket::Alike;
use traceloupe_view::causes::Said;
use traceloupe_view::evidence::{self, Evidence, Key};
use traceloupe_view::icon::Icon;
use traceloupe_view::outline::Outline;

/// The parts of the list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// Possible loops.
    Loops,
    /// The call that took most of the time.
    Longest,
    /// What the program that wrote the trace reported itself.
    Reported,
    /// Errors.
    Errors,
    /// Compactions of the context.
    Compactions,
    /// Files with edits that were put back.
    PutBack,
    /// Repetitions that may be fine.
    Quiet,
}

/// An entry: findings or errors that are alike.
pub struct Entry {
    /// What tells it apart.
    pub key: Key,
    /// The part of the list that it is in.
    pub part: Part,
    /// Indices of its findings; empty for what is told from rows.
    pub findings: Vec<u32>,
    /// The rows that it is told from; empty for findings.
    pub rows: Vec<u32>,
    /// What is said of it.
    pub said: Said,
    /// The row that it is about.
    pub row: u32,
    /// The rule that found it; empty for errors.
    pub rule: String,
    /// How bad it is, as in the style sheets.
    pub severity: &'static str,
}

impl Entry {
    fn of_findings(pane: Pane, outline: &Outline, part: Part, alike: &[u32]) -> Option<Self> {
        let line = outline.findings.get(*alike.first()? as usize)?;
        let severity = match line.severity.as_str() {
            _ if line.is_set_aside => "info",
            "critical" => "critical",
            "warning" => "warning",
            _ => "info",
        };
        let mut said = said_of(pane, outline, line);
        if alike.len() > 1 {
            said.headline.push_str(&text::places(alike.len()));
        }
        Some(Self {
            key: Key::Finding(*alike.first()?),
            part,
            findings: alike.to_vec(),
            rows: Vec::new(),
            said,
            row: line.mark,
            rule: line.rule.clone(),
            severity,
        })
    }

    fn of_errors(error: &ErrorLine) -> Option<Self> {
        let row = *error.rows.first()?;
        Some(Self {
            key: Key::Error(row),
            part: Part::Errors,
            findings: Vec::new(),
            rows: error.rows.clone(),
            said: error.said.clone(),
            row,
            rule: String::new(),
            severity: "error",
        })
    }

    fn of_rows(part: Part, rows: Vec<u32>, said: Said) -> Option<Self> {
        let row = *rows.first()?;
        Some(Self {
            key: Key::Row(row),
            part,
            findings: Vec::new(),
            rows,
            said,
            row,
            rule: String::new(),
            severity: "info",
        })
    }

    /// Its sign.
    pub fn sign(&self) -> Icon {
        match self.part {
            Part::Errors => Icon::Error,
            Part::Longest => Icon::Slow,
            Part::Compactions => Icon::Compaction,
            Part::PutBack => Icon::Edit,
            _ => Icon::Loop,
        }
    }

    /// Its findings, as the outline has them.
    pub fn lines<'a>(&self, outline: &'a Outline) -> Vec<&'a FindingLine> {
        self.findings.iter().filter_map(|at| outline.findings.get(*at as usize)).collect()
    }

    /// Where it was found.
    pub fn alike(&self, outline: &Outline) -> Alike {
        let lines = self.lines(outline);
        let mut rows = self.rows.clone();
        rows.extend(lines.iter().flat_map(|line| evidence::rows_of(line)));
        traceloupe_core::order::sort(&mut rows);
        rows.dedup();
        let first = rows.first().copied().unwrap_or(0);
        let before = outline.run_of(first).map_or(0, |(_, run)| run.first_row);
        let is_same = lines.first().is_some_and(|line| line.same_args);
        let words = text::like_event(is_same, first.saturating_sub(before) + 1);
        Alike { rows, words }
    }

    /// Whether the call at its row failed.
    pub fn has_failed(&self, outline: &Outline) -> bool {
        let fails = self.lines(outline).first().is_some_and(|line| line.fails);
        fails || self.part == Part::Errors
    }

    /// What it stands on.
    pub fn evidence(&self, pane: Pane) -> Evidence {
        let outline = pane.trace.outline.get_untracked();
        let causes = pane.trace.statistics.causes.get();
        pane.trace.costs.with(|costs| match self.rows.is_empty() {
            true => evidence::of_findings(&outline, &self.lines(&outline), costs, &causes),
            false => evidence::of_rows(&outline, &self.rows, costs, &causes),
        })
    }
}

/// All entries of the run, in the order of the list.
pub fn entries(pane: Pane) -> Memo<Shared<Vec<Entry>>> {
    let (loops, reported) = (of_run(pane, true, Some(false)), of_run(pane, true, Some(true)));
    let (quiet, errors) = (of_run(pane, false, None), errors(pane));
    memo(move || {
        let mut entries = Vec::new();
        let add = |part: Part, found: Memo<Found>| {
            let (outline, found) = found.get();
            let of = |alike: &Vec<u32>| Entry::of_findings(pane, &outline, part, alike);
            found.iter().filter_map(of).collect::<Vec<_>>()
        };
        let outline = pane.trace.outline.get();
        entries.extend(add(Part::Loops, loops));
        entries.extend(pane.longest.get().and_then(|it| {
            Entry::of_rows(Part::Longest, vec![it.row], said_of_longest(pane, &outline, &it))
        }));
        entries.extend(add(Part::Reported, reported));
        entries.extend(errors.get().iter().filter_map(Entry::of_errors));
        let said =
            |headline: String| Said { sentence: headline.clone(), headline, ..Said::default() };
        entries.extend(pane.compactions.get().into_iter().filter_map(|it| {
            Entry::of_rows(Part::Compactions, vec![it.row], said(text::compacted(it.from, it.to)))
        }));
        entries.extend(put_back_in(pane).into_iter().filter_map(|it| {
            let path = pane.short_path(&it.path, usize::MAX);
            Entry::of_rows(Part::PutBack, it.rows, said(files::put_back(&path)))
        }));
        entries.extend(add(Part::Quiet, quiet));
        Shared::new(entries)
    })
}

/// The heading over a part, with the number of its entries, and of what they stand for.
pub fn heading(pane: Pane, part: Part, entries: &[Entry]) -> String {
    let n = entries.len();
    let run = pane.run.get();
    let outline = pane.trace.outline.get();
    match part {
        Part::Loops => {
            let is_own = |it: &&FindingLine| it.run == run && it.is_loud() && it.rule != REPORTED;
            let all = outline.findings.iter().filter(is_own).count();
            text::heading_of_kinds(text::LOOPS_HEADING, n, all as u64)
        }
        Part::Reported => text::heading(text::REPORTED_HEADING, n),
        Part::Errors => {
            let all = outline.runs.get(run as usize).map_or(0, |it| it.counts.errors);
            let listed: u64 = entries.iter().map(|entry| entry.rows.len() as u64).sum();
            let causes = pane.trace.statistics.causes.get();
            let known = listed + causes.n_left_out;
            match causes.run == run && known < all {
                true => text::heading_of_kinds(text::OTHER_ERRORS, n, known),
                false => text::heading_of_kinds(text::ERRORS_HEADING, n, all),
            }
        }
        Part::Longest => text::LONGEST_HEADING.to_owned(),
        Part::Compactions => text::heading(text::COMPACTIONS_HEADING, n),
        Part::PutBack => text::heading(text::PUT_BACK_HEADING, n),
        Part::Quiet => counts::quiet_findings(n as u64),
    }
}
