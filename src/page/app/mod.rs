//! What all rooms share: the state, the worker, dialogs, settings, and what the page tells its reader.

pub mod dialog;
pub mod files;
pub mod notice;
pub mod settings;
pub mod state;
pub mod worker;
