//! Pure view models of the page.
