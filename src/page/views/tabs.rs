//! The views of a trace as tabs, and the panel of the chosen one.

use leptos::attr::custom::custom_attribute;
use leptos::prelude::*;

use crate::app::pane::{Pane, pane};
use crate::browser;
use crate::glyph::glyph;
use crate::pane::tabs::{choose_form, choose_runs, choose_tab, uncover};
use crate::reactive::{Memo, Show, live, memo};
use crate::views::registry::{Shows, VIEWS, View, view};
use traceloupe_protocol::route::{COMPARE, RUNS, TIMELINE};
use traceloupe_words::page::views as text;

/// Ids of the views that the open run offers, in order. The timeline is always one of them.
fn offered(pane: Pane) -> Memo<Vec<&'static str>> {
    memo(move || {
        let run = pane.run.get();
        pane.trace.outline.with(|outline| {
            let offered = VIEWS.iter().filter(|view| (view.is_offered)(outline, run));
            offered.map(|view| view.id).collect()
        })
    })
}

/// Id of the view that is shown: the chosen one if it is offered, otherwise the list of rows.
pub fn shown_view(pane: Pane) -> Memo<&'static str> {
    let offered = offered(pane);
    memo(move || {
        let chosen = pane.tab.get();
        let found = offered.with(|ids| ids.iter().copied().find(|id| *id == chosen));
        found.unwrap_or_else(|| pane.form.get().id())
    })
}

fn choose(pane: Pane, view: &'static View) {
    uncover(pane);
    match view.shows {
        Shows::Rows(form) => choose_form(pane, form),
        Shows::Panel(_) if view.id == RUNS => choose_runs(pane),
        Shows::Panel(_) => choose_tab(pane, view.id),
    }
}

/// The tabs, if there is more than one.
#[component]
pub fn Tabs() -> impl IntoView {
    let pane = pane();
    let all = offered(pane);
    let shown = shown_view(pane);
    // Views of a single run are meaningless before a run has been chosen.
    let offered = memo(move || {
        let is_before = pane.begins_with_runs.get() && shown.get() == RUNS;
        let is_of_all = |id: &&'static str| !is_before || [RUNS, COMPARE].contains(id);
        all.with(|ids| ids.iter().copied().filter(is_of_all).collect::<Vec<_>>())
    });
    let has_solutions = memo(move || {
        let run = pane.run.get();
        pane.trace.outline.with(|outline| outline.exhibits.has_beside(run) != (false, false))
    });
    let tab = move |view: &'static View| {
        let is_chosen = move || shown.get() == view.id;
        // Beside views of solutions, the timeline shows the agent's work.
        let label = move || match view.id == TIMELINE && has_solutions.get() {
            true => text::AGENT_INSPECTOR,
            false => view.label,
        };
        markup! {
            <button role="tab" class="tabs__tab" id=view.tab_id()
                {..custom_attribute("aria-controls", view.panel_id())}
                aria-selected=move || is_chosen().to_string()
                tabindex=move || if is_chosen() { "0" } else { "-1" }
                on:click=move |event| {
                    choose(pane, view);
                    // After a click with the mouse, the keys are for the rows. With the keyboard, they are for the tabs.
                    if event.detail() > 0 && matches!(view.shows, Shows::Rows(_)) {
                        browser::focus_timeline();
                    }
                }>
                {glyph(view.icon)}{label}</button>
        }
    };
    markup! {
        <Show when=move || offered.with(|ids| ids.len() > 1)>
            <section class="tabs" aria-label=text::TABS>
                <div class="tabs__list" role="tablist" aria-label=text::WHAT_IS_SHOWN
                    on:keydown=move |event: leptos::ev::KeyboardEvent| {
                        let next = offered.with_untracked(|ids| next_tab(ids, shown.get_untracked(), &event.key()));
                        if let Some(view) = next.and_then(view) {
                            event.prevent_default();
                            choose(pane, view);
                            browser::focus(&view.tab_id());
                        }
                    }>
                    {move || offered.get().into_iter().filter_map(view).map(tab).collect_view()}
                </div>
            </section>
        </Show>
    }
}

/// The next tab for a key, wrapping around at the ends, as in the WAI-ARIA pattern.
fn next_tab(ids: &[&'static str], id: &str, key: &str) -> Option<&'static str> {
    let at = ids.iter().position(|it| *it == id)?;
    let last = ids.len() - 1;
    let to = match key {
        "ArrowRight" => (at + 1) % ids.len(),
        "ArrowLeft" => at.checked_sub(1).unwrap_or(last),
        "Home" => 0,
        "End" => last,
        _ => return None,
    };
    ids.get(to).copied()
}

/// The panel of the chosen view. It covers the list of rows, which keeps its position behind it.
#[component]
pub fn Panel() -> impl IntoView {
    let shown = shown_view(pane());
    let panel = |view: &'static View| {
        let Shows::Panel(content) = view.shows else { return None };
        Some(markup! {
            <section class="exhibit" role="tabpanel" id=view.panel_id() tabindex="0"
                {..custom_attribute("aria-labelledby", view.tab_id())}>
                {content()}
            </section>
        })
    };
    live(move || view(shown.get()).and_then(panel))
}
