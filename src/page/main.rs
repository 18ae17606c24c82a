//! The page's program: mounts the page. See the library of this package.

#[cfg(target_arch = "wasm32")]
fn main() {
    console_error_panic_hook::set_once();
    traceloupe_page::mount();
}

/// Natively the program does nothing: the library `traceloupe` is what is tested.
#[cfg(not(target_arch = "wasm32"))]
fn main() {}
