//! The whole page: what stands where, and what it listens to.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::annotations;
use crate::app::dialog;
use crate::app::notice;
use crate::app::settings::{stored_mode, stored_prefs};
use crate::app::state::{AppState, Phase, state};
use crate::browser;
use crate::checks::expectations::CheckList;
use crate::event::exhibits::{Exhibit, Tabs, shown_tab};
use crate::opening;
use crate::opening::boot;
use crate::opening::empty::Empty;
use crate::opening::intake;
use crate::opening::messages;
use crate::opening::openings;
use crate::opening::spare;
use crate::replay::player::Player;
use crate::runs::facts::Facts;
use crate::search::field::HitList;
use crate::shell::address;
use crate::shell::commands;
use crate::shell::dialogs::Dialogs;
use crate::shell::dispatch::dispatch;
use crate::shell::side::Side;
use crate::shell::toast::Toast;
use crate::shell::top::Top;
use crate::timeline::rows::Timeline;
use traceloupe::view::route::Route;
use traceloupe::view::wire::protocol::Problem;
use traceloupe::view::words;

/// The page.
#[component]
pub fn App() -> impl IntoView {
    let route = Route::parse(&browser::fragment());
    let mut prefs = stored_prefs();
    if let Some(theme) = &route.theme {
        prefs.theme.clone_from(theme);
    }
    browser::set_theme(&prefs.theme);
    let state = AppState::new(route, prefs, dispatch);
    state.choice.update(|choice| choice.mode = stored_mode());
    provide_context(state);
    listen(state);
    Effect::new(move |_| browser::set_title(&tab_title(state)));

    let tab = shown_tab(state);
    let is_embedded = move || state.is_embedded().to_string();
    let has_rows = Memo::new(move |_| state.has_rows());
    markup! {
        <div class="app" data-embedded=is_embedded
            data-runs=move || state.outline.with(|outline| outline.runs.len().min(2).to_string())>
            <Show when=move || has_rows.get()>
                <a class="skip" href="#timeline" on:click=move |event| {
                    event.prevent_default();
                    browser::focus_timeline();
                }>"Skip to the timeline"</a>
            </Show>
            <Top/>
            <Problems/>
            <Progress/>
            {move || {
                if has_rows.get() {
                    markup! {
                        <Facts/>
                        <Tabs/>
                        <main class="main" data-tab=move || tab.get().word()>
                            <Exhibit/>
                            <Side/>
                            <h2 class="sr">"Timeline"</h2>
                            <Timeline/>
                            <HitList/>
                            <CheckList/>
                        </main>
                    }
                    .into_any()
                } else {
                    markup! { <Empty/> }.into_any()
                }
            }}
            <Player/>
            <StatusLine/>
            <Dialogs/>
            <Toast/>
            <div class="live" role="status" aria-live="polite">{move || state.said.get()}</div>
            <Show when=move || state.dragging.get()>
                <div class="drop-over"><p>"Drop files or a folder to open them"</p></div>
            </Show>
        </div>
    }
}

/// The title of the browser's tab: the run, the files and the page; without a trace the page alone.
fn tab_title(state: AppState) -> String {
    const MAX_CHARS: usize = 80;
    let run = state.run.get();
    let run = state.outline.with(|it| it.runs.get(run as usize).map(|run| run.title.clone()));
    let mut parts = Vec::new();
    if let Some(run) = run {
        parts.extend([run, state.title.get()]);
        parts.dedup();
        parts.retain(|part| !part.is_empty());
    }
    let parts = parts.iter().map(|part| words::one_line(part, MAX_CHARS));
    parts.chain(["Traceloupe".to_owned()]).collect::<Vec<_>>().join(" · ")
}

fn listen(state: AppState) {
    intake::listen(state);
    commands::listen(state);
    messages::listen(state);
    annotations::actions::watch_annotations(state);
    opening::actions::watch_completeness(state);
    intake::take_addresses(state);
    boot::when_sealed(move || {
        state.sealed.set(true);
        if state.phase.get_untracked() == Phase::Empty {
            spare::prepare();
        }
    });
    let went_back = window_event_listener_untyped("popstate", move |event| {
        let mark = event.unchecked_ref::<web_sys::PopStateEvent>().state();
        if let Some(opening) = openings::remembered(&mark) {
            opening::actions::start(state, opening);
        }
    });
    // The page listens for as long as it lives.
    std::mem::forget(went_back);
    let moved = window_event_listener_untyped("hashchange", move |_| {
        address::follow_address(state);
    });
    std::mem::forget(moved);
}

/// Problems and warnings: what could not be read.
#[component]
fn Problems() -> impl IntoView {
    let state = state();
    let failed = move || match state.phase.get() {
        Phase::Failed(problem) => vec![problem],
        _ => state.problems.get(),
    };
    let any = Memo::new(move |_| {
        matches!(state.phase.get(), Phase::Failed(_)) || !state.problems.get().is_empty()
    });
    markup! {
        <Show when=move || any.get()>
            <div class="problems" role="alert" aria-label="Problems">
                {move || failed().into_iter().map(problem_view).collect_view()}
                <button class="quiet" aria-label="Dismiss" on:click=move |_| {
                    if matches!(state.phase.get_untracked(), Phase::Failed(_)) {
                        opening::actions::close(state);
                    }
                    notice::dismiss_problems(state);
                }>"✕"</button>
            </div>
        </Show>
    }
}

fn problem_view(problem: Problem) -> impl IntoView {
    let Problem { code, what, next, details } = problem;
    let data_code = code.clone();
    let has_details = !details.is_empty();
    markup! {
        <div class="problem" data-code=data_code>
            <p><b>{what}</b>". "{next}"."</p>
            <Show when=move || has_details>
                <details>
                    <summary>"Details"</summary>
                    <pre>{details.clone()}" ("{code.clone()}")"</pre>
                </details>
            </Show>
        </div>
    }
}

/// How far loading has come.
#[component]
fn Progress() -> impl IntoView {
    let state = state();
    let loading = Memo::new(move |_| match state.phase.get() {
        Phase::Loading(loading) => Some(loading),
        _ => None,
    });
    let is_loading = Memo::new(move |_| loading.with(Option::is_some));
    let get = move || loading.get().unwrap_or_default();
    let share = move || {
        let loading = get();
        #[expect(clippy::cast_precision_loss)]
        let share = loading.bytes as f64 / loading.total_bytes.max(1) as f64;
        (loading.total_bytes > 0).then_some((share * 100.0).min(100.0))
    };
    let said = move || {
        let loading = get();
        if loading.is_live {
            let events = words::counted(loading.events, "event", "events");
            return format!("{}, {events}", words::bytes(loading.bytes));
        }
        let seconds = (browser::now_ms() - loading.since_ms) / 1e3;
        #[expect(clippy::cast_precision_loss)]
        let speed = loading.bytes as f64 / seconds.max(0.001);
        let mut said = words::bytes(loading.bytes);
        if loading.total_bytes > 0 {
            said.push_str(&format!(" of {}", words::bytes(loading.total_bytes)));
        }
        if seconds > 0.5 {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            said.push_str(&format!(", {}/s", words::bytes(speed as u64)));
        }
        format!("{said}, {}", words::counted(loading.events, "event", "events"))
    };
    markup! {
        <Show when=move || is_loading.get()>
            <div class="progress" data-live=move || get().is_live.to_string()>
                <span class="progress__what">
                    {move || if get().is_live { "Live: " } else { "Loading " }}{move || get().what}
                </span>
                <div class="progress__track" role="progressbar" aria-label="Loading"
                    aria-valuemin="0" aria-valuemax="100"
                    aria-valuenow=move || share().map(|share| format!("{share:.0}"))>
                    <div class="progress__bar" class:progress__bar--unknown=move || share().is_none()
                        style:width=move || format!("{:.1}%", share().unwrap_or(100.0))></div>
                </div>
                <span class="progress__said">{said}</span>
                <Show when=move || state.is_reading.get()>
                    <button disabled=move || get().is_stopping
                        title="Stop reading and keep what has been read (s)"
                        on:click=move |_| opening::actions::stop(state)>
                        {move || match get() {
                            loading if loading.is_stopping => "Stopping…",
                            loading if loading.is_live => "Stop",
                            _ => "Stop and keep",
                        }}
                    </button>
                </Show>
                <button title="Stop reading and close what has been read (Esc)"
                    on:click=move |_| opening::actions::cancel(state)>"Cancel"</button>
            </div>
        </Show>
    }
}

/// The line at the bottom: the seal, where the reader is, the most useful keys.
#[component]
fn StatusLine() -> impl IntoView {
    let state = state();
    let place = move || {
        let outline = state.outline.get();
        let Some(run) = outline.runs.get(state.run.get() as usize) else { return String::new() };
        let n_events = u64::from(run.n_rows);
        let of = words::count(n_events);
        let at = state.selected.get().and_then(traceloupe::view::page::rows::Line::row);
        match at {
            Some(row) if row >= run.first_row => {
                format!("Event {} of {of}", words::count(u64::from(row - run.first_row) + 1))
            }
            _ => words::counted(n_events, "event", "events"),
        }
    };
    let hidden = move || {
        let lines = state.lines.get();
        let outline = state.outline.get();
        let n_rows = outline.runs.get(state.run.get() as usize).map_or(0, |run| run.n_rows);
        let shown = lines.iter().filter(|line| line.row().is_some()).count();
        let hidden = (n_rows as usize).saturating_sub(shown);
        (hidden > 0).then(|| format!("{} not shown here", words::count(hidden as u64)))
    };
    let is_long = move || state.lines.with(|lines| lines.len() > 40);
    markup! {
        <footer class="foot">
            <span class="seal" data-sealed=move || state.sealed.get().to_string()
                title="No fetch, no sockets, no scripts, no remote images: see docs/privacy.md">
                {move || if state.sealed.get() { "● Sealed: no fetch, no sockets, no remote images" } else { "○ Not sealed yet" }}
            </span>
            <span>{place}</span>
            <span>{hidden}</span>
            <Show when=is_long>
                <span class="foot__find">"The browser's find sees only the rows on screen"</span>
            </Show>
            <span class="spacer"></span>
            <span class="foot__keys"><kbd>"j"</kbd>" "<kbd>"k"</kbd>" move"</span>
            <span class="foot__keys"><kbd>"["</kbd>" "<kbd>"]"</kbd>" loops"</span>
            <span class="foot__keys"><kbd>"x"</kbd>" errors"</span>
            <button class="quiet foot__help" on:click=move |_| {
                dialog::set_dialog(state, Some(crate::app::state::Dialog::Help));
            }><kbd>"?"</kbd>" all keys"</button>
        </footer>
    }
}
