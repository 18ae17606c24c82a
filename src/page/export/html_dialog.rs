//! The dialog that saves the page and the trace as one HTML file.

use crate::reactive::{Show, effect, memo};
use leptos::prelude::*;

use crate::app::pane::pane;
use crate::export::html;
use crate::state::export::{Contents, HtmlFile};
use traceloupe_words::page::{export as text, redaction};

/// The dialog.
#[component]
pub fn SaveHtml() -> impl IntoView {
    let pane = pane();
    let trace = pane.trace;
    let (contents, set_contents) = signal(Contents::default());
    html::prepare_summary(pane);
    effect(move || html::make(pane, contents.get()));
    let has_turn = memo(move || html::turn_of_selection(pane).is_some());
    let is_filtered = memo(move || pane.choice.with(|choice| choice.is_filtered()));
    let option = move |of: Contents, words: &'static str| {
        let checked = move || contents.get() == of;
        let is_there = move || match of {
            Contents::Files | Contents::Run => true,
            Contents::Turn => has_turn.get(),
            Contents::Listed => is_filtered.get(),
        };
        markup! {
            <Show when=is_there>
                <label class="export__form">
                    <input type="radio" name="contents" prop:checked=checked on:change=move |_| set_contents.set(of)/>
                    <span>{words}</span>
                </label>
            </Show>
        }
    };
    let said = move || match trace.export.html.get() {
        HtmlFile::Making => text::WEIGHING.to_owned(),
        HtmlFile::Made(file_bytes, trace_bytes) => text::weight(file_bytes, trace_bytes),
        HtmlFile::NotLines => text::NOT_LINES.to_owned(),
        HtmlFile::StillArriving => text::STILL_ARRIVING.to_owned(),
        HtmlFile::Failed(words) => text::not_made(&words),
    };
    let is_made = memo(move || matches!(trace.export.html.get(), HtmlFile::Made(..)));
    markup! {
        <p>{text::HTML_IS}</p>
        <fieldset><legend>{text::CONTENTS}</legend>
            {option(Contents::Files, text::WHOLE_FILES)}
            {option(Contents::Run, text::THIS_RUN)}
            {option(Contents::Turn, text::THIS_TURN)}
            {option(Contents::Listed, text::LISTED_ROWS)}
        </fieldset>
        <p id="html-weight" role="status">{said}"."</p>
        <p class="export__words">{move || redaction::of_files(trace.page.prefs.with(|prefs| prefs.redacts_files))}</p>
        <p class="dialog__acts">
            <button class="primary" disabled=move || !is_made.get()
                on:click=move |_| html::save(trace)>{text::SAVE_HTML}</button>
            <button title=text::ORIGINAL_TITLE on:click=move |_| html::save_original(trace)>{text::ORIGINAL}</button>
        </p>
    }
}
