//! An image filling the whole page, with the boxes of its annotations and the coordinates under the pointer. The arrow
//! keys go through all displayed images.

use crate::reactive::{RwSignal, memo};
use leptos::html::Img;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::annotations::comments::boxes;
use crate::app::page::Picture;
use crate::app::pane::pane;
use crate::event::clicks::{click_marks, loaded};
use traceloupe_core::number;
use traceloupe_protocol::annotations::Site;
use traceloupe_protocol::value::Point;
use traceloupe_words::page::event as text;

/// The mark that adds an image to the gallery: its place in the trace, and its points.
#[must_use]
pub fn in_gallery(site: Site, points: &[Point]) -> String {
    let points =
        points.iter().map(|it| format!(":{}:{}", number::shortest(it.x), number::shortest(it.y)));
    format!("{}:{}{}", site.source, site.start, points.collect::<String>())
}

/// The place and the points of a mark.
fn of_gallery(mark: &str) -> Option<(Site, Vec<Point>)> {
    let mut parts = mark.split(':');
    let site = Site { source: parts.next()?.parse().ok()?, start: parts.next()?.parse().ok()? };
    let mut points = Vec::new();
    while let (Some(x), Some(y)) = (parts.next(), parts.next()) {
        points.push(Point { x: number::parse(x)?, y: number::parse(y)? });
    }
    Some((site, points))
}

/// All images behind the dialog, in page order.
fn gallery() -> Vec<Picture> {
    let found = document().query_selector_all("img[data-image]");
    let images = found.into_iter().flat_map(|all| {
        (0..all.length())
            .filter_map(move |at| all.get(at)?.dyn_into::<web_sys::HtmlImageElement>().ok())
    });
    let picture = |image: web_sys::HtmlImageElement| {
        let (site, points) = of_gallery(&image.get_attribute("data-image")?)?;
        Some(Picture { src: image.src(), alt: image.alt(), site, points })
    };
    images.filter_map(picture).collect()
}

/// The image.
#[component]
pub fn FullImage(
    /// The image.
    image: Picture,
) -> impl IntoView {
    let pane = pane();
    let element: NodeRef<Img> = NodeRef::new();
    let size = RwSignal::new(None);
    let all = StoredValue::new(gallery());
    let n_all = all.with_value(Vec::len);
    let first = all.with_value(|all| all.iter().position(|it| it.site == image.site));
    // An image that the rows no longer show is the only one in the gallery.
    let (at_picture, set_picture) = signal(first);
    let alone = StoredValue::new(image);
    let picture = memo(move || {
        let one = at_picture.get().and_then(|at| all.with_value(|all| all.get(at).cloned()));
        one.unwrap_or_else(|| alone.get_value())
    });
    let step = move |by: usize| {
        set_picture.update(|at| *at = at.map(|at| (at + by) % n_all.max(1)));
    };
    let (back, on) = (move || step(n_all.saturating_sub(1)), move || step(1));
    let key = window_event_listener(leptos::ev::keydown, move |event| match event.key().as_str() {
        "ArrowLeft" => back(),
        "ArrowRight" => on(),
        _ => {}
    });
    on_cleanup(move || key.remove());
    let is_several = first.is_some() && n_all > 1;
    let (at, set_at) = signal(None);
    let moved = move |event: leptos::ev::PointerEvent| {
        let Some(image) = element.get_untracked() else { return };
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
                <img node_ref=element src=move || picture.get().src alt=move || picture.get().alt
                    on:load=move |event| size.set(loaded(&event))/>
                {move || boxes(pane, picture.get().site)}
                {move || click_marks(&picture.get().points, size)}
            </div>
            <figcaption>
                {is_several.then(|| markup! {
                    <span class="full-image__steps">
                        <button on:click=move |_| back()>{text::PREVIOUS_IMAGE}</button>
                        <span role="status">{move || text::image_of(at_picture.get().unwrap_or(0) + 1, n_all)}</span>
                        <button on:click=move |_| on()>{text::NEXT_IMAGE}</button>
                    </span>
                })}
                {words}
            </figcaption>
        </figure>
    }
}
