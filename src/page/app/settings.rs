//! The settings: changing them, and storing them in the browser.

use crate::app::notice::say;
use crate::app::page::{Page, Prefs};
use crate::app::pane::Pane;
use crate::browser;
use traceloupe_protocol::messages::Request;
use traceloupe_view::list::visible_lines::Mode;
use traceloupe_words::page::app as text;

/// Changes the settings, stores them, and applies them to the open trace.
pub fn set_prefs(pane: Pane, change: impl FnOnce(&mut Prefs)) {
    let old = pane.page.prefs.get_untracked();
    let mut new = old.clone();
    change(&mut new);
    store_prefs(&new);
    if new.theme != old.theme {
        browser::set_theme(&new.theme);
    }
    if new.collapse_over_tools() != old.collapse_over_tools() {
        let over = new.collapse_over_tools();
        pane.choice.update(|choice| choice.collapse_over_tools = over);
    }
    if new.loop_settings() != old.loop_settings() {
        pane.trace.send(&Request::Rule(new.loop_settings()));
        pane.choice.update(|choice| choice.unfolded.clear());
    }
    pane.page.prefs.set(new);
}

/// Switches from the light theme to the dark one or back, whichever is displayed.
pub fn switch_theme(pane: Pane) {
    let is_dark = pane.page.prefs.with_untracked(|prefs| browser::is_dark(&prefs.theme));
    let theme = if is_dark { "light" } else { "dark" };
    set_prefs(pane, |prefs| prefs.theme = theme.to_owned());
    say(pane.page, &text::theme(theme));
}

fn store_prefs(prefs: &Prefs) {
    browser::store("theme", &prefs.theme);
    browser::store("output_lines", &prefs.output_lines.to_string());
    browser::store("output_chars", &prefs.output_chars.to_string());
    browser::store("thinking_chars", &prefs.thinking_chars.to_string());
    browser::store("tools", &prefs.tools.to_string());
    browser::store("collapses", if prefs.collapses { "on" } else { "off" });
    browser::store("window", &prefs.window.to_string());
    browser::store("repetitions", &prefs.repetitions.to_string());
    browser::store("with_names", if prefs.with_names { "on" } else { "off" });
    browser::store("keys", if prefs.keys { "on" } else { "off" });
    browser::store("redacts_files", if prefs.redacts_files { "on" } else { "off" });
    browser::store("redacts_copies", if prefs.redacts_copies { "on" } else { "off" });
}

/// The stored settings, with defaults for missing values.
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
        with_names: browser::stored("with_names").as_deref() == Some("on"),
        keys: browser::stored("keys").as_deref() != Some("off"),
        redacts_files: browser::stored("redacts_files").as_deref() != Some("off"),
        redacts_copies: browser::stored("redacts_copies").as_deref() == Some("on"),
    }
}

/// Changes the user's own prices and stores them.
pub fn set_own_prices(page: Page, text: String) {
    browser::store("own_prices", &text);
    page.own_prices.set(text);
}

/// The stored prices entered by the user.
pub fn stored_own_prices() -> String {
    browser::stored("own_prices").unwrap_or_default()
}

/// The stored mode.
pub fn stored_mode() -> Mode {
    browser::stored("mode").and_then(|word| Mode::from_word(&word)).unwrap_or_default()
}
