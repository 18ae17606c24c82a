//! The page, in Leptos. Wasm only.
//!
//! The folders are areas of the screen, each with its actions and components. `state` holds the state of each area,
//! `app` the state as a whole, and `pane` the user's actions in a trace. `shell` is at the top and uses all areas.
//! Imports go one way (`tests/tidy.rs`). All text is in `words`. Components draw with the pure functions of
//! [`traceloupe_view`]. Trace text reaches the page as text nodes only.
#![cfg(target_arch = "wasm32")]
// `markup!` processes its tokens one at a time.
#![recursion_limit = "4096"]

/// Leptos' `view!` for this page. A test fails if `view!` is used directly.
///
/// - Literals become blocks. Leptos creates elements that consist of literals through `innerHTML`, which the page's
///   policy (Trusted Types) forbids; the build fails if it does so anywhere (`.ci/size.mjs`).
/// - Reactive parts are boxed, see [`reactive::live`].
/// - Every piece of markup has the same type, so that lists and options of pieces are compiled once.
macro_rules! markup {
    (@boxed [$($done:tt)*] { move || $($part:tt)* } $($rest:tt)*) => {
        markup! { @boxed [$($done)* { $crate::reactive::live(move || $($part)*) }] $($rest)* }
    };
    (@boxed [$($done:tt)*] = $value:literal $($rest:tt)*) => {
        markup! { @boxed [$($done)* = { $value }] $($rest)* }
    };
    (@boxed [$($done:tt)*] > $text:literal $($rest:tt)*) => {
        markup! { @boxed [$($done)* > { $text }] $($rest)* }
    };
    (@boxed [$($done:tt)*] $next:tt $($rest:tt)*) => {
        markup! { @boxed [$($done)* $next] $($rest)* }
    };
    (@boxed [$($done:tt)*]) => {
        $crate::reactive::Piece::erased(::leptos::view! { $($done)* })
    };
    ($($markup:tt)*) => {
        markup! { @boxed [] $($markup)* }
    };
}

mod annotations;
mod app;
mod boot;
mod brief;
mod browser;
mod checks;
mod client;
mod event;
mod export;
mod filter;
mod glyph;
mod marks;
mod opening;
mod pane;
mod reactive;
mod replay;
mod runs;
mod search;
mod share;
mod shared;
mod shell;
mod signals;
mod state;
mod timeline;
mod views;

/// Mounts the page. Its empty page replaces the frame in `index.html` (see [`opening::empty`]).
pub fn mount() {
    leptos::mount::mount_to_body(shell::app::Root);
}
