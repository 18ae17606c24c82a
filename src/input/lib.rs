//! From bytes to records: containers, encodings, framing.
//!
//! The path of a file: [`sniff`] its first bytes, decode it if it is packed or encoded ([`Gunzip`], [`Unzstd`],
//! [`Utf16`], [`Unzip`], or the converters in `src/converters` for files that are not JSON) and sniff again, then let
//! [`Framer`] cut the text into records.
//!
//! **Invariant.** Input may be any bytes, in chunks that end anywhere. Reading continues wherever it can, and a
//! [`Notice`] or [`Framed::Notice`] reports what was wrong. Only the unfinished record is held in memory.

mod sniff;
mod tar;

mod assembly;
mod crc32;
mod decoder;
mod gunzip;
mod inflate;
mod utf16;
mod zip;
mod zip_directory;
mod zstd;

mod framing;

pub use assembly::{Assembly, Document, Piece};
pub use crc32::Crc32;
pub use decoder::{Decoder, Remark};
pub use framing::framer::{Framed, Framer, FramerOptions, Framing, MAX_RECORD_BYTES};
pub use framing::log::begins_log;
pub use framing::split::{AskList, SPLIT_FROM_BYTES, SplitAt, restore_part};
pub use framing::sse::is_sse;
pub use gunzip::Gunzip;
pub use sniff::{Container, SQLITE_MAGIC, sniff};
pub use tar::archive_entries;
pub use traceloupe_core::json::Notice;
pub use utf16::Utf16;
pub use zip::{Unzip, unzip};
pub use zip_directory::{ZipDirectory, ZipEntry, ZipFault, clean_name, zip_entries};
pub use zstd::Unzstd;
