//! The dialog that makes links and code to pass on.

use leptos::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::app::handoff;
use crate::app::pane::{Pane, pane};
use crate::browser;
use crate::event::actions::detail_of;
use crate::opening::needed_file::need_of;
use crate::reactive::{Memo, RwSignal, memo};
use crate::share::data_link::{NoLink, data_of};
use crate::state::opening::NamedFile;
use traceloupe_protocol::route::Route;
use traceloupe_view::list::visible_lines::Line;
use traceloupe_words::page::{redaction, share as text};

/// A link with the trace in it, if it was asked for.
#[derive(Clone, PartialEq)]
enum DataLink {
    NotAsked,
    Making,
    Made(String),
    Failed(NoLink),
}

/// The dialog.
#[component]
pub fn Share() -> impl IntoView {
    let pane = pane();
    let sel = selection(pane);
    let route = pane.page.route.get_untracked();
    let names_trace = route.names_trace();
    let file = own_file(pane);
    let need = RwSignal::new(None);
    if let Some(file) = file.clone().filter(|_| !names_trace) {
        spawn_local(async move { need.set(Some(need_of(&file).await)) });
    }
    let has_place = names_trace || file.is_some();
    let place = memo(move || {
        let here = pane.page.route.with(|route| route.with_sel(sel.get().as_deref()));
        match need.get() {
            Some(need) => link(&Route::parse(&here).with_need(&need)),
            None => link(&here),
        }
    });
    let explanation = match (names_trace, &file) {
        (true, _) => text::PLACE_WITH_ADDRESS,
        (false, Some(_)) => text::PLACE_OF_FILE,
        (false, None) => text::PLACE_OF_FILES,
    };
    markup! {
        <section class="share__way">
            <h3>{text::THIS_PLACE}</h3>
            <p>{explanation}</p>
            {has_place.then(|| link_to_copy(pane, place))}
        </section>
        {file.map(|file| markup! { <WholeTrace file/> })}
        {names_trace.then(|| markup! { <Code route/> })}
    }
}

/// The one file of the trace, if it is there as a whole.
fn own_file(pane: Pane) -> Option<NamedFile> {
    let mut files = pane.trace.opening.whole()?.files;
    (files.len() == 1).then(|| files.pop()).flatten()
}

/// The value of `sel=` for the selected row, once its content has arrived.
fn selection(pane: Pane) -> Memo<Option<String>> {
    let row = pane.selected.get_untracked().and_then(Line::row);
    let id = row.map(|row| pane.trace.outline.with_untracked(|outline| outline.rows.ids.get(row)));
    let detail = id.map(|id| detail_of(pane.trace, id));
    memo(move || Some(detail?.get()?.sel.clone()))
}

/// A link to this page with a fragment.
fn link(fragment: &str) -> String {
    browser::address_with(&Route::parse(fragment).versioned())
}

/// A link to copy.
fn link_to_copy(pane: Pane, link: Memo<String>) -> impl IntoView {
    let page = pane.page;
    markup! {
        <p class="share__link">
            <input type="text" readonly aria-label=text::LINK prop:value=move || link.get()/>
            <button on:click=move |_| handoff::copy_as_it_is(page, &link.get_untracked(), text::LINK_COPIED)>{text::COPY_LINK}</button>
        </p>
    }
}

/// The link that has the trace in it.
#[component]
fn WholeTrace(file: NamedFile) -> impl IntoView {
    let pane = pane();
    let made = RwSignal::new(DataLink::NotAsked);
    let file = StoredValue::new_local(file);
    let redacts = move || pane.page.prefs.with(|prefs| prefs.redacts_files);
    let make = move |_| {
        made.set(DataLink::Making);
        let blob = file.with_value(|file| file.blob.clone());
        spawn_local(async move {
            let passed = match handoff::redacted(pane.page, std::slice::from_ref(&blob), &[]).await
            {
                Ok(passed) => passed.or(vec![blob], Vec::new()).0,
                Err(fault) => return made.set(DataLink::Failed(NoLink::NotRedacted(fault))),
            };
            let Some(blob) = passed.first() else { return };
            made.set(match data_of(blob).await {
                Ok(data) => {
                    let here = pane.page.route.with_untracked(|route| route.with_data(&data));
                    DataLink::Made(link(&here))
                }
                Err(why) => DataLink::Failed(why),
            });
        });
    };
    markup! {
        <section class="share__way">
            <h3>{text::WHOLE_TRACE}</h3>
            <p>{text::WHOLE_TRACE_IS}{move || redacts().then_some(text::REDACTED)}</p>
            {move || match made.get() {
                DataLink::Made(link) => link_to_copy(pane, memo(move || link.clone())).into_any(),
                _ => markup! {
                    <p><button disabled=move || made.get() == DataLink::Making on:click=make>{text::MAKE_LINK}</button></p>
                }.into_any(),
            }}
            <p class="share__note" role="status">{move || match made.get() {
                DataLink::NotAsked => String::new(),
                DataLink::Making => text::MAKING_LINK.to_owned(),
                DataLink::Made(link) => text::link_length(link.len()),
                DataLink::Failed(NoLink::TooLong(len_bytes, limit_bytes)) => text::too_long(len_bytes, limit_bytes),
                DataLink::Failed(NoLink::Unreadable) => text::NOT_MADE.to_owned(),
                DataLink::Failed(NoLink::NotRedacted(fault)) => redaction::fault(fault).to_owned(),
            }}</p>
        </section>
    }
}

/// Code that shows the trace in another page.
#[component]
fn Code(route: Route) -> impl IntoView {
    let page = pane().page;
    let fragment = route.with_sel(None);
    let code = text::embed_code(&link(&format!("embed=1&{fragment}")));
    let shown = code.clone();
    markup! {
        <section class="share__way">
            <h3>{text::EMBED}</h3>
            <p>{text::EMBED_IS}</p>
            <pre class="share__code" tabindex="0" aria-label=text::EMBED_CODE>{shown}</pre>
            <p><button on:click=move |_| handoff::copy_as_it_is(page, &code, text::CODE_COPIED)>{text::COPY_CODE}</button></p>
        </section>
    }
}
