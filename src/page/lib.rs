//! The page, in Leptos. Wasm only.
//!
//! Rooms are areas of the screen, each with its actions and components. `app` holds the state that all
//! of them share, and `pane` what a reader of a trace does; `shell` is on top and knows all rooms. Imports
//! go one way (`tests/tidy.rs`). Components draw with the pure functions of [`traceloupe::view`]. Texts
//! of traces reach the page as text nodes only.
#![cfg(target_arch = "wasm32")]

/// Leptos' `view!` with a global class. Without one, Leptos creates static elements through `innerHTML`,
/// which the page's policy (Trusted Types) forbids. The class itself has no meaning. A test fails on a `view!`.
macro_rules! markup {
    ($($markup:tt)*) => {
        ::leptos::view! { class="tl", $($markup)* }
    };
}

mod annotations;
mod app;
mod boot;
mod browser;
mod checks;
mod client;
mod event;
mod export;
mod opening;
mod pane;
mod replay;
mod runs;
mod search;
mod shared;
mod shell;
mod timeline;
mod views;
mod words;

use leptos::prelude::*;

/// Takes the place of the static frame and mounts the page.
pub fn mount() {
    if let Some(frame) = document().get_element_by_id("frame") {
        frame.remove();
    }
    leptos::mount::mount_to_body(shell::app::Root);
}
