//! Expectations of the run, TraceSummaries, and runs in the forms of other programs.

use leptos::prelude::*;

use crate::app::dialog;
use crate::app::files;
use crate::app::notice;
use crate::app::notice::say;
use crate::app::state::{AppState, Dialog, Shared};
use crate::app::worker::send;
use crate::pane::actions::go_in;
use crate::pane::actions::go_to;
use traceloupe::view::wire::protocol::{
    ConvertRequest, Problem, Report, Request, Spelling, TraceSummary,
};
use traceloupe::view::words;

/// Holds the run that is shown against expectations; the answer opens the list of hits and misses.
pub fn check(state: AppState, text: String) {
    let ticket = files::ticket();
    let run = state.run.get_untracked();
    state.checks.text.set(text.clone());
    state.checks.fault.set(None);
    state.checks.ticket.set(Some(ticket));
    send(&Request::Check(run, text, ticket));
}

/// Puts expectations into the field of the dialog: they were dropped.
pub fn put_expectations(state: AppState, text: String) {
    state.checks.text.set(text);
    state.checks.fault.set(None);
}

/// What came of expectations.
pub(crate) fn checked(state: AppState, ticket: u32, report: Report) {
    if state.checks.ticket.get_untracked() != Some(ticket) {
        return;
    }
    state.checks.ticket.set(None);
    let (hits, misses) = report.counts();
    let marks = report.marks().into_iter().map(|(event, hits, misses)| (event, (hits, misses)));
    state.checks.marks.set(Shared::new(marks.collect()));
    state.checks.report.set(Some(Shared::new(report)));
    // Both lists stand in the same place.
    state.search.list_is_open.set(false);
    state.checks.list_is_open.set(true);
    if state.dialog.get_untracked() == Some(Dialog::Check) {
        dialog::set_dialog(state, None);
    }
    let hits = words::counted(hits, "hit", "hits");
    say(state, &format!("{hits}, {}", words::counted(misses, "miss", "misses")));
}

/// Takes the problem of a check. Returns whether the ticket was that of a check.
pub(crate) fn check_failed(state: AppState, ticket: u32, problem: &Problem) -> bool {
    let is_check = state.checks.ticket.get_untracked() == Some(ticket);
    if is_check {
        state.checks.ticket.set(None);
        state.checks.fault.set(Some(problem.clone()));
    }
    is_check
}

/// Takes the results of a check away, and the marks on the rows.
pub fn clear_checks(state: AppState) {
    state.checks.ticket.set(None);
    state.checks.fault.set(None);
    state.checks.report.set(None);
    state.checks.marks.set(Shared::default());
    state.checks.list_is_open.set(false);
}

/// Another trace is opened: what was found in the old one is of no use. The expectations stay in the
/// field, for the next run may be held against them as well.
pub(crate) fn forget(state: AppState) {
    clear_checks(state);
    forget_summaries(state);
    state.export_preview.set(None);
}

/// More has been read: runs are to be summed up anew.
pub(crate) fn forget_summaries(state: AppState) {
    state.summaries.set(std::collections::HashMap::new());
}

/// Goes to the event of a hit or miss.
pub fn go_to_event(state: AppState, event: u32) {
    let row = state.outline.with_untracked(|outline| outline.rows.row_of(event));
    match row {
        Some(row) => go_to(state, row),
        None => say(state, "The event is not among the rows"),
    }
}

/// Goes to the next or previous row with a hit or a miss.
pub fn next_mark(state: AppState, forward: bool) {
    let outline = state.outline.get_untracked();
    let marks = state.checks.marks.get_untracked();
    let mut rows: Vec<u32> = marks.keys().filter_map(|id| outline.rows.row_of(*id)).collect();
    traceloupe::order::sort(&mut rows);
    go_in(state, rows.into_iter(), forward, "checked call");
}

/// Asks for the TraceSummary of the run that is shown, unless it is known.
pub fn want_summary(state: AppState) {
    let run = state.run.get_untracked();
    if state.summaries.with_untracked(|known| !known.contains_key(&run)) {
        send(&Request::Summary(run));
    }
}

/// The TraceSummary of a run is here.
pub(crate) fn take_summary(state: AppState, run: u32, summary: TraceSummary) {
    state.summaries.update(|known| {
        known.insert(run, Shared::new(summary));
    });
}

/// Copies a TraceSummary as AgentV writes it.
pub fn copy_summary(state: AppState, summary: &TraceSummary, spelling: Spelling) {
    notice::copy(state, &summary.json(spelling), "TraceSummary copied");
}

/// Asks for the beginning of the run in another form.
pub fn want_export_preview(state: AppState, wanted: ConvertRequest) {
    let ticket = files::ticket();
    state.export_preview.set(Some((ticket, None)));
    send(&Request::ConvertPreview(wanted, ticket));
}

/// The beginning of the run in another form is here.
pub(crate) fn take_export_preview(state: AppState, ticket: u32, text: String, is_whole: bool) {
    state.export_preview.update(|preview| {
        if let Some((wanted, shown)) = preview
            && *wanted == ticket
        {
            *shown = Some((text, is_whole));
        }
    });
}

/// Asks for the run in another form, as a download.
pub fn save_run(state: AppState, wanted: ConvertRequest) {
    let ticket = files::saved_ticket();
    say(state, "Preparing the file");
    send(&Request::Convert(wanted, ticket));
}
