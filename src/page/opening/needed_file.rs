//! Links about a file on disk: whether the opened file is the one that the link names.

use js_sys::{Array, ArrayBuffer, Reflect, Uint8Array};
use traceloupe_protocol::messages::Problem;
use traceloupe_protocol::route::Need;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, SubtleCrypto};

use crate::app::notice;
use crate::app::trace::Trace;
use crate::state::opening::{NamedFile, len_bytes};

/// The bytes at each end of a file that its mark is made of.
const END_BYTES: f64 = 524_288.0;

/// How much of a hash is in a link.
const MARK_BYTES: usize = 8;

/// Reports if none of the files is the one that the link is about. The link is then followed as far as possible.
pub fn check(trace: Trace, files: Vec<NamedFile>) {
    let Some(need) = trace.page.route.with_untracked(|route| route.need.clone()) else { return };
    spawn_local(async move {
        for file in &files {
            if is_needed(&need, &file.blob).await {
                return;
            }
        }
        if trace.is_open() {
            notice::report_later(trace, Problem::OtherFile(need.name, need.len_bytes));
        }
    });
}

/// The link's description of a file.
pub async fn need_of(file: &NamedFile) -> Need {
    let name = file.path.rsplit('/').next().unwrap_or_default().to_owned();
    let mark = mark_of(&file.blob).await.unwrap_or_default();
    Need { name, len_bytes: len_bytes(&file.blob), mark }
}

async fn is_needed(need: &Need, blob: &Blob) -> bool {
    if len_bytes(blob) != need.len_bytes {
        return false;
    }
    // Without a mark on both sides, the size has to do.
    need.mark.is_empty() || mark_of(blob).await.is_none_or(|mark| mark == need.mark)
}

/// The mark of a file in links, as [`Need::mark`] describes it. `None` if the browser has no SHA-256, or if the file cannot be
/// read any more.
async fn mark_of(blob: &Blob) -> Option<String> {
    let subtle = subtle()?;
    let end = blob.size();
    let ends = if end <= 2.0 * END_BYTES {
        blob.clone()
    } else {
        let first = blob.slice_with_f64_and_f64(0.0, END_BYTES).ok()?;
        let last = blob.slice_with_f64_and_f64(end - END_BYTES, end).ok()?;
        Blob::new_with_blob_sequence(&Array::of2(&first, &last)).ok()?
    };
    let bytes: ArrayBuffer = JsFuture::from(ends.array_buffer()).await.ok()?.unchecked_into();
    let digest = subtle.digest_with_str_and_buffer_source("SHA-256", &bytes).ok()?;
    let hash = Uint8Array::new(&JsFuture::from(digest).await.ok()?).to_vec();
    Some(hash.iter().take(MARK_BYTES).map(|byte| format!("{byte:02x}")).collect())
}

/// SHA-256 of the browser. Pages over plain HTTP do not have it.
fn subtle() -> Option<SubtleCrypto> {
    let crypto = web_sys::window()?.crypto().ok()?;
    let subtle = Reflect::get(&crypto, &"subtle".into()).ok()?;
    subtle.is_object().then(|| subtle.unchecked_into())
}
