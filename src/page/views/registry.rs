//! The table of views. A view that only some traces offer is one entry here.

use leptos::prelude::*;

use crate::views::solutions::{Results, Signature};
use crate::words::views as text;
use traceloupe::view::route::TIMELINE;
use traceloupe::view::wire::outline::Outline;

/// A view of a trace: a tab, and what it shows.
pub struct View {
    /// Its id in links and in ids of elements. It must never change.
    pub id: &'static str,
    /// The label of its tab.
    pub label: &'static str,
    /// Whether there is something to show while this run is open.
    pub is_offered: fn(&Outline, u32) -> bool,
    /// Makes the panel that covers the timeline; `None` for the timeline itself.
    pub content: Option<fn() -> AnyView>,
}

impl View {
    /// Id of its tab.
    pub fn tab_id(&self) -> String {
        format!("tab-{}", self.id)
    }

    /// Id of the element that shows it.
    pub fn panel_id(&self) -> String {
        match self.content {
            None => "timeline".to_owned(),
            Some(_) => format!("panel-{}", self.id),
        }
    }
}

/// All views, in the order of their tabs.
pub const VIEWS: &[View] = &[
    View {
        id: "signature",
        label: text::KERNEL_SIGNATURE,
        is_offered: |outline, run| outline.exhibits.has_beside(run).0,
        content: Some(|| markup! { <Signature/> }.into_any()),
    },
    View {
        id: "result",
        label: text::RESULT,
        is_offered: |outline, run| outline.exhibits.has_beside(run).1,
        content: Some(|| markup! { <Results/> }.into_any()),
    },
    View { id: TIMELINE, label: text::AGENT_INSPECTOR, is_offered: |_, _| true, content: None },
];

/// A view by its id.
pub fn view(id: &str) -> Option<&'static View> {
    VIEWS.iter().find(|view| view.id == id)
}
