//! Effects, memos, and reactive parts of the page, with boxed closures. Leptos would compile generic code for each
//! closure; boxing makes the page several percent smaller (`docs/decisions/build.md`).

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

/// A value computed from signals, and computed again when any of them changes. Subscribers are notified only if the new
/// value differs.
pub fn memo<T>(value: impl Fn() -> T + Send + Sync + 'static) -> Memo<T>
where
    T: PartialEq + Send + Sync + 'static,
{
    Memo::new(move |_| value())
}

/// A part of the page that is drawn again when a signal that it reads changes.
pub type Live = Box<dyn FnMut() -> AnyView + Send>;

/// See [`Live`]. `markup!` calls this for every `{move || …}`.
pub fn live<V: IntoAny>(mut part: impl FnMut() -> V + Send + 'static) -> Live {
    Box::new(move || part().into_any())
}

/// What Leptos makes of markup.
pub trait Piece {
    /// The same as a view whose type does not tell what it consists of.
    fn erased(self) -> AnyView;
}

/// An element, as its parent would contain it: there is no code for a piece that is not part of another.
impl<T: IntoAny> Piece for View<T> {
    fn erased(self) -> AnyView {
        self.into_inner().into_any()
    }
}

/// A component.
impl Piece for AnyView {
    fn erased(self) -> AnyView {
        self
    }
}

/// A reactive part that stands alone.
impl Piece for Live {
    fn erased(self) -> AnyView {
        self.into_any()
    }
}

/// An item of [`kept_list`].
pub struct Item {
    key: u64,
    draw: Box<dyn FnOnce() -> AnyView + Send>,
}

impl Item {
    /// Creates an item from a key that identifies it and a function that draws it.
    pub fn new<V: IntoAny>(key: impl Hash, draw: impl FnOnce() -> V + Send + 'static) -> Self {
        Self { key: hash_of(key), draw: Box::new(move || draw().into_any()) }
    }
}

/// A list. Each item is drawn once and kept as long as an item with its key is in the list.
pub fn kept_list(items: impl Fn() -> Vec<Item> + Send + 'static) -> AnyView {
    let items: Box<dyn Fn() -> Vec<Item> + Send> = Box::new(items);
    markup! { <For each=items key=|item| item.key let:item>{(item.draw)()}</For> }.into_any()
}

/// Shows its children while a condition holds. They are drawn anew each time the condition becomes true.
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
