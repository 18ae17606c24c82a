//! The state of annotations: those of a trace, and what a view shows of them.

use std::collections::VecDeque;

use leptos::prelude::*;

use crate::reactive::RwSignal;
use crate::shared::Shared;
use traceloupe_protocol::annotations::{AnnotationList, OwnAnnotation, Spot};

/// The annotations of the displayed run.
#[derive(Clone, Copy, Default)]
pub struct AnnotationState {
    /// All of them, with their targets.
    pub list: RwSignal<Shared<AnnotationList>>,
    /// The user's own, as stored in the browser.
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

/// An annotation that is being edited.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Draft {
    /// The event whose body contains the form; `None` for the whole trace.
    pub event: Option<u32>,
    /// The possible targets, each with a label.
    pub spots: Vec<(String, Spot)>,
    /// Index of the chosen target.
    pub chosen: usize,
    /// The text.
    pub text: String,
    /// Index of the own annotation that is being edited, or that stores the text typed so far.
    pub own: Option<u32>,
    /// The text before editing; `None` for a new annotation.
    pub before: Option<String>,
    /// Whether the text typed so far has been sent to obtain an address.
    pub is_sent: bool,
}
