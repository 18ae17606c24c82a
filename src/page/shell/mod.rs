//! The frame of the page: bars, dialogs, commands, and where each message of the worker goes.

pub mod address;
pub mod app;
pub mod commands;
pub mod dialogs;
pub mod dispatch;
pub mod settings;
pub mod side;
pub mod toast;
pub mod top;
