//! The state of the replay.

use leptos::prelude::*;

use crate::reactive::RwSignal;
use crate::shared::Shared;
use traceloupe_view::replay::{Head, Replay, Speed};

/// The replay of a run.
#[derive(Clone, Copy)]
pub struct ReplayState {
    /// When each row appears; `None` while the player is closed.
    pub plan: RwSignal<Option<Shared<Replay>>>,
    /// The playhead.
    pub head: RwSignal<Head>,
    /// The speed.
    pub speed: RwSignal<Speed>,
    /// Whether it is playing.
    pub is_playing: RwSignal<bool>,
    /// When the list last followed the playhead, in milliseconds of the page's clock.
    pub followed_ms: StoredValue<f64>,
    /// When the playhead last moved, in milliseconds of the page's clock.
    pub moved_ms: StoredValue<f64>,
}

impl ReplayState {
    /// A closed player.
    pub fn new(speed: Speed) -> Self {
        Self {
            plan: RwSignal::new(None),
            head: RwSignal::default(),
            speed: RwSignal::new(speed),
            is_playing: RwSignal::new(false),
            followed_ms: StoredValue::new(0.0),
            moved_ms: StoredValue::new(0.0),
        }
    }
}
