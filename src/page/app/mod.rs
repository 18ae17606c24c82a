//! The state of the page: the page itself ([`page::Page`]), an opened trace ([`trace::Trace`]), a view of a trace
//! ([`pane::Pane`]), and [`App`], which holds the open view.

pub mod files;
pub mod handoff;
pub mod history;
pub mod notice;
pub mod page;
pub mod pane;
pub mod price_list;
pub mod settings;
pub mod splitter;
pub mod tickets;
pub mod trace;

use std::time::Duration;

use leptos::prelude::*;

use crate::client::Heard;
use crate::reactive::RwSignal;
use page::Page;
use pane::{Kept, Pane};
use trace::Trace;

/// The whole state, which consists of handles only.
#[derive(Clone, Copy)]
pub struct App {
    /// State of the page that does not depend on the open trace.
    pub page: Page,
    /// Handles the messages of a worker for the trace of a pane. It is a function pointer because it belongs to a
    /// higher area.
    pub dispatch: fn(Pane, Heard),
    open: RwSignal<Pane>,
}

impl App {
    /// A page with no open trace.
    pub fn new(page: Page, kept: Kept, dispatch: fn(Pane, Heard)) -> Self {
        Self { page, dispatch, open: RwSignal::new(Pane::of_new_trace(page, 0, kept)) }
    }

    /// The open view. If no trace is open, it shows a trace without rows.
    pub fn pane(&self) -> Pane {
        self.open.get()
    }

    /// [`App::pane`] without tracking.
    pub fn pane_untracked(&self) -> Pane {
        self.open.get_untracked()
    }

    /// The open trace, without tracking.
    pub fn trace_untracked(&self) -> Trace {
        self.pane_untracked().trace
    }

    /// Shows another view. The trace of the previous view must be closed. It is disposed of when the components that
    /// show it are gone.
    pub fn show(&self, pane: Pane) {
        let old = self.pane_untracked().trace;
        self.open.set(pane);
        // Components are rebuilt in microtasks, which run before any timer.
        set_timeout(move || old.dispose(), Duration::ZERO);
    }
}

/// The whole state, from any component.
pub fn app() -> App {
    expect_context()
}

/// The state of the page, from any component.
pub fn page() -> Page {
    app().page
}
