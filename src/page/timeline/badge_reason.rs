//! The reason why a row failed, in its failure badge.

use leptos::prelude::*;

use crate::app::pane::Pane;
use crate::reactive::{live, memo};
use traceloupe_view::causes::{beyond_badge, reason_of};

/// The reason without the part that is already in the badge. It arrives later than the row, or never if no reason is
/// known.
pub(super) fn reason_view(pane: Pane, id: u32, badge: &str) -> impl IntoView + use<> {
    let badge = badge.to_owned();
    let why = memo(move || {
        let reason = pane.trace.statistics.causes.with(|causes| reason_of(causes, id));
        beyond_badge(&badge, &reason)
    });
    live(move || {
        let why = why.get();
        (!why.is_empty()).then(
            || markup! { <span class="badge__why" title=why.clone()>": "{why.clone()}</span> },
        )
    })
}
