//! The chosen view of a trace, which the link names.

use leptos::prelude::*;

use crate::app::pane::{Pane, form_by_default, kept_form};
use crate::browser;
use traceloupe::view::page::list_form::{ListForm, is_conversation};
use traceloupe::view::route::Route;

/// Chooses how the rows are drawn, and keeps that for other runs of this kind.
pub fn choose_form(pane: Pane, form: ListForm) {
    let is_conversation = pane.trace.outline.with_untracked(|outline| {
        let run = outline.runs.get(pane.run.get_untracked() as usize);
        run.is_some_and(|run| is_conversation(outline, run))
    });
    browser::store(kept_form(is_conversation), form.id());
    let is_default = form == form_by_default(pane.page, is_conversation);
    choose_tab(pane, if is_default { "" } else { form.id() });
}

/// Shows the list of rows, if another view covers it.
pub(super) fn show_list(pane: Pane) {
    let covers = |id: &String| !id.is_empty() && ListForm::from_id(id).is_none();
    if pane.tab.with_untracked(covers) {
        choose_tab(pane, "");
    }
}

/// Chooses a view by its id, and puts it into the link.
pub fn choose_tab(pane: Pane, id: &str) {
    if pane.tab.with_untracked(|tab| tab == id) {
        return;
    }
    pane.tab.set(id.to_owned());
    let fragment = Route::parse(&browser::fragment()).with_tab(id);
    browser::replace_fragment(&fragment);
    let mut route = Route::parse(&fragment);
    route.sel = pane.page.route.with_untracked(|old| old.sel.clone());
    pane.page.route.set(route);
}

/// Chooses the view that the link names, when a trace is first shown.
pub(crate) fn take_from_link(pane: Pane) {
    if let Some(tab) = pane.page.route.with_untracked(|route| route.tab.clone()) {
        pane.tab.set(tab);
    }
}
