//! The line between the column on the left and the rows: dragged, or moved with arrow keys. Its place is remembered.

use crate::words::shell as text;
use leptos::attr::custom::custom_attribute;
use leptos::prelude::*;

use crate::browser;

/// Where the width is stored.
const STORED: &str = "side-width";

/// The width of the column in pixels: at first, at least, at most, and what an arrow key adds.
const FIRST_PX: i32 = 228;
const LEAST_PX: i32 = 150;
const MOST_PX: i32 = 560;
const STEP_PX: i32 = 16;

/// The line.
#[component]
pub fn Splitter() -> impl IntoView {
    let stored = browser::stored(STORED).and_then(|it| it.parse().ok());
    let width = RwSignal::new(stored.unwrap_or(FIRST_PX).clamp(LEAST_PX, MOST_PX));
    let is_dragged = StoredValue::new(false);
    Effect::new(move |_| browser::set_root_style("--side-width", &format!("{}px", width.get())));
    let set = move |px: i32| width.set(px.clamp(LEAST_PX, MOST_PX));
    let keep = move || browser::store(STORED, &width.get_untracked().to_string());
    let pressed = move |event: leptos::ev::PointerEvent| {
        is_dragged.set_value(event.button() == 0);
        let line: web_sys::Element = event_target(&event);
        let _ = line.set_pointer_capture(event.pointer_id()); // only keeps the drag alive outside
        // Nothing is selected on the way.
        event.prevent_default();
    };
    let moved = move |event: leptos::ev::PointerEvent| {
        if is_dragged.get_value() {
            set(event.client_x());
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
            "Home" => set(LEAST_PX),
            "End" => set(MOST_PX),
            "Enter" => set(FIRST_PX),
            _ => return,
        }
        event.prevent_default();
        event.stop_propagation();
        keep();
    };
    markup! {
        <div class="splitter" role="separator" aria-label=text::SIDE_WIDTH title=text::SIDE_WIDTH_TITLE
            tabindex="0" aria-orientation="vertical"
            {..custom_attribute("aria-valuemin", LEAST_PX.to_string())}
            {..custom_attribute("aria-valuemax", MOST_PX.to_string())}
            {..custom_attribute("aria-valuenow", move || width.get().to_string())}
            on:pointerdown=pressed on:pointermove=moved on:pointerup=released
            on:dblclick=move |_| { set(FIRST_PX); keep(); } on:keydown=key></div>
    }
}
