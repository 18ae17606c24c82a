//! The outline of the data read by the worker. It arrives in slices, and is shown when it is complete.

use leptos::prelude::*;

use crate::app::notice::say;
use crate::app::pane::{Pane, Wanted};
use crate::app::trace::{Phase, Trace};
use crate::checks;
use crate::opening::deferred_outline;
use crate::opening::loading;
use crate::opening::other_windows;
use crate::opening::spare_worker;
use crate::pane;
use crate::pane::actions::open_by_mode;
use crate::pane::links;
use crate::pane::tabs;
use crate::search;
use crate::shared::Shared;
use crate::timeline::previews;
use traceloupe_core::model::CallOutcome;
use traceloupe_core::sorting;
use traceloupe_protocol::messages::{Problem, Request};
use traceloupe_protocol::outline::OutlineHead;
use traceloupe_protocol::row_columns::RowSlice;
use traceloupe_view::assembly::{Assembly, with_rows};
use traceloupe_view::list::visible_lines::Line;
use traceloupe_view::muted;
use traceloupe_view::outline::Outline;
use traceloupe_view::problems::problems;
use traceloupe_words::page::opening as text;

/// Takes the beginning of an outline. Its rows arrive in separate messages.
pub(crate) fn begin(pane: Pane, outline: OutlineHead) {
    if outline.keeps_rows {
        let rows = pane.trace.outline.get_untracked().rows.clone();
        return show(pane, with_rows(outline, rows));
    }
    take(pane, Assembly::new(outline));
}

/// Takes the next rows. Each slice is a separate task, so that the browser can draw between them.
pub(crate) fn append(pane: Pane, rows: &RowSlice) {
    let assembly = pane.trace.opening.assembly.try_update_value(Option::take).flatten();
    if let Some(mut assembly) = assembly {
        assembly.append(rows);
        take(pane, assembly);
    }
}

fn take(pane: Pane, assembly: Assembly) {
    if assembly.is_complete() {
        show(pane, assembly.finish());
    } else {
        pane.trace.opening.assembly.set_value(Some(assembly));
    }
}

fn show(pane: Pane, mut outline: Outline) {
    pane.trace.statistics.muted.with_value(|keys| muted::apply(&mut outline, keys));
    loading::show(pane.trace);
    let is_first = !pane.trace.has_rows_untracked();
    let complete = outline.complete;
    // Rows may have moved while more was read, so state stored by row moves with its event.
    let old = pane.trace.outline.get_untracked();
    let outline = Shared::new(outline);
    let run_to_read_before = outline.same_run(&old, old.run_to_read());
    if !is_first {
        move_rows(pane, &old, &outline);
    }
    if !is_first && (complete || outline.is_live) {
        // A call may have its result by now, so displayed summaries are requested again.
        previews::ask_again(pane.trace);
        ask_details_again(pane.trace, &outline);
    }
    // The first run with events is shown.
    if is_first {
        pane.choice.update(|choice| choice.run = outline.run_to_read());
        tabs::take_from_link(pane);
        open_by_mode(pane);
    }
    // The first run may turn out to be one whose content is in the tabs, or one that is not an agent's run. In that
    // case the agent's run is shown, unless the user has already selected something.
    let run = pane.run.get_untracked();
    let wanted = outline.run_to_read();
    if !is_first
        && run != wanted
        && Some(run) == run_to_read_before
        && pane.selected.with_untracked(Option::is_none)
    {
        pane::actions::show_run(pane, wanted);
    }
    pane.trace.outline.set(outline.clone());
    deferred_outline::follow(pane.trace, is_first);
    search::actions::rows_moved(pane);
    checks::actions::forget_summaries(pane.trace);
    if !complete {
        return;
    }
    let was_loading = matches!(pane.trace.phase.get_untracked(), Phase::Loading(_));
    pane.trace.phase.set(Phase::Ready);
    if was_loading {
        let mut shown = problems(&outline);
        shown.append(&mut pane.trace.later_problems.get_value());
        pane.trace.later_problems.set_value(Vec::new());
        if let Some(key) = pane.page.route.with_untracked(|route| route.run.clone())
            && !pane::actions::show_linked_run(pane, &key)
        {
            shown.push(Problem::RunNotFound(key));
        }
        pane.trace.problems.set(shown);
        let linked = pane.page.route.with_untracked(|route| (route.filter.clone(), route.dims));
        if let (Some(filter), dims) = linked {
            pane::filtering::filter_as_linked(pane, &filter, dims);
        }
        let events: u64 = outline.runs.iter().map(|run| run.counts.events).sum();
        let loops = outline.findings.iter().filter(|it| it.is_loud()).count();
        say(pane.page, &text::read(events, loops, outline.stopped));
        let linked =
            pane.page.route.with_untracked(|route| (route.agent.clone(), route.sel.clone()));
        if let Some(agent) = linked.0 {
            links::find(pane, agent, Wanted::Agent);
        }
        if let Some(sel) = linked.1 {
            pane.page.route.update(|route| route.sel = None);
            links::find(pane, sel, Wanted::Event);
        }
        tabs::begin_with_runs(pane);
        other_windows::loaded(pane.trace);
        spare_worker::prepare_later();
    }
}

/// The most opened rows that are requested again. If there are more, their contents are dropped.
const MAX_ASKED_AGAIN: usize = 100;

/// The number of rows at the end of a live trace that may still change.
const LIVE_ROWS: u32 = 30;

/// Requests opened rows again. The old contents stay until the responses arrive, so that nothing flickers.
fn ask_details_again(trace: Trace, outline: &Outline) {
    let mut ids: Vec<u32> =
        trace.contents.details.with_untracked(|known| known.keys().copied().collect());
    // If an event has been merged into another one, that one is requested.
    ids.iter_mut().for_each(|id| *id = outline.present(*id));
    sorting::sort(&mut ids);
    ids.dedup();
    if outline.is_live {
        // Only the last rows, and calls without a result, may have changed.
        let end = outline.n_rows.saturating_sub(LIVE_ROWS);
        ids.retain(|id| {
            let row = outline.row_of(*id).unwrap_or(0);
            row >= end || outline.rows.outcome(row) == CallOutcome::Missing
        });
    }
    if ids.len() > MAX_ASKED_AGAIN {
        trace.contents.details.update(std::collections::HashMap::clear);
    } else {
        ids.into_iter().for_each(|id| trace.send(&Request::Detail(id)));
    }
}

/// Moves state stored by row or by finding. After more has been read, the same event may have another row, and the same
/// repetitions may be another finding.
fn move_rows(pane: Pane, old: &Outline, new: &Outline) {
    let moved = |row: u32| Line::Row(row).moved(old, new).and_then(Line::row);
    pane.opened.update(|opened| *opened = opened.moved(moved));
    pane.heights.update(|heights| {
        *heights = heights.iter().filter_map(|(row, px)| Some((moved(*row)?, *px))).collect();
    });
    pane.said_heights.update(|heights| {
        *heights = heights.iter().filter_map(|(row, px)| Some((moved(*row)?, *px))).collect();
    });
    pane.choice.update(|choice| {
        choice.within = choice.within.and_then(moved);
        choice.run = new.same_run(old, choice.run).unwrap_or_else(|| new.run_to_read());
        choice.toggled = choice.toggled.as_slice().iter().copied().filter_map(moved).collect();
        let unfolded = choice.unfolded.as_slice().iter();
        let again = unfolded.filter_map(|it| match Line::Fold(*it).moved(old, new)? {
            Line::Fold(finding) => Some(finding),
            Line::Row(_) | Line::Notes(_) | Line::Misses(..) => None,
        });
        choice.unfolded = again.collect();
        choice.notes = choice.notes.as_slice().iter().copied().filter_map(moved).collect();
        let shown = choice.shown.iter();
        choice.shown =
            shown.filter_map(|it| Some(moved(it.start)?..moved(it.end - 1)? + 1)).collect();
        choice.unmerged = choice.unmerged.as_slice().iter().copied().filter_map(moved).collect();
    });
    pane.selected.update(|line| *line = line.and_then(|line| line.moved(old, new)));
}
