//! All ways to open a trace while another one is open.

use crate::reactive::Show;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::ClipboardEvent;

use crate::app::app;
use crate::opening::intake;
use traceloupe_words::page::opening as text;

/// The content of the dialog: files, a folder, an address or pasted text.
#[component]
pub fn WaysIn() -> impl IntoView {
    let app = app();
    let (text, set_text) = signal(String::new());
    // The pickers are part of the page, which an open dialog blocks, so the dialog is closed first.
    let pick = move |pick: fn()| {
        app.page.dialog.set(None);
        pick();
    };
    let can_compare =
        move || app.pane().trace.has_rows() && app.trace_untracked().opening.whole().is_some();
    let submit = move |event: leptos::ev::SubmitEvent| {
        event.prevent_default();
        intake::open_text(app, &text.get_untracked());
    };
    let pasted = move |event: web_sys::Event| {
        let event: &ClipboardEvent = event.unchecked_ref();
        let Some(data) = event.clipboard_data() else { return };
        let text = data.get_data("text/plain").unwrap_or_default();
        // A trace is opened at once, because browsers are slow with megabytes of text in a field.
        if intake::address_in(&text).is_none() {
            event.prevent_default();
            intake::paste(app, &data);
        }
    };
    markup! {
        <p class="ways">
            <button class="primary" on:click=move |_| pick(intake::pick)>{text::CHOOSE_FILES}</button>
            <button on:click=move |_| pick(intake::pick_folder)>{text::CHOOSE_A_FOLDER}</button>
            <Show when=can_compare><button on:click=move |_| pick(intake::pick_to_compare)>{text::COMPARE_WITH_FILES}</button></Show>
        </p>
        <form class="ways" on:submit=submit>
            <label for="ways-text">{text::ADDRESS_OR_TRACE}</label>
            <textarea id="ways-text" rows="2" autocomplete="off" spellcheck="false"
                placeholder=text::ADDRESS_EXAMPLE prop:value=text
                on:input=move |event| set_text.set(event_target_value(&event)) on:paste=move |event| pasted(event.into())></textarea>
            <button type="submit" disabled=move || text.with(|text| text.trim().is_empty())>{text::OPEN}</button>
        </form>
        <p class="ways__note">{text::OR_DROP_FILES}</p>
    }
}
