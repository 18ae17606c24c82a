//! Opening and closing the dialog over the page.

use leptos::prelude::*;

use crate::app::state::{AppState, Dialog};
use crate::app::worker::send;
use traceloupe::view::wire::protocol::Request;

/// Puts a dialog over the page, or takes it away.
pub fn set_dialog(state: AppState, dialog: Option<Dialog>) {
    let was_choosing = matches!(state.dialog.get_untracked(), Some(Dialog::Entries(..)));
    if was_choosing && dialog.is_none() {
        // Nothing was chosen: what was read beside the archive is shown.
        send(&Request::Finish);
    }
    if dialog == Some(Dialog::About) {
        send(&Request::Memory);
    }
    state.dialog.set(dialog);
}
