//! An opened trace: its worker, the data that the worker has sent, and what has been requested.
//!
//! A trace has a reactive owner of its own. Opening another trace creates a new one; nothing is reset. Code that runs
//! later (timers, promises, messages) must check [`Trace::is_open`] before it touches anything else: the signals of a
//! closed trace are disposed of, and reading a disposed signal panics.

use js_sys::Uint8Array;
use leptos::prelude::*;

use crate::app::page::Page;
use crate::app::tickets::Tickets;
use crate::browser;
use crate::client::Client;
use crate::reactive::{Memo, RwSignal, memo};
use crate::shared::Shared;
use crate::state::annotations::AnnotationState;
use crate::state::checks::CheckState;
use crate::state::event::ContentState;
use crate::state::export::ExportState;
use crate::state::opening::OpeningState;
use crate::state::runs::StatisticsState;
use crate::state::timeline::PreviewState;
use traceloupe_protocol::messages::{Memory, Problem, Request};
use traceloupe_view::outline::Outline;
use traceloupe_view::prices::Costs;

/// The phase of a trace.
#[derive(Clone, PartialEq, Debug)]
pub enum Phase {
    /// There is no trace: the page is empty.
    Empty,
    /// Files are being read, or an address has not responded yet.
    Loading(Loading),
    /// It has been read.
    Ready,
    /// It cannot be shown.
    Failed(Problem),
}

/// The progress of loading.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Loading {
    /// What is being loaded: a file name or a host.
    pub what: String,
    /// Bytes read.
    pub bytes: u64,
    /// Total bytes; 0 if unknown.
    pub total_bytes: u64,
    /// Events so far.
    pub events: u64,
    /// Whether the trace is still being written, such as a stream or a growing file.
    pub is_live: bool,
    /// Whether the user has asked to stop and keep what has been read.
    pub is_stopping: bool,
    /// When loading began, in milliseconds of the page's clock.
    pub since_ms: f64,
}

/// An opened trace, which consists of handles only.
#[derive(Clone, Copy)]
pub struct Trace {
    /// The page that shows it.
    pub page: Page,
    /// Distinguishes traces. Later ones have higher numbers.
    number: u32,
    owner: StoredValue<Owner>,
    is_open: StoredValue<bool>,
    /// Whether there is a worker to send requests to.
    pub is_reading: RwSignal<bool>,
    client: StoredValue<Option<Client>, LocalStorage>,
    /// Its phase. Components read [`Trace::shown_phase`] instead.
    pub phase: RwSignal<Phase>,
    /// Whether it is loading but the page does not show that yet.
    pub is_unseen: RwSignal<bool>,
    /// Whether its first rows have been drawn. The elements around them are drawn afterwards.
    pub rows_are_drawn: RwSignal<bool>,
    /// The title: the names of the files.
    pub title: RwSignal<String>,
    /// The outline of what has been read.
    pub outline: RwSignal<Shared<Outline>>,
    /// The outline for the elements around the rows: overview, turns, facets. It is updated after the rows have been
    /// drawn (`opening/around.rs`).
    pub around: RwSignal<Shared<Outline>>,
    /// The cost of its calls.
    pub costs: Memo<Shared<Costs>>,
    /// Problems that leave the page usable, such as one bad file among several.
    pub problems: RwSignal<Vec<Problem>>,
    /// Problems to show once loading has ended.
    pub later_problems: StoredValue<Vec<Problem>>,
    /// Whether the file is being followed as it grows.
    pub following: RwSignal<bool>,
    /// Memory of the worker, as far as it has been reported.
    pub memory: RwSignal<Memory>,
    /// What was opened, and what has not arrived yet.
    pub opening: OpeningState,
    /// Numbers of requests, and of downloads in progress.
    pub tickets: Tickets,
    /// Summaries of rows.
    pub previews: PreviewState,
    /// Contents of opened rows.
    pub contents: ContentState,
    /// Statistics and TraceSummaries.
    pub statistics: StatisticsState,
    /// Annotations of the displayed run.
    pub annotations: AnnotationState,
    /// The check against expected calls.
    pub checks: CheckState,
    /// The run in another format.
    pub export: ExportState,
}

/// The cost of the calls of an outline. Without rows, the list of prices is not parsed.
fn costs(page: Page, outline: &Outline) -> Costs {
    if outline.rows.ids.is_empty() {
        return Costs::default();
    }
    page.prices.with(|prices| Costs::new(outline, prices.as_deref()))
}

impl PartialEq for Trace {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Trace {
    /// A trace that has not been read yet, under an owner of its own. `expectations` is the text in the field of the
    /// check.
    pub fn new(page: Page, number: u32, expectations: String) -> Self {
        // It has no parent owner, because the trace must outlive the code that happens to open it.
        let owner = Owner::default();
        let kept = owner.clone();
        owner.with(|| {
            let outline = RwSignal::<Shared<Outline>>::default();
            Self {
                page,
                number,
                owner: StoredValue::new(kept),
                is_open: StoredValue::new(true),
                is_reading: RwSignal::new(false),
                client: StoredValue::new_local(None),
                phase: RwSignal::new(Phase::Empty),
                is_unseen: RwSignal::new(false),
                rows_are_drawn: RwSignal::new(false),
                title: RwSignal::default(),
                outline,
                around: RwSignal::default(),
                costs: memo(move || Shared::new(costs(page, &outline.get()))),
                problems: RwSignal::default(),
                later_problems: StoredValue::default(),
                following: RwSignal::new(false),
                memory: RwSignal::default(),
                opening: OpeningState::default(),
                tickets: Tickets::default(),
                previews: PreviewState::default(),
                contents: ContentState::default(),
                statistics: StatisticsState::new(),
                annotations: AnnotationState::default(),
                checks: CheckState::new(expectations),
                export: ExportState::default(),
            }
        })
    }

    /// Its number.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Whether it is still open. Code that runs later must check this first, and must not touch anything else of a
    /// closed trace.
    pub fn is_open(&self) -> bool {
        self.is_open.try_get_value().unwrap_or(false)
    }

    /// Runs code whose signals and effects should live as long as this trace.
    pub fn with_owner<T>(&self, make: impl FnOnce() -> T) -> T {
        self.owner.get_value().with(make)
    }

    /// Whether there are rows to show, complete or not.
    pub fn has_rows(&self) -> bool {
        self.outline.with(|outline| !outline.runs.is_empty())
    }

    /// [`Trace::has_rows`] without tracking.
    pub fn has_rows_untracked(&self) -> bool {
        self.outline.with_untracked(|outline| !outline.runs.is_empty())
    }

    /// The phase that the page shows: loading that has just begun is not shown yet.
    pub fn shown_phase(&self) -> Phase {
        if self.is_unseen.get() { Phase::Empty } else { self.phase.get() }
    }

    /// Sends a request to the worker. Does nothing without a worker.
    pub fn send(&self, request: &Request) {
        self.client.try_with_value(|client| {
            if let Some(client) = client {
                client.send(request, &[]);
            }
        });
    }

    /// Sends the next bytes of a growing file, given its index among the opened files. The bytes are moved.
    pub fn push(&self, index: u32, piece: &Uint8Array) {
        self.client.try_with_value(|client| {
            if let Some(client) = client {
                client.push(index, piece);
            }
        });
    }

    /// Takes over the worker that reads this trace.
    pub fn set_client(&self, client: Client) {
        self.client.set_value(Some(client));
        self.is_reading.set(true);
    }

    /// Ends the worker with everything it holds, and stops reading from addresses. The rows stay.
    pub fn end_worker(&self) {
        self.opening.give_up();
        self.following.set(false);
        self.client.set_value(None);
        self.is_reading.set(false);
    }

    /// Ends all work in progress for this trace. Its signals stay until [`Trace::dispose`], because components may
    /// still read them.
    pub fn close(&self) {
        self.end_worker();
        self.is_open.set_value(false);
        self.contents.addresses().iter().for_each(|address| browser::give_up_address(address));
    }

    /// Disposes of all signals of a closed trace, once the components that show it are gone.
    pub fn dispose(&self) {
        if let Some(owner) = self.owner.try_get_value() {
            owner.cleanup();
        }
    }
}
