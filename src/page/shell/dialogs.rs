//! The dialogs: help, about, and questions to the user.

use crate::glyph::glyph;
use crate::reactive::{Show, effect};
use leptos::html::Dialog as DialogElement;
use leptos::prelude::*;

use crate::app::app;
use crate::app::page::Dialog;
use crate::app::pane::{pane, trace};
use crate::brief::llm_dialog::ForLlm;
use crate::checks::expectations::Expectations;
use crate::event::full_image::FullImage;
use crate::event::link::OpenLink;
use crate::export::form::Export;
use crate::export::html_dialog::SaveHtml;
use crate::export::review::Review;
use crate::opening;
use crate::opening::folder_list::FolderList;
use crate::opening::intake;
use crate::opening::mapping_dialog::Keys;
use crate::opening::open_dialog::WaysIn;
use crate::opening::other_windows;
use crate::share::dialog::Share;
use crate::shell::commands;
use crate::shell::palette::Palette;
use crate::shell::settings::Settings;
use traceloupe_core::catalog::cards;
use traceloupe_protocol::messages::Request;
use traceloupe_view::icon;
use traceloupe_words as words;
use traceloupe_words::page::{brief, export as export_text, redaction, shell as text};

/// The open dialog.
#[component]
pub fn Dialogs() -> impl IntoView {
    let app = app();
    let page = app.page;
    let element: NodeRef<DialogElement> = NodeRef::new();
    effect(move || {
        let is_open = page.dialog.with(Option::is_some);
        if let Some(dialog) = element.get()
            && is_open != dialog.open()
        {
            if is_open {
                // Fails only for a dialog that is already open.
                let _ = dialog.show_modal();
            } else {
                dialog.close();
            }
        }
    });
    let title = move || match page.dialog.get() {
        Some(Dialog::Open) => text::OPEN_ANOTHER_TRACE,
        Some(Dialog::Help) => text::SHORTCUTS,
        Some(Dialog::Palette) => text::PALETTE,
        Some(Dialog::Settings) => text::SETTINGS,
        Some(Dialog::About) => text::ABOUT_THIS_TRACE,
        Some(Dialog::Keys) => text::WHAT_IS_THIS_FILE,
        Some(Dialog::Folder) => text::RUNS_OF_THE_FOLDER,
        Some(Dialog::Check) => text::CHECK_AGAINST_EXPECTED_CALLS,
        Some(Dialog::Export) => text::EXPORT_AS,
        Some(Dialog::Share) => text::SHARE,
        Some(Dialog::SaveHtml) => export_text::SAVE_HTML,
        Some(Dialog::Redaction) => redaction::REVIEW,
        Some(Dialog::ForLlm(_)) => brief::LLM_DIALOG,
        Some(Dialog::Image(..)) => text::IMAGE,
        Some(Dialog::Trust(..)) => text::OPEN_THIS_TRACE,
        Some(Dialog::Leave(_)) => text::LEAVE_THIS_TRACE,
        Some(Dialog::Link(_)) => text::OPEN_THIS_LINK,
        None => "",
    };
    markup! {
        <dialog node_ref=element class="dialog" aria-labelledby="dialog-title" on:close=move |_| {
            // The event comes later: the dialog may have been opened again.
            let is_closed = element.get_untracked().is_none_or(|dialog| !dialog.open());
            if is_closed && page.dialog.with_untracked(Option::is_some) {
                page.dialog.set(None);
            }
        }>
            <div class="dialog__head">
                <h2 id="dialog-title">{title}</h2>
                <button class="quiet" aria-label=text::CLOSE_THE_DIALOG on:click=move |_| page.dialog.set(None)>{glyph(icon::CLOSE)}</button>
            </div>
            <div class="dialog__in">
                {move || page.dialog.get().map(|dialog| {
                    // Opening another trace closes the dialog, so this pane remains the open one.
                    provide_context(app.pane_untracked());
                    content(dialog)
                })}
            </div>
        </dialog>
    }
}

/// The content of a dialog.
fn content(dialog: Dialog) -> AnyView {
    match dialog {
        Dialog::Open => markup! { <WaysIn/> }.into_any(),
        Dialog::Help => markup! { <Help/> }.into_any(),
        Dialog::Palette => markup! { <Palette/> }.into_any(),
        Dialog::Settings => markup! { <Settings/> }.into_any(),
        Dialog::About => markup! { <About/> }.into_any(),
        Dialog::Keys => markup! { <Keys/> }.into_any(),
        Dialog::Folder => markup! { <FolderList/> }.into_any(),
        Dialog::Check => markup! { <Expectations/> }.into_any(),
        Dialog::Export => markup! { <Export/> }.into_any(),
        Dialog::Share => markup! { <Share/> }.into_any(),
        Dialog::SaveHtml => markup! { <SaveHtml/> }.into_any(),
        Dialog::Redaction => markup! { <Review/> }.into_any(),
        Dialog::ForLlm(subject) => markup! { <ForLlm subject/> }.into_any(),
        Dialog::Image(image) => markup! { <FullImage image/> }.into_any(),
        Dialog::Trust(origin, len_bytes) => markup! { <Trust origin len_bytes/> }.into_any(),
        Dialog::Leave(address) => markup! { <Leave address/> }.into_any(),
        Dialog::Link(address) => markup! { <OpenLink address/> }.into_any(),
    }
}

/// The shortcuts, generated from the table of commands, and the glossary.
#[component]
fn Help() -> impl IntoView {
    const WORDS: [(&str, &str); 6] = [
        (text::RUN, text::RUN_IS),
        (text::EVENT, text::EVENT_IS),
        (text::LLM_CALL, text::LLM_CALL_IS),
        (text::TOOL_CALL, text::TOOL_CALL_IS),
        (text::POSSIBLE_LOOP_TERM, text::POSSIBLE_LOOP_IS),
        (text::RAW, text::RAW_IS),
    ];
    markup! {
        <table class="keys"><tbody>
            {commands::COMMANDS.iter().map(|command| markup! {
                <tr><th scope="row">{command.shown.split(' ').map(|key| markup! { <kbd>{key}</kbd>" " }).collect_view()}</th><td>{command.words}</td></tr>
            }).collect_view()}
        </tbody></table>
        <p>{text::KEYS_NOTE}</p>
        <dl class="glossary">
            {WORDS.into_iter().map(|(word, meaning)| markup! { <dt>{word}</dt><dd>{meaning}</dd> }).collect_view()}
        </dl>
    }
}

/// Memory of the worker.
#[component]
fn MemoryLine() -> impl IntoView {
    let memory = trace().memory;
    let (wasm, blobs) = (move || memory.get().wasm_bytes, move || memory.get().blob_bytes);
    markup! {
        <p class="memory">{text::MEMORY[0]}
            <span id="memory-wasm" data-bytes=move || wasm().to_string()>{move || words::bytes(wasm())}</span>
            {text::MEMORY[1]}
            <span id="memory-blobs" data-bytes=move || blobs().to_string()>{move || words::bytes(blobs())}</span>
            {text::MEMORY[2]}
        </p>
    }
}

/// The opened files and why their formats were chosen, with the option to read them in another format.
#[component]
fn About() -> impl IntoView {
    let (app, pane) = (app(), pane());
    let opening = pane.trace.opening;
    pane.trace.send(&Request::Memory);
    let sources = move || pane.trace.outline.get().sources.clone();
    let facts = move || {
        let outline = pane.trace.outline.get();
        let run = outline.runs.get(pane.run.get() as usize).cloned();
        run.map(|run| run.facts).unwrap_or_default()
    };
    let read_as = move |event: leptos::ev::Event| {
        opening::actions::read_as(app, &event_target_value(&event));
    };
    let current = move || opening.whole().and_then(|it| it.format).unwrap_or_default();
    markup! {
        <ul class="sources">
            {move || sources().into_iter().map(|source| {
                let name = traceloupe_core::catalog::format_name(&source.format);
                let why = match (&source.problem, source.is_container) {
                    (Some(fault), _) => words::problems::source_fault(fault),
                    (None, true) => "unpacked".to_owned(),
                    (None, false) if source.format.is_empty() => text::NOTHING_TO_SHOW.to_owned(),
                    (None, false) => text::read_as(name, &source.why),
                };
                let others = source.others.iter().map(|(_, name, why)| format!("{name} ({why})")).collect::<Vec<_>>().join("; ");
                let others = (!others.is_empty()).then(|| text::could_also_be(&others));
                markup! {
                    <li><b>{source.path}</b>" "<span>{words::bytes(source.len_bytes)}</span>
                        <p>{why}</p>{others.map(|words| markup! { <p>{words}</p> })}</li>
                }
            }).collect_view()}
        </ul>
        {move || pane.trace.opening.in_html().map(|html_bytes| markup! {
            <p>{export_text::in_this_file(html_bytes)}"."</p>
        })}
        {move || pane.trace.outline.get().stopped.map(|stopped| markup! {
            <p class="stopped">{text::reading_stopped(stopped)}</p>
        })}
        <MemoryLine/>
        <label class="setting"><span>{text::READ_AS}</span>
            <select on:change=read_as prop:value=current>
                <option value="">{text::DETECTED_FORMAT}</option>
                {cards().map(|card| markup! {
                    <option value=card.id selected=current() == card.id>{card.name}</option>
                }).collect_view()}
            </select>
        </label>
        <Show when=move || !facts().is_empty()>
            <h3>{text::THE_RUN}</h3>
            <table><tbody>
                {move || facts().into_iter().map(|fact| markup! {
                    <tr><th scope="row">{words::fact(&fact.kind).into_owned()}</th>
                        <td>{words::fact_value(&fact.value).into_owned()}</td></tr>
                }).collect_view()}
            </tbody></table>
        </Show>
    }
}

/// The question whether another window may open a trace here.
#[component]
fn Trust(origin: String, len_bytes: u64) -> impl IntoView {
    let (app, asked) = (app(), expect_context::<other_windows::Asked>());
    let refuse = first_focus();
    let who = if origin == "null" { text::NO_ORIGIN.to_owned() } else { origin };
    markup! {
        <p><b>{who}</b>{text::WANTS_TO_OPEN[0]}{words::bytes(len_bytes)}{text::WANTS_TO_OPEN[1]}</p>
        <p class="dialog__acts">
            <button node_ref=refuse class="primary" autofocus=true on:click=move |_| app.page.dialog.set(None)>{text::DONT_OPEN}</button>
            <button on:click=move |_| other_windows::consent(app, asked)>{text::OPEN_ONCE}</button>
        </p>
    }
}

/// The question for an address that was pasted or dropped while a trace is open.
#[component]
fn Leave(address: String) -> impl IntoView {
    let page = app().page;
    let refuse = first_focus();
    let shown = address.clone();
    markup! {
        <p>{text::CLOSES_AND_LOADS[0]}<bdi>{shown}</bdi>{text::CLOSES_AND_LOADS[1]}</p>
        <p class="dialog__acts">
            <button node_ref=refuse class="primary" autofocus=true on:click=move |_| page.dialog.set(None)>{text::KEEP_THIS_TRACE}</button>
            <button on:click=move |_| intake::load_address(&address)>{text::OPEN_THE_ADDRESS}</button>
        </p>
    }
}

/// The button that gets the initial focus: the harmless answer. This works regardless of whether the dialog or its
/// content is drawn first.
fn first_focus() -> NodeRef<leptos::html::Button> {
    let button: NodeRef<leptos::html::Button> = NodeRef::new();
    effect(move || {
        if let Some(button) = button.get() {
            // A visible button can always take the focus.
            let _ = button.focus();
        }
    });
    button
}
