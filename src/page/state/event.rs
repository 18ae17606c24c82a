//! Contents of opened rows, as far as the worker has sent them.

use std::collections::HashMap;

use leptos::prelude::*;
use web_sys::{HtmlElement, ResizeObserver};

use crate::reactive::RwSignal;
use crate::shared::Shared;
use traceloupe_protocol::comparison::{CompareRequest, Comparison};
use traceloupe_protocol::detail::ShownDetail;
use traceloupe_protocol::value::Shown;

/// What opened rows show.
#[derive(Clone, Copy, Default)]
pub struct ContentState {
    /// Contents by event id.
    pub details: RwSignal<HashMap<u32, Shared<ShownDetail>>>,
    /// Contents that have arrived but are not shown yet.
    pub arrived: StoredValue<Vec<ShownDetail>>,
    /// Whether they wait to be shown together, since very many are awaited.
    pub are_held: StoredValue<bool>,
    /// More of shortened values, by ticket; `None` while awaited.
    pub more: RwSignal<HashMap<u32, Option<Shared<Shown>>>>,
    /// Addresses of requested media, by ticket; `None` while awaited.
    pub media: RwSignal<HashMap<u32, Option<String>>>,
    /// What differs between events.
    pub comparisons: RwSignal<HashMap<CompareRequest, Shared<Comparison>>>,
    /// Id of the event that the reader chose to compare others with.
    pub chosen: RwSignal<Option<u32>>,
    /// The row that is to show what changed as soon as it is open.
    pub wants_changes: RwSignal<Option<u32>>,
    /// Ids of the LLM calls among which a change of the prompt is looked for, the next one last.
    pub sought: StoredValue<Vec<u32>>,
    /// The event whose link is copied as soon as its content has arrived.
    pub wants_link: StoredValue<Option<u32>>,
}

impl ContentState {
    /// The addresses of all images. Each keeps its Blob in memory until it is revoked.
    pub fn addresses(&self) -> Vec<String> {
        self.media.with_untracked(|known| known.values().flatten().cloned().collect())
    }
}

/// Heights by row, in pixels.
pub type Heights = RwSignal<HashMap<u32, f64>>;

/// All elements that are measured. There is one of it in a page.
pub type Measuring = StoredValue<Measured, LocalStorage>;

/// What is measured. One observer measures all elements: browsers tell one observer after the other, so with one for each
/// element the lines would be placed again, and the page laid out again, for one element after the other.
#[derive(Default)]
pub struct Measured {
    /// Made when the first element is measured.
    pub observer: Option<ResizeObserver>,
    /// What is drawn.
    pub elements: Vec<MeasuredElement>,
    /// Whether nothing is measured for now.
    pub is_paused: bool,
}

/// An element that is measured, and where its height goes.
pub struct MeasuredElement {
    /// The element.
    pub element: HtmlElement,
    /// The heights of its kind.
    pub kept: Heights,
    /// The row whose height it has.
    pub row: u32,
}
