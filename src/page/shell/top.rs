//! The bar on top: what is open, how much is shown, and the buttons.

use leptos::prelude::*;

use crate::app::dialog;
use crate::app::settings;
use crate::app::state::{Dialog, Phase, state};
use crate::opening;
use crate::opening::follow;
use crate::opening::intake;
use crate::pane;
use crate::replay;
use crate::search::field::SearchField;
use crate::shell::commands;
use traceloupe::view::page::rows::Mode;
use traceloupe::view::words;

/// The bar.
#[component]
pub fn Top() -> impl IntoView {
    let state = state();
    let has_rows = Memo::new(move |_| state.has_rows());
    let about = move || {
        let outline = state.outline.get();
        let run = outline.runs.get(state.run.get() as usize);
        let name = run.map_or("", |run| traceloupe::catalog::format_name(&run.format));
        let bytes: u64 =
            outline.sources.iter().filter(|it| !it.is_container).map(|it| it.len_bytes).sum();
        format!("{} · {name} · {}", state.title.get(), words::bytes(bytes))
    };
    let run_title = move || {
        let run = state.run.get();
        state.outline.get().runs.get(run as usize).map(|run| run.title.clone())
    };
    let is_embedded = move || state.is_embedded();
    markup! {
        <header class="top">
            <div class="brand">
                <svg viewBox="0 0 24 24" aria-hidden="true">
                    <circle cx="10.5" cy="10.5" r="6.8"></circle>
                    <path d="M15.7 15.7 21 21"></path>
                    <path d="M7.6 11.6a3 3 0 1 0 1-3.6"></path>
                    <path d="M8.3 6.4v1.9h1.9"></path>
                </svg>
                <h1>"Traceloupe"</h1>
            </div>
            <Show when=move || has_rows.get()>
                <div class="file">
                    <b title=run_title>{run_title}</b>
                    <button class="quiet" title="About this trace: its files, their formats and why"
                        on:click=move |_| dialog::set_dialog(state, Some(Dialog::About))>{about}</button>
                </div>
            </Show>
            <span class="spacer"></span>
            <Show when=move || has_rows.get()><SearchField/></Show>
            <Show when=move || has_rows.get()><Modes/></Show>
            <Show when=move || follow::is_offered(state)>
                <button aria-pressed=move || state.following.get().to_string()
                    title="Follow this file while it grows"
                    on:click=move |_| follow::toggle(state)>
                    {move || if state.following.get() { "● Following" } else { "Follow" }}
                </button>
            </Show>
            <Show when=move || !is_embedded()>
                <button on:click=move |_| commands::open(state)>"Open…"</button>
            </Show>
            <Show when=move || has_rows.get() && !is_embedded()>
                <button on:click=move |_| opening::actions::close(state)>"Close"</button>
            </Show>
            <button class="icon" aria-label="Settings" title="Settings"
                on:click=move |_| dialog::set_dialog(state, Some(Dialog::Settings))>"⚙"</button>
            <button class="icon" title="Switch between the light and the dark theme (t)" aria-label="Theme"
                on:click=move |_| settings::switch_theme(state)>
                {move || match state.prefs.get().theme.as_str() { "light" => "☀", "dark" => "☾", _ => "◐" }}
            </button>
            <Pickers/>
        </header>
    }
}

/// Minimal, normal, verbose; expand and collapse all.
#[component]
fn Modes() -> impl IntoView {
    let state = state();
    let button = move |mode: Mode, words: &'static str, title: &'static str| {
        let pressed = move || (state.choice.with(|choice| choice.mode) == mode).to_string();
        markup! {
            <button aria-pressed=pressed title=title on:click=move |_| pane::actions::set_mode(state, mode)>{words}</button>
        }
    };
    markup! {
        <div class="seg" role="group" aria-label="How much is shown">
            {button(Mode::Minimal, "Minimal", "Questions, answers and errors")}
            {button(Mode::Normal, "Normal", "Every event on one line, loops folded")}
            {button(Mode::Verbose, "Verbose", "Everything open, nothing folded")}
        </div>
        <div class="seg seg--all" role="group" aria-label="Expand, collapse, replay">
            <button title="Expand everything (*)" aria-label="Expand all"
                on:click=move |_| pane::actions::set_all(state, true)>"⊞"</button>
            <button title="Collapse everything (-)" aria-label="Collapse all"
                on:click=move |_| pane::actions::set_all(state, false)>"⊟"</button>
            <Show when=move || state.phase.get() == Phase::Ready>
                <button title="Replay the run (p)" aria-label="Replay"
                    aria-pressed=move || state.replay.plan.with(Option::is_some).to_string()
                    on:click=move |_| replay::actions::toggle_replay(state)>"▶"</button>
            </Show>
        </div>
    }
}

/// The two pickers: elements of the browser that are clicked by our own buttons.
#[component]
fn Pickers() -> impl IntoView {
    let state = state();
    let picked = move |event: leptos::ev::Event| {
        intake::picked(state, &event_target::<web_sys::HtmlInputElement>(&event));
    };
    let is_busy = move || matches!(state.phase.get(), Phase::Loading(_));
    markup! {
        <input id="pick-files" class="hidden" type="file" multiple=true tabindex="-1"
            aria-label="Trace files" disabled=is_busy on:change=picked/>
        <input id="pick-folder" class="hidden" type="file" multiple=true tabindex="-1"
            prop:webkitdirectory=true aria-label="Folder of traces" disabled=is_busy on:change=picked/>
    }
}
