//! The store: holds the bytes of sources. It is the session's only dependency on its host.

use std::io::{Read, Seek, SeekFrom};

/// A piece of storage: a file from the page, or bytes created by the session.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Handle(pub u32);

/// Keeps the bytes of sources and reads slices of them. In the browser they are Blobs, in tests they are in memory.
pub trait Store {
    /// Reads `len` bytes from `start`, or fewer at the end.
    ///
    /// # Errors
    /// If the bytes cannot be read, with the reason in words: the file was changed or removed after it was opened.
    fn read(&self, handle: Handle, start: u64, len: usize) -> Result<Vec<u8>, String>;
    /// The length in bytes.
    fn len(&self, handle: Handle) -> u64;
    /// The total length in bytes of everything created by [`Store::create`].
    fn kept_bytes(&self) -> u64;
    /// Creates an empty piece of storage.
    fn create(&mut self) -> Handle;
    /// Drops the bytes of a created piece.
    fn remove(&mut self, handle: Handle);
    /// Appends bytes to a created piece.
    fn append(&mut self, handle: Handle, bytes: &[u8]);
}

/// A store in memory.
#[derive(Debug, Default)]
pub struct MemoryStore {
    places: Vec<Vec<u8>>,
    /// The pieces created by [`Store::create`].
    made: Vec<Handle>,
}

impl MemoryStore {
    /// Adds a file.
    pub fn add(&mut self, bytes: Vec<u8>) -> Handle {
        self.places.push(bytes);
        Handle(u32::try_from(self.places.len() - 1).unwrap_or(u32::MAX))
    }
}

impl Store for MemoryStore {
    fn read(&self, handle: Handle, start: u64, len: usize) -> Result<Vec<u8>, String> {
        let bytes = self.places.get(handle.0 as usize).ok_or("no such file")?;
        let start = usize::try_from(start).unwrap_or(usize::MAX).min(bytes.len());
        let end = start.saturating_add(len).min(bytes.len());
        Ok(bytes.get(start..end).unwrap_or_default().to_vec())
    }

    fn len(&self, handle: Handle) -> u64 {
        self.places.get(handle.0 as usize).map_or(0, |bytes| bytes.len() as u64)
    }

    fn kept_bytes(&self) -> u64 {
        self.made.iter().map(|handle| self.len(*handle)).sum()
    }

    fn create(&mut self) -> Handle {
        let handle = self.add(Vec::new());
        self.made.push(handle);
        handle
    }

    fn remove(&mut self, handle: Handle) {
        if let Some(kept) = self.places.get_mut(handle.0 as usize) {
            *kept = Vec::new();
        }
    }

    fn append(&mut self, handle: Handle, bytes: &[u8]) {
        if let Some(kept) = self.places.get_mut(handle.0 as usize) {
            kept.extend_from_slice(bytes);
        }
    }
}

/// Stored bytes as a reader that can seek, for archives.
pub(super) struct StoreReader<'a, S> {
    pub(super) store: &'a S,
    pub(super) handle: Handle,
    pub(super) at: u64,
}

impl<S: Store> Read for StoreReader<'_, S> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let bytes =
            self.store.read(self.handle, self.at, buffer.len()).map_err(std::io::Error::other)?;
        let n = bytes.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..n), bytes.get(..n)) {
            to.copy_from_slice(from);
        }
        self.at += n as u64;
        Ok(n)
    }
}

impl<S: Store> Seek for StoreReader<'_, S> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        let len = self.store.len(self.handle);
        let target = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => len.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = target.ok_or(std::io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}
