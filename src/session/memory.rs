//! How much memory the reader uses, so that a person can see it.

use serde::{Deserialize, Serialize};

use super::Session;
use super::store::Store;

/// What the reader holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Memory {
    /// Bytes of its wasm memory, which never shrinks: so this is also its peak. 0 outside of wasm.
    pub wasm_bytes: u64,
    /// Bytes that were unpacked and are kept as Blobs, outside of that memory.
    pub blob_bytes: u64,
}

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
