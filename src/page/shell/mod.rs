//! The frame of the page: bars, dialogs, settings, commands, and the state that all areas share.

pub mod actions;
pub mod app;
pub mod commands;
pub mod dialogs;
pub mod settings;
pub mod side;
pub mod state;
pub mod toast;
pub mod top;
