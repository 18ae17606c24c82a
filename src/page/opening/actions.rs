//! Opening, stopping and closing a trace.

use std::collections::HashMap;

use leptos::prelude::*;
use wasm_bindgen::JsValue;

use crate::annotations;
use crate::app::notice::{report, say};
use crate::app::state::{AppState, Loading, Phase, Shared};
use crate::app::worker::{self, send};
use crate::browser;
use crate::checks;
use crate::client::Client;
use crate::event;
use crate::opening::openings::{self, Opening};
use crate::opening::{boot, follow, live, loading, messages, outline, spare};
use crate::replay::actions::close_replay;
use crate::search;
use crate::timeline::previews;
use traceloupe::view::page::opened::Opened;
use traceloupe::view::page::rows::Choice;
use traceloupe::view::route::Tab;
use traceloupe::view::wire::protocol::{LoopSettings, Memory, OpenRequest, Problem, Request};

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
    loading::enter(state, loading, was_empty && begun.is_some());
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
                what: "Part of this page could not be loaded".to_owned(),
                next: remedy.trim_end_matches('.').to_owned(),
                details: browser::error_words(&error),
            },
        );
    });
}

/// Tells a worker to read the files.
fn begin(state: AppState, opening: &Opening) -> Result<Client, JsValue> {
    let dispatch = state.dispatch;
    let client = Client::new(spare::take()?, move |heard| dispatch(state, heard));
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
    worker::set(Some(client));
    state.is_reading.set(true);
    search::actions::start(state);
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
pub fn end_worker(state: AppState) {
    live::give_up();
    state.following.set(false);
    worker::set(None);
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
    outline::forget();
    previews::forget(state);
    state.details.set(HashMap::new());
    event::actions::forget_all(state);
    state.problems.set(Vec::new());
    state.later_problems.set_value(Vec::new());
    if state.dialog.with_untracked(Option::is_some) {
        state.dialog.set(None);
    }
    search::actions::forget(state);
    checks::actions::forget(state);
    annotations::actions::forget(state);
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
    search::actions::clear_search(state);
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
        return follow::stop(state);
    }
    state.phase.set(Phase::Loading(Loading { is_stopping: true, ..loading }));
    say(state, "Stopping: what has been read is kept");
    live::give_up();
    send(&Request::Stop);
}

/// Shows why nothing can be shown.
pub fn fail(state: AppState, problem: Problem) {
    end_worker(state);
    loading::show(state);
    messages::failed(state, &problem);
    state.phase.set(Phase::Failed(problem));
}

/// The worker has died; `words` are its last.
pub fn crashed(state: AppState, words: &str) {
    let problem = traceloupe::view::page::crash::crashed(words);
    if state.has_rows_untracked() {
        // The rows that are here stay readable; only what needs the worker is gone.
        end_worker(state);
        messages::failed(state, &problem);
        report(state, problem);
        state.phase.set(Phase::Ready);
    } else {
        fail(state, problem);
    }
}
