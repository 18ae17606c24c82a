//! Showing only the rows of one agent, and the link for that.

use crate::app::notice::say;
use crate::app::pane::Pane;
use crate::pane::actions::{go_to_top, renamed, select, show_run};
use crate::pane::places;
use traceloupe_view::list::form::ListForm;
use traceloupe_view::list::scope;
use traceloupe_view::list::visible_lines::{Line, index_of, is_flat, reveal};
use traceloupe_view::run_axis::Zoom;
use traceloupe_words::page::timeline as text;

/// Shows only the rows of the agent that a row starts. The selection stays.
pub fn enter(pane: Pane, row: u32) {
    let outline = pane.trace.outline.get_untracked();
    let Some(agent) = outline.agents.at(row) else { return };
    places::leave(pane);
    let run = outline.run_of(row).map(|(run, _)| run);
    if let Some(run) = run.filter(|run| *run != pane.run.get_untracked()) {
        show_run(pane, run);
    }
    pane.choice.update(|choice| choice.within = Some(row));
    pane.flame.zoom.set(Zoom::default());
    settle(pane, row);
    say(pane.page, &text::only_the_agent(&scope::name(&outline, agent)));
}

/// Shows the rows of the run again, or those of the agent that an enclosing row starts.
pub fn leave(pane: Pane, to: Option<u32>) {
    let Some(left) = pane.choice.with_untracked(|choice| choice.within) else { return };
    places::leave(pane);
    // In a timeline, rows around the selection stay expanded.
    let selected = pane.selected.get_untracked().and_then(Line::row);
    let outline = pane.trace.outline.get_untracked();
    pane.choice.update(|choice| {
        choice.within = to;
        let is_timeline = choice.form == ListForm::Timeline && !is_flat(choice);
        if let Some(row) = selected.filter(|_| is_timeline) {
            *choice = reveal(&outline, choice, row);
        }
    });
    match to {
        Some(row) => enter(pane, row),
        None => {
            pane.flame.zoom.set(Zoom::default());
            name_agent(pane, None);
            say(pane.page, text::WHOLE_RUN);
        }
    }
    settle(pane, left);
}

/// Keeps the selected line in view, or selects the row of an agent if that line is no longer shown.
fn settle(pane: Pane, row: u32) {
    let outline = pane.trace.outline.get_untracked();
    let selected = pane.selected.get_untracked();
    let is_shown =
        |line: &Line| pane.lines.with_untracked(|lines| index_of(&outline, lines, *line).is_ok());
    let line = selected.filter(is_shown).unwrap_or(Line::Row(row));
    if pane.choice.with_untracked(|choice| choice.within) == line.row() {
        pane.selected.set(Some(line));
        go_to_top(pane);
    } else {
        select(pane, line);
    }
}

/// Puts an agent into the link, or removes it.
pub(crate) fn name_agent(pane: Pane, sel: Option<&str>) {
    if pane.page.route.with_untracked(|route| route.agent.as_deref() != sel) {
        let fragment = pane.page.route.with_untracked(|route| route.with_agent(sel));
        renamed(pane, &fragment);
    }
}
