//! The base of all other packages: the model of a trace, JSON as it is found, texts, numbers, and the catalogue of
//! formats. Pure: no browser, no network, no files.

pub mod case;
pub mod catalog;
pub mod injected_context;
pub mod json;
pub mod mask;
pub mod model;
pub mod number;
pub mod number_set;
pub mod other_file;
pub mod reason;
pub mod sorting;
pub mod text;
pub mod tools;
pub mod visible_text;
pub mod warning_code;

#[cfg(test)]
#[path = "../../tests/harness/shared.rs"]
mod shared;
