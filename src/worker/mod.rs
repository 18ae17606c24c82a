//! The worker's border to the browser.

use wasm_bindgen::{JsCast, prelude::Closure};
use web_sys::{DedicatedWorkerGlobalScope, MessageEvent};

/// Takes the worker's role: from here on it answers the page.
pub fn start() {
    let scope: DedicatedWorkerGlobalScope = js_sys::global().unchecked_into();
    let replies = scope.clone();
    let asked = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
        let text = event.data().as_string().unwrap_or_default();
        let answer = format!("worker heard {text}");
        // A page that has gone away needs no answer.
        let _ = replies.post_message(&answer.into());
    });
    scope.set_onmessage(Some(asked.as_ref().unchecked_ref()));
    asked.forget();
}
