//! The whole page: its layout, and the events that it handles.

use std::time::Duration;

use crate::glyph::glyph;
use crate::reactive::{Memo, Show, effect, memo};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::annotations;
use crate::app::history;
use crate::app::notice;
use crate::app::page::{Dialog, Page};
use crate::app::pane::{Kept, Pane, pane};
use crate::app::settings::{stored_mode, stored_own_prices, stored_prefs};
use crate::app::splitter::{Split, Splitter};
use crate::app::trace::Phase;
use crate::app::{App, app};
use crate::boot;
use crate::browser;
use crate::checks::expectations::CheckList;
use crate::filter::bar::FilterBar;
use crate::opening;
use crate::opening::empty::Empty;
use crate::opening::format_table;
use crate::opening::intake;
use crate::opening::other_windows;
use crate::opening::own_trace;
use crate::opening::spare_worker;
use crate::opening::stall;
use crate::pane::places;
use crate::replay::player::Player;
use crate::runs::facts::Facts;
use crate::runs::findings_panel::Findings;
use crate::runs::notes::Notes;
use crate::search::hits::HitList;
use crate::shared::Shared;
use crate::shell::address;
use crate::shell::dialogs::Dialogs;
use crate::shell::dispatch::dispatch;
use crate::shell::host;
use crate::shell::keyboard;
use crate::shell::page_warm_up;
use crate::shell::side::Side;
use crate::shell::toast::Toast;
use crate::shell::top::{Modes, Top, of_pane, shown_pane};
use crate::timeline::agents::{breadcrumb, watch_link};
use crate::timeline::beside::Beside;
use crate::timeline::flame::flame_graph;
use crate::timeline::overview::OverviewBar;
use crate::timeline::print;
use crate::timeline::rows::Timeline;
use crate::timeline::waterfall::legend;
use crate::views::tabs::{Panel, shown_view};
use traceloupe_core::number::fixed;
use traceloupe_protocol::messages::Problem;
use traceloupe_protocol::route::Route;
use traceloupe_view::icon;
use traceloupe_view::list::form::ListForm;
use traceloupe_view::open_bodies::Opened;
use traceloupe_words::counts;
use traceloupe_words::page::export as export_text;
use traceloupe_words::page::opening as opening_text;
use traceloupe_words::page::shell as text;
use traceloupe_words::{self as words, problems};

/// The page.
#[component]
pub fn Root() -> impl IntoView {
    let route = Route::parse(&browser::fragment());
    let mut prefs = stored_prefs();
    if let Some(theme) = &route.theme {
        prefs.theme.clone_from(theme);
    }
    browser::set_theme(&prefs.theme);
    let kept = Kept { mode: stored_mode(), query: route.query.clone(), ..Kept::default() };
    let app = App::new(Page::new(route, prefs, stored_own_prices()), kept, dispatch);
    let page = app.page;
    provide_context(app);
    listen(app);
    let title = Memo::new(move |before: Option<&String>| {
        let pane = app.pane();
        let is_early = !pane.trace.rows_are_drawn.get()
            && pane.trace.outline.with(|outline| outline.n_rows > 0 && !outline.complete);
        before.filter(|_| is_early).cloned().unwrap_or_else(|| tab_title(pane))
    });
    // The browser takes some milliseconds to set the title of its tab, which would delay reading and the first rows.
    effect(move || {
        let title = title.get();
        set_timeout(move || browser::set_title(&title), Duration::ZERO);
    });

    let shown = shown_pane(app);
    let n_runs = memo(move || app.pane().trace.outline.with(|outline| outline.n_listed()));
    markup! {
        <div class="app" data-trace=move || shown.with(Option::is_some).to_string() data-embedded=move || page.is_embedded().to_string()
            data-runs=move || n_runs.get().min(2).to_string()>
            {of_pane(shown, || markup! { <Skip/> }.into_any())}
            <Top/>
            <Problems/>
            <Progress/>
            {move || match shown.get() {
                Some(pane) => {
                    provide_context(pane);
                    markup! { <Content/> }.into_any()
                }
                None => markup! { <Empty/> }.into_any(),
            }}
            {of_pane(shown, || markup! { <Player/> }.into_any())}
            <StatusLine/>
            <Dialogs/>
            <Toast/>
            <div class="live" role="status" aria-live="polite">{move || page.said.get()}</div>
            <Show when=move || page.dragging.get()>
                <div class="drop-over"><p>{text::DROP_HERE}</p></div>
            </Show>
        </div>
    }
}

#[component]
fn Skip() -> impl IntoView {
    markup! {
        <a class="skip" href="#timeline" on:click=move |event| {
            event.prevent_default();
            browser::focus_timeline();
        }>{text::SKIP_TO_THE_TIMELINE}</a>
    }
}

/// The column on the left.
const SIDE: Split = Split {
    stored: "side-width",
    property: "--side-width",
    before_px: 0,
    first_px: 248,
    least_px: 150,
    most_px: 560,
    label: text::SIDE_WIDTH,
    title: text::SIDE_WIDTH_TITLE,
};

/// The open trace. It is rebuilt for every trace.
#[component]
pub fn Content() -> impl IntoView {
    let pane = pane();
    annotations::actions::watch_annotations(pane);
    watch_link(pane);
    let view = shown_view(pane);
    let is_waterfall = memo(move || view.get() == ListForm::Waterfall.id());
    let has_flame = memo(move || {
        is_waterfall.get() && pane.waterfall.with(Option::is_some) && pane.flame.is_shown.get()
    });
    let is_list = memo(move || ListForm::from_id(view.get()).is_some());
    markup! {
        <Facts/>
        <Notes/>
        {move || match has_flame.get() {
            true => flame_graph(pane),
            false => markup! { <OverviewBar/> }.into_any(),
        }}
        {move || breadcrumb(pane, is_list.get())}
        <FilterBar/>
        <main class="main" data-tab=move || view.get() data-side=move || pane.shows_side.get().to_string()
            data-opened=move || pane.opened.with(Opened::is_any).to_string()>
            <Panel/>
            <Side/>
            <Splitter of=&SIDE/>
            <h2 class="sr">{text::TIMELINE}</h2>
            <Timeline/>
            <HitList/>
            <CheckList/>
            <Findings/>
            <Beside/>
        </main>
    }
}

/// The title of the browser's tab: run, files and page, or just the page if no trace is open.
fn tab_title(pane: Pane) -> String {
    const MAX_CHARS: usize = 80;
    let run = pane.run.get();
    let run = pane.trace.outline.with(|it| it.runs.get(run as usize).map(|run| run.title.clone()));
    let mut parts = Vec::new();
    if let Some(run) = run {
        parts.extend([run, pane.trace.title.get()]);
        parts.dedup();
        parts.retain(|part| !part.is_empty());
    }
    let parts = parts.iter().map(|part| words::one_line(part, MAX_CHARS));
    parts.chain([text::TRACELOUPE.to_owned()]).collect::<Vec<_>>().join(" · ")
}

fn listen(app: App) {
    intake::listen(app);
    format_table::listen();
    keyboard::listen(app);
    print::listen(app);
    other_windows::listen(app);
    host::listen(app);
    opening::actions::watch_completeness(app);
    intake::take_given(app);
    intake::take_addresses(app);
    own_trace::take_own(app);
    match boot::wanted_dialog().as_str() {
        "settings" => app.page.dialog.set(Some(Dialog::Settings)),
        "help" => app.page.dialog.set(Some(Dialog::Help)),
        _ => {}
    }
    boot::when_sealed(move || {
        app.page.sealed.set(true);
        if app.trace_untracked().phase.get_untracked() == Phase::Empty {
            spare_worker::prepare();
            page_warm_up::rehearse_soon(app);
        }
    });
    if app.trace_untracked().phase.get_untracked() != Phase::Empty
        || !boot::all_sources().is_empty()
    {
        page_warm_up::rehearse_while_waiting(app);
    }
    if app.page.route.with_untracked(|route| route.is_newer) {
        notice::tell(app.page, text::LINK_IS_NEWER);
    }
    boot::when_priced(move |text| app.page.price_text.set(Some(Shared::new(text))));
    let went_back = window_event_listener_untyped("popstate", move |event| {
        let mark = event.unchecked_ref::<web_sys::PopStateEvent>().state();
        let pane = app.pane_untracked();
        match history::went(&mark, || places::here(pane)) {
            Some(history::Went::Opening(opening)) => {
                opening::actions::start(app, opening);
            }
            Some(history::Went::Place(place)) => places::return_to(pane, place),
            None => {}
        }
    });
    // These listeners live as long as the page.
    std::mem::forget(went_back);
    let moved = window_event_listener_untyped("hashchange", move |_| {
        address::follow_address(app);
    });
    std::mem::forget(moved);
}

/// Problems and warnings about data that could not be read.
#[component]
fn Problems() -> impl IntoView {
    let app = app();
    let trace = move || app.pane().trace;
    let failed = move || match trace().shown_phase() {
        Phase::Failed(problem) => vec![problem],
        _ => trace().problems.get(),
    };
    let any = memo(move || {
        matches!(trace().shown_phase(), Phase::Failed(_)) || !trace().problems.get().is_empty()
    });
    // What was left out on purpose is no fault.
    let tone = memo(move || {
        let is_left_out = |problem: &Problem| matches!(problem, Problem::LeftOut(_));
        failed().iter().all(is_left_out).then_some("info")
    });
    markup! {
        <Show when=move || any.get()>
            <div class="problems" role="alert" data-tone=move || tone.get() aria-label=text::PROBLEMS>
                {move || failed().into_iter().map(problem_view).collect_view()}
                <button class="quiet" aria-label=text::DISMISS on:click=move |_| {
                    if matches!(app.trace_untracked().phase.get_untracked(), Phase::Failed(_)) {
                        opening::actions::close(app);
                    }
                    notice::dismiss_problems(app.trace_untracked());
                }>{glyph(icon::CLOSE)}</button>
            </div>
        </Show>
    }
}

fn problem_view(problem: Problem) -> impl IntoView {
    let (what, next) =
        (problems::what_happened(&problem), problems::what_to_do(&problem).into_owned());
    let details = problems::details(&problem);
    let code = problem.code().word().into_owned();
    let data_code = code.clone();
    let has_details = !details.is_empty();
    let app = app();
    let is_readable = problem.is_readable_as_records();
    markup! {
        <div class="problem" data-code=data_code>
            <p><b>{what}</b>". "{next}"."</p>
            <Show when=move || is_readable>
                <button on:click=move |_| opening::actions::read_as(app, traceloupe_core::catalog::RECORDS.id)>
                    {opening_text::PLAIN_RECORDS}</button>
            </Show>
            <Show when=move || has_details>
                <details>
                    <summary>{text::DETAILS}</summary>
                    <pre>{details.clone()}" ("{code.clone()}")"</pre>
                </details>
            </Show>
        </div>
    }
}

/// The progress of loading.
#[component]
fn Progress() -> impl IntoView {
    let app = app();
    let loading = memo(move || match app.pane().trace.shown_phase() {
        Phase::Loading(loading) => Some(loading),
        _ => None,
    });
    let is_loading = memo(move || loading.with(Option::is_some));
    let get = move || loading.get().unwrap_or_default();
    let share = move || {
        let loading = get();
        #[expect(clippy::cast_precision_loss)]
        let share = loading.bytes as f64 / loading.total_bytes.max(1) as f64;
        (loading.total_bytes > 0).then_some((share * 100.0).min(100.0))
    };
    let quiet_s = stall::quiet_s(app, loading, is_loading);
    let said = move || {
        let loading = get();
        let quiet_s = quiet_s.get();
        if quiet_s >= stall::LONG_S {
            return text::stalled(loading.bytes, loading.total_bytes, quiet_s);
        }
        if loading.is_live {
            return text::live_progress(loading.bytes, loading.events);
        }
        let seconds = (browser::now_ms() - loading.since_ms) / 1e3;
        #[expect(clippy::cast_precision_loss)]
        let speed = loading.bytes as f64 / seconds.max(0.001);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let speed = (seconds > 0.5).then_some(speed as u64);
        text::progress(loading.bytes, loading.total_bytes, speed, loading.events)
    };
    markup! {
        <Show when=move || is_loading.get()>
            <div class="progress" data-live=move || get().is_live.to_string()>
                <span class="progress__what">
                    {move || if get().is_live { text::LIVE } else { text::LOADING }}{move || get().what}
                </span>
                <div class="progress__track" role="progressbar" aria-label=text::LOADING_LABEL
                    aria-valuemin="0" aria-valuemax="100"
                    aria-valuenow=move || share().map(|share| fixed(share, 0))>
                    <div class="progress__bar" class:progress__bar--unknown=move || share().is_none()
                        style:width=move || words::css_percent(share().unwrap_or(100.0))></div>
                </div>
                <span class="progress__said">{said}</span>
                <Show when=move || app.pane().trace.is_reading.get()>
                    <button disabled=move || get().is_stopping
                        title=text::STOP_AND_KEEP_TITLE
                        on:click=move |_| opening::actions::stop(app.trace_untracked())>
                        {move || match get() {
                            loading if loading.is_stopping => text::STOPPING,
                            _ => text::STOP_AND_KEEP,
                        }}
                    </button>
                </Show>
                <button title=text::DISCARD_TITLE
                    on:click=move |_| opening::actions::cancel(app)>{text::DISCARD}</button>
            </div>
        </Show>
    }
}

/// The line at the bottom: the seal, the selected event, the most useful keys.
#[component]
fn StatusLine() -> impl IntoView {
    let app = app();
    let page = app.page;
    let place = move || {
        let pane = app.pane();
        let outline = pane.trace.outline.get();
        let Some(run) = outline.runs.get(pane.run.get() as usize) else { return String::new() };
        let n_events = u64::from(run.n_rows);
        let at = pane.selected.get().and_then(traceloupe_view::list::visible_lines::Line::row);
        match at {
            Some(row) if row >= run.first_row => {
                text::event_of(u64::from(row - run.first_row) + 1, n_events)
            }
            _ => counts::events(n_events),
        }
    };
    let hidden = move || {
        let pane = app.pane();
        let lines = pane.lines.get();
        let outline = pane.trace.outline.get();
        let n_rows = outline.runs.get(pane.run.get() as usize).map_or(0, |run| run.n_rows);
        let shown = lines.iter().filter(|line| line.row().is_some()).count();
        let hidden = (n_rows as usize).saturating_sub(shown);
        (hidden > 0).then(|| text::not_shown_here(hidden))
    };
    let in_this_file = move || app.pane().trace.opening.in_html().map(export_text::in_this_file);
    let shown = shown_pane(app);
    let has_rows = move || shown.with(Option::is_some);
    markup! {
        <footer class="foot">
            <span class="seal" data-sealed=move || page.sealed.get().to_string()
                title=text::SEAL_TITLE>
                {glyph(icon::LOCK)}
                {move || if page.sealed.get() { text::SEALED } else { text::NOT_SEALED_YET }}
            </span>
            <span class="foot__file">{in_this_file}</span>
            <span class="foot__run">{place}</span>
            <span class="foot__run" title=text::NOT_SHOWN_TITLE>{hidden}</span>
            {of_pane(shown, || markup! { <div class="foot__modes"><Modes/></div> }.into_any())}
            {move || legend(app.pane())}
            <span class="spacer"></span>
            <Show when=has_rows>
                {move || text::foot_keys(&app.pane().tab.get()).iter().map(|(keys, words)| {
                    let keys = keys.iter().map(|key| markup! { <kbd>{*key}</kbd>" " });
                    markup! { <span class="foot__keys">{keys.collect_view()}{*words}</span> }
                }).collect_view()}
            </Show>
            <button class="quiet foot__help" on:click=move |_| {
                page.dialog.set(Some(Dialog::Help));
            }><kbd>"?"</kbd>{text::ALL_KEYS}</button>
        </footer>
    }
}
