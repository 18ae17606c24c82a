//! How much memory the reader uses, so that a person can see it.

use super::Session;
use super::store::Store;
use crate::view::wire::protocol::Memory;

impl<S: Store> Session<S> {
    /// What is held now.
    pub fn memory(&self) -> Memory {
        Memory { wasm_bytes: wasm_bytes(), blob_bytes: self.store.kept_bytes() }
    }
}

#[cfg(target_arch = "wasm32")]
fn wasm_bytes() -> u64 {
    const PAGE_BYTES: u64 = 65_536;
    core::arch::wasm32::memory_size(0) as u64 * PAGE_BYTES
}

#[cfg(not(target_arch = "wasm32"))]
fn wasm_bytes() -> u64 {
    0
}
