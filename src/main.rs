//! The one program with two roles: with a window it is the page, without one it is the worker.

/// The second half of the program, in a page that was built as two (`.ci/split/`). Nothing else here
/// knows of it: which functions it has is decided on the finished wasm.
#[cfg(target_arch = "wasm32")]
mod later {
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen]
    extern "C" {
        /// Makes an instance of the second wasm over the exports of this one (`public/boot.js`).
        #[wasm_bindgen(js_name = loadLater)]
        fn load_with(exports: &JsValue);
    }

    /// Called by what stands in the place of a function of the second wasm, before the first of them
    /// runs. A page that was built as one never calls it.
    #[wasm_bindgen]
    pub fn load_later() {
        load_with(&wasm_bindgen::exports());
    }
}

#[cfg(target_arch = "wasm32")]
fn main() {
    console_error_panic_hook::set_once();
    if web_sys::window().is_some() {
        traceloupe_page::ui::mount();
    } else {
        traceloupe_page::worker::start();
    }
}

/// Natively the program does nothing: the library is what is tested.
#[cfg(not(target_arch = "wasm32"))]
fn main() {}
