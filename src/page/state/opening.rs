//! The state of opening: the files of a trace, and what has not arrived yet.

use crate::reactive::RwSignal;
use std::collections::VecDeque;

use leptos::prelude::*;
use wasm_bindgen::JsValue;
use web_sys::{Blob, Window};

use crate::boot::Source;
use crate::client::Client;
use traceloupe_protocol::messages::{Growth, Input};
use traceloupe_view::assembly::Assembly;
use traceloupe_view::file_title::title_of;
use traceloupe_view::folder::Member;

/// The origin of a trace. Browser objects stay on this thread, hence the local storage.
#[derive(Clone, Copy, Default)]
pub struct OpeningState {
    /// What was opened, once its worker has started.
    pub current: StoredValue<Option<Opening>, LocalStorage>,
    /// The window that sent it. Apart from the page itself, only that window may request information about it.
    pub brought_by: StoredValue<Option<Window>, LocalStorage>,
    /// The window that waits for the result of reading the trace.
    pub asker: StoredValue<Option<Asker>, LocalStorage>,
    /// The addresses that are still being read.
    pub sources: StoredValue<Vec<Source>, LocalStorage>,
    /// The outline whose rows are still arriving.
    pub assembly: StoredValue<Option<Assembly>, LocalStorage>,
    /// When the elements around the rows were last drawn, in milliseconds.
    pub around_drawn_ms: StoredValue<f64>,
    /// Additions by another window that have not been passed to the worker yet.
    pub added: StoredValue<VecDeque<Added>, LocalStorage>,
    /// Whether another window appends to the trace.
    pub is_added_to: StoredValue<bool>,
    /// Whether additions are being passed to the worker.
    pub is_adding: StoredValue<bool>,
    /// The approximate size in bytes of the single HTML file, if the trace is part of it; otherwise 0.
    pub html_bytes: RwSignal<f64>,
}

impl OpeningState {
    /// Stops reading from addresses.
    pub fn give_up(&self) {
        let sources = self.sources.try_update_value(std::mem::take).unwrap_or_default();
        sources.iter().for_each(Source::cancel);
    }

    /// The approximate size in bytes of the single HTML file, if the trace is part of it.
    pub fn in_html(&self) -> Option<u64> {
        let html_bytes = self.html_bytes.get();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        // a size is not negative
        (html_bytes > 0.0).then_some(html_bytes as u64)
    }

    /// Whether the trace is part of the single HTML file.
    pub fn is_in_html(&self) -> bool {
        untrack(|| self.in_html().is_some())
    }

    /// What was opened, if all of it has arrived.
    pub fn whole(&self) -> Option<Opening> {
        self.current.get_value().filter(|opening| opening.grows.is_none())
    }

    /// Replaces a growing file with its final bytes. Returns the opening once this has been done for all files.
    pub fn grown(&self, index: u32, blob: &Blob) -> Option<Opening> {
        let grown = self.current.try_update_value(|current| {
            let opening = current.as_mut()?;
            opening.files.get_mut(index as usize)?.blob = blob.clone();
            if index as usize + 1 < opening.files.len() {
                return None;
            }
            opening.grows = None;
            Some(opening.clone())
        });
        grown.flatten()
    }
}

/// A window that has sent a message and waits for the response.
#[derive(Clone)]
pub struct Asker {
    /// The window.
    pub window: Window,
    /// Its origin.
    pub origin: String,
    /// The id of its message.
    pub id: JsValue,
}

/// An addition to a trace by another window.
pub enum Added {
    /// More bytes.
    Bytes(Blob),
    /// The end: no more bytes will come.
    End,
}

/// A file, and its name including folders.
#[derive(Clone, Debug)]
pub struct NamedFile {
    /// The name.
    pub path: String,
    /// The bytes.
    pub blob: Blob,
}

/// Where a file came from, which decides whether it can be read again later.
#[derive(Clone, Debug, Default)]
pub enum Origin {
    /// An address, a message, the clipboard, or several files.
    #[default]
    Other,
    /// The file picker, which provides no handle. The user can choose the file once more.
    Picked,
    /// A drop: its handle (File System Access).
    Dropped(JsValue),
}

/// Files that are opened together.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// The files.
    pub files: Vec<NamedFile>,
    /// The format to read them as.
    pub format: Option<String>,
    /// The meaning of each key in files of an unknown format.
    pub mapping: Option<String>,
    /// Chosen entries of archives: the archive's path and the entry's index.
    pub entries: Option<Vec<(String, u32)>>,
    /// A title from the link or the message.
    pub title: Option<String>,
    /// The window that sent it.
    pub brought_by: Option<Window>,
    /// Where it comes from.
    pub origin: Origin,
    /// How the files grow, if more of them will arrive.
    pub grows: Option<Growth>,
}

impl Opening {
    /// Files sorted by name, so that the order in which they are dropped does not matter.
    pub fn new(mut files: Vec<NamedFile>) -> Self {
        traceloupe_core::sorting::sort_by(&mut files, |a, b| a.path.cmp(&b.path));
        Self { files, ..Self::default() }
    }

    /// The title.
    pub fn title(&self) -> String {
        if let Some(title) = &self.title {
            return title.clone();
        }
        let paths: Vec<&str> = self.files.iter().map(|file| file.path.as_str()).collect();
        title_of(&paths)
    }

    /// Length of all files in bytes, where known.
    pub fn len_bytes(&self) -> u64 {
        if let Some(growth) = self.grows {
            return growth.total_bytes;
        }
        self.files.iter().map(|file| len_bytes(&file.blob)).sum()
    }

    /// The files as described to the worker.
    pub fn inputs(&self) -> Vec<Input> {
        self.files
            .iter()
            .map(|file| Input { path: file.path.clone(), len_bytes: len_bytes(&file.blob) })
            .collect()
    }
}

/// The length of a Blob in bytes.
pub fn len_bytes(blob: &Blob) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a size is not negative
    let len = blob.size() as u64;
    len
}

/// Where the files of a list are stored.
#[derive(Default)]
pub enum Listed {
    /// Nowhere: there is no list.
    #[default]
    Nothing,
    /// As separate files, in list order.
    Files(Vec<NamedFile>),
    /// In an archive: what was opened, the path of the archive in it, and the indices of the entries, in list order.
    Entries(Opening, String, Vec<u32>),
}

/// The folder or archive that was listed last. The user can return to the list while one of its traces is open.
#[derive(Clone, Copy)]
pub struct FolderState {
    /// Its files, with the summaries of their beginnings.
    pub members: RwSignal<Vec<Member>>,
    /// Where the files are stored.
    pub listed: StoredValue<Listed, LocalStorage>,
    /// The worker that reads their beginnings.
    pub reader: StoredValue<Option<Client>, LocalStorage>,
    /// Whether the open trace waits for the user to choose entries.
    pub is_awaited: StoredValue<bool>,
}

impl FolderState {
    /// No folder.
    pub fn new() -> Self {
        Self {
            members: RwSignal::default(),
            listed: StoredValue::new_local(Listed::Nothing),
            reader: StoredValue::new_local(None),
            is_awaited: StoredValue::new(false),
        }
    }

    /// Whether there is one.
    pub fn is_there(&self) -> bool {
        self.members.with(|members| !members.is_empty())
    }
}
