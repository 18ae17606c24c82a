//! The page, in Leptos. Wasm only.
//!
//! `state` holds what is, `actions` alone changes it, components draw it with the pure functions of
//! [`traceloupe::view`]. Every `view!` begins with a global class: that keeps Leptos from making static
//! markup through `innerHTML`, which the page's policy (Trusted Types) forbids. Texts of traces reach
//! the page as text nodes only.
#![cfg(target_arch = "wasm32")]

mod annotations;
mod app;
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
mod shell;
mod timeline;

use leptos::prelude::*;

/// Takes the place of the static frame and mounts the page.
pub fn mount() {
    if let Some(frame) = document().get_element_by_id("frame") {
        frame.remove();
    }
    leptos::mount::mount_to_body(shell::app::App);
}
