//! The redactor's connection to the browser. [`answer`] is all that it does, and needs none.
//!
//! A message to it is an array of an encoded [`RedactionRequest`] and the files, as Blobs. It answers once, with an array
//! of an encoded [`RedactionResponse`] and the redacted files, as bytes. The page then ends it.

pub mod answer;

use js_sys::{Array, Uint8Array};
use wasm_bindgen::prelude::*;
use web_sys::{Blob, DedicatedWorkerGlobalScope, FileReaderSync, MessageEvent};

use traceloupe_protocol::messages::{decode, encode};
use traceloupe_protocol::redaction::{RedactionFault, RedactionRequest, RedactionResponse};

/// Starts the redactor, which from then on handles the message of the page.
pub fn start() {
    let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        take(&event.data().unchecked_into());
    });
    scope().set_onmessage(Some(on_message.as_ref().unchecked_ref()));
    on_message.forget();
}

fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

fn take(message: &Array) {
    let bytes = message.get(0).unchecked_into::<Uint8Array>().to_vec();
    let Some(request) = decode::<RedactionRequest>(&bytes) else { return };
    let blobs = message.get(1).unchecked_into::<Array>();
    let files: Option<Vec<Vec<u8>>> =
        blobs.iter().map(|blob| read(&blob.unchecked_into())).collect();
    let (response, files) = match files {
        Some(files) => answer::answer(&request, &files),
        None => (RedactionResponse::Refused(RedactionFault::Failed), Vec::new()),
    };
    let files: Array = files.iter().map(|file| Uint8Array::from(file.as_slice())).collect();
    let response = Uint8Array::from(encode(&response).as_slice());
    // Bytes can be cloned.
    let _ = scope().post_message(&Array::of2(&response, &files));
}

/// The bytes of a file. `None` if it cannot be read, or not held.
fn read(blob: &Blob) -> Option<Vec<u8>> {
    let buffer = FileReaderSync::new().ok()?.read_as_array_buffer(blob).ok()?;
    let view = Uint8Array::new(&buffer);
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(view.length() as usize).ok()?;
    bytes.resize(view.length() as usize, 0);
    view.copy_to(&mut bytes);
    Some(bytes)
}
