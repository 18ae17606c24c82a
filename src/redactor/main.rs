//! The redactor's program. See the library of this package.

#[cfg(target_arch = "wasm32")]
fn main() {
    traceloupe_redactor::start();
}

/// Natively the program does nothing.
#[cfg(not(target_arch = "wasm32"))]
fn main() {}
