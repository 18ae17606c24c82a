//! The divider between two columns, which can be dragged or moved with arrow keys. Its position is remembered.

use leptos::attr::custom::custom_attribute;
use leptos::prelude::*;

use crate::browser;
use crate::reactive::{RwSignal, effect};

/// A column with a divider after it. Widths are in pixels.
pub struct Split {
    /// Storage key of its width.
    pub stored: &'static str,
    /// The custom property in the style sheets that holds its width.
    pub property: &'static str,
    /// The space before the column.
    pub before_px: i32,
    /// Its initial width.
    pub first_px: i32,
    /// Its minimum width.
    pub least_px: i32,
    /// Its maximum width.
    pub most_px: i32,
    /// The name of the divider.
    pub label: &'static str,
    /// Its tooltip.
    pub title: &'static str,
}

/// The step of an arrow key.
const STEP_PX: i32 = 16;

/// The divider.
#[component]
pub fn Splitter(
    /// The column.
    of: &'static Split,
) -> impl IntoView {
    let stored = browser::stored(of.stored).and_then(|it| it.parse().ok());
    let width = RwSignal::new(stored.unwrap_or(of.first_px).clamp(of.least_px, of.most_px));
    let is_dragged = StoredValue::new(false);
    effect(move || browser::set_root_style(of.property, &format!("{}px", width.get())));
    let set = move |px: i32| width.set(px.clamp(of.least_px, of.most_px));
    let keep = move || browser::store(of.stored, &width.get_untracked().to_string());
    let pressed = move |event: leptos::ev::PointerEvent| {
        is_dragged.set_value(event.button() == 0);
        let line: web_sys::Element = event_target(&event);
        let _ = line.set_pointer_capture(event.pointer_id()); // only keeps the drag alive outside
        // Dragging must not select text.
        event.prevent_default();
    };
    let moved = move |event: leptos::ev::PointerEvent| {
        if is_dragged.get_value() {
            let line: web_sys::Element = event_target(&event);
            let left = line.parent_element().map_or(0.0, |it| it.get_bounding_client_rect().left());
            #[expect(clippy::cast_possible_truncation)] // pixels of a window
            set(event.client_x() - left as i32 - of.before_px);
        }
    };
    let released = move |_| {
        is_dragged.set_value(false);
        keep();
    };
    let key = move |event: leptos::ev::KeyboardEvent| {
        let before = width.get_untracked();
        match event.key().as_str() {
            "ArrowLeft" => set(before - STEP_PX),
            "ArrowRight" => set(before + STEP_PX),
            "Home" => set(of.least_px),
            "End" => set(of.most_px),
            "Enter" => set(of.first_px),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
        keep();
    };
    markup! {
        <div class="splitter" role="separator" aria-label=of.label title=of.title
            tabindex="0" aria-orientation="vertical"
            {..custom_attribute("aria-valuemin", of.least_px.to_string())}
            {..custom_attribute("aria-valuemax", of.most_px.to_string())}
            {..custom_attribute("aria-valuenow", move || width.get().to_string())}
            on:pointerdown=pressed on:pointermove=moved on:pointerup=released
            on:dblclick=move |_| { set(of.first_px); keep(); } on:keydown=key></div>
    }
}
