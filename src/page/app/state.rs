//! The state of the page: one `Copy` struct of signals. `actions` writes it; `intake`, `arrival` and
//! `app` only say what the browser does (what is dragged, how far an address has come, the seal).

use std::collections::HashMap;
use std::sync::Arc;

use leptos::prelude::*;

use crate::client::Heard;
use traceloupe::search::{Pattern, Query};
use traceloupe::view::page::hits::Found;
use traceloupe::view::page::opened::Opened;
use traceloupe::view::page::replay::{Head, Replay, Speed};
use traceloupe::view::page::rows::{Choice, Line, lines};
use traceloupe::view::route::{Route, Tab};
use traceloupe::view::wire::annotations::{AnnotationList, OwnAnnotation, Site, Spot};
use traceloupe::view::wire::detail::ShownDetail;
use traceloupe::view::wire::outline::Outline;
use traceloupe::view::wire::protocol::{EntryLine, Memory, Problem, Report, TraceSummary};
use traceloupe::view::wire::statistics::CallsLine;
use traceloupe::view::wire::value::Shown;

/// Large, unchanging data behind a signal: equal only to itself, so that memos stay cheap.
#[derive(Debug)]
pub struct Shared<T>(Arc<T>);

impl<T> Shared<T> {
    /// Shares a value.
    pub fn new(value: T) -> Self {
        Self(Arc::new(value))
    }

    /// The value, shared with what knows nothing of signals.
    pub fn arc(&self) -> Arc<T> {
        Arc::clone(&self.0)
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> PartialEq for Shared<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> std::ops::Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Default> Default for Shared<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

/// What the page is doing.
#[derive(Clone, PartialEq, Debug)]
pub enum Phase {
    /// Nothing is open.
    Empty,
    /// Files are being read, or an address is waited for.
    Loading(Loading),
    /// A trace is open.
    Ready,
    /// Nothing can be shown.
    Failed(Problem),
}

/// How far loading has come.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Loading {
    /// What is loaded: a file's name, or a host.
    pub what: String,
    /// Bytes read.
    pub bytes: u64,
    /// Bytes in all; 0 where not known.
    pub total_bytes: u64,
    /// Events so far.
    pub events: u64,
    /// Whether it comes as something happens: a stream, a file that grows.
    pub is_live: bool,
    /// Whether the reader has been asked to stop and to keep what is there.
    pub is_stopping: bool,
    /// When it began, in milliseconds of the page's clock.
    pub since_ms: f64,
}

/// What stands over the page.
#[derive(Clone, PartialEq, Debug)]
pub enum Dialog {
    /// Files, a folder, an address or text to open.
    Open,
    /// Keys and words.
    Help,
    /// Thresholds, rule, theme.
    Settings,
    /// How often, how long.
    Statistics,
    /// What was opened, as which format and why; read as another.
    About,
    /// Which entries of an archive to open: its path and entries.
    Entries(String, Vec<EntryLine>),
    /// What was expected of the run.
    Check,
    /// The run in the form of another program.
    Convert,
    /// An image over the whole page: its address, what it is in words, where it stands.
    Image(String, String, Site),
    /// Another window wants to open a trace: its origin, and how large the trace is.
    Trust(String, u64),
    /// Whether to close the open trace and load this address.
    Leave(String),
}

/// What the person has set, kept where storage is allowed.
#[derive(Clone, PartialEq, Debug)]
pub struct Prefs {
    /// `light`, `dark` or `system`.
    pub theme: String,
    /// Outputs of more lines start cut.
    pub output_lines: u32,
    /// Outputs of more characters start cut.
    pub output_chars: u32,
    /// Thinking of more characters starts cut.
    pub thinking_chars: u32,
    /// Steps with more tool calls start collapsed,
    pub tools: u32,
    /// if that is wanted.
    pub collapses: bool,
    /// How many events back the loop rule looks.
    pub window: u32,
    /// How many repetitions make a loop.
    pub repetitions: u32,
    /// Whether single keys are commands.
    pub keys: bool,
}

impl Prefs {
    /// Steps with more tool calls than this start collapsed.
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
            thinking_chars: 200,
            tools: 5,
            collapses: true,
            window: 12,
            repetitions: 3,
            keys: true,
        }
    }
}

/// The search.
#[derive(Clone, Copy)]
pub struct SearchState {
    /// What is searched for.
    pub query: RwSignal<Query>,
    /// The query, ready to mark text with; `None` where there is nothing to mark.
    pub pattern: RwSignal<Option<Shared<Pattern>>>,
    /// What has been found.
    pub found: RwSignal<Found>,
    /// Whether the list of hits is shown.
    pub list_is_open: RwSignal<bool>,
    /// The row that was gone to for its hits, with a count that makes every request new.
    pub shown_hit: RwSignal<(u32, Option<u32>)>,
}

/// What was expected of the run, and what came of it.
#[derive(Clone, Copy)]
pub struct CheckState {
    /// The expectations, as they stand in the field of the dialog.
    pub text: RwSignal<String>,
    /// The check that is under way.
    pub ticket: RwSignal<Option<u32>>,
    /// Why the expectations cannot be read.
    pub fault: RwSignal<Option<Problem>>,
    /// What came of the last check.
    pub report: RwSignal<Option<Shared<Report>>>,
    /// Hits and misses by event id.
    pub marks: RwSignal<Shared<HashMap<u32, (u32, u32)>>>,
    /// Whether the list of hits and misses is shown.
    pub list_is_open: RwSignal<bool>,
}

/// The beginning of the run in another form, and whether that is all of it: under a ticket, once it
/// is here.
pub type ExportPreview = Option<(u32, Option<(String, bool)>)>;
/// The replay of a run.
#[derive(Clone, Copy)]
pub struct ReplayState {
    /// When its rows come up; `None` while nothing is played.
    pub plan: RwSignal<Option<Shared<Replay>>>,
    /// Where the play head is.
    pub head: RwSignal<Head>,
    /// How fast it plays.
    pub speed: RwSignal<Speed>,
    /// Whether it plays.
    pub is_playing: RwSignal<bool>,
}

/// The annotations of the run that is shown.
#[derive(Clone, Copy)]
pub struct AnnotationState {
    /// All of them, with what they point at.
    pub list: RwSignal<Shared<AnnotationList>>,
    /// The own ones, as they are kept.
    pub own: RwSignal<Vec<OwnAnnotation>>,
    /// The form for a new or changed one, where it is open.
    pub draft: RwSignal<Option<Draft>>,
    /// Index of the one that was gone to last.
    pub current: RwSignal<Option<usize>>,
}

/// An annotation that is being written.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Draft {
    /// The event in whose body the form stands; `None` for the whole trace.
    pub event: Option<u32>,
    /// What it can point at, in words.
    pub spots: Vec<(String, Spot)>,
    /// Which of them it is to point at.
    pub chosen: usize,
    /// What it says.
    pub text: String,
    /// Index of the own annotation that is changed.
    pub own: Option<u32>,
}

/// All state of the page: handles only.
#[derive(Clone, Copy)]
pub struct AppState {
    /// Takes what the worker sends. The rooms are above this one, so they are called through this.
    pub dispatch: fn(AppState, Heard),
    /// What the page is doing.
    pub phase: RwSignal<Phase>,
    /// The outline of the open trace.
    pub outline: RwSignal<Shared<Outline>>,
    /// Title over the trace: names of files.
    pub title: RwSignal<String>,
    /// What decides on the lines.
    pub choice: RwSignal<Choice>,
    /// Index of the run that is shown, for what changes with nothing else of the choice.
    pub run: Memo<u32>,
    /// The lines of the timeline.
    pub lines: Memo<Shared<Vec<Line>>>,
    /// The line with the keyboard.
    pub selected: RwSignal<Option<Line>>,
    /// Which rows' bodies are open.
    pub opened: RwSignal<Opened>,
    /// Measured heights of open bodies, by row.
    pub heights: RwSignal<HashMap<u32, f64>>,
    /// Summaries by event id.
    pub previews: RwSignal<HashMap<u32, String>>,
    /// Contents of opened rows by event id.
    pub details: RwSignal<HashMap<u32, Shared<ShownDetail>>>,
    /// More of cut values, by ticket: those that are waited for or shown.
    pub more: RwSignal<HashMap<u32, Option<Shared<Shown>>>>,
    /// Addresses of images that were asked for, by ticket.
    pub images: RwSignal<HashMap<u32, Option<String>>>,
    /// Which tab is in front, where the trace has exhibits.
    pub tab: RwSignal<Tab>,
    /// A row to scroll to, with a count that makes every wish new.
    pub goal: RwSignal<(u32, Option<Line>)>,
    /// Problems that leave the page usable: one bad file of several, a bad link.
    pub problems: RwSignal<Vec<Problem>>,
    /// Problems that are shown when loading ends.
    pub later_problems: StoredValue<Vec<Problem>>,
    /// The search.
    pub search: SearchState,
    /// What was expected of the run.
    pub checks: CheckState,
    /// TraceSummaries by run, as far as they were asked for.
    pub summaries: RwSignal<HashMap<u32, Shared<TraceSummary>>>,
    /// The beginning of the run in another form.
    pub export_preview: RwSignal<ExportPreview>,
    /// What was said of the last file that was saved.
    pub export_notes: RwSignal<Vec<String>>,
    /// The replay.
    pub replay: ReplayState,
    /// Whether a growing file is followed.
    pub following: RwSignal<bool>,
    /// The annotations.
    pub annotations: AnnotationState,
    /// What stands over the page.
    pub dialog: RwSignal<Option<Dialog>>,
    /// What the person has set.
    pub prefs: RwSignal<Prefs>,
    /// The address.
    pub route: RwSignal<Route>,
    /// Whether the page is sealed.
    pub sealed: RwSignal<bool>,
    /// Words for the live region.
    pub said: RwSignal<String>,
    /// What came of the last copy, shown for a moment.
    pub toast: RwSignal<Option<&'static str>>,
    /// Whether something is dragged over the window.
    pub dragging: RwSignal<bool>,
    /// Whether there is a worker to ask.
    pub is_reading: RwSignal<bool>,
    /// The statistics that were asked for last, once they are here.
    pub statistics: RwSignal<Option<Vec<CallsLine>>>,
    /// How much memory the reader uses, as far as it has said.
    pub memory: RwSignal<Memory>,
}

impl AppState {
    /// A page with nothing open.
    pub fn new(route: Route, prefs: Prefs, dispatch: fn(Self, Heard)) -> Self {
        let outline = RwSignal::new(Shared::<Outline>::default());
        let choice = RwSignal::new(Choice {
            collapse_over_tools: prefs.collapse_over_tools(),
            ..Choice::default()
        });
        let lines =
            Memo::new(move |_| choice.with(|choice| Shared::new(lines(&outline.get(), choice))));
        Self {
            dispatch,
            phase: RwSignal::new(Phase::Empty),
            search: SearchState {
                query: RwSignal::new(route.query.clone()),
                pattern: RwSignal::new(None),
                found: RwSignal::default(),
                list_is_open: RwSignal::new(false),
                shown_hit: RwSignal::new((0, None)),
            },
            replay: ReplayState {
                plan: RwSignal::new(None),
                head: RwSignal::default(),
                speed: RwSignal::default(),
                is_playing: RwSignal::new(false),
            },
            annotations: AnnotationState {
                list: RwSignal::default(),
                own: RwSignal::default(),
                draft: RwSignal::new(None),
                current: RwSignal::new(None),
            },
            outline,
            title: RwSignal::default(),
            choice,
            run: Memo::new(move |_| choice.with(|choice| choice.run)),
            lines,
            selected: RwSignal::new(None),
            opened: RwSignal::default(),
            heights: RwSignal::default(),
            previews: RwSignal::default(),
            details: RwSignal::default(),
            more: RwSignal::default(),
            images: RwSignal::default(),
            tab: RwSignal::default(),
            goal: RwSignal::new((0, None)),
            problems: RwSignal::default(),
            later_problems: StoredValue::default(),
            following: RwSignal::new(false),
            checks: CheckState {
                text: RwSignal::default(),
                ticket: RwSignal::new(None),
                fault: RwSignal::new(None),
                report: RwSignal::new(None),
                marks: RwSignal::default(),
                list_is_open: RwSignal::new(false),
            },
            summaries: RwSignal::default(),
            export_preview: RwSignal::new(None),
            export_notes: RwSignal::default(),
            dialog: RwSignal::new(None),
            prefs: RwSignal::new(prefs),
            route: RwSignal::new(route),
            sealed: RwSignal::new(false),
            said: RwSignal::default(),
            toast: RwSignal::new(None),
            dragging: RwSignal::new(false),
            is_reading: RwSignal::new(false),
            statistics: RwSignal::default(),
            memory: RwSignal::default(),
        }
    }

    /// Whether rows are there to be read, complete or not.
    pub fn has_rows(&self) -> bool {
        self.outline.with(|outline| !outline.runs.is_empty())
    }

    /// [`AppState::has_rows`] without watching for a change.
    pub fn has_rows_untracked(&self) -> bool {
        self.outline.with_untracked(|outline| !outline.runs.is_empty())
    }

    /// Whether this is a bare reader in a frame.
    pub fn is_embedded(&self) -> bool {
        self.route.with(|route| route.embed)
    }
}

/// The state, from anywhere on the page.
pub fn state() -> AppState {
    expect_context()
}
