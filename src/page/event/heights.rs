//! Measures elements that are drawn below or over a line, so that the lines below are placed correctly.

use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{HtmlElement, ResizeObserver};

use crate::app::pane::Pane;
use crate::reactive::effect;
use crate::state::event::{Heights, MeasuredElement, Measuring};

/// Measures an element as long as it is drawn.
pub fn keep(pane: Pane, kept: Heights, element: NodeRef<Div>, row: u32) {
    let measuring = pane.page.measuring;
    effect(move || {
        let Some(element) = element.get() else { return };
        let element: HtmlElement = (*element).clone();
        measuring.update_value(|it| {
            if it.observer.is_none() {
                it.observer = observer(measuring);
            }
            if let Some(observer) = &it.observer {
                observer.observe(&element);
            }
            it.elements.push(MeasuredElement { element: element.clone(), kept, row });
        });
        let watched = StoredValue::new_local(element);
        on_cleanup(move || watched.with_value(|element| forget(measuring, element)));
    });
}

fn observer(measuring: Measuring) -> Option<ResizeObserver> {
    let changed = Closure::<dyn Fn()>::new(move || measure(measuring)).into_js_value();
    ResizeObserver::new(changed.unchecked_ref()).ok()
}

fn forget(measuring: Measuring, element: &HtmlElement) {
    measuring.update_value(|it| {
        it.elements.retain(|known| known.element != *element);
        if let Some(observer) = &it.observer {
            observer.unobserve(element);
        }
    });
}

/// Pauses or resumes measuring. While thousands of lines are drawn for printing, each below the one before it, every
/// arriving text would cause all positions to be computed again.
pub fn pause(pane: Pane, is_paused: bool) {
    let measuring = pane.page.measuring;
    measuring.update_value(|it| it.is_paused = is_paused);
    measure(measuring);
}

/// Reads the heights of all elements and places the lines once.
fn measure(measuring: Measuring) {
    let changed: Vec<(Heights, u32, f64)> = measuring.with_value(|it| {
        let elements = if it.is_paused { &[] } else { it.elements.as_slice() };
        let heights = elements.iter().map(|it| {
            let px = f64::from(it.element.offset_height());
            (it.kept, it.row, px)
        });
        let is_new = |(kept, row, px): &(Heights, u32, f64)| {
            let known = kept.try_with_untracked(|heights| heights.get(row).copied());
            // A disposed signal belongs to a trace that has been closed.
            known.is_some_and(|known| *px > 0.0 && known != Some(*px))
        };
        heights.filter(is_new).collect()
    });
    let mut rest = changed.as_slice();
    while let Some((kept, ..)) = rest.first() {
        let len = rest.iter().take_while(|(other, ..)| other == kept).count();
        let (of_one, others) = rest.split_at(len);
        kept.update(|heights| heights.extend(of_one.iter().map(|(_, row, px)| (*row, *px))));
        rest = others;
    }
}
