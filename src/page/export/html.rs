//! Saves the page and the trace as one HTML file.
//!
//! The steps are separate functions: the bytes of the trace ([`make`], [`excerpt_ended`]), the HTML file ([`build`]),
//! the download ([`save`]). If something in the trace must not leave, it is removed before the download, and the HTML file
//! is built again.

use js_sys::{Array, Object, Reflect};
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::Blob;

use crate::app::handoff;
use crate::app::notice::say;
use crate::app::pane::Pane;
use crate::app::trace::Trace;
use crate::boot;
use crate::brief::{current, has_arrived};
use crate::browser;
use crate::state::export::{Contents, HtmlFile};
use crate::state::handoff::Passed;
use crate::state::opening::{NamedFile, Opening, len_bytes};
use crate::timeline::previews::want_also;
use traceloupe_protocol::messages::{MadeFile, Request};
use traceloupe_view::list::visible_lines::Line;
use traceloupe_view::static_summary::{MAX_ROWS, StaticSummary};
use traceloupe_words as words;
use traceloupe_words::page::export as export_text;

/// How long the texts of the summary are waited for, in steps of some milliseconds.
const WAIT_MS: u32 = 25;
const MAX_WAITS: u32 = 40;

/// Begins to make the file. Its size is shown once it is complete.
pub fn make(pane: Pane, contents: Contents) {
    let trace = pane.trace;
    let export = trace.export;
    let ticket = trace.tickets.next();
    export.html_ticket.set_value(ticket);
    export.html_blob.set_value(None);
    export.excerpt.set_value(Vec::new());
    export.html.set(HtmlFile::Making);
    match contents {
        Contents::Files => match trace.opening.whole() {
            Some(opening) => build(pane, ticket, opening),
            None => export.html.set(HtmlFile::StillArriving),
        },
        _ => trace.send(&Request::Excerpt(events_of(pane, contents), ticket)),
    }
}

/// Requests the texts that the summary needs.
pub fn prepare_summary(pane: Pane) {
    pane.trace.export.html_brief.set_value(Some(current(pane)));
    for id in first_rows(pane) {
        want_also(pane.trace, id);
    }
}

/// The row whose turn is saved, if a turn contains the selected row.
pub fn turn_of_selection(pane: Pane) -> Option<(u32, u32)> {
    let row = pane.selected.get().and_then(Line::row)?;
    pane.trace.outline.with(|outline| outline.turns.around(row).map(|turn| (turn.row, turn.end)))
}

/// The events of a part of the run.
fn events_of(pane: Pane, contents: Contents) -> Vec<u32> {
    let outline = pane.trace.outline.get_untracked();
    let run = outline.runs.get(pane.run.get_untracked() as usize);
    let (first, end) = run.map_or((0, 0), |run| (run.first_row, run.first_row + run.n_rows));
    let matching = pane.matching.get_untracked();
    let turn = untrack(|| turn_of_selection(pane)).unwrap_or_default();
    let is_saved = |row: &u32| match contents {
        Contents::Files | Contents::Run => true,
        Contents::Turn => (turn.0..turn.1).contains(row),
        Contents::Listed => matching.has(*row),
    };
    (first..end).filter(is_saved).map(|row| outline.rows.ids.get(row)).collect()
}

/// Takes a part of the trace. Returns whether the ticket belongs to the file that is being made.
pub fn take_excerpt(trace: Trace, ticket: u32, file: &MadeFile, blob: &Blob) -> bool {
    let is_wanted = trace.export.html_ticket.get_value() == ticket;
    if is_wanted {
        let part = NamedFile { path: file.name.clone(), blob: blob.clone() };
        trace.export.excerpt.update_value(|parts| parts.push(part));
    }
    is_wanted
}

/// All parts of the trace have arrived, or its records are not lines.
pub fn excerpt_ended(pane: Pane, ticket: u32, are_lines: bool) {
    let export = pane.trace.export;
    if export.html_ticket.get_value() != ticket {
        return;
    }
    if !are_lines {
        return export.html.set(HtmlFile::NotLines);
    }
    let files = export.excerpt.try_update_value(std::mem::take).unwrap_or_default();
    let run = pane.run.get_untracked() as usize;
    let run = pane.trace.outline.with_untracked(|outline| outline.runs.get(run).cloned());
    let run = run.unwrap_or_default();
    let mapping = pane.trace.opening.whole().and_then(|opening| opening.mapping);
    let title = Some(run.title).filter(|title| !title.is_empty());
    // A part of a file may not be enough to recognise its format.
    build(
        pane,
        ticket,
        Opening { format: Some(run.format), mapping, title, ..Opening::new(files) },
    );
}

/// Builds the HTML file.
fn build(pane: Pane, ticket: u32, opening: Opening) {
    let trace = pane.trace;
    let trace_bytes = opening.len_bytes();
    spawn_local(async move {
        // The texts of the summary were requested when the dialog was opened.
        for _ in 0..MAX_WAITS {
            let has_all = !trace.previews.is_waiting() && has_arrived(pane);
            if !trace.is_open() || has_all {
                break;
            }
            gloo_timers::future::TimeoutFuture::new(WAIT_MS).await;
        }
        if !trace.is_open() {
            return;
        }
        let brief = trace.export.html_brief.with_value(|brief| {
            let brief = brief.map(|brief| brief.get_untracked());
            summary(pane).html(&brief.unwrap_or_default())
        });
        let request = request(&opening, &brief);
        let made = JsFuture::from(boot::html_of(&request)).await;
        if !trace.is_open() || trace.export.html_ticket.get_value() != ticket {
            return;
        }
        match made {
            Ok(blob) => {
                let blob: Blob = blob.unchecked_into();
                trace.export.html.set(HtmlFile::Made(len_bytes(&blob), trace_bytes));
                trace.export.html_blob.set_value(Some(blob));
                trace.export.html_made_of.set_value(Some((opening, brief)));
            }
            Err(error) => trace.export.html.set(HtmlFile::Failed(browser::error_words(&error))),
        }
    });
}

/// What `public/boot.js` needs to make the file.
fn request(opening: &Opening, brief: &str) -> Object {
    let object = Object::new();
    // Setting a property of a new object does not fail.
    let set = |object: &Object, key: &str, value: &JsValue| {
        let _ = Reflect::set(object, &key.into(), value);
    };
    let text = |value: Option<&String>| value.map_or(JsValue::NULL, |it| JsValue::from_str(it));
    let file = |file: &NamedFile| {
        let described = Object::new();
        set(&described, "path", &file.path.as_str().into());
        set(&described, "blob", &file.blob);
        described
    };
    let entry = |(path, index): &(String, u32)| Array::of2(&path.as_str().into(), &(*index).into());
    let entries =
        |entries: &Vec<(String, u32)>| entries.iter().map(entry).collect::<Array>().into();
    set(&object, "title", &opening.title().into());
    set(&object, "brief", &brief.into());
    set(&object, "format", &text(opening.format.as_ref()));
    set(&object, "mapping", &text(opening.mapping.as_ref()));
    set(&object, "entries", &opening.entries.as_ref().map_or(JsValue::NULL, entries));
    set(&object, "files", &opening.files.iter().map(file).collect::<Array>());
    object
}

/// The events of the first rows of the displayed run.
fn first_rows(pane: Pane) -> Vec<u32> {
    let outline = pane.trace.outline.get_untracked();
    let run = outline.runs.get(pane.run.get_untracked() as usize);
    let (first, n_rows) = run.map_or((0, 0), |run| (run.first_row, run.n_rows));
    (first..first + n_rows).take(MAX_ROWS).map(|row| outline.rows.ids.get(row)).collect()
}

/// The summary for readers without scripts.
fn summary(pane: Pane) -> StaticSummary {
    let outline = pane.trace.outline.get_untracked();
    let title = pane.trace.title.get_untracked();
    let previews = pane.trace.previews;
    let text_of = |id| untrack(|| previews.text(id));
    StaticSummary::of_run(&outline, pane.run.get_untracked(), &title, &text_of)
}

/// Saves the file, after a review of what it is made of if there is something to redact.
pub fn save(trace: Trace) {
    let Some(blob) = trace.export.html_blob.get_value() else { return };
    let Some((opening, brief)) = trace.export.html_made_of.get_value() else { return };
    let title = trace.title.get_untracked();
    let (_, name) = words::folder_and_name(title.trim_end_matches('/'));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let name = format!("{}.html", if stem.is_empty() { "trace" } else { stem });
    let page = trace.page;
    let files = opening.files.iter().map(|file| file.blob.clone()).collect();
    let mut names = vec![name.clone(), opening.title(), brief.clone()];
    names.extend(opening.files.iter().map(|file| file.path.clone()));
    handoff::pass(page, files, names, move |passed| match passed {
        Passed::Unchanged => say(page, &handoff::save_passed(&blob, &name)),
        Passed::Redacted(files, names) => {
            let mut names = names.into_iter();
            let mut next = || names.next().unwrap_or_default();
            let (name, title, brief) = (next(), next(), next());
            let files = files.into_iter().zip(names);
            let files = files.map(|(blob, path)| NamedFile { path, blob }).collect();
            let opening = Opening { files, title: Some(title), ..opening };
            spawn_local(async move {
                match JsFuture::from(boot::html_of(&request(&opening, &brief))).await {
                    Ok(blob) => say(page, &handoff::save_passed(&blob.unchecked_into(), &name)),
                    Err(error) => say(page, &export_text::not_made(&browser::error_words(&error))),
                }
            });
        }
    });
}

/// Saves the opened files as they are.
pub fn save_original(trace: Trace) {
    for file in trace.opening.whole().unwrap_or_default().files {
        let (_, name) = words::folder_and_name(&file.path);
        let page = trace.page;
        handoff::save(page, file.blob, name.to_owned(), move |said| say(page, &said));
    }
}
