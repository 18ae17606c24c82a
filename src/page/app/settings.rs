//! What the reader has set, and where it is kept.

use leptos::prelude::*;

use crate::app::notice::say;
use crate::app::state::{AppState, Prefs};
use crate::app::worker::send;
use crate::browser;
use traceloupe::view::page::rows::Mode;
use traceloupe::view::wire::protocol::{LoopSettings, Request};

/// Changes what the person has set, and keeps it where storage is allowed.
pub fn set_prefs(state: AppState, change: impl FnOnce(&mut Prefs)) {
    let old = state.prefs.get_untracked();
    let mut new = old.clone();
    change(&mut new);
    store_prefs(&new);
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

/// Keeps what the person has set.
pub fn store_prefs(prefs: &Prefs) {
    browser::store("theme", &prefs.theme);
    browser::store("output_lines", &prefs.output_lines.to_string());
    browser::store("output_chars", &prefs.output_chars.to_string());
    browser::store("thinking_chars", &prefs.thinking_chars.to_string());
    browser::store("tools", &prefs.tools.to_string());
    browser::store("collapses", if prefs.collapses { "on" } else { "off" });
    browser::store("window", &prefs.window.to_string());
    browser::store("repetitions", &prefs.repetitions.to_string());
    browser::store("keys", if prefs.keys { "on" } else { "off" });
}

/// What the person had set before.
pub fn stored_prefs() -> Prefs {
    let number =
        |key: &str, or: u32| browser::stored(key).and_then(|it| it.parse().ok()).unwrap_or(or);
    let or = Prefs::default();
    let theme =
        browser::stored("theme").filter(|it| ["light", "dark", "system"].contains(&it.as_str()));
    Prefs {
        theme: theme.unwrap_or(or.theme),
        output_lines: number("output_lines", or.output_lines),
        output_chars: number("output_chars", or.output_chars),
        thinking_chars: number("thinking_chars", or.thinking_chars),
        tools: number("tools", or.tools),
        collapses: browser::stored("collapses").as_deref() != Some("off"),
        window: number("window", or.window).clamp(4, 48),
        repetitions: number("repetitions", or.repetitions).clamp(2, 20),
        keys: browser::stored("keys").as_deref() != Some("off"),
    }
}

/// The reading mode of the last visit.
pub fn stored_mode() -> Mode {
    browser::stored("mode").and_then(|word| Mode::from_word(&word)).unwrap_or_default()
}
