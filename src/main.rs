//! The one program with two roles: with a window it is the page, without one it is the worker.

#[cfg(target_arch = "wasm32")]
mod later;

#[cfg(target_arch = "wasm32")]
fn main() {
    console_error_panic_hook::set_once();
    if web_sys::window().is_some() {
        traceloupe::ui::mount();
    } else {
        traceloupe::worker::start();
    }
}

/// Natively the program does nothing: the library is what is tested.
#[cfg(not(target_arch = "wasm32"))]
fn main() {}
