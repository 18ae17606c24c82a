//! The state of the check against expected calls.

use std::collections::HashMap;

use crate::reactive::RwSignal;
use crate::shared::Shared;
use traceloupe_protocol::messages::{Problem, Report};

/// The expected calls, and the result of the check.
#[derive(Clone, Copy)]
pub struct CheckState {
    /// The expectations in the field of the dialog.
    pub text: RwSignal<String>,
    /// Ticket of the check in progress.
    pub ticket: RwSignal<Option<u32>>,
    /// Why the expectations could not be parsed.
    pub fault: RwSignal<Option<Problem>>,
    /// Result of the last check.
    pub report: RwSignal<Option<Shared<Report>>>,
    /// Numbers of hits and misses by event id.
    pub marks: RwSignal<Shared<HashMap<u32, (u32, u32)>>>,
    /// Whether the list of hits and misses is shown.
    pub list_is_open: RwSignal<bool>,
}

impl CheckState {
    /// Nothing has been checked. `text` is the text in the field of the dialog.
    pub fn new(text: String) -> Self {
        Self {
            text: RwSignal::new(text),
            ticket: RwSignal::new(None),
            fault: RwSignal::new(None),
            report: RwSignal::new(None),
            marks: RwSignal::default(),
            list_is_open: RwSignal::new(false),
        }
    }
}
