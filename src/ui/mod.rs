//! The page, in Leptos. Wasm only.
//!
//! `state` holds what is, `actions` alone changes it, components draw it with the pure functions of
//! [`crate::view`]. Every `view!` begins with a global class: that keeps Leptos from making static
//! markup through `innerHTML`, which the page's policy (Trusted Types) forbids. Texts of traces reach
//! the page as text nodes only.

mod actions;
mod annotations;
mod app;
mod appending;
mod arrival;
mod body;
pub mod boot;
mod browser;
mod checking;
mod commands;
mod converting;
mod dialogs;
mod empty;
mod exhibits;
mod facts;
mod following;
mod full_image;
mod intake;
mod messages;
mod meter;
mod openings;
mod replay;
mod run_list;
mod scrolling;
mod searching;
mod settings;
mod side;
mod spare;
mod state;
mod statistics;
mod summary;
mod timeline;
mod top;
mod values;

use leptos::prelude::*;

/// Takes the place of the static frame and mounts the page.
pub fn mount() {
    if let Some(frame) = document().get_element_by_id("frame") {
        frame.remove();
    }
    leptos::mount::mount_to_body(app::App);
}
