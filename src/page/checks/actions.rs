//! The check against expected calls, TraceSummaries, and runs in the formats of other programs.

use crate::app::notice;
use crate::app::notice::say;
use crate::app::page::{Dialog, Page};
use crate::app::pane::Pane;
use crate::app::trace::Trace;
use crate::pane::actions::go_in;
use crate::pane::actions::go_to;
use crate::pane::tabs::show_list;
use crate::shared::Shared;
use crate::state::export::Preview;
use traceloupe_protocol::messages::{
    ExportRequest, Problem, Report, Request, Spelling, TraceSummary,
};
use traceloupe_words::page::checks as text;

/// Checks the displayed run against expectations. The response opens the list of hits and misses.
pub fn check(pane: Pane, text: String) {
    let ticket = pane.trace.tickets.next();
    let run = pane.run.get_untracked();
    pane.trace.checks.text.set(text.clone());
    pane.trace.checks.fault.set(None);
    pane.trace.checks.ticket.set(Some(ticket));
    pane.trace.send(&Request::Check(run, text, ticket));
}

/// Puts expectations into the field of the dialog.
pub fn put_expectations(trace: Trace, text: String) {
    trace.checks.text.set(text);
    trace.checks.fault.set(None);
}

/// Takes the result of a check.
pub(crate) fn checked(pane: Pane, ticket: u32, report: Report) {
    if pane.trace.checks.ticket.get_untracked() != Some(ticket) {
        return;
    }
    pane.trace.checks.ticket.set(None);
    let (hits, misses) = report.counts();
    let marks = report.marks().into_iter().map(|(event, hits, misses)| (event, (hits, misses)));
    pane.trace.checks.marks.set(Shared::new(marks.collect()));
    pane.trace.checks.report.set(Some(Shared::new(report)));
    // Both lists use the same space.
    pane.search.list_is_open.set(false);
    pane.trace.checks.list_is_open.set(true);
    show_list(pane);
    if pane.page.dialog.get_untracked() == Some(Dialog::Check) {
        pane.page.dialog.set(None);
    }
    say(pane.page, &text::checked(hits, misses));
}

/// Takes the problem of a check. Returns whether the ticket belongs to a check.
pub(crate) fn check_failed(trace: Trace, ticket: u32, problem: &Problem) -> bool {
    let is_check = trace.checks.ticket.get_untracked() == Some(ticket);
    if is_check {
        trace.checks.ticket.set(None);
        trace.checks.fault.set(Some(problem.clone()));
    }
    is_check
}

/// Removes the result of a check, and the marks on the rows.
pub fn clear_checks(trace: Trace) {
    trace.checks.ticket.set(None);
    trace.checks.fault.set(None);
    trace.checks.report.set(None);
    trace.checks.marks.set(Shared::default());
    trace.checks.list_is_open.set(false);
}

/// Drops the TraceSummaries, because more has been read.
pub(crate) fn forget_summaries(trace: Trace) {
    trace.statistics.summaries.set(std::collections::HashMap::new());
}

/// Goes to the event of a hit or miss.
pub fn go_to_event(pane: Pane, event: u32) {
    let row = pane.trace.outline.with_untracked(|outline| outline.rows.row_of(event));
    match row {
        Some(row) => go_to(pane, row),
        None => say(pane.page, text::NO_ROW),
    }
}

/// Goes to the next or previous row with a hit or a miss.
pub fn next_mark(pane: Pane, forward: bool) {
    let outline = pane.trace.outline.get_untracked();
    let marks = pane.trace.checks.marks.get_untracked();
    let mut rows: Vec<u32> = marks.keys().filter_map(|id| outline.rows.row_of(*id)).collect();
    traceloupe_core::sorting::sort(&mut rows);
    go_in(pane, rows.into_iter(), forward, text::CHECKED_CALL);
}

/// Requests the TraceSummary of the displayed run, unless it is available.
pub fn want_summary(pane: Pane) {
    let run = pane.run.get_untracked();
    if pane.trace.statistics.summaries.with_untracked(|known| !known.contains_key(&run)) {
        pane.trace.send(&Request::Summary(run));
    }
}

/// Takes the TraceSummary of a run.
pub(crate) fn take_summary(trace: Trace, run: u32, summary: TraceSummary) {
    trace.statistics.summaries.update(|known| {
        known.insert(run, Shared::new(summary));
    });
}

/// Copies a TraceSummary in AgentV's format.
pub fn copy_summary(page: Page, summary: &TraceSummary, spelling: Spelling) {
    notice::copy(page, &summary.json(spelling), text::TRACESUMMARY_COPIED);
}

/// Requests the beginning of the run in another format.
pub fn want_export_preview(trace: Trace, wanted: ExportRequest) {
    let ticket = trace.tickets.next();
    trace.export.preview.set(Some(Preview { ticket, text: None }));
    trace.send(&Request::ExportPreview(wanted, ticket));
}

/// Takes the beginning of the run in another format.
pub(crate) fn take_export_preview(trace: Trace, ticket: u32, text: String, is_whole: bool) {
    trace.export.preview.update(|preview| {
        if let Some(preview) = preview
            && preview.ticket == ticket
        {
            preview.text = Some((text, is_whole));
        }
    });
}

/// Requests the run in another format, as a download.
pub fn save_run(trace: Trace, wanted: ExportRequest) {
    let ticket = trace.tickets.next_saved();
    say(trace.page, text::PREPARING_THE_FILE);
    trace.send(&Request::ExportRun(wanted, ticket));
}
