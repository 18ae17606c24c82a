//! The summary of opened files, as values.

use traceloupe_core::model::directory_of;
use traceloupe_core::text::directory::relative;
use traceloupe_core::warning_code::WarningCode;
use traceloupe_protocol::finding::Evidence;
use traceloupe_protocol::outline::RunLine;
use traceloupe_session::store::Store;
use traceloupe_view::causes::said_of;
use traceloupe_view::finding_list::{Entry, FindingList, Part};
use traceloupe_view::outline::Outline;
use traceloupe_view::problems::problems;
use traceloupe_words::summary::{ErrorLine, FoundLine, RunSummary, Summary};

use crate::brief::Known;
use crate::opened::Opened;

/// The summary of all listed runs.
pub fn summary<S: Store>(opened: &mut Opened<S>) -> Summary {
    let runs = opened.listed_runs();
    let mut summary = Summary {
        problems: problems(opened.outline()),
        warnings: warnings(opened.outline()),
        ..Summary::default()
    };
    for run in runs {
        let known = opened.known(run);
        let brief = opened.brief_with(run, &known);
        let outline = opened.outline();
        let Some(line) = outline.runs.get(run as usize) else { continue };
        summary.runs.push(RunSummary {
            key: line.key.clone(),
            brief,
            n_events: line.given.unwrap_or(line.counts).events,
            knows_repairs: known.causes.n_left_out == 0,
            duration_ms: line.duration_ms,
            active_ms: line.active_ms(),
            findings: found(outline, &known, line),
            errors: errors(outline, &known, line),
        });
    }
    summary
}

fn warnings(outline: &Outline) -> Vec<(WarningCode, u64)> {
    let warnings = outline.warnings.iter().filter(|it| !it.is_remark());
    warnings.map(|it| (it.code, it.count)).collect()
}

/// The numbers of the events of an entry.
fn events(list: &FindingList, entry: &Entry, first_row: u32) -> Vec<u32> {
    list.rows(entry).into_iter().map(|row| row.saturating_sub(first_row) + 1).collect()
}

fn found(outline: &Outline, known: &Known, run: &RunLine) -> Vec<FoundLine> {
    let list = &known.findings;
    let entries = list.entries().iter().filter(|entry| entry.part != Part::Errors);
    let found = entries.filter_map(|entry| {
        let line = list.first(entry)?;
        let path = match &line.evidence {
            Evidence::Edits { path } => relative(path, directory_of(&run.facts)),
            Evidence::Steps(_)
            | Evidence::Report { .. }
            | Evidence::Failures(_)
            | Evidence::Context { .. }
            | Evidence::Time { .. } => "",
        };
        Some(FoundLine {
            rule: line.rule,
            severity: line.severity,
            is_loud: line.is_loud(),
            said: said_of(outline, line, &known.causes, path),
            n_places: entry.findings.len() as u64,
            events: events(list, entry, run.first_row),
        })
    });
    found.collect()
}

fn errors(outline: &Outline, known: &Known, run: &RunLine) -> Vec<ErrorLine> {
    let list = &known.findings;
    let entries = list.entries().iter().filter(|entry| entry.part == Part::Errors);
    let errors = entries.filter_map(|entry| {
        let line = list.first(entry)?;
        let Evidence::Failures(group) = &line.evidence else { return None };
        Some(ErrorLine {
            said: said_of(outline, line, &known.causes, ""),
            n: group.count,
            n_never_fixed: if group.worked_in_the_end { 0 } else { group.n_never_fixed },
            events: events(list, entry, run.first_row),
        })
    });
    errors.collect()
}
