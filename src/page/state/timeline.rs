//! Summaries of rows, the requests for them, and the state of the flame graph.

use crate::reactive::RwSignal;
use std::collections::{HashMap, HashSet};

use leptos::prelude::*;
use traceloupe_protocol::preview::Preview;
use traceloupe_protocol::value::Cut;
use traceloupe_view::run_axis::Zoom;
use traceloupe_words::problems::UNREADABLE;

/// The flame graph of a waterfall.
#[derive(Clone, Copy, Default)]
pub struct FlameState {
    /// Whether it is shown.
    pub is_shown: RwSignal<bool>,
    /// The visible part of its axis.
    pub zoom: RwSignal<Zoom>,
}

/// The one-line summaries.
#[derive(Clone, Copy, Default)]
pub struct PreviewState {
    /// Summaries by event id.
    pub lines: RwSignal<HashMap<u32, Preview>>,
    /// The requests.
    pub asking: StoredValue<Asking>,
}

impl PreviewState {
    /// The summary of an event; empty until it has arrived.
    #[must_use]
    pub fn text(self, id: u32) -> String {
        self.lines.with(|known| match known.get(&id) {
            Some(preview) if preview.is_unreadable => UNREADABLE.to_owned(),
            Some(preview) => preview.text.clone(),
            None => String::new(),
        })
    }

    /// How many lines an event adds to files and removes from them, if its summary has arrived and states it.
    #[must_use]
    pub fn changed_lines(self, id: u32) -> Option<(u32, u32)> {
        self.lines.with(|known| known.get(&id).and_then(|it| it.changed_lines))
    }

    /// Whether requested summaries have not arrived yet.
    pub fn is_waiting(self) -> bool {
        self.asking.with_value(|asking| asking.is_waiting)
    }

    /// The place of the first image of an event, if the event has one and its summary has arrived.
    #[must_use]
    pub fn image(self, id: u32) -> Option<Cut> {
        self.lines.with(|known| known.get(&id).and_then(|it| it.image.clone()))
    }
}

/// Requests for summaries.
#[derive(Default)]
pub struct Asking {
    /// Events whose rows are near the window, visible ones first.
    pub wanted: Vec<u32>,
    /// Other events, which stay wanted regardless of the rows near the window.
    pub also: Vec<u32>,
    /// Events that were requested since the last time everything was requested again.
    pub asked: HashSet<u32>,
    /// Whether a response is pending.
    pub is_waiting: bool,
}
