//! The state of the export of a run.

use leptos::prelude::*;
use web_sys::Blob;

use crate::reactive::{Memo, RwSignal};
use crate::shared::Shared;
use crate::state::opening::{NamedFile, Opening};
use traceloupe_words::brief::Brief;

/// The run in another format, or as an HTML file.
#[derive(Clone, Copy, Default)]
pub struct ExportState {
    /// The preview that was requested last.
    pub preview: RwSignal<Option<Preview>>,
    /// Notes on the last saved file: its name, and what it does not contain.
    pub notes: RwSignal<Vec<String>>,
    /// The HTML file that is being made.
    pub html: RwSignal<HtmlFile>,
    /// Its ticket. Anything else that arrives belongs to an earlier choice.
    pub html_ticket: StoredValue<u32>,
    /// The file, once it is made.
    pub html_blob: StoredValue<Option<Blob>, LocalStorage>,
    /// The brief of the run that it begins with, while the dialog is open.
    pub html_brief: StoredValue<Option<Memo<Shared<Brief>>>>,
    /// What it is made of: the trace, and the HTML of its summary.
    pub html_made_of: StoredValue<Option<(Opening, String)>, LocalStorage>,
    /// The parts of the trace that have arrived for it.
    pub excerpt: StoredValue<Vec<NamedFile>, LocalStorage>,
}

/// The beginning of a run in another format.
#[derive(Clone, PartialEq, Debug)]
pub struct Preview {
    /// The ticket of the request.
    pub ticket: u32,
    /// The text, once it has arrived, and whether it is the whole run.
    pub text: Option<(String, bool)>,
}

/// What a saved HTML file contains.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Contents {
    /// The files as opened.
    #[default]
    Files,
    /// The displayed run.
    Run,
    /// The turn of the selected row.
    Turn,
    /// The rows of the displayed run that match the filter.
    Listed,
}

/// An HTML file that is being made.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum HtmlFile {
    /// It is not complete yet.
    #[default]
    Making,
    /// Its size, and that of the trace in it before compression.
    Made(u64, u64),
    /// Parts of this trace cannot be cut out.
    NotLines,
    /// The trace is still arriving.
    StillArriving,
    /// It could not be made: the browser's words.
    Failed(String),
}
