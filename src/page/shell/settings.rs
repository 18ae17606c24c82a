//! The settings: thresholds of the normal mode, the loop rule, theme, keys.

use leptos::prelude::*;

use crate::app::page::Prefs;
use crate::app::pane::pane;
use crate::app::settings;
use crate::pane;
use traceloupe::view::page::rows::Mode;

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
        <fieldset><legend>"Theme"</legend>
            {theme("system", "System")}{theme("light", "Light")}{theme("dark", "Dark")}
        </fieldset>
        <fieldset><legend>"How much is shown"</legend>
            {mode(Mode::Minimal, "Minimal: questions, answers and errors")}
            {mode(Mode::Normal, "Normal: every event on one line")}
            {mode(Mode::Verbose, "Verbose: everything open")}
        </fieldset>
        <fieldset><legend>"Normal mode"</legend>
            <Number label="Shorten outputs after (lines)" get=|prefs| prefs.output_lines set=|prefs, n| prefs.output_lines = n range=(1, 10_000)/>
            <Number label="Shorten outputs after (characters)" get=|prefs| prefs.output_chars set=|prefs, n| prefs.output_chars = n range=(20, 100_000)/>
            <Number label="Shorten thinking after (characters)" get=|prefs| prefs.thinking_chars set=|prefs, n| prefs.thinking_chars = n range=(20, 100_000)/>
            <label><input type="checkbox" prop:checked=move || pane.page.prefs.with(|prefs| prefs.collapses)
                on:change=move |event| {
                    let collapses = event_target_checked(&event);
                    settings::set_prefs(pane, |prefs| prefs.collapses = collapses);
                }/>"Auto-collapse long steps"</label>
            <Number label="Collapse steps with more tool calls than" get=|prefs| prefs.tools set=|prefs, n| prefs.tools = n range=(0, 1_000)/>
        </fieldset>
        <fieldset><legend>"Possible loops"</legend>
            <Number label="Repetitions that count as a loop" get=|prefs| prefs.repetitions set=|prefs, n| prefs.repetitions = n range=(2, 20)/>
            <Number label="Detection window (events)" get=|prefs| prefs.window set=|prefs, n| prefs.window = n range=(4, 48)/>
        </fieldset>
        <fieldset><legend>"Keyboard"</legend>
            <label><input type="checkbox" prop:checked=move || pane.page.prefs.with(|prefs| prefs.keys)
                on:change=move |event| {
                    let keys = event_target_checked(&event);
                    settings::set_prefs(pane, |prefs| prefs.keys = keys);
                }/>"Single-key shortcuts work everywhere, not only in the timeline"</label>
        </fieldset>
        <button on:click=move |_| {
            settings::set_prefs(pane, |prefs| *prefs = Prefs::default());
        }>"Restore the defaults"</button>
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
