//! Events named in a link. The worker finds them.

use leptos::prelude::*;

use crate::app::pane::{Pane, Wanted};
use crate::pane::actions::jump;
use crate::pane::agents::enter;
use traceloupe_protocol::messages::Request;

/// Requests the event of a link.
pub fn find(pane: Pane, sel: String, wanted: Wanted) {
    pane.wanted.update_value(|all| all.push_back(wanted));
    pane.trace.send(&Request::Find(sel));
}

/// Goes to the event that was found. Responses arrive in the order of the requests.
pub fn found(pane: Pane, id: Option<u32>) {
    let wanted = pane.wanted.with_value(|wanted| wanted.front().copied());
    let row = pane.trace.outline.with_untracked(|it| it.rows.row_of(id?));
    match row {
        Some(row) if wanted == Some(Wanted::Agent) => enter(pane, row),
        Some(row) => jump(pane, row),
        None => {}
    }
    // Only now, so that where a link leads is not taken for a jump.
    pane.wanted.update_value(|wanted| {
        wanted.pop_front();
    });
}
