//! A folder with many files, or an archive with several: its contents are listed before any of them is opened. A
//! separate worker reads the beginning of each.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::Blob;

use crate::app::App;
use crate::app::notice::{report_later, say};
use crate::app::page::{Dialog, Page};
use crate::app::pane::Pane;
use crate::app::trace::Trace;
use crate::boot;
use crate::client::{Client, Heard};
use crate::opening::actions;
use crate::opening::spare_worker;
use crate::state::opening::{Listed, NamedFile, Opening};
use traceloupe_protocol::file_selection::{LeftOut, leave_out, left_out_ending, open_together};
use traceloupe_protocol::messages::{EntryLine, Problem, Request, Response};
use traceloupe_view::folder::Member;
use traceloupe_words::page::opening as text;
use traceloupe_words::problems::NO_WORKER;

/// Opens dropped or chosen files. If there are too many to read them all, they are listed first. The list names all of
/// them, because the user may know better which ones hold a trace.
pub fn open_or_list(app: App, mut opening: Opening) {
    let is_read = |file: &&NamedFile| left_out_ending(&file.path).is_none();
    let n_read = opening.files.iter().filter(is_read).count();
    if n_read > 0 && !open_together(n_read, opening.len_bytes()) {
        // Nothing is read before the page is sealed.
        return boot::when_sealed(move || list(app.page, opening));
    }
    let mut left_out = LeftOut::new();
    // If there is nothing else, the files are read, and the page says what they are.
    if n_read > 0 {
        opening.files.retain(|file| match left_out_ending(&file.path) {
            Some(ending) => {
                leave_out(&mut left_out, ending, 1);
                false
            }
            None => true,
        });
    }
    if let Some(trace) = actions::open(app, opening).filter(|_| !left_out.is_empty()) {
        report_later(trace, Problem::LeftOut(left_out));
    }
}

fn list(page: Page, opening: Opening) {
    let inputs = opening.inputs();
    let members = opening.files.iter().zip(&inputs).map(|(file, input)| Member {
        path: input.path.clone(),
        len_bytes: input.len_bytes,
        changed_ms: file
            .blob
            .dyn_ref::<web_sys::File>()
            .map_or(f64::NAN, web_sys::File::last_modified),
        ..Member::default()
    });
    page.folder.members.set(members.collect());
    let blobs: Vec<_> = opening.files.iter().map(|file| file.blob.clone()).collect();
    show(page, Listed::Files(opening.files), &Request::Heads(inputs), &blobs);
}

/// Lists the entries of an archive for the user to choose from.
pub fn list_entries(pane: Pane, archive: String, entries: Vec<EntryLine>) {
    let Some(opening) = pane.trace.opening.current.get_value() else { return };
    let indices: Vec<u32> = entries.iter().map(|entry| entry.index).collect();
    let members = entries.into_iter().map(|entry| Member {
        path: entry.path,
        len_bytes: entry.len_bytes,
        changed_ms: f64::NAN,
        problem: entry.problem,
        ..Member::default()
    });
    let folder = pane.page.folder;
    folder.members.set(members.collect());
    folder.is_awaited.set_value(true);
    let is_archive = |file: &&NamedFile| file.path == archive;
    let blob = opening.files.iter().find(is_archive).map(|file| file.blob.clone());
    let request = Request::EntryHeads(indices.clone());
    show(pane.page, Listed::Entries(opening, archive, indices), &request, blob.as_slice());
}

/// Shows the list, and starts summarising the beginnings of its files.
fn show(page: Page, listed: Listed, request: &Request, blobs: &[Blob]) {
    let folder = page.folder;
    folder.listed.set_value(listed);
    // Without a worker, the files are listed by name.
    page.dialog.set(Some(Dialog::Folder));
    let Ok(worker) = spare_worker::take() else { return say(page, NO_WORKER) };
    let client = Client::new(worker, move |heard| hear(page, heard));
    client.send(request, blobs);
    folder.reader.set_value(Some(client));
    spare_worker::prepare_later();
}

fn hear(page: Page, heard: Heard) {
    let folder = page.folder;
    match heard {
        Heard::Response(Response::Heads(heads)) => {
            folder.members.update(|members| {
                for head in heads {
                    if let Some(member) = members.get_mut(head.index as usize) {
                        member.head = Some(head);
                    }
                }
            });
            let is_done = folder.members.with_untracked(|it| it.iter().all(|it| it.head.is_some()));
            if is_done {
                // The worker must end only after its message has been handled.
                set_timeout(move || folder.reader.set_value(None), std::time::Duration::ZERO);
            }
        }
        Heard::Crashed(_) => say(page, text::LIST_IS_INCOMPLETE),
        _ => {}
    }
}

/// Opens files of the list, given their indices in it.
pub fn open(app: App, places: &[u32]) {
    let folder = app.page.folder;
    folder.is_awaited.set_value(false);
    folder.listed.with_value(|listed| match listed {
        Listed::Nothing => {}
        Listed::Files(files) => {
            let file = |at: &u32| files.get(*at as usize).cloned();
            actions::open(app, Opening::new(places.iter().filter_map(file).collect()));
        }
        Listed::Entries(opening, archive, indices) => {
            // Parts that were still arriving when the list was made have arrived by now.
            let whole = match opening.grows {
                None => Some(opening.clone()),
                Some(_) => app.pane_untracked().trace.opening.whole(),
            };
            let Some(mut opening) = whole else { return };
            let entry = |at: &u32| Some((archive.clone(), *indices.get(*at as usize)?));
            opening.entries.get_or_insert_default().extend(places.iter().filter_map(entry));
            actions::start(app, opening);
        }
    });
}

/// Handles closing of the list. If nothing was chosen, shows what was read besides the archive.
pub fn closed(page: Page, trace: Trace) {
    if page.folder.is_awaited.get_value() {
        page.folder.is_awaited.set_value(false);
        trace.send(&Request::Finish);
    }
}
