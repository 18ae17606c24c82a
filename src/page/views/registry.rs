//! The table of views. Adding a view that only some traces offer takes one entry here.

use leptos::prelude::*;

use crate::brief::panel::BriefView;
use crate::runs::files::Files;
use crate::runs::run_table::RunTable;
use crate::runs::statistics::Statistics;
use crate::views::compare::Compare;
use crate::views::solutions::{Results, Signature};
use traceloupe_protocol::route::{BRIEF, COMPARE, FILES, RUNS, STATISTICS, TIMELINE};
use traceloupe_view::files_touched::may_name_files;
use traceloupe_view::icon;
use traceloupe_view::list::form::ListForm;
use traceloupe_view::outline::Outline;
use traceloupe_view::statistics::has_calls;
use traceloupe_words::page::brief;
use traceloupe_words::page::compare;
use traceloupe_words::page::files;
use traceloupe_words::page::shell;
use traceloupe_words::page::views as text;

/// A view of a trace: a tab and its content.
pub struct View {
    /// Its id in links and in ids of elements. It must never change.
    pub id: &'static str,
    /// The label of its tab.
    pub label: &'static str,
    /// Its icon, on a grid of 16 pixels.
    pub icon: &'static str,
    /// Whether it has something to show while this run is open.
    pub is_offered: fn(&Outline, u32) -> bool,
    /// Its content.
    pub shows: Shows,
}

/// The content of a view.
#[derive(Clone, Copy)]
pub enum Shows {
    /// The list of rows, drawn in this form.
    Rows(ListForm),
    /// A panel that covers the list.
    Panel(fn() -> AnyView),
}

impl View {
    /// Id of its tab.
    pub fn tab_id(&self) -> String {
        format!("tab-{}", self.id)
    }

    /// Id of the element with its content.
    pub fn panel_id(&self) -> String {
        match self.shows {
            Shows::Rows(_) => "timeline".to_owned(),
            Shows::Panel(_) => format!("panel-{}", self.id),
        }
    }
}

/// All views, in tab order.
pub const VIEWS: &[View] = &[
    View {
        id: "signature",
        label: text::KERNEL_SIGNATURE,
        icon: icon::COLUMNS,
        is_offered: |outline, run| outline.exhibits.has_beside(run).0,
        shows: Shows::Panel(|| markup! { <Signature/> }.into_any()),
    },
    View {
        id: "result",
        label: text::RESULT,
        icon: icon::COLUMNS,
        is_offered: |outline, run| outline.exhibits.has_beside(run).1,
        shows: Shows::Panel(|| markup! { <Results/> }.into_any()),
    },
    View {
        id: RUNS,
        label: shell::RUNS,
        icon: icon::ROWS,
        is_offered: |outline, run| {
            outline.n_listed() > 1 && outline.exhibits.has_beside(run) == (false, false)
        },
        shows: Shows::Panel(|| markup! { <RunTable/> }.into_any()),
    },
    View {
        id: BRIEF,
        label: brief::BRIEF,
        icon: icon::ROWS,
        is_offered: |outline, run| outline.runs.get(run as usize).is_some_and(has_calls),
        shows: Shows::Panel(|| markup! { <BriefView/> }.into_any()),
    },
    rows(ListForm::Transcript, "transcript", text::TRANSCRIPT, icon::SPARK, |outline, run| {
        is_offered(ListForm::Transcript, outline, run)
    }),
    rows(ListForm::Timeline, TIMELINE, text::TIMELINE, icon::LINES, |_, _| true),
    rows(ListForm::Waterfall, "waterfall", text::WATERFALL, icon::STEPS, |outline, run| {
        is_offered(ListForm::Waterfall, outline, run)
    }),
    View {
        id: FILES,
        label: files::FILES,
        icon: icon::FOLDER,
        is_offered: |outline, run| {
            outline.runs.get(run as usize).is_some_and(|run| may_name_files(outline, run))
        },
        shows: Shows::Panel(|| markup! { <Files/> }.into_any()),
    },
    View {
        id: STATISTICS,
        label: shell::STATISTICS,
        icon: icon::BARS,
        is_offered: |outline, run| outline.runs.get(run as usize).is_some_and(has_calls),
        shows: Shows::Panel(|| markup! { <Statistics/> }.into_any()),
    },
    View {
        id: COMPARE,
        label: compare::COMPARE,
        icon: icon::COLUMNS,
        // Solutions built by agents are compared by their results.
        is_offered: |outline, run| {
            outline.n_listed() > 1 && outline.exhibits.has_beside(run) == (false, false)
        },
        shows: Shows::Panel(|| markup! { <Compare/> }.into_any()),
    },
];

const fn rows(
    form: ListForm,
    id: &'static str,
    label: &'static str,
    icon: &'static str,
    is_offered: fn(&Outline, u32) -> bool,
) -> View {
    View { id, label, icon, is_offered, shows: Shows::Rows(form) }
}

fn is_offered(form: ListForm, outline: &Outline, run: u32) -> bool {
    outline.runs.get(run as usize).is_some_and(|run| form.is_offered(run))
}

/// A view, by id.
pub fn view(id: &str) -> Option<&'static View> {
    VIEWS.iter().find(|view| view.id == id)
}
