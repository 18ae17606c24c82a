//! An image over the whole page, with the boxes of its annotations and the coordinates under the pointer.

use crate::words::event as text;
use leptos::html::Img;
use leptos::prelude::*;

use crate::annotations::comments::boxes;
use crate::app::pane::pane;
use traceloupe::view::wire::annotations::Site;

/// The image.
#[component]
pub fn FullImage(
    /// Its address.
    src: String,
    /// Its description.
    alt: String,
    /// Its place in the trace.
    site: Site,
) -> impl IntoView {
    let pane = pane();
    let image: NodeRef<Img> = NodeRef::new();
    let (at, set_at) = signal(None);
    let moved = move |event: leptos::ev::PointerEvent| {
        let Some(image) = image.get_untracked() else { return };
        let area = image.get_bounding_client_rect();
        let (left, top) = (
            (f64::from(event.client_x()) - area.left()) / area.width(),
            (f64::from(event.client_y()) - area.top()) / area.height(),
        );
        let is_inside = (0.0..=1.0).contains(&left) && (0.0..=1.0).contains(&top);
        let natural = (f64::from(image.natural_width()), f64::from(image.natural_height()));
        set_at.set(is_inside.then_some((left, top, natural)));
    };
    let words = move || match at.get() {
        Some((left, top, (width, height))) => text::coordinates((left, top), (width, height)),
        None => text::POINT_AT_IMAGE.to_owned(),
    };
    markup! {
        <figure class="full-image" on:pointermove=moved on:pointerleave=move |_| set_at.set(None)>
            <div class="full-image__in">
                <img node_ref=image src=src alt=alt/>
                {boxes(pane, site)}
            </div>
            <figcaption>{words}</figcaption>
        </figure>
    }
}
