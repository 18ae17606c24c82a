//! Bindings to `public/boot.js`, the only bindings to our own JavaScript.
//!
//! The boot script runs before this code is loaded. It parses the addresses in the link and starts fetching them,
//! collects messages from other windows, and seals the page (see `docs/privacy.md`) as soon as the headers of the last
//! response have arrived. A worker inherits the seal only if it is started after that, so [`spawn_worker`] throws
//! before.

use js_sys::{Array, Function, Promise};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use web_sys::{DataTransfer, Worker};

#[wasm_bindgen]
extern "C" {
    #[derive(Clone)]
    /// An address from the link. Its fetch is already in progress, or has already been refused.
    pub type Source;

    /// `trace`, or `compare` for the second trace of a comparison.
    #[wasm_bindgen(method, getter)]
    pub fn role(this: &Source) -> String;

    /// The last part of the path, percent-decoded, or the host if the path is empty. Hostile text.
    #[wasm_bindgen(method, getter)]
    pub fn name(this: &Source) -> String;

    /// The absolute address, or the text of the link if it is not an address.
    #[wasm_bindgen(method, getter)]
    pub fn url(this: &Source) -> String;

    /// Host and port, for "Loading host…"; empty if the address has none.
    #[wasm_bindgen(method, getter)]
    pub fn host(this: &Source) -> String;

    /// Resolves to an [`Arrival`] when the headers have arrived or the fetch has failed. Never rejects.
    #[wasm_bindgen(method, getter)]
    pub fn arrival(this: &Source) -> Promise;

    /// Cancels the fetch: the arrival becomes the error `cancelled`, or reading the body fails.
    #[wasm_bindgen(method)]
    pub fn cancel(this: &Source);
}

#[wasm_bindgen]
extern "C" {
    /// The result of an address: a response with a good status, or an error.
    pub type Arrival;

    /// The response with its body unread (a `Response`); `None` if there is an error.
    #[wasm_bindgen(method, getter)]
    pub fn response(this: &Arrival) -> Option<js_sys::Object>;

    /// The error code: `cors`, `unreachable`, `offline`, `mixed-content`, `csp`, `http-404` and similar, `cancelled`,
    /// `bad-address`, `scheme`, `data-address`, `blob-address`, `user-info`, `private-host`, `no-file-host`,
    /// `not-listed`, `bad-data`, `data-too-long`, `nothing-came`, `no-answer`, `bad-redirect`, `redirected`, `framed`.
    #[wasm_bindgen(method, getter)]
    pub fn error(this: &Arrival) -> Option<String>;
}

#[wasm_bindgen]
extern "C" {
    /// Dropped, chosen, pasted or typed input.
    pub type Given;

    /// The name that it was shown under, if it was given before this program ran.
    #[wasm_bindgen(method, getter)]
    pub fn name(this: &Given) -> String;

    /// The entries of a drop: `FileSystemEntry`.
    #[wasm_bindgen(method, getter)]
    pub fn entries(this: &Given) -> Array;

    /// The handles of a drop as promises, if the browser supports them.
    #[wasm_bindgen(method, getter)]
    pub fn handles(this: &Given) -> Array;

    /// The files, as `File`.
    #[wasm_bindgen(method, getter)]
    pub fn files(this: &Given) -> Array;

    /// The text, if there are no files.
    #[wasm_bindgen(method, getter)]
    pub fn text(this: &Given) -> String;

    /// Whether the files come from a file picker.
    #[wasm_bindgen(method, getter, js_name = isPicked)]
    pub fn is_picked(this: &Given) -> bool;
}

#[wasm_bindgen(js_namespace = traceloupe)]
extern "C" {
    /// Passes input to a callback from now on. Returns the input that was given before, if any.
    #[wasm_bindgen(js_name = takeGiven)]
    pub fn take_given(callback: &Function) -> Option<Given>;

    /// The contents of a drop. They must be requested during the event, because the browser empties the drop
    /// afterwards.
    #[wasm_bindgen(js_name = contents)]
    pub fn contents(data: &DataTransfer) -> Given;

    /// Moves the empty page into an element. The first time it comes from the frame in `index.html`, which is removed.
    #[wasm_bindgen(js_name = takeOver)]
    pub fn take_over(place: &web_sys::Element);

    /// The dialog that was requested before this program ran: `settings`, `help`, or nothing.
    #[wasm_bindgen(js_name = wantedDialog)]
    pub fn wanted_dialog() -> String;

    /// The addresses in the link, in order: an array of [`Source`].
    #[wasm_bindgen(js_name = sources)]
    pub fn sources() -> Array;

    /// Resolves (to nothing) once the worker's program has been loaded and compiled. Rejects if its files cannot be
    /// loaded.
    #[wasm_bindgen(js_name = completed)]
    pub fn completed() -> Promise;

    /// Whether the worker's program has been loaded and compiled.
    #[wasm_bindgen(js_name = isCompleted)]
    pub fn is_completed() -> bool;

    /// What the user can do if files of the page cannot be loaded.
    #[wasm_bindgen(js_name = remedy)]
    pub fn remedy() -> String;

    /// Resolves to the text of the list of prices, or to nothing if there is none. Never rejects.
    #[wasm_bindgen(js_name = prices)]
    pub fn prices() -> Promise;

    /// Resolves (to nothing) once the page is sealed, which may have to wait for slow headers. Rejects if files of the
    /// page cannot be loaded.
    #[wasm_bindgen(js_name = sealed)]
    pub fn sealed() -> Promise;

    /// Starts another worker. It accepts messages at once, even while its program is still arriving.
    ///
    /// # Errors
    /// Throws before the page is sealed, and in browsers that refuse workers made from Blobs.
    #[wasm_bindgen(js_name = spawnWorker, catch)]
    pub fn spawn_worker() -> Result<Worker, JsValue>;

    /// The words of the policy of the site that forbids the worker; empty if none does.
    #[wasm_bindgen(js_name = refusedWorker)]
    pub fn refused_worker() -> String;

    /// Resolves to a redactor, which takes one message, or to nothing if its program has not been loaded.
    #[wasm_bindgen(js_name = spawnRedactor)]
    pub fn spawn_redactor() -> Promise;

    /// Passes messages from other windows to a callback: those that have arrived so far (at most eight), and later ones
    /// as they arrive. The callback receives the `MessageEvent`. Its source is a window that may send messages (own
    /// window, opener, parent, or opened by this page). Its data is an object of any shape.
    #[wasm_bindgen(js_name = takeMessages)]
    pub fn take_messages(callback: &Function);
}

#[wasm_bindgen]
extern "C" {
    /// The trace in the single HTML file.
    pub type OwnTrace;

    /// Its files, as [`OwnFile`].
    #[wasm_bindgen(method, getter)]
    pub fn files(this: &OwnTrace) -> Array;

    /// Its title.
    #[wasm_bindgen(method, getter)]
    pub fn title(this: &OwnTrace) -> Option<String>;

    /// The format to read it as.
    #[wasm_bindgen(method, getter)]
    pub fn format(this: &OwnTrace) -> Option<String>;

    /// The meaning of each key in files of an unknown format.
    #[wasm_bindgen(method, getter)]
    pub fn mapping(this: &OwnTrace) -> Option<String>;

    /// Chosen entries of archives, as pairs of the archive's path and the entry's index.
    #[wasm_bindgen(method, getter)]
    pub fn entries(this: &OwnTrace) -> Option<Array>;

    /// How many characters the parser of HTML has replaced, if the trace was appended to the file.
    #[wasm_bindgen(method, getter, js_name = nReplaced)]
    pub fn n_replaced(this: &OwnTrace) -> u32;

    /// The approximate size of the HTML file in bytes.
    #[wasm_bindgen(method, getter)]
    pub fn weight(this: &OwnTrace) -> f64;

    /// A file of that trace.
    pub type OwnFile;

    /// Its name.
    #[wasm_bindgen(method, getter)]
    pub fn path(this: &OwnFile) -> String;

    /// Its bytes.
    #[wasm_bindgen(method, getter)]
    pub fn blob(this: &OwnFile) -> web_sys::Blob;
}

#[wasm_bindgen(js_namespace = traceloupe)]
extern "C" {
    /// The name of the trace in the single HTML file; empty if there is none.
    #[wasm_bindgen(js_name = ownName)]
    pub fn own_name() -> String;

    /// Resolves to the trace in the single HTML file, an [`OwnTrace`]. Rejects if it is damaged.
    #[wasm_bindgen(js_name = ownTrace)]
    pub fn own_trace() -> Option<Promise>;

    /// Resolves to a single HTML file with a trace, as a Blob. Rejects if the files of the page could not be kept.
    #[wasm_bindgen(js_name = htmlOf)]
    pub fn html_of(request: &js_sys::Object) -> Promise;
}

/// The addresses in the link.
pub fn all_sources() -> Vec<Source> {
    sources().iter().map(JsCast::unchecked_into).collect()
}

/// Calls back once the page is sealed, or at once if it already is. If files of the page are missing, the page is never
/// sealed and the callback is not called.
pub fn when_sealed(act: impl FnOnce() + 'static) {
    after(sealed(), |outcome| {
        if outcome.is_ok() {
            act();
        }
    });
}

/// Calls back with the text of the list of prices once it has arrived. If there is none, the callback is not called.
pub fn when_priced(act: impl FnOnce(String) + 'static) {
    after(prices(), |text| {
        if let Some(text) = text.ok().and_then(|text| text.as_string()) {
            act(text);
        }
    });
}

/// Calls back if the worker's program cannot be loaded, with what the user can do and with the error.
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
