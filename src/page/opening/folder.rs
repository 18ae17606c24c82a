//! A folder of many files: it is listed before any of them is opened. A worker of its own reads the beginning of
//! each file.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::app::App;
use crate::app::notice::say;
use crate::app::page::Dialog;
use crate::boot;
use crate::client::{Client, Heard};
use crate::opening::actions;
use crate::opening::spare;
use crate::opening::state::Opening;
use crate::words::opening as text;
use traceloupe::view::page::folder::Member;
use traceloupe::view::wire::protocol::{Request, Response};

/// More files than this are listed; fewer are opened together.
const MAX_OPENED: usize = 24;

/// Files of more bytes than this in all are listed.
const MAX_OPENED_BYTES: u64 = 256 << 20;

/// Opens files that were dropped or chosen; so many that nobody would read them all are listed first.
pub fn open_or_list(app: App, opening: Opening) {
    let n_files = opening.files.len();
    if n_files > MAX_OPENED || n_files > 1 && opening.len_bytes() > MAX_OPENED_BYTES {
        // Nothing is read before the page is sealed.
        boot::when_sealed(move || list(app, opening));
    } else {
        actions::open(app, opening);
    }
}

fn list(app: App, opening: Opening) {
    let folder = app.page.folder;
    let inputs = opening.inputs();
    let members = opening.files.iter().zip(&inputs).map(|(file, input)| Member {
        path: input.path.clone(),
        len_bytes: input.len_bytes,
        changed_ms: file
            .blob
            .dyn_ref::<web_sys::File>()
            .map_or(f64::NAN, web_sys::File::last_modified),
        head: None,
    });
    folder.members.set(members.collect());
    let blobs: Vec<_> = opening.files.iter().map(|file| file.blob.clone()).collect();
    folder.files.set_value(opening.files);
    let Ok(worker) = spare::take() else { return say(app.page, text::NO_WORKER) };
    let client = Client::new(worker, move |heard| hear(app, heard));
    client.send(&Request::Heads(inputs), &blobs);
    folder.reader.set_value(Some(client));
    spare::prepare_later();
    app.page.dialog.set(Some(Dialog::Folder));
}

fn hear(app: App, heard: Heard) {
    let folder = app.page.folder;
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
                // The worker ends after its message has been taken.
                set_timeout(move || folder.reader.set_value(None), std::time::Duration::ZERO);
            }
        }
        Heard::Crashed(_) => say(app.page, text::LIST_IS_INCOMPLETE),
        _ => {}
    }
}

/// Opens files of the folder, by their indices.
pub fn open(app: App, indices: &[u32]) {
    let files = app.page.folder.files.with_value(|files| {
        indices.iter().filter_map(|index| files.get(*index as usize).cloned()).collect()
    });
    actions::open(app, Opening::new(files));
}
