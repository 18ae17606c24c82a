//! Opening, stopping and closing a trace.

use leptos::prelude::*;
use wasm_bindgen::JsValue;

use crate::app::App;
use crate::app::history;
use crate::app::notice::{report, say};
use crate::app::pane::Pane;
use crate::app::trace::{Loading, Phase, Trace};
use crate::boot;
use crate::browser;
use crate::client::Client;
use crate::opening::{follow, loading, mapping_dialog, needed_file, other_windows, spare_worker};
use crate::search;
use crate::state::opening::Opening;
use traceloupe_protocol::messages::{OpenRequest, Problem, Request};
use traceloupe_protocol::route::Route;
use traceloupe_words::page::opening as text;

/// Opens files in place of the open trace. The browser's Back button returns to that trace. Returns the new trace;
/// `None` if there are no files.
pub fn open(app: App, opening: Opening) -> Option<Trace> {
    if opening.files.is_empty() {
        return None;
    }
    history::leave_trace();
    let mut opening = opening;
    let old = app.trace_untracked().opening;
    let is_another = opening.brought_by.is_none() && old.current.with_value(Option::is_some);
    // The format in the link applies to the first trace that is opened.
    let wanted = app.page.route.with_untracked(|route| route.format.clone());
    if opening.format.is_none() && wanted.is_some() {
        opening.format = wanted;
        app.page.route.update(|route| route.format = None);
    }
    opening.mapping = opening.mapping.or_else(|| mapping_dialog::linked(app.pane_untracked()));
    // A growing trace is remembered once all of it has arrived.
    let remembered = opening.grows.is_none().then(|| opening.clone());
    let trace = start(app, opening);
    if let Some(opening) = remembered {
        history::remember(&opening);
        needed_file::check(trace, opening.files);
    }
    if is_another {
        forget_place(app);
    }
    Some(trace)
}

/// Another trace has been opened: the link no longer names the run, the event and the rows of the one before. A link that
/// is about a file on disk is kept, because the wrong file may have been opened first.
fn forget_place(app: App) {
    let fragment = app.page.route.with_untracked(|route| {
        let is_bound = route.run.is_some() || route.agent.is_some() || route.filter.is_some();
        (is_bound && route.need.is_none()).then(|| route.with_run(None))
    });
    if let Some(fragment) = fragment {
        app.page.route.set(Route::parse(&fragment));
        browser::replace_fragment(&fragment);
    }
}

/// Opens files without adding an entry to the browser's history.
pub fn start(app: App, opening: Opening) -> Trace {
    let was_empty = app.trace_untracked().phase.get_untracked() == Phase::Empty;
    let pane = replacement(app);
    let trace = pane.trace;
    trace.opening.brought_by.set_value(opening.brought_by.clone());
    // The worker reads while the page removes the old trace.
    let begun = app.page.sealed.get_untracked().then(|| begin(app, pane, &opening));
    let loading = Loading {
        what: opening.title(),
        total_bytes: opening.len_bytes(),
        since_ms: browser::now_ms(),
        is_live: opening.grows.is_some_and(|growth| growth.is_live),
        ..Loading::default()
    };
    loading::begin(trace, loading, was_empty && begun.is_some());
    app.show(pane);
    match begun {
        Some(begun) => go_on(pane, opening, begun),
        None => begin_when_sealed(app, pane, opening),
    }
    trace
}

/// Closes the open trace and creates a new, empty one in its place.
fn replacement(app: App) -> Pane {
    let old = app.pane_untracked();
    old.trace.close();
    other_windows::displaced(old.trace);
    if app.page.dialog.with_untracked(Option::is_some) {
        app.page.dialog.set(None);
    }
    Pane::of_new_trace(app.page, old.trace.number().wrapping_add(1), old.kept())
}

/// The files were opened before the page was sealed, so reading starts once it is.
fn begin_when_sealed(app: App, pane: Pane, opening: Opening) {
    boot::when_sealed(move || {
        if pane.trace.is_open() {
            let begun = begin(app, pane, &opening);
            go_on(pane, opening, begun);
        }
    });
    watch_completeness(app);
}

/// Reports if part of the page's code cannot be loaded, because no trace can be read without it.
pub fn watch_completeness(app: App) {
    boot::when_incomplete(move |remedy, error| {
        fail(
            app.trace_untracked(),
            Problem::Incomplete { remedy, error: browser::error_words(&error) },
        );
    });
}

/// Starts reading the files in a worker. Its messages go to this pane and its trace, even if another one is open by
/// then.
fn begin(app: App, pane: Pane, opening: &Opening) -> Result<Client, JsValue> {
    let dispatch = app.dispatch;
    let client = Client::new(spare_worker::take()?, move |heard| {
        if pane.trace.is_open() {
            dispatch(pane, heard);
        }
    });
    let prefs = app.page.prefs.get_untracked();
    let request = OpenRequest {
        inputs: opening.inputs(),
        format: opening.format.clone(),
        likely: None,
        mapping: opening.mapping.clone(),
        mappings: mapping_dialog::stored(),
        entries: opening.entries.clone(),
        rule: prefs.loop_settings(),
        grows: opening.grows,
    };
    let files: Vec<_> = opening.files.iter().map(|file| file.blob.clone()).collect();
    client.send(&Request::Open(request), &files);
    Ok(client)
}

/// Uses the worker for requests from now on.
fn go_on(pane: Pane, opening: Opening, begun: Result<Client, JsValue>) {
    let client = match begun {
        Ok(client) => client,
        Err(error) => {
            let words = browser::error_words(&error);
            return fail(pane.trace, refused_by_site(Problem::NoWorker(words)));
        }
    };
    pane.trace.set_client(client);
    search::actions::start(pane);
    search::actions::show_linked(pane);
    pane.trace.opening.current.set_value(Some(opening));
}

/// Reads the open files again, as a format; as the detected one if the id is empty.
pub fn read_as(app: App, format: &str) {
    if let Some(mut opening) = app.trace_untracked().opening.whole() {
        opening.format = (!format.is_empty()).then(|| format.to_owned());
        start(app, opening);
    }
}

/// Closes the open trace. Its worker ends at once, with everything it holds.
pub fn close(app: App) {
    history::leave_trace();
    let pane = replacement(app);
    app.show(pane);
    search::actions::clear_search(pane);
    spare_worker::prepare();
}

/// Stops reading and closes what has been read so far.
pub fn cancel(app: App) {
    if matches!(app.trace_untracked().phase.get_untracked(), Phase::Loading(_)) {
        close(app);
        say(app.page, text::DISCARDED);
    }
}

/// Stops reading after the current piece and keeps what has been read.
pub fn stop(trace: Trace) {
    let Phase::Loading(loading) = trace.phase.get_untracked() else { return };
    // While an address is being fetched, there is no worker yet and nothing to keep.
    if loading.is_stopping || !trace.is_reading.get_untracked() {
        return;
    }
    if trace.following.get_untracked() {
        return follow::stop(trace);
    }
    trace.phase.set(Phase::Loading(Loading { is_stopping: true, ..loading }));
    say(trace.page, text::STOPPING);
    trace.opening.give_up();
    trace.send(&Request::Stop);
}

/// Shows why a trace cannot be shown.
pub fn fail(trace: Trace, problem: Problem) {
    trace.end_worker();
    loading::show(trace);
    other_windows::failed(trace, &problem);
    trace.phase.set(Phase::Failed(problem));
}

/// The problem, or that a policy of the site is its cause.
fn refused_by_site(problem: Problem) -> Problem {
    let refused = boot::refused_worker();
    if refused.is_empty() { problem } else { Problem::WorkerRefused(refused) }
}

/// Handles a crash of the worker. `words` is its last message.
pub fn crashed(trace: Trace, words: &str) {
    let problem = refused_by_site(traceloupe_view::crash::crashed(words));
    if trace.has_rows_untracked() {
        // The rows on the page stay readable. Only functions that need the worker are gone.
        trace.end_worker();
        other_windows::failed(trace, &problem);
        report(trace, problem);
        trace.phase.set(Phase::Ready);
    } else {
        fail(trace, problem);
    }
}
