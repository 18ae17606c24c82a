//! The state of the export of a run.

use crate::reactive::RwSignal;

/// The run in another format.
#[derive(Clone, Copy, Default)]
pub struct ExportState {
    /// The preview that was requested last.
    pub preview: RwSignal<Option<Preview>>,
    /// Notes on the last saved file: its name, and what it does not contain.
    pub notes: RwSignal<Vec<String>>,
}

/// The beginning of a run in another format.
#[derive(Clone, PartialEq, Debug)]
pub struct Preview {
    /// The ticket of the request.
    pub ticket: u32,
    /// The text, once it has arrived, and whether it is the whole run.
    pub text: Option<(String, bool)>,
}
