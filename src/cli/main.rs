//! The command's program. Node starts it; see the library of this package.

#[cfg(target_arch = "wasm32")]
mod node;

#[cfg(target_arch = "wasm32")]
fn main() {
    node::start();
}

/// Natively the program does nothing.
#[cfg(not(target_arch = "wasm32"))]
fn main() {}
