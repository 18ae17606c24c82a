//! The page's program: mounts the page. See the library of this package.

#[cfg(target_arch = "wasm32")]
fn main() {
    console_error_panic_hook::set_once();
    traceloupe_page::mount();
}

/// The native program does nothing, because native tests use the library `traceloupe`.
#[cfg(not(target_arch = "wasm32"))]
fn main() {}
