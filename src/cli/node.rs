//! The connection to Node. Wasm only; the script of the command (`.ci/npm/traceloupe.mjs`) is the other side.

use std::cell::RefCell;

use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;

use traceloupe_cli::{
    Check, Opened, failed, failed_json, failed_text, redacted, summary, summary_json,
};
use traceloupe_protocol::file_selection::left_out_ending;
use traceloupe_session::store::{Handle, MemoryStore, Store};
use traceloupe_view::prices::Prices;
use traceloupe_words::command::{not_opened, not_redacted, redacted as redacted_words};
use traceloupe_words::summary::summary_text;

#[wasm_bindgen]
extern "C" {
    /// The files of the command, by their numbers from 0. Their bytes stay outside wasm memory and are read in slices.
    #[derive(Clone, Debug)]
    pub type Files;

    /// The length of a file in bytes.
    #[wasm_bindgen(method, js_name = lenBytes)]
    fn len_bytes(this: &Files, file: u32) -> f64;

    /// A range of a file, or what there is of it.
    #[wasm_bindgen(method, catch)]
    fn read(this: &Files, file: u32, start: f64, len: u32) -> Result<Uint8Array, JsValue>;
}

thread_local! {
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Keeps the message of a panic, which ends the program.
pub fn start() {
    std::panic::set_hook(Box::new(|panic| {
        PANIC.with(|message| *message.borrow_mut() = Some(panic.to_string()));
    }));
}

/// The message of the panic that ended the program. There is none if it has run out of memory.
#[wasm_bindgen(js_name = panicMessage)]
#[must_use]
pub fn panic_message() -> Option<String> {
    PANIC.with(RefCell::take)
}

/// The files of the command, and what the session has unpacked from them.
#[derive(Debug)]
struct FileStore {
    files: Files,
    n_files: u32,
    unpacked: MemoryStore,
}

impl FileStore {
    /// The place of unpacked bytes. `None` for a file of the command.
    fn unpacked(&self, handle: Handle) -> Option<Handle> {
        handle.0.checked_sub(self.n_files).map(Handle)
    }
}

impl Store for FileStore {
    #[expect(clippy::cast_precision_loss)] // files are far below 2^53 bytes
    fn read(&self, handle: Handle, start: u64, len: usize) -> Result<Vec<u8>, String> {
        if let Some(unpacked) = self.unpacked(handle) {
            return self.unpacked.read(unpacked, start, len);
        }
        let len = u32::try_from(len).unwrap_or(u32::MAX);
        let read = self.files.read(handle.0, start as f64, len);
        read.map(|bytes| bytes.to_vec()).map_err(|error| match error.dyn_ref::<js_sys::Error>() {
            Some(error) => String::from(error.message()),
            None => format!("{error:?}"),
        })
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a whole number
    fn len(&self, handle: Handle) -> u64 {
        match self.unpacked(handle) {
            Some(unpacked) => self.unpacked.len(unpacked),
            None => self.files.len_bytes(handle.0) as u64,
        }
    }

    fn kept_bytes(&self) -> u64 {
        self.unpacked.kept_bytes()
    }

    fn create(&mut self) -> Handle {
        Handle(self.unpacked.create().0 + self.n_files)
    }

    fn remove(&mut self, handle: Handle) {
        if let Some(unpacked) = self.unpacked(handle) {
            self.unpacked.remove(unpacked);
        }
    }

    fn append(&mut self, handle: Handle, bytes: &[u8]) {
        if let Some(unpacked) = self.unpacked(handle) {
            self.unpacked.append(unpacked, bytes);
        }
    }
}

/// Opened files.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Trace(Opened<FileStore>);

/// What a check has found.
#[wasm_bindgen(getter_with_clone)]
#[derive(Debug)]
pub struct Checked {
    /// How many faults there are.
    pub count: u32,
    /// The summary and the faults, as lines.
    pub text: String,
    /// The summary and the faults, as JSON.
    pub json: String,
}

#[wasm_bindgen]
impl Trace {
    /// Opens files as one trace. `prices` is the list with which costs are estimated.
    ///
    /// # Errors
    /// If nothing can be shown, with the reason in words.
    pub fn open(files: &Files, paths: Vec<String>, prices: Option<String>) -> Result<Self, String> {
        let n_files = u32::try_from(paths.len()).unwrap_or(u32::MAX);
        let stored = || {
            let unpacked = MemoryStore::default();
            let store = FileStore { files: files.clone(), n_files, unpacked };
            (store, (0..n_files).map(Handle).collect())
        };
        let prices = prices.and_then(|text| Prices::read(&text));
        let opened = Opened::open(&paths, stored, prices);
        opened.map(Self).map_err(|problem| not_opened(&problem))
    }

    /// The title of the files.
    #[must_use]
    pub fn title(&self) -> String {
        self.0.title().to_owned()
    }

    /// The briefs of its runs as Markdown.
    pub fn markdown(&mut self) -> String {
        self.0.markdown()
    }

    /// What a report shows without scripts, as HTML.
    pub fn html(&mut self, title: &str) -> String {
        self.0.html(title)
    }

    /// The summary as lines.
    pub fn text(&mut self) -> String {
        summary_text(&summary(&mut self.0))
    }

    /// The summary as JSON.
    pub fn json(&mut self) -> String {
        summary_json(&summary(&mut self.0))
    }

    /// Checks the runs: `checks` are words of `checkWords`; others are ignored.
    pub fn check(&mut self, checks: Vec<String>) -> Checked {
        let checks: Vec<Check> = checks.iter().filter_map(|it| Check::from_word(it)).collect();
        let summary = summary(&mut self.0);
        let found = failed(&summary, &checks);
        Checked {
            count: u32::try_from(found.len()).unwrap_or(u32::MAX),
            text: summary_text(&summary) + &failed_text(&summary, &found),
            json: failed_json(&summary, &found),
        }
    }
}

/// Whether a file of a folder is left out, because files of its name hold no trace.
#[wasm_bindgen(js_name = isLeftOut)]
#[must_use]
pub fn is_left_out(path: &str) -> bool {
    left_out_ending(path).is_some()
}

/// The checks that there are.
#[wasm_bindgen(js_name = checkWords)]
#[must_use]
pub fn check_words() -> Vec<String> {
    Check::ALL.iter().map(|it| it.word().to_owned()).collect()
}

/// Redacted files and texts.
#[wasm_bindgen(getter_with_clone)]
#[derive(Debug)]
pub struct Redacted {
    /// The bytes of the files.
    pub files: Array,
    /// The texts.
    pub texts: Vec<String>,
    /// How much was redacted, in words.
    pub said: String,
}

/// Redacts files, with texts that leave with them.
///
/// # Errors
/// If something cannot be redacted, with the reason in words.
#[wasm_bindgen]
pub fn redact(files: Vec<Uint8Array>, texts: Vec<String>) -> Result<Redacted, String> {
    let files: Vec<Vec<u8>> = files.iter().map(Uint8Array::to_vec).collect();
    let found = redacted(&files, texts).map_err(not_redacted)?;
    Ok(Redacted {
        files: found.files.iter().map(|file| Uint8Array::from(file.as_slice())).collect(),
        texts: found.texts,
        said: redacted_words(&found.counts),
    })
}
