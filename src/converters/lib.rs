//! What makes JSON of files that are not JSON.
//!
//! | File | Converter |
//! | --- | --- |
//! | JSON in JSON strings | `quoted` |
//! | YAML | `yaml` |
//! | Markdown: chats, histories, shared sessions | `markdown` |
//! | output of `console.dir` in JavaScript | `console_dump`, `inspected` |
//! | databases | [`sqlite`]; which sessions are in them, the formats know |
//!
//! All but databases are [`Decoder`]s, which [`converter_of`] chooses by the beginning of a file. What they write is
//! framed like the records of any other file.
//!
//! A package of its own, made for size: such files are short, and most are never met.

mod console_dump;
mod entities;
mod inspected;
mod markdown;
mod quoted;
pub mod sqlite;
mod yaml;
mod yaml_file;

pub use entities::without_entities;
pub use yaml::{YamlFault, yaml_to_json};

use traceloupe_input::Decoder;

/// What makes JSON of a text that is not JSON; `None` if the text needs none or is not known. `head` is the beginning of
/// the text, `is_whole` whether there is no more of it, `name` that of its file.
#[must_use]
pub fn converter_of(head: &[u8], is_whole: bool, name: &str) -> Option<Box<dyn Decoder>> {
    if quoted::looks_like_quoted_json(head) {
        Some(Box::new(quoted::Quoted::new()))
    } else if yaml::looks_like_yaml(head, is_whole, name) {
        Some(Box::new(yaml_file::Yaml::new()))
    } else if markdown::looks_like_chat(head) {
        Some(Box::new(markdown::Markdown::new()))
    } else if console_dump::looks_like_console_dump(head) {
        Some(Box::new(console_dump::ConsoleDump::new()))
    } else {
        None
    }
}
