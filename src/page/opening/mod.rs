//! Opening a trace: files, addresses, messages from other windows, growing files, and the browser's history.

pub mod actions;
pub mod address;
pub mod append;
mod deferred_outline;
pub mod empty;
pub mod folder;
pub mod folder_list;
pub mod follow;
pub mod format_table;
pub mod history;
pub mod intake;
pub mod keys;
pub mod live;
pub mod loading;
pub mod messages;
pub mod open_dialog;
pub mod outline;
pub mod spare_worker;
