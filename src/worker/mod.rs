//! The worker's border to the browser.
