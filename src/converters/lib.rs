//! Converts files that are not JSON to JSON.
//!
//! | File | Converter |
//! | --- | --- |
//! | JSON in JSON strings | `quoted` |
//! | YAML | `yaml` |
//! | Markdown: chats, histories, shared sessions | `markdown` |
//! | output of `console.dir` in JavaScript | `console_dump`, `inspected` |
//! | databases | [`sqlite`]; the formats find the sessions in them |
//!
//! All except databases are [`Decoder`]s, which [`converter_of`] chooses by the beginning of a file. Their output is
//! framed like the records of any other file.
//!
//! This is a package of its own so that it can be optimised for size: such files are short, and most of these kinds are
//! rare.

mod console_dump;
mod entities;
mod markdown;
mod node_inspect;
mod quoted;
pub mod sqlite;
mod yaml;
mod yaml_file;

pub use entities::without_entities;
pub use yaml::{YamlFault, yaml_to_json};

use traceloupe_input::Decoder;

/// The converter for a text that is not JSON; `None` if the text needs no converter, or if there is none for it. `head`
/// is the beginning of the text, `is_whole` whether that is all of it, and `name` the name of its file.
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
