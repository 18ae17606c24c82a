//! Where the bytes of sources are: the session's only wish to the world outside.

use std::io::{Read, Seek, SeekFrom};

/// A place that keeps bytes: a file that the page handed over, or what was unpacked from one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Handle(pub u32);

/// Keeps the bytes of sources and reads them again by slice. In the browser these are Blobs, in
/// tests plain memory.
pub trait Store {
    /// Reads up to `len` bytes from `start`; fewer at the end. An unreadable place gives an error in
    /// words (a file that has changed or gone since it was opened).
    ///
    /// # Errors
    /// When the bytes cannot be read any more.
    fn read(&self, handle: Handle, start: u64, len: usize) -> Result<Vec<u8>, String>;
    /// How many bytes there are.
    fn len(&self, handle: Handle) -> u64;
    /// How many bytes there are in all places that were made here.
    fn kept_bytes(&self) -> u64;
    /// Makes an empty place for bytes that stand in no file as they are.
    fn create(&mut self) -> Handle;
    /// Gives up what such a place holds.
    fn remove(&mut self, handle: Handle);
    /// Adds bytes at the end of such a place.
    fn append(&mut self, handle: Handle, bytes: &[u8]);
}

/// A store in memory.
#[derive(Debug, Default)]
pub struct MemoryStore {
    places: Vec<Vec<u8>>,
    /// The places that were made by [`Store::create`].
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

/// A stored place as something to read and seek in, for archives.
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
