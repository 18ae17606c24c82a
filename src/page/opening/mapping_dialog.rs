//! The dialog that shows the meaning of each key in a file of an unknown format, and lets the user change it.

use crate::reactive::{RwSignal, live, memo};
use leptos::prelude::*;

use crate::app::app;
use crate::app::pane::{Pane, pane};
use crate::browser;
use crate::opening::actions;
use crate::shared::Shared;
use crate::state::opening::Opening;
use traceloupe_core::model::{KeyShape, ListShape, Mapping, Reading, Slot};
use traceloupe_protocol::messages::Request;
use traceloupe_protocol::route::Route;
use traceloupe_words::page::opening as text;

/// Prefix of the storage keys of mappings. The fingerprint of the keys follows.
const STORED: &str = "map.";

/// The mappings that the user has chosen before: fingerprint of the keys, and mapping.
pub fn stored() -> Vec<(String, String)> {
    let keys = browser::stored_keys(STORED).into_iter();
    keys.filter_map(|of| Some((of.clone(), browser::stored(&format!("{STORED}{of}"))?))).collect()
}

/// The mapping in the link. It applies to the first trace that is opened, and is removed from the link when another one
/// is opened.
pub fn linked(pane: Pane) -> Option<String> {
    let route = pane.page.route.get_untracked();
    if pane.trace.number() == 0 {
        return route.mapping;
    }
    if route.mapping.is_some() {
        link(pane, None);
    }
    None
}

fn link(pane: Pane, mapping: Option<&str>) {
    let fragment = pane.page.route.with_untracked(|route| route.with_mapping(mapping));
    browser::replace_fragment(&fragment);
    pane.page.route.set(Route::parse(&fragment));
}

/// The first source whose format is unknown, and the interpretation of its keys.
fn reading(pane: Pane) -> Option<(u32, Reading)> {
    pane.trace.outline.with_untracked(|outline| {
        let readings = (0..).zip(&outline.sources);
        readings.into_iter().find_map(|(at, source)| Some((at, source.reading.clone()?)))
    })
}

/// The dialog.
#[component]
pub fn Keys() -> impl IntoView {
    let (app, pane) = (app(), pane());
    let (source, Reading { mapping, shape, .. }) = reading(pane).unwrap_or_default();
    let mapping = RwSignal::new(mapping);
    let lists = Shared::new(shape.lists);
    let all = lists.clone();
    let read_again = move |chosen: Option<String>| {
        let Some(opening) = pane.trace.opening.whole() else { return };
        let key = format!("{STORED}{}", shape.fingerprint);
        match &chosen {
            Some(chosen) => browser::store(&key, chosen),
            None => browser::unstore(&key),
        }
        link(pane, chosen.as_deref());
        actions::start(app, Opening { mapping: chosen, ..opening });
    };
    let read_again = StoredValue::new(read_again);
    let apply = move |chosen: Option<String>| read_again.with_value(|it| it(chosen));
    let list = memo(move || mapping.with(|mapping| mapping.list.clone()));
    let keys = memo(move || {
        let list = all.iter().find(|it| list.with(|path| it.path == *path));
        list.map(|list| list.keys.clone()).unwrap_or_default()
    });
    let row = move |slot: Slot| {
        let change = move |event: leptos::ev::Event| {
            mapping.update(|mapping| mapping.set(slot, &event_target_value(&event)));
        };
        let options = live(move || {
            let chosen = mapping.with_untracked(|mapping| mapping.get(slot).to_owned());
            let keys = keys.get().into_iter();
            keys.map(|KeyShape { path, example, .. }| {
                let is_chosen = path == chosen;
                let words = text::key(&path, &example);
                markup! { <option value=path selected=is_chosen>{words}</option> }
            })
            .collect_view()
        });
        markup! {
            <label class="setting"><span>{text::slot(slot)}</span>
                <select data-slot=slot.word() on:change=change><option value="">"—"</option>{options}</select>
            </label>
        }
    };
    let list_options = lists.iter().map(|ListShape { path, n_records, .. }| {
        let is_chosen = list.with_untracked(|list| list == path);
        let words = text::list(path, *n_records);
        markup! { <option value=path.clone() selected=is_chosen>{words}</option> }
    });
    let list_options = list_options.collect_view();
    markup! {
        <p>{text::KEYS_ARE_GUESSED}</p>
        <label class="setting"><span>{text::LIST}</span>
            <select data-slot="list" on:change=move |event| mapping.set(Mapping::of_list(&event_target_value(&event)))>
                {list_options}
            </select>
        </label>
        {Slot::ALL.map(row).collect_view()}
        <p class="dialog__acts keys__acts">
            <button class="quiet" on:click=move |_| {
                pane.trace.send(&Request::ShapeReport(source, pane.trace.tickets.next_saved()));
            } title=text::REPORT_TITLE>{text::SAVE_A_REPORT}</button>
            <button on:click=move |_| apply(None)>{text::GUESS_AGAIN}</button>
            <button on:click=move |_| apply(Some(Mapping::default().to_string()))>{text::PLAIN_RECORDS}</button>
            <button class="primary" on:click=move |_| apply(Some(mapping.with_untracked(Mapping::to_string)))>{text::APPLY}</button>
        </p>
    }
}
