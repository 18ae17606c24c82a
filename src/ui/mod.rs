//! The page, in Leptos.
