//! Listens to the keyboard, and finds the command for a key.

use leptos::prelude::*;
use web_sys::KeyboardEvent;

use crate::app::App;
use crate::browser;
use crate::pane;
use crate::shell::commands::{COMMANDS, run};
use crate::timeline::flame;

/// Listens to the keyboard of the whole page.
pub fn listen(app: App) {
    let listener = window_event_listener(leptos::ev::keydown, move |event| pressed(app, &event));
    // The listener lives as long as the page.
    std::mem::forget(listener);
}

fn pressed(app: App, event: &KeyboardEvent) {
    let key = event.key();
    if (event.ctrl_key() || event.meta_key()) && !event.alt_key() {
        // Without rows, the browser prints the page itself.
        let chord = format!("Ctrl+{key}");
        let command = COMMANDS.iter().find(|command| command.keys.contains(&chord.as_str()));
        if command.is_some_and(|command| run(app, command.act)) {
            event.prevent_default();
        }
        return;
    }
    if event.alt_key() || event.default_prevented() {
        return;
    }
    if browser::takes_text(event.target()) && key != "Escape" {
        return;
    }
    let in_tree = in_tree(event);
    // Single characters are commands everywhere, unless a setting limits them to the timeline. Other keys are commands
    // only in the timeline. Elsewhere the browser handles them.
    let is_character = key.chars().count() == 1;
    let allowed = match key.as_str() {
        "Escape" => true,
        " " | "Enter" => in_tree,
        _ if is_character => app.page.prefs.with_untracked(|prefs| prefs.keys) || in_tree,
        _ => in_tree,
    };
    if !allowed || app.page.dialog.with_untracked(Option::is_some) && key != "Escape" {
        return;
    }
    if pane::tabs::moved_in_view(app.pane_untracked(), &key) {
        return event.prevent_default();
    }
    let Some(command) = COMMANDS.iter().find(|command| command.keys.contains(&key.as_str())) else {
        return;
    };
    let selected = app.pane_untracked().selected;
    let before = selected.get_untracked();
    if run(app, command.act) {
        event.prevent_default();
        // If a key has selected a row, the next key must apply to that row. If a tab still had the focus, Enter would
        // activate the tab.
        if !in_tree && selected.get_untracked() != before {
            browser::focus_timeline();
        }
    }
}

fn in_tree(event: &KeyboardEvent) -> bool {
    let target =
        event.target().and_then(|it| wasm_bindgen::JsCast::dyn_into::<web_sys::Element>(it).ok());
    target.is_some_and(|element| {
        ["timeline", flame::ID].contains(&element.id().as_str()) || element.tag_name() == "BODY"
    })
}
