//! Follows a file on disk as it grows.
//!
//! This needs handles of the File System Access API, which only some browsers support. A drop provides one, and so does
//! the API's own picker. The bytes are copied, because a `File` can no longer be read once the file on disk has
//! changed.

use gloo_timers::future::TimeoutFuture;
use js_sys::{Array, Function, Object, Promise, Reflect, Uint8Array};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, File};

use crate::app::App;
use crate::app::notice;
use crate::app::trace::{Phase, Trace};
use crate::browser;
use crate::opening::actions;
use crate::opening::live;
use crate::state::opening::{NamedFile, Opening, Origin};
use traceloupe_protocol::messages::Growth;
use traceloupe_words::page::opening as text;

/// How often the file is checked while the page is visible, in milliseconds.
const LOOK_MS: u32 = 1_000;

/// How many bytes are read at once.
const PIECE_BYTES: u64 = 4 << 20;

/// If this much of the beginning is unchanged, it is considered the same file.
const HEAD_BYTES: u64 = 1 << 10;

/// The origin of a drop, given its handles.
pub async fn origin_of(handles: Vec<Promise>) -> Origin {
    let [only] = handles.as_slice() else { return Origin::Other };
    let Ok(handle) = JsFuture::from(only.clone()).await else { return Origin::Other };
    let kind = Reflect::get(&handle, &"kind".into()).ok().and_then(|kind| kind.as_string());
    if kind.as_deref() == Some("file") { Origin::Dropped(handle) } else { Origin::Other }
}

fn picker() -> Option<Function> {
    let window = web_sys::window()?;
    Reflect::get(&window, &"showOpenFilePicker".into()).ok()?.dyn_into().ok()
}

/// Whether this browser can follow the open file.
fn is_possible(trace: Trace) -> bool {
    trace.opening.whole().is_some_and(|opening| match opening.origin {
        Origin::Dropped(_) => true,
        Origin::Picked => picker().is_some(),
        Origin::Other => false,
    })
}

/// Starts or stops following the open file.
pub fn toggle(app: App) {
    let trace = app.trace_untracked();
    if trace.following.get_untracked() {
        return stop(trace);
    }
    spawn_local(async move {
        let handle = match trace.opening.whole().map(|opening| opening.origin) {
            Some(Origin::Dropped(handle)) => Some(handle),
            Some(Origin::Picked) => pick().await,
            _ => None,
        };
        if let Some(handle) = handle {
            follow(app, &handle).await;
        }
    });
}

/// Stops following and keeps what has been read.
pub fn stop(trace: Trace) {
    trace.following.set(false);
    live::push_end(trace, 0);
}

/// Lets the user choose the file once more, because a file from the ordinary picker has no handle.
async fn pick() -> Option<JsValue> {
    let window = web_sys::window()?;
    let promise = picker()?.call0(&window).ok()?.dyn_into::<Promise>().ok()?;
    // The user may cancel.
    let handles: Array = JsFuture::from(promise).await.ok()?.dyn_into().ok()?;
    Some(handles.get(0)).filter(|handle| handle.is_object())
}

async fn file_of(handle: &JsValue) -> Option<File> {
    let ask = Reflect::get(handle, &"getFile".into()).ok()?;
    let promise = ask.dyn_ref::<Function>()?.call0(handle).ok()?;
    JsFuture::from(promise.dyn_into::<Promise>().ok()?).await.ok()?.dyn_into().ok()
}

async fn bytes_of(file: &File, start: u64, end: u64) -> Option<Uint8Array> {
    #[expect(clippy::cast_precision_loss)] // files are far below 2^53 bytes
    let slice = file.slice_with_f64_and_f64(start as f64, end as f64).ok()?;
    let buffer = JsFuture::from(slice.array_buffer()).await.ok()?;
    Some(Uint8Array::new(&buffer))
}

/// Opens the file again and follows it. Starts over if the file is replaced by a new one.
async fn follow(app: App, handle: &JsValue) {
    while let Some(name) = name_of(handle)
        && let Ok(blob) = Blob::new()
    {
        let mut opening = Opening::new(vec![NamedFile { path: name, blob }]);
        opening.origin = Origin::Dropped(handle.clone());
        opening.grows = Some(Growth { total_bytes: 0, is_live: true });
        let Some(trace) = actions::open(app, opening) else { return };
        if !live::begun(trace).await {
            return;
        }
        trace.following.set(true);
        let is_replaced = read_along(trace, handle).await;
        if !trace.is_open() || !is_replaced {
            return;
        }
        notice::say(app.page, text::FILE_REPLACED);
    }
}

fn name_of(handle: &JsValue) -> Option<String> {
    let name = Reflect::get(handle.dyn_ref::<Object>()?, &"name".into()).ok()?;
    Some(name.as_string().unwrap_or_else(|| "file".to_owned()))
}

/// Passes on bytes that are appended to the file. Returns `true` if it was replaced by another file, and `false` if it
/// is no longer followed.
async fn read_along(trace: Trace, handle: &JsValue) -> bool {
    let is_wanted = || trace.is_open() && trace.following.get_untracked();
    let (mut read_bytes, mut head, mut changed_ms) = (0, Vec::new(), f64::NAN);
    while is_wanted() {
        if read_bytes == 0 || browser::is_seen() {
            // If it cannot be read at the moment, try again later.
            if let Some(file) = file_of(handle).await {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a size
                let len_bytes = file.size() as u64;
                let stamp_ms = file.last_modified();
                // Compared bit by bit, because the first time stamp is NaN.
                if stamp_ms.to_bits() != changed_ms.to_bits() && read_bytes > 0 {
                    let now = bytes_of(&file, 0, head.len() as u64).await;
                    if len_bytes < read_bytes || now.is_some_and(|now| now.to_vec() != head) {
                        return true;
                    }
                }
                changed_ms = stamp_ms;
                while is_wanted() && read_bytes < len_bytes {
                    let end = len_bytes.min(read_bytes + PIECE_BYTES);
                    let Some(piece) = bytes_of(&file, read_bytes, end).await else { break };
                    if (head.len() as u64) < HEAD_BYTES && read_bytes < HEAD_BYTES {
                        head.extend(piece.to_vec());
                        head.truncate(HEAD_BYTES as usize);
                    }
                    read_bytes += u64::from(piece.length());
                    trace.push(0, &piece);
                    live::keep_pace(trace, read_bytes).await;
                }
            }
        }
        TimeoutFuture::new(LOOK_MS).await;
    }
    false
}

/// Like [`toggle`], but only if there is a file to follow.
pub fn toggle_if_offered(app: App) {
    if untrack(|| is_offered(app.trace_untracked())) {
        toggle(app);
    }
}

/// Whether to show the button: the page follows, or could follow, the file.
pub fn is_offered(trace: Trace) -> bool {
    match trace.shown_phase() {
        Phase::Ready => is_possible(trace) && !trace.page.is_embedded(),
        Phase::Loading(_) => trace.following.get(),
        _ => false,
    }
}
