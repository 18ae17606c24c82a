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
use crate::state::handoff::{Passed, Reviewed};
use crate::state::opening::len_bytes;
use crate::{boot, browser};
use traceloupe_core::number_set::NumberSet;
use traceloupe_protocol::messages::{decode, encode};
use traceloupe_protocol::redaction::{
    KEPT_AT_FIRST, Kind, RedactionFault, RedactionRequest, RedactionResponse,
};
use traceloupe_words::page::{app as text, redaction as words};

/// Files, and texts that leave with them, without all secrets and personal data, if files are redacted. Nothing is shown.
///
/// # Errors
/// If they cannot be redacted. They must not leave then.
pub async fn redacted(
    page: Page,
    files: &[Blob],
    names: &[String],
) -> Result<Passed, RedactionFault> {
    if !page.prefs.with_untracked(|prefs| prefs.redacts_files) {
        return Ok(Passed::Unchanged);
    }
    let answer = ask(&request(names), files).await?;
    Ok(Passed::Redacted(answer.files, answer.names))
}

fn request(names: &[String]) -> RedactionRequest {
    RedactionRequest { names: names.to_vec(), kept_kinds: KEPT_AT_FIRST.to_vec(), kept: Vec::new() }
}

/// Passes files on, with the texts that leave with them: their names, the first of which the user is shown, and others.
/// If files are redacted and there is something to redact, the user reviews it first.
pub fn pass(page: Page, files: Vec<Blob>, names: Vec<String>, then: impl FnOnce(Passed) + 'static) {
    if !page.prefs.with_untracked(|prefs| prefs.redacts_files) {
        return then(Passed::Unchanged);
    }
    tell(page, words::SEARCHING);
    spawn_local(async move {
        let answer = ask(&request(&names), &files).await;
        page.toast.set(None);
        match answer {
            Err(fault) => tell(page, words::fault(fault)),
            // Names are redacted without a review. What stays at first is no reason for one.
            Ok(answer) if answer.counts.iter().all(|(kind, _)| KEPT_AT_FIRST.contains(kind)) => {
                // If nothing at all was found, nothing has to be made again.
                let is_same = answer.counts.is_empty() && answer.names == names;
                let redacted = || Passed::Redacted(answer.files, answer.names);
                then(if is_same { Passed::Unchanged } else { redacted() });
            }
            Ok(Answer { hits, counts, .. }) => {
                page.handoff.kept_kinds.set(KEPT_AT_FIRST.to_vec());
                page.handoff.kept.update(NumberSet::clear);
                let then = Box::new(then);
                let reviewed = Reviewed { files, names, then, hits, counts };
                page.handoff.reviewed.set_value(Some(reviewed));
                page.dialog.set(Some(Dialog::Redaction));
            }
        }
    });
}

/// Ends the review: the files go on redacted as the user chose, or as they are.
pub fn end_review(page: Page, is_redacted: bool) {
    let Some(reviewed) = page.handoff.reviewed.try_update_value(Option::take).flatten() else {
        return;
    };
    page.dialog.set(None);
    let Reviewed { files, names, then, .. } = reviewed;
    if !is_redacted {
        return then(Passed::Unchanged);
    }
    let request = RedactionRequest {
        kept_kinds: page.handoff.kept_kinds.get_untracked(),
        kept: page.handoff.kept.with_untracked(|kept| kept.as_slice().to_vec()),
        ..request(&names)
    };
    spawn_local(async move {
        match ask(&request, &files).await {
            Err(fault) => tell(page, words::fault(fault)),
            Ok(answer) => then(Passed::Redacted(answer.files, answer.names)),
        }
    });
}

/// Saves a file as a download, after a review if there is something to redact. Then `saved` is called with a sentence about
/// it.
pub fn save(page: Page, blob: Blob, name: String, saved: impl FnOnce(String) + 'static) {
    let (files, names) = (vec![blob.clone()], vec![name.clone()]);
    pass(page, files, names, move |passed| {
        let (files, names) = passed.or(vec![blob], vec![name]);
        if let Some((blob, name)) = files.first().zip(names.first()) {
            saved(save_passed(blob, name));
        }
    });
}

/// Saves a text as a download.
pub fn save_text(page: Page, content: &str, media_type: &str, name: &str) {
    if let Some(blob) = browser::blob_of(content, media_type) {
        save(page, blob, name.to_owned(), move |said| say(page, &said));
    }
}

/// Saves a file that is made of what was [passed](pass) on. Returns a sentence about it.
pub fn save_passed(blob: &Blob, name: &str) -> String {
    browser::save(blob, name);
    text::saved_as(len_bytes(blob), name)
}

/// Copies text of the trace to the clipboard, redacted if the user wants that of copies, and announces `said`.
pub fn copy(page: Page, content: &str, said: &'static str) {
    copy_if(page, page.prefs.with_untracked(|prefs| prefs.redacts_copies), content, said);
}

/// Copies a text that is made of many parts of the trace, redacted as files are.
pub fn copy_report(page: Page, content: &str, said: &'static str) {
    let redacts = page.prefs.with_untracked(|prefs| prefs.redacts_files || prefs.redacts_copies);
    copy_if(page, redacts, content, said);
}

fn copy_if(page: Page, redacts: bool, content: &str, said: &'static str) {
    if !redacts {
        return copy_as_it_is(page, content, said);
    }
    let Some(blob) = browser::blob_of(content, "text/plain") else { return };
    spawn_local(async move {
        let Ok(answer) = ask(&request(&[]), &[blob]).await else {
            return tell(page, words::NOT_COPIED);
        };
        let said = if answer.counts.is_empty() { said } else { words::COPIED_REDACTED };
        let Some(file) = answer.files.first() else { return tell(page, words::NOT_COPIED) };
        match JsFuture::from(file.text()).await.ok().and_then(|it| it.as_string()) {
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
    files: Vec<Blob>,
    names: Vec<String>,
    hits: Vec<traceloupe_protocol::redaction::RedactionHit>,
    counts: Vec<(Kind, u32)>,
}

/// Starts a redactor, sends it files, and ends it once it has answered.
async fn ask(request: &RedactionRequest, files: &[Blob]) -> Result<Answer, RedactionFault> {
    let spawned = JsFuture::from(boot::spawn_redactor()).await.ok();
    let worker = spawned.and_then(|it| it.dyn_into::<Worker>().ok());
    let worker = worker.ok_or(RedactionFault::NotLoaded)?;
    let answered = Promise::new(&mut |resolve, reject| {
        worker.set_onmessage(Some(&resolve));
        worker.set_onerror(Some(&reject));
    });
    let bytes = Uint8Array::from(encode(request).as_slice());
    // Bytes and files can be cloned.
    let _ = worker.post_message(&Array::of2(&bytes, &files.iter().collect::<Array>()));
    let event = JsFuture::from(answered).await;
    worker.terminate();
    let event = event.ok().and_then(|it| it.dyn_into::<MessageEvent>().ok());
    let data: Array = event.ok_or(RedactionFault::Failed)?.data().unchecked_into();
    let bytes = data.get(0).unchecked_into::<Uint8Array>().to_vec();
    match decode::<RedactionResponse>(&bytes).ok_or(RedactionFault::Failed)? {
        RedactionResponse::Refused(fault) => Err(fault),
        RedactionResponse::Redacted { names, hits, counts } => {
            let made: Array = data.get(1).unchecked_into();
            let made = made.iter().zip(files).map(|(bytes, file)| {
                browser::blob_of_bytes(&bytes.unchecked_into(), &file.type_())
            });
            let made: Option<Vec<Blob>> = made.collect();
            let is_whole = |made: &Vec<Blob>| made.len() == files.len();
            let files = made.filter(is_whole).ok_or(RedactionFault::Failed)?;
            Ok(Answer { files, names, hits, counts })
        }
    }
}
