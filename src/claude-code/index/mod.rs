//! The index pass: records to events, and what joins the files of a session.

mod assistant;
mod join;
mod link_keys;
mod notes;
mod reader;
mod results;
mod run_info;
mod user;
mod workflows;

pub(crate) use join::join;
pub(crate) use reader::SessionReader;
