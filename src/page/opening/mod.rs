//! Opening a trace: files, addresses, messages from other windows, and growing files.

pub mod actions;
pub mod append;
mod deferred_outline;
pub mod empty;
pub mod folder;
pub mod folder_list;
pub mod follow;
pub mod format_table;
pub mod intake;
pub mod linked_address;
pub mod live;
pub mod loading;
pub mod mapping_dialog;
pub mod needed_file;
pub mod open_dialog;
pub mod other_windows;
pub mod outline;
pub mod own_trace;
pub mod spare_worker;
pub mod stall;
