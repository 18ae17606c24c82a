//! Pure view models of the page.

pub mod finding_words;
