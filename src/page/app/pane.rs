//! A view of an opened trace: run, filters, selection, open rows, search and replay.

use std::collections::VecDeque;

use leptos::prelude::*;

use crate::app::page::Page;
use crate::app::trace::Trace;
use crate::browser;
use crate::reactive::{Memo, RwSignal, effect, memo};
use crate::shared::Shared;
use crate::state::annotations::AnnotationView;
use crate::state::event::Heights;
use crate::state::filter::FilterState;
use crate::state::replay::ReplayState;
use crate::state::search::SearchState;
use crate::state::timeline::FlameState;
use traceloupe_core::model::directory_of;
use traceloupe_core::text::directory::relative;
use traceloupe_protocol::outline::{FindingLine, RunLine};
use traceloupe_search::Query;
use traceloupe_view::compactions::compactions;
use traceloupe_view::list::folds::misses::{fold_misses, may_fold};
use traceloupe_view::list::form::{ListForm, is_conversation};
use traceloupe_view::list::line_view::Alike;
use traceloupe_view::list::visible_lines::{Choice, Line, Mode, lines_of};
use traceloupe_view::longest::longest_call;
use traceloupe_view::open_bodies::Opened;
use traceloupe_view::outline::Outline;
use traceloupe_view::query::facets::Facets;
use traceloupe_view::query::matching::Matching;
use traceloupe_view::replay::Speed;
use traceloupe_view::scroll::Going;
use traceloupe_view::waterfall::Waterfall;
use traceloupe_words as words;

/// A line to scroll to.
#[derive(Clone, Copy, Default)]
pub struct Goal {
    /// Distinguishes each request from the one before it.
    pub count: u32,
    /// The line; `None` means the top.
    pub line: Option<Line>,
    /// How the user goes to it.
    pub going: Going,
}

/// The state that a new trace takes over from the previous one. Everything else starts from its default.
#[derive(Clone, Default)]
pub struct Kept {
    /// Level of detail.
    pub mode: Mode,
    /// The query in the search field.
    pub query: Query,
    /// Whether the list of hits is shown.
    pub hits_are_listed: bool,
    /// The speed of the replay.
    pub speed: Speed,
    /// The text in the field of the check.
    pub expectations: String,
}

/// Why the event of a link was requested.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// To show it.
    Event,
    /// It starts an agent whose rows alone should be shown.
    Agent,
}

/// A view of a trace, which consists of handles only. Its signals live as long as the trace.
#[derive(Clone, Copy)]
pub struct Pane {
    /// The page that it is part of.
    pub page: Page,
    /// The trace that it shows.
    pub trace: Trace,
    /// The run, the mode, the filters and the expanded rows: everything that decides which lines are shown.
    pub choice: RwSignal<Choice>,
    /// Index of the displayed run. Unlike `choice`, it changes only with the run.
    pub run: Memo<u32>,
    /// If only the rows of one agent are shown: the row that starts that agent.
    pub within: Memo<Option<u32>>,
    /// Which rows of the run match the filter.
    pub matching: Memo<Shared<Matching>>,
    /// See [`Trace::deferred_outline`].
    pub around: RwSignal<Shared<Outline>>,
    /// What the rows of the run can be filtered by.
    pub facets: Memo<Facets>,
    /// The call that took most of the run's time, once the whole run has been read.
    pub longest: Memo<Option<FindingLine>>,
    /// Where the context of each agent was compacted.
    pub compactions: Memo<Vec<FindingLine>>,
    /// The waterfall, if the rows are drawn as one.
    pub waterfall: Memo<Option<Shared<Waterfall>>>,
    /// The flame graph above it.
    pub flame: FlameState,
    /// The rows with hits, if rows without hits fold. Set once the search has ended.
    pub folds_misses: Memo<Option<Shared<Vec<u32>>>>,
    /// Whether the waterfall folds times during which no model and no tool worked.
    pub folds_gaps: RwSignal<bool>,
    /// The lines of the timeline.
    pub lines: Memo<Shared<Vec<Line>>>,
    /// The selected line.
    pub selected: RwSignal<Option<Line>>,
    /// Which rows are open.
    pub opened: RwSignal<Opened>,
    /// Measured heights of open bodies in pixels, by row.
    pub heights: Heights,
    /// Measured heights of the texts of a transcript in pixels, by row.
    pub said_heights: Heights,
    /// Whether all lines are drawn, instead of only those in the window, because they are being printed.
    pub is_printing: RwSignal<bool>,
    /// The line that the list was last scrolled to.
    pub goal: RwSignal<Goal>,
    /// The first and the last row that are in view.
    pub visible: RwSignal<(u32, u32)>,
    /// Whether all findings are listed beside the timeline.
    pub lists_findings: RwSignal<bool>,
    /// The key of the finding that is explained there, if one has been chosen.
    pub finding: RwSignal<Option<u64>>,
    /// The open row whose contents are beside the rows instead of below the row. Only in a waterfall with enough room.
    pub beside: Memo<Option<u32>>,
    /// Whether the contents of open rows are shown beside the rows.
    pub is_beside: Memo<bool>,
    /// The places of that finding, until the list is closed.
    pub alike: RwSignal<Shared<Alike>>,
    /// Whether runs and filters are shown on a screen that has no room for them beside the timeline.
    pub shows_side: RwSignal<bool>,
    /// The id of the chosen view, as in the link; empty until one has been chosen.
    pub tab: RwSignal<String>,
    /// Whether the trace opened with the table of runs. No run counts as chosen until the user leaves the table.
    pub begins_with_runs: RwSignal<bool>,
    /// How the rows are drawn: as chosen, otherwise as suits the run.
    pub form: Memo<ListForm>,
    /// The search.
    pub search: SearchState,
    /// The text typed into the filter.
    pub filter: FilterState,
    /// The replay.
    pub replay: ReplayState,
    /// Why each event was requested from the worker, in the order of the requests.
    pub wanted: StoredValue<VecDeque<Wanted>>,
    /// The annotation that is being edited, and the current one.
    pub annotations: AnnotationView,
}

impl PartialEq for Pane {
    fn eq(&self, other: &Self) -> bool {
        self.trace == other.trace && self.choice == other.choice
    }
}

impl Pane {
    /// The chosen run, from one of the outlines.
    pub fn run_line(self, outline: RwSignal<Shared<Outline>>) -> Memo<RunLine> {
        memo(move || {
            let run = self.run.get();
            outline.with(|it| it.runs.get(run as usize).cloned().unwrap_or_default())
        })
    }

    /// A path relative to the directory of the run. If it has more than `max` characters, its beginning is left out.
    pub fn short_path(self, path: &str, max: usize) -> String {
        self.around.with(|outline| {
            let run = outline.runs.get(self.run.get() as usize);
            let shown = relative(path, run.map_or("", |run| directory_of(&run.facts)));
            let whole = if shown == path { path.to_owned() } else { format!("./{shown}") };
            words::end_of_path(&whole, max).unwrap_or_else(|| shown.to_owned())
        })
    }

    /// A view of a new, empty trace. This is the only place that carries state over from the previous trace.
    pub fn of_new_trace(page: Page, number: u32, kept: Kept) -> Self {
        let trace = Trace::new(page, number, kept.expectations);
        let over = page.prefs.with_untracked(|prefs| prefs.collapse_over_tools());
        trace.with_owner(|| {
            let outline = trace.outline;
            let choice = RwSignal::new(Choice {
                mode: kept.mode,
                collapse_over_tools: over,
                ..Choice::default()
            });
            let run = memo(move || choice.with(|choice| choice.run));
            // Rows are matched again only if the filter has changed or the rows have.
            let asked = memo(move || {
                choice.with(|choice| (choice.run, choice.query.clone(), choice.texts.clone()))
            });
            let matching = memo(move || {
                let outline = outline.get();
                asked.with(|(run, query, texts)| {
                    Shared::new(Matching::of(&outline, *run, query, texts))
                })
            });
            let around = trace.around;
            let tab = RwSignal::new(String::new());
            let form = memo(move || {
                let run = run.get();
                outline.with(|outline| {
                    let run = outline.runs.get(run as usize);
                    tab.with(|tab| {
                        run.map_or_else(ListForm::default, |run| form(page, outline, run, tab))
                    })
                })
            });
            effect(move || {
                let form = form.get();
                if choice.with_untracked(|choice| choice.form != form) {
                    choice.update(|choice| choice.form = form);
                }
            });
            let drawn_form = memo(move || choice.with(|choice| choice.form));
            let all_lines = memo(move || {
                let (outline, matching) = (outline.get(), matching.get());
                choice.with(|choice| Shared::new(lines_of(&outline, choice, &matching)))
            });
            let opened = RwSignal::<Opened>::default();
            let search = SearchState::new(kept.query, kept.hits_are_listed);
            let (selected, is_printing) = (RwSignal::new(None), RwSignal::new(false));
            let lists_findings = RwSignal::new(false);
            let is_beside = memo(move || {
                let is_waterfall = drawn_form.get() == ListForm::Waterfall && !is_printing.get();
                is_waterfall && page.has_room.get() && !lists_findings.get()
            });
            let beside = memo(move || {
                let row = selected.get().and_then(Line::row).filter(|_| is_beside.get())?;
                opened.with(|opened| opened.has(row)).then_some(row)
            });
            // The contents beside the rows follow the selection.
            effect(move || {
                let Some(row) = selected.get().and_then(Line::row) else { return };
                let is_other = opened.with_untracked(|it| it.is_any() && !it.has(row));
                if is_other && is_beside.get_untracked() {
                    opened.set(Opened::one(row));
                }
            });
            let may_fold = memo(move || choice.with(may_fold));
            let folds_gaps = RwSignal::new(true);
            let folds_misses = Memo::new(move |before: Option<&Option<Shared<Vec<u32>>>>| {
                if !may_fold.get() {
                    return None;
                }
                search.found.with(|found| {
                    // Earlier matches stay until the next query has been searched for.
                    if !found.last.done && search.query.with_untracked(|it| !it.is_empty()) {
                        return before.cloned().flatten();
                    }
                    let rows = found.rows();
                    (!rows.is_empty()).then(|| Shared::new(rows.to_vec()))
                })
            });
            Self {
                page,
                trace,
                choice,
                run,
                within: memo(move || choice.with(|choice| choice.within)),
                matching,
                around,
                facets: memo(move || Facets::of(&around.get(), run.get())),
                compactions: memo(move || {
                    let run = run.get();
                    outline.with(|outline| {
                        if outline.complete { compactions(outline, run) } else { Vec::new() }
                    })
                }),
                longest: memo(move || {
                    let run = run.get();
                    outline.with(|outline| {
                        outline.complete.then(|| longest_call(outline, run)).flatten()
                    })
                }),
                waterfall: memo(move || {
                    if drawn_form.get() != ListForm::Waterfall {
                        return None;
                    }
                    let outline = around.get();
                    let run = outline.runs.get(run.get() as usize)?;
                    Some(Shared::new(Waterfall::new(&outline, run, folds_gaps.get())))
                }),
                folds_gaps,
                folds_misses,
                lines: memo(move || match folds_misses.get() {
                    None => all_lines.get(),
                    Some(hits) => {
                        let (outline, lines) = (outline.get_untracked(), all_lines.get());
                        let is_open = |row| opened.with_untracked(|opened| opened.has(row));
                        choice.with(|choice| {
                            Shared::new(fold_misses(&outline, choice, &lines, &hits, &is_open))
                        })
                    }
                }),
                flame: FlameState::default(),
                selected,
                opened,
                heights: RwSignal::default(),
                is_printing,
                goal: RwSignal::new(Goal::default()),
                visible: RwSignal::new((0, 0)),
                lists_findings,
                beside,
                is_beside,
                finding: RwSignal::new(None),
                alike: RwSignal::default(),
                shows_side: RwSignal::new(false),
                said_heights: RwSignal::default(),
                tab,
                begins_with_runs: RwSignal::new(false),
                form,
                filter: FilterState::default(),
                search,
                replay: ReplayState::new(kept.speed),
                wanted: StoredValue::default(),
                annotations: AnnotationView::default(),
            }
        })
    }

    /// The state that the next trace takes over.
    pub fn kept(&self) -> Kept {
        Kept {
            mode: self.choice.with_untracked(|choice| choice.mode),
            query: self.search.query.get_untracked(),
            hits_are_listed: self.search.list_is_open.get_untracked(),
            speed: self.replay.speed.get_untracked(),
            expectations: self.trace.checks.text.get_untracked(),
        }
    }
}

/// How the rows of a run are drawn: as chosen for this trace, as last chosen for a run of this kind, or as suits it.
fn form(page: Page, outline: &Outline, run: &RunLine, tab: &str) -> ListForm {
    let is_conversation = is_conversation(outline, run);
    let by_default = form_by_default(page, is_conversation);
    let chosen = ListForm::from_id(tab);
    let kept = || browser::stored(kept_form(is_conversation)).and_then(|id| ListForm::from_id(&id));
    let wanted = chosen.or_else(kept).unwrap_or(by_default);
    if wanted.is_offered(run) { wanted } else { by_default }
}

/// How the rows of a run are drawn if the user has not chosen a form for this trace.
pub fn form_by_default(page: Page, is_conversation: bool) -> ListForm {
    match is_conversation && !page.is_embedded() {
        true => ListForm::Transcript,
        false => ListForm::Timeline,
    }
}

/// Storage key of the last chosen form, for conversations or for other runs.
pub fn kept_form(is_conversation: bool) -> &'static str {
    if is_conversation { "conversation" } else { "spans" }
}

/// The view that the calling component is part of.
pub fn pane() -> Pane {
    expect_context()
}

/// The trace that the calling component shows.
pub fn trace() -> Trace {
    pane().trace
}
