//! The chosen view of a trace, which is part of the link.

use crate::app::notice::say;
use crate::app::page::Dialog;
use crate::app::pane::{Pane, form_by_default, kept_form};
use crate::browser;
use crate::pane;
use crate::pane::places;
use traceloupe_protocol::route::{BRIEF, COMPARE, FILES, RUNS, Route, STATISTICS};
use traceloupe_view::list::form::{ListForm, is_conversation};
use traceloupe_view::statistics::has_calls;
use traceloupe_words::page::shell as text;

/// A trace with at least this many runs opens as the table of its runs.
const TABLE_FROM_RUNS: usize = 4;

/// Storage key of whether several runs were last shown as a table or one at a time.
const SEVERAL_RUNS: &str = "several";

/// Chooses how the rows are drawn, and remembers it for other runs of this kind.
pub fn choose_form(pane: Pane, form: ListForm) {
    let is_conversation = pane.trace.outline.with_untracked(|outline| {
        let run = outline.runs.get(pane.run.get_untracked() as usize);
        run.is_some_and(|run| is_conversation(outline, run))
    });
    browser::store(kept_form(is_conversation), form.id());
    keep_for_several(pane, form.id());
    let is_default = form == form_by_default(pane.page, is_conversation);
    choose_tab(pane, if is_default { "" } else { form.id() });
}

/// Draws the rows in a form, if the run supports it.
pub fn show_as(pane: Pane, form: ListForm) {
    let is_offered = pane.trace.outline.with_untracked(|outline| {
        let run = outline.runs.get(pane.run.get_untracked() as usize);
        run.is_some_and(|run| form.is_offered(run))
    });
    if is_offered {
        choose_form(pane, form);
    } else {
        say(pane.page, text::NOT_OFFERED);
    }
}

/// Chooses the table of all runs, and remembers it for other traces with several runs.
pub fn choose_runs(pane: Pane) {
    keep_for_several(pane, RUNS);
    pane.begins_with_runs.set(false);
    choose_tab(pane, RUNS);
}

fn keep_for_several(pane: Pane, id: &str) {
    if has_several(pane) {
        browser::store(SEVERAL_RUNS, id);
    }
}

fn has_several(pane: Pane) -> bool {
    pane.trace.outline.with_untracked(|outline| outline.n_listed() >= TABLE_FROM_RUNS)
}

/// Shows the table of several runs that have just been read, unless the link or the user has chosen something else.
pub(crate) fn begin_with_runs(pane: Pane) {
    let is_chosen = pane.page.route.with_untracked(|route| {
        route.run.is_some()
            || route.sel.is_some()
            || route.agent.is_some()
            || route.filter.is_some()
    });
    let is_own = |tab: &String| tab.is_empty() || (tab == BRIEF && begins_with_brief(pane));
    let is_chosen = is_chosen
        || pane.page.is_embedded()
        || pane.selected.with_untracked(Option::is_some)
        || !pane.tab.with_untracked(is_own)
        || browser::stored(SEVERAL_RUNS).is_some_and(|kept| kept != RUNS);
    if !is_chosen && has_several(pane) {
        pane.begins_with_runs.set(true);
        pane.tab.set(RUNS.to_owned());
    }
}

/// On a narrow screen, hides panels that would cover a view.
pub fn uncover(pane: Pane) {
    if browser::is_narrow() {
        pane.shows_side.set(false);
        pane.lists_findings.set(false);
    }
}

/// Chooses the statistics, if the run has calls.
pub fn choose_statistics(pane: Pane) {
    choose_of_calls(pane, STATISTICS);
}

/// Chooses the brief, if the run has calls.
pub fn choose_brief(pane: Pane) {
    choose_of_calls(pane, BRIEF);
}

/// Chooses a view about the calls of the run, if it has any.
fn choose_of_calls(pane: Pane, id: &str) {
    let has_calls = pane.trace.outline.with_untracked(|outline| {
        outline.runs.get(pane.run.get_untracked() as usize).is_some_and(has_calls)
    });
    if has_calls {
        uncover(pane);
        choose_tab(pane, id);
    } else {
        say(pane.page, text::NOT_OFFERED);
    }
}

/// Compares the run with another one. If there is none, offers to open one.
pub fn compare_runs(pane: Pane) {
    let has_others = pane.trace.outline.with_untracked(|outline| outline.n_listed() > 1);
    if has_others {
        uncover(pane);
        choose_tab(pane, COMPARE);
    } else if pane.page.is_embedded() {
        say(pane.page, text::NOT_OFFERED);
    } else {
        pane.page.dialog.set(Some(Dialog::Open));
    }
}

/// Handles a key in the view that is shown instead of the rows. Moves to the next or previous run, file, repeatedly
/// changed file, step, or difference, or marks a run for comparison.
pub fn moved_in_view(pane: Pane, key: &str) -> bool {
    // The key press may choose another view.
    let tab = pane.tab.get_untracked();
    let button = match (tab.as_str(), key) {
        (RUNS, "x") => ".runs__run:focus-within .runs__mark",
        (COMPARE, "J") => ".pairs__next",
        (COMPARE, "K") => ".pairs__previous",
        _ => "",
    };
    if !button.is_empty() {
        browser::press(button);
        return true;
    }
    let lines = match (tab.as_str(), key) {
        (RUNS, "j" | "k") => ".runs__run button",
        (FILES, "j" | "k") => ".touch__head",
        (FILES, "J" | "K") => "[data-again=true] .touch__head",
        (COMPARE, "j" | "k") => ".pairs__list button",
        _ => "",
    };
    // A link may name a view that has no lines.
    !lines.is_empty() && browser::focus_next(lines, matches!(key, "j" | "J"))
}

/// Compares two runs.
pub fn compare_two(pane: Pane, (first, second): (u32, u32)) {
    // While the first run is being chosen, the second one must not change with it.
    pane.trace.statistics.compared_with.set(Some(second));
    pane::actions::choose_run(pane, first);
    choose_tab(pane, COMPARE);
}

/// Shows the list of rows, if another view covers it.
pub(crate) fn show_list(pane: Pane) {
    let covers = |id: &String| !id.is_empty() && ListForm::from_id(id).is_none();
    if pane.tab.with_untracked(covers) {
        choose_tab(pane, "");
    }
}

/// Chooses a view by id, and puts it into the link.
pub fn choose_tab(pane: Pane, id: &str) {
    if pane.tab.with_untracked(|tab| tab == id) {
        return;
    }
    places::leave(pane);
    pane.tab.set(id.to_owned());
    let fragment = Route::parse(&browser::fragment()).with_tab(id);
    browser::replace_fragment(&fragment);
    let mut route = Route::parse(&fragment);
    route.sel = pane.page.route.with_untracked(|old| old.sel.clone());
    pane.page.route.set(route);
}

/// Chooses the view named in the link, when a trace is first shown.
pub(crate) fn take_from_link(pane: Pane) {
    if let Some(tab) = pane.page.route.with_untracked(|route| route.tab.clone()) {
        pane.tab.set(tab);
    } else if begins_with_brief(pane) {
        pane.tab.set(BRIEF.to_owned());
    }
}

/// Whether the first view is the brief: a file with its own trace is a report, and what its reader looks for first is
/// what came of the run. A link to an event, a run or rows leads to the rows.
fn begins_with_brief(pane: Pane) -> bool {
    pane.trace.opening.is_in_html()
        && !pane.page.is_embedded()
        && pane.page.route.with_untracked(|route| {
            route.sel.is_none()
                && route.run.is_none()
                && route.agent.is_none()
                && route.filter.is_none()
                && route.query.is_empty()
        })
}
