//! The menu of actions on the displayed run.

use crate::reactive::memo;
use leptos::prelude::*;

use crate::app::notice;
use crate::app::page::Dialog;
use crate::app::pane::{Pane, pane};
use crate::pane;
use crate::timeline::print;
use traceloupe_protocol::route::FILES;
use traceloupe_words::page::{brief, export as export_text, runs as text};

/// Copies the id of the displayed run.
pub fn copy_id(pane: Pane) {
    let run = pane.run.get_untracked() as usize;
    let key = pane.trace.outline.with_untracked(|it| it.runs.get(run).map(|run| run.key.clone()));
    notice::copy(pane.page, &key.unwrap_or_default(), text::ID_COPIED);
}

/// The entries of the menu.
#[component]
pub fn RunMenu() -> impl IntoView {
    let pane = pane();
    let key = memo(move || {
        let run = pane.run.get();
        pane.trace.outline.with(|it| it.runs.get(run as usize).map(|run| run.key.clone()))
    });
    let key = move || key.get().filter(|key| !key.is_empty());
    let entry =
        move |words: &'static str, title: &'static str, key: &'static str, act: fn(Pane)| {
            markup! {
                <button class="quiet" title=title on:click=move |_| act(pane)>
                    {words}<kbd aria-hidden="true">{key}</kbd>
                </button>
            }
        };
    markup! {
        {entry(brief::BRIEF, brief::HEADING, "0", pane::tabs::choose_brief)}
        {entry(text::SHOW_FILES, text::SHOW_FILES_TITLE, "4", |pane| pane::tabs::choose_tab(pane, FILES))}
        {entry(text::STATISTICS, text::STATISTICS_TITLE, "5", pane::tabs::choose_statistics)}
        {entry(text::COMPARE, text::COMPARE_TITLE, "C", pane::tabs::compare_runs)}
        {move || key().map(|key| markup! {
            <button class="quiet" title=text::COPY_LINK_TITLE
                on:click=move |_| pane::actions::link_to_run(pane)>{text::COPY_LINK}</button>
            <button class="quiet" title=text::copy_id(&key)
                on:click=move |_| copy_id(pane)>{text::COPY_ID}</button>
            {entry(text::CHECK, text::CHECK_TITLE, "c", |pane| pane.page.dialog.set(Some(Dialog::Check)))}
            {entry(text::EXPORT_AS, text::EXPORT_TITLE, "w", |pane| pane.page.dialog.set(Some(Dialog::Export)))}
        })}
        {entry(text::SHARE, text::SHARE_TITLE, "S", |pane| pane.page.dialog.set(Some(Dialog::Share)))}
        {entry(export_text::SAVE_AS_HTML, export_text::SAVE_AS_HTML_TITLE, "Ctrl+S", |pane| pane.page.dialog.set(Some(Dialog::SaveHtml)))}
        {entry(text::PRINT, text::PRINT_TITLE, "Ctrl+P", print::print)}
    }
}
