//! The first image of a message or a call, as a thumbnail in its row.

use leptos::prelude::*;

use crate::app::pane::pane;
use crate::event::actions;
use crate::reactive::{RwSignal, effect, live, memo};
use traceloupe_words::page::timeline as text;

/// The image of an event, if it has one. It is read when the row is drawn, and dropped with the row.
#[component]
pub fn Thumbnail(
    /// Index of the event.
    id: u32,
) -> impl IntoView {
    let trace = pane().trace;
    let ticket = RwSignal::new(None);
    effect(move || {
        if let Some(cut) = trace.previews.image(id)
            && ticket.get_untracked().is_none()
        {
            ticket.set(Some(actions::want_media(trace, &cut)));
        }
    });
    on_cleanup(move || {
        if let Some(ticket) = ticket.try_get_untracked().flatten() {
            actions::forget_media(trace, ticket);
        }
    });
    let source = memo(move || actions::media_of(trace, ticket.get()?));
    live(move || {
        let src = source.get()?;
        Some(
            markup! { <img class="row__image" src=src alt=text::HAS_AN_IMAGE title=text::HAS_AN_IMAGE/> },
        )
    })
}
