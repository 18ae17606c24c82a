//! Measures what is drawn below a line or over it, so that the lines below it are placed correctly.

use std::cell::RefCell;
use std::collections::HashMap;

use leptos::html::Div;
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlElement, ResizeObserver};

/// Heights by row, in pixels.
pub type Heights = RwSignal<HashMap<u32, f64>>;

/// An element that is measured, and where its height goes.
struct Watched {
    element: HtmlElement,
    kept: Heights,
    row: u32,
}

thread_local! {
    static WATCHED: RefCell<Vec<Watched>> = const { RefCell::new(Vec::new()) };
    static OBSERVER: Option<ResizeObserver> = observer();
}

/// One observer measures all elements. Each observer is told by itself, so with one for each element the lines would be
/// placed again, and the page laid out again, for one element after the other.
fn observer() -> Option<ResizeObserver> {
    let changed = Closure::<dyn Fn()>::new(measure).into_js_value();
    ResizeObserver::new(changed.unchecked_ref()).ok()
}

/// Measures an element as long as it is drawn.
pub fn keep(kept: Heights, element: NodeRef<Div>, row: u32) {
    Effect::new(move |_| {
        let Some(element) = element.get() else { return };
        let element: HtmlElement = (*element).clone();
        OBSERVER.with(|observer| {
            if let Some(observer) = observer {
                observer.observe(&element);
            }
        });
        let watched = StoredValue::new_local(element.clone());
        WATCHED.with_borrow_mut(|all| all.push(Watched { element, kept, row }));
        on_cleanup(move || watched.with_value(forget));
    });
}

fn forget(element: &HtmlElement) {
    WATCHED.with_borrow_mut(|all| all.retain(|it| it.element != *element));
    OBSERVER.with(|observer| {
        if let Some(observer) = observer {
            let element: &Element = element;
            observer.unobserve(element);
        }
    });
}

/// Takes the heights of all elements, and places the lines once.
fn measure() {
    let changed: Vec<(Heights, u32, f64)> = WATCHED.with_borrow(|all| {
        let heights = all.iter().map(|it| (it.kept, it.row, f64::from(it.element.offset_height())));
        let is_new = |(kept, row, px): &(Heights, u32, f64)| {
            let known = kept.try_with_untracked(|heights| heights.get(row).copied());
            // A signal that is gone belongs to a trace that has been closed.
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
