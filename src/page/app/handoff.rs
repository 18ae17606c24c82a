//! The sink: everything of a trace that leaves the page, as a file or through the clipboard, goes through here
//! (`tests/tidy.rs`). What should be redacted and cannot be does not leave.

use js_sys::{Array, Promise, Uint8Array};
use leptos::prelude::{SetValue, UpdateValue};
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, MessageEvent, Worker};

use crate::app::notice::{say, tell};
use crate::app::page::{Dialog, Page};
use crate::state::handoff::Reviewed;
use crate::{boot, browser};
use traceloupe_protocol::messages::{decode, encode};
use traceloupe_protocol::redaction::{Kind, RedactionFault, RedactionRequest, RedactionResponse};
use traceloupe_words::page::{app as text, redaction as words};

/// The kinds that stay unless the user says otherwise: without images, a trace shows something else.
const KEPT_AT_FIRST: [Kind; 1] = [Kind::Image];

/// A redacted file.
#[derive(Clone, Debug)]
pub struct Redacted {
    /// The file.
    pub blob: Blob,
    /// Its name.
    pub name: String,
}

/// A file with all secrets and personal data redacted, and its name. Nothing is shown.
///
/// # Errors
/// If it cannot be redacted. It must not be saved then.
#[expect(dead_code)] // for files that the page makes itself
pub async fn redacted(blob: Blob, name: &str) -> Result<Redacted, RedactionFault> {
    let request = RedactionRequest {
        names: vec![name.to_owned()],
        kept_kinds: KEPT_AT_FIRST.to_vec(),
        kept: Vec::new(),
    };
    ask(&request, &blob).await.map(|answer| answer.file)
}

/// Saves a file as a download. If files are redacted and there is something to redact, the user reviews it first;
/// otherwise `saved` is called with a sentence about it.
pub fn save(page: Page, blob: Blob, name: String, saved: impl FnOnce(String) + 'static) {
    if !page.prefs.with_untracked(|prefs| prefs.redacts_files) {
        return saved(save_as_it_is(&blob, &name));
    }
    spawn_local(async move {
        let request = RedactionRequest {
            names: vec![name.clone()],
            kept_kinds: KEPT_AT_FIRST.to_vec(),
            kept: Vec::new(),
        };
        match ask(&request, &blob).await {
            Err(fault) => tell(page, words::fault(fault)),
            Ok(answer) if answer.counts.is_empty() => {
                saved(save_as_it_is(&answer.file.blob, &answer.file.name));
            }
            Ok(Answer { hits, counts, .. }) => {
                page.handoff.kept_kinds.set(KEPT_AT_FIRST.to_vec());
                page.handoff.kept.update(std::collections::BTreeSet::clear);
                let reviewed = Reviewed { blob, name, hits, counts };
                page.handoff.reviewed.set_value(Some(reviewed));
                page.dialog.set(Some(Dialog::Redaction));
            }
        }
    });
}

/// Saves a text as a download.
pub fn save_text(page: Page, content: &str, media_type: &str, name: &str) {
    if let Some(blob) = browser::blob_of(content, media_type) {
        save(page, blob, name.to_owned(), move |said| say(page, &said));
    }
}

/// Saves the reviewed file: redacted as the user chose, or as it is.
pub fn save_reviewed(page: Page, is_redacted: bool) {
    let Some(reviewed) = page.handoff.reviewed.try_update_value(Option::take).flatten() else {
        return;
    };
    page.dialog.set(None);
    if !is_redacted {
        return say(page, &save_as_it_is(&reviewed.blob, &reviewed.name));
    }
    let request = RedactionRequest {
        names: vec![reviewed.name],
        kept_kinds: page.handoff.kept_kinds.get_untracked(),
        kept: page.handoff.kept.with_untracked(|kept| kept.iter().copied().collect()),
    };
    spawn_local(async move {
        match ask(&request, &reviewed.blob).await {
            Err(fault) => tell(page, words::fault(fault)),
            Ok(answer) => say(page, &save_as_it_is(&answer.file.blob, &answer.file.name)),
        }
    });
}

/// Saves a file, and returns a sentence about it.
fn save_as_it_is(blob: &Blob, name: &str) -> String {
    browser::save(blob, name);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a size in bytes
    let len_bytes = blob.size() as u64;
    text::saved_as(len_bytes, name)
}

/// Copies text of the trace to the clipboard, redacted if the user wants that of copies, and announces `said`.
pub fn copy(page: Page, content: &str, said: &'static str) {
    if !page.prefs.with_untracked(|prefs| prefs.redacts_copies) {
        return copy_as_it_is(page, content, said);
    }
    let Some(blob) = browser::blob_of(content, "text/plain") else { return };
    spawn_local(async move {
        let request =
            RedactionRequest { kept_kinds: KEPT_AT_FIRST.to_vec(), ..RedactionRequest::default() };
        let Ok(answer) = ask(&request, &blob).await else { return tell(page, words::NOT_COPIED) };
        let said = if answer.counts.is_empty() { said } else { words::COPIED_REDACTED };
        match JsFuture::from(answer.file.blob.text()).await.ok().and_then(|it| it.as_string()) {
            Some(content) => copy_as_it_is(page, &content, said),
            None => tell(page, words::NOT_COPIED),
        }
    });
}

/// Copies text that holds nothing of a trace.
pub fn copy_as_it_is(page: Page, content: &str, said: &'static str) {
    browser::copy(content, move |done| tell(page, if done { said } else { text::COPY_REFUSED }));
}

/// What the redactor answers.
struct Answer {
    file: Redacted,
    hits: Vec<traceloupe_protocol::redaction::RedactionHit>,
    counts: Vec<(Kind, u32)>,
}

/// Starts a redactor, sends it a file, and ends it once it has answered.
async fn ask(request: &RedactionRequest, blob: &Blob) -> Result<Answer, RedactionFault> {
    let spawned = JsFuture::from(boot::spawn_redactor()).await.ok();
    let worker = spawned.and_then(|it| it.dyn_into::<Worker>().ok());
    let worker = worker.ok_or(RedactionFault::NotLoaded)?;
    let answered = Promise::new(&mut |resolve, reject| {
        worker.set_onmessage(Some(&resolve));
        worker.set_onerror(Some(&reject));
    });
    let bytes = Uint8Array::from(encode(request).as_slice());
    // Bytes and files can be cloned.
    let _ = worker.post_message(&Array::of2(&bytes, &Array::of1(blob)));
    let event = JsFuture::from(answered).await;
    worker.terminate();
    let event = event.ok().and_then(|it| it.dyn_into::<MessageEvent>().ok());
    let data: Array = event.ok_or(RedactionFault::Failed)?.data().unchecked_into();
    let bytes = data.get(0).unchecked_into::<Uint8Array>().to_vec();
    match decode::<RedactionResponse>(&bytes).ok_or(RedactionFault::Failed)? {
        RedactionResponse::Refused(fault) => Err(fault),
        RedactionResponse::Redacted { names, hits, counts } => {
            let files: Array = data.get(1).unchecked_into();
            let file = browser::blob_of_bytes(&files.get(0).unchecked_into(), &blob.type_());
            let blob = file.ok_or(RedactionFault::Failed)?;
            let name = names.into_iter().next().unwrap_or_default();
            Ok(Answer { file: Redacted { blob, name }, hits, counts })
        }
    }
}
