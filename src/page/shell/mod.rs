//! The frame of the page: bars, dialogs, commands, and the dispatch of the worker's messages.

pub mod address;
pub mod app;
pub mod commands;
pub mod dialogs;
pub mod dispatch;
pub mod host;
pub mod keyboard;
pub mod menu_commands;
pub mod moves;
pub mod own_prices;
pub mod page_warm_up;
pub mod palette;
pub mod settings;
pub mod side;
pub mod toast;
pub mod top;
