//! The state of the browser page as a whole, independent of the open trace.

use leptos::prelude::*;

use crate::browser;
use crate::reactive::{Memo, RwSignal};
use crate::shared::Shared;
use crate::state::event::Measuring;
use crate::state::handoff::HandoffState;
use crate::state::opening::FolderState;
use traceloupe_protocol::annotations::Site;
use traceloupe_protocol::messages::LoopSettings;
use traceloupe_protocol::route::Route;
use traceloupe_protocol::value::Point;
use traceloupe_view::passages::Subject;
use traceloupe_view::prices::{OwnPrices, Prices};
use traceloupe_words::page::runs as words;

/// The page, which consists of handles only.
#[derive(Clone, Copy)]
pub struct Page {
    /// The open dialog.
    pub dialog: RwSignal<Option<Dialog>>,
    /// The folder or archive that was listed last.
    pub folder: FolderState,
    /// The settings.
    pub prefs: RwSignal<Prefs>,
    /// The fragment of the address, parsed.
    pub route: RwSignal<Route>,
    /// Whether the page is sealed.
    pub sealed: RwSignal<bool>,
    /// Text of the live region, for screen readers.
    pub said: RwSignal<String>,
    /// A short message, shown for a moment.
    pub toast: RwSignal<Option<&'static str>>,
    /// The review of what is redacted in a file that is saved.
    pub handoff: HandoffState,
    /// Whether something is being dragged over the window.
    pub dragging: RwSignal<bool>,
    /// The measured elements of the rows.
    pub measuring: Measuring,
    /// The height of the last list in pixels, as a guess for the next one; unknown before the first list.
    pub list_px: StoredValue<Option<f64>>,
    /// Whether the window has room for the contents of a row beside a waterfall.
    pub has_room: RwSignal<bool>,
    /// The list of prices as text, once it is loaded.
    pub price_text: RwSignal<Option<Shared<String>>>,
    /// The prices entered by the user, as typed: one line per model.
    pub own_prices: RwSignal<String>,
    /// All prices. The list is parsed when a cost is first needed.
    pub prices: Memo<Option<Shared<Prices>>>,
}

impl Page {
    /// A page that has just been loaded.
    pub fn new(route: Route, prefs: Prefs, own_prices: String) -> Self {
        let price_text = RwSignal::new(None::<Shared<String>>);
        let own_prices = RwSignal::new(own_prices);
        let read = move |_: Option<&Option<Shared<Prices>>>| {
            let list = price_text.with(|text| text.as_ref().and_then(|text| Prices::read(text)));
            own_prices.with(|own| OwnPrices::read(own).before(list)).map(Shared::new)
        };
        Self {
            price_text,
            own_prices,
            prices: Memo::new(read),
            dialog: RwSignal::new(None),
            folder: FolderState::new(),
            prefs: RwSignal::new(prefs),
            route: RwSignal::new(route),
            sealed: RwSignal::new(false),
            said: RwSignal::default(),
            toast: RwSignal::new(None),
            handoff: HandoffState::new(),
            dragging: RwSignal::new(false),
            measuring: Measuring::default(),
            list_px: StoredValue::new(None),
            has_room: RwSignal::new(browser::has_room()),
        }
    }

    /// The list of prices by name, version and date, and whether there are own prices; empty without prices.
    pub fn list_of_prices(&self) -> String {
        self.prices.with(|prices| {
            let list = prices.as_ref();
            list.map(|it| words::list_of_prices(&it.source, &it.version, &it.date, it.has_own()))
                .unwrap_or_default()
        })
    }

    /// Whether the page is embedded: a minimal viewer in a frame.
    pub fn is_embedded(&self) -> bool {
        self.route.with(|route| route.embed)
    }
}

/// A displayed image of the trace.
#[derive(Clone, PartialEq, Debug)]
pub struct Picture {
    /// Its address: a data or blob URL.
    pub src: String,
    /// Its description.
    pub alt: String,
    /// Its place in the trace.
    pub site: Site,
    /// The points that its call referred to.
    pub points: Vec<Point>,
}

/// The dialogs of the page.
#[derive(Clone, PartialEq, Debug)]
pub enum Dialog {
    /// Files, a folder, an address or text to open.
    Open,
    /// Shortcuts and glossary.
    Help,
    /// All commands and runs, found by typing.
    Palette,
    /// Settings.
    Settings,
    /// The opened files and why their formats were chosen, with the option to read them in another format.
    About,
    /// The meaning of each key in a file of an unknown format.
    Keys,
    /// The runs of a folder or archive, to choose from.
    Folder,
    /// Expected calls, to check the run against.
    Check,
    /// The run in the format of another program.
    Export,
    /// Links and code to pass the trace on.
    Share,
    /// The trace as an HTML file.
    SaveHtml,
    /// What is redacted in a file before it is saved.
    Redaction,
    /// A text for an LLM about this.
    ForLlm(Subject),
    /// An image over the whole page.
    Image(Picture),
    /// A request by another window to open a trace: its origin, and the size of the trace in bytes.
    Trust(String, u64),
    /// Whether to close the open trace and load this address.
    Leave(String),
    /// Whether to open this address from a text of the trace in a new tab.
    Link(String),
}

/// The settings, which are stored if the browser allows it.
#[derive(Clone, PartialEq, Debug)]
pub struct Prefs {
    /// `light`, `dark` or `system`.
    pub theme: String,
    /// Outputs with more lines than this are initially shortened.
    pub output_lines: u32,
    /// Outputs with more characters than this are initially shortened.
    pub output_chars: u32,
    /// Thinking with more characters than this is initially shortened.
    pub thinking_chars: u32,
    /// Steps with more tool calls than this are initially collapsed, if `collapses` is set.
    pub tools: u32,
    /// Whether long steps are initially collapsed.
    pub collapses: bool,
    /// How many events the loop rule looks back.
    pub window: u32,
    /// How many repetitions make a possible loop.
    pub repetitions: u32,
    /// Whether repeated calls with different arguments are listed among the possible loops.
    pub with_names: bool,
    /// Whether single-key shortcuts work outside the timeline too.
    pub keys: bool,
    /// Whether secrets and personal data are redacted in files that are saved.
    pub redacts_files: bool,
    /// Whether they are redacted in what is copied too.
    pub redacts_copies: bool,
}

impl Prefs {
    /// What counts as a possible loop.
    pub fn loop_settings(&self) -> LoopSettings {
        let Self { window, repetitions, with_names, .. } = *self;
        LoopSettings { window, repetitions, with_names }
    }

    /// Steps with more tool calls than this are initially collapsed.
    pub fn collapse_over_tools(&self) -> u32 {
        if self.collapses { self.tools } else { u32::MAX }
    }
}

impl Default for Prefs {
    fn default() -> Self {
        Self {
            theme: "system".to_owned(),
            output_lines: 10,
            output_chars: 500,
            thinking_chars: 500,
            tools: 5,
            collapses: true,
            window: 12,
            repetitions: 3,
            with_names: false,
            keys: true,
            redacts_files: true,
            redacts_copies: false,
        }
    }
}
