//! The one program with two roles: with a window it is the page, without one it is the worker.

#[cfg(target_arch = "wasm32")]
fn main() {}

/// Natively the program does nothing: the library is what is tested.
#[cfg(not(target_arch = "wasm32"))]
fn main() {}
