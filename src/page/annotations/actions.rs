//! Annotations: requested for each run. New ones are stored in the browser, under the hash of the run.

use crate::reactive::{effect, memo};
use std::collections::VecDeque;

use leptos::prelude::*;

use crate::app::notice::report;
use crate::app::notice::say;
use crate::app::pane::Pane;
use crate::browser;
use crate::pane::actions::{jump, select};
use crate::shared::Shared;
use crate::state::annotations::Draft;
use traceloupe_core::model::{THUMBS_DOWN, THUMBS_UP};
use traceloupe_protocol::annotations::{AnnotationList, AnnotationsForm, OwnAnnotation, Spot};
use traceloupe_protocol::messages::{Problem, Request};
use traceloupe_view::list::visible_lines::Line;
use traceloupe_words as words;
use traceloupe_words::page::annotations as text;

/// Prefix of the storage keys of the user's own annotations. The hash of their run follows.
const KEPT: &str = "annotations.";

/// Requests the annotations of the displayed run whenever the run changes or has been read again.
pub fn watch_annotations(pane: Pane) {
    let wanted = memo(move || {
        let run = pane.run.get();
        pane.trace.outline.with(|outline| {
            let is_there = outline.complete && (run as usize) < outline.runs.len();
            is_there.then_some((run, outline.n_rows, outline.sources.len()))
        })
    });
    effect(move || {
        forget(pane);
        if let Some((run, ..)) = wanted.get() {
            pane.trace.send(&Request::Annotations(run, Vec::new()));
        }
    });
}

/// Drops the annotations of all runs.
fn forget(pane: Pane) {
    pane.trace.annotations.unaddressed.update_value(VecDeque::clear);
    pane.trace.annotations.list.set(Shared::default());
    pane.trace.annotations.own.set(Vec::new());
    pane.annotations.draft.set(None);
    pane.annotations.current.set(None);
}

/// Takes the annotations of a run. The user's own are added once the hash of the run is known.
pub(crate) fn arrived(pane: Pane, list: AnnotationList) {
    if list.run != pane.run.get_untracked() {
        return;
    }
    let is_known = pane.trace.annotations.list.with_untracked(|old| old.hash == list.hash);
    let hash = list.hash.clone();
    pane.trace.annotations.list.set(Shared::new(list));
    if is_known {
        return;
    }
    let own = kept(&hash);
    if !own.is_empty() {
        pane.trace.annotations.own.set(own);
        ask_again(pane);
    }
}

fn ask_again(pane: Pane) {
    let run = pane.run.get_untracked();
    pane.trace.send(&Request::Annotations(run, pane.trace.annotations.own.get_untracked()));
}

fn kept(hash: &str) -> Vec<OwnAnnotation> {
    let text = browser::stored(&format!("{KEPT}{hash}")).unwrap_or_default();
    OwnAnnotation::list_from_json(&text)
}

/// Stores the user's own annotations of the run, and reports it if the browser refuses.
fn keep(pane: Pane, own: Vec<OwnAnnotation>) {
    let key = pane.trace.annotations.list.with_untracked(|list| format!("{KEPT}{}", list.hash));
    let is_kept = if own.is_empty() {
        browser::unstore(&key);
        true
    } else {
        browser::try_store(&key, &OwnAnnotation::list_to_json(&own))
    };
    if !is_kept {
        report(pane.trace, Problem::Storage);
    }
    pane.trace.annotations.own.set(own);
    ask_again(pane);
}

/// Opens the form for a new annotation of the selected text, the event, or the whole trace.
pub fn begin_annotation(pane: Pane, event: Option<u32>) {
    let run = pane.run.get_untracked();
    let mut spots = Vec::new();
    let event_spot = Spot { run, event, ..Spot::default() };
    if event.is_some() {
        if let Some((site, range, line)) = browser::selected_text() {
            let at = |part| Spot { site: Some(site), part, ..event_spot };
            if let traceloupe_core::model::Part::Chars(from, to) = range
                && to > from
            {
                spots.push((text::THE_SELECTED_TEXT.to_owned(), at(range)));
            }
            if let traceloupe_core::model::Part::Line(number) = line {
                spots.push((text::line(number + 1), at(line)));
            }
        }
        spots.push((text::THIS_EVENT.to_owned(), event_spot));
    } else {
        spots.push((text::THE_WHOLE_TRACE.to_owned(), event_spot));
    }
    let draft = Draft { event, spots, ..Draft::default() };
    pane.annotations.draft.set(Some(draft));
}

/// Opens the form for editing one of the user's own annotations.
pub fn edit_annotation(pane: Pane, own: u32, event: Option<u32>) {
    let text = pane.trace.annotations.own.with_untracked(|all| {
        all.get(own as usize).map(|it| it.content.clone()).unwrap_or_default()
    });
    let before = Some(text.clone());
    let draft = Draft { event, text, own: Some(own), before, ..Draft::default() };
    pane.annotations.draft.set(Some(draft));
}

/// Closes the form and reverts its changes.
pub fn cancel_annotation(pane: Pane) {
    take_back(pane);
    pane.annotations.draft.set(None);
}

/// Reverts the changes made by the open form.
fn take_back(pane: Pane) {
    let Some(draft) = pane.annotations.draft.get_untracked() else { return };
    let mut all = pane.trace.annotations.own.get_untracked();
    match (draft.own, draft.before) {
        (Some(own), Some(before)) => {
            let Some(changed) = all.get_mut(own as usize).filter(|it| it.content != before) else {
                return;
            };
            changed.content = before;
        }
        (Some(own), None) if (own as usize) < all.len() => _ = all.remove(own as usize),
        (None, _) if draft.is_sent => {
            // The address of the last one has not arrived yet.
            let _ = pane.trace.annotations.unaddressed.try_update_value(VecDeque::pop_back);
            return;
        }
        _ => return,
    }
    keep(pane, all);
}

/// Chooses what the annotation refers to.
pub fn choose_spot(pane: Pane, at: usize) {
    take_back(pane);
    pane.annotations.draft.update(|draft| {
        if let Some(draft) = draft {
            (draft.chosen, draft.own, draft.is_sent) = (at, None, false);
        }
    });
    keep_so_far(pane);
}

/// Saves the contents of the form.
pub fn save_annotation(pane: Pane) {
    if keep_so_far(pane) {
        pane.annotations.draft.set(None);
    }
}

/// Stores the text typed so far, so that nothing is lost if the page is closed. `false` if there is none.
pub fn keep_so_far(pane: Pane) -> bool {
    let Some(draft) = pane.annotations.draft.get_untracked() else { return false };
    let text = draft.text.trim();
    if text.is_empty() {
        return false;
    }
    let mut all = pane.trace.annotations.own.get_untracked();
    if let Some(changed) = draft.own.and_then(|own| all.get_mut(own as usize)) {
        if changed.content != text {
            text.clone_into(&mut changed.content);
            keep(pane, all);
        }
    } else if draft.is_sent {
        pane.trace.annotations.unaddressed.update_value(|waiting| {
            if let Some(last) = waiting.back_mut() {
                text.clone_into(&mut last.content);
            }
        });
    } else if let Some((_, spot)) = draft.spots.get(draft.chosen) {
        add(pane, text, spot);
        pane.annotations.draft.update(|draft| {
            if let Some(draft) = draft {
                draft.is_sent = true;
            }
        });
    }
    true
}

/// Adds a vote for or against the subject of the form.
pub fn vote(pane: Pane, is_up: bool) {
    let Some(draft) = pane.annotations.draft.get_untracked() else { return };
    if let Some((_, spot)) = draft.spots.get(draft.chosen) {
        pane.annotations.draft.set(None);
        add(pane, if is_up { THUMBS_UP } else { THUMBS_DOWN }, spot);
    }
}

fn add(pane: Pane, content: &str, spot: &Spot) {
    let new = OwnAnnotation {
        content: content.to_owned(),
        address: String::new(),
        time_created: words::stamp(js_sys::Date::now()),
    };
    pane.trace.annotations.unaddressed.update_value(|waiting| waiting.push_back(new));
    pane.trace.send(&Request::Address(*spot));
}

/// Takes the address of a new annotation from the worker.
pub(crate) fn addressed(pane: Pane, address: Option<String>) {
    let unaddressed = pane.trace.annotations.unaddressed;
    let Some(new) = unaddressed.try_update_value(VecDeque::pop_front).flatten() else { return };
    match address {
        Some(address) => {
            let mut own = pane.trace.annotations.own.get_untracked();
            let at = u32::try_from(own.len()).ok();
            own.push(OwnAnnotation { address, ..new });
            keep(pane, own);
            // The form continues with the stored annotation.
            pane.annotations.draft.update(|draft| {
                if let Some(draft) = draft.as_mut().filter(|it| it.is_sent) {
                    draft.own = at;
                }
            });
            say(pane.page, text::ANNOTATED);
        }
        None => say(pane.page, text::THIS_CANNOT_BE_ANNOTATED),
    }
}

/// Deletes one of the user's own annotations.
pub fn delete_annotation(pane: Pane, own: u32) {
    let mut all = pane.trace.annotations.own.get_untracked();
    if (own as usize) < all.len() {
        all.remove(own as usize);
        pane.annotations.draft.set(None);
        keep(pane, all);
        say(pane.page, text::ANNOTATION_DELETED);
    }
}

/// Selects and opens the event that an annotation refers to.
pub fn show_annotation(pane: Pane, at: usize) {
    let event = pane
        .trace
        .annotations
        .list
        .with_untracked(|list| list.lines.get(at).and_then(|line| line.target.event()));
    let row =
        event.and_then(|id| pane.trace.outline.with_untracked(|outline| outline.rows.row_of(id)));
    pane.annotations.current.set(Some(at));
    match row {
        Some(row) => jump(pane, row),
        None => say(pane.page, text::POINTS_AT_NO_EVENT),
    }
}

/// Goes to the next or previous annotation of an event, in row order.
pub fn next_annotation(pane: Pane, forward: bool) {
    let outline = pane.trace.outline.get_untracked();
    let mut places: Vec<(u32, usize)> = pane.trace.annotations.list.with_untracked(|list| {
        let all = list.lines.iter().enumerate();
        all.filter_map(|(at, line)| Some((outline.rows.row_of(line.target.event()?)?, at)))
            .collect()
    });
    traceloupe_core::sorting::sort(&mut places);
    let current = pane.annotations.current.get_untracked();
    let here = places.iter().position(|(_, at)| Some(*at) == current);
    let selected = pane.selected.get_untracked().and_then(Line::row);
    let next = match (here, forward) {
        (Some(here), true) => places.get(here + 1).or_else(|| places.first()),
        (Some(here), false) => {
            here.checked_sub(1).and_then(|at| places.get(at)).or_else(|| places.last())
        }
        (None, true) => places
            .iter()
            .find(|(row, _)| selected.is_none_or(|selected| *row >= selected))
            .or_else(|| places.first()),
        (None, false) => places
            .iter()
            .rfind(|(row, _)| selected.is_none_or(|selected| *row <= selected))
            .or_else(|| places.last()),
    };
    match next {
        Some((row, at)) => {
            let (row, at) = (*row, *at);
            show_annotation(pane, at);
            select(pane, Line::Row(row));
        }
        None => say(pane.page, text::THERE_IS_NO_ANNOTATION),
    }
}

/// Saves annotations as a file: those of the trace, and all of the user's own that are stored in the browser.
pub fn export_annotations(pane: Pane, form: AnnotationsForm) {
    let mut own: Vec<(String, Vec<OwnAnnotation>)> = browser::stored_keys(KEPT)
        .into_iter()
        .map(|hash| {
            let kept = kept(&hash);
            (hash, kept)
        })
        .collect();
    // Include annotations that the browser refused to store.
    let hash = pane.trace.annotations.list.with_untracked(|list| list.hash.clone());
    own.retain(|(of, _)| *of != hash);
    own.push((hash, pane.trace.annotations.own.get_untracked()));
    let ticket = pane.trace.tickets.next_saved();
    pane.trace.send(&Request::ExportAnnotations(own, form, ticket));
}
