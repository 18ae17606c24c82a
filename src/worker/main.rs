//! The worker's program: reads, indexes and answers. See the library of this package.

#[cfg(target_arch = "wasm32")]
fn main() {
    traceloupe_worker::start();
}

/// Natively the program does nothing, because the tests use the library `traceloupe`.
#[cfg(not(target_arch = "wasm32"))]
fn main() {}
