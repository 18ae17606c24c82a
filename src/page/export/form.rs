//! The dialog that exports a run: choice of a format, preview, download.

use crate::reactive::{effect, memo};
use leptos::prelude::*;

use crate::app::handoff;
use crate::app::page::Dialog;
use crate::app::pane::pane;
use crate::brief::current;
use crate::checks;
use crate::state::export::Preview;
use traceloupe_protocol::messages::{ExportForm, ExportRequest};
use traceloupe_words::brief::{brief_markdown, brief_page};
use traceloupe_words::page::{brief as brief_words, export as text, redaction};

/// The dialog.
#[component]
pub fn Export() -> impl IntoView {
    let pane = pane();
    let (form, set_form) = signal(ExportForm::default());
    let (is_yaml, set_is_yaml) = signal(false);
    let wanted = memo(move || ExportRequest {
        run: pane.run.get(),
        form: form.get(),
        is_yaml: is_yaml.get(),
    });
    pane.trace.export.notes.set(Vec::new());
    effect(move || checks::actions::want_export_preview(pane.trace, wanted.get()));
    let preview = move || match pane.trace.export.preview.get() {
        Some(Preview { text: Some((text, true)), .. }) => text,
        Some(Preview { text: Some((text, false)), .. }) => format!("{text}\n…"),
        _ => String::new(),
    };
    let option = move |of: ExportForm| {
        let checked = move || form.get() == of;
        markup! {
            <label class="export__form">
                <input type="radio" name="form" value=of.word() prop:checked=checked on:change=move |_| set_form.set(of)/>
                <span><b>{of.name()}</b><span class="export__words">{traceloupe_words::export_form(of)}</span></span>
            </label>
        }
    };
    let language = move |yaml: bool, words: &'static str| {
        let pressed = move || (is_yaml.get() == yaml).to_string();
        markup! {
            <button aria-pressed=pressed on:click=move |_| set_is_yaml.set(yaml)>{words}</button>
        }
    };
    let brief = current(pane);
    let save_markdown = move |_| {
        let markdown = brief.with_untracked(|brief| brief_markdown(brief));
        handoff::save_text(pane.page, &markdown, "text/markdown", brief_words::MARKDOWN_NAME);
    };
    let save_html = move |_| {
        let html = brief.with_untracked(|brief| brief_page(brief));
        handoff::save_text(pane.page, &html, "text/html", brief_words::HTML_NAME);
    };
    markup! {
        <fieldset><legend>{text::FORMAT}</legend>
            {ExportForm::ALL.map(option).collect_view()}
        </fieldset>
        <div class="seg export__language" role="group" aria-label=text::FILE_TYPE>
            {language(false, "JSON")}{language(true, "YAML")}
        </div>
        <pre id="export-preview" class="export__preview" tabindex="0" aria-label=text::FILE_BEGINNING>{preview}</pre>
        <div class="export__notes" role="status">
            {move || pane.trace.export.notes.get().into_iter().map(|note| markup! { <p>{note}"."</p> }).collect_view()}
        </div>
        <p class="export__words">{move || redaction::of_files(pane.page.prefs.with(|prefs| prefs.redacts_files))}</p>
        <p class="dialog__acts">
            <button on:click=move |_| pane.page.dialog.set(Some(Dialog::SaveHtml))>{text::SAVE_AS_HTML}</button>
            <button class="primary" on:click=move |_| checks::actions::save_run(pane.trace, wanted.get_untracked())>{text::DOWNLOAD}</button>
            <button title=brief_words::SAVE_MARKDOWN_TITLE on:click=save_markdown>{brief_words::SAVE_MARKDOWN}</button>
            <button title=brief_words::SAVE_HTML_TITLE on:click=save_html>{brief_words::SAVE_HTML}</button>
        </p>
    }
}
