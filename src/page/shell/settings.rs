//! The settings: theme, mode, thresholds of normal mode, the loop rule, keys.

use leptos::prelude::*;

use crate::app::page::Prefs;
use crate::app::pane::pane;
use crate::app::settings;
use crate::pane;
use crate::shell::own_prices::OwnPrices;
use traceloupe_view::list::visible_lines::Mode;
use traceloupe_words::page::redaction;
use traceloupe_words::page::shell as text;

/// The settings.
#[component]
pub fn Settings() -> impl IntoView {
    let pane = pane();
    let theme = move |value: &'static str, words: &'static str| {
        let checked = move || pane.page.prefs.with(|prefs| prefs.theme == value);
        markup! {
            <label><input type="radio" name="theme" prop:checked=checked
                on:change=move |_| settings::set_prefs(pane, |prefs| prefs.theme = value.to_owned())/>{words}</label>
        }
    };
    let mode = move |value: Mode, words: &'static str| {
        let checked = move || pane.choice.with(|choice| choice.mode == value);
        markup! {
            <label><input type="radio" name="mode" prop:checked=checked
                on:change=move |_| pane::actions::set_mode(pane, value)/>{words}</label>
        }
    };
    markup! {
        <fieldset><legend>{text::THEME}</legend>
            {theme("system", text::SYSTEM)}{theme("light", text::LIGHT)}{theme("dark", text::DARK)}
        </fieldset>
        <fieldset><legend>{text::HOW_MUCH_IS_SHOWN}</legend>
            {mode(Mode::Minimal, text::MODE_MINIMAL)}
            {mode(Mode::Normal, text::NORMAL_SETTING)}
            {mode(Mode::Verbose, text::VERBOSE_SETTING)}
        </fieldset>
        <fieldset><legend>{text::NORMAL_MODE}</legend>
            <Number label=text::SHORTEN_OUTPUTS_AFTER_LINES get=|prefs| prefs.output_lines set=|prefs, n| prefs.output_lines = n range=(1, 10_000)/>
            <Number label=text::SHORTEN_OUTPUTS_AFTER_CHARACTERS get=|prefs| prefs.output_chars set=|prefs, n| prefs.output_chars = n range=(20, 100_000)/>
            <Number label=text::SHORTEN_THINKING_AFTER_CHARACTERS get=|prefs| prefs.thinking_chars set=|prefs, n| prefs.thinking_chars = n range=(20, 100_000)/>
            <label><input type="checkbox" prop:checked=move || pane.page.prefs.with(|prefs| prefs.collapses)
                on:change=move |event| {
                    let collapses = event_target_checked(&event);
                    settings::set_prefs(pane, |prefs| prefs.collapses = collapses);
                }/>{text::AUTO_COLLAPSE_LONG_STEPS}</label>
            <Number label=text::COLLAPSE_STEPS_OVER get=|prefs| prefs.tools set=|prefs, n| prefs.tools = n range=(0, 1_000)/>
        </fieldset>
        <fieldset><legend>{text::POSSIBLE_LOOPS}</legend>
            <Number label=text::REPETITIONS get=|prefs| prefs.repetitions set=|prefs, n| prefs.repetitions = n range=(2, 20)/>
            <Number label=text::DETECTION_WINDOW_EVENTS get=|prefs| prefs.window set=|prefs, n| prefs.window = n range=(4, 48)/>
            <label><input type="checkbox" prop:checked=move || pane.page.prefs.with(|prefs| prefs.with_names)
                on:change=move |event| {
                    let with_names = event_target_checked(&event);
                    settings::set_prefs(pane, |prefs| prefs.with_names = with_names);
                }/>{text::LIST_REPEATED_NAMES}</label>
        </fieldset>
        <fieldset><legend>{text::KEYBOARD}</legend>
            <label><input type="checkbox" prop:checked=move || pane.page.prefs.with(|prefs| prefs.keys)
                on:change=move |event| {
                    let keys = event_target_checked(&event);
                    settings::set_prefs(pane, |prefs| prefs.keys = keys);
                }/>{text::KEYS_EVERYWHERE}</label>
        </fieldset>
        <fieldset><legend>{redaction::REDACTION}</legend>
            <label><input type="checkbox" id="redacts-files" prop:checked=move || pane.page.prefs.with(|prefs| prefs.redacts_files)
                on:change=move |event| {
                    let redacts = event_target_checked(&event);
                    settings::set_prefs(pane, |prefs| prefs.redacts_files = redacts);
                }/>{redaction::REDACT_FILES}</label>
            <label><input type="checkbox" id="redacts-copies" prop:checked=move || pane.page.prefs.with(|prefs| prefs.redacts_copies)
                on:change=move |event| {
                    let redacts = event_target_checked(&event);
                    settings::set_prefs(pane, |prefs| prefs.redacts_copies = redacts);
                }/>{redaction::REDACT_COPIES}</label>
        </fieldset>
        <OwnPrices/>
        <button on:click=move |_| {
            settings::set_prefs(pane, |prefs| *prefs = Prefs::default());
        }>{text::RESTORE_THE_DEFAULTS}</button>
    }
}

#[component]
fn Number(
    label: &'static str,
    get: fn(&Prefs) -> u32,
    set: fn(&mut Prefs, u32),
    range: (u32, u32),
) -> impl IntoView {
    let pane = pane();
    let value = move || pane.page.prefs.with(get).to_string();
    markup! {
        <label class="setting">
            <span>{label}</span>
            <input type="number" min=range.0.to_string() max=range.1.to_string() prop:value=value
                on:change=move |event| {
                    if let Ok(number) = event_target_value(&event).parse::<u32>() {
                        settings::set_prefs(pane, |prefs| set(prefs, number.clamp(range.0, range.1)));
                    }
                }/>
        </label>
    }
}
