//! The state of annotations: what a trace has, and what a view of it shows.

use std::collections::VecDeque;

use leptos::prelude::*;

use crate::reactive::RwSignal;
use crate::shared::Shared;
use traceloupe_protocol::annotations::{AnnotationList, OwnAnnotation, Spot};

/// The annotations of the run that is shown.
#[derive(Clone, Copy, Default)]
pub struct AnnotationState {
    /// All of them, with what they point at.
    pub list: RwSignal<Shared<AnnotationList>>,
    /// Those written here, as they are stored in the browser.
    pub own: RwSignal<Vec<OwnAnnotation>>,
    /// New annotations whose address has been requested, in order.
    pub unaddressed: StoredValue<VecDeque<OwnAnnotation>>,
}

/// What a view shows of the annotations.
#[derive(Clone, Copy, Default)]
pub struct AnnotationView {
    /// The open form for a new or changed annotation.
    pub draft: RwSignal<Option<Draft>>,
    /// Index of the annotation that was visited last.
    pub current: RwSignal<Option<usize>>,
}

/// An annotation that is being written.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Draft {
    /// The event whose body has the form; `None` for the whole trace.
    pub event: Option<u32>,
    /// What it can point at, each with a label.
    pub spots: Vec<(String, Spot)>,
    /// Index of the chosen spot.
    pub chosen: usize,
    /// The text.
    pub text: String,
    /// Index of the own annotation that is being changed, or that has what was typed so far.
    pub own: Option<u32>,
    /// The text before it was changed; `None` for a new annotation.
    pub before: Option<String>,
    /// Whether what was typed so far has been sent to get an address.
    pub is_sent: bool,
}
