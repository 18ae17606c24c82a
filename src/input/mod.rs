//! From bytes to records: containers, encodings, framing.
//!
//! The path of a file: [`sniff`] its first bytes, decode it if it is packed or encoded ([`Gunzip`],
//! [`Unzstd`], [`Utf16`], [`Unzip`], [`Yaml`], [`Markdown`], [`Quoted`], [`ConsoleDump`]) and sniff again, then let [`Framer`] cut the text into records.
//! Databases are read by [`sqlite`]; which sessions are in them, the formats know.
//!
//! **Invariant.** Input may be any bytes, in chunks that end anywhere. Reading continues wherever
//! it can, and a [`Notice`] or [`Framed::Notice`] says what was wrong. Only the unfinished record
//! is held in memory.

mod sniff;

mod assembly;
mod console_dump;
mod crc32;
mod decoder;
mod gunzip;
mod inflate;
mod markdown;
mod quoted;
mod utf16;
mod yaml;
mod yaml_file;
mod zip;
mod zip_directory;
mod zstd;

mod begin;
mod copilot_share;
mod emit;
mod entities;
mod framer;
mod lines;
mod log;
mod specstory;
mod split;
pub mod sqlite;
mod sse;
mod values;

pub use crate::json::Notice;
pub use assembly::{Assembly, Document, Piece};
pub use console_dump::{ConsoleDump, looks_like_console_dump};
pub use crc32::Crc32;
pub use decoder::{Decoder, Remark};
pub use entities::without_entities;
pub use framer::{Framed, Framer, FramerOptions, Framing, MAX_RECORD_BYTES};
pub use gunzip::Gunzip;
pub use markdown::{Markdown, looks_like_chat};
pub use quoted::{Quoted, looks_like_quoted_json};
pub use sniff::{Container, sniff};
pub use split::{AskList, SPLIT_FROM_BYTES, SplitAt, restore_part};
pub use utf16::Utf16;
pub use yaml::{YamlFault, looks_like_yaml, yaml_to_json};
pub use yaml_file::Yaml;
pub use zip::{Unzip, unzip};
pub use zip_directory::{ZipDirectory, ZipEntry, ZipFault, clean_name, zip_entries};
pub use zstd::Unzstd;
