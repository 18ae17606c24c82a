//! Everything that changes the state of the page. Components call these; nothing else writes.

use std::cell::RefCell;
use std::collections::HashMap;

use leptos::prelude::*;
use wasm_bindgen::JsValue;

pub use crate::annotations::annotating::{
    begin_annotation, cancel_annotation, delete_annotation, edit_annotation, export_annotations,
    next_annotation, save_annotation, show_annotation, vote, watch_annotations,
};
use crate::browser;
pub use crate::checks::check_actions::{
    check, clear_checks, copy_summary, go_to_event, next_mark, put_expectations, save_run,
    want_export_preview, want_summary,
};
use crate::client::{Client, Heard};
pub use crate::event::tabs::choose_tab;
pub use crate::event::value_actions::{
    forget_image, forget_more, image_of, more_of, save_value, want_image, want_more,
};
use crate::opening::boot;
use crate::opening::following;
pub use crate::opening::live::{begun, is_given_up, keep_pace, push, push_end, reads};
use crate::opening::messages;
use crate::opening::openings::{self, Opening};
use crate::opening::spare;
pub use crate::replay::replaying::{
    close_replay, play_on, play_or_pause, seek_replay, set_replay_idle, set_replay_speed,
    step_replay, toggle_replay,
};
pub use crate::search::search_actions::{
    clear_search, hits_in_words, next_hit, search, show_hit, toggle_hits,
};
use crate::shell::state::{AppState, Dialog, Loading, Phase, Prefs, Shared};
pub(crate) use crate::timeline::moving::open_by_mode;
pub use crate::timeline::moving::{
    choose_run, clear_filter, go_in, go_to, jump, link_to_run, open_body, select, select_here,
    set_all, set_mode, toggle_body, toggle_errors, toggle_fold, toggle_kind, toggle_loops,
    toggle_name, toggle_nested,
};
pub use crate::timeline::previews::want_previews;
use traceloupe::view::page::opened::Opened;
use traceloupe::view::page::rows::Choice;
use traceloupe::view::route::Tab;
use traceloupe::view::wire::protocol::{
    LoopSettings, Memory, OpenRequest, Problem, Request, Response,
};

thread_local! {
    /// The worker that holds the open trace. There is one page, so there is one.
    pub(crate) static WORKER: RefCell<Option<Client>> = const { RefCell::new(None) };
    /// Problems that wait for the end of loading to be shown.
    pub(crate) static LATER: RefCell<Vec<Problem>> = const { RefCell::new(Vec::new()) };
}

thread_local! {
    /// Of which run statistics were asked for last; `None` for all.
    static STATISTICS_OF: std::cell::Cell<Option<u32>> = const { std::cell::Cell::new(None) };
}

/// Asks for the statistics of a run, or of all.
pub fn want_statistics(state: AppState, run: Option<u32>) {
    STATISTICS_OF.set(run);
    state.statistics.set(None);
    send(&Request::Statistics(run));
}

pub(crate) fn send(request: &Request) {
    WORKER.with_borrow(|worker| {
        if let Some(worker) = worker {
            worker.send(request, &[]);
        }
    });
}

/// Opens files in place of what was open. The old trace can be had again with the browser's Back.
pub fn open(state: AppState, opening: Opening) {
    if opening.files.is_empty() {
        return;
    }
    let mut opening = opening;
    // The link's own wish for a format is for the first trace that is opened with it.
    let wanted = state.route.with_untracked(|route| route.format.clone());
    if opening.format.is_none() && wanted.is_some() {
        opening.format = wanted;
        state.route.update(|route| route.format = None);
    }
    // What still comes is remembered when it is here.
    let remembered = opening.grows.is_none().then(|| opening.clone());
    start(state, opening);
    if let Some(opening) = remembered {
        openings::remember(&opening);
    }
}

/// Opens files without a new entry in the browser's history.
pub fn start(state: AppState, opening: Opening) {
    leave(state);
    // The worker reads while the page makes room.
    let begun = state.sealed.get_untracked().then(|| begin(state, &opening));
    let was_empty = state.phase.get_untracked() == Phase::Empty;
    reset(state);
    messages::displaced(opening.brought_by.clone());
    let loading = Loading {
        what: opening.title(),
        total_bytes: opening.len_bytes(),
        since_ms: browser::now_ms(),
        is_live: opening.grows.is_some_and(|growth| growth.is_live),
        ..Loading::default()
    };
    crate::opening::beginning::enter(state, loading, was_empty && begun.is_some());
    match begun {
        Some(begun) => go_on(state, opening, begun),
        None => begin_when_sealed(state, opening),
    }
}

/// Dropped before the seal is set: the files wait for it.
fn begin_when_sealed(state: AppState, opening: Opening) {
    let turn = openings::turn();
    boot::when_sealed(move || {
        // Cancelled or replaced while the seal was waited for: then it is no longer wanted.
        if openings::turn() == turn {
            let begun = begin(state, &opening);
            go_on(state, opening, begun);
        }
    });
    watch_completeness(state);
}

/// Says so when some of the page's code cannot be loaded: nothing can be read without it.
pub fn watch_completeness(state: AppState) {
    boot::when_incomplete(move |remedy, error| {
        fail(
            state,
            Problem {
                code: "incomplete".to_owned(),
                what: "A part of this page did not arrive".to_owned(),
                next: remedy.trim_end_matches('.').to_owned(),
                details: browser::error_words(&error),
            },
        );
    });
}

/// Tells a worker to read the files.
fn begin(state: AppState, opening: &Opening) -> Result<Client, JsValue> {
    let client = Client::new(spare::take()?, move |heard| match heard {
        Heard::Response(response) => answered(state, response),
        Heard::File(Response::File(ticket, file), blob) => {
            crate::event::value_actions::take_file(state, ticket, &file, &blob);
        }
        Heard::File(Response::Grown(index, _), blob) => crate::opening::live::grown(index, &blob),
        Heard::File(..) => {}
        Heard::Crashed(words) => crashed(state, &words),
    });
    let prefs = state.prefs.get_untracked();
    let request = OpenRequest {
        inputs: opening.inputs(),
        format: opening.format.clone(),
        entries: opening.entries.clone(),
        rule: LoopSettings { window: prefs.window, repetitions: prefs.repetitions },
        grows: opening.grows,
    };
    let files: Vec<_> = opening.files.iter().map(|file| file.blob.clone()).collect();
    client.send(&Request::Open(request), &files);
    Ok(client)
}

/// The worker is asked from now on.
fn go_on(state: AppState, opening: Opening, begun: Result<Client, JsValue>) {
    let client = match begun {
        Ok(client) => client,
        Err(error) => return fail(state, no_worker(&browser::error_words(&error))),
    };
    WORKER.set(Some(client));
    state.is_reading.set(true);
    crate::search::search_actions::start(state);
    openings::set_current(opening);
}

fn no_worker(reason: &str) -> Problem {
    Problem {
        code: "worker".to_owned(),
        what: "This browser does not let the page start its reader".to_owned(),
        next: "Open the page in a window of its own, or in another browser".to_owned(),
        details: reason.to_owned(),
    }
}

/// Ends the worker and all it holds.
fn end_worker(state: AppState) {
    crate::opening::live::give_up();
    state.following.set(false);
    WORKER.set(None);
    state.is_reading.set(false);
}

/// Ends all that is still at work for what was open.
fn leave(state: AppState) {
    end_worker(state);
    openings::next_turn();
    boot::give_up();
}

fn reset(state: AppState) {
    state.outline.set(Shared::default());
    let prefs = state.prefs.get_untracked();
    let mode = state.choice.with_untracked(|choice| choice.mode);
    state.choice.set(Choice {
        mode,
        collapse_over_tools: prefs.collapse_over_tools(),
        ..Choice::default()
    });
    state.selected.set(None);
    state.opened.set(Opened::default());
    state.heights.set(HashMap::new());
    close_replay(state);
    crate::opening::arriving::forget();
    crate::timeline::previews::forget(state);
    state.details.set(HashMap::new());
    crate::event::value_actions::forget_all(state);
    state.problems.set(Vec::new());
    LATER.set(Vec::new());
    close_dialog(state);
    crate::search::search_actions::forget(state);
    crate::checks::check_actions::forget(state);
    crate::annotations::annotating::forget(state);
    state.goal.set((0, None));
    state.tab.set(Tab::Inspector);
    state.memory.set(Memory::default());
    state.statistics.set(None);
}

/// Closes what is open; the worker and all it holds end at once.
pub fn close(state: AppState) {
    leave(state);
    reset(state);
    messages::displaced(None);
    openings::forget_current();
    clear_search(state);
    state.title.set(String::new());
    state.phase.set(Phase::Empty);
    spare::prepare();
}

/// Stops reading and closes what has been read so far.
pub fn cancel(state: AppState) {
    if !matches!(state.phase.get_untracked(), Phase::Loading(_)) {
        return;
    }
    close(state);
    say(state, "Stopped");
}

/// Stops reading after the piece under way and keeps what has been read.
pub fn stop(state: AppState) {
    let Phase::Loading(loading) = state.phase.get_untracked() else { return };
    // While an address is fetched there is no reader yet, and nothing to keep.
    if loading.is_stopping || !state.is_reading.get_untracked() {
        return;
    }
    if state.following.get_untracked() {
        return following::stop(state);
    }
    state.phase.set(Phase::Loading(Loading { is_stopping: true, ..loading }));
    say(state, "Stopping: what has been read is kept");
    crate::opening::live::give_up();
    send(&Request::Stop);
}

fn answered(state: AppState, response: Response) {
    match response {
        Response::Progress(bytes, total_bytes, events) => {
            let loading = state.phase.get_untracked();
            if let Phase::Loading(loading) = loading {
                crate::opening::beginning::go_on(
                    state,
                    Loading { bytes, total_bytes, events, ..loading },
                );
            }
        }
        Response::Choose(path, entries) => {
            crate::opening::beginning::show(state);
            state.dialog.set(Some(Dialog::Entries(path, entries)));
        }
        Response::Outline(outline) => crate::opening::arriving::begin(state, *outline),
        Response::Rows(rows) => crate::opening::arriving::append(state, &rows),
        Response::Previews(previews) => crate::timeline::previews::answered(state, previews),
        Response::Detail(detail) => {
            state.details.update(|known| {
                known.insert(detail.id, Shared::new(*detail));
            });
        }
        Response::More(ticket, shown) => {
            crate::event::value_actions::take_more(state, ticket, shown)
        }
        // They come with their Blobs.
        Response::File(..) | Response::Grown(..) => {}
        Response::ConvertPreview(ticket, text, is_whole) => {
            crate::checks::check_actions::take_export_preview(state, ticket, text, is_whole);
        }
        Response::Checked(ticket, report) => {
            crate::checks::check_actions::checked(state, ticket, *report)
        }
        Response::RequestFailed(ticket, problem) => {
            crate::event::value_actions::failed(state, ticket, problem);
        }
        Response::Summary(run, summary) => {
            crate::checks::check_actions::take_summary(state, run, *summary)
        }
        Response::Memory(memory) => state.memory.set(memory),
        Response::Statistics(run, lines) => {
            // An answer for another choice is late.
            if run == STATISTICS_OF.get() {
                state.statistics.set(Some(lines));
            }
        }
        Response::Found(id, note) => found(state, id, note),
        Response::Annotations(list) => crate::annotations::annotating::arrived(state, *list),
        Response::Address(address) => crate::annotations::annotating::addressed(state, address),
        Response::Hits(batch) => crate::search::search_actions::found(state, *batch),
        Response::Failed(problem) => fail(state, problem),
    }
}

/// Shows why nothing can be shown.
pub fn fail(state: AppState, problem: Problem) {
    end_worker(state);
    crate::opening::beginning::show(state);
    messages::failed(state, &problem);
    state.phase.set(Phase::Failed(problem));
}

fn crashed(state: AppState, words: &str) {
    let problem = traceloupe::view::page::crash::crashed(words);
    if state.has_rows_untracked() {
        // The rows that are here stay readable; only what needs the worker is gone.
        end_worker(state);
        messages::failed(state, &problem);
        state.problems.update(|problems| problems.push(problem));
        state.phase.set(Phase::Ready);
    } else {
        fail(state, problem);
    }
}

/// Shows a problem that leaves the page usable.
pub fn report(state: AppState, problem: Problem) {
    state.problems.update(|problems| problems.push(problem));
}

/// Shows a problem once what is loading has been shown: a good file beside a bad address.
pub fn report_later(state: AppState, problem: Problem) {
    LATER.with_borrow_mut(|later| later.push(problem));
    if state.phase.get_untracked() == Phase::Ready {
        state.problems.update(|problems| problems.append(&mut LATER.take()));
    }
}

/// Takes the problems away.
pub fn dismiss_problems(state: AppState) {
    state.problems.set(Vec::new());
}

/// Says something to those who listen to the page.
pub fn say(state: AppState, words: &str) {
    state.said.set(words.to_owned());
}

/// Asks what an opened row shows, unless it is known.
pub fn want_detail(state: AppState, id: u32) {
    if state.details.with_untracked(|known| !known.contains_key(&id)) {
        send(&Request::Detail(id));
    }
}

/// So many opened rows are kept; what others show is read again when they come into sight.
const MAX_DETAILS: usize = 300;

/// Forgets what opened rows show, but for those that are drawn, when there are too many.
pub fn keep_details(state: AppState, drawn: &[u32]) {
    if state.details.with_untracked(HashMap::len) > MAX_DETAILS {
        state.details.update(|known| known.retain(|id, _| drawn.contains(id)));
    }
}

/// Changes what the person has set, and keeps it where storage is allowed.
pub fn set_prefs(state: AppState, change: impl FnOnce(&mut Prefs)) {
    let old = state.prefs.get_untracked();
    let mut new = old.clone();
    change(&mut new);
    browser::store_prefs(&new);
    if new.theme != old.theme {
        browser::set_theme(&new.theme);
    }
    if new.collapse_over_tools() != old.collapse_over_tools() {
        let over = new.collapse_over_tools();
        state.choice.update(|choice| choice.collapse_over_tools = over);
    }
    if (new.window, new.repetitions) != (old.window, old.repetitions) {
        let rule = LoopSettings { window: new.window, repetitions: new.repetitions };
        send(&Request::Rule(rule));
        state.choice.update(|choice| choice.unfolded.clear());
    }
    state.prefs.set(new);
}

/// Changes from the light theme to the dark one, or back, whichever is seen now.
pub fn switch_theme(state: AppState) {
    let is_dark = state.prefs.with_untracked(|prefs| browser::is_dark(&prefs.theme));
    let theme = if is_dark { "light" } else { "dark" };
    set_prefs(state, |prefs| prefs.theme = theme.to_owned());
    say(state, &format!("Theme: {theme}"));
}

/// Puts a dialog over the page, or takes it away.
pub fn set_dialog(state: AppState, dialog: Option<Dialog>) {
    let was_choosing = matches!(state.dialog.get_untracked(), Some(Dialog::Entries(..)));
    close_dialog(state);
    if was_choosing && dialog.is_none() {
        // Nothing was chosen: what was read beside the archive is shown.
        send(&Request::Finish);
    }
    if dialog == Some(Dialog::About) {
        send(&Request::Memory);
    }
    state.dialog.set(dialog);
}

/// Takes a dialog away; a question that it asked is answered with no.
fn close_dialog(state: AppState) {
    if matches!(state.dialog.get_untracked(), Some(Dialog::Trust(..))) {
        messages::decline();
    }
    if state.dialog.with_untracked(Option::is_some) {
        state.dialog.set(None);
    }
}

fn found(state: AppState, id: Option<u32>, note: Option<String>) {
    if let Some(what) = note {
        report(
            state,
            Problem {
                code: "sel".to_owned(),
                what,
                next: "The link was perhaps made for another copy of the file".to_owned(),
                details: String::new(),
            },
        );
    }
    let outline = state.outline.get_untracked();
    if let Some(row) = id.and_then(|id| outline.rows.row_of(id)) {
        jump(state, row);
    }
}

/// The address of the page with a link to an event, put into the address bar and the clipboard.
pub fn link_to(state: AppState, sel: &str) {
    let fragment = state.route.with_untracked(|route| route.with_sel(Some(sel)));
    browser::replace_fragment(&fragment);
    copy_address(state);
}

pub(crate) fn copy_address(state: AppState) {
    let words = if state.route.with_untracked(traceloupe::view::route::Route::names_trace) {
        "Link copied"
    } else {
        "Link copied: who follows it has to drop the same file"
    };
    copy(state, &browser::address(), words);
}

/// Puts text into the clipboard and says so, or says that the browser refused.
pub fn copy(state: AppState, text: &str, words: &'static str) {
    browser::copy(text, move |done| {
        let words = if done { words } else { "The browser did not allow copying" };
        say(state, words);
        state.toast.set(Some(words));
    });
}

/// The address has changed by hand or by a link: another trace is loaded afresh, another event is
/// gone to.
pub fn follow_address(state: AppState) {
    let route = traceloupe::view::route::Route::parse(&browser::fragment());
    let old = state.route.get_untracked();
    if !route.traces().eq(old.traces()) {
        return browser::reload();
    }
    if let Some(sel) = route.sel.clone()
        && state.has_rows_untracked()
    {
        send(&Request::Find(sel));
    }
    if let Some(run) = route.run.as_ref().filter(|run| old.run.as_ref() != Some(run))
        && state.has_rows_untracked()
        && !crate::timeline::moving::show_linked_run(state, run)
    {
        say(state, "The linked run is not in this trace");
    }
    if let Some(filter) = route.filter.as_ref().filter(|it| old.filter.as_ref() != Some(it)) {
        crate::timeline::moving::filter_as_linked(state, filter);
    }
    if route.tab != old.tab {
        state.tab.set(route.tab.unwrap_or_default());
    }
    let mut route = route;
    route.sel = None;
    let query = route.query.clone();
    state.route.set(route);
    if query != old.query {
        search(state, query);
    }
}

impl AppState {
    /// [`AppState::has_rows`] without watching for a change.
    pub fn has_rows_untracked(&self) -> bool {
        self.outline.with_untracked(|outline| !outline.runs.is_empty())
    }
}
