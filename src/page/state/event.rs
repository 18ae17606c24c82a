//! The contents of opened rows that the worker has sent.

use std::collections::HashMap;

use leptos::prelude::*;
use web_sys::{HtmlElement, ResizeObserver};

use crate::reactive::RwSignal;
use crate::shared::Shared;
use traceloupe_protocol::comparison::{CompareRequest, Comparison};
use traceloupe_protocol::detail::ShownDetail;
use traceloupe_protocol::value::Shown;

/// The contents of opened rows.
#[derive(Clone, Copy, Default)]
pub struct ContentState {
    /// Contents by event id.
    pub details: RwSignal<HashMap<u32, Shared<ShownDetail>>>,
    /// Contents that have arrived but are not shown yet.
    pub arrived: StoredValue<Vec<ShownDetail>>,
    /// Whether arriving contents are held back to be shown together, because very many are expected.
    pub are_held: StoredValue<bool>,
    /// Further parts of shortened values, by ticket; `None` while pending.
    pub more: RwSignal<HashMap<u32, Option<Shared<Shown>>>>,
    /// URLs of requested media, by ticket; `None` while pending.
    pub media: RwSignal<HashMap<u32, Option<String>>>,
    /// The differences between events.
    pub comparisons: RwSignal<HashMap<CompareRequest, Shared<Comparison>>>,
    /// Id of the event that the user chose to compare others with.
    pub chosen: RwSignal<Option<u32>>,
    /// The row that should show its changes as soon as it is open.
    pub wants_changes: RwSignal<Option<u32>>,
    /// Ids of the LLM calls that are searched for a change of the prompt, next one last.
    pub sought: StoredValue<Vec<u32>>,
    /// The event whose link is copied as soon as its content has arrived.
    pub wants_link: StoredValue<Option<u32>>,
}

impl ContentState {
    /// The URLs of all images. Each keeps its Blob in memory until it is revoked.
    pub fn addresses(&self) -> Vec<String> {
        self.media.with_untracked(|known| known.values().flatten().cloned().collect())
    }
}

/// Heights by row, in pixels.
pub type Heights = RwSignal<HashMap<u32, f64>>;

/// All measured elements. The page has only one instance.
pub type Measuring = StoredValue<Measured, LocalStorage>;

/// The measured elements. A single observer measures all of them. Browsers notify observers one after another, so with
/// one observer per element, the lines would be placed and the page laid out again for each element.
#[derive(Default)]
pub struct Measured {
    /// Created when the first element is measured.
    pub observer: Option<ResizeObserver>,
    /// The drawn elements.
    pub elements: Vec<MeasuredElement>,
    /// Whether measuring is paused.
    pub is_paused: bool,
}

/// A measured element, and where its height is stored.
pub struct MeasuredElement {
    /// The element.
    pub element: HtmlElement,
    /// The heights of its kind.
    pub kept: Heights,
    /// The row that its height belongs to.
    pub row: u32,
}
