//! The findings of the chosen run as one list, and how its entries are drawn.

use leptos::prelude::WithValue;

use crate::app::pane::Pane;
use crate::reactive::{Memo, memo};
use crate::shared::Shared;
use traceloupe_protocol::finding::{Evidence as Seen, Family};
use traceloupe_protocol::outline::FindingLine;
use traceloupe_view::causes::{errors, said_of};
use traceloupe_view::evidence::{self, Evidence};
use traceloupe_view::files_touched::put_back;
use traceloupe_view::finding_list::{Entry, FindingList, Part};
use traceloupe_view::icon::Icon;
use traceloupe_view::list::line_view::Alike;
use traceloupe_view::outline::Outline;
use traceloupe_words::counts;
use traceloupe_words::findings::Said;
use traceloupe_words::page::findings as text;

/// The findings of the chosen run.
pub type Found = Memo<Shared<FindingList>>;

/// All findings of the chosen run: those of the outline, and those derived from later responses.
pub fn found(pane: Pane) -> Found {
    memo(move || {
        let run = pane.run.get();
        let outline = pane.trace.outline.get();
        let statistics = pane.trace.statistics;
        let causes = statistics.causes.get();
        let mut own = Vec::from_iter(pane.longest.get());
        own.extend(errors(&outline, run, &causes));
        own.extend(pane.compactions.get());
        own.extend(statistics.files.with(|found| put_back(&outline, run, found)));
        let of = |muted: &_| FindingList::new(outline.arc(), run, own, &causes, muted);
        Shared::new(statistics.muted.with_value(of))
    })
}

/// The description of a finding, with what was called.
pub fn said_of_line(pane: Pane, outline: &Outline, line: &FindingLine) -> Said {
    let path = if let Seen::Edits { path } = &line.evidence {
        pane.short_path(path, usize::MAX)
    } else {
        String::new()
    };
    said_of(outline, line, &pane.trace.statistics.causes.get(), &path)
}

/// The description of an entry.
pub fn said(pane: Pane, list: &FindingList, entry: &Entry) -> Said {
    let Some(line) = list.first(entry) else { return Said::default() };
    let mut said = said_of_line(pane, list.outline(), line);
    if entry.findings.len() > 1 {
        said.headline = said.headline.text(text::places(entry.findings.len()));
    }
    said
}

/// The severity of a finding, as a style word.
pub fn tone(line: &FindingLine) -> &'static str {
    match line.rule.family() {
        _ if line.is_muted => "info",
        Family::Failures => "error",
        Family::InRow
        | Family::Apart
        | Family::Reported
        | Family::Context
        | Family::Edits
        | Family::Time => line.severity.id(),
    }
}

/// The icon of the entries of a part.
pub fn sign(part: Part) -> Icon {
    match part {
        Part::Errors => Icon::Error,
        Part::Longest => Icon::Slow,
        Part::Compactions => Icon::Compaction,
        Part::RevertedEdits => Icon::Edit,
        Part::Loops | Part::Reported | Part::Quiet => Icon::Loop,
    }
}

/// The places where an entry was found.
pub fn alike(list: &FindingList, entry: &Entry) -> Alike {
    let rows = list.rows(entry);
    let first = rows.first().copied().unwrap_or(0);
    let before = list.outline().run_of(first).map_or(0, |(_, run)| run.first_row);
    let is_same = list.first(entry).is_some_and(FindingLine::has_same_args);
    let words = text::like_event(is_same, first.saturating_sub(before) + 1);
    Alike { rows, words }
}

/// The evidence for an entry.
pub fn evidence_of(pane: Pane, list: &FindingList, entry: &Entry) -> Evidence {
    let causes = pane.trace.statistics.causes.get();
    pane.trace.costs.with(|costs| evidence::of(list.outline(), &list.lines(entry), costs, &causes))
}

/// The heading of a part, with the number of its entries and of the findings that they represent.
pub fn heading(pane: Pane, list: &FindingList, part: Part) -> String {
    let n = list.of(part).count();
    let run = pane.run.get();
    let outline = list.outline();
    match part {
        Part::Loops => {
            let all: usize = list.of(part).map(|entry| entry.findings.len()).sum();
            text::heading_of_kinds(text::LOOPS_HEADING, n, all as u64)
        }
        Part::Reported => text::heading(text::REPORTED_HEADING, n),
        Part::Errors => {
            let all = outline.runs.get(run as usize).map_or(0, |it| it.counts.errors);
            let rows = |entry: &Entry| list.first(entry).map_or(0, |it| u64::from(it.rows.len()));
            let listed: u64 = list.of(part).map(rows).sum();
            let muted: u64 = list.muted().filter(|it| it.part == part).map(rows).sum();
            let causes = pane.trace.statistics.causes.get();
            let known = listed + causes.n_left_out;
            // Errors that were not examined may have been fixed or not.
            let never = |entry: &Entry| list.first(entry).map_or(0, FindingLine::n_never_fixed);
            let n_never = if causes.n_left_out > 0 { 0 } else { list.of(part).map(never).sum() };
            match causes.run == run && known + muted < all {
                true => text::heading_of_errors(text::OTHER_ERRORS, n, known, n_never),
                false => {
                    let shown = all.saturating_sub(muted);
                    text::heading_of_errors(text::ERRORS_HEADING, n, shown, n_never)
                }
            }
        }
        Part::Longest => text::LONGEST_HEADING.to_owned(),
        Part::Compactions => text::heading(text::COMPACTIONS_HEADING, n),
        Part::RevertedEdits => text::heading(text::PUT_BACK_HEADING, n),
        Part::Quiet => counts::quiet_findings(n as u64),
    }
}
