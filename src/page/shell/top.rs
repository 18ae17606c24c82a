//! The bar at the top: files, input field, views and buttons. On narrow screens, it also has the switch for how much is
//! shown.

use crate::reactive::{Memo, RwSignal, Show, effect, live, memo};
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::app::page::Dialog;
use crate::app::pane::{Pane, pane};
use crate::app::settings;
use crate::app::trace::Phase;
use crate::app::{App, app};
use crate::browser;
use crate::filter::field::Field;
use crate::glyph::glyph;
use crate::opening;
use crate::opening::follow;
use crate::opening::intake;
use crate::pane;
use crate::replay;
use crate::runs::menu::RunMenu;
use crate::shell::commands;
use crate::views::tabs::{Tabs, shown_view};
use traceloupe_protocol::route::{COMPARE, RUNS};
use traceloupe_view::icon::{self, Icon};
use traceloupe_view::list::form::ListForm;
use traceloupe_view::list::visible_lines::Mode;
use traceloupe_view::run_figures::producers;
use traceloupe_words as words;
use traceloupe_words::page::shell as text;

/// The bar.
#[component]
pub fn Top() -> impl IntoView {
    let app = app();
    let page = app.page;
    let is_embedded = move || page.is_embedded();
    let shown = shown_pane(app);
    let is_open = RwSignal::new(false);
    // If a trace is open, they are in its menu.
    let settings = move || {
        shown.with(Option::is_none).then(|| {
            markup! {
                <button class="icon" aria-label=text::SETTINGS title=text::SETTINGS
                    on:click=move |_| page.dialog.set(Some(Dialog::Settings))>{glyph(icon::TUNE)}</button>
            }
        })
    };
    markup! {
        <header class="top" data-menu=move || is_open.get().to_string()
            data-trace=move || shown.with(Option::is_some).to_string()
            on:focusout=move |event| {
                // Leaving the bar closes its menu.
                let to = event.related_target().and_then(|it| it.dyn_into::<web_sys::Element>().ok());
                if to.and_then(|to| to.closest(".top").ok().flatten()).is_none() {
                    is_open.set(false);
                }
            }
            on:keydown=move |event| {
                if event.key() == "Escape" && is_open.get_untracked() {
                    event.prevent_default();
                    is_open.set(false);
                    browser::focus(MENU_BUTTON);
                }
            }>
            <div class="brand">
                <svg viewBox="0 0 24 24" aria-hidden="true">
                    <circle cx="10.5" cy="10.5" r="6.8"></circle>
                    <path d="M15.7 15.7 21 21"></path>
                    <path d="M7.6 11.6a3 3 0 1 0 1-3.6"></path>
                    <path d="M8.3 6.4v1.9h1.9"></path>
                </svg>
                <h1>{text::TRACELOUPE}</h1>
            </div>
            {of_pane(shown, || markup! { <File/> }.into_any())}
            <span class="spacer"></span>
            {of_pane(shown, || markup! { <Field/><SearchButton/><Views/> }.into_any())}
            <div class="top__sheet">
            <div class="top__rest">
                <div class="top__modes">{of_pane(shown, || markup! { <Modes/> }.into_any())}</div>
                <Follow/>
                <Show when=move || !is_embedded()>
                    <button class="top__open" on:click=move |_| commands::open(app)>{text::OPEN}</button>
                </Show>
                {settings}
                <button class="icon" title=text::SWITCH_THEME_TITLE aria-label=text::THEME
                    on:click=move |_| settings::switch_theme(app.pane_untracked())>{glyph(icon::THEME)}</button>
            </div>
            {of_pane(shown, move || markup! { <Menu is_open/> }.into_any())}
            </div>
            {of_pane(shown, move || markup! { <MenuButton is_open/> }.into_any())}
            <Pickers/>
        </header>
    }
}

/// Id of the button that opens the menu, which gets the focus back.
const MENU_BUTTON: &str = "menu-button";

/// The menu: actions on the run, and on narrow screens the controls that are in the bar otherwise.
#[component]
fn Menu(is_open: RwSignal<bool>) -> impl IntoView {
    let app = app();
    let pane = pane();
    let is_waterfall = move || pane.form.get() == ListForm::Waterfall;
    let entry = move |words: &'static str, act: fn(App)| {
        markup! { <button class="quiet" on:click=move |_| act(app)>{words}</button> }
    };
    // The bar is only notified that the focus has left it if the clicked element can be focused.
    markup! {
        <Show when=move || is_open.get()>
            <div class="menu" role="group" aria-label=text::MENU tabindex="-1"
                on:click=move |_| is_open.set(false)>
                {is_waterfall().then(|| entry(text::FLAME_GRAPH, |app| commands::flame_graph(app.pane_untracked())))}
                <RunMenu/>
                {entry(text::SETTINGS, |app| app.page.dialog.set(Some(Dialog::Settings)))}
                {(!app.page.is_embedded()).then(|| entry(text::CLOSE_THE_TRACE, opening::actions::close))}
            </div>
        </Show>
    }
}

/// The button that opens the menu. On narrow screens it is in the bar at the bottom.
#[component]
fn MenuButton(is_open: RwSignal<bool>) -> impl IntoView {
    markup! {
        <button id=MENU_BUTTON class="icon menu__button" aria-label=text::MENU title=text::MENU
            aria-expanded=move || is_open.get().to_string() on:click=move |_| is_open.update(|it| *it = !*it)>
            {glyph(icon::MORE)}<small>{text::MENU}</small>
        </button>
    }
}

/// On narrow screens: the button that shows the search field. The field is shown while it has the focus or contains
/// text.
#[component]
fn SearchButton() -> impl IntoView {
    markup! {
        <button class="icon top__find" aria-label=text::SEARCH title=text::SEARCH
            on:click=move |_| browser::focus_all("search-input")>
            {glyph(Icon::Search.path())}
        </button>
    }
}

/// The views. On narrow screens, they are in a bar at the bottom.
#[component]
fn Views() -> impl IntoView {
    markup! { <div class="views"><Tabs/><FilterButton/></div> }
}

/// On narrow screens, beside the views: the button that shows runs and filters instead of the rows.
#[component]
fn FilterButton() -> impl IntoView {
    let pane = pane();
    let is_set = move || pane.choice.with(|choice| choice.is_filtered());
    markup! {
        <button class="views__filter" title=text::FILTERS
            aria-expanded=move || pane.shows_side.get().to_string()
            data-set=move || is_set().to_string()
            on:click=move |_| pane.shows_side.update(|it| *it = !*it)>
            {glyph(icon::FUNNEL)}
            {text::FILTERS}
        </button>
    }
}

/// The open pane, once its trace has rows.
pub(crate) fn shown_pane(app: App) -> Memo<Option<Pane>> {
    memo(move || Some(app.pane()).filter(|pane| pane.trace.has_rows()))
}

/// Content that belongs to a pane. It is rebuilt for every pane that is shown.
pub(crate) fn of_pane(
    shown: Memo<Option<Pane>>,
    content: impl Fn() -> AnyView + Send + 'static,
) -> impl IntoView {
    live(move || {
        shown.get().map(|pane| {
            provide_context(pane);
            content()
        })
    })
}

/// The displayed run and files.
#[component]
fn File() -> impl IntoView {
    let pane = pane();
    // If all runs are shown, the title is that of the files.
    let shown = shown_view(pane);
    let is_of_all = move || matches!(shown.get(), RUNS | COMPARE);
    let about = move || {
        let outline = pane.trace.outline.get();
        let name = producers(&outline, pane.run.get());
        let bytes = || -> u64 {
            outline.sources.iter().filter(|it| !it.is_container).map(|it| it.len_bytes).sum()
        };
        match is_of_all() {
            true => format!("{name} · {}", words::bytes(bytes())),
            false => format!("{} · {name}", pane.trace.title.get()),
        }
    };
    let run_title = move || {
        if is_of_all() {
            return Some(pane.trace.title.get());
        }
        let run = pane.run.get();
        pane.trace.outline.get().runs.get(run as usize).map(|run| run.title.clone())
    };
    markup! {
        <div class="file">
            <b title=run_title>{run_title}</b>
            <button class="quiet" title=text::ABOUT_TITLE
                on:click=move |_| pane.page.dialog.set(Some(Dialog::About))>{about}</button>
        </div>
    }
}

/// Whether the file is being followed as it grows.
#[component]
fn Follow() -> impl IntoView {
    let app = app();
    let is_offered = memo(move || follow::is_offered(app.pane().trace));
    let is_following = memo(move || app.pane().trace.following.get());
    markup! {
        <Show when=move || is_offered.get()>
            <button aria-pressed=move || is_following.get().to_string()
                title=text::FOLLOW_TITLE
                on:click=move |_| follow::toggle(app)>
                {move || if is_following.get() { "● Following" } else { text::FOLLOW }}
            </button>
        </Show>
    }
}

/// Buttons for the mode, for expanding and collapsing everything, and for the replay.
#[component]
pub fn Modes() -> impl IntoView {
    let pane = pane();
    let button = move |mode: Mode, words: &'static str, title: &'static str| {
        let pressed = move || (pane.choice.with(|choice| choice.mode) == mode).to_string();
        markup! {
            <button aria-pressed=pressed title=title on:click=move |_| pane::actions::set_mode(pane, mode)>{words}</button>
        }
    };
    markup! {
        <div class="seg" role="group" aria-label=text::HOW_MUCH_IS_SHOWN>
            {button(Mode::Minimal, text::MINIMAL, text::MINIMAL_TITLE)}
            {button(Mode::Normal, text::NORMAL, text::NORMAL_TITLE)}
            {button(Mode::Verbose, text::VERBOSE, text::VERBOSE_TITLE)}
        </div>
        <div class="seg seg--all" role="group" aria-label=text::BUTTONS_FOR_ALL>
            <button title=text::EXPAND_TITLE aria-label=text::EXPAND_ALL
                on:click=move |_| pane::actions::set_all(pane, true)>{glyph(icon::EXPAND)}</button>
            <button title=text::COLLAPSE_TITLE aria-label=text::COLLAPSE_ALL
                on:click=move |_| pane::actions::set_all(pane, false)>{glyph(Icon::Compaction.path())}</button>
            <Show when=move || pane.trace.shown_phase() == Phase::Ready>
                <button title=text::REPLAY_THE_RUN_P aria-label=text::REPLAY
                    aria-pressed=move || pane.replay.plan.with(Option::is_some).to_string()
                    on:click=move |_| replay::actions::toggle_replay(pane)>{glyph(Icon::Start.path())}</button>
            </Show>
        </div>
    }
}

/// The file pickers. They are hidden, and buttons of the page click them. Two of them are in `index.html`.
#[component]
fn Pickers() -> impl IntoView {
    let app = app();
    let picked_to_compare = move |event: leptos::ev::Event| {
        intake::picked_to_compare(app, &event_target::<web_sys::HtmlInputElement>(&event));
    };
    let is_busy = memo(move || matches!(app.pane().trace.shown_phase(), Phase::Loading(_)));
    effect(move || intake::disable_pickers(is_busy.get()));
    markup! {
        <input id=intake::TO_COMPARE class="hidden" type="file" multiple=true tabindex="-1"
            aria-label=text::FILES_TO_COMPARE disabled=move || is_busy.get() on:change=picked_to_compare/>
    }
}
