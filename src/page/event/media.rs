//! Images, recordings and documents of the trace. They come from its bytes; nothing is fetched.

use crate::reactive::{RwSignal, Show, live, memo};
use leptos::prelude::*;

use crate::annotations::comments;
use crate::app::page::{Dialog, Picture};
use crate::app::pane::{Pane, pane};
use crate::event::actions;
use crate::event::clicks::{click_marks, loaded};
use crate::event::full_image::in_gallery;
use crate::event::values::Download;
use traceloupe_protocol::annotations::Site;
use traceloupe_protocol::value::{Cut, ShownMedia};
use traceloupe_words as words;
use traceloupe_words::page::event as text;

/// How media are displayed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Image,
    Sound,
    Film,
}

impl Kind {
    fn of(media: &str) -> Self {
        if media.starts_with("audio/") {
            Self::Sound
        } else if media.starts_with("video/") {
            Self::Film
        } else {
            Self::Image
        }
    }
}

/// An image or a recording: a small one at once, a large one on request. For other types and unsafe ones, only the name
/// and a button to save it.
#[component]
pub fn MediaView(
    /// The media.
    media: ShownMedia,
) -> impl IntoView {
    let pane = pane();
    let ShownMedia { media, base64, n_bytes, cut, is_safe, points } = media;
    let kind = Kind::of(&media);
    let media = if media.is_empty() { "image".to_owned() } else { media };
    let words = format!("{media}, {}", words::bytes(n_bytes));
    let inline = (!base64.is_empty()).then(|| format!("data:{media};base64,{base64}"));
    let (ticket, set_ticket) = signal(None);
    on_cleanup(move || {
        if let Some(ticket) = ticket.try_get_untracked().flatten() {
            actions::forget_media(pane.trace, ticket);
        }
    });
    let source = memo(move || {
        inline
            .clone()
            .or_else(|| ticket.get().and_then(|ticket| actions::media_of(pane.trace, ticket)))
    });
    let note = match () {
        () if is_safe => words.clone(),
        () if media.starts_with("image/") => text::hidden_image(&words),
        () => words.clone(),
    };
    let asked = cut.clone();
    let site = Site { source: cut.source, start: cut.start };
    let can_show = move || is_safe && source.with(Option::is_none) && ticket.get().is_none();
    let button = match kind {
        Kind::Image => text::SHOW_THE_IMAGE,
        Kind::Sound | Kind::Film => text::PLAY_THE_RECORDING,
    };
    let alt = text::image(&words);
    let full_alt = alt.clone();
    let full_points = points.clone();
    let shown = move || {
        let source = source.get()?;
        let label = text::recording(&words);
        Some(match kind {
            Kind::Sound => {
                markup! { <audio class="sound" controls=true src=source aria-label=label></audio> }
                    .into_any()
            }
            Kind::Film => {
                markup! { <video class="film" controls=true src=source aria-label=label></video> }
                    .into_any()
            }
            Kind::Image => image_view(
                pane,
                Picture { src: source, alt: alt.clone(), site, points: points.clone() },
            ),
        })
    };
    let full = live(move || {
        let src = source.get().filter(|_| kind == Kind::Image)?;
        let picture = Picture { src, alt: full_alt.clone(), site, points: full_points.clone() };
        let open = move |_| pane.page.dialog.set(Some(Dialog::Image(picture.clone())));
        Some(markup! { <button class="quiet" on:click=open>{text::FULL_SCREEN}</button> })
    });
    markup! {
        <figure class="media">
            {shown}
            <figcaption>{note}
                <Show when=can_show>
                    <button class="quiet block__more" on:click={
                        let cut: Cut = asked.clone();
                        move |_| set_ticket.set(Some(actions::want_media(pane.trace, &cut)))
                    }>{button}</button>
                </Show>
                {full}
                <Download cut n_bytes/>
            </figcaption>
        </figure>
    }
}

/// An image that can be enlarged.
fn image_view(pane: Pane, picture: Picture) -> AnyView {
    let (is_large, set_large) = signal(false);
    let size = RwSignal::new(None);
    let Picture { src, alt, site, points } = picture;
    markup! {
        <button class="quiet image" aria-pressed=move || is_large.get().to_string()
            title=text::IMAGE_TITLE data-large=move || is_large.get().to_string()
            on:click=move |_| set_large.update(|it| *it = !*it)>
            <img src=src alt=alt data-image=in_gallery(site, &points)
                on:load=move |event| size.set(loaded(&event))/>
            {comments::boxes(pane, site)}
            {click_marks(&points, size)}
        </button>
    }
    .into_any()
}
