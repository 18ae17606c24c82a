//! What `public/boot.js` hands to the page: the only road from Rust to it.
//!
//! The boot has run before this code exists. It has parsed the addresses in the link and begun to
//! fetch them, it collects messages from other windows, and it seals the page (`security` in the
//! README) as soon as the last response's headers are in. The worker may be started only after
//! that, so that it inherits the seal; [`spawn_worker`] throws before.

use js_sys::{Array, Function, Promise};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::Worker;

#[wasm_bindgen]
extern "C" {
    #[derive(Clone)]
    /// One address to load, from the link. Its fetch is already under way, or already refused.
    pub type Source;

    /// `trace`, or `compare` for the second trace of a comparison.
    #[wasm_bindgen(method, getter)]
    pub fn role(this: &Source) -> String;

    /// The last part of the path, percent-decoded, or the host when the path is empty. Hostile text.
    #[wasm_bindgen(method, getter)]
    pub fn name(this: &Source) -> String;

    /// The absolute address, or the text of the link as it stands when that is no address at all.
    #[wasm_bindgen(method, getter)]
    pub fn url(this: &Source) -> String;

    /// Host and port, for "Loading host…"; empty when the address has none.
    #[wasm_bindgen(method, getter)]
    pub fn host(this: &Source) -> String;

    /// Resolves to an [`Arrival`] when the headers are in or the fetch has failed. Never rejects.
    #[wasm_bindgen(method, getter)]
    pub fn arrival(this: &Source) -> Promise;

    /// Gives up: the arrival becomes the error `cancelled`, or the body being read ends in an error.
    #[wasm_bindgen(method)]
    pub fn cancel(this: &Source);
}

#[wasm_bindgen]
extern "C" {
    /// What came of one address: a response with a good status, or an error.
    pub type Arrival;

    /// The response, its body unread (a `Response`); `None` when there is an error.
    #[wasm_bindgen(method, getter)]
    pub fn response(this: &Arrival) -> Option<js_sys::Object>;

    /// The code of the failure: `cors`, `unreachable`, `offline`, `mixed-content`, `csp`,
    /// `http-404` and its like, `cancelled`, `bad-address`, `scheme`, `data-address`,
    /// `blob-address`, `user-info`, `private-host`.
    #[wasm_bindgen(method, getter)]
    pub fn error(this: &Arrival) -> Option<String>;
}

#[wasm_bindgen(js_namespace = traceloupe)]
extern "C" {
    /// The addresses in the link, in its order; an array of [`Source`].
    #[wasm_bindgen(js_name = sources)]
    pub fn sources() -> Array;

    /// Resolves (to nothing) once the worker's program is loaded and compiled. Rejects if its files
    /// cannot be loaded.
    #[wasm_bindgen(js_name = completed)]
    pub fn completed() -> Promise;

    /// What the person can do where files of the page cannot be loaded.
    #[wasm_bindgen(js_name = remedy)]
    pub fn remedy() -> String;

    /// Resolves (to nothing) once the page is sealed; may wait for slow headers. Rejects as
    /// [`completed`] does.
    #[wasm_bindgen(js_name = sealed)]
    pub fn sealed() -> Promise;

    /// Starts one more worker from the compiled module. It can be posted to at once: its program
    /// runs before its second message is taken.
    ///
    /// # Errors
    /// Throws before the page is sealed, and where the browser refuses workers made from blobs.
    #[wasm_bindgen(js_name = spawnWorker, catch)]
    pub fn spawn_worker() -> Result<Worker, JsValue>;

    /// Hands over the messages from other windows that came so far (at most eight), and all later
    /// ones as they come. The callback gets the `MessageEvent`; its source is one that may speak to
    /// us (own window, opener, parent, or opened by us), its data is an object of any shape.
    #[wasm_bindgen(js_name = takeMessages)]
    pub fn take_messages(callback: &Function);
}

/// The addresses in the link.
pub fn all_sources() -> Vec<Source> {
    sources().iter().map(JsCast::unchecked_into).collect()
}

/// Acts once the page is sealed; at once if it is. A page that is never sealed, since some of its
/// files did not come, does nothing.
pub fn when_sealed(act: impl FnOnce() + 'static) {
    after(sealed(), |outcome| {
        if outcome.is_ok() {
            act();
        }
    });
}

/// Acts if the worker's program cannot be loaded, with what the person can do and the reason.
pub fn when_incomplete(act: impl FnOnce(String, JsValue) + 'static) {
    after(completed(), |outcome| {
        if let Err(error) = outcome {
            act(remedy(), error);
        }
    });
}

fn after(promise: Promise, act: impl FnOnce(Result<JsValue, JsValue>) + 'static) {
    wasm_bindgen_futures::spawn_local(async move {
        act(wasm_bindgen_futures::JsFuture::from(promise).await);
    });
}
