//! What Leptos would compile anew for each closure, compiled once: effects, memos, and parts of the page that change.
//! Boxing the closures makes the page several percent smaller (`docs/decisions/build.md`).

use std::hash::Hash;

use leptos::prelude::*;
use leptos::tachys::view::any_view::AnyView;
use traceloupe_core::model::hash_of;

pub use crate::signals::{Memo, RwSignal};

/// Runs a function soon, and again whenever a signal that it reads changes.
pub fn effect(run: impl FnMut() + 'static) {
    run_boxed(Box::new(run));
}

fn run_boxed(mut run: Box<dyn FnMut()>) {
    Effect::new(move |_: Option<()>| run());
}

/// A value that is worked out anew when a signal changes that it is made of. Those who read it hear of it only if the
/// new value is another one.
pub fn memo<T>(value: impl Fn() -> T + Send + Sync + 'static) -> Memo<T>
where
    T: PartialEq + Send + Sync + 'static,
{
    Memo::new(move |_| value())
}

/// A part of the page that is drawn anew when a signal changes that it reads.
pub type Live = Box<dyn FnMut() -> AnyView + Send>;

/// See [`Live`]. `markup!` calls this for every `{move || …}`.
pub fn live<V: IntoAny>(mut part: impl FnMut() -> V + Send + 'static) -> Live {
    Box::new(move || part().into_any())
}

/// An item of a [`kept_list`].
pub struct Item {
    key: u64,
    draw: Box<dyn FnOnce() -> AnyView + Send>,
}

impl Item {
    /// What tells the item apart from others, and how it is drawn.
    pub fn new<V: IntoAny>(key: impl Hash, draw: impl FnOnce() -> V + Send + 'static) -> Self {
        Self { key: hash_of(key), draw: Box::new(move || draw().into_any()) }
    }
}

/// A list. An item is drawn once, and kept as long as one with its key is in the list.
pub fn kept_list(items: impl Fn() -> Vec<Item> + Send + 'static) -> AnyView {
    let items: Box<dyn Fn() -> Vec<Item> + Send> = Box::new(items);
    markup! { <For each=items key=|item| item.key let:item>{(item.draw)()}</For> }.into_any()
}

/// Shows its children while a condition holds. They are drawn anew each time that it begins to hold.
#[component]
pub fn Show<W>(
    /// The condition.
    when: W,
    children: ChildrenFn,
) -> impl IntoView
where
    W: Fn() -> bool + Send + Sync + 'static,
{
    shown_while(Box::new(when), children)
}

fn shown_while(when: Box<dyn Fn() -> bool + Send + Sync>, children: ChildrenFn) -> Live {
    let when = memo(when);
    live(move || when.get().then(|| children()))
}
