//! The points of a screenshot that the call referred to, drawn over the image.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::reactive::{RwSignal, live};
use traceloupe_protocol::value::Point;
use traceloupe_words::css_percent;
use traceloupe_words::page::event as text;

/// The size of an image in its own pixels, once it has loaded.
pub type Size = RwSignal<Option<(f64, f64)>>;

/// The size of an image that has just loaded.
pub fn loaded(event: &leptos::ev::Event) -> Option<(f64, f64)> {
    let image = event.target()?.dyn_into::<web_sys::HtmlImageElement>().ok()?;
    Some((f64::from(image.natural_width()), f64::from(image.natural_height())))
}

/// The marks of the points that are inside the image. If there are several, they are numbered in the order of the call.
pub fn click_marks(points: &[Point], size: Size) -> impl IntoView + use<> {
    let points = points.to_vec();
    live(move || {
        let (width, height) = size.get()?;
        let is_several = points.len() > 1;
        let marks = points.iter().enumerate().filter_map(|(at, point)| {
            let (left, top) = (point.x / width, point.y / height);
            let is_inside = (0.0..=1.0).contains(&left) && (0.0..=1.0).contains(&top);
            is_inside.then(|| {
                markup! {
                    <span class="image__click" title=text::pointed_at(point.x, point.y)
                        style:left=css_percent(left * 100.0) style:top=css_percent(top * 100.0)>
                        {is_several.then(|| (at + 1).to_string())}
                    </span>
                }
            })
        });
        Some(marks.collect_view())
    })
}
