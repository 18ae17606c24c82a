//! What was opened: files with their names, kept so that they can be opened again (as another
//! format, with other entries of an archive, or by the browser's Back).

use std::cell::{Cell, RefCell};

use wasm_bindgen::JsValue;
use web_sys::Blob;

use traceloupe::view::wire::protocol::{Growth, Input};

/// A file and its name with folders.
#[derive(Clone, Debug)]
pub struct NamedFile {
    /// The name.
    pub path: String,
    /// The bytes.
    pub blob: Blob,
}

/// Where a file came from: whether it can be read again as it is later.
#[derive(Clone, Debug, Default)]
pub enum Origin {
    /// An address, a message, the clipboard, or several files.
    #[default]
    Other,
    /// The picker of files, which gives no handle; the person can name the file once more.
    Picked,
    /// A drop: its handle (File System Access).
    Dropped(JsValue),
}

/// Files that are opened together.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// The files.
    pub files: Vec<NamedFile>,
    /// Read as this format.
    pub format: Option<String>,
    /// Chosen entries of archives.
    pub entries: Option<Vec<(String, u32)>>,
    /// A title from the link or the message.
    pub title: Option<String>,
    /// The window that sent it, if one did.
    pub brought_by: Option<web_sys::Window>,
    /// Where it came from.
    pub origin: Origin,
    /// Whether more of the files is still to come.
    pub grows: Option<Growth>,
}

impl Opening {
    /// Files in the order of their names, so that the order of dropping changes nothing.
    pub fn new(mut files: Vec<NamedFile>) -> Self {
        traceloupe::order::sort_by(&mut files, |a, b| a.path.cmp(&b.path));
        Self { files, ..Self::default() }
    }

    /// What to call it.
    pub fn title(&self) -> String {
        if let Some(title) = &self.title {
            return title.clone();
        }
        let paths: Vec<&str> = self.files.iter().map(|file| file.path.as_str()).collect();
        match paths.as_slice() {
            [only] => (*only).to_owned(),
            [first, ..] => match first.split_once('/') {
                Some((folder, _))
                    if paths.iter().all(|it| it.starts_with(&format!("{folder}/"))) =>
                {
                    format!("{folder}/")
                }
                _ => format!("{first} and {} more", paths.len() - 1),
            },
            [] => String::new(),
        }
    }

    /// Length of all files in bytes, as far as it is known.
    pub fn len_bytes(&self) -> u64 {
        if let Some(growth) = self.grows {
            return growth.total_bytes;
        }
        self.files.iter().map(|file| len_bytes(&file.blob)).sum()
    }

    /// The files as the worker is told of them.
    pub fn inputs(&self) -> Vec<Input> {
        self.files
            .iter()
            .map(|file| Input { path: file.path.clone(), len_bytes: len_bytes(&file.blob) })
            .collect()
    }
}

fn len_bytes(blob: &Blob) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a size is no negative
    let len = blob.size() as u64;
    len
}

thread_local! {
    static PAST: RefCell<Vec<Option<Opening>>> = const { RefCell::new(Vec::new()) };
    static CURRENT: RefCell<Option<Opening>> = const { RefCell::new(None) };
    static TURN: Cell<u32> = const { Cell::new(0) };
}

/// A number that changes with everything that is opened, cancelled or closed: what began in an
/// earlier turn and comes late is no longer wanted.
pub fn turn() -> u32 {
    TURN.get()
}

/// A new turn begins.
pub fn next_turn() {
    TURN.set(TURN.get().wrapping_add(1));
}

/// So many openings can be gone back to; their files are held until then.
const MAX_PAST: usize = 20;

/// Makes an entry in the browser's history for it. What another window sends makes none: the
/// history of a frame is that of the page around it.
pub fn remember(opening: &Opening) {
    if opening.brought_by.is_some() {
        return;
    }
    let index = PAST.with_borrow_mut(|past| {
        past.push(Some(opening.clone()));
        if let Some(old) = past.len().checked_sub(MAX_PAST + 1).and_then(|at| past.get_mut(at)) {
            *old = None;
        }
        past.len() - 1
    });
    let history = web_sys::window().and_then(|window| window.history().ok());
    if let Some(history) = history {
        let mark = JsValue::from_str(&format!("{}#{index}", this_load()));
        // In a sandboxed frame there is no history to go back in; then there is no Back either.
        let _ = if index == 0 {
            history.replace_state_with_url(&mark, "", None)
        } else {
            history.push_state_with_url(&mark, "", None)
        };
    }
}

/// Tells this load of the page from others: marks outlive a reload, openings do not.
fn this_load() -> String {
    let clock = web_sys::window().and_then(|window| window.performance());
    clock.map_or(String::new(), |clock| clock.time_origin().to_string())
}

/// The opening that a mark in the browser's history stands for.
pub fn remembered(mark: &JsValue) -> Option<Opening> {
    let mark = mark.as_string()?;
    let (load, index) = mark.split_once('#')?;
    let index = index.parse::<usize>().ok().filter(|_| load == this_load())?;
    PAST.with_borrow(|past| past.get(index).cloned().flatten())
}

/// What is open now, if all of it is here.
pub fn current() -> Option<Opening> {
    CURRENT.with_borrow(Clone::clone).filter(|opening| opening.grows.is_none())
}

/// A file that has grown is here whole. The opening, once that is true of all of its files.
pub fn grown(index: u32, blob: &Blob) -> Option<Opening> {
    CURRENT.with_borrow_mut(|current| {
        let opening = current.as_mut()?;
        opening.files.get_mut(index as usize)?.blob = blob.clone();
        if index as usize + 1 < opening.files.len() {
            return None;
        }
        opening.grows = None;
        Some(opening.clone())
    })
}

/// Says what is open now.
pub fn set_current(opening: Opening) {
    CURRENT.set(Some(opening));
}

/// Nothing is open any more.
pub fn forget_current() {
    CURRENT.set(None);
}
